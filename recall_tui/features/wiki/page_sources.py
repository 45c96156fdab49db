"""Resolve the sources of wiki pages, and check that they still exist and still say what the page cites.

Everything that `read` takes can be a source: a day, week, month, page, session, archive number or file, with lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.errors import RecallError
from recall_tui.features.documents.citations import URL_SCHEME, resolve_path
from recall_tui.features.documents.lookup import get_document
from recall_tui.features.documents.read import read_by_name
from recall_tui.features.grounding.page_note import is_citation_supported
from recall_tui.storage.documents.statements import page_statements
from recall_tui.storage.documents.wiki_page import PageSource, WikiPage
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.outline import split_lines
from recall_tui.storage.memory_context import Store
from recall_tui.text.source_ref import source_ref

if TYPE_CHECKING:
    from recall_tui.index.opener import Index


_SESSION_KINDS = frozenset(("conversation", "transcript", "summary"))
"""Document kinds of a session found by its id."""


class OpenedSource(NamedTuple):
    """The current document of a source."""

    reference: str
    """Its path relative to the memory's root, or a session's id."""
    text: str
    lines: tuple[int, int] | None
    """The cited lines; None for all."""


def get_page_source(store: Store, index: Callable[[], Index], words: str) -> PageSource:
    """Return the source for `words`, or today's log when they are empty.

    Raises NotFoundError when there is no such document or line.
    """
    if not words.strip():
        return log_of_today(store)
    found = read_by_name(store, index, words.strip()).excerpt
    path, head = found.document.path, found.document.head
    name = store.relative(path)
    if head is not None:
        name = head.session_id
    elif not path.is_relative_to(store.root):
        name = words.strip()
    if found.is_whole:
        return PageSource(name)
    return PageSource(name, found.lines[0], found.lines[1] - found.lines[0] + 1)


def log_of_today(store: Store) -> PageSource:
    """Return today's log as a source; it may not exist yet."""
    return PageSource(store.relative(store.layout.days / f"{store.now().date().isoformat()}.md"))


def open_source(store: Store, source: PageSource) -> OpenedSource | None:
    """Open the source's document; None when it no longer exists."""
    cited = resolve_path(store.layout, source.uri)
    lines = (source.start, source.start + source.lines - 1) if source.start else cited.lines
    if cited.is_there:
        return OpenedSource(cited.reference, read_text(store.root / cited.reference), lines)
    try:
        found = get_document(store, source.uri)
    except (RecallError, OSError):
        return None
    return OpenedSource(source.uri, found.text, lines) if found.kind in _SESSION_KINDS else None


def find_source_problems(store: Store, page: WikiPage) -> Iterator[tuple[str, int]]:
    """Yield what is wrong with the page's sources, with the page's line: missing, shorter, or changed."""
    opened = {source.uri: open_source(store, source) for source in page.sources if not URL_SCHEME.match(source.uri)}
    for source in page.sources:
        there = opened.get(source.uri)
        if source.uri in opened and there is None and source.uri != log_of_today(store).uri:
            yield f"its source {source.uri} is not there", 1
        elif there and source.start and source.start + source.lines - 1 > len(split_lines(there.text)):
            yield f"its source {source.uri} has no lines {source.place.rpartition(':')[2]} any more", 1
    for said in page_statements(page.body):
        is_there = said.cited is not None and resolve_path(store.layout, said.cited[0]).is_there
        if said.cited and is_there and not is_citation_supported(store, said):
            yield f"{source_ref(*said.cited)} says something else now", page.body_line + said.lines[0] - 1
