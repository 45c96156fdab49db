"""The start of processes that are to work at the same time: each says that it is ready, and waits for the word."""

from __future__ import annotations

import os
import subprocess

READY, GO = b"ready\n", b"go\n"


def begin() -> None:
    """Say that this process is ready, and wait until all may begin; an app may have taken the streams for its own."""
    os.write(1, READY)
    os.read(0, len(GO))


def let_go(processes: list[subprocess.Popen[bytes]]) -> None:
    """Wait until all are ready or have ended, then let them begin."""
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    for process in processes:
        assert process.stdin is not None
        try:
            process.stdin.write(GO)
            process.stdin.flush()
        except BrokenPipeError:
            continue
