"""The one way to open a file: regular, bounded, and beneath the root of its memory."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from recall_tui import files
from recall_tui.files import OutsideRootError, RootBoundary, TooLargeError
from tests import opening
from tests.opening import OPENED

PRIVATE = b"PRIVATE"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An enclosed folder, with a private file beside it."""
    (tmp_path / "outside" / "deep").mkdir(parents=True)
    for name in ("outside/x.md", "outside/deep/x.md"):
        (tmp_path / name).write_bytes(PRIVATE)
    folder = tmp_path / "root"
    (folder / "memory" / "deep").mkdir(parents=True)
    (folder / "memory" / "own.md").write_bytes(b"own")
    files.register_root(files.strict_boundary(folder))
    return folder


def laid(path: Path, target: Path | str) -> Path:
    path.symlink_to(target)
    return path


def test_a_file_of_the_memory_is_read(root: Path) -> None:
    assert files.read_file(root / "memory" / "own.md") == b"own"
    with pytest.raises(FileNotFoundError) as caught:
        files.read_file(root / "memory" / "none.md")
    assert caught.value.filename == str(root / "memory" / "none.md")
    with pytest.raises(IsADirectoryError):
        files.read_file(root / "memory")


@pytest.mark.parametrize(
    "lay",
    [
        lambda root: laid(root / "memory" / "a.md", root.parent / "outside" / "x.md"),
        lambda root: laid(root / "memory" / "a.md", "../../outside/x.md"),
        lambda root: laid(root / "memory" / "links", "../../outside") / "x.md",
        lambda root: laid(root / "memory" / "links", "../../outside/deep") / "../x.md",
        lambda root: laid(root / "b.md", laid(root / "memory" / "a.md", root.parent / "outside" / "x.md")),
        lambda root: root / ".." / "outside" / "x.md",
        lambda root: root / "memory" / ".." / ".." / "outside" / "x.md",
    ],
    ids=["absolute", "relative", "folder", "folder upward", "chain", "upward", "down and upward"],
)
def test_nothing_leads_out(root: Path, lay: Callable[[Path], Path]) -> None:
    path = lay(root)
    with pytest.raises(OutsideRootError, match=r"points outside .*, to .*outside/x\.md, and is not followed") as caught:
        files.read_file(path)
    assert caught.value.filename == str(path)
    with pytest.raises(OutsideRootError):
        files.resolve_target(path)


def test_the_memory_by_another_name_is_no_way_out(root: Path, tmp_path: Path) -> None:
    laid(root / "memory" / "a.md", tmp_path / "outside" / "x.md")
    alias = laid(tmp_path / "alias", root)
    assert files.read_file(alias / "memory" / "own.md") == b"own"
    with pytest.raises(OutsideRootError):
        files.read_file(alias / "memory" / "a.md")


