"""Promises of the designs about what is called by a name: a choice, a day, a claim. Each is what somebody does."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.conftest import NOON
from tests.makers import Turn, bench_at, session_id_of, transcript, write_files

CHOICES = (
    "Inter, because of its figures.",
    "CSS modules, because class names clash.",
    "Postgres 17 with pgbouncer, because connections are dear.",
    "SQLite (there is no server to run).",
)


def test_a_choice_that_begins_with_a_name_reaches_the_master(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    for number, words in enumerate(CHOICES, 1):
        talk: list[Turn] = [("user", f"Choose part {number}"), ("assistant", f"Decision: {words}")]
        transcript(environment, number, talk, cwd=cwd)
        recall(root, "summarize", session_id_of(number), "--yes")
    recall(root, "synthesize", "--yes")
    said = recall(root, "recall").out
    assert all(words.rstrip(".") in said for words in CHOICES), said


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_session_of_a_moment_ago_is_summarized_by_its_day(
    recall: Recall, environment: Environment, name: str
) -> None:
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    talk: list[Turn] = [("user", "Repaint the gangway"), ("assistant", "Decision: grey, because it hides dust.")]
    transcript(environment, 1, talk, start=NOON - timedelta(days=1), cwd=cwd)
    said = recall(root, "summarize", "yesterday", "--dry-run")
    assert said.code == 0 and "gangway" in said.out + said.err, said.err


def test_a_claim_that_a_day_says_is_so_now_ends_with_it(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "hierarchical")
    root = f"--root={bench.store.root}"
    for day, limit in (("2026-01-05", "100"), ("2026-02-05", "now 200"), ("2026-03-05", "now 300")):
        write_files(bench.store.root, {f"memory/{day}.md": f"## {day}\n\nThe rate limit is {limit}.\n"})
    place = ("--source", "2026-01-05", "--category", "concept", "--name", "Rate limit", "--description", "How many")
    recall(root, "wiki", "stub", "rate-limit", *place, "--lede", "The rate limit is 100.")
    for day, old, new in (("2026-02-05", "100", "200"), ("2026-03-05", "200", "300")):
        facts = ("--fact", f"The rate limit is {old}.", "--by", f"The rate limit is {new}.")
        recall(root, "wiki", "supersede", "rate-limit", "--source", day, *facts)
    assert "held until 2026-03-05" in recall(root, "search", "rate limit").out
    recall(root, "wiki", "rebuild", "rate-limit", "--yes")
    page = recall(root, "read", "rate-limit").out.rpartition("---")[2]
    assert "300" in page and "200" not in page


def test_a_session_over_midnight_is_of_both_days(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "hierarchical")
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    talk: list[Turn] = [
        ("user", "Night watch of the pump"),
        ("assistant", "The pump ran."),
        ("user", "Is it well?"),
        ("assistant", "The pump stopped, because the fuse blew."),
    ]
    start = datetime(2026, 2, 20, 23, 40, tzinfo=NOON.tzinfo)
    transcript(environment, 1, talk, start=start, step=timedelta(minutes=10), cwd=cwd)
    for day in ("2026-02-20", "2026-02-21"):
        said = recall(root, "search", f"the pump on {day}")
        assert "Night watch" in said.out and "nothing that was found" not in said.err, (day, said.err)
    said = recall(root, "search", "pump yesterday", "--at", "2026-02-22")
    assert "Night watch" in said.out and "nothing that was found" not in said.err, said.err
    assert "nothing that was found" in recall(root, "search", "pump yesterday", "--at", "2026-02-25").err
