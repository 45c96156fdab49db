"""Where a person's hooks and a project's are both installed, only the project's memory speaks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recall_tui.agents.memory_precedence import is_overridden
from recall_tui.domain.hook import HookEvent
from recall_tui.environment import Environment


def installed(path: Path, root: Path, command: str = "/opt/bin/recall-tui hook --root {}") -> None:
    """Settings with a hook for the memory at `root`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handler = {"type": "command", "command": command.format(root)}
    path.write_text(json.dumps({"hooks": {"SessionStart": [{"hooks": [handler]}]}}), encoding="utf-8")


def test_the_projects_own_memory_is_the_one_that_speaks(environment: Environment) -> None:
    inside = environment.cwd / "src" / "deep"
    inside.mkdir(parents=True)
    event = HookEvent("start", "claude", "abc", cwd=inside)
    person, project = environment.claude, environment.cwd
    installed(environment.claude / "settings.json", person)
    assert not is_overridden(event, person, environment)
    installed(environment.cwd / ".claude" / "settings.local.json", project)
    assert is_overridden(event, person, environment) and not is_overridden(event, project, environment)
    assert not is_overridden(event._replace(cwd=None), person, environment)
    assert not is_overridden(event._replace(cwd=environment.home), person, environment)
    assert not is_overridden(event._replace(agent="codex"), person, environment), "another agent's settings"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"hooks": []}', '{"hooks": {"SessionStart": [{"hooks": [{"command": 5}]}]}}', '"a --root hook "'],
)
def test_settings_without_a_hook_of_ours_overrule_nothing(environment: Environment, text: str) -> None:
    path = environment.cwd / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    assert not is_overridden(HookEvent("start", "claude", cwd=environment.cwd), environment.claude, environment)


def test_a_hook_of_somebody_else_overrules_nothing(environment: Environment) -> None:
    installed(environment.cwd / ".claude" / "settings.json", environment.cwd, "other-tool hook --root {}")
    assert not is_overridden(HookEvent("start", "claude", cwd=environment.cwd), environment.claude, environment)
