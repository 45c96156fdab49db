"""Whoever waits for a lock is told who holds it, whatever stands in its file."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from recall_tui.errors import LockedError
from recall_tui.storage.files.lock import PendingWrite, acquire, acquire_in, is_abandoned, owner_of


def test_the_holder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with acquire(path, "archiving"):
        assert owner_of(path).startswith("process ") and owner_of(path).endswith("(archiving)")


@pytest.mark.parametrize("text", ["", "no JSON", "[]", '{"pid": 1}', "null", "[" * 100_000, "\udc80"])
def test_what_names_nobody_is_another_process(tmp_path: Path, text: str) -> None:
    path = tmp_path / "lock"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert owner_of(path) == "another process"


def test_the_lock_in_the_memory_is_there_while_it_is_held(tmp_path: Path) -> None:
    with acquire_in(tmp_path, "archiving"):
        (path,) = tmp_path.iterdir()
        assert path.stat().st_mode & 0o777 == 0o600
        assert not is_abandoned(tmp_path)
        with pytest.raises(LockedError, match="archiving"), acquire_in(tmp_path, "other", 0.05):
            pass
        assert path.exists()
    assert not list(tmp_path.iterdir())


def test_who_failed_leaves_no_lock(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), acquire_in(tmp_path, "archiving"):
        raise ZeroDivisionError
    assert not list(tmp_path.iterdir())


def test_what_a_killed_holder_was_about_to_change_is_told_to_the_next(tmp_path: Path) -> None:
    change = PendingWrite(tmp_path / "MEMORY.md", "was", "now")
    child = os.fork()
    if not child:
        with acquire_in(tmp_path, "archiving") as lock:
            lock.note([change])
            os._exit(9)
    os.waitpid(child, 0)
    assert is_abandoned(tmp_path)
    with acquire_in(tmp_path, "next") as lock:
        assert lock.left == (change,)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("shape", ["none", "file", "folder", "link", "pipe", "closed"])
def test_where_no_lock_can_be_had_work_goes_on(tmp_path: Path, shape: str) -> None:
    folder, outside = tmp_path / "memory", tmp_path / "outside"
    path = folder / ".recall.lock"
    if shape != "none":
        folder.mkdir()
    if shape == "file":
        folder.rmdir()
        folder.write_text("")
    elif shape == "folder":
        path.mkdir()
    elif shape == "link":
        path.symlink_to(outside)
    elif shape == "pipe":
        os.mkfifo(path)
    elif shape == "closed":
        if os.geteuid() == 0:
            pytest.skip("root may write everywhere")
        folder.chmod(0o500)
    with acquire_in(folder, "archiving") as lock:
        assert lock.left == ()
        lock.note([PendingWrite(path, "", "")])
    assert not outside.exists()


@pytest.mark.parametrize("text", ["", "no JSON", "[]", '{"changes": 1}', '{"changes": [[1]]}', "[" * 100_000])
def test_a_lock_that_tells_nothing_is_taken(tmp_path: Path, text: str) -> None:
    (tmp_path / ".recall.lock").write_text(text)
    with acquire_in(tmp_path, "archiving") as lock:
        assert lock.left == ()
        assert json.loads((tmp_path / ".recall.lock").read_text())["purpose"] == "archiving"
    assert not list(tmp_path.iterdir())
