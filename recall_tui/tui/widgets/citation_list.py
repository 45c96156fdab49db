"""The evidence of a page, as rows that link to it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from recall_tui.features.documents.citations import Citation
from recall_tui.tui.text import plain_line
from recall_tui.tui.widgets.row_list import RowList

_EMPTY = Content("This page cites no sources.")


class CitationList(RowList[Citation]):
    """A list of links to the evidence."""

    def take(self, found: Sequence[Citation]) -> None:
        """Show the citations of a page; the cursor stays on its citation if that is still there."""
        self.show(tuple(found), _EMPTY, keep=self.current in found)

    def draw(self, item: Citation, width: int) -> Content:
        """Render a citation as a link."""
        return render_citation(item, width)

    def key_of(self, item: Citation) -> object:
        """Return the target of the link."""
        return item.reference, item.day, item.lines


def render_citation(item: Citation, width: int) -> Content:
    """Render `→ memory/2026-03-05.md  0.42`, with a mark if the target is missing or is itself a proposal."""
    missing = "" if item.is_there else "waits too" if item.is_proposed else "▲ gone"
    right = " ".join(filter(None, (plain_line(item.weight), missing)))
    words = Content(plain_line(item.words)).truncate(max(0, width - len(right) - 5), ellipsis=True)
    gap = max(0, width - words.cell_length - len(right) - 4)
    leads = item.is_there and (item.reference or item.day)
    style = "underline" if leads else "$text-muted"
    return Content.assemble(" ", ("→ ", "$accent"), words.stylize(style), " " * gap, (right, "$text-muted"), " ")
