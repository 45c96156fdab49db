"""Compaction: weeks and months in the words of their days."""

from __future__ import annotations

from datetime import date

import pytest

from recall_tui.environment import Environment
from recall_tui.features.consolidation.periods import (
    PeriodResult,
    document_weights,
    month_results,
    plan_pages,
    week_results,
)
from recall_tui.storage.documents.period_page import iso_week, month_containing, month_of_week, parse_period_page
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store
from recall_tui.text.checkable_facts import missing_facts
from tests.conftest import NOON
from tests.days import write_days
from tests.makers import bench_at


def compacted(store: Store) -> tuple[PeriodResult, ...]:
    weeks = week_results(store)
    return (*weeks, *month_results(store, weeks))


def apply(store: Store) -> int:
    found = compacted(store)
    Journal(store.state, store.now).commit(lambda: plan_pages(store, found), by="person")
    return len(plan_pages(store, found).edits)


def test_weeks_and_months_that_are_over_are_made_and_a_second_run_changes_nothing(store: Store) -> None:
    write_days(store, date(2026, 1, 1), 64)  # up to 5 March; today is 6 March
    found = compacted(store)
    assert [one.period.key for one in found if one.period.span == "monthly"] == ["2026-01", "2026-02"]
    assert [one.period.key for one in found][:2] == ["2026-W01", "2026-W02"]
    assert iso_week(NOON.date()).key not in [one.period.key for one in found]
    assert apply(store) == len(found)
    assert {one.status for one in compacted(store)} == {"unchanged"}
    assert apply(store) == 0


def test_every_line_is_cited_and_has_nothing_that_its_lines_have_not(store: Store) -> None:
    write_days(store, date(2026, 1, 1), 64)
    for one in compacted(store):
        lines = [line for line in one.text.split("\n") if line.startswith("- ")]
        assert lines
        for line in lines:
            words, _, cited = line.removeprefix("- ").removesuffix(")").rpartition(" (")
            path, _, span = cited.partition(":")
            first, _, last = span.partition("-")
            assert path.startswith("memory/2026-")
            said = (store.root / path).read_text().split("\n")[int(first) - 1 : int(last or first)]
            assert missing_facts(words, "\n".join(said)) == ()


def test_a_page_says_what_was_done_decided_and_left_open_and_leaves_routine_out(store: Store) -> None:
    write_days(store, date(2026, 2, 2), 3)
    (week,) = week_results(store)
    assert "## Key Outcomes\n\n- fixed the race in src/auth/jwt10.py (memory/2026-02-02.md:8)" in week.text
    assert "## Decisions\n\n- Decided to give tokens 10 minutes because mobile asked for it." in week.text
    assert "## Blockers & Open Items\n\n- waiting for the keys of Anna Berg (10 of 40)" in week.text
    assert "Ran the tests" not in week.text


def test_a_late_day_refreshes_its_week_and_its_month(store: Store) -> None:
    write_days(store, date(2026, 2, 2), 19)
    apply(store)
    late = store.layout.days / "2026-02-21.md"
    late.write_text("We shipped version 3.1.4 at last.\n")
    found = compacted(store)
    changed = {one.period.key: one for one in found if one.status == "refreshed"}
    assert set(changed) == {iso_week(date(2026, 2, 21)).key, "2026-02"}
    assert all("shipped version 3.1.4 at last. (memory/2026-02-21.md:1)" in one.text for one in changed.values())


def test_what_was_deleted_is_made_again_the_same(store: Store) -> None:
    write_days(store, date(2026, 1, 1), 50)
    apply(store)
    before = {path: path.read_bytes() for path in store.layout.weekly.glob("*.md")}
    gone = sorted(before)[1]
    gone.unlink()
    assert apply(store) == 1
    assert {path: path.read_bytes() for path in store.layout.weekly.glob("*.md")} == before


def test_a_page_that_somebody_edited_stays_unless_it_is_asked_for(store: Store) -> None:
    write_days(store, date(2026, 2, 2), 4)
    apply(store)
    (path,) = store.layout.weekly.glob("*.md")
    path.write_text(path.read_text() + "\nMy own words.\n")
    write_days(store, date(2026, 2, 2), 5)
    (week,) = week_results(store)
    assert week.status == "edited"
    assert plan_pages(store, (week,)).edits == () and "stays" in plan_pages(store, (week,)).notes[0]
    assert len(plan_pages(store, (week,), with_edited=True).edits) == 1


def test_a_page_of_the_published_design_is_somebody_elses(store: Store) -> None:
    write_days(store, date(2026, 2, 2), 4)
    path = store.layout.weekly / "2026-W06.md"
    path.parent.mkdir()
    path.write_text("---\ntype: weekly\nperiod: 2026-W06\npointers:\n  - memory/2026-02-02.md\n---\n# Week\n\nText.\n")
    (week,) = week_results(store)
    assert week.status == "edited" and week.path == path
    assert parse_period_page(path.read_text(), week.period).pointers == ("memory/2026-02-02.md",)


def test_too_few_days_make_no_week_and_the_one_that_goes_on_is_left_alone(store: Store) -> None:
    write_days(store, date(2026, 2, 2), 2)
    write_days(store, date(2026, 3, 2), 5)
    assert week_results(store) == ()


def test_an_open_item_that_was_closed_in_the_same_period_is_left_out(store: Store) -> None:
    days = write_days(store, date(2026, 2, 2), 3)
    days[0].write_text("Blocked: the staging database password is missing.\n")
    days[2].write_text("Solved: the missing staging database password was in the vault.\n")
    (week,) = week_results(store)
    assert "Blocked:" not in week.text and "Solved:" in week.text


def test_no_secret_comes_into_a_page(store: Store) -> None:
    days = write_days(store, date(2026, 2, 2), 3)
    days[0].write_text("Fixed the login with AKIAIOSFODNN7EXAMPLE in the config.\n")
    (week,) = week_results(store)
    assert "AKIA" not in week.text


def test_shares_are_one_in_all_and_follow_the_strategy() -> None:
    children = {"a": "one", "b": "Decided to use Redis for Anna Berg", "c": "three words here"}
    for strategy in ("salience", "uniform", "recency"):
        assert sum(document_weights(children, strategy).values()) == pytest.approx(1)
    assert document_weights(children, "uniform")["a"] == pytest.approx(1 / 3)
    recent = document_weights(children, "recency")
    assert recent["a"] < recent["b"] < recent["c"]
    by_weight = document_weights(children)
    assert max(by_weight, key=lambda path: by_weight[path]) == "b"
    assert document_weights({"a": "x"}) == {"a": 1.0}


def test_weeks_belong_to_the_month_of_their_thursday() -> None:
    assert month_of_week(date(2026, 3, 30)).key == "2026-04"
    assert month_of_week(date(2025, 12, 29)).key == "2026-01"
    assert iso_week(date(2025, 12, 29)).key == "2026-W01"
    assert month_containing(date(2024, 2, 10)).last == date(2024, 2, 29)


def test_a_week_that_says_nothing_gets_no_page_and_says_why(environment: Environment) -> None:
    bench = bench_at(environment, "hierarchical")
    for day in range(2, 6):
        log = bench.layout.days / f"2026-02-0{day}.md"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(f"## 2026-02-0{day}\n\n- 09:00 Fix it? — All tests pass. (conversation-00{day}, 0a1b2c3d)\n")
    (one,) = week_results(bench.store)
    plan = plan_pages(bench.store, (one,))
    assert (one.status, one.is_behind, plan.edits) == ("empty", False, ())
    assert plan.notes == ("2026-W06 gets no page: its 4 documents say nothing that is worth a line",)
