"""`report`: sessions of a span by project or day, with what they settled and left open."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from recall_tui.environment import Environment
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript

Recall = Any
TALK = [
    ("user", "Why do exports of the shop hang?"),
    ("Edit", "/home/u/api/export.py"),
    (
        "assistant",
        "The root cause was a worker that never closed its file.\n\nDecided: exports stream to a temporary file "
        "instead of memory, because a month of orders does not fit.\n\nTODO: rotate the export keys.",
    ),
]
KEY = "sk-ant-api03-" + "q7Rk2mZt9Vx4Lb8Nc3Wd6Yf1Hg5Js0Pu" * 2


@pytest.fixture(params=["entity", "project"])
def root(request: pytest.FixtureRequest, environment: Environment, recall: Recall) -> Any:
    bench = bench_at(environment, request.param)
    for number, days in ((1, 9), (2, 1), (3, 0)):
        path = transcript(environment, number, TALK, start=NOON - timedelta(days=days))
        assert recall("archive", path, "--root", bench.store.root).code == 0
    return bench.store.root


def test_sessions_since_yesterday_with_what_they_settled_and_left_open(root: Any, recall: Recall) -> None:
    said = recall("report", "--root", root)
    assert said.code == 0
    assert said.out.count("exports stream to a temporary file") == 2
    assert "Settled:" in said.out and "Left open:" in said.out and "rotate the export keys" in said.out
    assert "export.py" in said.out and "## " in said.out
    rows = [line for line in said.out.splitlines() if line.startswith("- 2026")]
    assert all(line.endswith((" (archive 002)", " (archive 003)", f" (session {line[-9:-1]})")) for line in rows), rows


def test_a_longer_span_has_more_and_days_group_it(root: Any, recall: Recall) -> None:
    found = recall("--json", "report", "--since", "2w", "--root", root).json
    assert len(found["sessions"]) == 3 and found["sessions"][0]["began"] < found["sessions"][2]["began"]
    said = recall("report", "--since", "2w", "--by", "day", "--root", root).out
    assert [line for line in said.splitlines() if line.startswith("## ")] == [
        f"## {(NOON - timedelta(days=days)).date()}" for days in (9, 1, 0)
    ]


def test_nothing_is_said_so_with_exit_1(root: Any, recall: Recall) -> None:
    said = recall("report", "--since", "2025-01-01", "--until", "2025-01-31", "--root", root)
    assert said.code == 1 and said.out == "" and "no session from 2025-01-01 00:00 to 2025-02-01 00:00" in said.err
    assert recall("report", "--project", "another", "--root", root).code == 1


def test_a_span_that_ends_before_it_begins_is_refused(root: Any, recall: Recall) -> None:
    said = recall("report", "--since", "today", "--until", "2020-01-01", "--root", root)
    assert said.code == 2 and "--since names the earlier moment" in said.err


@pytest.mark.parametrize("words", ["monday", "friday"])
def test_a_weekday_is_the_last_one_that_began(root: Any, recall: Recall, words: str) -> None:
    found = recall("--json", "report", "--since", words, "--root", root).json["since"]
    # NOON is a Friday.
    assert found.startswith("2026-03-02" if words == "monday" else "2026-03-06")


def test_a_secret_that_a_person_wrote_into_an_archive_is_masked(environment: Environment, recall: Recall) -> None:
    bench = bench_at(environment)
    recall("archive", transcript(environment, 1, TALK), "--root", bench.store.root)
    (path,) = bench.layout.archives[0].folder.glob("*.md")
    path.write_text(path.read_text().replace("rotate the export keys", f"rotate {KEY}"))
    said = recall("report", "--root", bench.store.root)
    assert "[redacted:" in said.out and KEY not in said.out
    assert session_id_of(1) not in said.err


def test_a_time_may_be_said_in_the_words_of_the_timeline(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    for words in ("last month", "last tuesday", "three weeks ago", "march 2025"):
        said = recall("report", "--since", words)
        assert said.code == 1 and "no session from" in said.err, said.err
    assert recall("report", "--since", "soonish").code == 2
