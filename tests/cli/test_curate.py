"""`distill`, `compact memory`, `remember` from the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from recall_tui.environment import Environment
from tests.makers import bench_at, tree

Recall = Callable[..., Any]
LONG = "# Memory\n\n## Debugging\n\n" + "".join(f"- trick number {n} is a different one\n" for n in range(40))
HEAVY = LONG + "\n## Empty\n\n## Style\n\n- we like short names\n"


def heavy(environment: Environment) -> Any:
    bench = bench_at(environment)
    bench.layout.memory_file.write_text(HEAVY)
    return bench


def test_distill_reports_and_changes_nothing(recall: Recall, environment: Environment) -> None:
    heavy(environment)
    before = tree(environment.cwd)
    said = recall("distill", environment.cwd)
    assert said.code == 0
    assert "extract" in said.out and "debugging.md" in said.out and "empty" in said.out
    assert tree(environment.cwd) == before
    kinds = {row["kind"]: row for row in recall("distill", "--json").json["suggestions"]}
    assert kinds["extract"]["target"] == "debugging.md" and kinds["extract"]["is_safe"]
    assert kinds["extract"]["lines"][0] == 3


def test_a_dry_run_shows_the_change(recall: Recall, environment: Environment) -> None:
    heavy(environment)
    before = tree(environment.cwd)
    for words in (
        ["distill", "--dry-run"],
        ["distill", "--apply", "all", "--dry-run"],
        ["compact", "memory", "--dry-run"],
    ):
        said = recall(*words)
        assert "-- trick number 7 is a different one" in said.out and "+- trick number 7" in said.out
    assert tree(environment.cwd) == before


@pytest.mark.parametrize("words", [["distill", "--apply", "all"], ["compact", "memory"]])
def test_all_safe_ones_are_one_change_that_undo_takes_back(
    words: list[str], recall: Recall, environment: Environment
) -> None:
    bench = heavy(environment)
    before = tree(environment.cwd)
    assert recall(*words).code == 0
    assert "trick number 39" in (bench.layout.topics / "debugging.md").read_text()
    assert "## Empty" not in bench.layout.memory_file.read_text()
    recall("undo")
    assert tree(environment.cwd) == before


@pytest.mark.parametrize("named", [["--apply", "1", "2"], ["--apply", "1,2"], ["--apply", "1", "--apply", "2"]])
def test_numbers_are_named_in_any_way(named: list[str], recall: Recall, environment: Environment) -> None:
    heavy(environment)
    said = recall("distill", *named, "--dry-run", "--json").json
    assert said["facts"]["applied"] == [1, 2]


def test_a_folder_may_follow_the_numbers(recall: Recall, environment: Environment) -> None:
    heavy(environment)
    assert recall("distill", "--apply", "1", "--dry-run", environment.cwd, "--json").json["facts"]["applied"] == [1]


def test_an_extraction_goes_to_the_file_that_is_named(recall: Recall, environment: Environment) -> None:
    bench = heavy(environment)
    number = next(row["number"] for row in recall("distill", "--json").json["suggestions"] if row["kind"] == "extract")
    recall("distill", "--apply", number, "--to", "tricks.md")
    assert "trick number 3 " in (bench.layout.topics / "tricks.md").read_text()


@pytest.mark.parametrize("number", ["99", "soon", "0"])
def test_a_number_that_is_not_offered_is_a_usage_error(number: str, recall: Recall, environment: Environment) -> None:
    heavy(environment)
    assert recall("distill", "--apply", number).code == 2


def test_nothing_to_distill_is_said(recall: Recall, environment: Environment) -> None:
    bench_at(environment).layout.memory_file.write_text("# Memory\n\n- all is well\n")
    said = recall("compact", "memory")
    assert (said.code, said.out) == (0, "") and "Nothing to distill" in said.err


def test_a_line_is_remembered_once(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    assert recall("remember", "we", "deploy on", "Fridays").out.startswith("Remembered in memory/MEMORY.md")
    again = recall("remember", "we deploy on Fridays")
    assert (again.code, again.out) == (0, "") and "Already there" in again.err
    assert bench.layout.memory_file.read_text().count("deploy on Fridays") == 1


def test_nothing_cannot_be_remembered(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    assert recall("remember", "  ").code == 2


@pytest.mark.parametrize(
    ("there", "told"),
    [
        ("The service returns 404", "The service returns -404"),
        ("Temperature limit is 20 degrees", "Temperature limit is -20 degrees"),
        ("Timezone of the server is UTC 3", "Timezone of the server is UTC -3"),
        ("The coverage is above 80", "The coverage is above 80%"),
        ("The plan costs 500 a month", "The plan costs $500 a month"),
        ("The branch is called feature/x", "The branch is called feature-x"),
        ("The deploy user is called Bob", "The deploy user is called bob"),
    ],
)
def test_a_line_that_says_something_else_is_written(
    recall: Recall, environment: Environment, there: str, told: str
) -> None:
    memory = bench_at(environment).layout.memory_file
    for line in (there, told):
        assert recall("remember", "--", line).out.startswith("Remembered in")
    lines = memory.read_text(encoding="utf-8").splitlines()
    assert f"- {there}" in lines and f"- {told}" in lines
    again = recall("remember", "--", f"{told}.")
    assert (again.code, again.out) == (0, "") and "Already there" in again.err
