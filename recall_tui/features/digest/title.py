"""The title of a session: of its plan, pull request or first commit, else of the request, else of what was done.

A request that is a paste, a question or says nothing alone (`look at this`) gives way to the heading or the statement
of the reply that changed most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recall_tui.domain import ConversationHead
from recall_tui.features.digest.collector import MAX_PROMPT_CHARS, RECONSIDERED, Candidate, DigestCollector, Turn
from recall_tui.features.digest.features import words_of
from recall_tui.text.classify.imperatives import is_imperative
from recall_tui.text.classify.session_title import (
    MARKS,
    MAX_TITLE_CHARS,
    PREFIX,
    capitalize,
    is_vague,
    requests_in,
    strip_request,
    with_branch,
)
from recall_tui.text.cut import one_line, strip_controls

_MIN_STORED_OVERLAP = 0.85
"""Share of the words of a stored title that the session must have: some were left by another session."""
_FIRST_TURNS = 3
_MIN_WORDS = 3
_MAX_ASKED_CHARS = 700
"""Characters from which a prompt is feedback that was pasted, rather than a request."""
_QUESTION = re.compile(
    r"^(?:what|why|how|where|when|who|which|is|are|was|were|does|did)\b|[?？]\s*$",
    re.IGNORECASE,
)
_HEADING_LABEL = re.compile(
    r"^(?:(?:final |implementation |quick )?(?:summary|changes(?: made)?|result|overview|what changed|fix(?:es)?|step)"
    r"(?: of (?:the )?changes)?(?: \d+)?|\d+)\s*(?:[:.–—-]\s*|$)",
    re.IGNORECASE,
)
_BARE_HEADING = re.compile(
    r"^(?:the |a |an )?(?:\w+ )?(?:summary|changes?(?: made)?|results?|overview|fix(?:es|ed)?|problem"
    r"|issue|bug|root causes?|verification|tests?|testing|files?(?: changed| modified)?|next steps?|before|after"
    r"|key \w+|what \w+ \w+|how \w+ \w+|solution|usage|notes?|features?|implementation(?: \w+)?|technical \w+|details?"
    r"|conclusion|recommendations?)$",
    re.IGNORECASE,
)
_DONE = re.compile(r"(?:\w{2,}ed|wrote|built|made|set up)\b", re.IGNORECASE)
_MINE = re.compile(r"^(?:i've |i have |successfully )+", re.IGNORECASE)
_PULL_REQUEST = re.compile(r"/(?:pull|merge_requests)/(\d+)\b")
_REVIEW = re.compile(r"\breview\b", re.IGNORECASE)
_POINTS_BACK = re.compile(
    r"\w+ (?:it|this|that|them|these|those)(?: (?:in|to|for|with|on|at|now|too)\b|[.,;]|$)", re.IGNORECASE
)


def find_title(
    heard: DigestCollector, head: ConversationHead, candidates: Sequence[Candidate], last_turn: int | None = None
) -> str:
    """The title without its secrets masked, as long as it is; empty when nothing names the session.

    A request after `last_turn`, of which the outcome tells, is not what the session's outcome answers.
    """
    named = [
        *heard.plan_titles[:1],
        *(title for title in heard.pull_requests.values() if title),
        *(one.subject for one in heard.commits if not one.subject.startswith("Merge ")),
    ]
    if title := next((words for one in named if (words := PREFIX.sub("", strip_controls(one)).strip())), ""):
        return title
    known = {word for one in candidates for word in words_of(one.line.text)} | words_of(heard.opening)
    stored = words_of(head.title)
    if len(stored) > 1 and len(stored & known) >= _MIN_STORED_OVERLAP * len(stored):
        return one_line(strip_controls(head.title))
    if again := next((turn.prompt for turn in reversed(heard.turns) if RECONSIDERED.match(turn.prompt)), ""):
        return capitalize(_strip_request(again))
    turns = heard.turns[: _FIRST_TURNS if last_turn is None else min(_FIRST_TURNS, last_turn + 1)]
    asked = list(_requests(turns))
    orders = [one for one in asked if is_imperative(one) and not _QUESTION.search(one)]
    # `Implement it` says nothing without the request that it goes back to.
    orders = [one for one in orders if one == asked[0] or not _POINTS_BACK.match(one)]
    first = heard.turns[0].prompt
    is_asked = bool(orders) and len(first) <= _MAX_ASKED_CHARS
    if is_asked and not is_vague(orders[0]):
        return capitalize(orders[0])
    if (number := _PULL_REQUEST.search(first)) and _REVIEW.search(first):
        return f"Review PR #{number[1]}"
    headings = list(_work_titles(heard, candidates))
    done = [one for one in headings if _DONE.match(one)]
    title = next(iter([*orders[:is_asked], *done, *orders, *asked, *headings]), "")
    if is_vague(title):
        prompted = next((turn for turn in turns if turn.prompt), turns[0])
        title = next((one for one in (*orders, *_requests([prompted])) if not is_vague(one)), title)
    return with_branch(capitalize(title), head.branch)


def _requests(turns: Sequence[Turn]) -> Iterator[str]:
    """What these prompts ask for, without politeness; of `look at this and do that` what is to be done."""
    for turn in turns:
        if len(turn.prompt) < MAX_PROMPT_CHARS:
            found = requests_in(turn.prompt, _strip_request)
            yield from (words for words in found if len(words_of(words)) >= _MIN_WORDS)


def _work_titles(heard: DigestCollector, candidates: Sequence[Candidate]) -> Iterator[str]:
    """Headings and short statements of the reply that closed the turn with most changes, the first ones first."""
    turns = [
        (max(turn.edits, 3 * turn.commits), number) for number, turn in enumerate(heard.turns) if turn.last_reply >= 0
    ]
    changes, best = max(turns, default=(0, -1))
    if changes <= 0:
        return
    closing = heard.turns[best].last_reply
    for one in candidates:
        if one.message != closing or one.role != "reply":
            continue
        for words in (one.line.heading, one.line.text):
            name = _MINE.sub("", _HEADING_LABEL.sub("", MARKS.sub("", words))).strip(" :.")
            is_short = len(name) <= MAX_TITLE_CHARS and len(words_of(name)) >= _MIN_WORDS
            if is_short and not _BARE_HEADING.match(name) and (words is one.line.heading or _DONE.match(name)):
                yield name


def _strip_request(text: str) -> str:
    return strip_request(RECONSIDERED.sub("", MARKS.sub("", one_line(text))))
