"""A session's digest: title, outcome, status, what was decided, learned, left open and wished for, and changed files.

Every line is the session's own, whole, with the place where it stands. Where nothing is worth it, the digest is empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, get_args

from recall_tui.domain import Conversation, ConversationHead
from recall_tui.features.digest.collector import Candidate, DigestCollector
from recall_tui.features.digest.features import measure
from recall_tui.features.digest.lines import Kind, explicit_kind, is_telling
from recall_tui.features.digest.outcome import find_outcome
from recall_tui.features.digest.overturned import drop_overturned
from recall_tui.features.digest.selection import choose
from recall_tui.features.digest.title import find_title
from recall_tui.features.digest.weights import ITEM_WEIGHTS
from recall_tui.text.classify.session_title import MAX_TITLE_CHARS, capitalize, strip_label
from recall_tui.text.cut import shorten
from recall_tui.text.secrets.redact import redact

Status = Literal["done", "partial", "discussion", "review"]
"""Work was finished, or was not; things were only talked about, or only looked at."""
STATUSES: tuple[Status, ...] = get_args(Status)

MAX_FILES = 20
_MAX_REVIEW_EDITS = 2
"""Changes up to which a review that was asked for is no work of its own."""
_CALLED_SO = (
    r"(?![-_/.]\w)(?!['’]?s?\s+(?:app|bot|board|command|comments?|feedback|flow|is|are|has|log|mode|page|panel|process"
    r"|queue|room|screen|skill|state|status|step|system|table|tool|trail|view|was|were)\b)"
)
"""Behind the word: something is called so, and no review is asked for."""
_REVIEW = re.compile(
    r"(?:^/?|[.!?:,;\n]\s*|\s[-–—]\s|\b(?:please|you|to|and|then|also|just|let's|lets|me|carefully|now)\s+)"
    rf"(?:review|audit|assess)\b{_CALLED_SO}"
    r"|\b(?:do|make|run|give|write|perform|conduct|need|want|start)\s+(?:(?:me|us|an?|the|another|your)\s+){0,2}"
    rf"(?:[\w-]+\s+){{0,3}}(?:reviews?|audits?|assessments?)\b{_CALLED_SO}",
    re.IGNORECASE,
)
"""A review that is asked for."""

_POINTING_START = re.compile(
    r"(?:this|that|these|those|it|they|without (?:this|that|it|them))\b(?! (?:is why|said)\b)"
    r"(?! (?:is|was|remains) (?:still |not |also )?(?:un)?(?:clear|known|likely|possible|sure|worth|safe|best)\b)",
    re.IGNORECASE,
)
"""Openings of a line that says nothing without the one before."""
MAX_NAMED_CHARS = 420
"""Characters of such a line and the sentence before it together."""


class DigestItem(NamedTuple):
    """A line that is worth keeping, as it was said."""

    kind: Kind
    text: str
    """One line without secrets."""
    lines: tuple[int, int]
    """The transcript's first and last line that hold it, from 1."""


class Digest(NamedTuple):
    """What a session leaves behind."""

    title: str
    outcome: str
    """What came out of it; empty when nobody said so."""
    status: Status
    items: tuple[DigestItem, ...] = ()
    """In the order they were said."""
    files: tuple[str, ...] = ()
    """Files that were changed, those changed most first; relative where they lie in the session's folder."""


def read_digest(conversation: Conversation) -> Digest:
    """Read a conversation once, and digest it; an empty digest of one in which nothing is said."""
    heard = DigestCollector()
    for message in conversation.own_messages():
        heard.hear(message)
    return make_digest(heard, conversation.head)


def make_digest(
    heard: DigestCollector,
    head: ConversationHead,
    table: Sequence[float] = ITEM_WEIGHTS,
) -> Digest:
    """Digest what was heard of a conversation; `table` are weights as in `weights.ITEM_WEIGHTS`."""
    candidates = drop_overturned(heard, heard.candidates())
    rows = measure(heard, candidates)
    said = find_outcome(heard, candidates, rows)
    outcome = said.render()
    chosen = choose(candidates, rows, table, beside=[one for one in said.statements if not explicit_kind(one)])
    items = _drop_contained(
        DigestItem(one.kind, redact(whole_text(one.candidate)), one.candidate.lines) for one in chosen
    )
    files = sorted(heard.files, key=lambda path: -heard.files[path])[:MAX_FILES]
    return Digest(
        shorten(
            redact(find_title(heard, head, candidates, said.turn) or capitalize(strip_label(outcome))), MAX_TITLE_CHARS
        ),
        redact(strip_label(outcome)),
        _find_status(heard),
        items,
        tuple(redact(_relative(path, head.cwd)) for path in files),
    )


def whole_text(one: Candidate) -> str:
    """The line; of one that begins with `This` or `It`, with the sentence that says what is meant."""
    text, before = one.line.text, one.line.before
    is_named = _POINTING_START.match(text) and is_telling(before) and not _POINTING_START.match(before)
    is_named = is_named and not explicit_kind(before)
    if not is_named or one.role == "prompt" or len(before) + len(text) > MAX_NAMED_CHARS:
        return text
    return f"{before if before.endswith(('.', '!')) else f'{before}.'} {text}"


def _drop_contained(items: Iterable[DigestItem]) -> tuple[DigestItem, ...]:
    """The items without those that another holds whole."""
    found = tuple(items)
    return tuple(one for one in found if not any(one.text in other.text for other in found if other.text != one.text))


def _find_status(heard: DigestCollector) -> Status:
    is_review = bool(_REVIEW.search(heard.opening[:400].strip()))
    if not heard.files and not heard.commits:
        return "review" if is_review else "discussion"
    if is_review and not heard.commits and sum(turn.edits for turn in heard.turns) <= _MAX_REVIEW_EDITS:
        return "review"
    return "partial" if heard.has_open_tasks or heard.turns[-1].last_reply < 0 else "done"


def _relative(path: str, cwd: str) -> str:
    inside, folder = path.replace("\\", "/"), cwd.replace("\\", "/").rstrip("/")
    return inside[len(folder) + 1 :] if folder and inside.startswith(folder + "/") else path
