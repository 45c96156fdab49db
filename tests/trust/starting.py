"""The start of processes that are to work at the same time: each says that it is ready, and waits for the word."""

from __future__ import annotations

import subprocess
import sys

READY = b"ready\n"


def begin() -> None:
    """Say that this process is ready, and wait until all may begin."""
    sys.stdout.buffer.write(READY)
    sys.stdout.flush()
    sys.stdin.readline()


def let_go(processes: list[subprocess.Popen[bytes]]) -> None:
    """Wait until all are ready or have ended, then let them begin."""
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    for process in processes:
        assert process.stdin is not None
        try:
            process.stdin.write(b"go\n")
            process.stdin.flush()
        except BrokenPipeError:
            continue
