"""ARCHIVE.md and doctor: a fix never doubles rows, and pages that others committed are nobody's missing rows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.archives import index_file
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Stand
from tests.repositories import git, repository, session, with_git


def rows_of(root: Path) -> Counter[tuple[int, str]]:
    found = [path for path in root.rglob("ARCHIVE.md") if ".git" not in path.parts]
    text = found[0].read_text(encoding="utf-8") if found else ""
    return Counter((row.number, row.session_id) for row in index_file.parse_rows(text))


def kept_in(stand: Stand, environment: Environment, place: Path, numbers: tuple[int, ...]) -> None:
    files = [str(session(environment, "claude", number, place, f"walrus{number}")) for number in numbers]
    assert stand(place, "archive", *files).code == 0


@with_git
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_a_fix_never_doubles_rows(environment: Environment, stand: Stand, layout: str) -> None:
    place = environment.claude if layout == "user" else repository(environment.home / "shop")
    place.mkdir(parents=True, exist_ok=True)
    assert stand(place, "init", "--layout", layout, "--no-install", "--yes").code == 0
    kept_in(stand, environment, place, (1, 2, 3))
    root = environment.claude
    root = root / "projects" if layout == "claude-project" else root if layout == "user" else place
    rows = rows_of(root)
    assert len(rows) == 3 and set(rows.values()) == {1}
    for _ in range(2):
        assert stand(place, "doctor", "--fix").code == 0
        assert rows_of(root) == rows


@pytest.fixture
def clone(environment: Environment, stand: Stand) -> Path:
    """A clone of a team memory with two sessions of a colleague."""
    first = repository(environment.home / "colleague" / "shop")
    theirs = environment._replace(
        env={**environment.env, "RECALL_STATE": str(environment.home / "colleague" / "state")}
    )
    assert stand(first, "init", ".", "--layout", "project", "--no-install").code == 0
    kept_in(stand, theirs, first, (11, 12))
    git(first, "add", "--all")
    git(first, "commit", "--quiet", "--message", "memory")
    copy = environment.home / "shop"
    git(environment.home, "clone", "--quiet", str(first), str(copy))
    return copy


@with_git
@pytest.mark.parametrize("is_committed", [False, True])
def test_after_adding_own_sessions_to_a_team_memory_doctor_finds_nothing(
    environment: Environment, stand: Stand, clone: Path, is_committed: bool
) -> None:
    kept_in(stand, environment, clone, (1, 2, 3))
    if is_committed:
        git(clone, "add", "--all")
        git(clone, "commit", "--quiet", "--message", "mine")
    rows = rows_of(clone)
    assert len(rows) == 3 and set(rows.values()) == {1}
    checked = stand(clone, "doctor")
    assert checked.code == 0 and "no row for" not in checked.out, checked.out
    assert "no problem found" in stand(clone, "doctor", "--fix").out
    assert rows_of(clone) == rows and len(list((clone / "_memory" / "conversations").glob("*.md"))) == 5


@with_git
def test_a_row_that_is_lost_is_written_again_for_an_own_page_only(
    environment: Environment, stand: Stand, clone: Path
) -> None:
    kept_in(stand, environment, clone, (1, 2))
    rows = rows_of(clone)
    index = clone / "_memory" / "ARCHIVE.md"
    lines = index.read_text(encoding="utf-8").splitlines(keepends=True)
    index.write_text("".join(line for line in lines if not line.startswith("| 002")), encoding="utf-8")
    assert "has no row for 002" in stand(clone, "doctor").out
    assert stand(clone, "doctor", "--fix").code == 0
    assert rows_of(clone) == rows


@with_git
def test_in_a_fresh_clone_a_fix_makes_no_lists(stand: Stand, clone: Path) -> None:
    assert stand(clone, "doctor", "--fix").code == 0
    assert not (clone / "_memory" / "ARCHIVE.md").exists() and not (clone / "_memory" / "EPHEMERAL.md").exists()


@with_git
def test_status_says_that_a_cloned_memory_is_a_teams(stand: Stand, clone: Path) -> None:
    assert "came with the repository ~/shop: it is a team's memory" in stand(clone, "status").out
    made = clone.parent / "own"
    repository(made)
    stand(made, "init", ".", "--layout", "entity", "--no-install")
    assert "shared" not in stand(made, "status").out
