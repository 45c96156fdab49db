"""Run a program once with bounded time, output and lifetime.

When `run_process` returns, neither the program nor anything that it started is alive.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any, Literal, NamedTuple

MAX_ANSWER_BYTES = 4 * 1024 * 1024
"""The maximum output; a program that writes more is killed."""
CALL_VARIABLE = "RECALL_CALL"
"""The environment variable that identifies a call's processes after they leave its process group."""
_STDERR_TAIL_BYTES = 8_192
"""Bytes of stderr that are retained."""
_CHUNK_BYTES = 65_536
_MAX_DRAIN_CHUNKS = 256
"""The maximum read from the pipes after the program ended."""
_POLL_SECONDS = 0.05
_REAP_SECONDS = 5.0
_MAX_KILL_ROUNDS = 100
"""Scans for processes outside the group; each may have started another meanwhile."""
_PROC = Path("/proc")


class ProcessSpec(NamedTuple):
    """A program to run."""

    words: Sequence[str]
    stdin: bytes
    folder: Path
    env: Mapping[str, str]
    seconds: float


class ProcessResult(NamedTuple):
    """The exit of a program."""

    how: Literal["ended", "late", "cancelled", "endless"]
    code: int
    """Negative for the signal that ended it."""
    out: bytes
    last: bytes
    """The end of its stderr."""


def run_process(task: ProcessSpec, is_cancelled: Callable[[], bool]) -> ProcessResult:
    """Run the program without a shell, and kill it and everything that it started.

    Raises OSError or ValueError when it cannot be started.
    """
    mark = os.urandom(12).hex()
    end = monotonic() + task.seconds
    process = subprocess.Popen(
        task.words,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=task.folder,
        env={**task.env, CALL_VARIABLE: mark},
        start_new_session=True,
    )
    with process:
        try:
            pipes = _Pipes(process, task.stdin)
            how = _watch(process, pipes, end, is_cancelled)
        finally:
            _end_all(process, mark)
        for _ in range(_MAX_DRAIN_CHUNKS):
            if how != "ended" or pipes.is_full or not pipes.move(0):
                break
        pipes.close()
    return ProcessResult("endless" if pipes.is_full else how, process.returncode, bytes(pipes.out), bytes(pipes.last))


def _watch(
    process: subprocess.Popen[bytes], pipes: _Pipes, end: float, is_cancelled: Callable[[], bool]
) -> Literal["ended", "late", "cancelled", "endless"]:
    while True:
        if is_cancelled():
            return "cancelled"
        if monotonic() > end:
            return "late"
        pipes.move(_POLL_SECONDS)
        if pipes.is_full:
            return "endless"
        if process.poll() is not None:
            return "ended"


class _Pipes:
    """The non-blocking pipes of a process; none waits for another."""

    def __init__(self, process: subprocess.Popen[bytes], stdin: bytes) -> None:
        self.out = bytearray()
        self.last = bytearray()
        self._left = memoryview(stdin)
        self._selector = selectors.DefaultSelector()
        self._add(process.stdin, selectors.EVENT_WRITE, self._write)
        self._add(process.stdout, selectors.EVENT_READ, self._read)
        self._add(process.stderr, selectors.EVENT_READ, self._read_last)

    @property
    def is_full(self) -> bool:
        """Return whether the output exceeds the maximum."""
        return len(self.out) > MAX_ANSWER_BYTES

    def move(self, seconds: float) -> bool:
        """Transfer whatever is ready within `seconds`; return whether anything was."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            key.data(key.fileobj)
        return bool(ready)

    def close(self) -> None:
        """Close the selector."""
        self._selector.close()

    def _add(self, pipe: IO[bytes] | None, event: int, act: Callable[[IO[Any]], None]) -> None:
        assert pipe is not None
        os.set_blocking(pipe.fileno(), False)
        self._selector.register(pipe, event, act)

    def _write(self, pipe: IO[bytes]) -> None:
        try:
            # A full pipe accepts nothing and returns None.
            written = pipe.write(self._left[:_CHUNK_BYTES]) or 0
        except OSError:
            # The program has stopped reading its input.
            written = len(self._left)
        self._left = self._left[written:]
        if not self._left:
            self._selector.unregister(pipe)
            with suppress(OSError):
                pipe.close()

    def _read(self, pipe: IO[bytes]) -> None:
        self.out += self._taken(pipe)

    def _read_last(self, pipe: IO[bytes]) -> None:
        self.last += self._taken(pipe)
        del self.last[:-_STDERR_TAIL_BYTES]

    def _taken(self, pipe: IO[bytes]) -> bytes:
        try:
            data: bytes | None = pipe.read(_CHUNK_BYTES)
        except OSError:
            data = b""
        if data == b"":
            self._selector.unregister(pipe)
        return data or b""


def _end_all(process: subprocess.Popen[bytes], mark: str) -> None:
    """Kill the program, its group, and descendants outside the group, as far as /proc is readable."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_REAP_SECONDS)
    needle = f"{CALL_VARIABLE}={mark}".encode()
    for _ in range(_MAX_KILL_ROUNDS):
        if not (strays := _processes_with(needle)):
            return
        for number in strays:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(number, signal.SIGKILL)
        sleep(_POLL_SECONDS)


def _processes_with(needle: bytes) -> list[int]:
    """Return the processes whose environment contains `needle`; none where it cannot be read."""
    found = []
    with suppress(OSError):
        for folder in _PROC.iterdir():
            if folder.name.isdigit():
                with suppress(OSError):
                    if needle in (folder / "environ").read_bytes():
                        found.append(int(folder.name))
    return found
