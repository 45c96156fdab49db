"""Statements that a later one of the same documents overtakes: their name is removed or renamed, their value changed.

Only what names both is compared: a name of code that is gone, or a value that a later change begins with. A symptom
gives way to its cause and fix, a demand to its decision, and a change that was due to the change itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from recall_tui.storage.documents.day_logs import session_entries
from recall_tui.text.classify.imperatives import IMPERATIVE_VERBS
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.lasting import find_log_flaw, is_explicit, mentions_update
from recall_tui.text.classify.line_names import names_of
from recall_tui.text.classify.moved_dates import CHOSEN, find_choice, gives_other_date, is_postponed, names_in_both
from recall_tui.text.classify.passing_lines import announces_event
from recall_tui.text.classify.remedies import (
    is_unanswered,
    states_cause,
    states_problem,
    states_remedy,
    subject_words,
)
from recall_tui.text.classify.tags import decision_score
from recall_tui.text.sentences import split_sentences

Position = tuple[int, int]
"""The place of a document among the others, and of an entry in it."""
_KIND = r"(?:command|function|field|flag|setting|option|method|parameter|param|file|hook|type|struct|constant)s?"
_REMOVED_NAME = re.compile(
    r"\b(?:removed?|removes|deleted?|dropped|renamed?|renames) (?:the )?(?:unused |redundant |old )?(`[^`]{4,60}`)"
    rf"(?=\s*(?:→|[.,;)]|$|to\b|{_KIND}\b))(?: {_KIND} (?:from|of|in) (`[^`]{{4,60}}`))?"
    rf"|(`[^`]{{4,60}}`)(?: {_KIND})?(?: on [\w ]{{1,20}})?"
    r" (?:(?:was|were|is|are|has been|have been) (?:already |now |completely |fully )*(?:removed|deleted)|→ remove)\b",
    re.IGNORECASE,
)
"""A name that is gone, with the words that say so, and what it was a part of."""
_MIN_DISTINCT_CHARS = 9
_DISTINCT = re.compile(r"\w[A-Z_]|-")
"""A name that is no word of prose: one of code in several parts."""
_RENAMED = re.compile(
    r"\b(?:renam\w+|migrat\w+|moved) (?:the )?(?:\w+ )?(?:from )?`?(?P<old>[\w.-]*\w[/_.][\w/.-]*\w)`?"
    r" (?:over )?(?:to|into|→|->) ",
    re.IGNORECASE,
)
"""A name of several parts that is another since."""
_LEGACY = re.compile(
    r"\b(?:normali[sz]es?|migrates?|maps?|converts?) [`\"']*(?P<old>[A-Za-z]\w*[_A-Z]\w+)[`\"']* (?:→|->|to|into)"
    r"(?=.*\b(?:backwards?|legacy|old(?:er)?|existing|upgrade|new fields?)\b)"
    r"|\b(?:[Bb]ackwards?|[Ll]egacy|[Oo]ld(?:er)?|[Ee]xisting|[Uu]pgrade)\b.*?"
    r"\b(?:normali[sz]es?|migrates?|maps?|converts?) [`\"']*(?P<before>[A-Za-z]\w*[_A-Z]\w+)[`\"']* (?:→|->|to|into)"
)
"""A name that is only read for what was written before."""
_CHANGED_VALUE = re.compile(
    r"\bfrom (?P<old>[`\"'<\w][^\s,;()]{0,40}) (?:(?:over|back|on)? ?to|→|->)"
    r" (?P<new>[`\"'<\w](?:[^\s,;()]{0,40}[\w`\"'>])?)",
    re.IGNORECASE,
)
_MAX_ROW_CHARS = 2_000
"""Characters of a row that are looked at."""
_MIN_CLOSING_OVERLAP = 0.6
"""The share of an open item's words that a later outcome or decision has, when it closes it."""
_QUESTION_LABEL = re.compile(r"^\W*(?:open )?(?:question|item|point|frage|q)\s?[:–—]\s", re.IGNORECASE)
_UNDECIDED = re.compile(
    r"\?|\b(?:propos\w+|idea|wants?|suggests?|asks?|asked|not (?:yet )?decided|plan(?:s|ned)?|trial|tr(?:y|ies|ied))\b",
    re.IGNORECASE,
)
_ANSWER = re.compile(r"\W*answer (?:to|for)\b", re.IGNORECASE)
_MIN_ANSWER_OVERLAP = 0.3
"""The same share where the later line says itself that it is an answer."""
_PROPOSAL = re.compile(r"\W*(?:proposal|idea|suggestion|wish|request)s?\s?[:–—]\s", re.IGNORECASE)
"""The label of what somebody would like, before anybody decided."""
_MIN_SHARED_TERMS = 2
_COMPLETED = re.compile(
    r"(?P<subject>[^.;:,?]{3,60}?) (?:is|are|was|were|has been|have been)(?: now| finally)?"
    r" (?:complete[d]?|done|finished|fixed|resolved|solved|granted|available|restored|unblocked)\b",
    re.IGNORECASE,
)
"""A line that says that nothing more is missing of its subject."""
"""Words that two changes of the same value have in common, beside the value."""


