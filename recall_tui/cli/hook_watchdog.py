"""Watch a hook from a separate process, so that it ends in time with exit code 0 whatever it does.

A signal handler waits for the interpreter, which may block in native code forever: only another process can end that
reliably. The hook continues as the child. It writes its answer itself, in one piece, with signals blocked; a hook that
crashes or is killed for its memory has written nothing, and that is not an error.
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
"""The signals that end a hook in an orderly way."""
START_TIMEOUT_SECONDS = 10.0
"""The wait for a hook to set its time limit."""
GRACE_SECONDS = 1.5
"""The time for an overdue hook to end and log the reason."""
MAX_CPU_SECONDS = 300
"""The limit of a hook whose watchdog was killed."""
MIN_MEMORY_BYTES = 1 << 30
MAX_MEMORY_BYTES = 4 << 30
"""Bounds of a hook's memory limit, which is half of the machine's memory; mapped files do not count."""
_READ_BYTES = 4096


class _SignalInterrupt(BaseException):
    """A signal arrived that is meant for the hook."""


class Watchdog:
    """The hook's end of the channel: sets the time limit."""

    def __init__(self, channel: int | None) -> None:
        self._channel = channel

    def limit(self, seconds: float) -> None:
        """Have the hook ended soon after this many seconds from now."""
        if self._channel is not None:
            with suppress(OSError):
                os.write(self._channel, b"%d\n" % round(seconds * 1_000))


def start_watchdog() -> Watchdog:
    """Continue in a child of this process; the parent exits with 0 when the child has ended or its time is over.

    Signals are blocked until the hook is ready and unblocks them. If no process can be created, the hook runs without a
    watchdog.
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
    """Block the signals inside the block; they are delivered after it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def lift_limits() -> None:
    """Remove the limits in a process that a hook started and that outlives it."""
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
            # The channel closed: the child is ending and gets no more than the grace period.
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            signal.setitimer(signal.ITIMER_REAL, GRACE_SECONDS)
            os.waitpid(child, 0)
        else:
            os.kill(child, signal.SIGKILL)
    os._exit(0)


def _has_ended(child: int, reading: int, seconds: float) -> bool:
    """Wait for the child to end within the time limit, which it may change; signals are forwarded to it."""
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
