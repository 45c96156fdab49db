"""A project as it is now: what git, the files and the manifests tell, and what is there no more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from recall_tui.lifecycle.project_state import look_at
from recall_tui.paths import Places
from tests.summaries import git


@pytest.fixture
def folder(places: Places) -> Path:
    for name in ("src/app.py", "src/deep/util.py", "web/page.ts", "node_modules/x/index.js", ".venv/lib.py"):
        path = places.cwd / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return places.cwd


def test_languages_are_counted_without_what_tools_made(places: Places, folder: Path) -> None:
    project = look_at(folder, places)
    assert project.code.languages == (("Python", 2), ("TypeScript", 1))
    assert project.git is None and project.note == ""


def test_manifests_tell_name_scripts_and_dependencies(places: Places, folder: Path) -> None:
    (folder / "package.json").write_text('{"name": "web", "scripts": {"build": "x"}, "devDependencies": {"Vue": "3"}}')
    (folder / "pyproject.toml").write_text('[project]\nname = "api"\ndependencies = ["click>=8", "rich"]\n')
    (folder / "Cargo.toml").write_text('[package]\nname = "core"\n[dependencies]\nserde = "1"\n')
    (folder / "go.mod").write_text("module example.com/tool\n")
    code = look_at(folder, places).code
    assert code.names == ("web", "api", "core", "example.com/tool")
    assert code.scripts == ("build",) and code.dependencies == {"vue", "click", "rich", "serde"}


@pytest.mark.parametrize("text", ["{", "[]", '{"name": 3, "scripts": [], "dependencies": "x"}', "\x00"])
def test_a_manifest_that_makes_no_sense_tells_nothing(places: Places, folder: Path, text: str) -> None:
    (folder / "package.json").write_text(text)
    (folder / "pyproject.toml").write_text(text)
    code = look_at(folder, places).code
    assert (code.names, code.scripts, code.dependencies) == ((), (), frozenset())


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("start from `src/main.py`", "src/main.py is not there"),
        ("start from `src/app.py` and util.py", ""),
        ("the helper is in deep/util.py", ""),
        ("see helper.py", "helper.py is not there"),
        ("we removed src/main.py", ""),
        ("use src/app.py instead of src/main.py", ""),
        ("Node.js 20.1 and e.g. https://example.com/a.py are fine", ""),
        ("read README.md and notes.txt", ""),
        ("work on branch `feature/x`", "branch feature/x is not there"),
        ("work on branch `main`", ""),
    ],
)
def test_what_is_not_there_any_more_speaks_against_a_line(places: Places, folder: Path, text: str, check: str) -> None:
    git(folder, "init", "-q")
    git(folder, "add", "src")
    git(folder, "commit", "-qm", "start")
    assert look_at(folder, places).against(text) == check


def test_without_code_nothing_is_checked(places: Places) -> None:
    assert look_at(places.cwd, places).against("start from `src/main.py`") == ""


def test_git_tells_branch_commits_and_what_is_not_committed(places: Places, folder: Path) -> None:
    git(folder, "init", "-q")
    git(folder, "add", "src")
    for number in range(25):
        (folder / "src" / "app.py").write_text(f"{number}\n")
        git(folder, "commit", "-qam", f"number {number}")
    found = look_at(folder, places).git
    assert found is not None and found.branch == "main" and found.branches == {"main"}
    assert [commit.partition(" ")[2] for commit in found.commits] == [f"number {n}" for n in range(24, 4, -1)]
    assert found.changed == 3 and found.words == "On branch main, 3 files not committed."
    inner = look_at(folder / "src" / "deep", places).git
    assert inner is not None and len(inner.commits) == 1 and inner.changed == 0


def test_git_runs_nothing_of_the_repository(places: Places, folder: Path) -> None:
    trap = places.home / "trap.sh"
    sprung = places.home / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\n")
    trap.chmod(0o755)
    git(folder, "init", "-q")
    git(folder, "add", "src")
    git(folder, "commit", "-qm", "start")
    for key in ("core.fsmonitor", "core.pager", "core.editor", "diff.external", "gpg.program"):
        git(folder, "config", key, str(trap))
    git(folder, "config", "log.showSignature", "true")
    assert look_at(folder, places).git is not None
    assert not sprung.exists()


def test_a_git_that_is_not_there_or_hangs_is_said_and_nothing_more(
    places: Places, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(folder, "init", "-q")
    empty = replace(places, env={**places.env, "PATH": str(places.home)})
    monkeypatch.setenv("PATH", str(places.home))
    found = look_at(folder, empty)
    assert found.git is None and "git cannot be run" in found.note
    fake = places.home / "git"
    fake.write_text("#!/bin/sh\nexec /bin/sleep 60\n")
    fake.chmod(0o755)
    monkeypatch.setattr("recall_tui.lifecycle.project_state._GIT_SECONDS", 0.2)
    found = look_at(folder, empty)
    assert found.git is None and "did not answer" in found.note


def test_settings_of_git_in_the_environment_lead_nowhere_else(places: Places, folder: Path, tmp_path: Path) -> None:
    git(folder, "init", "-q")
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q", "-b", "elsewhere")
    env = {**places.env, "GIT_DIR": str(other / ".git"), "GIT_WORK_TREE": str(other)}
    found = look_at(folder, replace(places, env=env)).git
    assert found is not None and found.branch == "main"
