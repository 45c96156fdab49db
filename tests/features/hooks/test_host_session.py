"""Sessions from a host's memory: brought up to date, and nothing lost when the host keeps only the end of them."""

from __future__ import annotations

from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.features.capture.archive import Source
from recall_tui.features.hooks import host_session
from recall_tui.storage.archives import retained
from recall_tui.storage.archives.body import parse_body
from recall_tui.workbench import Workbench
from tests.makers import bench_at, tree


def said(*words: str) -> list[dict[str, Any]]:
    """Prompts and replies in turn."""
    return [{"role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(words)]


def keep(bench: Workbench, messages: list[dict[str, Any]], source: Source = "session", **told: object) -> int:
    """Archive the messages as the session `talk`."""
    with host_session.open_conversation(bench.store, messages, {"session_id": "talk", **told}) as conversation:
        assert conversation is not None
        is_news = host_session.is_changed(bench.store, conversation, source)
        done = host_session.capture_host_session(bench.store, conversation, source, by="hook")
    assert is_news == (done.status in ("archived", "updated"))
    return done.number


def held(bench: Workbench) -> list[str]:
    """What was said, as the archives of the session have it."""
    texts = [entry.path.read_text(encoding="utf-8") for entry in bench.archive.entries()]
    return [message.text for text in texts for message in parse_body(text)]


def test_the_end_of_a_session_is_put_behind_what_was_archived_of_it(environment: Environment) -> None:
    bench = bench_at(environment)
    keep(bench, said("one", "two", "continue", "three", "continue", "four"), "checkpoint")
    keep(bench, said("continue", "four", "five", "six"), "checkpoint")
    assert held(bench) == ["one", "two", "continue", "three", "continue", "four", "five", "six"]
    keep(bench, said("This is what went before: one, two", "I see", "five", "six", "seven", "eight"))
    assert held(bench)[-4:] == ["five", "six", "seven", "eight"]
    assert {"one", "two", "three", "four", "I see"} <= set(held(bench))
    assert [(row.number, row.messages) for row in bench.rows] == [(1, 12)]
    assert bench.archive.get(1).source == "session" and len(bench.window.entries) == 1


def test_what_has_nothing_in_common_with_the_archive_follows_it(environment: Environment) -> None:
    bench = bench_at(environment)
    keep(bench, said("one", "two"))
    keep(bench, said("three", "four"))
    assert held(bench) == ["one", "two", "three", "four"]


def test_the_end_of_a_checkpoint_makes_it_final_with_all_it_held(environment: Environment) -> None:
    bench = bench_at(environment)
    keep(bench, said("one", "two", "three", "four"), "checkpoint")
    keep(bench, said("three", "four"))
    assert held(bench) == ["one", "two", "three", "four"]
    assert bench.archive.get(1).source == "session" and bench.window.entries[0].messages == 4


def test_a_part_of_what_is_archived_changes_no_byte(environment: Environment) -> None:
    for name in ("entity", "user"):
        bench = bench_at(environment, name)
        number = keep(bench, said("one", "two", "three", "four"))
        before = tree(bench.layout.root)
        for part in (said("one", "two"), said("three", "four"), said("one", "two", "three", "four")):
            assert keep(bench, part) == number
        assert tree(bench.layout.root) == before


def test_logs_hold_each_stretch_once_whatever_the_host_still_has(environment: Environment) -> None:
    bench = bench_at(environment, "user")
    assert keep(bench, said("one", "two"), "checkpoint") == 1
    assert keep(bench, said("one", "two", "three", "four"), "checkpoint") == 2
    assert keep(bench, said("It began with one", "I see", "three", "four", "five", "six")) == 3
    assert keep(bench, said("So far: one to six", "I see", "seven", "eight")) == 4
    assert held(bench) == [
        "one",
        "two",
        "three",
        "four",
        "It began with one",
        "I see",
        "five",
        "six",
        "So far: one to six\n\nseven",
        "eight",
    ]


def test_tools_stay_with_the_turn_they_belong_to(environment: Environment) -> None:
    bench = bench_at(environment)
    call = {"type": "tool_use", "id": "t", "name": "Edit", "input": {"file_path": "/a/b.py"}}
    answer = {"type": "tool_result", "tool_use_id": "t", "content": "done"}
    turn: list[dict[str, Any]] = [
        {"role": "assistant", "content": [{"type": "text", "text": "I edit"}, call]},
        {"role": "user", "content": [answer]},
    ]
    keep(bench, [*said("edit it"), *turn], "checkpoint")
    keep(bench, [turn[1], *said("and now?", "All is done")])
    text = bench.archive.get(1).path.read_text(encoding="utf-8")
    assert text.count("<summary>Result</summary>") == 1 and text.index("Result") < text.index("and now?")


def test_what_the_host_tells_of_a_session_stands_in_its_archive(environment: Environment) -> None:
    bench = bench_at(environment)
    told = {"agent": "elsewhere", "title": "A talk\nof two", "cwd": "/home/u/app", "branch": "dev", "model": "m-1"}
    keep(bench, said("one", "two"), **told, started_at="2026-03-05T10:00:00Z", ended_at="2026-03-05T10:30:00Z")
    entry = bench.archive.get(1)
    assert (entry.agent, entry.title, entry.cwd, entry.branch, entry.model) == (
        "elsewhere",
        "A talk of two",
        "/home/u/app",
        "dev",
        "m-1",
    )
    assert entry.duration == "30m" and entry.date and entry.date.isoformat() == "2026-03-05T10:30:00+00:00"


@pytest.mark.parametrize("name", ["project", "claude-project"])
def test_where_an_archive_is_only_a_summary_what_was_said_is_kept_beside_it(
    environment: Environment, name: str
) -> None:
    bench = bench_at(environment, name)
    keep(bench, said("one", "two"))
    keep(bench, said("one", "two"))
    copies = retained.list_copies(environment.kept, "talk")
    assert len(copies) == 1 and "two" in "".join(retained.read_lines(copies[0]))
    assert list(bench.store.spool.iterdir()) == []
    bench.eraser.forget("talk")
    assert retained.list_copies(environment.kept, "talk") == ()
    assert keep(bench, said("one", "two")) == 0 and retained.list_copies(environment.kept, "talk") == ()
