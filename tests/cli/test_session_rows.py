"""Every command names a session the same way: title, project, agent, date, length."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from recall_tui.environment import Environment
from tests.conftest import NOON
from tests.makers import Turn, bench_at, transcript

TALK: Sequence[Turn] = (("user", "Rename the parcel table"), ("assistant", "The parcel table is called shipments now."))
ROW = ["Rename the parcel table", "api", "claude", "6 Mar", "1m"]
LINE = " · ".join(ROW)


def test_list_dashboard_search_and_recall_show_the_same_facts(recall: Any, environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK))
    listed = recall("list", "conversation").out.splitlines()
    assert listed[0].split() == ["name", "kind", "title", "project", "agent", "date", "length"]
    assert listed[1].split("conversation ")[1].split() == " ".join(ROW).split()
    assert " ".join(" ".join(ROW).split()) in " ".join(recall("dashboard").out.split())
    assert LINE in recall("search", "shipments").out
    assert f"@1 {LINE}" in recall("recall", "shipments").out


def test_sessions_are_listed_by_date_with_the_year_of_another_one(recall: Any, environment: Environment) -> None:
    bench = bench_at(environment)
    for number, days in ((1, 400), (2, 0), (3, 20)):
        turns = [("user", f"Count the parcels of depot {number}"), ("assistant", "Counted.")]
        bench.capture(transcript(environment, number, turns, start=NOON - timedelta(days=days)))
    rows = recall("list", "conversation").out.splitlines()[1:]
    assert [row.split("depot ")[1].split()[0] for row in rows] == ["2", "3", "1"]
    assert "30 Jan 2025" in rows[-1] and "2026" not in rows[0]
