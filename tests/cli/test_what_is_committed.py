"""The sentence about commits when a memory is made in a repository: it agrees with git."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Stand
from tests.repositories import git, repository, with_git

CURATED = "MEMORY.md and topic files can be committed"
OUT = "MEMORY.md too"
LISTED = "MEMORY.md can be committed"
SHARED = "is meant to be committed"


def is_ignored(repo: Path, name: str) -> bool:
    """Whether git leaves a file that is not tracked out of its commits."""
    said = subprocess.run(["git", "check-ignore", "--quiet", name], cwd=repo, check=False)
    return said.returncode == 0


@with_git
@pytest.mark.parametrize(
    ("layout", "files", "said"),
    [
        ("entity", {}, OUT),
        ("hierarchical", {}, OUT),
        ("entity", {".gitignore": "node_modules/\nmemory/\n"}, OUT),
        ("entity", {".gitignore": "/mem*\n"}, OUT),
        ("entity", {".git/info/exclude": "memory\n"}, OUT),
        ("entity", {".gitignore": "memory/\n!memory/\n", "memory/.gitignore": "*\n!MEMORY.md\n"}, LISTED),
        ("entity", {"memory/.gitignore": "# nothing\n"}, CURATED),
        ("project", {}, SHARED),
        ("project", {".gitignore": "_memory/\n"}, OUT),
    ],
)
def test_it_says_what_git_would_commit(
    environment: Environment, stand: Stand, layout: str, files: dict[str, str], said: str
) -> None:
    repo = repository(environment.home / "shop")
    for name, text in files.items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(text, encoding="utf-8")
    made = stand(repo, "init", ".", "--layout", layout, "--no-install")
    assert made.code == 0 and said in made.err, made.err
    curated = "_memory/MEMORY.md" if layout == "project" else "memory/MEMORY.md"
    assert is_ignored(repo, curated) == (said == OUT)


@with_git
def test_what_git_commits_already_is_said(environment: Environment, stand: Stand) -> None:
    repo = repository(environment.home / "shop")
    (repo / "memory").mkdir()
    (repo / "memory" / "MEMORY.md").write_text("# Memory\n", encoding="utf-8")
    git(repo, "add", "memory")
    assert CURATED in stand(repo, "init", ".", "--layout", "entity", "--no-install").err


@with_git
def test_a_team_memory_is_not_said_to_take_other_projects(environment: Environment, stand: Stand) -> None:
    repo = repository(environment.home / "shop")
    made = stand(repo, "init", ".", "--layout", "project", "--no-install").err
    assert "you choose which to add" in made and "--all-projects" not in made
