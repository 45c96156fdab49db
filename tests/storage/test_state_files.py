"""Marks, files in the making and whatever else lies in the state of a memory."""

from __future__ import annotations

import gzip
from datetime import date
from pathlib import Path

import pytest
import zstandard

from recall_tui.environment import Environment
from recall_tui.errors import BrokenFileError
from recall_tui.storage.files import atomic, staging
from recall_tui.storage.state import leftover_files, tombstones
from recall_tui.storage.state.tombstones import Tombstone, Tombstones
from tests.makers import bench_at, tree

DAY = date(2026, 3, 6)


def test_the_marks_of_every_memory_count(environment: Environment) -> None:
    for name, session in (("one-1", "a"), ("two-2", "b")):
        marks = Tombstones((Tombstone(name, DAY, (session,), digests=(f"digest {session}",)),))
        atomic.write_file(
            tombstones.tombstones_path(environment.state / name), tombstones.render_tombstones(marks).encode()
        )
    everywhere = tombstones.read_all(bench_at(environment).store)
    assert everywhere.sessions.known == {"a", "b"} and "a" in everywhere.sessions
    assert everywhere.marks.known == {"a", "b", "digest a", "digest b"}
    found = everywhere.of_session("x", "b")
    assert found is not None and (found.name, found.reason) == ("two-2", "forgotten on 2026-03-06")
    assert everywhere.of_session("x") is None


def test_without_a_file_nothing_was_forgotten(environment: Environment) -> None:
    assert (
        tombstones.read_all(bench_at(environment).store).all
        == tombstones.read_tombstones(environment.state / "none").all
        == ()
    )


@pytest.mark.parametrize("text", ["", "{", "[]", '{"forgotten": [{}]}', '{"forgotten": 3}', "[" * 100_000, "\x00\xff"])
def test_marks_that_cannot_be_read_are_named(tmp_path: Path, text: str) -> None:
    tombstones.tombstones_path(tmp_path).write_text(text)
    with pytest.raises(BrokenFileError, match=r"tombstones\.json"):
        tombstones.read_tombstones(tmp_path)


def test_a_newer_mark_takes_the_place_of_an_older_one_of_the_same() -> None:
    first, other = Tombstone("one", DAY, ("a",)), Tombstone("other", DAY, ("z",))
    page, again = Tombstone("page", DAY, paths=("p.md",)), Tombstone("page", DAY, paths=("p.md",), digests=("d",))
    marks = Tombstones((first, other, page)).with_one(Tombstone("one", DAY, ("a", "b"))).with_one(again)
    assert [(one.name, one.sessions) for one in marks.all] == [("other", ("z",)), ("one", ("a", "b")), ("page", ())]
    assert marks.all[-1] == again


@pytest.mark.parametrize(
    ("name", "root", "command"),
    [
        ("conversation-014", "/m", "recall-tui forget --undo conversation-014"),
        ("a b; rm -rf", "/m", "recall-tui forget --undo 'a b; rm -rf'"),
        ("-v", "/m", "recall-tui forget --undo -- -v"),
        ("x", "/else where", "recall-tui --root '/else where' forget --undo x"),
    ],
)
def test_the_way_back_is_a_command_that_a_shell_takes(name: str, root: str, command: str) -> None:
    assert Tombstone(name, DAY, root=root).way_back(Path("/m")) == command


def test_files_in_the_making_go_with_their_session_alone(tmp_path: Path) -> None:
    mine, others = staging.new_path(tmp_path, "../x", ".md"), staging.new_path(tmp_path, "y", ".zst")
    for path in (mine, others):
        path.write_text("text")
    assert mine.parent == tmp_path
    assert staging.remove_sessions(tmp_path, ["../x", "never"]) == 1
    assert list(tmp_path.iterdir()) == [others]


def test_what_names_a_session_goes_by_the_line_or_whole(tmp_path: Path) -> None:
    texts = {
        "logs/hook.log": b"one id-1\ntwo\n",
        "ledger.jsonl": b'{"session": "id-1"}\n{"session": "id-2"}\n',
        "proposals/3.json": b'{"from": "id-1"}',
        "proposals/4.json": b'{"from": "id-2"}',
        "backups/a.md.gz": gzip.compress(b"id-1"),
        "backups/b.md.zst": zstandard.ZstdCompressor().compress(b"id-1"),
        "backups/c.zst": b"not packed id-1",
        "journal/000001.json": b"id-1",
        "spool/x.md": b"id-1",
        "tombstones.json": b"id-1",
        "lock": b"id-1",
        "another.json": b"id-1",
        "another.json.broken-1": b"id-1",
    }
    for name, data in texts.items():
        atomic.write_file(tmp_path / name, data)
    assert leftover_files.remove_named(tmp_path, ["id-1", " "]) == 6
    left = tree(tmp_path)
    assert left["logs/hook.log"] == b"two\n" and left["ledger.jsonl"] == b'{"session": "id-2"}\n'
    gone = {"proposals/3.json", "backups/a.md.gz", "backups/b.md.zst", "another.json.broken-1"}
    assert set(texts) - set(left) == gone
    assert leftover_files.remove_named(tmp_path, ["id-1"]) == 0


def test_texts_are_rewritten_and_packed_files_are_not(tmp_path: Path) -> None:
    for name, data in (("logs/a.log", b"old \xff\n"), ("b.gz", gzip.compress(b"old")), ("c.bin", b"old\0")):
        atomic.write_file(tmp_path / name, data)
    assert leftover_files.rewrite_texts(tmp_path, lambda text: text.replace("old", "new")) == 1
    assert tree(tmp_path)["logs/a.log"] == b"new \xff\n"
