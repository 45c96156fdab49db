"""The page of promises says what is stored, and has a place for every row."""

from __future__ import annotations

import json

import pytest

from tests.qa.trust import table

PAGE = table.PAGE.read_text(encoding="utf-8")


def test_the_page_says_what_is_stored() -> None:
    assert PAGE.count("<!-- begin: trust -->") == 1
    assert table.block() in PAGE, "stale; run: python -m tests.qa.trust.table --page"


@pytest.mark.parametrize("name", [*table.WANTED, *table.names()])
def test_a_row_has_its_result_or_says_that_it_was_not_run(name: str) -> None:
    is_stored = (table.RESULTS / f"{name}.json").is_file()
    assert (f"\n| {name} | {table.NOT_RUN} |" in PAGE) != is_stored
    assert (f"\n### {name}\n" in PAGE) == is_stored


@pytest.mark.parametrize("path", sorted(table.RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_what_is_stored_came_of_a_row_that_exists_and_says_where_and_when(path: table.Path) -> None:
    one = json.loads(path.read_text(encoding="utf-8"))
    assert path.stem in table.names()
    assert one["promise"] and one["tried"] and one["figures"] and one["commit"] and one["date"]
