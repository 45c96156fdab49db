from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from recall_tui import files
from recall_tui.errors import BrokenFileError, NotFoundError
from recall_tui.transcripts.jsonl import complete_lines, numbered_lines, read_head


def test_lines_are_numbered_from_one_and_empty_ones_count(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"{}\n\n[1]\n")
    assert list(complete_lines(path)) == [(1, b"{}"), (2, b""), (3, b"[1]")]


def test_a_last_line_without_newline_is_used_when_it_is_json(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{}\n{"a": 1}')
    assert list(complete_lines(path)) == [(1, b"{}"), (2, b'{"a": 1}')]


def test_a_last_line_that_is_still_being_written_is_told_and_not_used(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{}\n{"a": ')
    assert list(complete_lines(path)) == [(1, b"{}")]
    assert [(line.number, line.problem) for line in numbered_lines(path)] == [(1, ""), (2, "cut last line")]


def test_a_compressed_file_reads_like_a_plain_one(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.zst"
    packed = zstandard.ZstdCompressor()
    path.write_bytes(packed.compress(b"first\nsec") + packed.compress(b"ond\n"))
    assert list(complete_lines(path)) == [(1, b"first"), (2, b"second")]
    assert read_head(path, 5) == b"first"


def test_damaged_compression_is_named_with_a_next_step(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(b"no compression at all")
    with pytest.raises(BrokenFileError, match=r"a\.jsonl\.zst") as caught:
        list(complete_lines(path))
    assert caught.value.hint


def test_a_missing_file_and_a_folder_are_errors_of_their_own(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"gone\.jsonl"):
        list(complete_lines(tmp_path / "gone.jsonl"))
    with pytest.raises(BrokenFileError) as caught:
        list(complete_lines(tmp_path))
    assert caught.value.hint


def test_a_line_beyond_the_limit_is_passed_over_and_the_next_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_LINE_BYTES", 2**20)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"x" * (3 * 2**20) + b"\n{}\n")
    assert [(line.number, line.text, line.problem) for line in numbered_lines(path)] == [
        (1, b"", "longer than 1 MB"),
        (2, b"{}", ""),
    ]


def test_a_line_of_ten_megabytes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"x" * 10_000_000 + b"\n")
    assert [len(line) for _, line in complete_lines(path)] == [10_000_000]


@given(st.lists(st.binary().filter(lambda line: b"\n" not in line and not line.startswith(b"\0"))), st.booleans())
def test_what_was_written_line_by_line_comes_back(written: list[bytes], is_compressed: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.zst" if is_compressed else "a")
        whole = b"".join(line + b"\n" for line in written)
        path.write_bytes(zstandard.ZstdCompressor().compress(whole) if is_compressed else whole)
        assert list(complete_lines(path)) == list(enumerate(written, 1))
