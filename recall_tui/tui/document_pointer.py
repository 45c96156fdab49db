"""The document of a row, read in a thread and ready to be shown at the row's passage.

Each function reads and returns; none of them touches a widget.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recall_tui.domain import Hit, IndexRow, WindowEntry
from recall_tui.domain.documents import SourceRef
from recall_tui.text.dates import zone_of
from recall_tui.text.session_line import session_line
from recall_tui.tui.memory_view_model import EXPECTED_ERRORS, DisplayError
from recall_tui.tui.messages import DocumentLoaded
from recall_tui.tui.screens.search.request import matched_words
from recall_tui.tui.text import plain_line, stem_pattern, strip_controls
from recall_tui.tui.widgets.markdown_lines import RenderedDocument

if TYPE_CHECKING:
    from recall_tui.features.documents.lookup import Document
    from recall_tui.workbench import Workbench


@dataclass(frozen=True, slots=True)
class DocumentPointer:
    """A document by what the workbench finds it, and what it is called until it is read."""

    reference: str
    title: str
    session_id: str = ""
    """Of a session whose transcript is gone; it is shown as it was indexed."""


Item = IndexRow | Hit | WindowEntry | DocumentPointer
MIN_CLUE_CHARS = 12
"""Characters of a snippet that must be found in its passage to tell where it stands."""
MIN_DOCUMENT_CLUE_CHARS = 32
"""And in a whole document, where a few words may stand anywhere."""
FIRST_LINES = 1_000
"""Lines that are ready before a document is shown: more than any screen holds, fewer than anyone waits for."""
MAX_SNIPPET_LINES = 12
"""Lines that a snippet reaches over at most, the blank ones between its sentences counted."""
_DELETED_NOTE = "from the index · its file is deleted"
_CHANGED_NOTE = "from the index · not in this file"


def document_reference(item: Item) -> str:
    """By what the workbench finds the document of a row."""
    if isinstance(item, Hit):
        return item.document
    if isinstance(item, DocumentPointer):
        return item.reference
    return "".join(item.archives[-1:]) if isinstance(item, WindowEntry) else str(item.number)


def document_title(item: Item) -> str:
    """What the document of a row is called until it is read."""
    if isinstance(item, Hit):
        return item.label.title if item.label is not None else item.document
    if isinstance(item, DocumentPointer):
        return item.title
    return "".join(item.archives[-1:]) if isinstance(item, WindowEntry) else f"conversation-{item.number:03d}"


def read_document(bench: Workbench, number: int, item: Item, until: int = 0) -> DocumentLoaded:
    """Read the document of a row, ready to be shown: its beginning, or all up to its passage, or up to line `until`."""
    try:
        document = bench.document(document_reference(item))
    except EXPECTED_ERRORS as error:
        if isinstance(item, Hit) and (found := _find_copy(bench, number, item)):
            return found
        if isinstance(item, DocumentPointer) and (words := _indexed_session(bench, item)):
            return DocumentLoaded(
                number, document_title(item), _rendered_beginning(bench, words, until), None, note=_DELETED_NOTE
            )
        return DocumentLoaded(
            number, document_title(item), DisplayError.of(error), item if isinstance(item, Hit) else None
        )
    if not isinstance(item, Hit):
        return DocumentLoaded(
            number,
            _loaded_title(bench, document),
            _rendered_beginning(bench, document.text, until),
            None,
            source=document,
        )
    return _at_passage(bench, number, document, item, until) or _passage_only(
        number, item, _passage_text(bench, item), _CHANGED_NOTE
    )


def _loaded_title(bench: Workbench, document: Document) -> str:
    """What a document is called that was read: a session by its label, any other by its file."""
    from recall_tui.features.documents.session_label import label_document

    label = label_document(document)
    return session_line(label, bench.store.now()) if label is not None else document.path.stem


def _hit_title(bench: Workbench, document: Document, hit: Hit) -> str:
    """What the document of a hit is called: as its row says."""
    return session_line(hit.label, bench.store.now()) if hit.label is not None else _loaded_title(bench, document)


def _rendered_beginning(bench: Workbench, text: str, until: int) -> RenderedDocument:
    """A document of which it is known how it looks up to a line, and some way on."""
    return RenderedDocument(text, max(0, until) + FIRST_LINES, zone_of(bench.store.now()))


def find_snippet_line(lines: Sequence[str], snippet: str, shortest: int = MIN_CLUE_CHARS) -> int | None:
    """The line, from 0, in which the words of a snippet begin, or a piece of them of at least so many characters."""
    wanted = _plain_words(snippet)
    texts = [_plain_words(line) for line in lines]
    starts: list[int] = []
    size = 0
    for text in texts:
        starts.append(size)
        size += len(text) + bool(text)
    whole = " ".join(filter(None, texts))
    for clue in _clues(wanted, shortest):
        if (place := whole.find(clue)) >= 0:
            return max(at for at, start in enumerate(starts) if start <= place and texts[at])
    return None


def _clues(words: str, shortest: int) -> list[str]:
    """The words, and ever shorter pieces of them; marks of markdown may part what a snippet holds together."""
    size = len(words)
    pieces = [words]
    while size >= 2 * shortest:
        size //= 2
        pieces += [words[start : start + size].strip() for start in range(0, len(words) - size + 1, max(1, size // 2))]
    return [piece for piece in pieces if piece and (len(piece) >= shortest // 2 or piece == words)]


def _plain_words(text: str) -> str:
    """Letters and digits alone, in words."""
    return plain_line(re.sub(r"\W+", " ", text)).casefold()


def _first_match_line(shown: RenderedDocument, first: int, last: int, hit: Hit) -> int:
    """The line, from 1, of the first word that was found, on or soon after the line where the snippet begins."""
    pattern = stem_pattern(matched_words(hit))
    ahead = range(first, min(first + MAX_SNIPPET_LINES, last + 1))
    return next((at for at in ahead if pattern and pattern.search(shown.raw(at - 1))), min(first, max(1, len(shown))))


def _at_passage(bench: Workbench, number: int, document: Document, hit: Hit, until: int) -> DocumentLoaded | None:
    """The document at the hit's passage; None when it does not hold that."""
    lines = document.lines_in_text(hit.lines, hit.date)
    if lines is None:
        return None
    shown = _rendered_beginning(bench, document.text, max(until, lines[1]))
    first, last = lines
    place = find_snippet_line(shown.source[first - 1 : last], hit.snippet)
    if place is None and (moved := find_snippet_line(shown.source, hit.snippet, MIN_DOCUMENT_CLUE_CHARS)) is not None:
        # The file changed since it was indexed.
        first, last, place = moved + 1, moved + 1 + last - first, 0
    last = min(last, len(shown))
    shown.grow(last + FIRST_LINES - shown.ready)
    at = _first_match_line(shown, first + (place or 0), last, hit)
    found = hit._replace(lines=(first, max(first, last)))
    return DocumentLoaded(number, _hit_title(bench, document, hit), shown, found, source=document, at=at)


