"""Links where an agent keeps its files: those of a project lead nowhere else, those of the person to the person's."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from recall_tui.agents.target import Target
from recall_tui.agents.targets.claude import ClaudeTarget
from recall_tui.environment import Environment
from recall_tui.errors import RecallError
from recall_tui.workbench import Workbench
from tests.agents.installing import TARGETS, name_of
from tests.makers import bench_at, tree

EVERY = (ClaudeTarget(), *TARGETS)
PRIVATE = "a word of the person's\n"


@pytest.fixture
def bench(environment: Environment, tmp_path: Path) -> Workbench:
    """A memory of the person's; the working folder is a project that others wrote."""
    bench = bench_at(environment, "entity", environment.home / "memo")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "private").write_text(PRIVATE)
    return bench


def paths_of(bench: Workbench, target: Target) -> list[Path]:
    """Every file of the target in the project."""
    return list(dict.fromkeys(piece.path for piece in target.pieces(bench.agents.site("project"))))


@pytest.mark.long
@pytest.mark.parametrize("target", [one for one in EVERY if "project" in one.scopes], ids=name_of)
@pytest.mark.parametrize("leads", ["to a file", "to nothing", "to a chain", "relative"])
def test_no_piece_is_written_or_read_through_a_link_out_of_the_project(
    bench: Workbench, tmp_path: Path, target: Target, leads: str
) -> None:
    outside = tmp_path / "outside"
    for path in paths_of(bench, target):
        path.parent.mkdir(parents=True, exist_ok=True)
        private = outside / ("none" if leads == "to nothing" else "private")
        if leads == "to a chain":
            (outside / "on").symlink_to(private)
            private = outside / "on"
        path.symlink_to(os.path.relpath(private, path.parent) if leads == "relative" else private)
        before = tree(outside)
        for work in (
            bench.agents.install,
            bench.agents.install_plan,
            bench.agents.uninstall,
            bench.agents.uninstall_plan,
        ):
            with pytest.raises(RecallError, match=r"is a link to .*outside.* points outside .*nothing is") as caught:
                work(target, "project")
            assert str(path) in caught.value.message and caught.value.hint.startswith("remove the link")
        assert all(PRIVATE not in one.trouble for one in bench.agents.statuses(runs_hooks=False))
        assert tree(outside) == before
        path.unlink()
        (outside / "on").unlink(missing_ok=True)


@pytest.mark.parametrize("target", [one for one in EVERY if "project" in one.scopes], ids=name_of)
def test_no_piece_is_written_into_a_folder_that_leads_out_of_the_project(
    bench: Workbench, tmp_path: Path, target: Target
) -> None:
    project, outside = bench.agents.site("project").project, tmp_path / "outside"
    before = tree(outside)
    tops = {path.relative_to(project).parts[0] for path in paths_of(bench, target) if path.parent != project}
    for top in tops:
        (project / top).symlink_to(outside)
        with pytest.raises(RecallError, match="points outside"):
            bench.agents.install(target, "project")
        assert tree(outside) == before
        (project / top).unlink()


@pytest.mark.parametrize("target", [one for one in EVERY if "project" in one.scopes], ids=name_of)
def test_nothing_is_taken_out_through_a_link_that_was_laid_since(
    bench: Workbench, tmp_path: Path, target: Target
) -> None:
    assert bench.agents.install(target, "project") is not None
    for path in paths_of(bench, target):
        moved = tmp_path / "outside" / path.name
        shutil.move(path, moved)
        path.symlink_to(moved)
        before = tree(tmp_path / "outside")
        with pytest.raises(RecallError, match="points outside"):
            bench.agents.uninstall(target, "project")
        assert tree(tmp_path / "outside") == before
        path.unlink()
        shutil.move(moved, path)
    assert bench.agents.uninstall(target, "project") is not None


def test_a_link_within_the_project_is_written_through(bench: Workbench) -> None:
    project = bench.agents.site("project").project
    (project / "docs").mkdir()
    (project / "docs" / "agents.md").write_text("# Rules\n")
    (project / "AGENTS.md").symlink_to("docs/agents.md")
    bench.agents.install("agents-md", "project")
    assert (project / "AGENTS.md").is_symlink()
    assert "recall-tui" in (project / "docs" / "agents.md").read_text()


@pytest.mark.parametrize("target", [one for one in EVERY if "user" in one.scopes], ids=name_of)
def test_a_persons_link_to_nothing_makes_no_file_outside_of_the_home(
    bench: Workbench, tmp_path: Path, target: Target
) -> None:
    for path in dict.fromkeys(piece.path for piece in target.pieces(bench.agents.site("user"))):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(tmp_path / "outside" / "none")
        with pytest.raises(RecallError, match="points to nothing, outside the home folder"):
            bench.agents.install(target, "user")
        assert not (tmp_path / "outside" / "none").exists()
        path.unlink()


@pytest.mark.parametrize("kind", ["folder", "pipe", "device"])
def test_a_persons_link_to_what_is_no_file_is_left_alone(bench: Workbench, environment: Environment, kind: str) -> None:
    there = environment.home / "there"
    if kind == "folder":
        there.mkdir()
    elif kind == "pipe":
        os.mkfifo(there)
    else:
        there.symlink_to("/dev/zero")
    environment.claude.mkdir(exist_ok=True)
    (environment.claude / "settings.json").symlink_to(there)
    with pytest.raises(RecallError, match="something other than a file"):
        bench.agents.install("claude", "user")
    assert any("something other than a file" in one.trouble for one in bench.agents.statuses(runs_hooks=False))


@pytest.mark.parametrize("scope", ["project", "user"])
def test_settings_without_end_are_not_read(bench: Workbench, environment: Environment, scope: str) -> None:
    folder = environment.claude if scope == "user" else environment.cwd / ".claude"
    folder.mkdir(exist_ok=True)
    path = folder / ("settings.json" if scope == "user" else "settings.local.json")
    path.touch()
    os.truncate(path, 1 << 40)
    with pytest.raises(OSError, match="is too large"):
        bench.agents.install("claude", scope)  # type: ignore[arg-type]
