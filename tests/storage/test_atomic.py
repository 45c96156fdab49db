"""A file that takes its place whole: new, private, and never half of one."""

from __future__ import annotations

import os
import resource
import signal
import stat
from pathlib import Path

import pytest

from recall_tui.errors import ConflictError, name_path
from recall_tui.storage.files import atomic, compare_and_swap
from recall_tui.storage.files.atomic import complete_write


def test_a_file_is_there_when_the_block_ends_and_not_before(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with complete_write(path, is_new=True) as file:
        file.write(b"one")
        assert not path.exists()
    assert path.read_bytes() == b"one" and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["a"]


def test_a_block_that_fails_leaves_everything_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    for name, is_new in (("new", True), ("old", False)):
        with pytest.raises(KeyboardInterrupt), complete_write(tmp_path / name, is_new=is_new) as file:
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
        with pytest.raises(FileExistsError), complete_write(tmp_path / name, is_new=True) as file:
            file.write(b"new")
    with complete_write(tmp_path / "new", is_new=True) as file:
        file.write(b"new")
    assert (tmp_path / "old").read_bytes() == b"old" and (tmp_path / "new").read_bytes() == b"new"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["gone", "new", "old"]


def test_what_was_there_gives_way_when_it_shall(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    with complete_write(tmp_path / "old", is_new=False) as file:
        file.write(b"new")
    assert (tmp_path / "old").read_bytes() == b"new"


@pytest.mark.parametrize("can_swap", [True, False])
def test_a_file_that_was_changed_is_neither_replaced_nor_removed(
    can_swap: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not can_swap:
        monkeypatch.setattr(compare_and_swap, "_swap", lambda *_: False)
    path = tmp_path / "a.md"
    path.write_bytes(b"as a person left it")
    for change in (
        lambda was: compare_and_swap.write(path, b"ours", was=was),
        lambda was: compare_and_swap.delete(path, was=was),
    ):
        with pytest.raises(ConflictError, match="was changed"):
            change(atomic.content_digest("as it was read"))
        assert path.read_bytes() == b"as a person left it"
    compare_and_swap.write(path, b"ours", was=atomic.content_digest("as a person left it"))
    assert path.read_bytes() == b"ours"
    compare_and_swap.delete(path, was=atomic.content_digest("ours"))
    with pytest.raises(ConflictError, match="is gone"):
        compare_and_swap.write(path, b"ours", was=atomic.content_digest("ours"))
    assert list(tmp_path.iterdir()) == []


def test_what_an_editor_saves_between_the_look_and_the_step_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"old")
    looked = atomic.expect_content

    def then_saved(one: Path, was: str) -> None:
        looked(one, was)
        saved = tmp_path / "saved"
        saved.write_bytes(b"a person's")
        saved.replace(path)

    monkeypatch.setattr(atomic, "expect_content", then_saved)
    with pytest.raises(ConflictError):
        compare_and_swap.write(path, b"ours", was=atomic.content_digest("old"))
    assert path.read_bytes() == b"a person's"
    with pytest.raises(ConflictError):
        compare_and_swap.delete(path, was=atomic.content_digest("a person's of another time"))
    assert [one.name for one in tmp_path.iterdir()] == ["a.md"]


def test_an_error_of_an_open_file_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"a\.md"), name_path(tmp_path / "a.md"):
        raise OSError(28, "No space left on device")
    with pytest.raises(OSError, match=r"b\.md"), name_path(tmp_path / "a.md"):
        raise OSError(28, "No space left on device", "b.md")


def test_what_cannot_be_written_is_named_and_not_what_it_is_made_of(tmp_path: Path) -> None:
    body, path = tmp_path / "body", tmp_path / "a.md"
    body.write_bytes(b"x" * (1 << 18))
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, most[1]))
    try:
        with pytest.raises(OSError, match=r"\.recall-[0-9a-f]{12}-p[0-9a-f]+-[0-9a-f]+\.tmp"):
            atomic.write_file(path, b"", body)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
        signal.signal(signal.SIGXFSZ, before)
    assert [one.name for one in tmp_path.iterdir()] == ["body"]


def test_what_is_no_file_is_said_to_be_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match=r"is no regular file.*pipe"):
        atomic.read_bytes(tmp_path / "pipe")
    with pytest.raises(IsADirectoryError):
        atomic.read_bytes(tmp_path)
