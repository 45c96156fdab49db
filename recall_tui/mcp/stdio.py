"""The lines of a client on stdin and stdout, and the end of the process when the client is gone.

Nothing but messages goes to stdout. The process ends when stdin ends, when stdout breaks, on a signal, and when its
parent is gone, which wrappers that hold the pipes open would hide.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Iterator
from typing import Any, NoReturn

from recall_tui.mcp.messages import MAX_LINE_BYTES, JsonObject, encode_message

PARENT_CHECK_SECONDS = 5.0
_READ_BYTES = 1 << 16
TOO_LONG = b"\0"
"""In place of a line that is longer than `MAX_LINE_BYTES`; no JSON."""


class ClientDisconnected(Exception):  # noqa: N818 - no error, the end
    """The client cannot be reached any more."""


class StdioChannel:
    """The client's lines, and messages to it."""

    def __init__(self, source: int, target: int) -> None:
        self._source = source
        self._target = target
        self._parent = os.getppid()
        self._rest = b""
        self._is_skipping = False
        self._lines: list[bytes] = []
        self._later: list[bytes] = []

    @classmethod
    def of_process(cls, *, is_debugging: bool) -> StdioChannel:
        """Take over stdin and stdout; what is printed from now on goes to stderr, which is shut unless debugging."""
        source, target = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        if not is_debugging:
            os.dup2(nothing, 2)
        os.dup2(2, 1)
        os.close(nothing)
        for name in ("SIGTERM", "SIGINT", "SIGHUP"):
            signal.signal(getattr(signal, name), _end)
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        return cls(source, target)

    def lines(self) -> Iterator[bytes]:
        """Yield each line until the client is gone."""
        while (line := self.next_line()) is not None:
            yield line
            while self._later:
                yield self._later.pop(0)

    def next_line(self, seconds: float | None = None) -> bytes | None:
        """Return the next line that is not blank; None at the end of stdin, or when there was none in so many seconds.

        Raises ClientDisconnected when the parent is gone.
        """
        until = None if seconds is None else time.monotonic() + seconds
        while True:
            while self._lines:
                if line := self._lines.pop(0).strip():
                    return line
            wait = PARENT_CHECK_SECONDS
            if until is not None:
                wait = min(wait, until - time.monotonic())
                if wait <= 0:
                    return None
            readable, _, _ = select.select([self._source], [], [], wait)
            if readable and not self._read():
                return None
            if os.getppid() != self._parent:
                raise ClientDisconnected

    def put_off(self, line: bytes) -> None:
        """Give a line back, to be served when the present request is done."""
        self._later.append(line)

    def _read(self) -> bool:
        """Take what has arrived; False at the end."""
        data = os.read(self._source, _READ_BYTES)
        if not data:
            return False
        *whole, rest = (self._rest + data).split(b"\n")
        for line in whole:
            self._lines.append(TOO_LONG if self._is_skipping or len(line) > MAX_LINE_BYTES else line)
            self._is_skipping = False
        if len(rest) > MAX_LINE_BYTES or self._is_skipping:
            self._is_skipping, rest = True, b""
        self._rest = rest
        return True

    def send(self, message: JsonObject | dict[str, Any]) -> None:
        """Write a message; ClientDisconnected when stdout is broken."""
        data = memoryview(encode_message(message))
        try:
            while data:
                data = data[os.write(self._target, data) :]
        except OSError as error:
            raise ClientDisconnected from error


def _end(_number: int, _frame: object) -> NoReturn:
    raise ClientDisconnected
