"""Links: what they bring in from outside is not read, written or given to agents, unless the person says so."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from recall_tui.domain import Append, Create, LayoutName, Plan
from recall_tui.environment import Environment
from recall_tui.errors import RecallError
from recall_tui.memory import Memory
from recall_tui.storage import trust
from recall_tui.storage.archives.archive_cache import ArchiveRegister
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.documents import period_files
from recall_tui.storage.documents.topic_files import list_topics
from recall_tui.storage.files import symlinks
from recall_tui.storage.layout import Layout, make_layout
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A memory's places, with a folder in it and documents beside it."""
    for folder in ("at/memory/wiki", "at/src", "outside"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("outside/x.md", "outside/secret", "at/CLAUDE.md", "at/.env", "at/memory/own.md"):
        (tmp_path / name).write_text("words")
    return make_layout(tmp_path / "at", "entity")


def link(path: Path, target: Path | str) -> Path:
    path.unlink(missing_ok=True)
    path.symlink_to(target)
    return path


@pytest.mark.parametrize(
    ("target", "leads_out"),
    [
        ("../../outside/x.md", True), ("../../outside", True), ("/etc/hostname", True), ("/nowhere/at/all.md", True),
        ("../.env", True), ("../../outside/secret", True), ("../CLAUDE.md", False), ("own.md", False),
        ("wiki/none.md", False), ("here.md", False),
    ],
)  # fmt: skip
def test_a_link_may_lead_to_the_memory_and_to_markdown_of_its_own_project(
    layout: Layout, target: str, leads_out: bool
) -> None:
    path = link(layout.base / "here.md", target)
    found = symlinks.find_outside_target(layout, path)
    assert (found is not None) == leads_out
    assert found in (None, Path(os.path.realpath(path)))
    assert symlinks.find_outside_target(layout._replace(follows_links=True), path) is None


def test_what_lies_in_a_folder_that_leads_out_does_so_too(layout: Layout, tmp_path: Path) -> None:
    layout.wiki.rmdir()
    link(layout.wiki, tmp_path / "outside")
    assert symlinks.find_outside_target(layout, layout.wiki / "x.md") == tmp_path / "outside" / "x.md"
    assert symlinks.find_outside_target(layout, layout.wiki / "new.md") is not None
    assert symlinks.list_documents(layout, layout.wiki) == []
    assert list(symlinks.outside_links(layout)) == [(layout.wiki, tmp_path / "outside")]


@pytest.mark.parametrize("at", ["at", "at/memory"])
def test_a_memory_that_is_a_link_as_a_whole_is_a_memory(layout: Layout, tmp_path: Path, at: str) -> None:
    (tmp_path / at).rename(tmp_path / "cloud")
    link(tmp_path / at, tmp_path / "cloud")
    layout = layout._replace(owns_folders=True)
    assert symlinks.list_documents(layout, layout.base) == [layout.base / "own.md"]
    assert symlinks.find_outside_target(layout, layout.base / "new.md") is None
    symlinks.expect_own_documents(layout)


def test_a_memory_whose_folder_leads_out_is_one_after_it_was_confirmed(
    environment: Environment, tmp_path: Path
) -> None:
    bench = bench_at(environment)
    bench.layout.base.rename(tmp_path / "theirs")
    link(bench.layout.base, tmp_path / "theirs")
    (tmp_path / "theirs" / "topic.md").write_text("words")
    with pytest.raises(RecallError, match=r"MEMORY\.md points outside .*theirs") as caught:
        Workbench.open(bench.layout.root, environment=environment)
    assert "config trust" in caught.value.hint
    lax = Workbench.open(bench.layout.root, environment=environment, takes_strays=True)
    assert not list_topics(lax.layout) and any(one.kind == "links" for one in lax.check())
    assert trust.unconfirmed(lax.store) == {"memory/": str(tmp_path / "theirs")}
    assert trust.confirm(lax.store) and not trust.confirm(lax.store)
    own = Workbench.open(bench.layout.root, environment=environment)
    assert [path.name for path in list_topics(own.layout)] == ["topic.md"]
    (tmp_path / "theirs").rename(tmp_path / "elsewhere")
    link(bench.layout.base, tmp_path / "elsewhere")
    with pytest.raises(RecallError, match="points outside"):
        Workbench.open(bench.layout.root, environment=environment)


def test_a_memory_whose_folder_is_a_link_within_its_project_is_one(layout: Layout, tmp_path: Path) -> None:
    layout.base.rename(tmp_path / "at" / "docs")
    link(layout.base, "docs")
    assert symlinks.list_documents(layout, layout.base) == [layout.base / "own.md"]
    symlinks.expect_own_documents(layout)


def test_what_is_listed_is_not_what_links_bring_in(layout: Layout, tmp_path: Path) -> None:
    link(layout.base / "topic.md", tmp_path / "outside" / "x.md")
    link(layout.base / "alias.md", "own.md")
    assert [path.name for path in list_topics(layout)] == ["alias.md", "own.md"]
    archives = layout.archives[0].folder
    archives.mkdir()
    link(archives / "conversation-007.md", tmp_path / "outside" / "x.md")
    folder, register = ArchiveFolder(layout), ArchiveRegister(layout)
    register.look()
    assert folder.entries() == () and folder.count() == 0 and register.next_number() == 8


def test_a_ring_of_links_is_no_folder(layout: Layout) -> None:
    link(layout.weekly, layout.weekly.name)
    assert symlinks.list_documents(layout, layout.weekly) == []
    assert period_files.list_weeklies(layout) == {}


def test_nothing_is_written_through_them_and_the_message_says_where_they_lead(
    environment: Environment, tmp_path: Path
) -> None:
    bench = bench_at(environment)
    outside = tmp_path / "outside.md"
    outside.write_text("mine\n")
    path = link(bench.layout.base / "topic.md", outside)
    with pytest.raises(RecallError, match=r"memory/topic\.md points outside .*outside\.md") as caught:
        bench.journal.commit(lambda: Plan("x", (Append(path, "more"),)))
    assert "config set memory.follow_links true" in caught.value.hint
    gone = link(bench.layout.base / "gone", tmp_path / "elsewhere")
    with pytest.raises(RecallError, match="points outside"):
        bench.journal.commit(lambda: Plan("x", (Create(gone / "new.md", "x"),)))
    assert outside.read_text() == "mine\n" and not (tmp_path / "elsewhere").exists()
    assert bench.journal.is_clean()


def test_a_change_that_was_interrupted_is_not_finished_through_a_link_laid_since(
    environment: Environment, tmp_path: Path
) -> None:
    bench = bench_at(environment)
    path = bench.layout.base / "topic.md"
    path.write_text("a")
    lax = replace(bench.journal, expects=lambda _: None)
    entry = lax.commit(lambda: Plan("x", (Append(path, "b"),)))
    assert entry is not None
    done = bench.journal.folder / f"{entry.id:06d}.json"
    done.rename(done.with_name(f"{entry.id:06d}.pending.json"))
    (tmp_path / "outside.md").write_text("a")
    link(path, tmp_path / "outside.md")
    assert len(bench.journal.recover()) == 1
    assert (tmp_path / "outside.md").read_text() == "a"


@pytest.mark.parametrize("name", ["entity", "project", "hierarchical"])
def test_a_memory_whose_document_leads_out_is_opened_only_to_look_after_it(
    environment: Environment, tmp_path: Path, name: LayoutName
) -> None:
    bench = bench_at(environment, name)
    (tmp_path / "credentials").write_text("words")
    link(bench.layout.memory_file, tmp_path / "credentials")
    with pytest.raises(RecallError, match=r"MEMORY\.md points outside"):
        Workbench.open(bench.layout.root, environment=environment)
    lax = Workbench.open(bench.layout.root, environment=environment, takes_strays=True)
    assert any(one.kind == "links" and "credentials" in one.message for one in lax.check())
    theirs = Workbench.open(
        bench.layout.root,
        environment=Environment(environment.home, environment.cwd, {**environment.env, "X": "1"}),
        takes_strays=True,
    )
    assert not theirs.layout.follows_links
    own = Environment(environment.home, environment.cwd, {**environment.env, "RECALL_MEMORY_FOLLOW_LINKS": "true"})
    assert Workbench.open(bench.layout.root, environment=own).layout.follows_links


def test_a_repository_cannot_say_so_for_the_person(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    with bench.layout.config.open("a") as file:
        file.write("\n[memory]\nfollow_links = true\n")
    store = Memory(bench.layout, environment, lambda: NOON)
    assert not trust.follows_links(store)
    assert trust.confirm(store)
    assert trust.follows_links(store)


def test_links_in_the_agents_home_are_the_persons_own(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment, "user")
    dotfiles = tmp_path / "dotfiles.md"
    dotfiles.write_text("# Mine\n")
    link(bench.layout.memory_file, dotfiles)
    own = Workbench.open(environment.claude, environment=environment)
    own.journal.commit(lambda: Plan("x", (Append(own.layout.memory_file, "more\n"),)))
    assert dotfiles.read_text() == "# Mine\nmore\n"
    assert own.layout.memory_file.is_symlink()


def test_a_setting_of_the_folder_leads_nowhere_else(environment: Environment, tmp_path: Path) -> None:
    root = tmp_path / "clone" / ".claude"
    (root / "memory").mkdir(parents=True)
    (root / "memory" / "MEMORY.md").write_text("# Memory\n")
    (root / ".recall-echo.json").write_text('{"paths": {"memory": "../../secret.md"}}')
    (tmp_path / "secret.md").write_text("words")
    with pytest.raises(RecallError, match=r"paths\.memory in .* points to .*secret\.md"):
        Workbench.open(root, environment=environment)
