"""`undo` and `redo` from the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from recall_tui.paths import Places
from tests.makers import bench_at, tree

Recall = Callable[..., Any]


def test_undo_takes_back_the_last_change_and_redo_makes_it_again(recall: Recall, places: Places) -> None:
    bench = bench_at(places)
    before = tree(places.cwd)
    recall("remember", "we deploy on Fridays")
    after = tree(places.cwd)
    assert before != after
    assert recall("undo").out.startswith("Undid: Remembered")
    assert tree(places.cwd) == before
    assert recall("redo").out.startswith("Redid: Remembered")
    assert tree(places.cwd) == after
    assert "- we deploy on Fridays" in bench.layout.memory_file.read_text()


def test_undo_takes_back_any_change_by_its_number(recall: Recall, places: Places) -> None:
    bench = bench_at(places)
    recall("remember", "we deploy on Fridays")
    recall("remember", "a secret of the trade", "--topic", "trade")
    number = next(row["id"] for row in recall("undo", "--list", "--json").json["changes"] if "Fridays" in row["title"])
    assert recall("undo", number).code == 0
    assert "Fridays" not in bench.layout.memory_file.read_text()
    assert (bench.layout.topics / "trade.md").is_file()


def test_a_change_that_does_not_exist_is_said(recall: Recall, places: Places) -> None:
    bench_at(places)
    said = recall("undo", 99)
    assert said.code == 1 and "undo --list" in said.err


def test_a_file_that_changed_since_is_a_conflict(recall: Recall, places: Places) -> None:
    bench = bench_at(places)
    recall("remember", "we deploy on Fridays")
    bench.layout.memory_file.write_text("all mine now\n")
    assert recall("undo").code == 3
    assert bench.layout.memory_file.read_text() == "all mine now\n"


def test_the_list_is_newest_first(recall: Recall, places: Places) -> None:
    bench_at(places)
    recall("remember", "one thing")
    recall("remember", "another matter")
    titles = [row["title"] for row in recall("undo", "--list", "--json").json["changes"]]
    assert "another" in titles[0] and "one" in titles[1]
    lines = recall("undo", "--list").out.splitlines()
    assert "another" in lines[1] and "person" in lines[1]


def test_nothing_to_redo_is_said(recall: Recall, places: Places) -> None:
    bench_at(places)
    said = recall("redo")
    assert (said.code, said.out) == (1, "") and "nothing to redo" in said.err
    assert recall("redo", "--json").json["change"] is None
