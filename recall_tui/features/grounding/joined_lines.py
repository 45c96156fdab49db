"""Lines of a session's digest, of its report or of a page, and those that say one thing together as one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.features.grounding.superseded import DUE, is_decided, is_solved
from recall_tui.storage.documents.day_logs import PointLabel
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.moved_dates import CHOSEN, find_choice
from recall_tui.text.classify.remedies import is_unanswered, states_cause, states_problem, states_remedy, subject_words
from recall_tui.text.classify.report_lines import MAX_LINE_CHARS, ReportKind, clean_line, is_about_work, is_talk
from recall_tui.text.secrets.redact import redact
from recall_tui.text.sentences import split_sentences

if TYPE_CHECKING:
    from recall_tui.features.grounding.extractive_summary import ScoredLine, SourceLine


class DigestLine(NamedTuple):
    """A line of a session's digest as it stands in a document."""

    label: PointLabel
    text: str
    line: int
    """Its line in the document, from 1."""


class ReportLine(NamedTuple):
    """A line of a report, with the lines of the document that it is from."""

    text: str
    kind: ReportKind
    lines: tuple[int, ...]
    worth: float
    is_learned: bool = False
    """It tells a cause, or a reason that somebody found."""


MAX_JOINED_CHARS = 400
"""Characters of a line that stands with its remedy of another day."""
_MAX_REMEDY_DISTANCE = 4
"""Lines from what is wrong to its remedy."""
_MIN_REMEDY_SHARED = 2
_QUESTION = re.compile(r"(?P<asked>.+\?)(?: [\w ]{3,40} (?:is|was|are|were) asked\.?)?$")
_BARE_QUESTION = re.compile(r"(?<=[.;]) (?:which|what|who|how)(?: \w+)?\?$", re.IGNORECASE)
_KINDRED = {
    word: kin[0]
    for kin in (
        ("twice", "duplicate", "doubled", "double"),
        ("silent", "dark", "dead"),
        ("slow", "late", "delay", "delayed"),
        ("lost", "missing"),
        ("crash", "crashe", "crashed"),
    )
    for word in kin
}
"""Words in which a thing that is wrong and its remedy name it, by the first of each."""
_CHECK = re.compile(
    r"\bnow (?:also |only )?(?:checks?|looks?|verif(?:y|ies)) (?:if|whether)\b[^,;]*\.?$", re.IGNORECASE
)
_CASE = re.compile(r"[^→`]{4,60}→ [^→]{8,90}$")
"""A condition, and what is done then."""
_MAX_CASES = 2
_CASE_WORTH = 3.5
_DEFAULT = re.compile(
    r"(?:the )?default (?:value )?(?:of )?`(?P<name>[A-Za-z]\w+)` is (?P<value>[^,.\s]+)", re.IGNORECASE
)
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_VERIFIED = re.compile(r"\bthat verifies (?P<fact>`[^`]+` .+)$", re.IGNORECASE)
_SHOULD = re.compile(r"\b(?:should|must|has to|needs to)\b")
_QUOTED = re.compile(r'"([^"`]{4,80})"')


def find_cases(said: Sequence[DigestLine]) -> ReportLine | None:
    """Return a check that was added with what is done in each case, which other lines of the session say."""
    lines = [one._replace(text=clean_line(one.text).rstrip(".")) for one in said]
    for check in lines:
        if not _CHECK.search(check.text):
            continue
        terms = frozenset(topic_terms(check.text))
        cases = [
            one
            for one in lines
            if _CASE.match(one.text) and len(terms & set(topic_terms(one.text))) + one.text.startswith("If ") > 1
        ]
        told = [check, *sorted({one.text: one for one in cases}.values(), key=lambda one: one.line)[:_MAX_CASES]]
        text = ". ".join(one.text for one in told)
        if len(told) > 1 and is_whole(text):
            return ReportLine(text, "change", tuple(one.line for one in told), _CASE_WORTH)
    return None


def is_whole(text: str) -> bool:
    """Return whether joined lines can stand in a report."""
    is_plain = not (is_talk(text) or is_about_work(text))
    return len(text) < MAX_LINE_CHARS and redact(text) == text and is_plain


def find_set_value(text: str, said: Sequence[DigestLine]) -> DigestLine | None:
    """Return the line with another value of the setting of whose default a line tells; else None."""
    default = _DEFAULT.match(text)
    if default is None:
        return None
    name = " ".join(_PART.findall(default["name"])).lower()
    literal = re.compile(rf"`{re.escape(default['name'])}\s?[:=]\s?(?!{re.escape(default['value'])}`)[^`\s]+`")
    for one in said:
        if literal.search(one.text):
            # What is said of the value may be that it does not suffice.
            return one if len(text) + len(one.text) < MAX_LINE_CHARS else None
    for one in said:
        words = one.text.lower()
        if one.label == "Outcome" and (name in words or default["name"].lower() in words) and re.search(r"\d", words):
            return one if len(text) + len(one.text) < MAX_LINE_CHARS and default["value"] not in words.split() else None
    return None


