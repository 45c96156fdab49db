"""The keys of the whole app as a table, for docs/keys.md; read off the bindings where they are declared.

What works at a moment is another question: see `tui.commands`.
"""

from __future__ import annotations

from textual.binding import Binding
from textual.dom import DOMNode

from recall_tui.tui.app import RecallApp
from recall_tui.tui.app_screen import AppScreen
from recall_tui.tui.page import Page
from recall_tui.tui.screen_table import SCREENS, load_screen
from recall_tui.tui.screens.distill.topic_name_modal import TopicBox
from recall_tui.tui.screens.export_name_modal import ExportBox
from recall_tui.tui.screens.first_run.folder_name_modal import FolderBox
from recall_tui.tui.screens.first_run.steps import SetupDone, SetupStep
from recall_tui.tui.screens.health.panels import AgentList, CaptureList, InstallModal, UninstallModal
from recall_tui.tui.screens.home.archive_list import ArchiveList
from recall_tui.tui.screens.home.bulk_screen import BulkActions
from recall_tui.tui.screens.home.summary_screen import SummaryActions
from recall_tui.tui.screens.reader.find_box import FindBox
from recall_tui.tui.screens.reader.reading_view import ReaderDocument
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.tui.screens.remember_modal import RememberBox
from recall_tui.tui.screens.review.proposal_card import ProposalRows
from recall_tui.tui.screens.search.search_box import SearchBox
from recall_tui.tui.screens.search.searches_modal import FilterBox, NameBox
from recall_tui.tui.screens.settings.setting_list import SettingList
from recall_tui.tui.screens.text_modal import ForgetModal, PlanModal
from recall_tui.tui.screens.timeline.citations_modal import CitationsModal
from recall_tui.tui.screens.timeline.date_modal import DateBox
from recall_tui.tui.screens.timeline.heat_map import HeatMap
from recall_tui.tui.screens.timeline.report_modal import ReportModal
from recall_tui.tui.screens.timeline.tree import TimelineTree
from recall_tui.tui.screens.wiki.page_name_modal import CategoryModal, PageNameBox
from recall_tui.tui.screens.wiki.page_view import WikiPageView
from recall_tui.tui.widgets.diff_view import DiffView
from recall_tui.tui.widgets.document_view import DocumentView
from recall_tui.tui.widgets.row_list import RowList

_KEY_NAMES = {
    "slash": "/",
    "plus": "+",
    "question_mark": "?",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "escape": "esc",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "delete": "del",
}


def render_key_table() -> list[tuple[str, str, str, str]]:
    """Keys, what they do, where they work, and the command's name in the settings."""
    places: list[tuple[type[DOMNode], str]] = [(RecallApp, "everywhere"), (AppScreen, "everywhere"), (Page, "screens")]
    places += [(load_screen(entry), entry.title) for entry in SCREENS]
    places += [(SummaryActions, "Home"), (BulkActions, "Home"), (ArchiveList, "Home"), (ExportBox, "export")]
    places += [(RowList, "lists"), (SearchBox, "search"), (DocumentView, "documents"), (ReaderScreen, "reader")]
    places += [(ReaderDocument, "reader"), (FindBox, "find in the reader")]
    places += [(RememberBox, "a line to remember")]
    places += [(FilterBox, "earlier searches"), (NameBox, "name of a search")]
    places += [
        (CaptureList, "sessions that expire"),
        (AgentList, "agents"),
        (InstallModal, "installing"),
        (UninstallModal, "uninstalling"),
        (PlanModal, "plans"),
        (SetupStep, "first run"),
        (SetupDone, "first run"),
        (ForgetModal, "forgetting"),
        (SettingList, "settings"),
        (ProposalRows, "proposal"),
    ]
    places += [(DiffView, "changes"), (TopicBox, "topic name"), (FolderBox, "folder")]
    places += [
        (HeatMap, "year of days"),
        (TimelineTree, "timeline"),
        (DateBox, "date in words"),
        (CitationsModal, "links"),
        (ReportModal, "report"),
    ]
    places += [(WikiPageView, "wiki page"), (PageNameBox, "page name"), (CategoryModal, "page category")]
    return [row for node, where in places for row in _rows(node, where)]


def _rows(node: type[DOMNode], where: str) -> list[tuple[str, str, str, str]]:
    rows = []
    for binding in node.__dict__.get("BINDINGS", ()):
        if isinstance(binding, Binding) and binding.description and not binding.system:
            keys = " ".join(_KEY_NAMES.get(key, key) for key in binding.key.split(","))
            rows.append((keys, binding.tooltip or binding.description, where, binding.id or ""))
    return rows
