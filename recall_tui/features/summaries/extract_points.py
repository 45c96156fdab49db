"""The points of a session that nobody summarised: of what its digest holds, what is of use after the session.

A line is taken whole and in its own words, at most a few of a session, or none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from recall_tui.features.summaries.synthesis_sources import SessionSummary
from recall_tui.storage.documents.master_file import DECISIONS, LEARNINGS, MAX_LINE_CHARS, QUESTIONS, STATUS
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.lasting import (
    MIN_TERMS,
    PART,
    TOO_LITTLE,
    find_flaw,
    find_passing_flaw,
    is_explicit,
    is_finding,
    is_settled,
    names_in,
    strip_places,
    weight,
)
from recall_tui.text.cut import one_line
from recall_tui.text.sentences import split_sentences

MAX_SESSION_LINES = 3
"""Decisions and lessons of one session, the weightiest."""
_OPEN = re.compile(
    r"\b(?:not yet|still (?:open|missing|fails?|needs?|to)|pre-existing|out of scope|deferred|unresolved|untested"
    r"|undecided"
    r"|unclear|open question|remains? (?:open|to)|left (?:open|for later))\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(r"(?:always|never|do not|don't|prefer|from now on|in (?:future|general))\b", re.IGNORECASE)
_TO_SOMEBODY = re.compile(
    r"\b(?:you|your|I|me|my|we|let's|please)\b|^(?:can|could|would|will|did|do|is it|are they|why|what about)\b",
    re.IGNORECASE,
)
_OPEN_LABELS = ("next step", "open", "question", "open question", "to do", "blocker")
_ARROW = " → "
_MAX_SHARED = 0.5
"""Share of its words from which a line repeats another of its session."""


class ExtractPoint(NamedTuple):
    """A line for the master, with the section it belongs to."""

    section: str
    text: str


_Rated = tuple[float, int, ExtractPoint]
"""A line with its weight, the heaviest lowest, and its place."""


def extract_points(summary: SessionSummary) -> Iterator[ExtractPoint]:
    """Yield the lines of a drafted summary that are worth a place in the master."""
    rated: list[_Rated] = []
    for place, (label, words) in enumerate(summary.points):
        text = _whole_text(words)
        kind = label.lower()
        if kind in _OPEN_LABELS or text.endswith("?"):
            if _is_open_item(text):
                yield ExtractPoint(QUESTIONS, text)
        elif kind == "preference":
            if _PREFERENCE.match(text) and names_in(text) and not text.endswith("?"):
                yield ExtractPoint(DECISIONS, f"Preference: {text}")
        elif text and not _find_flaw(text, kind):
            is_lesson = kind != "decision" or (is_finding(text) and not is_settled(text))
            rated.append((-weight(text), place, ExtractPoint(LEARNINGS if is_lesson else DECISIONS, text)))
    best = _drop_repeated(sorted(rated))[:MAX_SESSION_LINES]
    yield from (point for _, _, point in sorted(best, key=lambda one: one[1]))
    outcome = _outcome(summary.context)
    if outcome and all(_likeness(outcome, point.text) < _MAX_SHARED for _, _, point in rated):
        yield ExtractPoint(STATUS, outcome)


def omission_note(summaries: Iterable[SessionSummary]) -> str:
    """Say how many lines of sessions that nobody summarised have no place in the master, and why; empty for none."""
    drafted = [one for one in summaries if one.is_extract]
    said = [words for one in drafted for _, words in one.points]
    taken = sum(1 for one in drafted for point in extract_points(one) if point.section != STATUS)
    if len(said) <= taken:
        return ""
    flaws = Counter(flaw for words in said if (flaw := find_flaw(_whole_text(words))))
    why = ", ".join(f"{count} {flaw}" for flaw, count in flaws.most_common(3))
    of = "1 session" if len(drafted) == 1 else f"{len(drafted)} sessions"
    return f"{len(said) - taken} of {len(said)} lines of {of} are not in the master: {why or 'repeated'}"


def _find_flaw(text: str, kind: str) -> str:
    """Why the line has no place; of a decision whose label was taken off, the first letter says nothing."""
    flaw = find_flaw(text)
    if flaw == PART and kind == "decision":
        flaw = find_flaw(text[:1].upper() + text[1:])
    return flaw or (PART if len(text) > MAX_LINE_CHARS and not is_explicit(text) else "")


def _drop_repeated(rated: list[_Rated]) -> list[_Rated]:
    """The lines without those that mostly repeat a weightier one."""
    kept: list[_Rated] = []
    for one in rated:
        if all(_likeness(one[2].text, other[2].text) < _MAX_SHARED for other in kept):
            kept.append(one)
    return kept


def _likeness(text: str, other: str) -> float:
    words, others = frozenset(topic_terms(text)), frozenset(topic_terms(other))
    return len(words & others) / max(1, min(len(words), len(others)))


def _outcome(context: str) -> str:
    """What the session came to, when that is worth telling; its title is not."""
    said = _whole_text(context.partition(_ARROW)[2] or context)
    first = next((one for one in split_sentences(said) if not _find_status_flaw(one)), "")
    return first if len(first) <= MAX_LINE_CHARS else ""


def _find_status_flaw(text: str) -> str:
    return find_passing_flaw(text) or (TOO_LITTLE if len(set(topic_terms(text))) < MIN_TERMS else "")


def _is_open_item(text: str) -> bool:
    """Whether something about the project is asked or left, and not of somebody to do it now."""
    if _TO_SOMEBODY.search(text) or not names_in(text) or text.endswith("…"):
        return False
    return text.endswith("?") or bool(_OPEN.search(text) and not find_flaw(text))


def _whole_text(words: str) -> str:
    """The line without places of a day; of a long one its first sentences, as many as a line of the master holds."""
    text = strip_places(one_line(words))
    if len(text) <= MAX_LINE_CHARS:
        return text
    kept = ""
    for sentence in split_sentences(text):
        if len(kept) + len(sentence) + 1 > MAX_LINE_CHARS:
            break
        kept = f"{kept} {sentence}".strip()
    return kept or text
