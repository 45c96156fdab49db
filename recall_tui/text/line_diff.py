"""Line diff: the smallest changes found within a time bounded by the length of the texts.

Texts whose comparison could be quadratic are split at lines unique in both; a segment between two such lines that is
still too expensive counts as a single change.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher, unified_diff
from itertools import pairwise

MAX_STEPS = 200_000
"""The maximum line comparisons of an exact diff."""
MAX_PAIRS = 500_000
"""The maximum pairs of equal lines for an exact unified diff."""
MAX_CHANGES = 1_000
"""More changes count as one where each is searched in the whole text."""
_CONTEXT_LINES = 3
"""Unchanged lines around a change in a unified diff."""

Change = tuple[int, int, int, int]
"""(start, end) in the old text and (start, end) in the new one; ends are exclusive."""


def diff_lines(was: Sequence[str], became: Sequence[str], most: int = MAX_CHANGES) -> list[Change]:
    """Return the changes from `was` to `became` in order; all other lines are equal.

    More than `most` changes are merged into a single one.
    """
    found = (
        _match_lines(was, became)
        if _count_steps(was, became) <= MAX_STEPS
        else list(_diff_between_anchors(was, became))
    )
    if len(found) > most:
        return [(found[0][0], found[-1][1], found[0][2], found[-1][3])]
    return found


def unified_lines(was: Sequence[str], became: Sequence[str], old_name: str, new_name: str) -> Iterator[str]:
    """Yield the lines of a unified diff."""
    head, tail = common_ends(was, became)
    middle = was[head : len(was) - tail], became[head : len(became) - tail]
    if _count_pairs(was, became) <= MAX_PAIRS and _count_steps(*middle) <= MAX_STEPS:
        yield from unified_diff(was, became, old_name, new_name)
        return
    found = [(head + a, head + b, head + c, head + d) for a, b, c, d in diff_lines(*middle)]
    if found:
        yield f"--- {old_name}\n"
        yield f"+++ {new_name}\n"
    for near in _group_changes(found):
        first, last = near[0], near[-1]
        above = min(_CONTEXT_LINES, first[0])
        below = min(_CONTEXT_LINES, len(was) - last[1])
        spans = (_hunk_range(one - above, other + below) for one, other in ((first[0], last[1]), (first[2], last[3])))
        yield "@@ -{} +{} @@\n".format(*spans)
        at = first[0] - above
        for start, end, new_start, new_end in near:
            yield from (f" {line}" for line in was[at:start])
            yield from (f"-{line}" for line in was[start:end])
            yield from (f"+{line}" for line in became[new_start:new_end])
            at = end
        yield from (f" {line}" for line in was[at : at + below])


def _common_prefix(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the common leading lines."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _match_lines(was: Sequence[str], became: Sequence[str]) -> list[Change]:
    codes = SequenceMatcher(None, was, became, autojunk=False).get_opcodes()
    return [(i1, i2, j1, j2) for kind, i1, i2, j1, j2 in codes if kind != "equal"]


def common_ends(was: Sequence[str], became: Sequence[str]) -> tuple[int, int]:
    """Count the common leading lines, and the common trailing lines of the rest."""
    head = _common_prefix(was, became)
    return head, _common_prefix(was[head:][::-1], became[head:][::-1])


def _count_pairs(was: Sequence[str], became: Sequence[str]) -> int:
    there = Counter(became)
    return sum(count * there[line] for line, count in Counter(was).items())


def _count_steps(was: Sequence[str], became: Sequence[str]) -> int:
    """Return the worst-case number of line comparisons: every pair of equal lines, for every line that splits the
    texts.
    """
    return _count_pairs(was, became) * min(len(was), len(became))


def _diff_between_anchors(was: Sequence[str], became: Sequence[str]) -> Iterator[Change]:
    """Yield the changes between anchors: lines unique in both texts and in the same order."""
    left = MAX_STEPS
    ends = [(-1, -1), *_find_anchors(was, became), (len(was), len(became))]
    for (i0, j0), (i3, j3) in pairwise(ends):
        old, new = was[i0 + 1 : i3], became[j0 + 1 : j3]
        head, tail = common_ends(old, new)
        old, new = old[head : len(old) - tail], new[head : len(new) - tail]
        i1, j1 = i0 + 1 + head, j0 + 1 + head
        if not old and not new:
            continue
        steps = _count_steps(old, new)
        if steps > left:
            yield i1, i1 + len(old), j1, j1 + len(new)
            continue
        left -= steps
        yield from ((i1 + a, i1 + b, j1 + c, j1 + d) for a, b, c, d in _match_lines(old, new))


def _find_anchors(was: Sequence[str], became: Sequence[str]) -> list[tuple[int, int]]:
    """Return the indexes of lines unique in both texts, as the longest increasing subsequence (Fredman 1975)."""
    once = {line for line, count in Counter(was).items() if count == 1}
    once &= {line for line, count in Counter(became).items() if count == 1}
    place = {line: number for number, line in enumerate(became) if line in once}
    pairs = [(number, place[line]) for number, line in enumerate(was) if line in once]
    tops: list[int] = []
    rows: list[int] = []
    before: list[int] = []
    for number, (_, new) in enumerate(pairs):
        at = bisect_left(tops, new)
        before.append(rows[at - 1] if at else -1)
        tops[at : at + 1], rows[at : at + 1] = [new], [number]
    found: list[tuple[int, int]] = []
    number = rows[-1] if rows else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


def _group_changes(found: Sequence[Change]) -> Iterator[list[Change]]:
    """Group changes whose context lines touch."""
    group: list[Change] = []
    for one in found:
        if group and one[0] - group[-1][1] > 2 * _CONTEXT_LINES:
            yield group
            group = []
        group.append(one)
    if group:
        yield group


def _hunk_range(start: int, end: int) -> str:
    """Render a hunk range: 1-based start and length; an empty range names the line before it."""
    length = end - start
    if length == 1:
        return f"{start + 1}"
    return f"{start if not length else start + 1},{length}"
