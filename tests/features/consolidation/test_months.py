"""Months have every one of their days, and are short beside their weeks."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from recall_tui.features.consolidation.month_sources import clip_to_month
from recall_tui.features.consolidation.periods import (
    PeriodResult,
    month_results,
    plan_pages,
    week_results,
)
from recall_tui.features.consolidation.timeline import period_statuses
from recall_tui.storage.documents.month_documents import count_weeks, month_documents
from recall_tui.storage.documents.period_page import month_containing
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store
from tests.days import write_days

LARGEST_SHARE = 0.3


def months(store: Store) -> dict[str, PeriodResult]:
    return {one.period.key: one for one in month_results(store, week_results(store))}


def write_long_days(store: Store, first: date, count: int) -> None:
    """Logs with so much to say that a page has to choose."""
    for number in range(count):
        day = first + timedelta(days=number)
        facts = "\n".join(
            f"- Pump {number}{place} now runs at {300 + place} W since the belt broke." for place in range(20)
        )
        (store.layout.days / f"{day}.md").write_text(f"## {day}\n\n{facts}\n- Decided to buy belt {number} of 40.\n")


def test_a_week_in_two_months_gives_each_its_own_days(store: Store) -> None:
    write_days(store, date(2026, 1, 5), 40)  # Monday 26 January to Sunday 1 February is W05
    made = months(store)
    assert "memory/weekly/2026-W05.md" in made["2026-01"].children
    assert "memory/weekly/2026-W05.md" in made["2026-02"].children
    lines = [line for line in made["2026-02"].text.split("\n") if line.startswith("- ")]
    assert lines and not any("memory/2026-01-" in line for line in lines)


def test_a_month_tells_of_days_whose_week_is_mostly_of_another(store: Store) -> None:
    write_days(store, date(2026, 1, 5), 40)
    (store.layout.days / "2026-02-01.md").write_text("Root cause: the belt of pump 12 broke, so we shipped belt 13.\n")
    made = months(store)
    assert "belt of pump 12 broke" in made["2026-02"].text
    assert "belt of pump 12 broke" not in made["2026-01"].text


def test_a_day_whose_week_has_no_page_serves_its_month_itself(store: Store) -> None:
    write_days(store, date(2026, 1, 5), 14)
    (store.layout.days / "2026-01-23.md").write_text("Root cause: the belt of pump 12 broke, so we shipped belt 13.\n")
    january = months(store)["2026-01"]
    assert "memory/2026-01-23.md" in january.children and "(memory/2026-01-23.md:1)" in january.text


def test_every_day_with_a_log_is_reached_from_its_month(store: Store) -> None:
    write_days(store, date(2026, 1, 1), 59)
    weeks = {one.path: one for one in week_results(store)}
    for one in month_results(store, tuple(weeks.values())):
        reached = set(one.children)
        for week in weeks.values():
            if store.relative(week.path) in reached:
                reached |= set(week.children)
        first, last = one.period.first, one.period.last
        days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
        assert {f"memory/{day}.md" for day in days} <= reached


@pytest.mark.parametrize("count", [28, 56])
def test_a_month_is_no_larger_than_its_share_of_its_weeks(store: Store, count: int) -> None:
    write_long_days(store, date(2026, 1, 5), count)
    found = months(store)
    assert found
    for one in found.values():
        weeks = [text for path, text in one.children.items() if "/weekly/" in path]
        assert len(one.text) <= LARGEST_SHARE * sum(map(len, weeks))


def test_a_month_takes_the_room_that_its_short_weeks_left(store: Store) -> None:
    write_long_days(store, date(2026, 1, 5), 28)
    week = "2026-W03"
    full = months(store)["2026-01"]
    page = next(one for one in week_results(store) if one.period.key == week)
    short = page._replace(text="\n".join(row for at, row in enumerate(page.text.split("\n")) if at < 20))
    others = [one for one in week_results(store) if one.period.key != week]
    spared = {one.period.key: one for one in month_results(store, (*others, short))}["2026-01"]
    assert spared.task is not None and full.task is not None
    assert spared.task.room > full.task.room - len(page.text) * LARGEST_SHARE


def test_what_is_least_gives_way(store: Store) -> None:
    write_long_days(store, date(2026, 1, 5), 28)
    (store.layout.days / "2026-01-14.md").write_text("Root cause: the inverter of hall 3 had a loose screw.\n")
    assert "loose screw" in months(store)["2026-01"].text


def test_a_month_that_is_up_to_date_has_nothing_to_do(store: Store) -> None:
    write_days(store, date(2026, 1, 5), 45)
    (store.layout.days / "2026-03-02.md").write_text("Bought a belt.\n")
    found = (*week_results(store), *month_results(store, week_results(store)))
    Journal(store.state, store.now).commit(lambda: plan_pages(store, found), by="person")
    assert period_statuses(store) == {}
    assert {one.status for one in months(store).values()} == {"unchanged"}


def test_lines_keep_their_numbers_when_those_of_other_months_go() -> None:
    head = "---\ntype: weekly\n---\n\n# Week\n\n"
    page = f"{head}- old (memory/2026-01-30.md:3)\n- new (memory/2026-02-01.md:4)\n- undated\n"
    january, february = (month_containing(date(2026, month, 5)) for month in (1, 2))
    path = "memory/weekly/2026-W05.md"
    assert clip_to_month(path, page, january).split("\n")[6:9] == ["- old (memory/2026-01-30.md:3)", "", "- undated"]
    assert clip_to_month(path, page, february).split("\n")[6:9] == ["", "- new (memory/2026-02-01.md:4)", ""]
    assert clip_to_month("memory/weekly/2026-W03.md", page, january) == page


def test_a_month_without_a_week_has_no_documents(store: Store) -> None:
    day = date(2026, 2, 3)
    path = store.layout.days / f"{day}.md"
    assert month_documents({day: [path]}, {}) == {}
    week = store.layout.weekly / "2026-W07.md"
    found = month_documents({day: [path]}, {date(2026, 2, 9): week})[month_containing(day)]
    assert found == (path, week) and count_weeks(found) == 1


def test_what_a_later_day_of_the_month_takes_back_is_not_told(store: Store) -> None:
    write_days(store, date(2026, 1, 5), 26)
    (store.layout.days / "2026-01-07.md").write_text(
        "Decision: `BeltQueue` keeps the orders of a day, because belts come late.\n"
    )
    assert "BeltQueue" in months(store)["2026-01"].text
    (store.layout.days / "2026-01-29.md").write_text("We removed the `BeltQueue` type: belts are ordered by hand.\n")
    made = months(store)["2026-01"]
    assert "keeps the orders of a day" not in made.text
    assert any("keeps the orders of a day" in text for text in made.children.values())
