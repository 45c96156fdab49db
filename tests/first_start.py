"""A person's first start: a home with Claude Code and its sessions but no memory, and the program in a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from recall_tui.environment import Environment
from tests import tmux
from tests.makers import transcript
from tests.terminal import CHECKOUT

SUBJECTS = ("parcels", "logins", "imports")


def leave_sessions(environment: Environment) -> None:
    """Sessions of the last days, each with a request of its own, in a home that Claude Code was used in."""
    for number, subject in enumerate(SUBJECTS, 1):
        start = datetime.now(UTC) - timedelta(days=number)
        turns = [("user", f"Please rename the {subject} everywhere"), ("assistant", "The separator is a semicolon.")]
        path = transcript(environment, number, turns, start=start)
        os.utime(path, (start.timestamp(), start.timestamp()))
    (environment.claude / "settings.json").write_text("{}", encoding="utf-8")


@contextmanager
def in_terminal(environment: Environment, size: tuple[int, int], *words: str) -> Iterator[tmux.Terminal]:
    """The program in a terminal of its own, closed at the end."""
    env = {**os.environ, **environment.env, "PYTHONPATH": str(CHECKOUT), "LANG": "C.UTF-8"}
    command = [sys.executable, "-P", "-m", "recall_tui", *words]
    terminal = tmux.Terminal(environment.cwd, command, env, size)
    try:
        yield terminal
    finally:
        terminal.close()


def has_hooks_and_server(environment: Environment) -> bool:
    """Whether Claude Code keeps sessions and can ask the memory."""
    files: tuple[Callable[[], str], ...] = (
        (environment.claude / "settings.json").read_text,
        (environment.home / ".claude.json").read_text,
    )
    hooks, servers = (read() for read in files)
    return "SessionEnd" in hooks and "mcpServers" in servers and "recall" in servers
