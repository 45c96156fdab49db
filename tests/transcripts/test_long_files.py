"""A transcript that is said to be huge takes no longer than what was written in it, and its lines are read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import zstandard

from recall_tui import files
from recall_tui.domain import Conversation, SkippedResult
from recall_tui.environment import Environment
from recall_tui.storage.archives import retained
from recall_tui.transcripts.jsonl import complete_lines, numbered_lines
from recall_tui.transcripts.read_extent import find_known_extent, read_extent
from recall_tui.transcripts.registry import read_transcript
from tests.makers import transcript

HUGE = 12 << 30
TALK = [("user", "why do the tokens expire?"), ("assistant", "Because a stolen one must not last.")]


def with_hole(path: Path, before: bytes = b"", after: bytes = b"", size: int = HUGE) -> Path:
    """A file whose middle, or all of it, was never written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(before)
        file.truncate(size)
        file.seek(size)
        file.write(after)
    if path.stat().st_blocks * 512 > size // 2:
        pytest.skip("this file system has no files with holes")
    return path


def test_a_file_that_is_one_hole_is_empty(tmp_path: Path) -> None:
    path = with_hole(tmp_path / "a.jsonl")
    assert [line.text for line in numbered_lines(path)] == [b""]
    assert read_transcript(path) == SkippedResult("the file is empty")
    assert read_extent(path).startswith("1-")


@pytest.mark.parametrize("size", [HUGE, HUGE + 1, HUGE + 5000])
@pytest.mark.parametrize("page", [4096, 4097, 70_000])
def test_the_lines_around_a_hole_are_read(tmp_path: Path, page: int, size: int) -> None:
    # Where data ends within a block, zeros are written between it and the hole.
    first = b'{"a": "' + b"x" * (page - 10) + b'"}\n'
    path = with_hole(tmp_path / "a.jsonl", first, b'{"b": 2}\n{"c": 3}\n', size)
    assert [line for _, line in complete_lines(path) if line] == [first[:-1], b'{"b": 2}', b'{"c": 3}']


def test_a_hole_within_a_line_makes_no_line_of_its_halves(tmp_path: Path) -> None:
    half = b'{"type": "user", "a": "'.ljust(8192, b"x")
    path = with_hole(tmp_path / "a.jsonl", half, b'yy"}\n{"c": 3}\n')
    assert [line for _, line in complete_lines(path)] == [half, b'yy"}', b'{"c": 3}']


def test_what_was_read_of_a_file_with_a_hole_is_known_again(tmp_path: Path) -> None:
    path = with_hole(tmp_path / "a.jsonl", b"{}\n", b"[1]\n")
    extent = read_extent(path)
    with path.open("ab") as file:
        file.write(b"[2]\n")
    beginning, found = find_known_extent(path, [extent])
    assert found == {extent}
    assert beginning.lines == sum(1 for _ in numbered_lines(path)) - 1


def test_a_session_around_a_hole_is_read(environment: Environment) -> None:
    path = transcript(environment, 1, TALK)
    first, second = path.read_bytes().splitlines(keepends=True)
    with_hole(path, first, second)
    found = read_transcript(path)
    assert isinstance(found, Conversation)
    assert [one.text for one in found.messages()] == [text for _, text in TALK]
    assert [text for line in retained.read_lines(path) if (text := line.strip("\0\n"))] == [
        first.decode().strip(),
        second.decode().strip(),
    ]


def test_where_no_line_ends_what_was_read_before_counts(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_LINE_BYTES", 1 << 20)
    monkeypatch.setattr(files, "MAX_UNENDED_BYTES", 4 << 20)
    path = transcript(environment, 1, TALK)
    with path.open("ab") as file:
        file.write(b"x" * (9 << 20) + b"\n{}\n")
    found = read_transcript(path)
    assert isinstance(found, Conversation)
    assert [one.text for one in found.messages()] == [text for _, text in TALK]
    assert [fault.reason for fault in found.head.faults] == ["no line ends within 4 MB: what follows is not read"]
    assert int(read_extent(path).partition("-")[0]) < 6 << 20
    assert len(list(retained.read_lines(path))) == 3


def test_lines_after_one_that_is_too_long_are_kept(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINE_BYTES", 1 << 20)
    path = transcript(environment, 1, TALK)
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + b"x" * (9 << 20) + b"\n" + second)
    assert list(retained.read_lines(path)) == [first.decode(), "\n", second.decode()]


def test_a_packed_file_in_which_no_line_ends_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINE_BYTES", 1 << 20)
    monkeypatch.setattr(files, "MAX_UNENDED_BYTES", 4 << 20)
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(zstandard.ZstdCompressor().compress(b"{}\n" + bytes(64 << 20)))
    assert [line.problem for line in numbered_lines(path)] == ["", "no line ends within 4 MB: what follows is not read"]


@pytest.mark.long
def test_gigabytes_without_a_line_are_given_up_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("wb") as file:
        file.write(b'{"type":"user","uuid":"u","sessionId":"s","message":{"content":"x"}}\n')
        piece = b"x" * (16 << 20)
        for _ in range(48):
            file.write(piece)
    script = (
        "import sys; from pathlib import Path; from recall_tui.transcripts.registry import read_transcript;"
        "found = read_transcript(Path(sys.argv[1])); print(len(list(found.messages())), found.head.faults[0].reason);"
        "print(*(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=True)
    path.unlink()
    said, kilobytes = done.stdout.splitlines()
    assert said == "1 no line ends within 256 MB: what follows is not read"
    assert int(kilobytes) < 300 << 10
