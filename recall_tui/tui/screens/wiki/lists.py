"""The lists of the wiki: its pages, what is wrong in it, and what one page is tied to.

State is a sign and a word in every row; nothing is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from recall_tui.storage.documents.shared_wikis import PRIVATE_WIKI
from recall_tui.storage.documents.wiki_page import InvalidPage
from recall_tui.tui.screens.wiki.view_model import LintRow, PageLink, PageRow
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.row_list import RowList

_LINK_SIGNS = {"backlink": "←", "related": "↔", "source": "→"}
_LINK_LABELS = {"backlink": "links here", "related": "related", "source": ""}
_WIDE_MIN_CELLS = 44
"""Cells of a name from which there is room for what the page is about."""
_MIN_NAME_CELLS = 18
EMPTY_WIKI = Content(
    "No pages yet. A page holds what is known of one subject, with its sources.\n\n"
    "n begins one. Consolidation proposes more, and older notes come in by\n"
    "recall-tui wiki migrate-typed-memories."
)


class WikiList(RowList[PageRow]):
    """The pages, by category."""

    def __init__(self) -> None:
        super().__init__(id="pages", classes="panel")
        self.border_title = "Pages"

    def take(self, entries: Sequence[PageRow], wrong: int) -> None:
        """Show the pages as they are now."""
        count = len(entries)
        found = f"▲ {wrong} to mend" if wrong else "● in order"
        self.border_subtitle = f"{count} page{'' if count == 1 else 's'} · {found}" if count else ""
        self.show(tuple(entries), EMPTY_WIKI)

    def draw(self, item: PageRow, width: int) -> Content:
        """`JWT auth        concept    3 sources`."""
        page = item.page
        if isinstance(page, InvalidPage):
            word, state, style = "", "▲ no page", "$warning"
        elif page.is_stub:
            word, state, style = page.category, "○ stub", "$text-muted"
        else:
            word, state, style = page.category, f"● {len(page.sources)} sources", "$success"
        right = Content.assemble((f"{word:<9}", "$text-muted"), " ", (f"{state:<12}", style))
        lead = "" if item.target == PRIVATE_WIKI else f"{item.target}: "
        room = max(0, width - right.cell_length - 3)
        name = Content(plain_line(lead + item.name)).truncate(room, ellipsis=True)
        about = "" if isinstance(page, InvalidPage) else plain_line(page.description)
        if about and room >= _WIDE_MIN_CELLS:
            name = name.truncate(_MIN_NAME_CELLS, ellipsis=True)
            gap = " " * (_MIN_NAME_CELLS + 2 - name.cell_length)
            name = Content.assemble(name, gap, (about, "$text-muted")).truncate(room, ellipsis=True)
        return Content.assemble(" ", name, " " * max(0, room - name.cell_length), " ", right, " ")

    def key_of(self, item: PageRow) -> object:
        """Its wiki and slug."""
        return item.key


class LintList(RowList[LintRow]):
    """What lint found."""

    def __init__(self) -> None:
        super().__init__(id="findings", classes="panel")
        self.border_title = "To mend"

    def take(self, wrong: Sequence[LintRow]) -> None:
        """Show what is wrong now."""
        self.border_subtitle = f"{len(wrong)} · esc back" if wrong else "esc back"
        self.show(tuple(wrong), Content("Nothing is wrong: every link leads somewhere, every page has its sources."))

    def draw(self, item: LintRow, width: int) -> Content:
        """`▲ broken-link  jwt-auth  [[nowhere]] is not there`."""
        found = item.finding
        slug = found.slug if item.target == PRIVATE_WIKI else f"{item.target}: {found.slug}"
        lead = Content.assemble(" ", ("▲ ", "$warning"), f"{found.rule:<12}  ", (plain_line(slug), "bold"), "  ")
        return Content.assemble(lead, (plain_line(found.what), "$text-muted"))

    def key_of(self, item: LintRow) -> object:
        """What it is about."""
        return item.target, item.finding.slug, item.finding.rule, item.finding.what


class PageLinkList(RowList[PageLink]):
    """What the page is tied to."""

    def take(self, ties: Sequence[PageLink]) -> None:
        """Show other ties."""
        back, sources = (sum(one.kind == kind for one in ties) for kind in ("backlink", "source"))
        self.border_title = f"{back} backlink{'' if back == 1 else 's'} · {sources} source{'' if sources == 1 else 's'}"
        self.show(tuple(ties), Content("Nothing links here, and no source is named."), keep=self.current in ties)

    def draw(self, item: PageLink, width: int) -> Content:
        """`← API  links here`, `→ memory/days/2026-03-05.md:4-6`."""
        is_gone = item.source is not None and not item.source.is_there
        right = "▲ gone" if is_gone else _LINK_LABELS[item.kind]
        words = plain_text(plain_line(item.words)).truncate(max(0, width - len(right) - 5), ellipsis=True)
        gap = max(0, width - words.cell_length - len(right) - 4)
        style = "$text-muted" if is_gone else "underline"
        sign = (f"{_LINK_SIGNS[item.kind]} ", "$accent")
        return Content.assemble(" ", sign, words.stylize(style), " " * gap, (right, "$text-muted"), " ")

    def key_of(self, item: PageLink) -> object:
        """What it leads to."""
        return item.kind, item.words
