"""A change taken back in a text that others have changed since, and a change shown as a diff.

What cannot be taken back for certain is not taken back at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, unified_diff

CONTEXT = 3
"""Lines around a change by which its place is found again."""


@dataclass(frozen=True, slots=True)
class _Hunk:
    removed: list[str]
    """The lines that the change took away."""
    added: list[str]
    """The lines that it put in their place."""
    above: list[str]
    below: list[str]
    is_first: bool
    """Nothing stood above it."""
    is_last: bool


def reverse(before: str, after: str, current: str) -> str | None:
    """Return `current` without the change from `before` to `after`; None when its place is gone or not certain."""
    if current == after:
        return before
    if before == after:
        return current
    was, became, now = _lines(before), _lines(after), _lines(current)
    bare_after, bare_now = _bare(became), _bare(now)
    result: list[str] = []
    done = 0
    for hunk in _hunks(was, became):
        place = _place(hunk, bare_after, bare_now)
        if place is None or place < done:
            return None
        result += now[done:place]
        result += hunk.removed
        done = place + len(hunk.added)
    result += now[done:]
    return _joined(result)


def unified(before: str, after: str, name: str) -> str:
    """The change as a unified diff of the file `name`; a carriage return that is not in every line shows as `␍`."""
    was, became = _lines(before), _lines(after)
    if all(line.endswith("\r\n") for line in was + became):
        was, became = [line[:-2] + "\n" for line in was], [line[:-2] + "\n" for line in became]
    name = " ".join(name.split())
    shown = []
    for line in unified_diff(was, became, f"a/{name}", f"b/{name}"):
        line = line.replace("\r", "␍")
        shown.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(shown)


def _lines(text: str) -> list[str]:
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _bare(lines: Sequence[str]) -> list[str]:
    return [line.rstrip("\r\n") for line in lines]


def _hunks(was: list[str], became: list[str]) -> Iterator[_Hunk]:
    head = _shared(was, became)
    tail = _shared(was[head:][::-1], became[head:][::-1])
    matcher = SequenceMatcher(None, was[head : len(was) - tail], became[head : len(became) - tail], autojunk=False)
    codes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    for number, (_, i1, i2, j1, j2) in enumerate(codes):
        first, last = j1 + head, j2 + head
        start = codes[number - 1][4] + head if number else 0
        stop = codes[number + 1][3] + head if number + 1 < len(codes) else len(became)
        yield _Hunk(
            removed=was[i1 + head : i2 + head],
            added=became[first:last],
            above=_bare(became[max(first - CONTEXT, start) : first]),
            below=_bare(became[last : min(last + CONTEXT, stop)]),
            is_first=first == 0,
            is_last=last == len(became),
        )


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _place(hunk: _Hunk, after: list[str], now: list[str]) -> int | None:
    """The line of `now` where the hunk's lines begin, found with as much context as still stands around them."""
    added = _bare(hunk.added)
    sizes = [(a, b) for a in range(len(hunk.above) + 1) for b in range(len(hunk.below) + 1)]
    for above, below in sorted(sizes, key=lambda size: (-sum(size), abs(size[0] - size[1]))):
        if not added and not ((above or hunk.is_first) and (below or hunk.is_last) and above + below):
            continue
        wanted = hunk.above[len(hunk.above) - above :] + added + hunk.below[:below]
        if not any(line.strip() for line in wanted):
            continue
        places = _occurrences(wanted, now)
        if len(places) == 1 and len(_occurrences(wanted, after)) == 1:
            return places[0] + above
        if len(places) > 1:
            return None
    return None


def _occurrences(wanted: list[str], lines: list[str]) -> list[int]:
    """The first two places where `wanted` stands in `lines`."""
    places: list[int] = []
    start = 0
    while len(places) < 2:
        try:
            start = lines.index(wanted[0], start)
        except ValueError:
            break
        if lines[start : start + len(wanted)] == wanted:
            places.append(start)
        start += 1
    return places


def _joined(lines: list[str]) -> str:
    """The lines as one text; a line that was the last of its text and is no longer gets its end."""
    end = "\r\n" if any(line.endswith("\r\n") for line in lines) else "\n"
    return "".join(line if line.endswith("\n") else line + end for line in lines[:-1]) + (lines[-1] if lines else "")
