"""The page of a week or a month as a model tells it: what it chooses, merges and orders of what was said.

A line that its sources do not bear out gives way to the sources' own words, and what holds on stands in the page,
whether the model names it or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec

from recall_tui.features.consolidation.periods import PeriodDraft, PeriodTask
from recall_tui.features.grounding.evidence import CitedLines, NumberedLine
from recall_tui.features.grounding.extractive_summary import ScoredLine, SourceLine, render_body
from recall_tui.features.grounding.harness import MAX_CITATIONS, Rejection, check_claim, rejection_note, word_overlap
from recall_tui.llm.client import LLMRequest, ModelClient
from recall_tui.llm.model import Failure
from recall_tui.llm.prompts import render_prompt
from recall_tui.llm.selection import model_name
from recall_tui.storage.documents import identity
from recall_tui.storage.documents.master_file import clean_text
from recall_tui.text.checkable_facts import checkable_facts, missing_facts

if TYPE_CHECKING:
    from recall_tui.storage.documents.period_page import PeriodKind
    from recall_tui.storage.memory_context import Store

SchemaT = TypeVar("SchemaT")
CHUNK_CHARS = 24_000
"""Characters of what was said in one question."""
ANSWER_TOKENS = 4_000
MAX_LINE_CHARS = 400
"""Characters of a line."""
MAX_LINES = 60
"""Lines of a section that are taken from an answer."""
MAX_MEMORIES = 3
"""Things worth a page of the wiki that are taken from an answer."""
_MAX_FAILURES = 2
"""Failures in a row after which no more is asked."""
_MIN_RETOLD_OVERLAP = 0.6
"""Share of a line's words from which a model's line about the same place tells it."""
_GROUP_ORDER = (1, 0, 2, 3)
"""The groups in the order in which they take their room: decisions first."""


class LineSchema(msgspec.Struct):
    """A line of the answer."""

    text: str
    sources: list[int]


class MemorySchema(msgspec.Struct):
    """Something worth a page of the wiki."""

    name: str
    category: str
    description: str
    lede: str
    sources: list[int]


class WeekSchema(msgspec.Struct):
    """What a week comes to, in the order of its headings."""

    outcomes: list[LineSchema] = []
    decisions: list[LineSchema] = []
    open_items: list[LineSchema] = []
    context: list[LineSchema] = []
    memories: list[MemorySchema] = []


class MonthSchema(msgspec.Struct):
    """What a month comes to, in the order of its headings."""

    milestones: list[LineSchema] = []
    trajectory: list[LineSchema] = []
    carried_forward: list[LineSchema] = []
    themes: list[LineSchema] = []


class MemoryItem(NamedTuple):
    """Something worth a page of the wiki, as a model put it, with the lines that it is from."""

    name: str
    category: str
    description: str
    lede: str
    lines: tuple[SourceLine, ...]


class PeriodWriter:
    """Asks the model of consolidation for one page after another, as long as it answers."""

    def __init__(self, store: Store, is_cancelled: Callable[[], bool]) -> None:
        self._store = store
        self._is_cancelled = is_cancelled
        self._calls = ModelClient(store, is_cancelled)
        self._failed: list[str] = []
        self._in_a_row = 0
        self._why = ""
        self.rejected: list[Rejection] = []
        """Lines that their sources do not bear out; the sources' words stand in their place."""
        self.is_over = False
        """It is not asked any more."""
        self.remembered: dict[str, tuple[MemoryItem, ...]] = {}
        """What is worth a page of the wiki, by the key of the week."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be told by the model, and what was rejected of it, in a line each."""
        rejected = rejection_note(self.rejected)
        notes = (f"{rejected}; replaced by quotations from the sources",) if rejected else ()
        if not self._failed:
            return notes
        count = len(self._failed)
        pages = self._failed[0] if count == 1 else f"{count} pages from {self._failed[0]} on"
        return (f"without a model: {pages}: {self._why}", *notes)

    @property
    def name(self) -> str:
        """The model's."""
        return model_name(self._store, "dream")

    def write(self, task: PeriodTask) -> PeriodDraft | None:
        """The page as the model tells it; None when it does not, and the page is drawn."""
        if not task.found:
            return None
        cited = CitedLines(self._store, task.children)
        groups: tuple[list[SourceLine], ...] = ([], [], [], [])
        remembered: list[MemoryItem] = []
        for chunk in split_chunks(task.found):
            room = int(task.room * sum(one.size for one in chunk) / sum(one.size for one in task.found))
            answer = self.answer(
                task.period.key, build_request(self._store, task, chunk, room), _SCHEMAS[task.period.span]
            )
            if answer is None:
                return None
            numbered = {number: one.line for number, one in enumerate(chunk, 1)}
            for name, group in zip(type(answer).__struct_fields__, groups, strict=False):
                group += supported_lines(getattr(answer, name)[:MAX_LINES], numbered, cited, self.rejected)
            for one in getattr(answer, "memories", [])[:MAX_MEMORIES]:
                lines = tuple(numbered[number] for number in dict.fromkeys(one.sources) if number in numbered)
                remembered.append(MemoryItem(one.name, one.category, one.description, one.lede, lines[:MAX_CITATIONS]))
        self.remembered[task.period.key] = tuple(remembered)
        told = add_lasting_lines(fit_lines(groups, task.room), task)
        if task.period.span == "monthly":
            told = fit_lines(told, task.room)
        if not any(told):
            return None
        return PeriodDraft(render_body(task.period.span, task.period.title, told), self.name)

    def answer(self, key: str, asked: LLMRequest, shape: type[SchemaT]) -> SchemaT | None:
        """The answer for the page of that name; None when there is none, which `notes` tells."""
        if self.is_over:
            self._failed.append(key)
            return None
        answer = self._calls.answer("dream", asked, shape)
        if not isinstance(answer, Failure):
            self._in_a_row = 0
            return answer
        if self._is_cancelled():
            return None
        self._in_a_row += 1
        self._failed.append(key)
        self._why = answer.reason
        self.is_over = answer.is_refusal or self._in_a_row >= _MAX_FAILURES
        return None