def _find_copy(bench: Workbench, number: int, hit: Hit) -> DocumentLoaded | None:
    """A hit whose file is gone: in another copy of its session, else the passage alone; None when nothing is left."""
    if hit.session_id and (found := _passage_in_session(bench, number, hit)):
        return found
    words = _passage_text(bench, hit)
    return _passage_only(number, hit, words, _DELETED_NOTE) if words else None


def _passage_in_session(bench: Workbench, number: int, hit: Hit) -> DocumentLoaded | None:
    """The passage in the document that the memory keeps of its session."""
    try:
        document = bench.document(hit.session_id)
    except EXPECTED_ERRORS:
        return None
    shown = RenderedDocument(document.text, zone=zone_of(bench.store.now()))
    lines = document.lines_in_text(hit.lines, hit.date) if document.spots else None
    first, last = lines or (1, len(shown))
    place = find_snippet_line(
        shown.source[first - 1 : last], hit.snippet, MIN_CLUE_CHARS if lines else MIN_DOCUMENT_CLUE_CHARS
    )
    if place is None:
        return None
    at = _first_match_line(shown, first + place, min(last, len(shown)), hit)
    found = hit._replace(lines=lines or (first + place, at))
    return DocumentLoaded(number, _hit_title(bench, document, hit), shown, found, source=document, at=at)


def _indexed_session(bench: Workbench, item: DocumentPointer) -> str:
    """A session without its transcript, as its archive would show it; empty when nothing of it is indexed."""
    if not item.session_id:
        return ""
    from io import StringIO

    from recall_tui.index.sources.retained_sessions import retained_messages
    from recall_tui.storage.archives.body import write_body

    out = StringIO()
    write_body(retained_messages(bench.index, item.session_id), out)
    return f"# {plain_line(item.title)}\n\n{out.getvalue()}" if out.tell() else ""


def _passage_only(number: int, hit: Hit, words: str, note: str) -> DocumentLoaded:
    """The passage without its document."""
    return DocumentLoaded(number, document_title(hit), RenderedDocument(words), hit._replace(lines=(0, 0)), note=note)


def _passage_text(bench: Workbench, hit: Hit) -> str:
    """The words of a passage as they were indexed, without secrets."""
    from recall_tui.index.opener import memory_key

    try:
        reader = bench.index.reader()
        stored = reader.by_id(memory_key(bench.store), hit.id) if reader else None
    except EXPECTED_ERRORS:
        stored = None
    return stored.body if stored else hit.snippet


def row_citation(bench: Workbench, item: Item) -> str:
    """The passage of a row and where it is from, without secrets, ready to be pasted."""
    from recall_tui.text.secrets.redact import redact

    words, where = _passage_and_source(bench, item)
    return f"{redact(strip_controls(words)).strip()}\n— {plain_line(where)}"


def _passage_and_source(bench: Workbench, item: Item) -> tuple[str, str]:
    """The words of a row's passage, and where they stand."""
    if isinstance(item, DocumentPointer) and (kept := _indexed_session(bench, item)):
        return kept, f"session {item.session_id}"
    if not isinstance(item, Hit):
        document = bench.document(document_reference(item))
        words = item.summary if isinstance(item, WindowEntry) else _archive_summary(document.text)
        return words, bench.store.relative(document.path)
    where = str(SourceRef(item.document, *item.lines))
    try:
        document = bench.document(item.document)
    except EXPECTED_ERRORS:
        return _passage_text(bench, item), where
    lines = document.lines_in_text(item.lines, item.date)
    if lines is None:
        return _passage_text(bench, item), where
    return "\n".join(document.text.split("\n")[lines[0] - 1 : lines[1]]), where


def _archive_summary(text: str) -> str:
    """The summary of an archive, else its first lines."""
    match = re.search(r"^## Summary\s*\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    return match[1] if match else "\n".join(text.split("\n")[:40])
