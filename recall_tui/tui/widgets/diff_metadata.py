"""The metadata at the head of a page in a diff: many lines that a person seldom reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MIN_FOLDED_LINES = 4
"""Fewer lines are shown as they are."""
_FENCE = "---"


def find_metadata(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield first and end (exclusive) of each page's metadata in a unified diff, the fences included."""
    for number, line in enumerate(lines):
        if not line.startswith("@@ ") or number + 1 >= len(lines) or lines[number + 1][1:] != _FENCE:
            continue
        start = number + 1
        for end in range(start + 1, len(lines)):
            if lines[end].startswith(("@@ ", "--- a/")):
                break
            if lines[end][1:] == _FENCE:
                if end + 1 - start >= MIN_FOLDED_LINES:
                    yield start, end + 1
                break