def test_a_relative_path_is_one_of_the_memory(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    laid(root / "memory" / "a.md", tmp_path / "outside" / "x.md")
    monkeypatch.chdir(root)
    assert files.read_file(Path("memory/own.md")) == b"own"
    with pytest.raises(OutsideRootError):
        files.read_file(Path("memory/a.md"))


def test_within_the_root_a_link_keeps_to_its_kind(root: Path) -> None:
    (root / "CLAUDE.md").write_bytes(b"rules")
    (root / ".env").write_bytes(PRIVATE)
    assert files.read_file(laid(root / "memory" / "a.md", "../CLAUDE.md")) == b"rules"
    with pytest.raises(OutsideRootError):
        files.read_file(laid(root / "memory" / "b.md", "../.env"))


def test_a_ring_of_links_ends(root: Path) -> None:
    laid(root / "memory" / "a.md", "b.md")
    with pytest.raises(OSError) as caught:
        files.read_file(laid(root / "memory" / "b.md", "a.md"))
    assert caught.value.errno == errno.ELOOP


def test_links_that_are_the_persons_own_are_followed_as_far_as_they_are(root: Path, tmp_path: Path) -> None:
    laid(root / "memory" / "a.md", tmp_path / "outside" / "x.md")
    laid(root / "memory" / "links", tmp_path / "outside" / "deep")
    laid(tmp_path / "outside" / "deep" / "on.md", tmp_path / "outside" / "x.md")
    real = os.path.realpath(root)
    files.register_root(RootBoundary(str(root), real, files=frozenset({"memory/a.md", "memory/links/on.md"})))
    assert files.read_file(root / "memory" / "a.md") == PRIVATE
    for path in (root / "memory" / "links" / "x.md", root / "memory" / "links" / "on.md"):
        with pytest.raises(OutsideRootError):
            files.read_file(path)
    files.register_root(RootBoundary(str(root), real, folders=(str(tmp_path / "outside" / "deep"),)))
    assert files.read_file(root / "memory" / "links" / "x.md") == PRIVATE
    for path in (root / "memory" / "a.md", root / "memory" / "links" / "on.md"):
        with pytest.raises(OutsideRootError):
            files.read_file(path)
    files.register_root(RootBoundary(str(root), real, follows=True))
    assert files.read_file(root / "memory" / "links" / "on.md") == PRIVATE


def test_what_is_apart_is_the_persons(root: Path, tmp_path: Path) -> None:
    files.register_root(files.strict_boundary(root), (root / "state", root / "settings.json", tmp_path / "outside"))
    laid(root / "state", tmp_path / "outside")
    assert files.read_file(root / "state" / "x.md") == PRIVATE
    assert files.read_file(laid(root / "settings.json", tmp_path / "outside" / "x.md")) == PRIVATE


def test_a_folder_that_no_memory_is_opened_in_is_closed_when_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_bytes(PRIVATE)
    (tmp_path / "clone").mkdir()
    path = laid(tmp_path / "clone" / "a.md", "../x.md")
    assert files.read_file(path) == PRIVATE
    with pytest.raises(OutsideRootError):
        files.read_file(path, beneath=tmp_path / "clone")


@pytest.mark.parametrize("is_enclosed", [True, False])
@pytest.mark.parametrize("kind", ["pipe", "socket", "zero", "null", "terminal"])
def test_what_is_no_regular_file_is_not_waited_for(root: Path, tmp_path: Path, kind: str, is_enclosed: bool) -> None:
    folder = root / "memory" if is_enclosed else tmp_path
    path = folder / "a.md"
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as there:
                here = Path.cwd()
                os.chdir(folder)
                there.bind("a.md")
                os.chdir(here)
        case _:
            laid(path, {"zero": "/dev/zero", "null": "/dev/null", "terminal": "/dev/tty"}[kind])
    with pytest.raises(OSError):
        files.read_file(path)


def test_what_is_too_large_is_not_read(root: Path) -> None:
    path = root / "memory" / "own.md"
    os.truncate(path, 1 << 40)
    with pytest.raises(TooLargeError, match="is too large: 1,099,511,627,776 bytes, where 268,435,456") as caught:
        files.read_file(path)
    assert caught.value.filename == str(path)
    for most in (files.MAX_ARCHIVE_BYTES, files.MAX_TRANSCRIPT_BYTES):
        with pytest.raises(TooLargeError):
            files.open_file(path, most)
    os.truncate(path, 11)
    assert len(files.read_file(path, 11)) == 11
    with pytest.raises(TooLargeError):
        files.read_file(path, 10)


def test_what_grows_while_it_is_read_is_cut_short() -> None:
    with pytest.raises(OSError):
        # Its size is 0, and it holds more.
        files.read_file(Path("/proc/kallsyms"), 10)


@contextmanager
def swapping(when: str, swap: Callable[[], object]) -> Iterator[None]:
    """Call `swap` when a file of that name is about to be opened: after whatever was looked at before."""
    left = [swap]

    def hear(event: str, given: tuple[object, ...]) -> None:
        if event == "open" and left and Path(str(given[0])).name == when:
            left.pop()()

    sys.addaudithook(hear)
    try:
        yield
        assert not left
    finally:
        left.clear()


def test_a_file_that_is_replaced_by_a_link_while_it_is_opened_leads_nowhere(root: Path, tmp_path: Path) -> None:
    path = root / "memory" / "own.md"

    def swap() -> None:
        path.unlink()
        laid(path, tmp_path / "outside" / "x.md")

    with swapping("own.md", swap), pytest.raises(OutsideRootError):
        files.read_file(path)


def test_a_folder_that_is_replaced_by_a_link_while_it_is_walked_leads_nowhere(root: Path, tmp_path: Path) -> None:
    (root / "memory" / "deep" / "x.md").write_bytes(b"own")

    def swap() -> None:
        (root / "memory").rename(root / "aside")
        laid(root / "memory", tmp_path / "outside")

    with swapping("deep", swap):
        assert files.read_file(root / "memory" / "deep" / "x.md") == b"own"
    with pytest.raises(OutsideRootError):
        files.read_file(root / "memory" / "deep" / "x.md")


def test_a_link_within_that_is_laid_anew_while_it_is_followed_leads_nowhere(root: Path, tmp_path: Path) -> None:
    (root / "CLAUDE.md").write_bytes(b"rules")
    path = laid(root / "memory" / "a.md", "../CLAUDE.md")

    def swap() -> None:
        (root / "CLAUDE.md").unlink()
        laid(root / "CLAUDE.md", tmp_path / "outside" / "x.md")

    with swapping("CLAUDE.md", swap), pytest.raises(OSError) as caught:
        files.read_file(path)
    assert caught.value.errno in (errno.ELOOP, errno.EMLINK)


def test_a_file_that_becomes_a_pipe_while_it_is_opened_is_not_waited_for(root: Path) -> None:
    path = root / "memory" / "own.md"

    def swap() -> None:
        path.unlink()
        os.mkfifo(path)

    with swapping("own.md", swap), pytest.raises(OSError, match="no regular file"):
        files.read_file(path)


def test_a_pipe_that_the_person_names_is_read_so_far(root: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"said")
    os.close(writing)
    assert files.read_user_file(Path(f"/dev/fd/{reading}")) == b"said"
    os.close(reading)
    with pytest.raises(TooLargeError):
        files.read_user_file(Path("/dev/zero"), 1 << 20)
    os.mkfifo(root / "memory" / "a.md")
    with pytest.raises(OSError, match="no regular file"):
        files.read_user_file(root / "memory" / "a.md")


def test_who_opens_a_file_of_a_memory_otherwise_is_told(root: Path) -> None:
    module = compile("def opened(path):\n    return path.read_bytes()", f"{opening.PACKAGE}text/made_up.py", "exec")
    made: dict[str, Callable[[Path], bytes]] = {}
    exec(module, made)
    assert made["opened"](root / "memory" / "own.md") == b"own"
    (told,) = OPENED
    assert told == f"{root}/memory/own.md was opened by text/made_up.py:2\n"
    OPENED.clear()
    assert made["opened"](root.parent / "outside" / "x.md") == PRIVATE and OPENED == []
