"""The known names nearest to a misspelt one."""

from __future__ import annotations

from collections.abc import Collection

MAX_NAMES = 3
MAX_LISTED = 12
"""The most names to list when none is near."""
_MIN_SCORE = 60


def nearest_names(name: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the known names like this one, nearest first."""
    from rapidfuzz import fuzz, process

    found = process.extract(name.lower(), known, scorer=fuzz.ratio, limit=MAX_NAMES, score_cutoff=_MIN_SCORE)
    return tuple(one for one, *_ in found)


def suggestion(name: str, known: Collection[str]) -> str:
    """Return a hint for an unknown name: the nearest ones, else all of them if they are few."""
    if near := nearest_names(name, known):
        return f"did you mean {' or '.join(near)}?"
    return f"known: {', '.join(known)}" if len(known) <= MAX_LISTED else ""
