"""Which lines of a text gave way to which: as small changes as can be found in a time that the length bounds.

Texts that could take the square of their length are held against each other by the lines that both have once; between
two such lines, what would still take too long counts as one change.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher, unified_diff
from itertools import pairwise

MAX_STEPS = 200_000
"""Comparisons of lines between which every pair of equal ones may split a text."""
MAX_PAIRS = 500_000
"""Pairs of equal lines of whole texts that are shown."""
MAX_CHANGES = 1_000
"""More of them count as one where each is looked for in the whole text."""
_CONTEXT_LINES = 3
"""Lines around a change that is shown."""

Change = tuple[int, int, int, int]
"""First line and the one after the last, of what was and of what became of it."""


def diff_lines(was: Sequence[str], became: Sequence[str], most: int = MAX_CHANGES) -> list[Change]:
    """The changes from one text to the other, in their order; lines outside of them are the same.

    More than `most` of them count as one.
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
    """The lines of a unified diff."""
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
    """How many lines both begin with."""
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
    """How many lines both begin with, and how many of the others both end with."""
    head = _common_prefix(was, became)
    return head, _common_prefix(was[head:][::-1], became[head:][::-1])


def _count_pairs(was: Sequence[str], became: Sequence[str]) -> int:
    there = Counter(became)
    return sum(count * there[line] for line, count in Counter(was).items())


def _count_steps(was: Sequence[str], became: Sequence[str]) -> int:
    """How often lines are compared at worst: every pair of equal ones, for every line that splits the texts."""
    return _count_pairs(was, became) * min(len(was), len(became))


def _diff_between_anchors(was: Sequence[str], became: Sequence[str]) -> Iterator[Change]:
    """The changes between lines that both texts have once, in the longest row of them that has one order."""
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
    """Places of lines that both have once, rising in both: the longest increasing row (Fredman 1975)."""
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
    """The changes whose surroundings meet, together."""
    group: list[Change] = []
    for one in found:
        if group and one[0] - group[-1][1] > 2 * _CONTEXT_LINES:
            yield group
            group = []
        group.append(one)
    if group:
        yield group


def _hunk_range(start: int, end: int) -> str:
    """Lines as a diff names them: the first from 1 and how many; none stand behind the one before."""
    length = end - start
    if length == 1:
        return f"{start + 1}"
    return f"{start if not length else start + 1},{length}"
