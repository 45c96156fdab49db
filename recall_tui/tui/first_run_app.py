"""The app when no memory was found: it opens with the first run and goes on to the memory that was made there.

Nothing is written before the person chose it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from textual.screen import Screen

from recall_tui.domain import LayoutName
from recall_tui.paths import Places
from recall_tui.storage.layout import Found, layout_at
from recall_tui.tui.app import RecallApp
from recall_tui.tui.demo import Sample
from recall_tui.tui.screens.table import DEFAULT
from recall_tui.workbench import Workbench, local_now


class FirstRunApp(RecallApp):
    """The app without a memory yet."""

    DEFAULT_MODE = "first-run"

    def __init__(
        self,
        places: Places,
        *,
        now: Callable[[], datetime] = local_now,
        root: Path | None = None,
        stopwatch: Callable[[], float] = time.perf_counter,
        follows: bool = True,
    ) -> None:
        super().__init__(None, places, stopwatch=stopwatch, follows=follows)
        self._now = now
        self._root = root
        self._sample: Sample | None = None

    def get_default_screen(self) -> Screen[None]:
        """The first run."""
        from recall_tui.tui.screens.first_run import FirstRun

        return FirstRun(self.places, self._root)

    def on_unmount(self) -> None:
        """The sample goes with the app."""
        if self._sample is not None:
            self._sample.remove()

    def set_up(self, root: Path, layout: LayoutName) -> None:
        """Make a memory and show it."""
        bench = Workbench.at(Found(layout_at(root, layout), "made here"), self.places, self._now)
        bench.initialise()
        self._show(bench)

    def open_demo(self) -> None:
        """Show a throw-away copy of the sample memory."""
        from recall_tui.tui import demo

        self._sample = demo.make(env=demo.editor_of(self.places.env))
        self.places = self._sample.places
        self._show(Workbench.open(self._sample.root, places=self.places, now=demo.now))

    def _show(self, bench: Workbench) -> None:
        self.bench = bench
        self.theme = self.theme_of(bench)
        self.begin_with(bench)
        self.switch_mode(DEFAULT.name)
