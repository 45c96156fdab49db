"""Resolve the sources of wiki pages, and check that they still exist and still say what the page cites.

Everything that `read` takes can be a source: a day, week, month, page, session, archive number or file, with lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain.documents import SESSION_KINDS, SourceRef
from recall_tui.errors import RecallError
from recall_tui.features.documents.citations import URL_SCHEME, resolve_path
from recall_tui.features.documents.lookup import get_document
from recall_tui.features.documents.read import read_by_name
from recall_tui.features.wiki.page_note import is_citation_supported
from recall_tui.storage.documents.statements import page_statements
from recall_tui.storage.documents.wiki_page import PageSource, WikiPage
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.outline import split_lines
from recall_tui.storage.memory_context import Store

if TYPE_CHECKING:
    from recall_tui.index.opener import Index


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
        return PageSource(SourceRef(name))
    return PageSource(SourceRef(name, *found.lines))


def log_of_today(store: Store) -> PageSource:
    """Return today's log as a source; it may not exist yet."""
    return PageSource(SourceRef(store.relative(store.layout.days / f"{store.now().date().isoformat()}.md")))


def open_source(store: Store, source: PageSource) -> OpenedSource | None:
    """Open the source's document; None when it no longer exists."""
    name = source.ref.document
    cited = resolve_path(store.layout, name)
    lines = source.ref.lines or cited.lines
    if cited.is_there:
        return OpenedSource(cited.reference, read_text(store.root / cited.reference), lines)
    try:
        found = get_document(store, name)
    except (RecallError, OSError):
        return None
    return OpenedSource(name, found.text, lines) if found.kind in SESSION_KINDS else None


def find_source_problems(store: Store, page: WikiPage) -> Iterator[tuple[str, int]]:
    """Yield what is wrong with the page's sources, with the page's line: missing, shorter, or changed."""
    local = [source for source in page.sources if not URL_SCHEME.match(source.ref.document)]
    opened = {source.ref.document: open_source(store, source) for source in local}
    today = log_of_today(store).ref.document
    for source in local:
        name, there = source.ref.document, opened[source.ref.document]
        if there is None and name != today:
            yield f"its source {name} is not there", 1
        elif there and source.ref.last > len(split_lines(there.text)):
            yield f"its source {name} has no lines {str(source.ref).rpartition(':')[2]} any more", 1
    for said in page_statements(page.body):
        is_there = said.cited is not None and resolve_path(store.layout, said.cited[0]).is_there
        if said.cited and is_there and not is_citation_supported(store, said):
            yield f"{said.cited} says something else now", page.body_line + said.lines[0] - 1
