"""`recall`: passages within a budget, each with where it is from."""

from __future__ import annotations

import os

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.makers import bench_at, transcript

TALK = [
    ("user", "Why do logins fail at random?"),
    ("assistant", "Two tabs refresh the same token; we decided to allow thirty seconds of reuse."),
]
LONG = [("user", "Tell me about heron " + "and the pond " * 400), ("assistant", "Heron is the staging database.")]


def test_a_question_is_answered_with_passages_and_their_places(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    transcript(environment, 1, TALK)
    said = recall("recall", "login token refresh")
    assert said.code == 0
    assert "thirty seconds of reuse" in said.out or "logins fail at random" in said.out
    assert ".jsonl:" in said.out and "2026-03-06" in said.out
    found = recall("--json", "recall", "login token refresh").json
    assert found["synthesis"] is None and found["extracts"][0]["lines"][0] >= 1


def test_the_budget_is_kept(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    transcript(environment, 1, LONG)
    transcript(environment, 2, TALK)
    found = recall("--json", "recall", "--tokens", "100", "heron pond").json["extracts"]
    assert found and sum(len(one["text"]) for one in found) <= 400


def test_nothing_relevant_says_what_was_searched(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    transcript(environment, 1, TALK)
    said = recall("recall", "xylophone quartet")
    assert (said.code, said.out) == (1, "") and "3 passages" in said.err


def test_without_a_question_it_prints_what_is_handed_over(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    assert recall("recall").code == 1
    bench.layout.window.write_text("## Notes\n\nShip on Friday.\n")
    said = recall("recall")
    assert said.code == 0 and "> Ship on Friday." in said.out and said.out.count("<recalled-memory") == 1
    found = recall("--json", "recall").json
    assert found["text"] == said.out.strip()
    assert [item["is_given"] for item in found["items"]] == [True] and 0 < found["tokens"] <= 1000


def test_what_a_setting_keeps_from_being_handed_over_is_said(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    bench.layout.window.write_text("## Notes\n\nShip on Friday.\n")
    assert recall("config", "set", "inject.tokens", "0").code == 0
    said = recall("recall")
    assert (said.code, said.out) == (1, "") and "inject.tokens is 0" in said.err


def test_the_time_of_the_question_decides_what_yesterday_is(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    transcript(environment, 1, TALK)
    near = recall("--json", "search", "--ranked", "login yesterday", "--at", "2026-03-07").json["hits"][0]["why"]
    far = recall("--json", "search", "--ranked", "login yesterday", "--at", "2026-06-07").json["hits"][0]["why"]
    assert near["when"] == 1.0 and far["when"] < 0.6


def test_recalling_the_master_says_how_many_summaries_are_newer(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    said = recall("recall")
    assert said.code == 1 and "nothing has been synthesised yet: /summarize" in said.err
    bench.layout.master.write_text("# Project Memory\n\n## Current Status\n\n- Shipped.\n")
    os.utime(bench.layout.master, (1_000, 1_000))
    assert bench.layout.summaries is not None
    (bench.layout.summaries / "one.md").write_text("# A\n")
    said = recall("recall")
    assert said.code == 0 and said.out.startswith("# Project Memory\n") and "synthesis" not in said.out
    assert "1 new summary" in said.err
    assert recall("recall", "--json").json["new_summaries"] == 1
