"""A file that takes its place whole: new, private, and never half of one."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from recall_tui.storage.atomic import made_whole


def test_a_file_is_there_when_the_block_ends_and_not_before(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with made_whole(path, is_new=True) as file:
        file.write(b"one")
        assert not path.exists()
    assert path.read_bytes() == b"one" and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["a"]


def test_a_block_that_fails_leaves_everything_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    for name, is_new in (("new", True), ("old", False)):
        with pytest.raises(KeyboardInterrupt), made_whole(tmp_path / name, is_new=is_new) as file:
            file.write(b"half")
            raise KeyboardInterrupt
    assert [one.name for one in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_bytes() == b"old"


@pytest.mark.parametrize("has_links", [True, False])
def test_what_is_there_already_is_never_taken_away(
    has_links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_links:

        def refused(*_: object) -> None:
            raise PermissionError(1, "no hard links on this file system")

        monkeypatch.setattr(os, "link", refused)
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    (tmp_path / "old").write_bytes(b"old")
    for name in ("old", "gone"):
        with pytest.raises(FileExistsError), made_whole(tmp_path / name, is_new=True) as file:
            file.write(b"new")
    with made_whole(tmp_path / "new", is_new=True) as file:
        file.write(b"new")
    assert (tmp_path / "old").read_bytes() == b"old" and (tmp_path / "new").read_bytes() == b"new"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["gone", "new", "old"]


def test_what_was_there_gives_way_when_it_shall(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    with made_whole(tmp_path / "old", is_new=False) as file:
        file.write(b"new")
    assert (tmp_path / "old").read_bytes() == b"new"
