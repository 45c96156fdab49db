"""`init` in a terminal keeps the sessions and connects the agents, each when the person says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests import tmux
from tests.cli.conftest import Recall
from tests.first_start import SUBJECTS, has_hooks_and_server, in_terminal, leave_sessions

pytestmark = pytest.mark.skipif(not tmux.is_installed(), reason="tmux is not installed")
SIZE = (200, 1500)
"""Tall enough for the diffs."""


def kept(environment: Environment) -> list[Path]:
    return list((environment.claude / "memories").glob("*.md"))


def test_it_asks_to_keep_the_sessions_and_to_install_and_names_no_further_command(environment: Environment) -> None:
    leave_sessions(environment)
    with in_terminal(environment, SIZE, "init") as terminal:
        assert terminal.wait_for("Keep 3 sessions now? [Y/n]").count("[Y/n]") == 1
        terminal.press("Enter")
        assert "✓ kept 3 of 3 sessions" in terminal.wait_for("Install this into Claude Code? [y/N]")
        terminal.type("y")
        terminal.press("Enter")
        shown = terminal.wait_for("recall-tui opens it")
        assert terminal.wait(lambda: terminal.exit_code == 0)
    assert len(kept(environment)) == len(SUBJECTS) and has_hooks_and_server(environment)
    assert "archive --all-unarchived" not in shown.partition("Installed into Claude Code")[2]


def test_each_step_can_be_skipped(environment: Environment) -> None:
    leave_sessions(environment)
    with in_terminal(environment, SIZE, "init") as terminal:
        for question in ("Keep 3 sessions now?", "Install this into Claude Code?"):
            assert question in terminal.wait_for(question)
            terminal.type("n")
            terminal.press("Enter")
        assert "none was kept" in terminal.wait_for("recall-tui opens it")
        assert terminal.wait(lambda: terminal.exit_code == 0)
    assert kept(environment) == [] and not (environment.home / ".claude.json").exists()


def test_yes_keeps_and_installs_without_a_question(environment: Environment) -> None:
    leave_sessions(environment)
    with in_terminal(environment, SIZE, "init", "--yes") as terminal:
        assert "[y/N]" not in terminal.wait_for("recall-tui opens it")
        assert terminal.wait(lambda: terminal.exit_code == 0)
    assert len(kept(environment)) == len(SUBJECTS) and has_hooks_and_server(environment)


def test_where_nobody_can_be_asked_the_command_is_named(recall: Recall, environment: Environment) -> None:
    leave_sessions(environment)
    said = recall("init", "--yes")
    assert "recall-tui archive --all-unarchived" in said.err and kept(environment) == []
