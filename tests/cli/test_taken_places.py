"""What stands where a document belongs keeps no session from being archived, and is named."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from recall_tui.environment import Places
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
    places: Places, recall: Recall, name: str, block: Callable[[Path], None]
) -> None:
    root = places.home / "notes"
    recall("init", root)
    session(places, "claude", 1, root, WORD)
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
def test_rows_and_window_are_made_again_once_their_place_is_free(places: Places, recall: Recall, name: str) -> None:
    root = places.home / "notes"
    recall("init", root)
    session(places, "claude", 1, root, WORD)
    path = root / "memory" / name
    path.unlink()
    path.mkdir()
    recall("--root", root, "archive", "--all-unarchived")
    path.rmdir()
    recall("--root", root, "doctor", "--fix")
    assert "001" in path.read_text()
