"""Promises of the designs about what is called by a name: a choice, a day, a claim. Each is what somebody does."""

from __future__ import annotations

from datetime import timedelta

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.conftest import NOON
from tests.makers import Turn, bench_at, session_id_of, transcript

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