def without_demand(before: str, text: str) -> str:
    """Return what was before a change without the sentences that demand values which the change has."""
    told = split_sentences(before)
    kept = [one for one in told if not (_SHOULD.search(one) and _quotes_same(one, text))]
    return " ".join(kept or told).rstrip(".")


def _quotes_same(one: str, text: str) -> bool:
    values = _QUOTED.findall(one)
    return bool(values) and all(value in text for value in values)


def find_extended(text: str, said: Sequence[DigestLine]) -> Iterator[tuple[str, int]]:
    """Yield what a later line says that a test verifies, with its line, when it says more of a value of the text."""
    values = [value for value in _QUOTED.findall(text) if " " in value]
    for one in said:
        verified = _VERIFIED.search(one.text)
        longer = _QUOTED.findall(verified["fact"]) if verified else []
        if verified and any(new.startswith(f"{old} ") for new in longer for old in values):
            yield verified["fact"], one.line


def join_answered(found: Sequence[ScoredLine]) -> list[ScoredLine]:
    """Return the lines of a page, a question with what was chosen or answered later as one.

    A choice that does not say of what, and whose question is not there, is left out.
    """
    answers: dict[int, int] = {}
    for place, one in enumerate(found):
        asked = _asked_part(one.line.text)
        for at in range(place + 1, len(found)) if asked else ():
            if at not in answers and _is_answer(found[at].line.text, asked, one.line.text):
                answers[at] = place
                break
    told = frozenset(answers.values())
    return [
        one._replace(line=_join_question(found[answers[at]].line, one.line)) if at in answers else one
        for at, one in enumerate(found)
        if at not in told and (at in answers or not find_choice(one.line.text))
    ]


def _asked_part(text: str) -> str:
    """What a line asks, without who is asked and without a bare `Which?`; empty when it asks nothing."""
    found = _QUESTION.match(text)
    return _BARE_QUESTION.sub("", found["asked"]) if found else ""


def _is_answer(text: str, asked: str, question: str) -> bool:
    if len(text) + len(asked) >= MAX_JOINED_CHARS or "?" in text:
        return False
    shared = len(_kindred(text) & _kindred(asked))
    if (chosen := CHOSEN.search(text)) is not None:
        values = {word.strip(".,;:?") for word in asked.split()}
        return chosen["value"] in values and (shared > 0 or find_choice(text) is not None)
    shared = len(_kindred(text) & _kindred(question))  # Who was asked is who answers.
    return not question.endswith("?") and shared >= _MIN_REMEDY_SHARED and not is_unanswered(text)


def _join_question(one: SourceLine, later: SourceLine) -> SourceLine:
    return _join_lines(one._replace(text=_asked_part(one.text)), later)


def join_remedied(found: Sequence[ScoredLine]) -> list[ScoredLine]:
    """Return the lines of a page, what is wrong and what a near later line says was done about it as one."""
    words = [_kindred(one.line.text) for one in found]
    remedies: dict[int, int] = {}
    for place, one in enumerate(found):
        later = range(place + 1, min(place + 1 + _MAX_REMEDY_DISTANCE, len(found)))
        shared = (at for at in later if at not in remedies and len(words[at] & words[place]) >= _MIN_REMEDY_SHARED)
        if place not in remedies and _is_open(one.line.text):
            fitting = (at for at in shared if _remedies(found[at].line.text, one.line.text))
            remedies |= dict.fromkeys(islice(fitting, 1), place)
    told = frozenset(remedies.values())
    return [
        one._replace(line=_join_lines(found[remedies[place]].line, one.line)) if place in remedies else one
        for place, one in enumerate(found)
        if place not in told
    ]


def _is_open(text: str) -> bool:
    return states_problem(text) and not (states_remedy(text) or is_decided(text) or "?" in text)


def _remedies(text: str, before: str) -> bool:
    is_short = len(text) + len(before) < MAX_JOINED_CHARS
    return is_short and states_remedy(text) and not ((is_solved(text) and states_cause(text)) or DUE.search(text))


def _kindred(text: str) -> frozenset[str]:
    """The words of a line, those that say one thing as one."""
    return frozenset(_KINDRED.get(word, word) for word in subject_words(text))


def _join_lines(one: SourceLine, later: SourceLine) -> SourceLine:
    end = "" if one.text.endswith((".", "!", "?")) else "."
    also = (*one.also, *(place for place in later.places if place not in one.places))
    return one._replace(text=f"{one.text}{end} {later.text}", also=also)
