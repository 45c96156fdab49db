"""The document of a row, read in a thread and ready to be shown at the row's passage.

Each function reads and returns; none of them touches a widget.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recall_tui.domain import Hit, IndexRow, WindowEntry
from recall_tui.text.source_ref import place
from recall_tui.tui.memory_view import EXPECTED, Trouble
from recall_tui.tui.messages import DocumentRead
from recall_tui.tui.screens.search.request import words_of
from recall_tui.tui.text import clean, one_line, pattern_of_forms
from recall_tui.tui.widgets.markdown_lines import Rendered

if TYPE_CHECKING:
    from recall_tui.features.documents.lookup import Document
    from recall_tui.workbench import Workbench


@dataclass(frozen=True, slots=True)
class Pointer:
    """A document by what the workbench finds it, and what it is called until it is read."""

    reference: str
    title: str
    session_id: str = ""
    """Of a session whose transcript is gone; it is shown as it was indexed."""


Item = IndexRow | Hit | WindowEntry | Pointer
SHORTEST_CLUE = 12
"""Characters of a snippet that must be found in its passage to tell where it stands."""
CLEAR_CLUE = 32
"""And in a whole document, where a few words may stand anywhere."""
BEGINNING = 1_000
"""Lines that are ready before a document is shown: more than any screen holds, fewer than anyone waits for."""
SNIPPET_LINES = 12
"""Lines that a snippet reaches over at most, the blank ones between its sentences counted."""
_GONE = "as it was indexed · its file is gone"
_CHANGED = "as it was indexed · not in this file"


def reference_of(item: Item) -> str:
    """By what the workbench finds the document of a row."""
    if isinstance(item, Hit):
        return item.document
    if isinstance(item, Pointer):
        return item.reference
    return item.archive if isinstance(item, WindowEntry) else str(item.number)


def title_of(item: Item) -> str:
    """What the document of a row is called until it is read."""
    if isinstance(item, Hit):
        return item.document
    if isinstance(item, Pointer):
        return item.title
    return item.archive if isinstance(item, WindowEntry) else f"conversation-{item.number:03d}"


def read_document(bench: Workbench, number: int, item: Item, until: int = 0) -> DocumentRead:
    """Read the document of a row, ready to be shown: its beginning, or all up to its passage, or up to line `until`."""
    try:
        document = bench.document(reference_of(item))
    except EXPECTED as error:
        if isinstance(item, Hit) and (found := _kept(bench, number, item)):
            return found
        if isinstance(item, Pointer) and (words := _as_indexed(bench, item)):
            return DocumentRead(number, title_of(item), _begun(words, until), None, note=_GONE)
        return DocumentRead(number, title_of(item), Trouble.of(error), item if isinstance(item, Hit) else None)
    if not isinstance(item, Hit):
        return DocumentRead(number, document.path.stem, _begun(document.text, until), None, source=document)
    return _at_passage(number, document, item, until) or _alone(number, item, _words_of(bench, item), _CHANGED)


def _begun(text: str, until: int) -> Rendered:
    """A document of which it is known how it looks up to a line, and some way on."""
    return Rendered(text, max(0, until) + BEGINNING)


def place_in(lines: Sequence[str], snippet: str, shortest: int = SHORTEST_CLUE) -> int | None:
    """The line, from 0, in which the words of a snippet begin, or a piece of them of at least so many characters."""
    wanted = _bare(snippet)
    texts = [_bare(line) for line in lines]
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


def _bare(text: str) -> str:
    """Letters and digits alone, in words."""
    return one_line(re.sub(r"\W+", " ", text)).casefold()


def _seen_at(shown: Rendered, first: int, last: int, hit: Hit) -> int:
    """The line, from 1, of the first word that was found, on or soon after the line where the snippet begins."""
    pattern = pattern_of_forms(words_of(hit))
    ahead = range(first, min(first + SNIPPET_LINES, last + 1))
    return next((at for at in ahead if pattern and pattern.search(shown.raw(at - 1))), min(first, max(1, len(shown))))


def _at_passage(number: int, document: Document, hit: Hit, until: int) -> DocumentRead | None:
    """The document at the hit's passage; None when it does not hold that."""
    lines = document.lines_in_text(hit.lines, hit.date)
    if lines is None:
        return None
    shown = _begun(document.text, max(until, lines[1]))
    first, last = lines
    place = place_in(shown.source[first - 1 : last], hit.snippet)
    if place is None and (moved := place_in(shown.source, hit.snippet, CLEAR_CLUE)) is not None:
        # The file changed since it was indexed.
        first, last, place = moved + 1, moved + 1 + last - first, 0
    last = min(last, len(shown))
    shown.grow(last + BEGINNING - shown.ready)
    at = _seen_at(shown, first + (place or 0), last, hit)
    found = hit._replace(lines=(first, max(first, last)))
    return DocumentRead(number, document.path.stem, shown, found, source=document, at=at)


