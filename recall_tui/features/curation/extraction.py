"""Which sections of MEMORY.md move to topic files, so that the rest fits its budget again.

The ranges never overlap, and once they have moved nothing more is asked for: what stays is within the limits, or is
too short to be worth a pointer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from recall_tui.domain import Section
from recall_tui.features.curation.bloat import BloatFinding
from recall_tui.storage.documents import memory_file
from recall_tui.storage.documents.memory_file import Budget, MemoryFile
from recall_tui.storage.markdown.outline import body_end, find_title_line, line_ending

POINTER_LINES = 3
"""What stays of an extracted section: heading, pointer, blank line (recall-echo distill)."""
_POINTER_BYTES = 100
"""A generous guess at the bytes of a pointer, its heading left aside."""
_MIN_BUDGET_FRACTION = 0.05
"""A section of ordinary length moves only if that frees this part of the budget; else pointers would multiply."""
_MAX_LEVEL = 3
"""Sections below this level never move alone."""
_BUNDLE_TITLE = "More notes"


@dataclass(frozen=True, slots=True)
class MovableBlock:
    """What may move in one piece: lines from `start` to before `end`, of the section at `number` of the outline."""

    number: int
    start: int
    """Its first line, from 0."""
    end: int
    """The line after the last one."""


def find_extractions(memory: MemoryFile, budget: Budget, dropped: Sequence[BloatFinding]) -> tuple[BloatFinding, ...]:
    """Sections over the limit; while the file is still full, the heaviest others, and then its tail as one file.

    `dropped` goes anyway. Extraction goes on until the file is no longer full, and then down to `ok`.
    """
    pieces = tuple(split_blocks(memory))
    scale = _SizeEstimator(memory, budget, dropped)
    gone = {line for part in dropped for line in range(part.start, part.end)}
    chosen = [part for unit in pieces for part in _long_sections(memory, unit, gone)]
    rest = _BudgetProjection(scale, [part for part in chosen if part.is_safe])
    if rest.budget().level == "full":
        reason = f"among the heaviest while the file is at {budget.percent} %"
        taken = {line for part in chosen for line in range(part.start, part.end)}
        others = [
            _build_extraction(memory, unit.start, unit.end, reason)
            for unit in pieces
            if taken.isdisjoint(range(unit.start, unit.end))
        ]
        for part in sorted(others, key=scale.frees, reverse=True):
            if rest.budget().level == "ok" or scale.frees(part) < _MIN_BUDGET_FRACTION:
                break
            chosen.append(part)
            rest.move(part)
    chosen.sort(key=lambda part: part.start)
    if rest.budget().level == "full" and (tail := _find_tail(memory, scale, chosen, pieces)):
        chosen = [*(part for part in chosen if part.end <= tail.start), tail]
    return tuple(chosen)


def split_blocks(memory: MemoryFile) -> Iterator[MovableBlock]:
    """The own text of a level-1 heading or of none, and the sections right under those."""
    until = 0
    for number, section in enumerate(memory.sections):
        if section.level <= 1:
            meta = sum(kind == "meta" for kind in memory.kinds[section.start : section.end])
            yield MovableBlock(number, section.start + meta, body_end(memory.sections, number))
        elif section.start >= until:
            until = section.end
            yield MovableBlock(number, section.start, section.end)


def extract_block(memory: MemoryFile, unit: MovableBlock) -> BloatFinding:
    """The unit as a part that moves because a person says so."""
    return _build_extraction(memory, unit.start, unit.end, f"{unit.end - unit.start} lines")


def _long_sections(memory: MemoryFile, unit: MovableBlock, gone: Set[int]) -> list[BloatFinding]:
    """The innermost sections of the unit that are too long, or all of it when it would stay too long without them."""
    if memory.sections[unit.number].level > 1:
        parts = _innermost_sections(memory.sections, unit.number)
    else:
        words = sum(line not in gone for line in range(unit.start, unit.end))
        parts = [(unit.start, unit.end)] if words > memory_file.MAX_SECTION_LINES else []
    return [
        _build_extraction(memory, start, end, f"{end - start} lines, over {memory_file.MAX_SECTION_LINES}")
        for start, end in parts
    ]


def _innermost_sections(outline: Sequence[Section], number: int) -> list[tuple[int, int]]:
    section = outline[number]
    if section.lines <= memory_file.MAX_SECTION_LINES:
        return []
    inner = [part for child in _child_sections(outline, number) for part in _innermost_sections(outline, child)]
    left = section.lines - sum(end - start - POINTER_LINES for start, end in inner)
    return inner if left <= memory_file.MAX_SECTION_LINES else [(section.start, section.end)]


def _child_sections(outline: Sequence[Section], number: int) -> Iterator[int]:
    until = 0
    for at in range(number + 1, len(outline)):
        if outline[at].start >= outline[number].end:
            return
        if outline[at].start >= until:
            until = outline[at].end
            if outline[at].level <= _MAX_LEVEL:
                yield at


def _build_extraction(memory: MemoryFile, start: int, end: int, reason: str) -> BloatFinding:
    section = memory.section_at.get(start)
    title, stays = (section.title, memory.lines[start]) if section else ("", "")
    # Text of no section is what every session should know: only a person moves it.
    is_safe = section is not None and start != find_title_line(memory.sections)
    return BloatFinding(
        "extract", title or "Notes", reason, start, end, _lines_saved(start, end, stays), is_safe, stays
    )


def _lines_saved(start: int, end: int, stays: str) -> int:
    return end - start - POINTER_LINES + (0 if stays else 1)


def _find_tail(
    memory: MemoryFile, scale: _SizeEstimator, chosen: Sequence[BloatFinding], pieces: Sequence[MovableBlock]
) -> BloatFinding | None:
    """The shortest end of the file, cut between sections, without which it fits; None when that frees too little.

    `chosen` are in the order of their lines.
    """
    stays = f"## {_BUNDLE_TITLE}{line_ending(memory.text)}"
    title = find_title_line(memory.sections)
    end = len(memory.lines)
    before, rest = list(chosen), _BudgetProjection(scale, chosen)
    tail = None
    for unit in reversed(pieces):
        if memory.sections[unit.number].level == 0 or unit.start == title:
            continue
        reason = f"short sections that take {end - unit.start} lines together"
        tail = BloatFinding(
            "extract", _BUNDLE_TITLE, reason, unit.start, end, _lines_saved(unit.start, end, stays), True, stays
        )
        while before and before[-1].end > tail.start:
            rest.move(before.pop(), is_back=True)
        rest.keep_below(tail.start)
        if rest.without(tail).level == "ok":
            break
    return tail if tail and scale.frees(tail) >= _MIN_BUDGET_FRACTION else None


class _SizeEstimator:
    """Weighs the file without some of its parts."""

    def __init__(self, memory: MemoryFile, budget: Budget, dropped: Sequence[BloatFinding]) -> None:
        self.budget = budget
        self.dropped = sorted(dropped, key=lambda part: part.start)
        """What goes anyway, in the order of its lines; none of it overlaps another."""
        self._bytes = [0]
        for line in memory.lines:
            self._bytes.append(self._bytes[-1] + len(line.encode("utf-8", "surrogateescape")))

    def frees(self, part: BloatFinding) -> float:
        """The part of the budget that comes free when `part` goes."""
        return replace(self.budget, lines=part.saves, bytes=self.bytes_of(part)).share

    def bytes_of(self, part: BloatFinding) -> int:
        """The bytes that come free when `part` goes."""
        weight = self._bytes[part.end] - self._bytes[part.start]
        if part.kind != "extract":
            return weight
        return weight - _POINTER_BYTES - len(part.stays.encode("utf-8", "surrogateescape"))


class _BudgetProjection:
    """What the file takes when everything dropped is gone and everything moved is a pointer; parts move one by one.

    What is dropped does not count where it lies in a part that moves.
    """

    def __init__(self, scale: _SizeEstimator, moved: Sequence[BloatFinding]) -> None:
        self._scale = scale
        self._lines, self._bytes = scale.budget.lines, scale.budget.bytes
        self._movers = [0] * len(scale.dropped)
        """How many of the parts that move each dropped one lies in."""
        self._below = len(scale.dropped)
        """From which of the dropped ones on they lie in the end that is kept below."""
        for part in scale.dropped:
            self._take(part, 1)
        for part in moved:
            self.move(part)

    def budget(self) -> Budget:
        """What the file takes."""
        return replace(self._scale.budget, lines=self._lines, bytes=self._bytes)

    def without(self, part: BloatFinding) -> Budget:
        """What it takes when `part` moves, too, in which nothing lies that is dropped."""
        lines, size = self._lines - part.saves, self._bytes - self._scale.bytes_of(part)
        return replace(self._scale.budget, lines=lines, bytes=size)

    def move(self, part: BloatFinding, *, is_back: bool = False) -> None:
        """Let a part move, or stay after all."""
        self._take(part, -1 if is_back else 1)
        dropped = self._scale.dropped
        for at in range(bisect_right(dropped, part.start, key=lambda one: one.end), len(dropped)):
            if dropped[at].start >= part.end:
                break
            self._cover(at, -1 if is_back else 1)

    def keep_below(self, line: int) -> None:
        """Count nothing any more as dropped that ends below the line; later lines are less."""
        while self._below and self._scale.dropped[self._below - 1].end > line:
            self._below -= 1
            self._cover(self._below, 1)

    def _cover(self, at: int, count: int) -> None:
        was = self._movers[at]
        self._movers[at] += count
        if bool(was) != bool(self._movers[at]):
            self._take(self._scale.dropped[at], -1 if self._movers[at] else 1)

    def _take(self, part: BloatFinding, times: int) -> None:
        self._lines -= times * part.saves
        self._bytes -= times * self._scale.bytes_of(part)
