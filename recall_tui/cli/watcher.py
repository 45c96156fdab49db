"""Keep a memory up to date while running: sync soon after files change, compact and dream if requested.

Only one process watches a memory at a time. It holds no lock on the memory, starts nothing that outlives it, and ends
with its terminal.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from recall_tui.errors import LockedError, RecallError
from recall_tui.storage import watch_paths
from recall_tui.storage.files.lock import acquire, owner_of
from recall_tui.workbench import Workbench

LOCK_FILE = "watch.lock"
_TICK_MS = (50, 500)
"""Minimum and maximum interval between checks."""
_MAX_QUIET_PERIODS = 10
"""Continuous changes are synced after this many debounce periods."""
_POLL_MS = 2_000
"""The polling interval where the system cannot watch files."""
_CHECK_SECONDS = 0.2
_STOP_TIMEOUT_SECONDS = 10.0
"""The time for a subprocess to end in an orderly way."""

EventCallback = Callable[[str, Mapping[str, object]], None]
"""Takes an event's name and its facts."""
_SIGNAL_REASONS = {
    signal.SIGINT: "Ctrl-C",
    signal.SIGTERM: "it was told to",
    signal.SIGHUP: "its terminal was closed",
}


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """The options of `watch`."""

    debounce_ms: int
    """The quiet period after a change."""
    compacts: bool = False
    dreams: bool = False
    dream_interval: timedelta = timedelta(days=1)


@contextmanager
def watch_lock(bench: Workbench) -> Iterator[None]:
    """Hold the watch lock of the memory; LockedError when another process has it."""
    path = bench.store.state / LOCK_FILE
    try:
        with acquire(path, "watch", 0.0):
            yield
    except LockedError:
        raise LockedError(
            f"this memory is watched already, by {owner_of(path)}", hint="one is enough; end that one with Ctrl-C"
        ) from None


