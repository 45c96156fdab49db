"""What stands where a document belongs keeps no session from being archived, and is named."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.storage.inventory import resolve_name
from recall_tui.storage.layout import make_layout
from tests.cli.conftest import Recall
from tests.repositories import session

WORD = "ZEBRAWORD"
DAY = "days/2026-03-06.md"


def _folder(path: Path) -> None:
    (path / "x").mkdir(parents=True)


def _pipe(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    os.mkfifo(path)


def _file(path: Path) -> None:
    path.parent.write_text("no folder\n")


def _link(path: Path) -> None:
    path.parent.symlink_to("/nonexistent")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "block"),
    [
        (DAY, _folder),
        (DAY, _pipe),
        (DAY, _file),
        (DAY, _link),
        ("EPHEMERAL.md", _folder),
        ("ARCHIVE.md", _folder),
        ("ARCHIVE.md", _pipe),
    ],
)
def test_a_session_is_archived_whatever_has_the_place_of_a_document(
    environment: Environment, recall: Recall, name: str, block: Callable[[Path], None]
) -> None:
    root = environment.home / "notes"
    recall("init", root)
    session(environment, "claude", 1, root, WORD)
    path = root / "memory" / name
    path.unlink(missing_ok=True)
    block(path)
    done = recall("--root", root, "archive", "--all-unarchived")
    archive = root / "memory" / "conversations" / "conversation-001.md"
    assert WORD in archive.read_text() and f"memory/{name} was left out" in done.err + done.out
    told = recall("--root", root, "doctor")
    assert told.code == 1 and name.split("/")[0] in told.out + told.err
    held = archive.read_bytes()
    recall("--root", root, "archive", "--all-unarchived")
    assert archive.read_bytes() == held and len(list(archive.parent.glob("*.md"))) == 1


@pytest.mark.parametrize("name", ["EPHEMERAL.md", "ARCHIVE.md"])
def test_rows_and_window_are_made_again_once_their_place_is_free(
    environment: Environment, recall: Recall, name: str
) -> None:
    root = environment.home / "notes"
    recall("init", root)
    session(environment, "claude", 1, root, WORD)
    path = root / "memory" / name
    path.unlink()
    path.mkdir()
    recall("--root", root, "archive", "--all-unarchived")
    path.rmdir()
    recall("--root", root, "doctor", "--fix")
    assert "001" in path.read_text()


@pytest.mark.parametrize("layout", ["entity", "user", "project", "hierarchical", "claude-project"])
def test_nothing_comes_in_by_a_folder_where_a_document_belongs(tmp_path: Path, layout: LayoutName) -> None:
    at = make_layout(tmp_path, layout)
    base = at.base.relative_to(tmp_path)
    for name in (
        "days/2026-03-06.md/y.md",
        "WISDOM.MD/x.md",
        "wiki/page.md/x.md",
        "conversations/conversation-001.md/x",
    ):
        with pytest.raises(ValueError, match="a folder where a document belongs"):
            resolve_name(at, (base / name).as_posix())


def test_an_import_that_is_taken_back_leaves_no_folder(environment: Environment, recall: Recall) -> None:
    root, other = environment.home / "notes", environment.home / "other"
    recall("init", other)
    (other / "memory" / "weekly").mkdir()
    (other / "memory" / "weekly" / "2026-W10.md").write_text("# Week\n")
    file = environment.home / "memory.json"
    recall("--root", other, "export", "--all", "--to", file)
    recall("init", root)
    before = sorted(path.name for path in (root / "memory").iterdir())
    assert recall("--root", root, "import", file, "--yes").code == 0
    assert (root / "memory" / "weekly").is_dir()
    assert recall("--root", root, "undo").code == 0
    assert sorted(path.name for path in (root / "memory").iterdir()) == before
