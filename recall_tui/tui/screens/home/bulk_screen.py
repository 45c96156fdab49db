"""A screen whose rows can be archived, exported and forgotten: those that are marked, or else the one under the cursor.

One work goes on at a time. Forgetting shows what goes before it does, for nothing brings it back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.message import Message

from recall_tui.domain import Hit
from recall_tui.tui import messages
from recall_tui.tui.document_pointer import Item, document_reference
from recall_tui.tui.keys.key_labels import busy_reason, key_label
from recall_tui.tui.screens.home.publication_notice import PublicationNotice
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.row_list import NO_ROW
from recall_tui.tui.workers import run_in_thread

if TYPE_CHECKING:
    from recall_tui.domain import Plan
    from recall_tui.tui.screens.home.archive_list import ArchiveList
    from recall_tui.workbench import Workbench

_NO_TRANSCRIPT = "Nothing to archive: every row is archived"
MAX_FILES_LISTED = 40
"""Files of one kind that are named before something goes; more are counted."""


class BulkActions(PublicationNotice):
    """A page with rows that can be marked."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "archive", "Archive", show=False, tooltip="Archive the marked transcripts", id="archive"),
        Binding("e", "export", "Export", show=False, tooltip="Export the marked rows to one file", id="export"),
        Binding(
            "F", "forget", "Forget", show=False, tooltip="Remove the marked rows everywhere, for good", id="forget"
        ),
    ]
    _stop: Event | None = None
    """Stops the work that goes on."""

    if TYPE_CHECKING:

        @property
        def archive(self) -> ArchiveList:
            """Where rows are marked."""

        @property
        def current(self) -> Item | None:
            """What is under the cursor."""

    def chosen(self) -> Sequence[Item]:
        """What is marked, or else what is under the cursor."""
        current = self.current
        return self.archive.marked or ([current] if current is not None else [])

    @property
    def is_at_work(self) -> bool:
        """Whether something goes on that can be stopped."""
        return self._stop is not None

    @property
    def _stop_key(self) -> str:
        return key_label(self.bench, "back", "escape")

    def stop_work(self) -> None:
        """Stop what goes on in good order."""
        if self._stop is not None:
            self._stop.set()

    def on_unmount(self) -> None:
        """Leave no work behind."""
        self.stop_work()

    def action_archive(self) -> None:
        """Archive the transcripts among what is chosen."""
        chosen = transcript_paths(self.chosen())
        self.archive_with_notice(lambda: chosen, self._archive)

    def _archive(self, find: Callable[[], Sequence[Path]]) -> None:
        from recall_tui.tui.screens.home.archive_progress import archive_all

        paths, bench, app = find(), self.bench, self.app
        self._stop = stop = Event()
        key = self._stop_key

        def progress(done: int) -> None:
            self.post_message(messages.WorkProgressed(f"archiving {done + 1} of {len(paths)} · {key} stops"))

        def work() -> Message:
            done = archive_all(bench, paths, progress, lambda: stop.is_set() or not app.is_running)
            return messages.SessionsArchived(done)

        run_in_thread(self, work, "bulk", messages.WorkFailed)

    @on(messages.SessionsArchived)
    def _archived(self, message: messages.SessionsArchived) -> None:
        self._end()
        self.host.say(message.done.words)
        self.archive.unmark()
        self.action_look_again()

    @on(messages.WorkProgressed)
    def _progressed(self, message: messages.WorkProgressed) -> None:
        if self.is_at_work:
            self.archive.tell(message.words)

    @on(messages.WorkFailed)
    def _failed(self, message: messages.WorkFailed) -> None:
        self._end()
        self.host.complain(message.trouble)

    def _end(self) -> None:
        self._stop = None
        self.archive.tell("")
        self.refresh_bindings()

    def action_export(self) -> None:
        """Ask for the file, and write what is chosen there."""
        from recall_tui.tui.screens.export_name_modal import ExportNameModal

        references = session_references(self.chosen())
        environment = self.bench.store.environment

        def named(path: Path | None) -> None:
            if path is not None:
                self._work(lambda: export_rows(self.bench, references, path), has_changed=False)

        suggested = f"~/recall-{self.bench.store.now().date().isoformat()}.md"
        self.app.push_screen(ExportNameModal(environment, f"Export {len(references)}", suggested), named)

    def action_forget(self) -> None:
        """Work out what would go, and show it."""
        from recall_tui.features.erasure.forget import forget

        references, bench = session_references(self.chosen()), self.bench
        run_in_thread(self, lambda: messages.ForgetPlanned(references, bench.preview(forget, references)), "plan")

    @on(messages.ForgetPlanned)
    def _forgetting_planned(self, message: messages.ForgetPlanned) -> None:
        from recall_tui.tui.screens.text_modal import ForgetModal

        if not self.is_active:
            return
        plan: Plan = message.plan

        def answered(is_wanted: bool | None) -> None:
            if is_wanted:
                self._work(lambda: forget_rows(self.bench, message.references, plan), has_changed=True)

        count = len(message.references)
        title = f"Forget {count} for good" if count > 1 else "Forget this for good"
        self.app.push_screen(ForgetModal(title, plain_text(describe_forget(plan))), answered)

    def _work(self, work: Callable[[], str], *, has_changed: bool) -> None:
        self._stop = Event()
        run_in_thread(self, lambda: messages.BulkFinished(work(), has_changed), "bulk", messages.WorkFailed)

    @on(messages.BulkFinished)
    def _bulk_done(self, message: messages.BulkFinished) -> None:
        self._end()
        self.host.say(message.words)
        if message.has_changed:
            self.archive.unmark()
            self.action_look_again()

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """What stands in the way of dealing with rows."""
        if action not in ("archive", "export", "forget"):
            return super().why_not(action, parameters)
        if self.is_at_work:
            return busy_reason(self._stop_key)
        chosen = self.chosen()
        if action == "archive" and not transcript_paths(chosen):
            return _NO_TRANSCRIPT if chosen else NO_ROW
        return "" if chosen else NO_ROW


