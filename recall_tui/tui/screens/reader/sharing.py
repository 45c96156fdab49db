"""A document, or a passage of it, as one HTML page for others: tools folded, thoughts left out, secrets masked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.features.documents.excerpt import Excerpt, whole_document
from recall_tui.features.documents.session_label import label_document
from recall_tui.text.cut import shorten
from recall_tui.tui.text import plain_line

if TYPE_CHECKING:
    from recall_tui.features.documents.lookup import Document
    from recall_tui.workbench import Workbench

_MAX_NAME_CHARS = 48
_NOT_NAME = re.compile(r"[^a-z0-9]+")


def suggest_name(document: Document) -> str:
    """Return a file in the home folder that is named after the session or the document."""
    label = label_document(document)
    title = label.title if label is not None else document.path.stem
    words = _NOT_NAME.sub("-", shorten(plain_line(title).lower(), _MAX_NAME_CHARS, "")).strip("-")
    return f"~/{words or 'session'}.html"


def share(bench: Workbench, document: Document, lines: tuple[int, int] | None, to: Path) -> str:
    """Write a document, or only some of its lines, to a new file; return what came of it."""
    from recall_tui.features.transfer.export import parts_renderer, write_export

    part = whole_document(document)
    if lines is not None:
        text = "\n".join(document.text.split("\n")[lines[0] - 1 : lines[1]]) + "\n"
        part = Excerpt(document, lines, text, is_whole=False)
    made = write_export(bench.store, parts_renderer(bench.store, [part], has_thoughts=False), to)
    masked = f"{made.masked} secret{'s' * (made.masked != 1)} masked" if made.masked else "no secrets in it"
    return f"Shared to {plain_line(str(made.path))}, {masked}"
