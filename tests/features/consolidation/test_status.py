"""What is to be done about weeks and months, as the timeline says it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.features.consolidation.compact import compact
from recall_tui.features.consolidation.timeline import period_statuses, propose_period
from recall_tui.storage.state import proposals
from recall_tui.workbench import Workbench
from tests.days import write_days
from tests.makers import bench_at


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    """From Thursday, 1 January, to Wednesday, 4 March; today is Friday, the 6th."""
    bench = bench_at(environment, "hierarchical")
    write_days(bench.store, date(2026, 1, 1), 63)
    return bench


def test_weeks_that_are_over_and_have_days_enough_are_due(bench: Workbench) -> None:
    assert period_statuses(bench.store) == {f"2026-W{week:02d}": "due" for week in range(1, 10)}


def test_what_was_compacted_is_not_until_a_document_changes(bench: Workbench) -> None:
    bench.apply(compact, "weekly")
    assert period_statuses(bench.store) == {"2026-01": "due", "2026-02": "due"}
    bench.apply(compact)
    assert period_statuses(bench.store) == {}
    path: Path = bench.layout.days / "2026-02-03.md"
    path.write_text(path.read_text() + "\n- A late entry.\n")
    assert period_statuses(bench.store) == {"2026-W06": "behind"}


def test_a_page_that_somebody_else_made_is_left_alone(bench: Workbench) -> None:
    bench.layout.weekly.mkdir()
    (bench.layout.weekly / "2026-W06.md").write_text("---\ntype: weekly\n---\n# Week 2026-W06\n")
    assert "2026-W06" not in period_statuses(bench.store)


def test_one_period_is_proposed_alone_and_waits_then(bench: Workbench) -> None:
    put = propose_period(bench.store, "2026-W06")
    assert put is not None and [one.subject for one in proposals.list_open(bench.store)] == ["2026-W06"]
    assert period_statuses(bench.store)["2026-W06"] == "waits" and not bench.layout.weekly.exists()
    assert propose_period(bench.store, "2026-W10") is None
    bench.apply(compact, "weekly")
    month = propose_period(bench.store, "2026-02")
    assert month is not None and month.kind == "monthly"


def test_a_week_with_nothing_to_tell_is_not_due(bench: Workbench) -> None:
    for path in bench.layout.days.glob("2026-01-0[5-9].md"):
        path.write_text("---\ntype: daily\n---\n", encoding="utf-8")
    for path in bench.layout.days.glob("2026-01-1[01].md"):
        path.write_text("# Nothing\n", encoding="utf-8")
    assert "2026-W02" not in period_statuses(bench.store) and period_statuses(bench.store)["2026-W03"] == "due"
