"""What was done in a span of days, over the timeline: its sessions, what they settled and what they left open."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message

from recall_tui.text.dates import parse_since, zone_of
from recall_tui.tui.modal import Modal
from recall_tui.tui.screens.timeline.labels import count_text, format_day, node_name
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.document_view import DocumentView
from recall_tui.tui.widgets.footer import KeyFooter
from recall_tui.tui.widgets.markdown_lines import RenderedDocument

if TYPE_CHECKING:
    from recall_tui.tui.screens.timeline.nodes import TimelineNode
    from recall_tui.workbench import Workbench

_SPANS = ("month", "week", "day")


class ReportReady(Message):
    """The report of a span was made."""

    def __init__(self, span: str, count: int, left_open: int, text: str) -> None:
        super().__init__()
        self.span = span
        self.count = count
        """Sessions in it."""
        self.left_open = left_open
        self.text = text


def make_report(bench: Workbench, node: TimelineNode | None) -> ReportReady:
    """Report the month, week or earlier day of a row; for any other row what was done since yesterday."""
    from recall_tui.features.documents.work_report import find_sessions, render_report

    now = bench.store.now()
    since, until, span = parse_since("yesterday", now), None, "Since yesterday"
    yesterday = now.date() - timedelta(days=1)
    if node is not None and node.kind in _SPANS and node.first and node.last and node.first < yesterday:
        since = datetime.combine(node.first, time(), now.tzinfo)
        until = datetime.combine(node.last + timedelta(days=1), time(), now.tzinfo)
        span = format_day(node.first) if node.first == node.last else node_name(node)
    assert since is not None
    found = find_sessions(bench.store, since, until)
    left_open = sum(len(one.left_open) for one in found)
    return ReportReady(span, len(found), left_open, render_report(found, "project", zone_of(now)))


class ReportModal(Modal[None]):
    """The report in its panel."""

    AUTO_FOCUS = "#report-text"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Back", tooltip="Back to the timeline", id="close_report"),
        Binding("y", "copy", "Copy", tooltip="Copy the report as Markdown", id="copy_report"),
    ]

    def __init__(self, report: ReportReady, copy: Callable[[str], None]) -> None:
        super().__init__()
        self._report = report
        self._copy = copy

    def compose(self) -> ComposeResult:
        """The report, with what it comes to in the border."""
        panel = Vertical(id="report", classes="panel")
        panel.border_title = plain_text(plain_line(f"Report · {self._report.span}"))
        left_open = f"{self._report.left_open} left open" if self._report.left_open else "nothing left open"
        panel.border_subtitle = f"{count_text(self._report.count, 'session')} · {left_open}"
        with panel:
            yield DocumentView(id="report-text")
        yield KeyFooter(has_palette=False)

    def on_mount(self) -> None:
        """Show it."""
        self.query_one(DocumentView).show(RenderedDocument(self._report.text))

    def action_copy(self) -> None:
        """Copy it."""
        self._copy(self._report.text)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)
