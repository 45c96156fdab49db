"""Three-way merge by lines.

Line ends are ignored in comparisons. Only lines that both texts deleted or replaced, in different ways, conflict (after
diff3: Khanna, Kunal and Pierce 2007, “A Formal Investigation of Diff3”); lines that both inserted at the same position
are kept one after the other.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from recall_tui.text.line_diff import Change, common_ends, diff_lines


@dataclass(frozen=True, slots=True)
class MergeConflict:
    """Lines changed differently by both texts; empty on the side that deleted them."""

    base: str
    ours: str
    theirs: str
    line: int
    """The 1-based first line of the conflict in `theirs`; the following line if `theirs` deleted it."""

    @property
    def last_line(self) -> int:
        """Return the last line of the conflict in `theirs`."""
        return max(self.line, self.line + len(_lines(self.theirs)) - 1)


@dataclass(frozen=True, slots=True)
class MergeResult:
    """The merged text and its conflicts."""

    text: str
    """Conflicts keep the lines of both, ours first."""
    conflicts: tuple[MergeConflict, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Return whether there are no conflicts to resolve."""
        return not self.conflicts


def merge(base: str, ours: str, theirs: str) -> MergeResult:
    """Merge the changes from `base` to `ours` and from `base` to `theirs`."""
    if ours in (base, theirs):
        return MergeResult(theirs)
    if theirs == base:
        return MergeResult(ours)
    mine, other = _Side.of(base, ours), _Side.of(base, theirs)
    was = _lines(base)
    result: list[str] = []
    conflicts: list[MergeConflict] = []
    at = 0
    for region in _merge_regions(mine.changes, other.changes):
        result += _unchanged_lines(was[at : region.start], mine.take(region.start - at), other.take(region.start - at))
        line = other.at + 1
        one, two = mine.take_region(region, region.ours), other.take_region(region, region.theirs)
        if region.is_conflict and _strip_line_end(one) != _strip_line_end(two):
            conflicts.append(MergeConflict("".join(was[region.start : region.end]), "".join(one), "".join(two), line))
        result += _resolve(region, was, one, two)
        at = region.end
    result += _unchanged_lines(was[at:], mine.take(len(was) - at), other.take(len(was) - at))
    return MergeResult(_join_lines(result, base, ours, theirs), tuple(conflicts))


def union_lines(one: str, other: str) -> str:
    """Return the lines of both texts, shared lines once, when their common ancestor is unknown."""
    return merge(common_lines(one, other), one, other).text


def common_lines(one: str, other: str) -> str:
    """Return the common lines of both texts, in order."""
    lines, at, kept = _lines(one), 0, []
    for start, end, _, _ in _changes(_strip_line_end(lines), _strip_line_end(_lines(other))):
        kept += lines[at:start]
        at = end
    return "".join(kept + lines[at:])


@dataclass(slots=True)
class _Side:
    """A changed text and a read position, parallel to the base."""

    lines: list[str]
    changes: list[Change]
    at: int = 0
    """The number of lines read."""

    @classmethod
    def of(cls, base: str, text: str) -> _Side:
        lines = _lines(text)
        return cls(lines, _changes(_strip_line_end(_lines(base)), _strip_line_end(lines)))

    def take(self, count: int) -> list[str]:
        """Read the next `count` lines."""
        self.at += count
        return self.lines[self.at - count : self.at]

    def take_region(self, region: _Region, found: Sequence[Change]) -> list[str]:
        """Read the lines that correspond to a region of the base."""
        size = region.end - region.start
        return self.take(size + sum((new_end - new) - (end - start) for start, end, new, new_end in found))


@dataclass(slots=True)
class _Region:
    """A range of base lines with overlapping changes."""

    start: int
    end: int
    ours: list[Change] = field(default_factory=list)
    theirs: list[Change] = field(default_factory=list)

    @property
    def is_conflict(self) -> bool:
        """Return whether both deleted the same lines and at least one replaced them."""
        return any(
            max(one[0], other[0]) < min(one[1], other[1]) and (one[2] < one[3] or other[2] < other[3])
            for one in self.ours
            for other in self.theirs
        )


