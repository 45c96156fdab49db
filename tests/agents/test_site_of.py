"""Where a memory is installed when nobody says more."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from recall_tui.agents.default_site import default_scope, default_site, project_folder
from recall_tui.domain import LayoutName
from recall_tui.environment import Places
from recall_tui.errors import UsageError
from recall_tui.storage.layout import make_layout
from tests.makers import bench_at, records, session_id_of, write_transcript


def claudes_folder(places: Places, project: Path) -> Path:
    """The folder that Claude Code has for a project, with nothing in it."""
    folder = places.claude / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(project))
    (folder / "memory").mkdir(parents=True)
    return folder


@pytest.mark.parametrize(
    ("layout", "scope"),
    [
        ("entity", "user"),
        ("user", "user"),
        ("hierarchical", "user"),
        ("project", "project"),
        ("claude-project", "project"),
    ],
)
def test_a_projects_memory_goes_into_the_project_and_any_other_to_the_person(
    places: Places, layout: LayoutName, scope: str
) -> None:
    assert default_scope(make_layout(places.cwd, layout)) == scope


def test_a_project_is_the_work_tree_that_one_stands_in(places: Places) -> None:
    inner = places.cwd / "packages" / "web"
    inner.mkdir(parents=True)
    layout = make_layout(places.home / "memo", "entity")
    assert project_folder(layout, replace(places, cwd=inner)) == inner
    (places.cwd / ".git").mkdir()
    assert project_folder(layout, replace(places, cwd=inner)) == places.cwd
    assert project_folder(make_layout(inner, "project"), places) == inner


def test_the_project_of_claudes_folder_is_the_one_that_one_stands_in(places: Places) -> None:
    inner = places.cwd / "src"
    inner.mkdir()
    layout = make_layout(claudes_folder(places, places.cwd), "claude-project")
    assert project_folder(layout, replace(places, cwd=inner)) == places.cwd


def test_the_project_of_claudes_folder_is_the_one_that_its_sessions_worked_in(places: Places, tmp_path: Path) -> None:
    project = tmp_path / "my.app"
    project.mkdir()
    folder = claudes_folder(places, project)
    turns = [("user", "hello"), ("assistant", "hello")]
    write_transcript(folder / f"{session_id_of(1)}.jsonl", records(session_id_of(1), turns, cwd=str(project)))
    write_transcript(folder / f"{session_id_of(2)}.jsonl", records(session_id_of(2), turns, cwd=str(places.cwd)))
    assert project_folder(make_layout(folder, "claude-project"), places) == project


def test_a_project_that_nobody_knows_is_asked_for(places: Places, tmp_path: Path) -> None:
    layout = make_layout(claudes_folder(places, tmp_path / "gone"), "claude-project")
    with pytest.raises(UsageError) as caught:
        project_folder(layout, places)
    assert "go to the project's folder" in caught.value.hint


def test_the_home_folder_is_no_project(places: Places) -> None:
    bench = bench_at(places, "entity", places.home / "memo")
    at_home = replace(bench.store, places=replace(places, cwd=places.home))
    with pytest.raises(UsageError, match="home folder"):
        default_site(at_home, ("recall-tui",), "project")
    assert default_site(at_home, ("recall-tui",)).scope == "user"
