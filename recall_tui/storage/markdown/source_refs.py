"""The documents that a page cites, in its text, with or without line numbers.

A path outside the memory's root is never one of its documents, however a page spells it.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from recall_tui.domain.documents import SOURCE_LINES, SourceRef
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.lazy_pattern import lazy_pattern

CITATION = lazy_pattern(rf"(?<![\w./-])((?:[\w.-]{{1,80}}/){{0,8}}[\w.-]{{1,120}}\.md)(?:{SOURCE_LINES})?(?![\w/])")
"""A document, and its first and last line where given."""


def resolve_document(store: Store, name: str) -> str:
    """Resolve a document named by a page to its path relative to the root; empty when there is none.

    Designs omit the memory's folder or the extension: `weekly/2026-W10` is `memory/weekly/2026-W10.md`.
    """
    if "\0" in name or ".." in PurePosixPath(name).parts or name.startswith("/"):
        return ""
    named = name if name.endswith(".md") else f"{name}.md"
    for folder in (store.root, store.layout.memory_file.parent):
        path = folder / named
        if path.is_file() and path.is_relative_to(store.root):
            return store.relative(path)
    return ""


def document_text(store: Store, document: str) -> str:
    """Return the text of a document of the memory; empty when it cannot be read."""
    try:
        return read_text(store.root / document)
    except OSError:
        return ""


def find_citations(store: Store, text: str) -> frozenset[SourceRef]:
    """Return the documents that a page's text cites."""
    found = set()
    for match in CITATION.finditer(text):
        if document := resolve_document(store, match[1]):
            first = int(match[2] or 0)
            found.add(SourceRef(document, first, int(match[3] or first)) if first else SourceRef(document))
    return frozenset(found)
