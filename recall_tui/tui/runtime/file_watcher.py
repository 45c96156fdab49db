"""Watching the memory's folders, and what waits for review beside them, while the app is open.

One thread, started after the first paint and ended with the app; where the system cannot watch, it looks every two
seconds. An interpreter that is taken down waits for it: what watches is no Python, and older releases of it abort the
process when Python is gone under them.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from recall_tui.storage import watch_paths
from recall_tui.storage.layout import Layout

POLL_SECONDS = 2.0
DEBOUNCE_MS = 250
"""Writes that come closer together are one change."""
FOLDER_CHECK_MS = 2_000
"""How often is looked whether a folder came to be where none was watched."""
SHUTDOWN_SECONDS = 2.0
"""How long an interpreter that is taken down waits for the thread, which looks every 50 ms whether it is to stop."""


class FileWatcher:
    """Calls back from its own thread whenever a file of the memory changed."""

    def __init__(
        self,
        layout: Layout,
        changed: Callable[[], object],
        *beside: Path,
        poll_seconds: float | None = None,
        always: Callable[[], object] = lambda: None,
    ) -> None:
        """Watch the memory, and the folders `beside` it as soon as they are there.

        `always` is called every two seconds and after each change, whatever has changed.
        """
        self._layout = layout
        self._beside = beside
        self._changed = changed
        self._poll_seconds = poll_seconds
        self._always = always
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="follow", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()
        atexit.register(_stop_watching, self._stop, self._thread)

    def stop(self) -> None:
        """End watching; the thread is gone shortly after."""
        self._stop.set()

    def join(self, seconds: float) -> bool:
        """Wait for the thread to end; whether it did."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        if self._poll_seconds is None:
            try:
                self._watch()
            except Exception:
                # Whatever the system refuses (no inotify, too many watches, a network drive), looking still works.
                self._poll(POLL_SECONDS)
        else:
            self._poll(self._poll_seconds)

    def _watch(self) -> None:
        from watchfiles import watch

        while not self._stop.is_set():
            folders = self._folders()
            for changes in watch(
                *folders,
                stop_event=self._stop,
                debounce=DEBOUNCE_MS,
                rust_timeout=FOLDER_CHECK_MS,
                yield_on_timeout=True,
                recursive=False,
                raise_interrupt=False,
            ):
                is_other = self._folders() != folders
                if is_other or any(watch_paths.is_watched(Path(path)) for _, path in changes):
                    self._changed()
                self._always()
                if is_other:
                    break

    def _poll(self, seconds: float) -> None:
        before = dict(_stamps(self._folders()))
        while not self._stop.wait(seconds):
            now = dict(_stamps(self._folders()))
            if now != before:
                before = now
                self._changed()
            self._always()

    def _folders(self) -> tuple[Path, ...]:
        return (*watch_paths.watched_folders(self._layout), *(place for place in self._beside if place.is_dir()))


def _stop_watching(stop: threading.Event, thread: threading.Thread) -> None:
    stop.set()
    thread.join(SHUTDOWN_SECONDS)


def _stamps(folders: tuple[Path, ...]) -> Iterator[tuple[Path, int]]:
    for folder in folders:
        yield folder, _file_stamp(folder)
        for path in folder.glob("*.md"):
            yield path, _file_stamp(path)


def _file_stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
