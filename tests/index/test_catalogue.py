"""The catalogue survives damage and newer versions by starting anew."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from recall_tui.index.catalogue import COLUMNS, GENERATION_FACT, open_to_read, open_to_write
from recall_tui.index.source_record import SourceRecord
from recall_tui.index.staged_sources import StagedSources
from recall_tui.index.text.commit_batch import UNREAD_SIZE
from recall_tui.index.text.passage import TRANSCRIPTS_KEY


def test_what_is_recorded_is_known_again(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    known = SourceRecord("k1", "memory/MEMORY.md", "memory", 10, 20, "abc", passages=2, chars=9, title="Memory")
    with open_to_write(path, print) as catalogue, catalogue.change():
        catalogue.name_memory("m", "/root", "entity")
        catalogue.record("m", [known, SourceRecord("k2", "b.md", "topic", 1, 1, "", failed="no access")])
    opened = open_to_read(path)
    assert opened is not None
    with opened as catalogue:
        assert catalogue.known("m")["k1"] == known
        totals = catalogue.totals("m")
        assert (totals.sources, totals.failed, totals.passages) == (2, 1, 2)
        assert catalogue.totals("other").sources == 0


def test_what_many_sources_have_in_common_is_held_once(tmp_path: Path) -> None:
    sources = [
        SourceRecord(
            f"k{number}", f"{number}.jsonl", "transcript", 1, 1, "", project="/home/u/api", indexed_at="2026-03-01"
        )
        for number in range(3)
    ]
    with open_to_write(tmp_path / "catalogue.db", print) as catalogue:
        catalogue.record("m", sources)
        known = catalogue.known("m")
        everything = catalogue.everything()
    assert known == {one.key: one for one in sources}
    assert everything == [("m", one) for one in sources]
    for name in ("kind", "project", "indexed_at"):
        assert len({id(getattr(one, name)) for one in known.values()}) == 1


def test_a_change_that_fails_leaves_everything_as_it_was(tmp_path: Path) -> None:
    with open_to_write(tmp_path / "catalogue.db", print) as catalogue:
        with pytest.raises(RuntimeError), catalogue.change():
            catalogue.record("m", [SourceRecord("k", "a.md", "topic", 1, 1, "")])
            raise RuntimeError
        assert catalogue.known("m") == {}


def test_what_is_set_aside_takes_the_place_of_everything_at_once_and_stays_in_no_file(tmp_path: Path) -> None:
    old, new, newer = (
        SourceRecord(f"k{size}", f"{size}.md", "topic", size, 1, "", title="walrus") for size in (1, 2, 3)
    )
    path = tmp_path / "catalogue.db"
    with open_to_write(path, print) as catalogue:
        catalogue.record("m", [old])
        staging = StagedSources(catalogue)
        staging.put([("m", new), ("n", newer)])
        staging.put([("m", new._replace(size=9))])
        assert list(staging.each("m")) == [new._replace(size=9)]
        assert catalogue.known("m") == {"k1": old}
    with open_to_write(path, print) as catalogue:
        assert catalogue.known("m") == {"k1": old}, "what a killed process had set aside is gone"
        staging = StagedSources(catalogue)
        staging.put([("m", new), ("n", newer)])
        staging.take_over()
        assert catalogue.everything() == [("m", new), ("n", newer)]
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_the_file_is_private(tmp_path: Path) -> None:
    path = tmp_path / "index" / "catalogue.db"
    open_to_write(path, print).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_damage_is_set_aside_with_a_word_about_it(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    for number in (1, 2):
        path.write_bytes(b"this is no database at all" * 100)
        notes: list[str] = []
        with open_to_write(path, notes.append) as catalogue:
            assert catalogue.fact(GENERATION_FACT) == ""
        assert (tmp_path / f"catalogue.db.broken-{number}").exists()
        assert "set aside" in notes[0]


def test_pages_that_an_older_file_knows_without_their_days_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    with open_to_write(path, print) as catalogue:
        catalogue.record(
            "m", [SourceRecord(kind, f"{kind}.md", kind, 7, 1, "") for kind in ("weekly", "monthly", "topic")]
        )
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 2")
    connection.close()
    before = open_to_read(path)
    assert before is not None and before.totals("m").sources == 3
    before.close()
    with open_to_write(path, print) as catalogue:
        sizes = {key: one.size for key, one in catalogue.known("m").items()}
    assert sizes == dict.fromkeys(("weekly", "monthly", "topic"), UNREAD_SIZE)


def test_pages_that_an_older_file_knows_without_their_project_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    with open_to_write(path, print) as catalogue:
        for memory in ("m", TRANSCRIPTS_KEY):
            page = SourceRecord(f"{memory} page", "page.md", "summary", 7, 1, "")
            catalogue.record(memory, [page, page._replace(key=f"{memory} named", project="/home/u/api")])
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 4")
    connection.close()
    with open_to_write(path, print) as catalogue:
        known = {**catalogue.known("m"), **catalogue.known(TRANSCRIPTS_KEY)}
    assert {key for key, one in known.items() if one.size == UNREAD_SIZE} == {"m page"} and len(known) == 4


def test_a_newer_file_is_set_aside_to_write_and_passed_over_to_read(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    open_to_write(path, print).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    assert open_to_read(path) is None
    notes: list[str] = []
    open_to_write(path, notes.append).close()
    assert "999" in notes[0] and (tmp_path / "catalogue.db.broken-1").exists()


def test_sources_of_some_kinds_and_those_below_a_path(tmp_path: Path) -> None:
    paths = {"a": ("/db", "transcript"), "b": ("/db/1", "plan"), "c": ("/db%1", "todo"), "d": ("/dbx", "transcript")}
    with open_to_write(tmp_path / "catalogue.db", print) as catalogue:
        catalogue.record("m", [SourceRecord(key, path, kind, 1, 1, "") for key, (path, kind) in paths.items()])
        catalogue.record("other", [SourceRecord("e", "/db/2", "plan", 1, 1, "")])
        assert [one.key for one in catalogue.each("m", ("plan", "todo"))] == ["b", "c"]
        assert [one.key for one in catalogue.each("m", path="/db")] == ["a", "b"]
        assert [one.key for one in catalogue.each("m", ("transcript",), "/db")] == ["a"]
        assert not any(catalogue.each("m", ("history",)))


def test_a_record_has_the_columns_of_the_table_in_their_order() -> None:
    assert COLUMNS.split(", ") == list(SourceRecord._fields)
