"""Watches a hook from a process of its own, so that it ends in time and with 0 whatever it is at.

A signal's handler waits for the interpreter, and the interpreter may wait for code in another language without end:
only another process ends that for certain. The hook goes on as the child. Its answer is handed over by itself, whole,
while no signal can stop it; a hook that crashes, or is ended for its memory, has said nothing, and is no error.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import NoReturn

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM)
"""Those that end a hook in good order."""
START_TIMEOUT_SECONDS = 10.0
"""For a hook to say how long it may take."""
GRACE_SECONDS = 1.5
"""For a hook that is over its time to end by itself, and to log why."""
MAX_CPU_SECONDS = 300
"""For a hook that nobody watches any more, since its watcher was killed."""
MIN_MEMORY_BYTES = 1 << 30
MAX_MEMORY_BYTES = 4 << 30
"""Of a hook: half of the machine's memory within these bounds; files that are mapped do not count."""
_READ_BYTES = 4096


class _SignalInterrupt(BaseException):
    """A signal came that is the hook's."""


class Watchdog:
    """The hook's end: it says how long it may take."""

    def __init__(self, channel: int | None) -> None:
        self._channel = channel

    def limit(self, seconds: float) -> None:
        """Have the hook ended soon after so many seconds from now."""
        if self._channel is not None:
            with suppress(OSError):
                os.write(self._channel, b"%d\n" % round(seconds * 1_000))


def start_watchdog() -> Watchdog:
    """Go on in a child of this process, which ends with 0 when the child has ended, or its time is over.

    The signals are blocked until the hook, which is ready for them then, unblocks them. Where no process can be made
    the hook is not watched.
    """
    reading, writing = os.pipe()
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        child = os.fork()
    except OSError:
        return Watchdog(None)
    if child:
        _wait_and_exit(child, reading, writing)
    os.close(reading)
    _limit_resources()
    return Watchdog(writing)


@contextmanager
def block_signals() -> Iterator[None]:
    """Keep the signals waiting in the block."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def lift_limits() -> None:
    """Take back what was limited, in a process that a hook has started and that goes on by itself."""
    import resource

    for kind in (resource.RLIMIT_DATA, resource.RLIMIT_CPU):
        with suppress(OSError, ValueError):
            _, most = resource.getrlimit(kind)
            resource.setrlimit(kind, (most, most))


def _limit_resources() -> None:
    import resource

    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    wanted = {
        resource.RLIMIT_DATA: max(MIN_MEMORY_BYTES, min(MAX_MEMORY_BYTES, memory)),
        resource.RLIMIT_CPU: MAX_CPU_SECONDS,
    }
    for kind, limit in wanted.items():
        with suppress(OSError, ValueError):
            soft, most = resource.getrlimit(kind)
            if soft == resource.RLIM_INFINITY or soft > limit:
                resource.setrlimit(kind, (limit, most))


def _wait_and_exit(child: int, reading: int, writing: int) -> NoReturn:
    with suppress(BaseException):
        os.close(writing)
        for number in SIGNALS:
            signal.signal(number, _raise_interrupt)
        if _has_ended(child, reading, START_TIMEOUT_SECONDS):
            # It is on its way out; nobody waits for it longer than for one that is not.
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            signal.setitimer(signal.ITIMER_REAL, GRACE_SECONDS)
            os.waitpid(child, 0)
        else:
            os.kill(child, signal.SIGKILL)
    os._exit(0)


def _has_ended(child: int, reading: int, seconds: float) -> bool:
    """Wait for the child to end by itself, for so long or as it says; signals are handed on to it."""
    until = monotonic() + seconds
    while (left := until - monotonic()) > 0:
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            ready = select.select([reading], [], [], left)[0]
            signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        except _SignalInterrupt as stop:
            os.kill(child, stop.args[0])
            until = min(until, monotonic() + GRACE_SECONDS)
            continue
        if ready:
            said = os.read(reading, _READ_BYTES).split()
            if not said:
                return True
            until = monotonic() + int(said[-1]) / 1_000 + GRACE_SECONDS
    return False


def _raise_interrupt(number: int, _frame: object) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    raise _SignalInterrupt(number)