class PlacedText(NamedTuple):
    """A statement with its place."""

    text: str
    position: Position


class _Removal(NamedTuple):
    """A name that is gone."""

    position: Position
    name: str
    """In lower case, between backticks when it stood between them."""
    owner: str = ""
    """The only thing that it was removed from; empty when it is gone everywhere."""
    is_distinct: bool = False
    """It means nothing else as a part of another name."""


def _removed_names(row: PlacedText) -> Iterator[_Removal]:
    for found in _REMOVED_NAME.finditer(row.text):
        name, owner = found[1] or found[3], (found[2] or "").strip("`").lower()
        bare = name.strip("`").partition("(")[0]
        is_distinct = len(bare) >= _MIN_DISTINCT_CHARS and bool(_DISTINCT.search(bare))
        yield _Removal(row.position, name.lower(), owner.partition("(")[0], is_distinct)


class Claim(NamedTuple):
    """A line of a page, as far as others can settle it or it can settle others."""

    text: str
    is_open: bool
    is_settled: bool
    """It is a result or a decision."""


def find_closed(said: Sequence[Claim]) -> frozenset[int]:
    """Return the places of open items and proposals of which a later line says what became of them."""
    words = [_content(_asked(one.text)) for one in said]
    told = [words[place] | _verbs(one.text) for place, one in enumerate(said)]
    settled = [place for place, one in enumerate(said) if one.is_settled or _states(one)]
    answered = (
        place
        for place, one in enumerate(said)
        if (one.is_open or _PROPOSAL.match(one.text))
        and any(
            later > place
            and (_covers(told[later], words[place], said[later].text) or _completes(said[later].text, words[place]))
            for later in settled
        )
    )
    return frozenset((*answered, *find_followed([one.text for one in said])))


def _states(one: Claim) -> bool:
    """Whether a line states what holds, and neither asks nor weighs."""
    return not one.is_open and not (_UNDECIDED.search(one.text) or find_log_flaw(one.text))


def _asked(text: str) -> str:
    """The words of an open question or a proposal without what is said beside it; of others the whole text."""
    if _PROPOSAL.match(text):
        return next(iter(split_sentences(_PROPOSAL.sub("", text))), text)
    return _QUESTION_LABEL.sub("", text.partition("?")[0]) if "?" in text else text


def _content(text: str) -> frozenset[str]:
    """The words of content, and the verb of a proposal such as `replace the queue`."""
    return frozenset(topic_terms(text)) | (_verbs(text.partition(" ")[0]) if len(text.split()) > 1 else frozenset())


def _verbs(text: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"[a-z]{4,}", text.lower()) if word in IMPERATIVE_VERBS)


def _covers(later: frozenset[str], item: frozenset[str], text: str) -> bool:
    least = _MIN_ANSWER_OVERLAP if _ANSWER.match(text) else _MIN_CLOSING_OVERLAP
    return len(item) > 1 and len(later & item) >= least * len(item)


def _completes(text: str, item: frozenset[str]) -> bool:
    """Whether a line says that something is complete which an open item is about, and of nothing else."""
    found = _COMPLETED.match(text)
    subject = frozenset(topic_terms(found["subject"])) if found else frozenset()
    return len(subject) >= _MIN_SHARED_TERMS and subject <= item


