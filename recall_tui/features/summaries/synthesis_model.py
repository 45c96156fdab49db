"""A synthesis by a model: it is given the lines that there are and the summaries that are new, and says what holds now.

A line that it says is kept only with a source that exists, and what it may change is the text of lines, nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from recall_tui.features.summaries.synthesis_points import Point
from recall_tui.features.summaries.synthesis_sources import Summary
from recall_tui.llm.client import Asked, Calls
from recall_tui.llm.model import Failure
from recall_tui.llm.prompts import prompt
from recall_tui.llm.selection import trouble
from recall_tui.storage.documents.master_file import DECISIONS, EVOLUTION, LEARNINGS, QUESTIONS, STATUS, Source, clean
from recall_tui.text.cut import cut

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

CHUNK = 24_000
"""Characters of summaries in one question."""
MOST_OF_ONE = 6_000
"""Characters of one summary."""
ANSWER_TOKENS = 4_000
MOST_LINES = 80
"""Lines of a section that are taken from an answer."""
_FIELDS = {
    "status": STATUS,
    "decisions": DECISIONS,
    "learnings": LEARNINGS,
    "evolution": EVOLUTION,
    "questions": QUESTIONS,
}


class Synthesised(NamedTuple):
    """What a model made of the points and the summaries."""

    points: tuple[Point, ...]
    rest: tuple[Summary, ...]
    """The summaries that it did not get to."""
    notes: tuple[str, ...]


def synthesised(
    store: Store, points: Sequence[Point], fresh: Sequence[Summary], project: str, is_cancelled: Callable[[], bool]
) -> Synthesised | None:
    """The points as a model sees them with the fresh summaries; None when no model is named.

    `project` tells in words how the project is now. Many summaries are given in several questions, each with what the
    one before came to.
    """
    calls = Calls(store, is_cancelled)
    if not calls.is_offered("synthesis"):
        why = trouble(store, "synthesis")
        return Synthesised(tuple(points), tuple(fresh), (f"without a model: {why.words}",)) if why else None
    known = {one.id: one for point in points for one in point.sources}
    now, invented, unnamed = tuple(points), 0, 0
    notes: list[str] = []
    rest = list(fresh)
    for chunk in _chunks(fresh):
        known |= {one.source.id: one.source for one in chunk}
        said = _said(calls, _question(store, now, chunk, project), now, chunk, known)
        if isinstance(said, Failure):
            notes.append(f"without a model: {said.reason}")
            break
        made, left_out = said
        invented += left_out
        if not made:
            notes.append("without a model: it named no source that exists")
            break
        named = {source.id for one in made for source in one.sources}
        unnamed += sum(one.source.id not in named for one in chunk)
        now, rest = made, rest[len(chunk) :]
    if unnamed:
        notes.append(f"the model takes nothing from {unnamed} of the summaries; they stay as they are")
    if invented:
        notes.append(f"{invented} of the model's lines named no source that exists, and are left out")
    return Synthesised(now, tuple(rest), tuple(notes))


class Said(msgspec.Struct):
    """A line of the answer."""

    text: str
    sources: list[str]
    theme: str = ""


class Answer(msgspec.Struct):
    """What the master should hold."""

    status: list[Said] = []
    decisions: list[Said] = []
    learnings: list[Said] = []
    evolution: list[Said] = []
    questions: list[Said] = []


def _question(store: Store, points: Sequence[Point], chunk: Sequence[Summary], project: str) -> Asked:
    material = {
        "project": cut(project, MOST_OF_ONE) or "(nothing is known of it)",
        "master": "\n".join(map(_line, points)) or "(empty)",
        "summaries": "\n\n".join(map(_shown, chunk)),
    }
    return Asked(prompt(store, "master", material=material), max_tokens=ANSWER_TOKENS)


def _said(
    calls: Calls, asked: Asked, points: Sequence[Point], chunk: Sequence[Summary], known: Mapping[str, Source]
) -> tuple[tuple[Point, ...], int] | Failure:
    """The points that the answer makes, and how many of its lines are left out."""
    answer = calls.answer("synthesis", asked, Answer)
    if isinstance(answer, Failure):
        return answer
    made: list[Point] = []
    left_out = 0
    held = {(one.section, one.text): one for one in points}
    when = {one.source.id: one.when for one in chunk}
    for name, section in _FIELDS.items():
        for one in getattr(answer, name)[:MOST_LINES]:
            sources = tuple(dict.fromkeys(known[id] for id in map(str.strip, one.sources) if id in known))
            text = clean(one.text)
            if not sources or not text:
                left_out += 1
                continue
            latest = max(when.get(source.id, source.day) for source in sources)
            fresh = Point(section, text, sources, latest, theme=clean(one.theme, 40))
            same = held.get((section, text))
            made.append(fresh if same is None else replace(same, sources=sources))
    if not made:
        return (), left_out
    named = {source for one in made for source in one.sources}
    untouched = [one for one in points if not named & set(one.sources)]
    return (*untouched, *made), left_out


def _line(point: Point) -> str:
    return f"- [{point.section}] {point.text} ({', '.join(one.id for one in point.sources)})"


def _shown(one: Summary) -> str:
    return f"Source {one.source.id}, {one.source.day or 'undated'}:\n{cut(one.text.strip(), MOST_OF_ONE)}"


def _chunks(fresh: Iterable[Summary]) -> Iterator[tuple[Summary, ...]]:
    chunk: list[Summary] = []
    room = CHUNK
    for one in fresh:
        size = min(len(one.text), MOST_OF_ONE)
        if chunk and size > room:
            yield tuple(chunk)
            chunk, room = [], CHUNK
        chunk.append(one)
        room -= size
    if chunk:
        yield tuple(chunk)
