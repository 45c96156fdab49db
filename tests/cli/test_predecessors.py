"""What earlier tools left in an agent: `agents` and `doctor` name it, `install` replaces it, with a copy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.makers import bench_at, tree, write_files

RULES = "# Recall Echo\n\nMEMORY.md is curated, and the window is read at the start:\n\n@~/.claude/EPHEMERAL.md\n"
PROMPT = "bash ~/.claude/hooks/memory-recall.sh"
END = "~/.claude/hooks/session-end-remember.sh"
PROMOTE = "recall-echo promote"
OWN = "~/bin/notify.sh done"


def hooks(**events: list[str]) -> str:
    """Settings with these commands at these events."""
    groups = {
        event: [{"hooks": [{"type": "command", "command": one} for one in commands]}]
        for event, commands in events.items()
    }
    return json.dumps({"model": "opus", "hooks": groups}) + "\n"


def commands(path: Path) -> list[str]:
    """Every command that the settings run."""
    found = json.loads(path.read_text())["hooks"]
    return [hook["command"] for groups in found.values() for group in groups for hook in group["hooks"]]


@pytest.fixture
def agent(environment: Environment) -> Path:
    """The folder of a person who comes from recall-echo and from session recall."""
    bench_at(environment, "user")
    settings = hooks(UserPromptSubmit=[PROMPT], SessionEnd=[END, PROMOTE, OWN])
    write_files(environment.claude, {"rules/recall-echo.md": RULES, "settings.json": settings})
    return environment.claude


def test_they_are_named_before_anything_is_installed(recall: Recall, agent: Path) -> None:
    said = recall("agents")
    assert said.code == 0 and "of an earlier tool" in said.out
    names = (f"the rules of recall-echo: {agent}/rules/recall-echo.md", f"session recall: {PROMPT}", END, PROMOTE)
    for shown in (said.err, recall("doctor").out):
        assert all(name in shown for name in names) and "replace it: recall-tui install claude" in shown
    assert OWN not in said.err
    (row,) = (one for one in recall("agents", "--json").json["agents"] if one["pieces"] and one["predecessors"])
    assert row["state"] == "of an earlier tool" and len(row["predecessors"]) == 4
    assert recall("doctor").code == 0


def test_an_installation_replaces_them_and_keeps_a_copy(recall: Recall, environment: Environment, agent: Path) -> None:
    before = tree(agent)
    said = recall("install", "claude", "--yes")
    assert said.code == 0 and "Installed into Claude Code" in said.out
    assert said.err.count("is replaced; a copy is kept") == 4
    rules = (agent / "rules" / "recall-echo.md").read_text()
    assert rules.startswith("# Memory across sessions") and "Recall Echo" not in rules
    after = commands(agent / "settings.json")
    assert OWN in after and not {PROMPT, END, PROMOTE} & set(after)
    copies = [path.read_text() for path in environment.state.glob("*/backups/*") if path.is_file()]
    assert RULES in copies and any(PROMPT in copy for copy in copies)
    assert "of an earlier tool" not in recall("agents").out and recall("doctor").code == 0
    assert "has it already" in recall("install", "claude", "--yes").err
    assert recall("undo").code == 0
    assert tree(agent) == before


def test_uninstalling_takes_nothing_of_theirs(recall: Recall, agent: Path) -> None:
    before = tree(agent)
    said = recall("uninstall", "claude", "--yes")
    assert said.code == 0 and tree(agent) == before


def test_a_hook_that_came_back_beside_ours_is_a_problem(recall: Recall, agent: Path) -> None:
    recall("install", "claude", "--yes")
    path = agent / "settings.json"
    found = json.loads(path.read_text())
    found["hooks"]["UserPromptSubmit"].append({"hooks": [{"type": "command", "command": PROMPT}]})
    path.write_text(json.dumps(found))
    said = recall("doctor")
    assert said.code == 1 and f"the hook of session recall: {PROMPT}" in said.out
    assert recall("install", "claude", "--yes").code == 0 and PROMPT not in commands(path)


@pytest.mark.long
@pytest.mark.parametrize("name", ["project", "claude-project"])
@pytest.mark.parametrize("command", ["bun $CLAUDE_PROJECT_DIR/tools/recall.ts hook", PROMPT, "recall remember --json"])
def test_hooks_in_the_projects_shared_settings_go_too(
    recall: Recall, environment: Environment, name: str, command: str
) -> None:
    write_files(environment.cwd, {".claude/settings.json": hooks(UserPromptSubmit=[command], SessionEnd=[OWN])})
    said = recall("init", "--layout", name, "--target", "claude", "--yes")
    shared = environment.cwd / ".claude" / "settings.json"
    assert said.code == 0 and f"the hook of session recall: {command}" in said.err
    assert commands(shared) == [OWN]
    assert "has it already" in recall("install", "claude", "--yes", "--layout", name).err
    assert recall("undo").code == 0 and commands(shared) == [command, OWN]


@pytest.mark.parametrize("command", ["recall-tui-extras hook", "my-recall remember it", "echo recall", "hook recall"])
def test_hooks_of_others_stay(recall: Recall, environment: Environment, command: str) -> None:
    bench_at(environment, "user")
    write_files(environment.claude, {"settings.json": hooks(UserPromptSubmit=[command])})
    assert recall("install", "claude", "--yes").code == 0
    assert command in commands(environment.claude / "settings.json")


def test_rules_that_a_person_wrote_under_that_name_stay(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "user")
    write_files(environment.claude, {"rules/recall-echo.md": "# How we echo\n\nSay it twice.\n"})
    said = recall("install", "claude", "--yes")
    assert "it is left unchanged" in said.err
    assert (environment.claude / "rules" / "recall-echo.md").read_text() == "# How we echo\n\nSay it twice.\n"
