"""The real program in a real terminal of 80 × 24 shows what the screens are drawn as, and leaves nothing behind."""

from __future__ import annotations

import os
import pty
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.first_run import demo
from recall_tui.workbench import Workbench
from tests import tmux
from tests.terminal import CHECKOUT
from tests.tui.heavy import HEAVY
from tests.tui.piloting import settled

pytestmark = pytest.mark.skipif(not tmux.is_installed(), reason="tmux is not installed")
SIZE = (80, 24)


@pytest.fixture
def memory(tmp_path: Path) -> Workbench:
    """The sample memory, with the clock of the machine."""
    copy = demo.create_demo(tmp_path / "sample")
    return Workbench.open(copy.root, environment=copy.environment)


@pytest.fixture
def start(tmp_path: Path, memory: Workbench) -> Iterator[Callable[..., tmux.Terminal]]:
    """Starts the program on the sample memory, in a shell that outlives it."""
    opened: list[tmux.Terminal] = []

    def run(*words: str) -> tmux.Terminal:
        env = {
            **os.environ,
            **memory.store.environment.env,
            "PYTHONPATH": str(CHECKOUT),
            "LANG": "C.UTF-8",
            "EDITOR": "cat",
        }
        command = [sys.executable, "-P", "-m", "recall_tui", "--root", str(memory.layout.root), *words]
        opened.append(tmux.Terminal(tmp_path, command, env, SIZE))
        return opened[-1]

    yield run
    for terminal in opened:
        terminal.close()


async def drawn(bench: Workbench, *keys: str, size: tuple[int, int] = SIZE) -> list[str]:
    """What the app draws after some keys."""
    app = RecallApp(bench, bench.store.environment, follows=False)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press(*keys)
        await settled(pilot)
        # The cells as the driver gets them; a widget by itself does not know what lies over it.
        strips = app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


@pytest.mark.long
@pytest.mark.parametrize("keys", [(), ("2",), ("7",), ("question_mark",)], ids=["home", "distill", "settings", "keys"])
async def test_the_terminal_shows_what_is_drawn(
    memory: Workbench, start: Callable[..., tmux.Terminal], keys: tuple[str, ...]
) -> None:
    memory.sync()
    lines = await drawn(memory, *keys)
    terminal = start()
    assert "MEMORY.md" in terminal.wait_for("● ")
    terminal.press(*("?" if key == "question_mark" else key for key in keys))
    assert terminal.shows(*lines) == lines


@pytest.mark.long
def test_a_memory_over_its_budget_is_brought_under_it_and_back_to_the_byte(
    memory: Workbench, start: Callable[..., tmux.Terminal]
) -> None:
    path = memory.layout.memory_file
    path.write_text(HEAVY, encoding="utf-8")
    before = path.read_bytes()
    assert before.count(b"\n") > memory.config.whole("memory.max_lines")
    terminal = start()
    terminal.wait_for("MEMORY.md")
    terminal.press("2")
    terminal.wait_for("Extract")
    terminal.press("e")
    assert terminal.wait(lambda: path.read_bytes().count(b"\n") <= memory.config.whole("memory.max_lines"))
    assert "Extracted" in terminal.wait_for("Extracted")
    terminal.press("u")
    assert terminal.wait(lambda: path.read_bytes() == before)


@pytest.mark.long
def test_a_question_is_answered_as_it_is_typed(memory: Workbench, start: Callable[..., tmux.Terminal]) -> None:
    memory.sync()
    terminal = start()
    terminal.wait_for("MEMORY.md")
    terminal.press("/")
    terminal.type("token refresh")
    assert "hits" in terminal.wait_for("hits")
    terminal.resize(120, 36)
    terminal.press("Tab")
    assert "w why" in terminal.wait_for("w why")


@pytest.mark.long
def test_it_leaves_the_terminal_as_it_was_and_nothing_running(
    memory: Workbench, start: Callable[..., tmux.Terminal]
) -> None:
    terminal = start()
    terminal.wait_for("MEMORY.md")
    assert terminal.running
    terminal.press("q")
    assert terminal.wait(lambda: terminal.exit_code is not None)
    assert terminal.exit_code == 0
    assert "MEMORY.md" not in "\n".join(terminal.lines)
    assert terminal.wait(lambda: not terminal.running)


@pytest.mark.long
def test_it_ends_when_its_terminal_is_closed_also_where_hang_ups_are_ignored(memory: Workbench) -> None:
    env = {**os.environ, **memory.store.environment.env, "PYTHONPATH": str(CHECKOUT), "TERM": "xterm-256color"}
    child, wire = pty.fork()
    if not child:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        line = [sys.executable, "-P", "-m", "recall_tui", "--root", str(memory.layout.root)]
        os.execvpe(line[0], line, env)
    seen = b""
    while b"MEMORY.md" not in seen:
        seen += os.read(wire, 4096)
    os.close(wire)
    ended, status = os.waitpid(child, 0)
    assert ended == child and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGHUP
