"""A synthesis by a model: it is given the lines that there are and the summaries that are new, and says what holds now.

A line that it says is kept only when sources that exist bear it out; else the words of its source stand in its place.
What it may change is the text of lines, nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from recall_tui.features.grounding.harness import Rejection, check_text, rejection_note
from recall_tui.features.summaries.synthesis_points import MasterPoint
from recall_tui.features.summaries.synthesis_sources import SessionSummary
from recall_tui.llm.client import LLMRequest, ModelClient
from recall_tui.llm.model import Failure
from recall_tui.llm.prompts import render_prompt
from recall_tui.llm.selection import configuration_error
from recall_tui.storage.documents.master_file import (
    DECISIONS,
    EVOLUTION,
    LEARNINGS,
    QUESTIONS,
    STATUS,
    MasterSource,
    clean_text,
)
from recall_tui.text.classify.report_lines import clean_line, report_kind
from recall_tui.text.cut import shorten
from recall_tui.text.markup import strip_markers

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

CHUNK_CHARS = 24_000
"""Characters of summaries in one question."""
MAX_SUMMARY_CHARS = 6_000
"""Characters of one summary."""
ANSWER_TOKENS = 4_000
MAX_SECTION_LINES = 80
"""Lines of a section that are taken from an answer."""
_SECTION_FIELDS = {
    "status": STATUS,
    "decisions": DECISIONS,
    "learnings": LEARNINGS,
    "evolution": EVOLUTION,
    "questions": QUESTIONS,
}


class SynthesisResult(NamedTuple):
    """What a model made of the points and the summaries."""

    points: tuple[MasterPoint, ...]
    rest: tuple[SessionSummary, ...]
    """The summaries that it did not get to."""
    notes: tuple[str, ...]


def synthesize_points(
    store: Store,
    points: Sequence[MasterPoint],
    fresh: Sequence[SessionSummary],
    project: str,
    is_cancelled: Callable[[], bool],
) -> SynthesisResult | None:
    """The points as a model sees them with the fresh summaries; None when no model is named.

    `project` tells in words how the project is now. Many summaries are given in several questions, each with what the
    one before came to.
    """
    calls = ModelClient(store, is_cancelled)
    if not calls.is_offered("synthesis"):
        why = configuration_error(store, "synthesis")
        return SynthesisResult(tuple(points), tuple(fresh), (f"without a model: {why.words}",)) if why else None
    known = {one.id: one for point in points for one in point.sources}
    now, invented, unnamed = tuple(points), 0, 0
    notes: list[str] = []
    rejected: list[Rejection] = []
    rest = list(fresh)
    for chunk in _split_chunks(fresh):
        known |= {one.source.id: one.source for one in chunk}
        said = _ask_points(calls, _build_request(store, now, chunk, project), now, chunk, known)
        if isinstance(said, Failure):
            notes.append(f"without a model: {said.reason}")
            break
        made, left_out = said
        invented += left_out.unnamed
        rejected += left_out.rejected
        if not made:
            cause = "its sources bear nothing out" if left_out.rejected else "it named no source that exists"
            notes.append(f"without a model: {cause}")
            break
        named = {source.id for one in made for source in one.sources}
        unnamed += sum(one.source.id not in named for one in chunk)
        now, rest = made, rest[len(chunk) :]
    if unnamed:
        notes.append(f"the model takes nothing from {unnamed} of the summaries; they stay as they are")
    if rejected:
        notes.append(f"{rejection_note(rejected)}; the sources' own words stand instead")
    if invented:
        notes.append(f"{invented} of the model's lines named no source that exists, and are left out")
    return SynthesisResult(now, tuple(rest), tuple(notes))


class _Dropped(NamedTuple):
    """Lines of an answer that are not taken."""

    unnamed: int
    """Those that name no source that exists."""
    rejected: list[Rejection]
    """Those that their sources do not bear out."""


class SynthesisPointSchema(msgspec.Struct):
    """A line of the answer."""

    text: str
    sources: list[str]
    theme: str = ""


class SynthesisSchema(msgspec.Struct):
    """What the master should hold."""

    status: list[SynthesisPointSchema] = []
    decisions: list[SynthesisPointSchema] = []
    learnings: list[SynthesisPointSchema] = []
    evolution: list[SynthesisPointSchema] = []
    questions: list[SynthesisPointSchema] = []


def _build_request(
    store: Store, points: Sequence[MasterPoint], chunk: Sequence[SessionSummary], project: str
) -> LLMRequest:
    material = {
        "project": shorten(project, MAX_SUMMARY_CHARS) or "(unknown)",
        "master": "\n".join(map(_render_point, points)) or "(empty)",
        "summaries": "\n\n".join(map(_render_summary, chunk)),
    }
    return LLMRequest(render_prompt(store, "master", material=material), max_tokens=ANSWER_TOKENS)


def _ask_points(
    calls: ModelClient,
    asked: LLMRequest,
    points: Sequence[MasterPoint],
    chunk: Sequence[SessionSummary],
    known: Mapping[str, MasterSource],
) -> tuple[tuple[MasterPoint, ...], _Dropped] | Failure:
    """The points that the answer makes, and which of its lines are left out."""
    answer = calls.answer("synthesis", asked, SynthesisSchema)
    if isinstance(answer, Failure):
        return answer
    made: list[MasterPoint] = []
    unnamed = 0
    rejected: list[Rejection] = []
    held = {(one.section, one.text): one for one in points}
    when = {one.source.id: one.when for one in chunk}
    drafted = {one.source for one in chunk if one.is_extract}
    for name, section in _SECTION_FIELDS.items():
        for one in getattr(answer, name)[:MAX_SECTION_LINES]:
            sources = tuple(dict.fromkeys(known[id] for id in map(str.strip, one.sources) if id in known))
            text = clean_text(one.text)
            if not sources or not text:
                unnamed += 1
                continue
            checked = check_text(text, _source_texts(sources, points, chunk))
            if checked.rejection is not None:
                rejected.append(checked.rejection)
                text = clean_text(checked.text)
                if not text or (drafted.issuperset(sources) and not _is_worth_quoting(text)):
                    continue
            latest = max(when.get(source.id, source.day) for source in sources)
            fresh = MasterPoint(section, text, sources, latest, theme=clean_text(one.theme, 40))
            same = held.get((section, text))
            made.append(fresh if same is None else replace(same, sources=sources))
    if not made:
        return (), _Dropped(unnamed, rejected)
    named = {source for one in made for source in one.sources}
    untouched = [one for one in points if not named & set(one.sources)]
    return (*untouched, *made), _Dropped(unnamed, rejected)


def _is_worth_quoting(text: str) -> bool:
    """Whether words of a digest that nobody edited can stand in a master: a fault without its fix cannot."""
    return report_kind(clean_line(text)) not in (None, "cause")


def _source_texts(
    sources: Sequence[MasterSource], points: Sequence[MasterPoint], chunk: Sequence[SessionSummary]
) -> list[str]:
    """What the sources say: the lines of the summaries that are new, and those of the master that cite the others."""
    named = set(sources)
    lines = (line for one in chunk if one.source in named for line in one.text.splitlines())
    texts = [strip_markers(line) for line in lines if line.strip()]
    return [*texts, *(point.text for point in points if named & set(point.sources))]


def _render_point(point: MasterPoint) -> str:
    return f"- [{point.section}] {point.text} ({', '.join(one.id for one in point.sources)})"


def _render_summary(one: SessionSummary) -> str:
    return f"Source {one.source.id}, {one.source.day or 'undated'}:\n{shorten(one.text.strip(), MAX_SUMMARY_CHARS)}"


def _split_chunks(fresh: Iterable[SessionSummary]) -> Iterator[tuple[SessionSummary, ...]]:
    chunk: list[SessionSummary] = []
    room = CHUNK_CHARS
    for one in fresh:
        size = min(len(one.text), MAX_SUMMARY_CHARS)
        if chunk and size > room:
            yield tuple(chunk)
            chunk, room = [], CHUNK_CHARS
        chunk.append(one)
        room -= size
    if chunk:
        yield tuple(chunk)
