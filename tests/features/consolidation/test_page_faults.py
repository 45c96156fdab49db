"""Faults that pages of weeks had, each on an invented session."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from recall_tui.features.consolidation.month_sources import clip_to_month
from recall_tui.features.grounding.extractive_summary import group_lines, render_body, score_lines
from recall_tui.storage.documents import day_logs
from recall_tui.storage.documents.period_page import month_containing
from recall_tui.storage.documents.statements import page_statements

CASES: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[2] / "fixtures" / "faults" / "pages.toml").read_text()
)["case"]
AT = datetime(2026, 3, 3, 9, 12, tzinfo=UTC)
DAY = "memory/2026-03-03.md"
SESSION = "0a1b2c3d-0000-4000-8000-000000000001"


def log_of(case: dict[str, Any], archive: str = "conversation-001") -> str:
    """The log of a day with one session."""
    points: list[tuple[day_logs.PointLabel, str]] = [
        *(("Decision", text) for text in case.get("decisions", ())),
        *(("Lesson", text) for text in case.get("lessons", ())),
    ]
    line = day_logs.render_line(AT, case["title"], case.get("outcome", ""), archive, SESSION)
    return "\n".join(("## 2026-03-03", "", line, *day_logs.render_points(points, archive, SESSION), ""))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["fault"])
def test_a_week_says_what_lasts_of_a_session(case: dict[str, Any]) -> None:
    said = [one.line.text for one in score_lines({DAY: log_of(case)})]
    assert all(any(words in text for text in said) for words in case.get("has", ())), said
    assert not [text for text in said if any(words in text for words in case.get("lacks", ()))]
    assert len(said) <= case.get("most", len(said))


def test_a_line_of_a_page_cites_the_lines_of_cause_and_fix() -> None:
    (one,) = score_lines({DAY: log_of(CASES[0])})
    rows = log_of(CASES[0]).split("\n")
    said = "\n".join(rows[place.first - 1] for place in one.line.places)
    assert "silently drops" in said and "Fixed `load_orders()`" in said


def test_a_month_takes_a_cause_and_its_fix_as_one_line() -> None:
    week = render_body("weekly", "Week 2026-W10", group_lines(score_lines({DAY: log_of(CASES[0])})))
    path = "memory/weekly/2026-W10.md"
    month = month_containing(AT.date())
    (one,) = score_lines({path: clip_to_month(path, week, month)})
    (said,) = page_statements(week)
    assert one.line.text == said.text and "silently drops" in said.text and "Fixed" in said.text
    assert [place.document for place in one.line.places] == [DAY, DAY]


def test_what_a_later_session_removes_is_told_no_more() -> None:
    first = log_of({"title": "Ovens", "outcome": "The setting `night_heat` now defaults to 40 °C instead of 60 °C."})
    later = log_of({"title": "Ovens", "outcome": "Removed `night_heat` setting, because ovens are off at night."})
    assert any("40 °C" in one.line.text for one in score_lines({DAY: first}))
    assert not any("40 °C" in one.line.text for one in score_lines({DAY: first, "memory/2026-03-04.md": later}))


def test_a_date_that_a_later_day_moves_is_told_no_more() -> None:
    first = (
        "Boats of the island (Borkum) should use our pier from 1 March."
        " Their plan is sent once a night, so a new boat is known late.\n"
    )
    later = "Meeting with Borkum. They call us for each boat. The start is moved to 15 March because of that.\n"
    other = "Meeting with Borkum. The new pier has two cranes now, no longer one.\n"

    def said(*logs: str) -> str:
        days = {f"memory/2026-03-{place:02}.md": text for place, text in enumerate(logs, 3)}
        return " ".join(one.line.text for one in score_lines(days))

    assert "1 March" in said(first) and "from 1 March" in said(first, other)
    assert "from 1 March" not in said(first, later)


def test_a_question_of_one_week_ends_with_the_choice_of_the_next() -> None:
    asked = "- should the night boat leave at 2 or at 3?\n"
    chosen = "- 3 it is, the crew's rest is 11 hours\n"
    days = {"memory/2026-03-06.md": asked, "memory/2026-03-09.md": chosen}
    weeks = {
        "memory/weekly/2026-W10.md": "# Week\n\n## Blockers & Open Items\n\n"
        "- should the night boat leave at 2 or at 3? (memory/2026-03-06.md:1)\n"
    }
    assert [one.line.text for one in score_lines(weeks)] == ["should the night boat leave at 2 or at 3?"]
    assert not score_lines(weeks, days)
    assert not score_lines({"memory/2026-03-09.md": chosen})
