"""`remember --session-end`: by a session's id, by its transcript, or by a hook's JSON."""

from __future__ import annotations

import json

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.makers import bench_at, session_id_of, transcript

TALK = [
    ("user", "Why do logins fail at random?"),
    ("assistant", "The root cause was a second tab that refreshed the same token at once."),
]


def test_a_session_is_named_in_each_way_and_written_once(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    paths = [transcript(environment, number, TALK) for number in (1, 2, 3)]
    said = recall("remember", "--session-end", session_id_of(1))
    assert said.code == 0 and said.out.startswith("Wrote 1 lesson of ") and "memory/days/2026-03-06.md" in said.out
    assert recall("remember", paths[1], "--session-end").code == 0
    told = json.dumps({"session_id": session_id_of(3), "transcript_path": str(paths[2])})
    assert recall("remember", "--session-end", stdin=told).code == 0
    assert (bench.layout.days / "2026-03-06.md").read_text().count("\n## Session ") == 3
    assert [entry.by for entry in bench.journal.entries()][:3] == ["hook", "person", "person"]
    again = recall("remember", "--session-end", session_id_of(1))
    assert (again.code, again.out) == (0, "") and "written already" in again.err
    found = recall("--json", "remember", "--session-end", session_id_of(1)).json
    assert found["change"] is None


def test_what_makes_no_sense_is_said(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    assert recall("remember").code == 2
    assert recall("remember", "--session-end", "a", "b").code == 2
    assert recall("remember", "--session-end", "--topic", "x", "a").code == 2
    assert recall("remember", "--session-end", "no-such-session").code == 1
    assert recall("remember", "--session-end", stdin="{}").code == 1
