"""A session's digest: title, outcome, status, what was decided, learned, left open and wished for, and changed files.

Every line is the session's own, whole, with the place where it stands. Where nothing is worth it, the digest is empty.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from recall_tui.domain import Conversation, ConversationHead
from recall_tui.features.digest.collector import Candidate, DigestCollector
from recall_tui.features.digest.features import FEATURES, measure, words_of
from recall_tui.features.digest.lines import Kind, explicit_kind
from recall_tui.features.digest.selection import choose, drop_overturned
from recall_tui.features.digest.weights import ITEM_WEIGHTS
from recall_tui.text.classify.imperatives import is_imperative
from recall_tui.text.classify.summary import strip_banner
from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.secrets.redact import redact
from recall_tui.text.sentences import split_sentences

Status = Literal["done", "partial", "discussion", "review"]
"""Work was finished, or was not; things were only talked about, or only looked at."""

MAX_TITLE_CHARS = 90
MAX_FILES = 20
_MIN_TITLE_OVERLAP = 0.85
"""Share of the words of a stored title that the session must have: some were left by another session."""
_MAX_SUBJECTS = 3
"""Commits that an outcome names: the last ones."""
_MIN_RESULT_POINTS = 3.0
_RESULT = re.compile(
    r"\b(?:now|released|deployed|merged|shipped|documented|published|installed|migrated|upgraded|reverted|solved|added|fixed|removed|updated|implemented|created|replaced|changed|moved|renamed|extracted|written"
    r"|committed|pushed"
    r"|has been|have been|found|confirmed|shows?|works|supports?|resolved|down from|no longer)\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(r"\b(?:will|next (?:run|step)|should (?:now )?)\b", re.IGNORECASE)
_MIN_OUTCOME_WORDS = 5
_WORD = re.compile(r"\w+")
_SUMMARY_HEADING = re.compile(
    r"\b(?:summary|what (?:i did|was done|changed)|changes|result|conclusion|outcome|done)\b", re.IGNORECASE
)
_TITLE_PREFIX = re.compile(r"^(?:implementation )?plan\s*[:—–-]\s*|^(?:\w+(?:\([^)]*\))?!?):\s+(?=\S)", re.IGNORECASE)
_POLITE = re.compile(
    r"^(?:(?:hi|hey|hello|ok|okay|so|now|thanks|great|please|and|also)[,!.\s]+)*"
    r"(?:(?:could|can|would|will) you (?:please |also )?|please |i(?:'d| would) like (?:you )?to |i (?:want"
    r"|need) (?:you )?to "
    r"|let's |we (?:need|want|should) (?:to )?|help me (?:to )?)*",
    re.IGNORECASE,
)
_MARKS = re.compile(r"^[^\w`\"'«“<(\[/]+")
"""Signs of lists and of a shell, in front of a request."""
_RECONSIDERED = re.compile(
    r"^\s*(?:thinking again|on second thought|(?:no,? )?actually,? (?=let's|remove|use|make)|scratch that"
    r"|change of plan"
    r"|forget (?:that|it|about that))[,:.!—–-]*\s*",
    re.IGNORECASE,
)
"""Openings with which a person sets an earlier request aside."""
_GENERIC = re.compile(
    r"^(?:look(?:ing)? at|have a look|check|read|review this|see|continue|resume|go on|do it|fix (?:it|this)"
    r"|help|start|yes|no|can we|one more|do (?:it|this|that)"
    r"|hi|hello|test|warmup|i got|here(?:'s| is)|okay)\b",
    re.IGNORECASE,
)
_REVIEW = re.compile(r"\b(?:review|audit|assess|code review|pull request review)\b", re.IGNORECASE)


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
    for message in conversation.messages():
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
    outcome = _find_outcome(heard, candidates, rows)
    items = tuple(
        DigestItem(one.kind, redact(one.candidate.line.text), one.candidate.lines)
        for one in choose(candidates, rows, table, beside="" if explicit_kind(outcome) else outcome)
    )
    files = sorted(heard.files, key=lambda path: -heard.files[path])[:MAX_FILES]
    return Digest(
        shorten(redact(_find_title(heard, head, candidates) or outcome), MAX_TITLE_CHARS),
        redact(outcome),
        _find_status(heard),
        items,
        tuple(redact(_relative(path, head.cwd)) for path in files),
    )


def _find_title(heard: DigestCollector, head: ConversationHead, candidates: Sequence[Candidate]) -> str:
    said = [
        *heard.plan_titles[:1],
        *(title for title in heard.pull_requests.values() if title),
        *(one.subject for one in heard.commits if not one.subject.startswith("Merge ")),
    ]
    if title := next((words for one in said if (words := _TITLE_PREFIX.sub("", strip_controls(one)).strip())), ""):
        return title
    known = {word for one in candidates for word in words_of(one.line.text)} | words_of(heard.opening)
    stored = words_of(head.title)
    if len(stored) > 1 and len(stored & known) >= _MIN_TITLE_OVERLAP * len(stored):
        return one_line(strip_controls(head.title))
    said = [
        sentence
        for turn in heard.turns[:3]
        for sentence in split_sentences(strip_controls(strip_banner(turn.prompt)))[:2]
    ]
    if again := next((turn.prompt for turn in reversed(heard.turns) if _RECONSIDERED.match(turn.prompt)), ""):
        said = [again]
    asked = [words for one in said if len(words_of(words := _strip_request(one))) > 2 and not _GENERIC.match(words)]
    best = next((one for one in asked if is_imperative(one)), "") or next(iter(asked), "")
    return best[:1].upper() + best[1:].rstrip(".?! ")


def _strip_request(text: str) -> str:
    return _POLITE.sub("", _RECONSIDERED.sub("", _MARKS.sub("", one_line(text))))


def _find_outcome(heard: DigestCollector, candidates: Sequence[Candidate], rows: Sequence[Sequence[float]]) -> str:
    """What came out of the session: the subjects of its commits, else the sentence that most plainly says so."""
    subjects = list(dict.fromkeys(one.subject for one in heard.commits if not one.subject.startswith("Merge ")))
    if subjects:
        last = heard.commits[-1]
        where = ", pushed" if last.is_pushed else ""
        if heard.pull_requests:
            where += f", {next(reversed(heard.pull_requests))}"
        return f"{'; '.join(subjects[-_MAX_SUBJECTS:])} (committed {last.sha}{where})"
    worth, best = max(
        ((_result_points(heard, one, row), at) for at, (one, row) in enumerate(zip(candidates, rows, strict=True))),
        default=(0.0, -1),
    )
    return candidates[best].line.text if best >= 0 and worth >= _MIN_RESULT_POINTS else ""


def _result_points(heard: DigestCollector, one: Candidate, row: Sequence[float]) -> float:
    """How plainly a line says what was done, in points; only replies that close a turn can."""
    turn = heard.turns[one.turn]
    if one.role != "reply" or one.message != turn.last_reply or one.line.is_unticked:
        return -10.0
    found = dict(zip(FEATURES, row, strict=True))
    text = one.line.text
    is_decided = explicit_kind(text) == "decision"
    return (
        1.5 * bool(_RESULT.search(text))
        + 1.0 * bool(turn.edits)
        + 2.0 * found["place"]
        + 1.0 * found["first_of_reply"]
        + 1.0 * bool(_SUMMARY_HEADING.search(one.line.heading))
        + 2.0 * found["centrality"]
        + 1.5 * found["in_prompts"]
        + 0.5 * found["literals"]
        - 1.0 * found["bullet"]
        - 1.0 * found["routine_heading"]
        - 1.5 * found["narration"]
        - 1.0 * found["doubted"]
        - 1.0 * found["tentative"]
        - 0.5 * found["is_short"]
        - 1.5 * bool(_FUTURE.search(text))
        - 5.0 * (len(_WORD.findall(text)) < _MIN_OUTCOME_WORDS and not is_decided)
        + 1.0 * is_decided
    )


def _find_status(heard: DigestCollector) -> Status:
    if not heard.files and not heard.commits:
        return "review" if _REVIEW.search(heard.opening[:400]) else "discussion"
    return "partial" if heard.has_open_tasks or heard.turns[-1].last_reply < 0 else "done"


def _relative(path: str, cwd: str) -> str:
    inside, folder = path.replace("\\", "/"), cwd.replace("\\", "/").rstrip("/")
    return inside[len(folder) + 1 :] if folder and inside.startswith(folder + "/") else path
