"""A line as a model put it: taken only when the lines that it names bear it out.

Every number, date, name, path and quoted word of it stands in those lines, and most of its other words do too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from recall_tui.storage.documents.master_file import clean_text
from recall_tui.storage.documents.statements import SourceRange
from recall_tui.storage.files.atomic import read_text
from recall_tui.text.checkable_facts import missing_facts
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.mentions import find_names
from recall_tui.text.normalized_facts import unsupported_facts

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

MAX_LINE_CHARS = 400
"""Characters of a line."""
MAX_CITATIONS = 5
"""That a line may be from."""
_MIN_WORD_OVERLAP = 0.6
"""Of the words of a line, those that its sources have as well."""
_STEM_LETTERS = 5
"""Letters by which two forms of a word are told to be one."""


class CitedLines:
    """The lines that citations lead to; each document is read once."""

    def __init__(self, store: Store, texts: Mapping[str, str]) -> None:
        """`texts` are documents as they are or would be, by path relative to the memory's root."""
        self._store = store
        self._lines = {path: text.split("\n") for path, text in texts.items()}

    def said(self, places: Iterable[SourceRange]) -> str:
        """What stands there."""
        found: list[str] = []
        for path, first, last in places:
            if path not in self._lines:
                self._lines[path] = read_text(self._store.root / path).split("\n")
            found += self._lines[path][max(0, first - 1) : last]
        return "\n".join(found)


def verify_line(text: str, said: str) -> str:
    """The line as it can stand in a page; empty when what was said does not bear it out."""
    words = clean_text(text, MAX_LINE_CHARS)
    return words if words and is_supported(words, said) else ""


def is_supported(words: str, said: str, share: float = _MIN_WORD_OVERLAP) -> bool:
    """Whether what was said bears the words out, and has `share` of them."""
    if missing_facts(words, said) or unsupported_facts(words, said):
        return False
    whole = said.casefold()
    if any(name.casefold() not in whole for name in find_names(words)):
        return False
    used = {term[:_STEM_LETTERS] for term in topic_terms(words)}
    there = {term[:_STEM_LETTERS] for term in topic_terms(said)}
    return bool(used) and len(used & there) >= share * len(used)
