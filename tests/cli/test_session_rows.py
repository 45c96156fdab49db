"""Every command names a session the same way: title, project, agent, date, length."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from recall_tui.cli import output
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
    rows = recall("list", "sessions").out.splitlines()[1:]
    assert rows == recall("list", "conversation").out.splitlines()[1:], "the word that the rest of the program has"
    assert recall("list", "days").out == recall("list", "daily").out
    assert recall("list", "monsters").code == 2
    assert [row.split("depot ")[1].split()[0] for row in rows] == ["2", "3", "1"]
    assert "30 Jan 2025" in rows[-1] and "2026" not in rows[0]


def test_on_a_terminal_sessions_are_listed_below_their_day(
    recall: Any, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = bench_at(environment)
    long = "Count the parcels of every depot between the harbour and the railway station"
    for number, days, said in ((1, 0, long), (2, 0, "Weigh the parcels"), (3, 400, "Sort the parcels")):
        turns = [("user", said), ("assistant", "Done.")]
        bench.capture(transcript(environment, number, turns, start=NOON - timedelta(days=days)))
    monkeypatch.setattr(output, "_is_terminal", lambda stream: True)
    rows = recall("list", "conversation", "--no-color").out.splitlines()
    assert rows[0].split() == ["name", "kind", "title", "project", "length"]
    assert [row.rstrip() for row in rows if not row.startswith(" ")] == ["Fri 6 Mar", "Thu 30 Jan 2025"]
    assert rows[4].startswith("Thu 30 Jan 2025") and "Sort the parcels" in rows[5] and len(rows) == 6
    assert all(len(row) <= 80 for row in rows) and any("Count the parcels of" in row and "…" in row for row in rows)
    monkeypatch.setattr(output.Output, "columns", 120)
    assert "agent" in recall("list", "conversation", "--no-color").out.splitlines()[0]
