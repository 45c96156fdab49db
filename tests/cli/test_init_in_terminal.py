"""`init` in a terminal keeps the sessions and connects the agents, each when the person says so."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests import tmux
from tests.cli.conftest import Recall
from tests.first_start import SUBJECTS, has_hooks_and_server, in_terminal, leave_sessions
from tests.makers import transcript

pytestmark = pytest.mark.skipif(not tmux.is_installed(), reason="tmux is not installed")
SIZE = (200, 1500)
"""Tall enough for the diffs."""


def kept(environment: Environment) -> list[Path]:
    return list((environment.claude / "memories").glob("*.md"))


def test_it_asks_to_keep_the_sessions_and_to_install_and_names_no_further_command(environment: Environment) -> None:
    leave_sessions(environment)
    with in_terminal(environment, SIZE, "init") as terminal:
        terminal.wait_for("Set it up in ~/.claude?")
        terminal.press("Enter")
        assert terminal.wait_for("Keep 3 sessions now? [Y/n]").count("[Y/n]") == 2
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
    with in_terminal(environment, SIZE, "init", environment.claude) as terminal:
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


def test_it_asks_for_the_place_and_leaves_the_agents_home_alone_when_that_is_not_chosen(
    environment: Environment,
) -> None:
    leave_sessions(environment)
    before = sorted(environment.claude.rglob("*"))
    with in_terminal(environment, (80, 40), "init") as terminal:
        shown = terminal.wait_for("Set it up in ~/.claude?")
        assert "one memory for all projects" in shown and "in a project for its sessions" in shown
        for question in ("Set it up in", "Keep 3 sessions now?", "Install this into Claude Code?"):
            terminal.wait_for(question)
            terminal.type("n")
            terminal.press("Enter")
        said = terminal.wait_for("recall-tui opens it")
        assert terminal.wait(lambda: terminal.exit_code == 0)
    assert (environment.cwd / "memory/MEMORY.md").is_file() and sorted(environment.claude.rglob("*")) == before
    assert "what the last\nones did" in said, "narration breaks between words"


def test_in_a_project_the_agents_home_is_left_alone_unless_it_is_named(
    recall: Recall, environment: Environment
) -> None:
    leave_sessions(environment)
    (environment.cwd / ".git").mkdir()
    before = sorted(environment.claude.rglob("*"))
    said = recall("init", "--yes")
    assert said.code == 0 and "for one of all projects: recall-tui init ~/.claude" in said.err
    assert (environment.cwd / "memory/MEMORY.md").is_file() and sorted(environment.claude.rglob("*")) == before
    shutil.rmtree(environment.cwd / "memory")
    assert recall("init", environment.claude, "--yes").code == 0 and has_hooks_and_server(environment)


def test_undo_asks_before_it_takes_the_hooks_out(recall: Recall, environment: Environment) -> None:
    leave_sessions(environment)
    assert recall("init", environment.claude, "--yes").code == 0 and has_hooks_and_server(environment)
    for answer, is_left, said in (("n", True, "nothing was done"), ("y", False, "Undid: Installed into Claude Code")):
        with in_terminal(environment, SIZE, "undo") as terminal:
            assert "It changes the configuration of Claude Code. [y/N]" in terminal.wait_for("[y/N]")
            terminal.type(answer)
            terminal.press("Enter")
            assert said in terminal.wait_for(said)
        assert ("SessionEnd" in (environment.claude / "settings.json").read_text(encoding="utf-8")) is is_left


def test_undo_takes_back_what_was_asked_about_when_another_change_came_meanwhile(
    recall: Recall, environment: Environment
) -> None:
    leave_sessions(environment)
    assert recall("init", environment.claude, "--yes").code == 0 and has_hooks_and_server(environment)
    with in_terminal(environment, SIZE, "undo") as terminal:
        terminal.wait_for("[y/N]")
        assert recall("remember", "The staging keys are in the vault.").code == 0
        terminal.type("y")
        terminal.press("Enter")
        terminal.wait_for("Undid: Installed into Claude Code")
    assert "SessionEnd" not in (environment.claude / "settings.json").read_text(encoding="utf-8")
    memory = (environment.claude / "memory" / "MEMORY.md").read_text(encoding="utf-8")
    assert "staging keys" in memory, "the newer change was not asked about"


def test_in_a_repository_the_question_names_the_command_for_a_team(environment: Environment) -> None:
    leave_sessions(environment)
    shop = environment.home / "shop"
    (shop / ".git").mkdir(parents=True)
    with in_terminal(environment._replace(cwd=shop), (80, 40), "init") as terminal:
        shown = " ".join(terminal.wait_for("Set it up in ~/.claude?").split())
        assert "recall-tui init ~/shop --layout project" in shown


@pytest.mark.parametrize("layout", ["entity", "project", "hierarchical", "claude-project", "user"])
def test_undo_asks_before_it_removes_the_memory_and_leaves_nothing_of_it(
    recall: Recall, environment: Environment, layout: str
) -> None:
    assert recall("init", "--layout", layout, "--no-install", "--yes").code == 0
    for answer, is_left in (("n", True), ("y", False)):
        with in_terminal(environment, SIZE, "undo") as terminal:
            assert "It removes the memory in" in terminal.wait_for("[y/N]")
            terminal.type(answer)
            terminal.press("Enter")
            terminal.wait_for("nothing was done" if is_left else "Undid: Set up a memory")
        assert (recall("status").code == 0) is is_left
    assert not (environment.cwd / "memory").exists() and not (environment.cwd / "_memory").exists()


def test_a_lesson_is_undone_without_a_question(recall: Recall, environment: Environment) -> None:
    assert recall("init", ".", "--no-install", "--yes").code == 0 and recall("remember", "a fact").code == 0
    with in_terminal(environment, SIZE, "undo") as terminal:
        assert "[y/N]" not in terminal.wait_for("Undid: Remembered")


def test_undo_asks_before_it_removes_many_sessions(recall: Recall, environment: Environment) -> None:
    assert recall("init", ".", "--no-install", "--yes").code == 0
    files = [
        transcript(environment, number, [("user", f"Why {number}?"), ("assistant", "So.")]) for number in range(12)
    ]
    assert recall("archive", *files).code == 0
    with in_terminal(environment, SIZE, "undo") as terminal:
        assert "It removes 12 archived sessions. [y/N]" in terminal.wait_for("[y/N]")
