"""What was cloned below Claude Code's folder is not the person's own, wherever it lies there."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.storage.layout import make_layout
from tests.qa.trust.calling import called
from tests.qa.trust.hostile_memory import put

STOLEN = "stolen_words_of_mine"
CLONED: tuple[tuple[str, LayoutName, str], ...] = (
    ("plugins/marketplaces/evil", "project", "folder"),
    ("plugins/marketplaces/evil", "entity", "none"),
    ("plugins/marketplaces/.claude", "user", "folder"),
    ("plugins/cache/evil/projects/-home-me", "claude-project", "none"),
    ("projects/evil", "claude-project", "folder"),
    ("projects/evil", "claude-project", "file"),
    ("projects/evil", "project", "none"),
    ("projects/-home-me/evil", "entity", "none"),
    ("evil", "entity", "none"),
)
"""Below `~/.claude`: the folder, its design, and how it is a repository."""


def secret_of(environment: Environment) -> Path:
    return put(environment.home / "private" / "id.md", f"{STOLEN}\n")


@pytest.mark.parametrize(("at", "layout", "git"), CLONED)
def test_what_was_cloned_there_links_to_nothing_and_reaches_nowhere(
    environment: Environment, at: str, layout: LayoutName, git: str
) -> None:
    secret, root = secret_of(environment), environment.claude / at
    own = make_layout(root, layout)
    own.memory_file.parent.mkdir(parents=True)
    own.memory_file.symlink_to(secret)
    put(own.config, f'layout = "{layout}"\n[keep]\ndays = 1\n[backups]\ndays = 0\n')
    if git != "none":
        put(root / ".git" if git == "file" else root / ".git" / "HEAD", "ref: refs/heads/main\n")
    for words in (("show", "memory"), ("consume",), ("search", STOLEN), ("remember", "a line of theirs")):
        came = called(environment, "--root", str(root), *words)
        assert STOLEN not in came.out.replace(f'"query": "{STOLEN}"', "")
    assert secret.read_text() == f"{STOLEN}\n"
    shown = called(environment, "--root", str(root), "config", "show")
    assert shown.code and "config trust" in shown.err
    assert "keep.days" in shown.err and "backups.days" in shown.err


def test_a_project_of_the_agents_that_is_a_link_to_a_clone_is_a_clone(environment: Environment) -> None:
    secret, clone = secret_of(environment), environment.home / "clone"
    put(clone / "memory" / ".recall-echo.toml", 'layout = "claude-project"\n')
    (clone / "memory" / "MEMORY.md").symlink_to(secret)
    root = environment.claude / "projects" / "-home-me"
    root.parent.mkdir(parents=True)
    root.symlink_to(clone)
    assert STOLEN not in called(environment, "--root", str(root), "show", "memory").out
    called(environment, "--root", str(root), "remember", "a line of theirs")
    assert secret.read_text() == f"{STOLEN}\n"


@pytest.mark.parametrize(("at", "layout"), [("", "user"), ("projects/-home-me", "claude-project")])
def test_there_the_persons_own_documents_may_be_links_and_nothing_else(
    environment: Environment, at: str, layout: LayoutName
) -> None:
    own = make_layout(environment.claude / at, layout)
    dotfiles = put(environment.home / "dotfiles" / "MEMORY.md", "# Mine\n\n- the parser is fast\n")
    secret = secret_of(environment)
    own.base.mkdir(parents=True)
    own.memory_file.symlink_to(dotfiles)
    (own.base / "topic.md").symlink_to(secret)
    put(own.config, f'layout = "{layout}"\n')
    root = ("--root", str(own.root))
    assert "the parser is fast" in called(environment, *root, "show", "memory").out
    assert called(environment, *root, "remember", "the lexer is not").code == 0
    assert "the lexer is not" in dotfiles.read_text() and own.memory_file.is_symlink()
    assert STOLEN not in called(environment, *root, "show", "topic").out
    called(environment, *root, "remember", "a fact", "--topic", "topic")
    assert secret.read_text() == f"{STOLEN}\n"
    assert "topic.md" in called(environment, *root, "doctor").out
