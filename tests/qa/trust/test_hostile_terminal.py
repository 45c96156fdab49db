"""A real terminal shows whatever a memory holds and does nothing of it: no title, no clipboard, no mode is changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests import tmux
from tests.qa.trust.hostile_memory import WORD, put
from tests.qa.trust.hostile_terminal import (
    MARK,
    PLANTED,
    calls,
    memory,
    obeyed,
    planted_text,
    walk,
    watched,
    with_settings,
)
from tests.qa.trust.hostile_walks import BRIEF, CALLED, OF_SETTINGS, SAID, SHORT, WALKED

pytestmark = pytest.mark.skipif(not tmux.is_installed(), reason="tmux is not installed")


@pytest.mark.parametrize("kind", PLANTED)
def test_each_of_them_is_known_when_it_is_sent(kind: str) -> None:
    if kind != "no width":
        assert obeyed(f"\x1b[1m{PLANTED[kind]}\x1b[0m".encode())


def test_what_the_program_writes_of_itself_is_not_taken_for_one_of_them() -> None:
    own = f"\x1b[?1049h\x1b[?1006h\x1b[38;2;47;11;0m]2;{MARK}\x1b[0m\x1b]0;recall-tui\x07\x1b]52;c;{'eA=='}\x07\r\n"
    assert obeyed(own.encode()) == []


def test_the_terminal_obeys_what_reaches_it(environment: Environment, tmp_path: Path) -> None:
    text = put(tmp_path / "text", planted_text() + "".join(PLANTED.values()))
    with watched(tmp_path / "terminal", ["cat", str(text)], environment) as one:
        one.end()
        changed = {name for name, was in one.before.items() if one.terminal.state[name] != was}
        assert {"pane_title", "alternate_on", "mouse_any_flag", "cursor_flag"} <= changed
        assert one.wrong


@pytest.mark.long
@pytest.mark.parametrize("commands", [SHORT, pytest.param(CALLED, marks=pytest.mark.soak)], ids=["some", "all"])
def test_no_command_changes_it(environment: Environment, tmp_path: Path, commands: tuple[tuple[str, ...], ...]) -> None:
    sent, wrong = calls(tmp_path / "terminal", memory(environment), commands)
    assert WORD.encode() in sent and wrong == []


@pytest.mark.long
def test_no_command_that_tells_of_settings_changes_it(environment: Environment, tmp_path: Path) -> None:
    sent, wrong = calls(tmp_path / "terminal", with_settings(environment), SAID)
    assert b"wiki.shared" in sent and wrong == []


@pytest.mark.long
@pytest.mark.parametrize("rounds", [BRIEF, pytest.param(WALKED, marks=pytest.mark.soak)], ids=["some", "all"])
def test_no_screen_changes_it(environment: Environment, tmp_path: Path, rounds: tuple[tuple[str, ...], ...]) -> None:
    bench = memory(environment)
    bench.sync()
    sent, wrong = walk(tmp_path / "terminal", environment, rounds, "--root", str(bench.layout.root))
    assert WORD.encode() in sent and wrong == []


@pytest.mark.long
def test_nor_does_the_screen_of_settings(environment: Environment, tmp_path: Path) -> None:
    bench = with_settings(environment)
    sent, wrong = walk(tmp_path / "terminal", environment, OF_SETTINGS, "--root", str(bench.layout.root))
    assert MARK.encode() in sent and wrong == []
