"""A memory's own conversations are found wherever its folder was when they were held."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.index.ingest.refresh import refresh
from recall_tui.index.opener import Index
from recall_tui.index.project_scope import own_project_keys
from recall_tui.memory import Memory
from recall_tui.search.engine import search
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.trust import confirm
from tests.makers import session_id_of, transcript

Make = Callable[..., Store]


@pytest.fixture
def memory(environment: Environment, now: Callable[[], object]) -> Make:
    """Makes a memory at a folder, with these moves in its settings."""

    def make(root: Path, *aliases: str, name: LayoutName = "hierarchical") -> Store:
        store = Memory(make_layout(root, name), environment, now)  # type: ignore[arg-type]
        store.layout.config.parent.mkdir(parents=True, exist_ok=True)
        listed = ", ".join(f'"{alias}"' for alias in aliases)
        store.layout.config.write_text(f'layout = "{name}"\n[transcripts]\naliases = [{listed}]\n')
        confirm(store)
        return store

    return make


def _said_in(environment: Environment, *folders: Path | str) -> None:
    """A session of one prompt in each folder, numbered from 1; folders need not be there."""
    for number, folder in enumerate(folders, 1):
        talk = [("user", f"zebra number {number}"), ("assistant", "yes")]
        transcript(environment, number, talk, cwd=str(folder))


def _found(index: Index, store: Store, text: str = "zebra") -> set[int]:
    refresh(index, store)
    numbers = {session_id_of(number): number for number in range(1, 10)}
    return {numbers[hit.session_id] for hit in search(index, store, text).hits}


def test_what_was_said_before_a_move_is_the_memorys_own(index: Index, memory: Make, environment: Environment) -> None:
    old, new = environment.home / "old", environment.home / "new"
    _said_in(environment, old, new, environment.home / "old-other", environment.home / "elsewhere")
    new.mkdir()
    assert _found(index, memory(new)) == {2}
    assert _found(index, memory(new, f"{old} = {new}")) == {1, 2}
    assert _found(index, memory(new, "~/old")) == {1, 2}
    assert _found(index, memory(new, "~/elsewhere = ~/old", "~/old = ~/new")) == {1, 2, 4}
    assert _found(index, memory(new, "~/elsewhere = ~/nowhere")) == {2}


def test_parts_of_a_repository_come_along(index: Index, memory: Make, environment: Environment) -> None:
    new = environment.home / "new"
    for name in ("objects", "refs"):
        (new / ".git" / name).mkdir(parents=True)
    (new / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    _said_in(environment, "/gone/old/src", new / "src", "/gone/old", "/gone/older")
    assert _found(index, memory(new, "/gone/old")) == {1, 2, 3}


def test_a_folder_of_projects_that_moved_takes_each_with_it(
    index: Index, memory: Make, environment: Environment
) -> None:
    new = environment.home / "code" / "api"
    _said_in(environment, environment.home / "work" / "api", environment.home / "work" / "web", new)
    assert _found(index, memory(new, "~/work = ~/code")) == {1, 3}


def test_a_repository_that_changed_its_remote_is_named_by_its_old_folder(
    index: Index, memory: Make, environment: Environment
) -> None:
    for folder, url in (("old", "https://github.com/acme/api"), ("new", "https://gitlab.com/acme/api")):
        git = environment.home / folder / ".git"
        for name in ("objects", "refs"):
            (git / name).mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main\n")
        (git / "config").write_text(f'[remote "origin"]\n\turl = {url}\n')
    _said_in(environment, environment.home / "old", environment.home / "new")
    assert _found(index, memory(environment.home / "new")) == {2}
    assert _found(index, memory(environment.home / "new", "~/old")) == {1, 2}


def test_a_memory_that_takes_all_is_asked_for_no_project(index: Index, memory: Make, environment: Environment) -> None:
    _said_in(environment, "/gone/old", "/gone/other")
    store = memory(environment.home / "new", "/gone/old", name="entity")
    assert _found(index, store) == {1, 2}
    reader = index.reader()
    assert reader is not None and own_project_keys(index, reader, store) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("project:new zebra", {1, 2}),
        ("project:old zebra", {1, 3}),
        ("project:code/new zebra", {1, 2}),
        ("project:other zebra", {3, 4}),
        ("project:src zebra", set()),
    ],
)
def test_the_filter_for_a_project_finds_what_was_said_under_its_older_folder(
    text: str, found: set[int], index: Index, memory: Make, environment: Environment
) -> None:
    _said_in(environment, "/gone/old", "/gone/code/new", "/gone/old-other", "/gone/other")
    store = memory(environment.home / "agent", "/gone/old = /gone/code/new", name="entity")
    assert _found(index, store, text) == found


def test_without_moves_the_filter_means_the_folder_alone(index: Index, memory: Make, environment: Environment) -> None:
    _said_in(environment, "/gone/old", "/gone/new")
    assert _found(index, memory(environment.home / "agent", name="entity"), "project:new zebra") == {2}


def test_the_transcripts_in_a_project_of_claude_code_are_its_own(
    index: Index, memory: Make, environment: Environment
) -> None:
    _said_in(environment, "/home/u/api")
    other = [("user", "zebra elsewhere"), ("assistant", "yes")]
    elsewhere = transcript(environment, 2, other, cwd="/home/u/web")
    folder = elsewhere.parent.with_name("-home-u-web")
    folder.mkdir()
    elsewhere.rename(folder / elsewhere.name)
    root = environment.claude / "projects" / "-home-u-api"
    assert _found(index, memory(root, name="claude-project")) == {1}
    assert _found(index, memory(root, "/home/u/web = /home/u/api", name="claude-project")) == {1, 2}


def test_an_archive_is_of_the_folder_it_was_said_in(index: Index, memory: Make, environment: Environment) -> None:
    root = environment.home / "new"
    store = memory(root)
    archives = root / "memory" / "conversations"
    archives.mkdir()
    for number, cwd in ((1, root), (2, "/gone/old"), (3, "/gone/other")):
        head = f'session_id: "{session_id_of(number)}"\nproject: "api"\ncwd: "{cwd}"\n'
        text = f"---\nlog: {number}\n{head}---\n\n# Conversation 001\n\n---\n\n### User\n\nzebra\n"
        (archives / f"conversation-{number:03d}.md").write_text(text)
    assert _found(index, store) == {1}
    assert _found(index, memory(root, "/gone/old")) == {1, 2}
