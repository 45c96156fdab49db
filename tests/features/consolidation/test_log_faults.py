"""Faults that pages had of logs that somebody writes by hand, each on an invented day."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from recall_tui.features.grounding.extractive_summary import extract_lines, group_lines, score_lines

CASES: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[2] / "fixtures" / "faults" / "logs.toml").read_text()
)["case"]
DAY = "memory/2026-02-18.md"
ROOM_CHARS = 10_000


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["fault"])
def test_a_week_says_what_lasts_of_a_day(case: dict[str, Any]) -> None:
    found = extract_lines(score_lines({DAY: case["log"]}), {DAY: 1.0}, ROOM_CHARS)
    said = [one.line.text for one in found]
    assert set(case.get("lines", ())) <= set(said), said
    assert all(any(words in text for text in said) for words in case.get("has", ())), said
    assert not [text for text in said if any(words in text for words in case.get("lacks", ()))]
    if "open" in case:
        assert [one.text for one in group_lines(found)[2]] == case["open"]