class Overtaken:
    """What the documents say is gone or has another value since."""

    def __init__(self, logs: Mapping[str, str], removals: Callable[[str], Sequence[str]] = lambda archive: ()) -> None:
        """`logs` are texts by path, oldest first; `removals` gives what else an archived session says is gone."""
        self._entries = {path: _entry_numbers(text) for path, text in logs.items()}
        self._order = {path: place for place, path in enumerate(logs)}
        rows = [
            PlacedText(row[:_MAX_ROW_CHARS], (self._order[path], self._entries[path][number]))
            for path, text in logs.items()
            for number, row in enumerate(text.split("\n"), 1)
        ]
        told = [
            PlacedText(row, (self._order[path], self._entries[path][entry.line]))
            for path, text in logs.items()
            for entry in session_entries(text)
            for row in removals(entry.archive)
        ]
        self._removals = [found for one in (*rows, *told) for found in _removed_names(one)]
        self._removals += [
            _Removal(one.position, found["old"].lower()) for one in rows for found in _RENAMED.finditer(one.text)
        ]
        self._removals += [
            _Removal(one.position, (found["old"] or found["before"]).lower())
            for one in rows
            for found in _LEGACY.finditer(one.text)
        ]
        self._changes = [(one, old) for one in rows for old, _ in _changes(one.text)]
        self._moves = [one for one in rows if is_postponed(one.text) or find_choice(one.text)]

    def holds(self, text: str, path: str, line: int) -> bool:
        """Return whether nothing said later overtakes a statement of the line; documents not known overtake nothing."""
        if path not in self._order:
            return True
        position = (self._order[path], self._entries[path].get(line, 0))
        is_moved = any(one.position > position and _is_settled_by(one.text, text) for one in self._moves)
        return not (is_moved or self._is_of_removed(text, position) or self._is_changed(text, position))

    def _is_of_removed(self, text: str, position: Position) -> bool:
        words, names = text.lower(), names_of(text)
        return any(
            one.position > position
            and (one.name in words or (one.is_distinct and one.name.strip("`") in names))
            and (not one.owner or one.owner in names)
            for one in self._removals
        )

    def _is_changed(self, text: str, position: Position) -> bool:
        ends = {new for _, new in _changes(text)}
        words = frozenset(topic_terms(text))
        return bool(ends) and any(
            later.position > position
            and old in ends
            and len(words & frozenset(topic_terms(later.text)) - frozenset(topic_terms(old))) >= _MIN_SHARED_TERMS
            for later, old in self._changes
        )


def _is_settled_by(later: str, text: str) -> bool:
    """Whether a later row gives another date for what a text dates, or chooses between two values it asks about."""
    if (choice := find_choice(later)) is not None:
        return (
            text.endswith("?")
            and re.search(rf"\b{re.escape(choice)} or\b|\bor (?:at )?{re.escape(choice)}\b", text) is not None
        )
    shared = len(subject_words(later) & subject_words(text))
    return gives_other_date(later, text) and (shared >= _MIN_SHARED or bool(names_in_both(later, text)))


def _changes(text: str) -> Iterator[tuple[str, str]]:
    """Yield the old and the new value of each change that a text tells."""
    for found in _CHANGED_VALUE.finditer(text):
        yield _bare(found["old"]), _bare(found["new"])


def _bare(value: str) -> str:
    return value.strip("`\"'.").lower()


def _entry_numbers(text: str) -> dict[int, int]:
    """The number of the entry that each line is of, both from 1; an entry begins with a line that is not indented."""
    found: dict[int, int] = {}
    for number, row in enumerate(text.split("\n"), 1):
        found[number] = found.get(number - 1, 0) + (not row.startswith((" ", "\t")))
    return found


_MIN_SHARED = 2
"""Words that two lines about the same thing have in common."""
_MIN_VALUE_SHARE = 0.5
"""The share of a value's line that the line with its newer value has."""
_MIN_VALUE_WORDS = 3
DUE = re.compile(
    r"\b(?:has|have|had) to (?:change|go|be \w+ed)\b|\bwill need\b|\bmust (?:change|go)\b|\bneeds? (?:a|an|to)\b"
    r"|\bnever again by hand\b|\bwe need\b",
    re.IGNORECASE,
)
_HAPPENED = re.compile(
    r"\b(?:[a-z]{3,}ed|showed|saw|got|had|went|was|were|came|took|ran|lost|found|left|fell|gave|sent|read)\b"
)
_STATES = re.compile(r"\b(?:is|are|has|have|gets?|runs?|takes?|accepts?|accepted)\b", re.IGNORECASE)
_VALUE = re.compile(r"(?<![\w.,:])(\d+(?:[.,]\d+)?) ?([a-zµ%]+(?:/[a-z]+)?)")
_LESSON = re.compile(r"\b(?:lesson|never|always|rule|from now on)\b", re.IGNORECASE)

