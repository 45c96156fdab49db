"""What an installation into a project names of this machine stays out of that project's commits."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Stand
from tests.repositories import git, repository, uncommitted, with_git

BOUND = {".mcp.json", ".claude/settings.local.json"}
PLACES = {
    "claude": BOUND,
    "codex": {".codex/hooks.json"},
    "gemini": {".gemini/settings.json"},
    "cursor": {".cursor/mcp.json"},
}
"""The files of a project that name the program and the memory, by agent."""


@pytest.fixture
def shop(environment: Environment, stand: Stand) -> Path:
    """A project in a repository, with a memory for its team."""
    root = repository(environment.home / "work" / "shop")
    assert stand(root, "init", ".", "--layout", "project", "--no-install").code == 0
    git(root, "add", "-A")
    git(root, "commit", "-qm", "memory")
    return root


def private_list(root: Path) -> str:
    return (root / ".git" / "info" / "exclude").read_text()


@with_git
@pytest.mark.parametrize("agent", PLACES)
def test_git_does_not_offer_them_and_uninstalling_leaves_the_list_as_it_was(
    shop: Path, stand: Stand, agent: str
) -> None:
    before = private_list(shop)
    seen = stand(shop, "install", agent, "--scope", "project", "--yes")
    assert seen.code == 0 and "out of commits" in seen.err and "keep it out" not in seen.err
    there = {name for name in PLACES[agent] if (shop / name).exists()}
    assert there and not there & uncommitted(shop)
    assert "AGENTS.md" not in private_list(shop)
    again = private_list(shop)
    assert stand(shop, "install", agent, "--scope", "project", "--yes").code == 0 and private_list(shop) == again
    assert stand(shop, "uninstall", agent, "--scope", "project", "--yes").code == 0
    assert private_list(shop) == before


@with_git
def test_undo_takes_the_lines_out_again(shop: Path, stand: Stand) -> None:
    before = private_list(shop)
    stand(shop, "install", "claude", "--scope", "project", "--yes")
    assert all(f"/{name}\n" in private_list(shop) for name in BOUND)
    assert stand(shop, "undo").code == 0
    assert private_list(shop) == before


@with_git
def test_the_server_alone_is_taken_out_alone(shop: Path, stand: Stand) -> None:
    stand(shop, "install", "claude", "--scope", "project", "--yes")
    stand(shop, "uninstall", "claude", "--scope", "project", "--mcp", "--yes")
    assert "/.mcp.json\n" not in private_list(shop) and "/.claude/settings.local.json\n" in private_list(shop)


@with_git
def test_a_tracked_file_is_named_and_not_listed(shop: Path, stand: Stand) -> None:
    (shop / ".mcp.json").write_text('{"mcpServers": {}}\n')
    git(shop, "add", ".mcp.json")
    git(shop, "commit", "-qm", "servers")
    seen = stand(shop, "install", "claude", "--scope", "project", "--yes")
    assert ".mcp.json names paths of this machine, and git tracks it" in seen.err
    assert "/.mcp.json" not in private_list(shop) and "/.claude/settings.local.json\n" in private_list(shop)


@with_git
def test_a_line_that_the_user_commented_stays_so(shop: Path, stand: Stand) -> None:
    stand(shop, "install", "claude", "--scope", "project", "--yes")
    listed = shop / ".git" / "info" / "exclude"
    listed.write_text(private_list(shop).replace("/.mcp.json", "#/.mcp.json"))
    stand(shop, "install", "claude", "--scope", "project", "--yes")
    assert "\n/.mcp.json" not in private_list(shop) and ".mcp.json" in uncommitted(shop)


@with_git
def test_where_the_repository_lets_it_in_the_user_is_told(shop: Path, stand: Stand) -> None:
    (shop / ".gitignore").write_text("!.mcp.json\n")
    seen = stand(shop, "install", "claude", "--scope", "project", "--yes")
    assert ".mcp.json names paths of this machine: keep it out of the repository" in seen.err


@with_git
@pytest.mark.parametrize("layout", ["project", "entity", "hierarchical"])
def test_what_git_would_commit_is_named_before_and_after(environment: Environment, stand: Stand, layout: str) -> None:
    root = repository(environment.home / "work" / "mine")
    (root / ".gitignore").write_text(".claude/skills/\n")
    assert stand(root, "init", ".", "--layout", layout, "--no-install").code == 0
    git(root, "add", "-A")
    git(root, "commit", "-qm", "memory")
    for seen in (stand(root, "install", "claude", "--dry-run"), stand(root, "install", "claude", "--yes")):
        (line,) = (line for line in seen.err.splitlines() if "git would commit" in line)
    named = line.partition("git would commit ")[2].partition(":")[0].split(", ")
    assert set(named) == uncommitted(root) and ".claude/rules/recall-echo.md" in named
    assert not BOUND & set(named) and "share them only with those who have it" in line
