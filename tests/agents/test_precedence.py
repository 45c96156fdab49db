"""Where a person's hooks and a project's are both installed, only the project's memory speaks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recall_tui.agents.memory_precedence import is_overridden
from recall_tui.domain.hook import HookEvent
from recall_tui.environment import Places


def installed(path: Path, root: Path, command: str = "/opt/bin/recall-tui hook --root {}") -> None:
    """Settings with a hook for the memory at `root`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handler = {"type": "command", "command": command.format(root)}
    path.write_text(json.dumps({"hooks": {"SessionStart": [{"hooks": [handler]}]}}), encoding="utf-8")


def test_the_projects_own_memory_is_the_one_that_speaks(places: Places) -> None:
    inside = places.cwd / "src" / "deep"
    inside.mkdir(parents=True)
    event = HookEvent("start", "claude", "abc", cwd=inside)
    person, project = places.claude, places.cwd
    installed(places.claude / "settings.json", person)
    assert not is_overridden(event, person, places)
    installed(places.cwd / ".claude" / "settings.local.json", project)
    assert is_overridden(event, person, places) and not is_overridden(event, project, places)
    assert not is_overridden(event._replace(cwd=None), person, places)
    assert not is_overridden(event._replace(cwd=places.home), person, places)
    assert not is_overridden(event._replace(agent="codex"), person, places), "another agent's settings"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"hooks": []}', '{"hooks": {"SessionStart": [{"hooks": [{"command": 5}]}]}}', '"a --root hook "'],
)
def test_settings_without_a_hook_of_ours_overrule_nothing(places: Places, text: str) -> None:
    path = places.cwd / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    assert not is_overridden(HookEvent("start", "claude", cwd=places.cwd), places.claude, places)


def test_a_hook_of_somebody_else_overrules_nothing(places: Places) -> None:
    installed(places.cwd / ".claude" / "settings.json", places.cwd, "other-tool hook --root {}")
    assert not is_overridden(HookEvent("start", "claude", cwd=places.cwd), places.claude, places)