def _merge_regions(ours: Sequence[Change], theirs: Sequence[Change]) -> Iterator[_Region]:
    """Yield the changes of both in order, grouped where they overlap or insert at the same position."""
    region: _Region | None = None
    both = [(change[:2], number, change) for number, side in enumerate((ours, theirs)) for change in side]
    for (start, end), number, change in sorted(both):
        if region is None or not (start < region.end or start == end == region.start == region.end):
            if region is not None:
                yield region
            region = _Region(start, end)
        region.end = max(region.end, end)
        (region.theirs if number else region.ours).append(change)
    if region is not None:
        yield region


def _resolve(region: _Region, was: Sequence[str], ours: list[str], theirs: list[str]) -> list[str]:
    """Return the merged lines of a region."""
    if not region.theirs:
        return ours
    if not region.ours:
        return theirs
    if region.is_conflict or region.start == region.end:
        return _join_sides(ours, theirs)
    put = _insertions(region, region.ours, ours), _insertions(region, region.theirs, theirs)
    gone = {line for start, end, _, _ in (*region.ours, *region.theirs) for line in range(start, end)}
    lines: list[str] = []
    for line in range(region.start, region.end):
        lines += put[0].get(line, []) + put[1].get(line, [])
        if line not in gone:
            lines.append(was[line])
    return lines


def _insertions(region: _Region, found: Sequence[Change], lines: list[str]) -> dict[int, list[str]]:
    """Map each base line to the lines inserted above it or in its place."""
    shift = _shift(region, found)
    return {start: lines[new - shift : new_end - shift] for start, _, new, new_end in found}


def _shift(region: _Region, found: Sequence[Change]) -> int:
    """Return the start of the region in the text of these changes."""
    start, _, new, _ = found[0]
    return new - (start - region.start)


def _join_sides(ours: list[str], theirs: list[str]) -> list[str]:
    """Join both sides with their common leading and trailing lines once; blank lines alone do not count as common."""
    one, other = _strip_line_end(ours), _strip_line_end(theirs)
    head, tail = common_ends(one, other)
    if max(head, tail) == min(len(one), len(other)):
        return ours if len(one) >= len(other) else theirs
    while head and not one[head - 1].strip():
        head -= 1
    while tail and not one[len(one) - tail].strip():
        tail -= 1
    end = len(ours) - tail
    return ours[:end] + theirs[head : len(theirs) - tail] + ours[end:]


def _unchanged_lines(was: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Iterator[str]:
    """Yield unchanged lines; if either side changed a line end, with the new one."""
    return (two if two != base else one for base, one, two in zip(was, ours, theirs, strict=True))


def _changes(was: Sequence[str], became: Sequence[str]) -> list[Change]:
    head, tail = common_ends(was, became)
    found = diff_lines(was[head : len(was) - tail], became[head : len(became) - tail], most=sys.maxsize)
    return [one for a, b, c, d in found for one in _split_deletion((head + a, head + b, head + c, head + d))]


def _split_deletion(change: Change) -> Iterator[Change]:
    """Split a pure deletion into single lines, so that it conflicts only with lines that were changed."""
    start, end, new, new_end = change
    if new < new_end or end - start < 2:
        yield change
    else:
        yield from ((line, line + 1, new, new) for line in range(start, end))


def _lines(text: str) -> list[str]:
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _strip_line_end(lines: Sequence[str]) -> list[str]:
    return [line.removesuffix("\r\n").removesuffix("\n") for line in lines]


def _join_lines(lines: list[str], base: str, ours: str, theirs: str) -> str:
    """Join the lines, with the line ends and final newline of the side that changed them."""
    if not lines:
        return ""
    was = _line_end(base)
    changed = [end for end in map(_line_end, (theirs, ours)) if was and end and end != was]
    for number, (line, bare) in enumerate(zip(lines, _strip_line_end(lines), strict=True)):
        if changed or line == bare:
            lines[number] = bare + (changed[0] if changed else was or "\n")
    if not _has_line_end(ours if _has_line_end(theirs) == _has_line_end(base) else theirs):
        lines[-1] = _strip_line_end(lines[-1:])[0]
    return "".join(lines)


def _line_end(text: str) -> str:
    """Return the common line end of all lines; empty if there is none or they differ."""
    count = text.count("\n")
    if not count or 0 < text.count("\r\n") < count:
        return ""
    return "\r\n" if "\r\n" in text else "\n"


def _has_line_end(text: str) -> bool:
    return not text or text.endswith("\n")