def transcript_paths(items: Sequence[Item]) -> list[Path]:
    """The transcripts among the rows; archives have been archived."""
    hits = (item for item in items if isinstance(item, Hit) and item.kind == "transcript")
    return list(dict.fromkeys(Path(hit.document) for hit in hits))


def session_references(items: Sequence[Item]) -> tuple[str, ...]:
    """By what sessions are forgotten: their ids where there is one, else where they stand."""
    named = (
        item.session_id if isinstance(item, Hit) and item.session_id else document_reference(item) for item in items
    )
    return tuple(dict.fromkeys(named))


def describe_forget(plan: Plan) -> str:
    """What forgetting removes, changes and leaves, a line each."""
    parts = (
        ("removed", "goes"),
        ("changed", "is rewritten without it"),
        ("transcripts", "stays: it belongs to the agent"),
    )
    lines = [line for name, words in parts for line in _named_files(plan.facts.get(name), words)]
    notes = ["", *(plain_line(note) for note in plan.notes)] if plan.notes else []
    return "\n".join((*lines, *notes, "", "This cannot be undone."))


def _named_files(found: object, words: str) -> list[str]:
    names = list(map(str, found)) if isinstance(found, list | tuple) else []
    shown = [f"{plain_line(name)}  {words}" for name in names[:MAX_FILES_LISTED]]
    return [*shown, f"and {len(names) - MAX_FILES_LISTED} more"] if len(names) > MAX_FILES_LISTED else shown


def forget_rows(bench: Workbench, references: Sequence[str], seen: Plan) -> str:
    """Forget as it was planned; what came of it."""
    entry, cleared = bench.eraser.forget(*references, seen=seen)
    title = plain_line(entry.title if entry is not None else seen.title)
    back = f"\n{plain_line(seen.no_way_back)}" if seen.no_way_back else ""
    left = "".join(f"\nleft: {plain_line(words)}" for words in cleared.left)
    return f"{title}, everywhere{back}{left}"


def export_rows(bench: Workbench, references: Sequence[str], to: Path) -> str:
    """Export to one file; what came of it."""
    made = bench.export(list(references), to)
    masked = f", {made.masked} secret{'s' * (made.masked != 1)} masked" if made.masked else ""
    return f"Exported {made.items} to {plain_line(str(made.path))}, verified{masked}"
