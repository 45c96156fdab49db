"""The terminal's window says which memory is open, and gets its title back."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.tui.runtime.terminal_title import TerminalTitle
from tests.makers import bench_at
from tests.terminal import CHECKOUT

PUSH, POP = "\x1b[22;0t", "\x1b[23;0t"


@pytest.fixture
def written() -> list[str]:
    """What went to the terminal."""
    return []


@pytest.fixture
def title(written: list[str]) -> TerminalTitle:
    """A title that writes there."""
    return TerminalTitle(written.append)


def test_the_title_of_before_is_kept_by_the_terminal(title: TerminalTitle, written: list[str]) -> None:
    title.show("~/agent")
    title.take_away()
    assert "".join(written) == f"{PUSH}\x1b]0;recall-tui — ~/agent\x07{POP}"


def test_it_is_taken_away_once(title: TerminalTitle, written: list[str]) -> None:
    title.take_away()
    title.show("~/agent")
    title.take_away()
    title.take_away()
    assert "".join(written).count(POP) == 1


def test_a_process_that_was_stopped_puts_no_second_title_on_the_stack(title: TerminalTitle, written: list[str]) -> None:
    title.show("~/agent")
    title.put_back()
    assert "".join(written).count(PUSH) == 1
    title.take_away()
    title.put_back()
    title.take_away()
    assert "".join(written).count(PUSH) == "".join(written).count(POP) == 2


def test_a_folders_name_never_steers_the_terminal(title: TerminalTitle, written: list[str]) -> None:
    title.show("a\x07b\x1b]0;evil\x1b\\c\x9c\u202e" + "d" * 500)
    shown = written[0].removeprefix(f"{PUSH}\x1b]0;").removesuffix("\x07")
    assert shown.isprintable() and len(shown) <= 120


def test_a_terminal_is_given_back_its_title(environment: Environment) -> None:
    bench_at(environment, root=environment.cwd / "agent")
    main, side = pty.openpty()
    env = {**os.environ, **environment.env, "PYTHONPATH": str(CHECKOUT), "TERM": "xterm-256color"}
    words = [sys.executable, "-P", "-m", "recall_tui", "--root", str(environment.cwd / "agent")]
    process = subprocess.Popen(words, env=env, stdin=side, stdout=side, stderr=side, cwd=Path(environment.cwd))
    os.close(side)
    seen = _read_until(main, b"\x07")
    assert PUSH.encode() in seen
    while b"Search" not in seen:
        seen += _read_until(main, b"Search")
    os.write(main, b"q")
    seen += _read_until(main, POP.encode())
    assert process.wait(60) == 0
    assert b"]0;recall-tui \xe2\x80\x94 " in seen and seen.count(PUSH.encode()) == seen.count(POP.encode()) == 1
    os.close(main)


def _read_until(descriptor: int, mark: bytes) -> bytes:
    seen = b""
    end = time.monotonic() + 60
    while mark not in seen:
        assert time.monotonic() < end, seen[-500:]
        try:
            seen += os.read(descriptor, 4096)
        except OSError:
            break
    return seen
