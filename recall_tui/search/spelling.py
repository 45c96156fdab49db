"""Spelling: what a word that is nowhere in the memory was probably meant to be, or the beginning of.

A correction is always a word that is there; a word that is there is never corrected, nor is an English one. The index
finds passages with a word like it, however large its dictionary; which word that is, those passages say.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from recall_tui.index.text import schema
from recall_tui.index.text.passage import VISIBLE_PARTITIONS
from recall_tui.search import filters as constraint

if TYPE_CHECKING:
    import tantivy

    from recall_tui.index.text.reader import PassageReader
    from recall_tui.index.text.stored_passage import StoredPassage

MIN_WORD_CHARS = 4
"""Shorter words are a letter away from too many others."""
MAX_EDITS = 2
"""Letters wrong, missing, too many or swapped in a word of six letters or more; in a shorter one it is one."""
MIN_TITLE_SIMILARITY = 75.0
"""Least similarity of a title to the whole question, from 0 to 100."""
MAX_CACHED_CORRECTIONS = 1_000
"""Corrections that are kept."""
MIN_PREFIX_CHARS = 3
MIN_OPEN_PREFIX_CHARS = 4
"""Characters of the beginning of a word that may go on with letters, and not only with a number."""
MAX_COMPLETIONS = 5
SAMPLE_PASSAGES = 12
"""Passages of each shelf that are asked which word it is."""


def is_english(stem: str) -> bool:
    """Whether a stem is that of a common English word, which nobody meant to be another."""
    return f"\n{stem}\n" in _english_stems()


@cache
def _english_stems() -> str:
    """The stems of common words, one on each line.

    They are those of Webster's Second (1934, public domain) that are in use, and newer ones.
    """
    from recall_tui import resources

    return "\n" + resources.read_template("words/english.txt")


def correct_word(reader: PassageReader, within: tantivy.Query | None, word: str) -> str:
    """The word of the passages in `within`, or of all, that is most like `word`; empty for none."""
    if len(word) < MIN_WORD_CHARS or any(map(str.isdigit, word)):
        return ""
    # Who types a question asks for its first words again with every letter.
    key = ("" if within is None else repr(within), word)
    if key not in reader.memo:
        if len(reader.memo) >= MAX_CACHED_CORRECTIONS:
            reader.memo.clear()
        reader.memo[key] = _closest_word(reader, within, word)
    return reader.memo[key]


def complete_word(reader: PassageReader, within: tantivy.Query | None, word: str) -> list[str]:
    """The words of the passages in `within`, or of all, that begin with `word`; the most frequent few.

    An English word is a whole one, and goes on only with a number, as `swan` does in `swan7`.
    """
    if len(word) < MIN_PREFIX_CHARS or any(map(str.isdigit, word)):
        return []
    from tantivy import Query

    is_open = len(word) >= MIN_OPEN_PREFIX_CHARS and not any(map(is_english, schema.terms(schema.STEMMED, word)))
    sought = Query.fuzzy_term_query(reader.schema, "plain", word, distance=0, prefix=True)
    bound = constraint.and_query(within, constraint.unscored(sought))
    found = {
        term
        for shelf in VISIBLE_PARTITIONS
        for _, address in reader.top(bound, SAMPLE_PASSAGES, shelf)
        for term in _terms(reader.stored(address), "plain")
        if term.startswith(word) and term != word and (is_open or term[len(word) :].isdigit())
    }
    return sorted(found, key=lambda term: (-reader.frequency("plain", term), term))[:MAX_COMPLETIONS]


def _closest_word(reader: PassageReader, within: tantivy.Query | None, word: str) -> str:
    for edits in range(1, (MAX_EDITS if len(word) > 5 else 1) + 1):
        if found := _similar_words(reader, within, word, edits):
            return min(found, key=lambda term: (found[term], -reader.frequency("plain", term), term))
    return ""


def _similar_words(reader: PassageReader, within: tantivy.Query | None, word: str, edits: int) -> dict[str, int]:
    """Words at most `edits` letters from `word`, with how many they are."""
    from rapidfuzz.distance import OSA
    from tantivy import Query

    found: dict[str, int] = {}
    for field in ("plain", "parts"):
        sought = Query.fuzzy_term_query(reader.schema, field, word, distance=edits)
        for shelf in VISIBLE_PARTITIONS:
            for _, address in reader.top(
                constraint.and_query(within, constraint.unscored(sought)), SAMPLE_PASSAGES, shelf
            ):
                for term in _terms(reader.stored(address), field):
                    if abs(len(term) - len(word)) <= edits and term not in found:
                        distance = OSA.distance(word, term, score_cutoff=edits)
                        if 0 < distance <= edits:
                            found[term] = distance
        if found:
            break
    return found


def _terms(passage: StoredPassage, field: str) -> set[str]:
    if field == "parts":
        return set(schema.terms(schema.PLAIN, passage.parts))
    return set(schema.terms(schema.PLAIN, passage.body))


def similar_titles(text: str, titles: list[tuple[str, str]]) -> list[str]:
    """Keys of the sources whose titles are most like `text`, best first."""
    from rapidfuzz import fuzz, process, utils

    names = [title for _, title in titles]
    found = process.extract(
        text[:200],
        names,
        scorer=fuzz.WRatio,
        processor=utils.default_process,
        score_cutoff=MIN_TITLE_SIMILARITY,
        limit=10,
    )
    return [titles[place][0] for _, _, place in found]
