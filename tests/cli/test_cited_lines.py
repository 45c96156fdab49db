"""A place that search prints can be shown: of a transcript its own lines, whatever its text looks like."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from recall_tui.environment import Environment
from tests.conftest import NOON
from tests.makers import bench_at, sub_agent, transcript
from tests.session_recall import Recalled

Recall = Callable[..., Any]
TURNS = [
    ("user", "where is the heron nest?"), ("assistant", "The heron nests in the reed bed."),
    ("user", "and the gannet?"), ("assistant", "The gannet nests on the cliff."),
]  # fmt: skip


@pytest.mark.parametrize("name", ["entity", "user", "claude-project"])
def test_the_lines_of_a_hit_are_shown(recall: Recall, environment: Environment, name: str) -> None:
    root = f"--root={bench_at(environment, name).store.root}"
    file = transcript(environment, 1, TURNS)
    (hit,) = recall(root, "search", "gannet nests cliff", "--limit", "1", "--json").json["hits"]
    assert hit["document"] == str(file) and hit["lines"] == [4, 4]
    shown = recall(root, "show", f"{file}:4")
    assert shown.code == 0 and "The gannet nests on the cliff." in shown.out and "heron" not in shown.out
    both = recall(root, "show", f"{file}:1-2").out
    assert "where is the heron nest?" in both and "reed bed" in both and "gannet" not in both
    none = recall(root, "show", f"{file}:90")
    assert none.code == 1 and "has no lines 90" in none.err and "it has 4" in none.err


def test_a_hit_of_a_sub_agent_says_so(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    main = transcript(environment, 1, TURNS)
    sub_agent(main, [("user", "look for the bittern"), ("assistant", "The bittern booms.")], start=NOON + timedelta(0))
    (hit,) = recall("search", "bittern booms", "--limit", "1", "--json").json["hits"]
    assert hit["heading"] == "sub-agent"
    assert "The bittern booms." in recall("show", hit["id"]).out


def test_the_lines_of_a_session_of_the_older_database_are_shown(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    with Recalled(environment.session_index) as made:
        made.session("old").row("old", "user", "where is the heron?").row(
            "old", "assistant", "The heron is in the reed."
        )
    (hit,) = recall("search", "reed", "--limit", "1", "--json").json["hits"]
    shown = recall("show", f"{hit['document']}:{hit['lines'][0]}")
    assert hit["lines"] == [2, 2]
    assert "The heron is in the reed." in shown.out and "where is" not in shown.out
