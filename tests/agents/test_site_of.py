"""Where a memory is installed when nobody says more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recall_tui.agents import default_site as sites
from recall_tui.agents.default_site import default_site
from recall_tui.agents.target import Scope
from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.errors import UsageError
from recall_tui.storage.layout import Layout, LocatedMemory, make_layout
from recall_tui.workbench import Workbench
from tests.makers import bench_at, records, session_id_of, write_transcript


def default_scope(layout: Layout, environment: Environment) -> Scope:
    """The scope of a memory there."""
    return sites.default_scope(Workbench.at(LocatedMemory(layout, "test"), environment).store)


def project_folder(layout: Layout, environment: Environment) -> Path:
    """The project of a memory there."""
    return sites.project_folder(Workbench.at(LocatedMemory(layout, "test"), environment).store)


def claudes_folder(environment: Environment, project: Path) -> Path:
    """The folder that Claude Code has for a project, with nothing in it."""
    folder = environment.claude / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(project))
    (folder / "memory").mkdir(parents=True)
    return folder


@pytest.mark.parametrize(
    ("layout", "scope"),
    [
        ("entity", "user"),
        ("user", "user"),
        ("hierarchical", "project"),
        ("project", "project"),
        ("claude-project", "project"),
    ],
)
def test_a_projects_memory_goes_into_the_project_and_any_other_to_the_person(
    environment: Environment, layout: LayoutName, scope: str
) -> None:
    assert default_scope(make_layout(environment.cwd, layout), environment) == scope


def test_a_memory_in_a_repository_goes_into_that_alone(environment: Environment) -> None:
    root = environment.home / "shop" / "notes"
    (root.parent / ".git").mkdir(parents=True)
    root.mkdir()
    layout = make_layout(root, "entity")
    assert default_scope(layout, environment) == "project"
    assert project_folder(layout, environment) == root.parent, "wherever one stands"


def test_a_project_is_the_work_tree_that_one_stands_in(environment: Environment) -> None:
    inner = environment.cwd / "packages" / "web"
    inner.mkdir(parents=True)
    layout = make_layout(environment.home / "memo", "entity")
    assert project_folder(layout, environment._replace(cwd=inner)) == inner
    (environment.cwd / ".git").mkdir()
    assert project_folder(layout, environment._replace(cwd=inner)) == environment.cwd
    assert project_folder(make_layout(inner, "project"), environment) == inner


def test_the_project_of_claudes_folder_is_the_one_that_one_stands_in(environment: Environment) -> None:
    inner = environment.cwd / "src"
    inner.mkdir()
    layout = make_layout(claudes_folder(environment, environment.cwd), "claude-project")
    assert project_folder(layout, environment._replace(cwd=inner)) == environment.cwd


def test_the_project_of_claudes_folder_is_the_one_that_its_sessions_worked_in(
    environment: Environment, tmp_path: Path
) -> None:
    project = tmp_path / "my.app"
    project.mkdir()
    folder = claudes_folder(environment, project)
    turns = [("user", "hello"), ("assistant", "hello")]
    write_transcript(folder / f"{session_id_of(1)}.jsonl", records(session_id_of(1), turns, cwd=str(project)))
    write_transcript(folder / f"{session_id_of(2)}.jsonl", records(session_id_of(2), turns, cwd=str(environment.cwd)))
    assert project_folder(make_layout(folder, "claude-project"), environment) == project


def test_a_project_that_nobody_knows_is_asked_for(environment: Environment, tmp_path: Path) -> None:
    layout = make_layout(claudes_folder(environment, tmp_path / "gone"), "claude-project")
    with pytest.raises(UsageError) as caught:
        project_folder(layout, environment)
    assert "go to the project's folder" in caught.value.hint


def test_the_home_folder_is_no_project(environment: Environment) -> None:
    bench = bench_at(environment, "entity", environment.home / "memo")
    at_home = bench.store._replace(environment=environment._replace(cwd=environment.home))
    with pytest.raises(UsageError, match="home folder"):
        default_site(at_home, ("recall-tui",), "project")
    assert default_site(at_home, ("recall-tui",)).scope == "user"
