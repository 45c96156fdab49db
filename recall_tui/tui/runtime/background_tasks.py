"""What the app does by itself while it is open: the index kept fresh, health taken, files followed, toasts made.

All of it starts after the first paint and ends with the app.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.app import App
from textual.reactive import reactive
from textual.signal import Signal

from recall_tui.domain import HealthReport
from recall_tui.environment import Environment
from recall_tui.index.text.writer import trim_heap, use_single_arena
from recall_tui.tui import messages
from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.runtime import textual_repairs
from recall_tui.tui.runtime.terminal_title import TerminalTitle
from recall_tui.tui.text import display_path, shorten_home, strip_controls
from recall_tui.tui.workers import Debouncer, run_in_thread

if TYPE_CHECKING:
    from recall_tui.index.build_progress import BuildProgress
    from recall_tui.tui.runtime.file_watcher import FileWatcher
    from recall_tui.workbench import Workbench

BUSY_AFTER_SECONDS = 0.15
"""Seconds before work in the background is spoken of."""


class BackgroundTasks(App[int]):
    """An app that tends one memory at a time."""

    health: reactive[HealthReport | None] = reactive(None)
    busy = reactive("")
    proposals = reactive(0)
    """Proposals that wait in Review."""

    def __init__(self, sheets: list[Path], environment: Environment, *, follows: bool) -> None:
        use_single_arena()
        textual_repairs.clear_render_caches()
        textual_repairs.patch_past_timers()
        super().__init__(css_path=list(sheets))
        self.environment = environment
        self.memory_changed: Signal[None] = Signal(self, "memory_changed")
        """Published when the memory's files are other than what is shown."""
        self.index_changed: Signal[None] = Signal(self, "index_changed")
        """Published when something else can be found than before."""
        self.delays = Debouncer(self)
        self._tended: Workbench | None = None
        self._follows = follows
        self._follower: FileWatcher | None = None
        self._title = TerminalTitle(self._write)
        self._percent, self._extent = 0, ""
        self._is_refreshing = self._is_stale = False
        self._is_embedding = self._wants_vectors = False
        self._vector_trouble = ""
        """What was complained of already: it is the same after each change of a file."""

    def tend(self, bench: Workbench) -> None:
        """Begin to tend a memory, once it is on the screen."""
        self._tended = bench
        self._title.show(display_path(bench.store.root, self.environment.home))
        self.app_suspend_signal.subscribe(self, lambda _: self._title.take_away())
        self.app_resume_signal.subscribe(self, lambda _: self._title.put_back())
        self.call_after_refresh(self._begin)

    def _write(self, characters: str) -> None:
        if self._driver is not None:
            self._driver.write(characters)

    def _begin(self) -> None:
        bench = self._tended
        if bench is None:
            return
        for warning in bench.config.warnings:
            self.warn(warning)
        self.refresh_index()
        if self._follows:
            from recall_tui.storage.state import proposals
            from recall_tui.tui.runtime.file_watcher import FileWatcher

            waiting = bench.store.state / proposals.PROPOSALS_FOLDER
            self._stop_following()
            self._follower = FileWatcher(
                bench.layout,
                lambda: self.post_message(messages.FilesChanged()),
                waiting,
                always=bench.index.let_replaced_go,
            )
            self._follower.start()

    def end_tending(self) -> None:
        """Stop following the files, and give the terminal its title back."""
        self._title.take_away()
        self._stop_following()

    def _stop_following(self) -> None:
        if self._follower is not None:
            self._follower.stop()
            self._follower = None

    def refresh_index(self) -> None:
        """Bring the index up to date, then take the memory's health; asked for meanwhile, it does so once more."""
        bench = self._tended
        if bench is None or self._is_refreshing:
            self._is_stale = self._is_refreshing
            return

        found: BuildProgress | None = None

        def refresh() -> messages.IndexRefreshed:
            done = bench.sync(progress, is_cancelled=lambda: not self.is_running)
            trim_heap()
            return messages.IndexRefreshed(is_changed=bool(done.passages or done.removed or done.is_skipped))

        def progress(done: int, to_do: int) -> None:
            nonlocal found
            percent = min(done * 100 // max(to_do, 1), 100)
            if percent > self._percent:
                self._percent = percent
                known, found = found, bench.index.build_progress()
                extent = found.extent(bench.store.now()) if found else ""
                self.post_message(messages.IndexProgressed(percent, extent, is_changed=found != known))

        self._percent, self._extent = 0, ""
        self._is_refreshing, self._is_stale = True, False
        self.delays.after("busy", BUSY_AFTER_SECONDS, self._say_busy)
        run_in_thread(self, refresh, "index", messages.IndexRefreshed)

    def _say_busy(self) -> None:
        amount = f"indexing {self._percent} %" if self._percent else "indexing"
        self.busy = f"{amount} · {self._extent}" if self._extent else amount

    @on(messages.IndexProgressed)
    def _index_progressed(self, message: messages.IndexProgressed) -> None:
        self._extent = message.extent
        if self.busy:
            self._say_busy()
        if message.is_changed:
            self.index_changed.publish(None)

    @on(messages.IndexRefreshed)
    def _index_refreshed(self, message: messages.IndexRefreshed) -> None:
        self._is_refreshing = False
        self.delays.stop("busy")
        self.busy = ""
        if message.trouble is not None:
            self.complain(message.trouble)
        if message.is_changed:
            self.index_changed.publish(None)
        if self._is_stale:
            self.refresh_index()
        else:
            self._take_health()
            self.make_vectors()

    def _take_health(self) -> None:
        if (bench := self._tended) is not None:
            run_in_thread(
                self, lambda: messages.HealthChecked(bench.health(), _count_proposals(bench)), "health", _down_report
            )

    def make_vectors(self) -> None:
        """Make the vectors that are missing, where an embedder is set; asked for meanwhile, it does so once more."""
        bench = self._tended
        if bench is None or not bench.config.text("embeddings.provider"):
            return
        self._wants_vectors = self._is_embedding
        if self._is_embedding:
            return

        def make() -> messages.VectorsBuilt:
            from recall_tui.features.health.embeddings import embed_missing

            done = embed_missing(bench.store, bench.index, progress, is_cancelled=lambda: not self.is_running)
            return messages.VectorsBuilt(done.rows if done else 0)

        def progress(done: int, to_do: int) -> None:
            self.post_message(messages.VectorsProgressed(min(done * 100 // max(to_do, 1), 100)))

        self._is_embedding = True
        run_in_thread(self, make, "vectors", lambda trouble: messages.VectorsBuilt(0, trouble))

    @on(messages.VectorsProgressed)
    def _vectors_progressed(self, message: messages.VectorsProgressed) -> None:
        if not self._is_refreshing:
            self.busy = f"vectors {message.percent} %"

    @on(messages.VectorsBuilt)
    def _vectors_made(self, message: messages.VectorsBuilt) -> None:
        self._is_embedding = False
        if not self._is_refreshing:
            self.busy = ""
        if message.trouble is not None and str(message.trouble) != self._vector_trouble:
            self.complain(message.trouble)
        self._vector_trouble = str(message.trouble or "")
        if self._wants_vectors:
            self.make_vectors()
        elif message.rows:
            self._take_health()
            self.index_changed.publish(None)

    @on(messages.HealthChecked)
    def _health_taken(self, message: messages.HealthChecked) -> None:
        self.health = message.report
        self.proposals = message.proposals

    @on(messages.FilesChanged)
    def _files_changed(self) -> None:
        self.memory_changed.publish(None)
        self.refresh_index()

    @on(messages.ActionFailed)
    def _failed(self, message: messages.ActionFailed) -> None:
        self.complain(message.trouble)

    def say(self, words: str) -> None:
        """Say in a toast what happened; the words are data."""
        self.notify(self._at_home(words), markup=False)

    def warn(self, words: str) -> None:
        """Say in a toast what a person should look after."""
        self.notify(self._at_home(words), severity="warning", markup=False)

    def complain(self, trouble: DisplayError) -> None:
        """Say in a toast what went wrong and what to do about it."""
        self.notify(self._at_home(str(trouble)), severity="error", markup=False)

    def _at_home(self, words: str) -> str:
        return shorten_home(strip_controls(words), self.environment.home)


def _count_proposals(bench: Workbench) -> int:
    from recall_tui.storage.state import proposals

    return len(proposals.list_open(bench.store))


def _down_report(trouble: DisplayError) -> messages.HealthChecked:
    """A memory whose health cannot be taken is down, for the reason that stood in the way."""
    return messages.HealthChecked(HealthReport("down", (trouble.message,)))
