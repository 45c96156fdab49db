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
    missing = "" if item.is_there else "waits too" if item.is_proposed else "▲ not there"
    leads = item.is_there and (item.reference or item.day)
    right = " ".join(filter(None, (plain_line(item.weight), missing)))
    style = "underline" if leads else "$text-muted"
    words = Content(_archive_name(item) if item.session else plain_line(item.words)).stylize(style)
    session = f"  {plain_line(item.session)}" if item.session else ""
    words = Content.assemble(words, (session, "$text-muted"))
    words = words.truncate(max(0, width - len(right) - 5), ellipsis=True)
    gap = max(0, width - words.cell_length - len(right) - 4)
    return Content.assemble(" ", ("→ ", "$accent"), words, " " * gap, (right, "$text-muted"), " ")


def _archive_name(item: Citation) -> str:
    """Return `conversation-014:17-30`, which leaves room for what the session is recognized by."""
    name = plain_line(item.reference).rpartition("/")[2].removesuffix(".md")
    if item.lines is None:
        return name
    first, last = item.lines
    return f"{name}:{first}" if first == last else f"{name}:{first}-{last}"