def _kept(bench: Workbench, number: int, hit: Hit) -> DocumentRead | None:
    """A hit whose file is gone: in another copy of its session, else the passage alone; None when nothing is left."""
    if hit.session_id and (found := _in_session(bench, number, hit)):
        return found
    words = _words_of(bench, hit)
    return _alone(number, hit, words, _GONE) if words else None


def _in_session(bench: Workbench, number: int, hit: Hit) -> DocumentRead | None:
    """The passage in the document that the memory keeps of its session."""
    try:
        document = bench.document(hit.session_id)
    except EXPECTED:
        return None
    shown = Rendered(document.text)
    lines = document.lines_in_text(hit.lines, hit.date) if document.spots else None
    first, last = lines or (1, len(shown))
    place = place_in(shown.source[first - 1 : last], hit.snippet, SHORTEST_CLUE if lines else CLEAR_CLUE)
    if place is None:
        return None
    at = _seen_at(shown, first + place, min(last, len(shown)), hit)
    found = hit._replace(lines=lines or (first + place, at))
    return DocumentRead(number, document.path.stem, shown, found, source=document, at=at)


def _as_indexed(bench: Workbench, item: Pointer) -> str:
    """A session without its transcript, as its archive would show it; empty when nothing of it is indexed."""
    if not item.session_id:
        return ""
    from io import StringIO

    from recall_tui.index.sources.retained_sessions import kept_messages
    from recall_tui.storage.archives.body import write_body

    out = StringIO()
    write_body(kept_messages(bench.index, item.session_id), out)
    return f"# {one_line(item.title)}\n\n{out.getvalue()}" if out.tell() else ""


def _alone(number: int, hit: Hit, words: str, note: str) -> DocumentRead:
    """The passage without its document."""
    return DocumentRead(number, title_of(hit), Rendered(words), hit._replace(lines=(0, 0)), note=note)


def _words_of(bench: Workbench, hit: Hit) -> str:
    """The words of a passage as they were indexed, without secrets."""
    from recall_tui.index.opener import memory_key

    try:
        reader = bench.index.reader()
        stored = reader.by_id(memory_key(bench.store), hit.id) if reader else None
    except EXPECTED:
        stored = None
    return stored.body if stored else hit.snippet


def citation(bench: Workbench, item: Item) -> str:
    """The passage of a row and where it is from, without secrets, ready to be pasted."""
    from recall_tui.text.secrets.redact import redact

    words, where = _cited(bench, item)
    return f"{redact(clean(words)).strip()}\n— {one_line(where)}"


def _cited(bench: Workbench, item: Item) -> tuple[str, str]:
    """The words of a row's passage, and where they stand."""
    if isinstance(item, Pointer) and (kept := _as_indexed(bench, item)):
        return kept, f"session {item.session_id}"
    if not isinstance(item, Hit):
        document = bench.document(reference_of(item))
        words = item.summary if isinstance(item, WindowEntry) else _summary(document.text)
        return words, bench.store.relative(document.path)
    where = place(item.document, *item.lines)
    try:
        document = bench.document(item.document)
    except EXPECTED:
        return _words_of(bench, item), where
    lines = document.lines_in_text(item.lines, item.date)
    if lines is None:
        return _words_of(bench, item), where
    return "\n".join(document.text.split("\n")[lines[0] - 1 : lines[1]]), where


def _summary(text: str) -> str:
    """The summary of an archive, else its first lines."""
    match = re.search(r"^## Summary\s*\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    return match[1] if match else "\n".join(text.split("\n")[:40])
