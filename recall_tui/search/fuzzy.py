"""Spelling: what a word that is nowhere in the memory was probably meant to be.

A correction is always a word that is there; a word that is there is never corrected.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recall_tui.index.passages import PassageReader

SHORTEST = 4
"""Shorter words are a letter away from too many others."""
MOST_EDITS = 2
"""Letters wrong, missing, too many or swapped in a word of six letters or more; in a shorter one it is one."""
TITLE_CUTOFF = 75.0
"""Least similarity of a title to the whole question, from 0 to 100."""
MOST_TERMS = 50_000
_FIELDS = ("plain", "title", "parts")


def correct(reader: PassageReader, word: str, is_there: Callable[[str], bool]) -> str:
    """The word of the index that is most like `word` and for which `is_there` holds; empty when none is like it."""
    if len(word) < SHORTEST or any(map(str.isdigit, word)):
        return ""
    # A first letter is seldom wrong, and its share of the dictionary is small.
    for beginning in (word[0], ""):
        for candidate in _alike(reader, word, beginning):
            if is_there(candidate):
                return candidate
    return ""


def _alike(reader: PassageReader, word: str, beginning: str) -> list[str]:
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    most = MOST_EDITS if len(word) > 5 else 1
    counts: dict[str, int] = {}
    for field in _FIELDS:
        for term, count in reader.dictionary(field, beginning, None, MOST_TERMS):
            if abs(len(term) - len(word)) <= most and term != word:
                counts[term] = max(count, counts.get(term, 0))
    found = process.extract(word, list(counts), scorer=OSA.distance, score_cutoff=most, limit=8)
    return [term for term, _, _ in sorted(found, key=lambda one: (one[1], -counts[one[0]], one[0]))]


def like_title(text: str, titles: list[tuple[str, str]]) -> list[str]:
    """Keys of the sources whose titles are most like `text`, best first."""
    from rapidfuzz import fuzz, process, utils

    names = [title for _, title in titles]
    found = process.extract(
        text[:200], names, scorer=fuzz.WRatio, processor=utils.default_process, score_cutoff=TITLE_CUTOFF, limit=10
    )
    return [titles[place][0] for _, _, place in found]
