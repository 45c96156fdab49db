"""A screen that archives: where a team reads the memory, it first shows how much is written and who will read it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.content import Content
from textual.message import Message

from recall_tui.tui.page import Page
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.workers import run_in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

_MAX_TITLES = 20
"""Sessions that are named before they are written."""
Begin = Callable[[Callable[[], Sequence[Path]]], None]
"""Begins to archive the transcripts that the given function finds."""


class PublicationDescribed(Message):
    """It was worked out what a team would read; `told` is empty where nobody else reads the memory."""

    def __init__(self, paths: Sequence[Path], told: Sequence[str], begin: Begin) -> None:
        super().__init__()
        self.paths = paths
        self.told = told
        self.begin = begin


class PublicationNotice(Page):
    """A page that asks before it archives into a folder that a repository commits."""

    def archive_with_notice(self, find: Callable[[], Sequence[Path]], begin: Begin) -> None:
        """Begin to archive what is found; in a team's memory only after the user has seen what the team will read."""
        from recall_tui.storage.git_exclusion import publishes_sessions

        store = self.bench.store
        if not publishes_sessions(store):
            begin(find)
            return

        def job() -> PublicationDescribed:
            from recall_tui.features.capture.project_extent import describe_publication

            paths = find()
            told = describe_publication(store, paths)
            return PublicationDescribed(paths, (*told[:1], *_list_titles(self.bench, paths), *told[1:]), begin)

        run_in_thread(self, job, "plan")

    @on(PublicationDescribed)
    def _publication_described(self, message: PublicationDescribed) -> None:
        from recall_tui.tui.screens.text_modal import PlanModal

        if not self.is_active:
            return
        if not message.told:
            message.begin(lambda: message.paths)
            return

        def answered(is_wanted: bool | None) -> None:
            if is_wanted:
                message.begin(lambda: message.paths)

        count = len(message.paths)
        title = f"Archive {count:,} session{'s' * (count != 1)} for the team"
        words = Content("\n").join(plain_text(plain_line(sentence)) for sentence in message.told)
        self.app.push_screen(PlanModal(title, words), answered)


def _list_titles(bench: Workbench, paths: Sequence[Path]) -> tuple[str, ...]:
    """The sessions that would be written, a line each; those beyond the limit as a count."""
    from recall_tui.features.documents.session_label import label_document
    from recall_tui.text.session_line import session_line

    lines = []
    for path in paths[:_MAX_TITLES]:
        label = label_document(bench.document(path))
        lines.append(f"• {session_line(label, bench.store.now()) if label else path.stem}")
    more = len(paths) - len(lines)
    return (*lines, f"… and {more:,} more") if more else tuple(lines)