_ENDED = re.compile(
    r"\b(?:switched off|turned off|(?:is|are) off|taken down|shut down|closed|gone|ended)\b", re.IGNORECASE
)
_HANDED_QUESTION = re.compile(r"\? [\w ]{3,40} (?:is|was|are|were) asked\.?$")
_ASKS_FIRST = re.compile(r"(?:do|does|shall|should|can|may|is|are|will) [^.?]{8,}\? ", re.IGNORECASE)
_REMOVED_THING = re.compile(
    r"(?:^|[.,;:] |\b(?:[Tt]he|[Oo]ur|[Oo]ld|[Ll]ast) )(?P<noun>[a-z]{4,}) (?:(?:is|are|was|were) )?(?:now |finally )?"
    r"(?:deleted|gone|removed|switched off|turned off|retired|scrapped|abolished)\b"
)


def find_removed_things(text: str) -> frozenset[str]:
    """Return the common nouns of things that a line says are gone."""
    return frozenset(one["noun"].removesuffix("s") for one in _REMOVED_THING.finditer(text))


class _Line(NamedTuple):
    text: str
    words: frozenset[str]
    values: dict[str, set[str]]
    """The numbers by their unit."""

    @property
    def lead(self) -> str:
        return next((one.lower() for one in re.findall(r"[\w-]+", self.text)), "")


def find_followed(said: Sequence[str], *, newest_values: bool = False) -> Iterator[int]:
    """Yield the places of lines of which a later line tells what came of them; the lines are in their order.

    With `newest_values` a value that a later line replaces is among them.
    """
    lines = [_Line(text, subject_words(text), _values(text)) for text in said]
    for place, one in enumerate(lines):
        later = lines[place + 1 :]
        if any(_follows(other, one) or (newest_values and _has_newer_value(other, one)) for other in later):
            yield place


def _follows(later: _Line, one: _Line) -> bool:
    shared = later.words & one.words
    if not shared or later.text == one.text:
        return False
    is_same = len(shared) >= _MIN_SHARED or (later.lead == one.lead and one.lead in shared)
    is_same = is_same or (one.text.endswith("?") and CHOSEN.search(later.text) is not None)
    if not is_same or (is_unanswered(later.text) and not is_decided(later.text)):
        return False
    if _is_symptom(one.text) and is_solved(later.text):
        return True
    if one.text.endswith("?") and (chosen := CHOSEN.search(later.text)) and chosen["value"] in one.text.split():
        return True
    if len(shared) < _MIN_SHARED:
        return False
    if gives_other_date(later.text, one.text):
        return True
    if (
        DUE.search(one.text)
        and not is_decided(one.text)
        and not DUE.search(later.text)
        and not states_problem(later.text)
    ):
        return mentions_update(later.text) or bool(_STATES.search(later.text))
    if _HANDED_QUESTION.search(one.text) and not later.text.endswith("?"):
        return True
    if _ASKS_FIRST.match(one.text) and len(shared) > _MIN_SHARED and is_decided(later.text):
        return True
    if is_unanswered(one.text) and not is_decided(one.text):
        return is_decided(later.text)
    is_event = announces_event(one.text) and not _LESSON.search(one.text)
    return is_event and (states_remedy(later.text) or bool(_ENDED.search(later.text)))


def _is_symptom(text: str) -> bool:
    """Whether a line tells what happened, and neither a rule, a decision nor what was done about it."""
    is_lasting = _LESSON.search(text) or is_decided(text) or states_remedy(text) or mentions_update(text)
    return not is_lasting and "?" not in text and (states_problem(text) or bool(_HAPPENED.search(text)))


def is_solved(text: str) -> bool:
    """Return whether a line tells what went wrong, or why, together with what was done about it."""
    return len(split_sentences(text)) > 1 and states_remedy(text) and (states_problem(text) or states_cause(text))


def is_decided(text: str) -> bool:
    """Return whether a line says itself that something was decided or agreed."""
    return (
        is_explicit(text) or decision_score(text) > 0 or bool(re.search(r"\b(?:agreed|decided|signed)\b", text, re.I))
    )


def _has_newer_value(later: _Line, one: _Line) -> bool:
    """Whether both lines give a number with the same unit of the same thing, and the later one says that it is new."""
    units = one.values.keys() & later.values.keys()
    is_other = any(not one.values[unit] & later.values[unit] for unit in units)
    rest = frozenset(word for word in later.words & one.words if word not in {unit.removesuffix("s") for unit in units})
    is_new = is_decided(later.text) or mentions_update(later.text)
    enough = len(rest) >= _MIN_VALUE_WORDS and len(rest) >= _MIN_VALUE_SHARE * len(one.words)
    return is_other and is_new and enough and not _LESSON.search(one.text)


def _values(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for number, unit in _VALUE.findall(text):
        found.setdefault(unit, set()).add(number)
    return found
