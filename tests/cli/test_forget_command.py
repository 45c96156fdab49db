"""`forget` from the command line: it shows, asks, removes, and finishes what a killed one began."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES, LocatedMemory
from recall_tui.storage.state import tombstones
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript, tree
from tests.processes import Machine, killing
from tests.traces import traces

Recall = Callable[..., Any]
WORD = "zanzibarquux"
TALK = [("user", f"Plan the {WORD} party"), ("assistant", f"The {WORD} is in the park.")]
OTHER = [("user", "Fix the token refresh race"), ("assistant", "We use a lock around the refresh.")]


@pytest.fixture
def path(environment: Environment) -> Path:
    """The transcript of a session that is archived and indexed, beside another."""
    bench = bench_at(environment)
    first = transcript(environment, 1, TALK)
    bench.capture(first)
    bench.capture(transcript(environment, 2, OTHER))
    bench.sync()
    return first


def test_it_shows_what_goes_and_asks(recall: Recall, environment: Environment, path: Path) -> None:
    before = tree(environment.cwd)
    said = recall("forget", "1", stdin="n\n")
    assert said.code == 1 and tree(environment.cwd) == before
    assert "- memory/conversations/conversation-001.md" in said.out
    assert "-| 001 |" in said.out and f"-**Summary**: Plan the {WORD}" in said.out
    assert f"Claude Code's own transcript stays at {path}" in said.err and "[y/N]" in said.err
    assert recall("forget", "1").code == 1 and tree(environment.cwd) == before
    said = recall("forget", "1", stdin="y\n")
    assert said.code == 0 and "Forgot conversation-001" in said.out
    assert traces(bench_at(environment), WORD) == []


def test_how_long_the_transcript_stays_is_said(recall: Recall, environment: Environment, path: Path) -> None:
    import os

    from tests.conftest import NOON

    for days, words in ((10, "it goes by itself in 20 days"), (40, "it goes by itself when it starts next")):
        at = NOON.timestamp() - days * 86_400
        os.utime(path, (at, at))
        assert words in recall("forget", "1", "--dry-run").err


def test_a_dry_run_changes_nothing(recall: Recall, environment: Environment, path: Path) -> None:
    before = tree(environment.cwd), tree(environment.state)
    said = recall("forget", "1", "--dry-run")
    assert (said.code, tree(environment.cwd), tree(environment.state)) == (0, *before)
    facts = recall("forget", "1", "--dry-run", "--json").json["facts"]
    assert facts["removed"] == ["memory/conversations/conversation-001.md"]
    assert facts["changed"] == ["memory/ARCHIVE.md", "memory/EPHEMERAL.md", "memory/days/2026-03-06.md"]
    assert facts["transcripts"] == [str(path)]


def test_json_asks_nobody(recall: Recall, environment: Environment, path: Path) -> None:
    assert recall("forget", "1", "--json", stdin="y\n").code == 2
    said = recall("forget", "1", "--json", "--yes")
    assert said.code == 0 and said.json["change"]["no_way_back"] and said.json["left"] == []
    again = recall("forget", session_id_of(1), "--json", "--yes")
    assert again.code == 0 and again.json["change"] is None and "already" in again.json["message"]


def test_nothing_found_is_said_with_what_to_do(recall: Recall, environment: Environment, path: Path) -> None:
    said = recall("forget", "nobody-here", "--yes")
    assert said.code == 1 and "recall-tui list" in said.err
    said = recall("forget", "1", "--undo")
    assert said.code == 1 and "nothing was forgotten in this memory" in said.err


@pytest.mark.long
def test_archive_says_why_it_skips_and_undo_lets_it_in(recall: Recall, environment: Environment, path: Path) -> None:
    recall("forget", "1", "--yes")
    assert "forgotten on 2026-03-06" in recall("archive", path).out
    assert recall("archive", "--session", session_id_of(1), "--json").json["counts"] == {"skipped": 1}
    assert recall("archive", "--all-unarchived", "--json").json["counts"] == {}
    said = recall("show", session_id_of(1))
    assert said.code == 1 and "--undo" in said.err
    said = recall("undo")
    assert said.code == 3 and "recall-tui forget --undo conversation-001" in said.err
    assert "Forgot conversation-001" in recall("undo", "--list").out
    said = recall("forget", "conversation-001", "--undo")
    assert said.code == 0 and str(path) in said.err
    assert "archived" in recall("archive", path).out


@pytest.mark.long
def test_search_neither_in_lines_nor_ranked_finds_it(recall: Recall, environment: Environment, path: Path) -> None:
    recall("forget", "1", "--yes")
    assert recall("search", WORD).code == 1
    assert recall("search", "--ranked", WORD, "--no-sync").code == 1
    assert recall("index").code == 0
    assert recall("search", "--ranked", WORD).code == 1
    assert recall("doctor").code == 0


IMPORTS = """
from recall_tui.index.maintenance import purge as forgetting
from recall_tui.index.text import partitions as shelves, writer
from recall_tui.storage.files import atomic, sqlite, staging as spool
from recall_tui.storage.journal import commits as journal, record as journal_record, scrub as journal_scrub
from recall_tui.storage.state import leftover_files as leavings, tombstones
"""
MOMENTS = (
    ("journal_record.FileChange.apply", 1, "after"),
    ("journal_record.FileChange.apply", 2, "after"),
    ("journal.Journal.scrub", 1, "before"),
    ("journal_scrub.scrub_record", 2, "after"),
    ("forgetting._drop_sources", 1, "before"),
    ("writer.PassageWriter.commit", 1, "after"),
    ("sqlite.vacuum", 1, "before"),
    ("tombstones.mark_done", 1, "before"),
    ("atomic.write_file", 1, "after"),
    ("journal_record.FileChange.apply", 4, "before"),
    ("journal_record.FileChange.apply", 4, "after"),
    ("journal.Journal._settle", 1, "before"),
    ("spool.remove_sessions", 1, "before"),
    ("leavings.remove_named", 1, "before"),
    ("shelves.begin_rebuild", 1, "after"),
    ("shelves._format_mark", 1, "before"),
    ("shelves._format_mark", 1, "after"),
)
EVERYDAY = 8


@pytest.mark.long
@pytest.mark.parametrize(
    ("target", "call", "when"),
    [pytest.param(*one, marks=[pytest.mark.soak] if n >= EVERYDAY else []) for n, one in enumerate(MOMENTS)],
)
def test_one_that_is_killed_is_finished_by_the_next(
    environment: Environment, path: Path, target: str, call: int, when: str
) -> None:
    machine = Machine(
        environment._replace(env={**environment.env, "HOME": str(environment.home)}), environment.cwd, NOON
    )
    killed = machine.run("forget", "1", "--yes", before=killing(IMPORTS, target, call, when))
    assert killed.code == -signal.SIGKILL
    if call == 2:
        assert machine.run("doctor").code == 1
        assert machine.run("doctor", "--fix").code == 0
    else:
        assert machine.run("forget", session_id_of(1), "--yes").code == 0
    bench = bench_at(environment)
    assert traces(bench, WORD) == []
    assert tombstones.read_tombstones(bench.store.state).open == ()
    assert [entry.number for entry in bench.archive.entries()] == [2] and bench.check() == ()
    assert machine.run("sync").code == 0 and machine.run("index", "status").code == 0
    assert machine.run("search", "--ranked", "token refresh").code == 0
    assert traces(bench, WORD) == []


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_no_theme_of_a_master_tells_of_it(recall: Recall, environment: Environment, layout: str) -> None:
    bench = bench_at(environment, layout)
    root = f"--root={bench.store.root}"
    parties = [f"We decided that the {WORD} party has {what}." for what in ("music", "guests", "balloons", "cake")]
    plain = [f"We decided that the {what} is in Redis." for what in ("cache", "queue", "session", "counter")]
    shared = [f"We decided that the budget of the {what} doubles." for what in (WORD, "garden")]
    for number, words in enumerate(([*parties, shared[0]], [*plain, shared[1]]), 1):
        talk = [turn for one in words for turn in (("user", "And what comes next?"), ("assistant", one))]
        bench.capture(transcript(environment, number, talk))
    assert recall(root, "synthesize", "--yes").code == 0
    text = bench.layout.master.read_text()
    assert text.lower().count(WORD) > (layout != "claude-project")
    assert recall(root, "forget", session_id_of(1), "--yes").code == 0
    assert [path for path in traces(bench, WORD, WORD.capitalize()) if path] == []
    assert layout == "claude-project" or "Redis" in bench.layout.master.read_text()


@pytest.mark.long
def test_what_another_state_folder_keeps_out_is_said(
    recall: Recall, environment: Environment, path: Path, tmp_path: Path
) -> None:
    name = session_id_of(1)
    machines = [
        Machine(
            environment._replace(
                env={**environment.env, "HOME": str(environment.home), "RECALL_STATE": str(tmp_path / one)}
            ),
            environment.cwd,
        )
        for one in ("first", "second")
    ]
    first, second = machines
    assert first.run("forget", "1", "--yes").code == 0
    said = second.run("forget", "--undo", name)
    assert said.code == 0 and f"run: recall-tui forget --undo {name}" in said.err and "RECALL_STATE" in said.err
    said = first.run("doctor")
    assert "kept out by this state folder alone" in said.out.decode()
    assert "forget --undo conversation-001" in said.out.decode()
    assert "skipped" in (said := first.run("archive", str(path))).out.decode() + said.err or "forgotten" in said.err
    assert first.run("forget", "--undo", "1").code == 0 and first.run("archive", str(path)).code == 0
    # The folder that is used without the variable is looked into, and named.
    env = {key: value for key, value in environment.env.items() if key != "RECALL_STATE"}
    usual = Workbench.at(
        LocatedMemory(bench_at(environment).layout, "test"), environment._replace(env=env), lambda: NOON
    )
    usual.eraser.forget(name)
    said = second.run("forget", "--undo", name)
    assert (
        f"{usual.store.environment.state} keeps it out still; run: env -u RECALL_STATE recall-tui forget --undo"
        in said.err
    )
