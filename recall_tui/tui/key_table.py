"""The keys of the whole app as a table, for the README; read off the bindings where they are declared.

What works at a moment is another question: see `commands.live`.
"""

from __future__ import annotations

from textual.binding import Binding
from textual.dom import DOMNode

from recall_tui.tui.app import RecallApp
from recall_tui.tui.app_screen import AppScreen
from recall_tui.tui.page import Page
from recall_tui.tui.screen_table import SCREENS, load
from recall_tui.tui.screens.distill.topic_name import TopicBox
from recall_tui.tui.screens.first_run.folder_name import FolderBox
from recall_tui.tui.screens.health.health_list import AgentList, CaptureList
from recall_tui.tui.screens.health.install_plan import InstallShown, UninstallShown
from recall_tui.tui.screens.home.archive_list import ArchiveList
from recall_tui.tui.screens.home.bulk_screen import Bulk
from recall_tui.tui.screens.home.export_name import ExportBox
from recall_tui.tui.screens.home.summary_screen import Summarizing
from recall_tui.tui.screens.reader.find_box import FindBox
from recall_tui.tui.screens.reader.reading_view import ReadingView
from recall_tui.tui.screens.reader.screen import Reader
from recall_tui.tui.screens.review.proposal_card import CardRows
from recall_tui.tui.screens.search.search_box import SearchBox
from recall_tui.tui.screens.search.searches_modal import FilterBox, NameBox
from recall_tui.tui.screens.settings.setting_list import SettingList
from recall_tui.tui.screens.text_modal import ForgettingShown, PlanShown
from recall_tui.tui.screens.timeline.citations import Links
from recall_tui.tui.screens.timeline.date_modal import DateBox
from recall_tui.tui.screens.timeline.heat_map import HeatMap
from recall_tui.tui.screens.timeline.tree import TimeTree
from recall_tui.tui.screens.wiki.page_name import Categories, PageNameBox
from recall_tui.tui.screens.wiki.page_view import WikiPageView
from recall_tui.tui.widgets.diff_view import DiffView
from recall_tui.tui.widgets.document_view import DocumentView
from recall_tui.tui.widgets.row_list import Rows

_NAMES = {
    "slash": "/",
    "question_mark": "?",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "escape": "esc",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "delete": "del",
}


def table() -> list[tuple[str, str, str, str]]:
    """Keys, what they do, where they work, and the command's name in the settings."""
    places: list[tuple[type[DOMNode], str]] = [(RecallApp, "everywhere"), (AppScreen, "everywhere"), (Page, "screens")]
    places += [(load(entry), entry.title) for entry in SCREENS]
    places += [(Summarizing, "Home"), (Bulk, "Home"), (ArchiveList, "Home"), (ExportBox, "export")]
    places += [(Rows, "lists"), (SearchBox, "search"), (DocumentView, "documents"), (Reader, "reader")]
    places += [(ReadingView, "reader"), (FindBox, "find in the reader")]
    places += [(FilterBox, "earlier searches"), (NameBox, "name of a search")]
    places += [
        (CaptureList, "sessions that expire"),
        (AgentList, "agents"),
        (InstallShown, "installing"),
        (UninstallShown, "uninstalling"),
        (PlanShown, "plans"),
        (ForgettingShown, "forgetting"),
        (SettingList, "settings"),
        (CardRows, "proposal"),
    ]
    places += [(DiffView, "changes"), (TopicBox, "topic name"), (FolderBox, "folder")]
    places += [(HeatMap, "year of days"), (TimeTree, "timeline"), (DateBox, "date in words"), (Links, "links")]
    places += [(WikiPageView, "wiki page"), (PageNameBox, "page name"), (Categories, "page category")]
    return [row for node, where in places for row in _rows(node, where)]


def _rows(node: type[DOMNode], where: str) -> list[tuple[str, str, str, str]]:
    rows = []
    for binding in node.__dict__.get("BINDINGS", ()):
        if isinstance(binding, Binding) and binding.description and not binding.system:
            keys = " ".join(_NAMES.get(key, key) for key in binding.key.split(","))
            rows.append((keys, binding.tooltip or binding.description, where, binding.id or ""))
    return rows
