"""A terminal that a process believes in, and what it saw."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]


def shown_on_terminal(script: str) -> str:
    """What a Python script prints when both of its streams are a terminal; it must succeed."""
    main, side = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT), "TERM": "xterm-256color"}
    process = subprocess.Popen([sys.executable, "-P", "-c", script], env=env, stdout=side, stderr=side)
    os.close(side)
    text = read_to_end(main)
    assert process.wait() == 0
    return text


def read_to_end(descriptor: int) -> str:
    """All that comes from the terminal's side of the wire until the last process lets go of it."""
    parts = []
    try:
        while part := os.read(descriptor, 4096):
            parts.append(part)
    except OSError:
        pass
    os.close(descriptor)
    return b"".join(parts).decode()
