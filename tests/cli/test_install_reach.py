"""A project's memory reaches that project's sessions alone, and an installation says so before it is made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Stand
from tests.repositories import repository


@pytest.fixture
def home(environment: Environment) -> Path:
    """A home with Claude Code."""
    environment.claude.mkdir(parents=True, exist_ok=True)
    (environment.claude / "settings.json").write_text("{}", encoding="utf-8")
    return environment.home


def hooks_of(path: Path) -> list[str]:
    """The commands that the settings run when a session starts."""
    if not path.exists():
        return []
    events = json.loads(path.read_text()).get("hooks", {})
    return [hook["command"] for group in events.get("SessionStart", []) for hook in group["hooks"]]


@pytest.mark.parametrize("layout", ["entity", "hierarchical", "project"])
def test_two_projects_are_each_connected_in_their_own_folder(home: Path, stand: Stand, layout: str) -> None:
    account = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    shop, third = (repository(home / "work" / name) for name in ("shop", "third"))
    for root in (shop, third):
        assert stand(root, "init", ".", "--layout", layout, "--no-install").code == 0
        seen = stand(root, "install", "--dry-run")
        assert f"in ~/work/{root.name} alone: sessions there" in seen.err, seen.err
        assert f"It creates ~/work/{root.name}/.claude/" in seen.err and "takes the place" not in seen.err
        assert stand(root, "install", "--yes").code == 0
    for root in (shop, third):
        assert f"--root {root}" in hooks_of(root / ".claude" / "settings.local.json")[0]
    assert {path: path.read_bytes() for path in account} == account, "the account's own files stay as they were"
    assert not (home / ".claude" / "rules").exists() and not (home / ".claude.json").exists()


def test_init_connects_the_project_where_it_lies(home: Path, stand: Stand) -> None:
    shop = repository(home / "work" / "shop")
    assert stand(shop, "init", ".", "--target", "claude", "--yes").code == 0
    assert hooks_of(shop / ".claude" / "settings.local.json") and not hooks_of(home / ".claude" / "settings.json")


def test_a_project_for_every_session_is_a_choice_that_is_named(home: Path, stand: Stand) -> None:
    shop = repository(home / "work" / "shop")
    stand(home, "init", str(home / ".claude"), "--yes")
    stand(shop, "init", ".", "--no-install")
    seen = stand(shop, "install", "claude", "--scope", "user", "--dry-run").err
    assert "in every project: all your sessions" in seen and "it is the memory of ~/work/shop" in seen
    assert "--scope project" in seen
    assert "takes the place of the memory in ~/.claude: your sessions no longer reach that one" in seen
    assert "It changes ~/.claude/" in seen and "~/.claude/settings.json" in seen
    found = stand(shop, "install", "claude", "--scope", "user", "--dry-run", "--json")
    assert len(json.loads(found.out)["agents"][0]["about"]) >= 3


def test_the_memory_of_all_projects_says_that_it_is(home: Path, stand: Stand) -> None:
    stand(home, "init", str(home / ".claude"), "--no-install")
    seen = stand(home, "install", "claude", "--dry-run").err
    assert "in every project: all your sessions" in seen and "--scope project" not in seen
    assert "~/.claude/settings.json" in seen and "~/.claude.json" in seen


def test_in_a_memory_of_all_projects_nothing_of_a_project_is_changed(home: Path, stand: Stand) -> None:
    shop = repository(home / "work" / "shop")
    stand(home, "init", str(home / ".claude"), "--yes")
    stand(shop, "init", ".", "--no-install")
    stand(shop, "install", "--yes")
    start = json.dumps({"hook_event_name": "SessionStart", "session_id": "1", "cwd": str(shop), "source": "startup"})
    stand(shop, "remember", "The shop is closed on Mondays.")
    assert "the project's own memory answers" in _decided(stand, shop, start, home / ".claude")


def _decided(stand: Stand, folder: Path, said: str, root: Path) -> str:
    """What the hook of a memory decided about a session in the folder."""
    stand(folder, "hook", "--root", str(root), stdin=said)
    return stand(folder, "agents", "--log", "--root", str(root)).out
