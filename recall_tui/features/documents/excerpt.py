"""A document, some of its lines, or a passage by its id: what a person means by one word.

A passage is given as it was indexed, so that one of a vanished file can still be had.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recall_tui.domain.documents import parse_source_ref
from recall_tui.errors import NotFoundError
from recall_tui.features.documents.lookup import TRANSCRIPT_SUFFIXES, Document, get_conversation, get_document
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from recall_tui.storage.memory_context import Store
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from recall_tui.domain import Hit
    from recall_tui.index.opener import Index
    from recall_tui.index.text.stored_passage import StoredPassage

HIT_CONTEXT_LINES = 12
"""Lines shown above and below a hit in a conversation."""
_PASSAGE_ID = lazy_pattern(r"[0-9a-f]{16}\.[a-z]?\d{1,9}")
"""The id of a passage, as ranked search prints it."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A document, and what of it is meant."""

    document: Document
    lines: tuple[int, int]
    """The first and last line, from 1."""
    text: str
    is_whole: bool = True


def get_excerpt(
    store: Store, index: Callable[[], Index], reference: str, find: Callable[[Store, str], Document] = get_document
) -> Excerpt:
    """What `reference` names: a document as `find` has it, its lines (`14:40-58`), or a passage's id.

    A session whose transcript vanished is given as it was indexed. NotFoundError when there is no such document or no
    such line.
    """
    try:
        return whole_document(_find_document(store, index, reference, find))
    except NotFoundError:
        if _PASSAGE_ID.fullmatch(reference) and (found := _passage_excerpt(store, index(), reference)):
            return found
        ref = parse_source_ref(reference)
        if not ref.first:
            raise
    found_in = _find_document(store, index, ref.document, find)
    first, last = ref.first, ref.last
    if found_in.spots and ("/" in ref.document or ref.document.endswith(TRANSCRIPT_SUFFIXES)):
        # Search names lines of the transcript itself, which is shown as its archive would be.
        if (count := max(spot.line for spot in found_in.spots)) < first:
            raise NotFoundError(f"{found_in.title} has no lines {reference.rpartition(':')[2]}", f"it has {count}")
        first, last = found_in.lines_in_text((first, last)) or (first, last)
    text = "".join(found_in.text.splitlines(keepends=True)[first - 1 : last])
    if not text:
        count = len(found_in.text.splitlines())
        raise NotFoundError(f"{found_in.title} has no lines {reference.rpartition(':')[2]}", f"it has {count}")
    return Excerpt(found_in, (first, first + len(text.splitlines()) - 1), text, is_whole=False)


def find_excerpt(
    store: Store, index: Callable[[], Index], reference: str, find: Callable[[Store, str], Document] = get_document
) -> Excerpt:
    """Return what `get_excerpt` does; `@3` is the third hit of the last search, a session's with the lines around it.

    A hit whose file vanished is shown as it was indexed.
    """
    from recall_tui.storage.state.last_search import find_hit

    hit = find_hit(store, reference)
    if hit is None:
        return get_excerpt(store, index, reference, find)
    if find not in (get_document, get_conversation):
        return whole_document(find(store, hit.session_id or hit.document))
    try:
        found = get_excerpt(store, index, hit.source)
    except NotFoundError:
        if not hit.passage:
            raise
        return get_excerpt(store, index, hit.passage)
    if found.document.kind not in ("transcript", "conversation"):
        return found
    text = found.document.text
    lines = text.splitlines(keepends=True)
    body = len(text.removesuffix(split_frontmatter(text)[1]).splitlines()) + 1
    first = max(found.lines[0] - HIT_CONTEXT_LINES, min(body, found.lines[0]))
    last = min(found.lines[1] + HIT_CONTEXT_LINES, len(lines))
    return Excerpt(found.document, (first, last), "".join(lines[first - 1 : last]), is_whole=False)


def _find_document(
    store: Store, index: Callable[[], Index], reference: str, find: Callable[[Store, str], Document]
) -> Document:
    try:
        return find(store, reference)
    except NotFoundError:
        if find not in (get_document, get_conversation):
            raise
        from recall_tui.features.documents.vanished_session import find_vanished_session

        if vanished := find_vanished_session(store, index, reference):
            return vanished
        raise


def whole_document(document: Document) -> Excerpt:
    """All of a document."""
    return Excerpt(document, (1, len(document.text.splitlines())), document.text)


def passage_text(store: Store, index: Index, hit: Hit) -> str:
    """The whole passage that a hit shows a part of; empty when the index has it no longer."""
    from recall_tui.index.opener import memory_key

    reader = index.reader()
    passage = reader.by_id(memory_key(store), hit.id) if reader else None
    return passage.body if passage else ""


def look_up_passage(store: Store, index: Index) -> Callable[[str], StoredPassage | None]:
    """The passages of the index by their ids, as far as the memory may see them."""
    from recall_tui.index.opener import memory_key

    reader, memory = index.reader(), memory_key(store)
    return lambda identifier: reader.by_id(memory, identifier) if reader else None


def _passage_excerpt(store: Store, index: Index, identifier: str) -> Excerpt | None:
    from recall_tui.index.opener import memory_key

    reader = index.reader()
    found = reader.by_id(memory_key(store), identifier) if reader else None
    if found is None:
        return None
    text = found.body.rstrip("\n") + "\n"
    document = Document(store.root / found.document, found.title, text, found.kind)
    return Excerpt(document, found.lines, text, is_whole=False)
