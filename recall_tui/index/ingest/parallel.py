"""Reads many sessions in several processes at once; this one writes what they found.

Reading, cutting and looking for secrets takes most of the time of a build, and no session needs another. A session
whose process died is read here, so that nothing is lost; a process whose parent died ends by itself.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from recall_tui.index.ingest.session_worker import WorkerMessage, is_last, receive, send, unpack
from recall_tui.index.ingest.transcript_files import SessionTask, index_session, record_reading
from recall_tui.index.text.commit_batch import recorded_batches
from recall_tui.index.text.passage import TRANSCRIPTS_KEY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from recall_tui.index.ingest.context import IngestContext
    from recall_tui.index.ingest.transcript_files import ModifiedSession, SessionReading
    from recall_tui.index.source_record import SourceRecord

MAX_WORKERS = 4
"""More are no faster, because one process writes; each takes up to 70 MB."""
MAX_OWN_BYTES = 500_000
"""While the others start, this process reads sessions up to this size itself."""
_LINE = ("-P", "-m", "recall_tui.index.ingest.session_worker")
_POLL_SECONDS = 0.1


def worker_count() -> int:
    """The number of processes that read sessions: one for each core that this one may use, and none on a single one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MAX_WORKERS) if cores > 1 else 0


def index_in_parallel(run: IngestContext, touched: list[ModifiedSession]) -> None:
    """Read sessions in several processes and write what is to be changed; what is left in the list, nobody read."""
    if not (workers := worker_count()):
        return
    order = _Order(run, touched)
    with _Pool(order.task, len(touched), workers) as pool:
        while not pool.has_answered and order.is_small(pool.taken) and (number := pool.take()) is not None:
            order.read_here(number)
        for answer in pool.answers():
            run.ledger.stop_if_asked()
            if answer is None:
                continue
            number, data = answer
            if data is None:
                order.read_here(number)
            else:
                order.apply(number, unpack(data))
        del touched[: pool.taken]


class _Order:
    """The sessions as they are to be read, newest first, and what was written of them."""

    def __init__(self, run: IngestContext, touched: list[ModifiedSession]) -> None:
        self._run, self._touched = run, touched
        self._state, self._now = run.store.environment.state, run.now()
        self._parts: dict[int, SessionReading] = {}
        """What is in the index of the sessions that are at work."""
        self._done: set[int] = set()
        self._first_left = 0

    def is_small(self, number: int) -> bool:
        """Whether the session is quickly read; the one that is not is no reason for others to wait."""
        return number < len(self._touched) and self._touched[number][0].size <= MAX_OWN_BYTES

    def task(self, number: int) -> SessionTask:
        """What a process is told of a session."""
        session, was = self._touched[number]
        return SessionTask(session, recorded_batches(was), self._state, self._now)

    def read_here(self, number: int) -> None:
        """Read a session in this process, whatever another one said of it."""
        session, was = self._touched[number]
        part = self._parts.pop(number, None)
        self._put(number, index_session(self._run, session, was, part.batches if part else None))

    def apply(self, number: int, message: WorkerMessage) -> None:
        """Write what another process found."""
        session, was = self._touched[number]
        ledger, reading = self._run.ledger, message.reading
        message.apply(ledger.writer)
        if message.is_end:
            self._parts.pop(number, None)
            self._put(number, record_reading(self._run, was, reading))
        else:
            self._parts[number] = reading
            ledger.pace(TRANSCRIPTS_KEY, session.key, reading.as_part)

    def _put(self, number: int, record: SourceRecord) -> None:
        self._done.add(number)
        while self._first_left in self._done:
            self._done.remove(self._first_left)
            self._run.ledger.reached = self._touched[self._first_left][0].mtime_ns // 1_000_000_000
            self._first_left += 1
        self._run.ledger.put(TRANSCRIPTS_KEY, record, self._touched[number][0].size)


class _Pool:
    """Processes that read sessions, and a thread for each that hands it tasks and takes its answers."""

    def __init__(self, task: Callable[[int], SessionTask], count: int, workers: int) -> None:
        """`task` says what to read, for each of so many sessions."""
        self._task, self._count = task, count
        self._lock = threading.Lock()
        self.taken = 0
        """The sessions, of the first ones, that somebody reads or has read."""
        self._is_over = threading.Event()
        # A few answers wait, so that nobody waits for long and little is held.
        self._answers: queue.Queue[tuple[int | None, bytes | None]] = queue.Queue(2 * workers)
        self._processes = _start(workers)
        self._threads = [threading.Thread(target=self._serve, args=(one,), daemon=True) for one in self._processes]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        for process in self._processes:
            process.kill()
        for thread in self._threads:
            thread.join()
        for process in self._processes:
            # What it was not told, nobody needs to know.
            with suppress(OSError):
                process.__exit__(None, None, None)

    @property
    def has_answered(self) -> bool:
        """Whether anything was told that was not taken yet, or nobody is there to tell anything."""
        return not (self._answers.empty() and self._processes)

    def take(self) -> int | None:
        """The number of the next session, which nobody else will read; None when there is none left."""
        with self._lock:
            if self.taken == self._count:
                return None
            self.taken += 1
            return self.taken - 1

    def answers(self) -> Iterator[tuple[int, bytes | None] | None]:
        """The number of a session and what was told of it, None in its place when its process died, as they come.

        While nothing comes it gives None, from time to time.
        """
        at_work = len(self._threads)
        while at_work:
            try:
                number, data = self._answers.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                yield None
                continue
            if number is None:
                at_work -= 1
            else:
                yield number, data

    def _serve(self, process: subprocess.Popen[bytes]) -> None:
        try:
            while (number := self.take()) is not None and self._has_read(process, number):
                pass
        finally:
            self._answer(None, None)

    def _has_read(self, process: subprocess.Popen[bytes], number: int) -> bool:
        """Let the process read a session; False when it did not.

        Whatever the reason is, it shows when the session is read here.
        """
        assert process.stdin and process.stdout
        try:
            send(process.stdin, pickle.dumps(self._task(number)))
            while not self._is_over.is_set():
                data = receive(process.stdout)
                self._answer(number, data)
                if is_last(data):
                    return True
        except Exception:
            self._answer(number, None)
        return False

    def _answer(self, number: int | None, data: bytes | None) -> None:
        while not self._is_over.is_set():
            with suppress(queue.Full):
                self._answers.put((number, data), timeout=_POLL_SECONDS)
                return


def _start(workers: int) -> list[subprocess.Popen[bytes]]:
    """Start so many processes, or as many as the system allows."""
    started: list[subprocess.Popen[bytes]] = []
    with suppress(OSError):
        for _ in range(workers):
            started.append(
                subprocess.Popen(
                    (sys.executable, *_LINE),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    # Ctrl-C is for the process that started them, which ends them in good order.
                    process_group=0,
                )
            )
    return started