_SCHEMAS: Mapping[PeriodKind, type[WeekSchema | MonthSchema]] = {"weekly": WeekSchema, "monthly": MonthSchema}


def build_request(store: Store, task: PeriodTask, chunk: Sequence[ScoredLine], room: int) -> LLMRequest:
    """What is asked for a page, or for a part of it."""
    said = "\n".join(f"[{number}] {one.line.path}: {one.line.text}" for number, one in enumerate(chunk, 1))
    facts = {"period": task.period.title, "room": str(max(room, 200))}
    material = {"identity": identity.read_identity(store).told, "statements": said}
    return LLMRequest(render_prompt(store, task.period.span, facts=facts, material=material), max_tokens=ANSWER_TOKENS)


def split_chunks(found: Sequence[ScoredLine]) -> Iterator[list[ScoredLine]]:
    """What was said in pieces that a question can hold, in its order."""
    chunk: list[ScoredLine] = []
    room = CHUNK_CHARS
    for one in sorted(found, key=lambda one: one.place):
        if chunk and one.size > room:
            yield chunk
            chunk, room = [], CHUNK_CHARS
        chunk.append(one)
        room -= one.size
    if chunk:
        yield chunk


def supported_lines(
    told: Sequence[LineSchema], numbered: Mapping[int, SourceLine], cited: CitedLines, rejected: list[Rejection]
) -> list[SourceLine]:
    """The lines that can stand: the model's with where they are from, or the words of their sources in its place."""
    found: list[SourceLine] = []
    for one in told:
        sources = [numbered[number] for number in dict.fromkeys(one.sources) if number in numbered]
        places = tuple(dict.fromkeys(place for line in sources for place in line.places))[:MAX_CITATIONS]
        if not places:
            continue
        path, *lines = places[0]
        said = SourceLine(cited.said(places), path, (lines[0], lines[1]), places[1:])
        checked = check_claim(one.text, [NumberedLine(said)])
        if checked.rejection is None:
            found += [line._replace(text=clean_text(line.text, MAX_LINE_CHARS)) for line in checked.lines]
        else:
            rejected.append(checked.rejection)
            found += sources[:2]
    return list({line.text: line for line in found if line.text}.values())


def fit_lines(groups: Sequence[Sequence[SourceLine]], room: float) -> tuple[list[SourceLine], ...]:
    """The lines that fit into the room; decisions before outcomes, what is open and what is beside it."""
    kept: tuple[list[SourceLine], ...] = ([], [], [], [])
    for group in _GROUP_ORDER:
        for line in groups[group]:
            room -= len(line.text) + len(line.citation) + 6
            if room > 0 or not any(kept):
                kept[group].append(line)
    return kept


def add_lasting_lines(groups: tuple[list[SourceLine], ...], task: PeriodTask) -> tuple[list[SourceLine], ...]:
    """The lines and what the page without a model has beyond them: what holds on, and facts while there is room."""
    told = [line for group in groups for line in group]
    room = task.room - sum(len(line.text) + len(line.citation) + 6 for line in told)
    for one in sorted(task.drawn, key=lambda one: (not one.is_standing, -one.score)):
        about = "\n".join(line.text for line in told if set(line.places) & set(one.line.places))
        is_told = bool(about) and (
            not missing_facts(one.line.text, about) or word_overlap(one.line.text, about) >= _MIN_RETOLD_OVERLAP
        )
        if is_told or not (one.is_standing or (checkable_facts(one.line.text) and one.size <= room)):
            continue
        groups[one.group].append(one.line)
        room -= one.size
    return groups
