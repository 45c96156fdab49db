"""`doctor --restore` from the command line."""

from __future__ import annotations

import shutil
from itertools import count

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.state.backup_ring import BackupRing, take_backup
from recall_tui.workbench import Workbench
from tests.cli.conftest import Recall
from tests.makers import bench_at, tree


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    made = bench_at(environment)
    made.layout.memory_file.write_text("# Memory\n\n- keep me\n")
    take_backup(made.store)
    return made


def test_the_days_are_listed_with_what_is_different(recall: Recall, bench: Workbench) -> None:
    bench.layout.memory_file.write_text("")
    bench.layout.rows.unlink()
    said = recall("doctor", "--restore")
    assert said.code == 0 and "2026-03-06" in said.out and "changed since" in said.out
    (day,) = recall("doctor", "--restore", "--json").json["days"]
    assert (day["day"], day["changed"], day["missing"]) == ("2026-03-06", ["memory/MEMORY.md"], ["memory/ARCHIVE.md"])
    assert day["files"] == 4 and day["is_readable"] and day["damaged"] == []


def test_without_a_backup_there_is_nothing_to_list(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    assert recall("doctor", "--restore").code == 1
    assert recall("doctor", "--restore", "newest").code == 1


def test_a_file_is_shown_asked_for_and_brought_back(recall: Recall, bench: Workbench) -> None:
    before = tree(bench.store.root)
    bench.layout.memory_file.write_text("")
    dry = recall("doctor", "--restore", "newest", "MEMORY.md", "--dry-run")
    assert dry.code == 0 and "+- keep me" in dry.out and bench.layout.memory_file.read_text() == ""
    no = recall("doctor", "--restore", "newest", "MEMORY.md", stdin="n\n")
    assert no.code == 1 and "+- keep me" in no.out and bench.layout.memory_file.read_text() == ""
    yes = recall("doctor", "--restore", "2026-03-06", "MEMORY.md", stdin="y\n")
    assert yes.code == 0 and "Restored 1 file of 2026-03-06" in yes.out
    assert tree(bench.store.root) == before
    assert recall("undo").code == 0 and bench.layout.memory_file.read_text() == ""
    assert recall("doctor", "--restore", "newest", "--json").code == 2
    assert recall("doctor", "--restore", "newest", "--yes", "--json").json["change"]["paths"]
    assert tree(bench.store.root) == before


def test_a_memory_that_was_removed_whole_comes_back(recall: Recall, bench: Workbench, environment: Environment) -> None:
    before = tree(environment.cwd)
    shutil.rmtree(bench.layout.base)
    assert recall("status").code == 1
    assert recall("doctor", "--restore").code == 0
    assert recall("--root", environment.cwd, "doctor", "--restore", "newest", "--yes").code == 0
    assert tree(environment.cwd) == before
    assert recall("doctor").code == 0


def test_doctor_points_to_the_backup_and_mends_the_ring(recall: Recall, bench: Workbench) -> None:
    bench.layout.memory_file.unlink()
    said = recall("doctor")
    assert said.code == 1 and "recall-tui doctor --restore 2026-03-06 memory/MEMORY.md" in said.out
    recall("doctor", "--restore", "newest", "--yes")
    ring = BackupRing(bench.store.state)
    for path in ring.contents.iterdir():
        path.unlink()
    found = recall("doctor")
    assert found.code == 1 and "cannot give back" in found.out
    assert recall("doctor", "--fix").code == 0
    assert ring.damaged(ring.read(ring.days()[0])) == ()


def test_a_backup_of_the_right_size_is_unpacked_only_when_asked(recall: Recall, bench: Workbench) -> None:
    recall("sync")
    assert recall("doctor", "--deep").code == 0
    ring = BackupRing(bench.store.state)
    for path in ring.contents.iterdir():
        path.write_bytes(bytes(byte ^ 1 for byte in path.read_bytes()))
    assert recall("doctor").code == 0
    found = recall("doctor", "--deep")
    assert found.code == 1 and "cannot give back" in found.out
    assert recall("doctor", "--fix").code == 0
    assert recall("doctor", "--deep").code == 0


@pytest.mark.parametrize(
    "words", [("newest",), ("--yes",), ("--restore", "--fix"), ("--restore", "--deep"), ("--restore", "last week")]
)
def test_what_cannot_be_meant_is_a_usage_error(words: tuple[str, ...], recall: Recall, bench: Workbench) -> None:
    assert recall("doctor", *words).code == 2


def test_a_change_says_how_far_the_backup_is_that_it_waits_for(
    recall: Recall, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = bench_at(environment)
    for number in range(20):
        (bench.layout.base / f"topic-{number}.md").write_text("words\n")
    monkeypatch.setattr("recall_tui.cli.context.perf_counter", count().__next__)
    told = recall("--verbose", "log", "one").err
    assert "backing up 50 % · " in told and told.count("backing up") == 10, told
    assert "backing up" not in recall("--verbose", "log", "two").err
