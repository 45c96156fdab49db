"""Recall without a model: the best passages for a question, as they were said, each with where it is from.

Nothing is rephrased; what does not fit into the budget is left out whole, or cut with a mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain.documents import SourceRef
from recall_tui.index.text.passage import PLAIN, REPLY, Passage, spoken_lines
from recall_tui.text.cut import shorten
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from recall_tui.domain import Hit, SessionLabel
    from recall_tui.index.text.stored_passage import StoredPassage

CHARS_PER_TOKEN = 4
"""English text in common tokenizers, near enough for a budget."""
MIN_PASSAGE_CHARS = 120
"""An extract that would be shorter is left out."""
_CUT_MARK = " […]"
_SENTENCE_STOP = lazy_pattern(r"(?<=[.!?…。！？])(?=\s)|\n")

_COMMENT = lazy_pattern(r"<!--.*?(?:-->|\Z)", re.DOTALL)
"""A remark on the file, such as a template's: it says nothing of the memory."""
_ENTRY_FACTS = lazy_pattern(r"^\*\*Duration\*\*:.*$|^\*\*Summary\*\*:", re.MULTILINE)
"""What an entry of the window says beside the words of its session."""
_LISTS = frozenset(("todo",))
"""Kinds of documents that belong to a session and are found by its name: without a word of the question no answer."""
_NAMES_OF_SESSION = frozenset(("head", "title"))
MAX_FOLLOWING = 3
"""Passages behind a heading or a question that are looked at for its answer."""
MAX_TURN_PASSAGES = 20
"""The same up to the next request, while tools are called."""
_ANNOUNCEMENT = lazy_pattern(
    r"(?:(?:ok(?:ay)?|sure|great|alright|right|hi|hello|hey|thanks|thank you|got it|good (?:morning|idea|question)"
    r"|on it|one moment)\b[\s,.!:;—–-]*)*"
    r"(?:(?:let me|let's|i'll|i will|i'm going to|i am going to)(?: (?:first|now|quickly|just|start by))*"
    r" (?:look|take a look|check|see|read|find|search|explore|examine|investigate|start|begin|have a look|open|run)"
    r"(?:ing)?\b[^.!?]*[.!:]?)?",
    re.IGNORECASE,
)
"""A sentence that greets, or says what the agent is about to look at."""
_QUESTION_START = lazy_pattern(
    r"(?:who|whose|whom|what|which|when|where|why|how|do|does|did|is|are|was|were|can|could|should|would|has|have|had"
    r"|will)\b",
    re.IGNORECASE,
)
_ASKS_TO_FIND = lazy_pattern(
    r"(?:^|[,;:–—-] ?|\b(?:and|please|you|to) )(?:find out|figure out|work out|check|look|see|tell me|explain"
    r"|investigate|understand|debug)\b(?: (?:at|into|for))?(?: me)?"
    r" (?:why|what|how|where|who|when|which|whether|it|this)\b[^,;]*$",
    re.IGNORECASE,
)
"""The end of a request that tells what is wrong, and asks to find out about it."""
_CHOOSE = lazy_pattern(
    r"(?:(?:please|now|then) )*(?:choose|pick|select|decide|compare|suggest|propose|recommend|design|draft|plan)\b",
    re.IGNORECASE,
)
"""The beginning of a request to choose or to think something out."""
_LONG_WORD = lazy_pattern(r"[^\W_]{4,}")
_MAX_ORDER_WORDS = 8
"""Words of an order that says nothing but what to do."""
_HOW_WORDS = lazy_pattern(
    r"[\d`\"]|\b(?:because|since|so that|instead|rather|always|never|only|not|don't|no longer|from now on|prefer|keep"
    r"|use|note|remember)\b",
    re.IGNORECASE,
)
"""Words of an order that says how, with which value or why, and so is something to know later."""


class RecallPassage(NamedTuple):
    """A passage that answers, and where it stands."""

    text: str
    document: str
    lines: tuple[int, int]
    title: str
    date: datetime | None
    session_id: str
    label: SessionLabel | None = None
    """How its session is recognized, if that was looked up."""

    @property
    def citation(self) -> str:
        """Document, lines and day, such as `memory/MEMORY.md:12-20, 2026-03-06`."""
        return passage_citation(self)


def passage_citation(found: RecallPassage | Hit) -> str:
    """Where it stands and of what day: document, lines and day, such as `memory/MEMORY.md:12-20, 2026-03-06`."""
    day = f", {found.date:%Y-%m-%d}" if found.date else ""
    return f"{SourceRef(found.document, *found.lines)}{day}"


def answering_hits(hits: Iterable[Hit], look_up: Callable[[str], StoredPassage | None]) -> Iterator[Hit]:
    """The hits with the passages that answer in place of headings and questions; each passage once."""
    shown: set[str] = set()
    for hit in hits:
        if hit.kind in _LISTS and set(hit.why.get("fields", ())) <= _NAMES_OF_SESSION:
            continue
        passage = look_up(hit.id)
        found = find_answer(passage, look_up) if passage else None
        if passage is not None and found is None:
            continue
        if found is not None and found.id != hit.id:
            hit = hit._replace(
                id=found.id, lines=found.lines, snippet=found.body, heading=found.heading, date=found.date
            )
        if hit.id not in shown:
            shown.add(hit.id)
            yield hit


