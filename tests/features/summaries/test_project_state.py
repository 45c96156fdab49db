"""A project as it is now: what git, the files and the manifests tell, and what is there no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.features.summaries.project_state import read_project
from tests.summaries import git


@pytest.fixture
def folder(environment: Environment) -> Path:
    for name in ("src/app.py", "src/deep/util.py", "web/page.ts", "node_modules/x/index.js", ".venv/lib.py"):
        path = environment.cwd / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return environment.cwd


def test_languages_are_counted_without_what_tools_made(environment: Environment, folder: Path) -> None:
    project = read_project(folder)
    assert project.code.languages == (("Python", 2), ("TypeScript", 1))
    assert project.git is None


def test_manifests_tell_name_scripts_and_dependencies(environment: Environment, folder: Path) -> None:
    (folder / "package.json").write_text('{"name": "web", "scripts": {"build": "x"}, "devDependencies": {"Vue": "3"}}')
    (folder / "pyproject.toml").write_text('[project]\nname = "api"\ndependencies = ["click>=8", "rich"]\n')
    (folder / "Cargo.toml").write_text('[package]\nname = "core"\n[dependencies]\nserde = "1"\n')
    (folder / "go.mod").write_text("module example.com/tool\n")
    code = read_project(folder).code
    assert code.names == ("web", "api", "core", "example.com/tool")
    assert code.scripts == ("build",) and code.dependencies == {"vue", "click", "rich", "serde"}


@pytest.mark.parametrize("text", ["{", "[]", '{"name": 3, "scripts": [], "dependencies": "x"}', "\x00"])
def test_a_manifest_that_makes_no_sense_tells_nothing(environment: Environment, folder: Path, text: str) -> None:
    (folder / "package.json").write_text(text)
    (folder / "pyproject.toml").write_text(text)
    code = read_project(folder).code
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
def test_what_is_not_there_any_more_speaks_against_a_line(
    environment: Environment, folder: Path, text: str, check: str
) -> None:
    git(folder, "init", "-q")
    git(folder, "add", "src")
    git(folder, "commit", "-qm", "start")
    assert read_project(folder).against(text) == check


def test_without_code_nothing_is_checked(environment: Environment) -> None:
    assert read_project(environment.cwd).against("start from `src/main.py`") == ""
