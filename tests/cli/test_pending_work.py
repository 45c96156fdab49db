"""What ended sessions left to do is counted by `status` and done by the next `sync`; so is a full MEMORY.md by name."""

from __future__ import annotations

import json

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.storage.state import job_queue, live_sessions
from recall_tui.storage.state.job_queue import Job
from recall_tui.storage.state.live_sessions import LiveSession
from tests.cli.conftest import Recall
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript

TALK = [
    ("user", "Never push to main without a review, please. Fix the token refresh race"),
    ("assistant", "We decided to use a lock around the refresh, because two tabs raced."),
]
LONG = "# Memory\n\n## Debugging\n\n" + "".join(f"- note {n} about the debugger\n" for n in range(260))


def test_a_job_that_a_session_end_left_is_done_by_the_next_sync(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "claude-project")
    path = transcript(environment, 1, TALK)
    later = NOON.timestamp() + 600
    job_queue.save(bench.store.state, Job("lessons", session_id_of(1), path, NOON.timestamp(), 1, later))
    assert "waiting     1 job of ended sessions; run: recall-tui sync" in recall("status", bench.store.root).out
    assert recall("status", bench.store.root, "--json").json["waiting"] == {"sessions": 0, "jobs": 1}
    said = recall("sync", "--root", bench.store.root)
    assert said.code == 0 and f"done {session_id_of(1)} (lessons)" in said.out
    lessons = "".join(one.read_text() for one in (bench.layout.base / "sessions").glob("*.md"))
    assert "without a review" in lessons
    assert "waiting" not in recall("status", bench.store.root).out
    again = recall("sync", "--root", bench.store.root, "--json")
    assert again.code == 0 and "pending" not in again.json


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_session_that_ended_and_waits_is_captured_by_the_next_sync(
    recall: Recall, environment: Environment, name: str
) -> None:
    bench = bench_at(environment, name)
    root = bench.store.root
    recall("config", "set", "capture.auto", "true", "--root", root)
    recall("config", "set", "transcripts.projects", "all", "--root", root)
    path = transcript(environment, 1, TALK)
    live_sessions.save(bench.store.state, LiveSession(session_id_of(1), "ended", "claude", path, tries=2))
    live_sessions.save(bench.store.state, LiveSession(session_id_of(2), "live", "claude"))
    assert "waiting     1 ended session; run: recall-tui sync" in recall("status", root).out
    rows = recall("sync", "--root", root, "--json").json["pending"]
    assert (rows[0]["kind"], rows[0]["session_id"], rows[0]["did"]) == ("capture", session_id_of(1), "captured")
    assert session_id_of(1) in bench.layout.rows.read_text()
    assert recall("status", root, "--json").json["waiting"]["sessions"] == 0


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_compact_names_what_brings_a_long_memory_under_its_budget(
    recall: Recall, environment: Environment, name: str
) -> None:
    bench = bench_at(environment, name)
    root = bench.store.root
    assert "compact memory" not in recall("compact", "--root", root).err
    bench.layout.memory_file.write_text(LONG)
    for words in ((), ("all",), ("weekly",), ("--dry-run",), ("--yes",)):
        said = recall("compact", *words, "--root", root)
        assert said.code == 0 and "run: recall-tui compact memory" in said.err, words
    assert recall("compact", "memory", "--root", root).code == 0
    assert "compact memory" not in recall("compact", "--root", root).err


def test_the_window_of_the_last_session_counts_one_of_one(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "user")
    assert "recent      0/1 sessions" in recall("status").out
    recall("archive", transcript(environment, 1, TALK))
    assert "recent      1/1 sessions" in recall("status").out and "1/1 sessions" in recall("dashboard").out
    assert recall("status", "--json").json["window"]["max"] == 1
    (environment.claude / "EPHEMERAL.md").write_text(
        "## Session a — 2026-03-05 10:00:00 UTC\n"
        "**Duration**: ~5m | **Messages**: 2 | **Archive**: archive-log-001.md\n**Summary**: One.\n"
    )
    assert "recent      1/5 sessions" in recall("status").out


@pytest.mark.parametrize("words", [(), ("--markers",), ("--json",), ("--max-chars", "90"), ("--clear",)])
def test_the_windows_own_mark_is_never_handed_over(
    recall: Recall, environment: Environment, words: tuple[str, ...]
) -> None:
    bench_at(environment, "user")
    recall("archive", transcript(environment, 1, TALK))
    window = environment.claude / "EPHEMERAL.md"
    assert window.read_text().startswith("<!-- recall-window: ")
    said = recall("consume", *words)
    text = json.loads(said.out)["text"] if "--json" in words else said.out
    assert "recall-window" not in said.out and "lock around the refresh" in text
    if not words:
        assert said.out.startswith("# Last session\n")
    assert (window.read_text() == "") == ("--clear" in words)