def find_answer(passage: StoredPassage, look_up: Callable[[str], StoredPassage | None]) -> StoredPassage | None:
    """The passage, or the next one of its document that states something; None when none of the next few does.

    What was said goes before what a tool was called with, or gave, on the way to it.
    """
    source, _, number = passage.id.rpartition(".")
    place: StoredPassage | None = passage
    used: StoredPassage | None = None
    for step in range(MAX_TURN_PASSAGES + 1):
        if place is None or place.document != passage.document or place.session_id != passage.session_id:
            break
        if step > MAX_FOLLOWING and "prompt" in place.roles:
            break
        if not place.is_metadata and _states_something(place.passage):
            if not step and _is_order(place.passage):
                used = place
            elif used is passage and not _shares_word(place.passage, used.passage):
                pass
            elif not step or not place.passage.tool.strip():
                return place
            used = used or (place if step <= MAX_FOLLOWING else None)
        place = look_up(f"{source}.{int(number) + step + 1}") if number.isdigit() else None
    return used


def _states_something(passage: Passage) -> bool:
    said = spoken_lines(passage.body, passage.labels, REPLY + PLAIN)
    said = _ENTRY_FACTS.sub("", _COMMENT.sub("", said))
    is_asked = _has_question_alone(passage.prompt, is_prompt=True) and _has_question_alone(said)
    return not is_asked or bool(passage.tool.strip())


def _has_question_alone(text: str, *, is_prompt: bool = False) -> bool:
    """Whether a text has headings, questions and announcements alone; a person's question need not end with a mark."""
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    sentences = (sentence.strip("-*_=> \t") for line in lines for sentence in _SENTENCE_STOP.split(line))
    return all(_is_question(sentence, is_prompt=is_prompt) for sentence in sentences if sentence)


def _is_order(passage: Passage) -> bool:
    """Whether a person's words are an order alone, which says less than what came of it."""
    said = passage.prompt.strip()
    return bool(said) and len(_SENTENCE_STOP.split(said)) == 1 and _starts_as_order(said)


def _starts_as_order(sentence: str) -> bool:
    from recall_tui.text.classify.imperatives import is_imperative

    return is_imperative(sentence) or _CHOOSE.match(sentence) is not None


def _shares_word(passage: Passage, other: Passage) -> bool:
    """Whether what one says is about what the other names."""
    one, two = (set(_LONG_WORD.findall(each.body.casefold())) for each in (passage, other))
    return not one.isdisjoint(two)


def _is_question(sentence: str, *, is_prompt: bool) -> bool:
    if is_prompt:
        is_asked = sentence.endswith(("?", "？")) or _QUESTION_START.match(sentence) is not None
        return is_asked or _ASKS_TO_FIND.search(sentence.rstrip(".!")) is not None or _is_bare_order(sentence)
    return sentence.endswith(("?", "？")) or _ANNOUNCEMENT.fullmatch(sentence) is not None


def _is_bare_order(sentence: str) -> bool:
    """Whether somebody only says what to do: neither how, nor with which value, nor why."""
    if len(sentence.split()) > _MAX_ORDER_WORDS or _HOW_WORDS.search(sentence):
        return False
    return _starts_as_order(sentence)


def select_passages(hits: Sequence[Hit], text_of: Callable[[Hit], str], tokens: int) -> tuple[RecallPassage, ...]:
    """The hits' passages in their order, within `tokens` in all; long ones are cut after a sentence, so that all fit.

    So many are left out that each has room for a sentence.
    """
    room = tokens * CHARS_PER_TOKEN
    texts = [(hit, text) for hit in hits if (text := (text_of(hit) or hit.snippet).strip())]
    texts = texts[: max(1, room // MIN_PASSAGE_CHARS)]
    found: list[RecallPassage] = []
    for hit, text in texts:
        others = sorted(len(text) for _, text in texts[len(found) + 1 :])
        text = shorten_to_sentence(text, _fair_share(room, others))
        found.append(RecallPassage(text, hit.document, hit.lines, hit.title, hit.date, hit.session_id, hit.label))
        room -= len(text)
    return tuple(found)


def _fair_share(room: int, others: Sequence[int]) -> int:
    """What one text may take of the room beside others of these lengths, shortest first: what those leave is its."""
    left, count = room, len(others) + 1
    for length in others:
        if length * count > left:
            break
        left, count = left - length, count - 1
    return left // count


def shorten_to_sentence(text: str, limit: int) -> str:
    """The text in at most `limit` characters, cut after a sentence or a line where one ends in the second half."""
    if len(text) <= limit:
        return text
    room = limit - len(_CUT_MARK)
    end = max((stop.start() for stop in _SENTENCE_STOP.finditer(text, 0, max(room, 0) + 1)), default=0)
    return text[:end].rstrip() + _CUT_MARK if end * 2 > room else shorten(text, limit, _CUT_MARK)
