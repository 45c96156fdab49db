"""Which sections of MEMORY.md move to topic files, so that the rest fits its budget again.

The ranges never overlap, and once they have moved nothing more is asked for: what stays is within the limits, or is
too short to be worth a pointer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from recall_tui.domain import Section
from recall_tui.lifecycle.ballast import Ballast
from recall_tui.storage import budget as limits
from recall_tui.storage.budget import Budget
from recall_tui.storage.markdown import newline_of, own_end, title_line
from recall_tui.storage.memory_file import MemoryFile

POINTER_LINES = 3
"""What stays of an extracted section: heading, pointer, blank line (recall-echo distill)."""
_POINTER_BYTES = 100
"""A generous guess at the bytes of a pointer, its heading left aside."""
_WORTHWHILE = 0.05
"""A section of ordinary length moves only if that frees this part of the budget; else pointers would multiply."""
_DEEPEST = 3
"""Sections below this level never move alone."""
_BUNDLE = "More notes"


@dataclass(frozen=True, slots=True)
class Unit:
    """What may move in one piece: lines from `start` to before `end`, of the section at `number` of the outline."""

    number: int
    start: int
    """Its first line, from 0."""
    end: int
    """The line after the last one."""


def extractions(memory: MemoryFile, budget: Budget, dropped: Sequence[Ballast]) -> tuple[Ballast, ...]:
    """Sections over the limit; while the file is still full, the heaviest others, and then its tail as one file.

    `dropped` goes anyway. Extraction goes on until the file is no longer full, and then down to `ok`.
    """
    pieces = tuple(units(memory))
    scale = _Scale(memory, budget, dropped)
    chosen = [part for unit in pieces for part in _over_limit(memory, unit, dropped)]
    if scale.after(chosen).level == "full":
        reason = f"among the heaviest while the file is at {budget.percent} %"
        others = [
            _extraction(memory, unit.start, unit.end, reason)
            for unit in pieces
            if not any(part.overlaps(unit.start, unit.end) for part in chosen)
        ]
        for part in sorted(others, key=scale.frees, reverse=True):
            if scale.after(chosen).level == "ok" or scale.frees(part) < _WORTHWHILE:
                break
            chosen.append(part)
    if scale.after(chosen).level == "full" and (tail := _tail(memory, scale, chosen, pieces)):
        chosen = [*(part for part in chosen if part.end <= tail.start), tail]
    return tuple(sorted(chosen, key=lambda part: part.start))


def units(memory: MemoryFile) -> Iterator[Unit]:
    """The own text of a level-1 heading or of none, and the sections right under those."""
    until = 0
    for number, section in enumerate(memory.sections):
        if section.level <= 1:
            meta = sum(kind == "meta" for kind in memory.kinds[section.start : section.end])
            yield Unit(number, section.start + meta, own_end(memory.sections, number))
        elif section.start >= until:
            until = section.end
            yield Unit(number, section.start, section.end)


def whole(memory: MemoryFile, unit: Unit) -> Ballast:
    """The unit as a part that moves because a person says so."""
    return _extraction(memory, unit.start, unit.end, f"{unit.end - unit.start} lines")


def _over_limit(memory: MemoryFile, unit: Unit, dropped: Sequence[Ballast]) -> list[Ballast]:
    """The innermost sections of the unit that are too long, or all of it when it would stay too long without them."""
    if memory.sections[unit.number].level > 1:
        parts = _innermost(memory.sections, unit.number)
    else:
        gone = {line for part in dropped for line in range(part.start, part.end)}
        words = sum(line not in gone for line in range(unit.start, unit.end))
        parts = [(unit.start, unit.end)] if words > limits.SECTION_LINES else []
    return [
        _extraction(memory, start, end, f"{end - start} lines, over {limits.SECTION_LINES}") for start, end in parts
    ]


def _innermost(outline: Sequence[Section], number: int) -> list[tuple[int, int]]:
    section = outline[number]
    if section.lines <= limits.SECTION_LINES:
        return []
    inner = [part for child in _children(outline, number) for part in _innermost(outline, child)]
    left = section.lines - sum(end - start - POINTER_LINES for start, end in inner)
    return inner if left <= limits.SECTION_LINES else [(section.start, section.end)]


def _children(outline: Sequence[Section], number: int) -> Iterator[int]:
    until = 0
    for at in range(number + 1, len(outline)):
        if outline[at].start >= outline[number].end:
            return
        if outline[at].start >= until:
            until = outline[at].end
            if outline[at].level <= _DEEPEST:
                yield at


def _extraction(memory: MemoryFile, start: int, end: int, reason: str) -> Ballast:
    section = memory.section_at.get(start)
    title, stays = (section.title, memory.lines[start]) if section else ("", "")
    return Ballast("extract", title or "Notes", reason, start, end, _saves(start, end, stays), True, stays)


def _saves(start: int, end: int, stays: str) -> int:
    return end - start - POINTER_LINES + (0 if stays else 1)


def _tail(memory: MemoryFile, scale: _Scale, chosen: Sequence[Ballast], pieces: Sequence[Unit]) -> Ballast | None:
    """The shortest end of the file, cut between sections, without which it fits; None when that frees too little."""
    stays = f"## {_BUNDLE}{newline_of(memory.text)}"
    title = title_line(memory.sections)
    end = len(memory.lines)
    tail = None
    for unit in reversed(pieces):
        if memory.sections[unit.number].level == 0 or unit.start == title:
            continue
        reason = f"short sections that take {end - unit.start} lines together"
        tail = Ballast("extract", _BUNDLE, reason, unit.start, end, _saves(unit.start, end, stays), True, stays)
        if scale.after([*(part for part in chosen if part.end <= tail.start), tail]).level == "ok":
            break
    return tail if tail and scale.frees(tail) >= _WORTHWHILE else None


class _Scale:
    """Weighs the file without some of its parts."""

    def __init__(self, memory: MemoryFile, budget: Budget, dropped: Sequence[Ballast]) -> None:
        self._budget = budget
        self._dropped = dropped
        self._bytes = [0]
        for line in memory.lines:
            self._bytes.append(self._bytes[-1] + len(line.encode("utf-8", "surrogateescape")))

    def frees(self, part: Ballast) -> float:
        """The part of the budget that comes free when `part` goes."""
        return replace(self._budget, lines=part.saves, bytes=self._bytes_of(part)).share

    def after(self, moved: Sequence[Ballast]) -> Budget:
        """The budget when everything dropped is gone and everything moved is a pointer."""
        gone = [*moved, *(drop for drop in self._dropped if not any(m.overlaps(drop.start, drop.end) for m in moved))]
        return replace(
            self._budget,
            lines=self._budget.lines - sum(part.saves for part in gone),
            bytes=self._budget.bytes - sum(self._bytes_of(part) for part in gone),
        )

    def _bytes_of(self, part: Ballast) -> int:
        weight = self._bytes[part.end] - self._bytes[part.start]
        if part.kind != "extract":
            return weight
        return weight - _POINTER_BYTES - len(part.stays.encode("utf-8", "surrogateescape"))
