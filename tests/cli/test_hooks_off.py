"""Where no hook runs, the rules import what a hook would hand over, as published."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.makers import bench_at, write_files


@pytest.mark.parametrize("name", ["user", "entity"])
@pytest.mark.parametrize("file", ["settings.json", "settings.local.json"])
def test_the_window_is_imported_where_hooks_are_off(
    recall: Recall, environment: Environment, name: str, file: str
) -> None:
    root = f"--root={bench_at(environment, name).store.root}"
    rules = environment.claude / "rules/recall-echo.md"
    write_files(environment.claude, {file: '{"disableAllHooks": true}\n'})
    assert recall(root, "install", "claude", "--yes").code == 0
    text = rules.read_text(encoding="utf-8")
    imported = [line for line in text.split("\n") if line.startswith("@") and line.endswith("EPHEMERAL.md")]
    assert len(imported) == 1 and "A hook hands over" not in text
    assert (rules.parent / imported[0][1:]).resolve() == (
        environment.claude / "EPHEMERAL.md" if name == "user" else environment.cwd / "memory/EPHEMERAL.md"
    )
    write_files(environment.claude, {file: '{"disableAllHooks": false}\n'})
    assert recall(root, "install", "claude", "--yes").code == 0
    text = rules.read_text(encoding="utf-8")
    assert "A hook hands over the window" in text and "EPHEMERAL.md\n" not in text.partition("MEMORY.md\n\n@")[2]


@pytest.mark.parametrize("text", ["", '{"disableAllHooks": "yes"}', '{"disableAllHooks": 1}'])
def test_settings_that_do_not_say_so_leave_the_hooks(recall: Recall, environment: Environment, text: str) -> None:
    root = f"--root={bench_at(environment, 'user').store.root}"
    write_files(environment.claude, {"settings.local.json": text})
    recall(root, "install", "claude", "--yes")
    assert "A hook hands over the window" in (environment.claude / "rules/recall-echo.md").read_text(encoding="utf-8")