@dataclass
class Watcher:
    """Watches a memory until shutdown."""

    bench: Workbench
    wish: WatchOptions
    ending: ShutdownSignal
    told: EventCallback
    clock: Callable[[], float]
    """Returns seconds."""
    _first: float | None = field(default=None, init=False)
    """The time of the first change that is not synced yet; None when there is none."""
    _last: float = field(default=0.0, init=False)
    _day: date | None = field(default=None, init=False)
    """The day of the last check for due compactions."""
    _dreamt: float | None = field(default=None, init=False)
    """The start of the last dream of this process, whatever its result."""
    _known: set[object] = field(default_factory=set, init=False)
    """The ids of the proposals already reported."""

    def run(self) -> None:
        """Watch until shutdown."""
        is_begun = False
        for is_changed in self._changes():
            now = self.clock()
            if is_changed:
                self._last = now
                self._first = self._first if self._first is not None else now
            if self._first is not None and (not is_begun or self._is_quiet(now)):
                self._sync()
                is_begun, self._day = True, None
            self._what_is_due()

    def _is_quiet(self, now: float) -> bool:
        assert self._first is not None
        quiet = self.wish.debounce_ms / 1000
        return now - self._last >= quiet or now - self._first >= _MAX_QUIET_PERIODS * quiet

    def _changes(self) -> Iterator[bool]:
        """Yield at each tick whether a file of the memory changed, until shutdown."""
        can_watch = True
        while not self.ending.is_here():
            folders = watch_paths.watched_folders(self.bench.layout)
            if not folders:
                self.ending.begin("the memory is gone")
                return
            try:
                yield from self._in(folders, can_watch=can_watch)
            except FileNotFoundError:
                yield True
            except (OSError, RuntimeError):
                # Where the system refuses (no inotify, too many watches, a network drive), poll instead.
                if not can_watch:
                    raise
                can_watch = False

    def _in(self, folders: tuple[Path, ...], *, can_watch: bool) -> Iterator[bool]:
        """Yield at each tick whether these folders changed, at first True; ends on shutdown or with another set."""
        from watchfiles import watch

        is_new = True
        tick = max(_TICK_MS[0], min(_TICK_MS[1], self.wish.debounce_ms // 2))
        for changes in watch(
            *folders,
            stop_event=self.ending.event,
            debounce=tick,
            rust_timeout=tick,
            yield_on_timeout=True,
            recursive=False,
            raise_interrupt=False,
            force_polling=None if can_watch else True,
            poll_delay_ms=_POLL_MS,
        ):
            is_other = watch_paths.watched_folders(self.bench.layout) != folders
            yield is_new or is_other or any(watch_paths.is_watched(Path(path)) for _, path in changes)
            is_new = False
            if is_other or self.ending.is_here():
                return

    def _sync(self) -> None:
        """Bring the index up to date; retry later when another process is indexing."""
        self._first = None
        try:
            done = self.bench.sync(is_cancelled=self.ending.is_here)
        except (RecallError, OSError) as error:
            self.told("failed", {"what": "sync", "why": str(error)})
            return
        if done.is_skipped:
            self._first = self._last = self.clock()
            self.told("busy", {})
            return
        facts = {name: getattr(done, name) for name in ("added", "changed", "removed", "failed", "passages")}
        self.told("synced", {**facts, "took_ms": round(done.took * 1000, 1), "notes": list(done.notes)})

    def _what_is_due(self) -> None:
        """Compact when a new day may have made something due, and dream when it is time."""
        today = self.bench.store.now().date()
        if self.wish.compacts and self._day != today:
            self._day = today
            self._call("compacted", "compact")
        if self.wish.dreams and self._is_time_to_dream():
            self._dreamt = self.clock()
            self._call("dreamt", "dream")

    def _is_time_to_dream(self) -> bool:
        from recall_tui.features.dreaming.dream import dream_status

        if self._dreamt is not None and self.clock() - self._dreamt < self.wish.dream_interval.total_seconds():
            return False
        last = dream_status(self.bench.store).last_run
        return last is None or not timedelta(0) <= self.bench.store.now() - last < self.wish.dream_interval

    def _call(self, event: str, command: str) -> None:
        """Run a command on the memory and report its result; it is terminated on shutdown."""
        if self.ending.is_here():
            return
        store = self.bench.store
        line = [sys.executable, "-P", "-m", "recall_tui", "--root", str(store.root), "--layout", store.layout.name]
        process = subprocess.Popen(
            [*line, command, "--json"],
            env={**store.environment.env},
            cwd=store.environment.cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        out, words = self._ended(process)
        if self.ending.is_here():
            return
        notes = words.decode("utf-8", "replace").splitlines()
        if process.returncode:
            self.told("failed", {"what": command, "why": " ".join(notes) or f"exit code {process.returncode}"})
        else:
            self.told(event, {**self._new(_parse_document(out)), "notes": notes})

    def _new(self, said: dict[str, Any]) -> dict[str, Any]:
        """Return a command's result with only the proposals not reported before."""
        rows = [row for row in said.get("proposals", ()) if isinstance(row, dict) and row.get("id") not in self._known]
        self._known |= {row.get("id") for row in rows}
        return said | {"proposals": rows}

    def _ended(self, process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
        """Wait for a subprocess to end; terminate it on shutdown."""
        while not self.ending.is_here():
            try:
                return process.communicate(timeout=_CHECK_SECONDS)
            except subprocess.TimeoutExpired:
                continue
        process.terminate()
        try:
            return process.communicate(timeout=_STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.communicate()


def _parse_document(out: bytes) -> dict[str, Any]:
    """Parse a command's JSON output; empty when invalid."""
    try:
        told = json.loads(out)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


class ShutdownSignal:
    """The request to shut down and its reason: a signal, a closed terminal, an ended parent process."""

    def __init__(self) -> None:
        self.event = threading.Event()
        """Set on shutdown."""
        self.why = ""
        self._parent = os.getppid()

    def is_here(self) -> bool:
        """Return whether to shut down; also detects an ended parent process."""
        if os.getppid() != self._parent:
            self.begin("what started it is gone")
        return self.event.is_set()

    def begin(self, why: str) -> None:
        """Request the shutdown."""
        self.why = self.why or why
        self.event.set()

    def by_signal(self, number: int, _frame: object) -> None:
        """Handle a signal; the next of its kind ends the process at once."""
        self.begin(_SIGNAL_REASONS[signal.Signals(number)])
        signal.signal(number, signal.SIG_DFL)


@contextmanager
def catch_shutdown() -> Iterator[ShutdownSignal]:
    """Yield the shutdown signal; the previous signal handlers are restored after the block."""
    one = ShutdownSignal()
    before = {number: signal.signal(number, one.by_signal) for number in _SIGNAL_REASONS}
    try:
        yield one
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
