"""What a person writes into an entry of the window outlives the entry, whatever pushes it out."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.workbench import Workbench
from tests.cli.conftest import Recall
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript

MINE = "zebra crossing"


def heading(lines: list[str], at: int) -> None:
    lines[at] += f" {MINE}"


def facts(lines: list[str], at: int) -> None:
    lines[at + 1] += f" {MINE}"


def end_of_summary(lines: list[str], at: int) -> None:
    lines[at + 2] += f" {MINE}"


def summary(lines: list[str], at: int) -> None:
    lines[at + 2] = f"**Summary**: {MINE}"


def all_three(lines: list[str], at: int) -> None:
    for line in range(at, at + 3):
        lines[line] += f" {MINE}"


def line_below(lines: list[str], at: int) -> None:
    lines.insert(at + 3, MINE)


def bullet_below(lines: list[str], at: int) -> None:
    lines.insert(at + 3, f"- {MINE}")


ENTRIES = ("entity", "hierarchical", "project", "claude-project")
"""The layouts whose window has an entry for each session."""
CHANGES = (heading, facts, end_of_summary, summary, all_three, line_below, bullet_below)


def sessions(recall: Recall, bench: Workbench, numbers: range, via: str = "archive") -> None:
    for number in numbers:
        said = [("user", f"Which cache shall gateway {number} use?"), ("assistant", "We decided to use Redis.")]
        path = transcript(bench.store.environment, number, said, start=NOON - timedelta(hours=40 - number))
        if via == "archive":
            assert recall(f"--root={bench.store.root}", "archive", path).code == 0
            continue
        event = {
            "hook_event_name": "SessionEnd",
            "session_id": session_id_of(number),
            "transcript_path": str(path),
            "cwd": str(bench.store.root),
            "reason": "exit",
        }
        assert recall(f"--root={bench.store.root}", "hook", stdin=json.dumps(event)).code == 0


def changed(window: Path, change: Callable[[list[str], int], None], nth: int) -> None:
    lines = window.read_text(encoding="utf-8").split("\n")
    headings = [at for at, line in enumerate(lines) if line.startswith("## Session")]
    change(lines, headings[nth])
    window.write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ENTRIES)
def test_words_in_an_entry_outlive_it(
    recall: Recall, environment: Environment, name: str, change: Callable[[list[str], int], None]
) -> None:
    bench = bench_at(environment, name)
    sessions(recall, bench, range(1, 4))
    window = bench.layout.window
    changed(window, change, 1)
    sessions(recall, bench, range(4, 12))
    text = window.read_text(encoding="utf-8")
    assert text.count(MINE) == (3 if change is all_three else 1)
    assert text.count("\n## Session ") + text.startswith("## Session ") == 5
    assert session_id_of(1) not in text and session_id_of(3) not in text
    sessions(recall, bench, range(12, 14))
    later = window.read_text(encoding="utf-8")
    assert later.partition("\n## Session")[0] == text.partition("\n## Session")[0]


@pytest.mark.long
def test_words_outlive_an_entry_that_a_hook_pushes_out(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    sessions(recall, bench, range(1, 3), "hook")
    changed(bench.layout.window, summary, 0)
    sessions(recall, bench, range(3, 9), "hook")
    assert f"{session_id_of(1)} — " in (text := bench.layout.window.read_text()) and MINE in text


def test_words_outlive_an_entry_that_a_mending_takes_out(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    sessions(recall, bench, range(1, 6))
    changed(bench.layout.window, summary, 0)
    root = f"--root={bench.store.root}"
    assert recall(root, "config", "set", "ephemeral.max_entries", "2").code == 0
    assert recall(root, "doctor", "--fix").code == 0
    text = bench.layout.window.read_text()
    assert text.count("\n## Session ") == 2 and MINE in text


def test_entries_that_were_written_elsewhere_leave_no_trace(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    sessions(recall, bench, range(1, 4))
    lines = next(path for path in environment.state.rglob("lines.json"))
    lines.unlink()
    # Another machine writes the newest entry: this one remembers only what itself wrote.
    sessions(recall, bench, range(4, 5))
    known = json.loads(lines.read_text())
    lines.write_text(json.dumps({name: kept[-3:] for name, kept in known.items()}))
    sessions(recall, bench, range(5, 10))
    text = bench.layout.window.read_text()
    assert text.startswith("## Session ") and text.count("## Session ") == 5


def forget_state(environment: Environment) -> None:
    """Let the next command start as on a machine that remembers nothing of the memory."""
    shutil.rmtree(environment.state)


@pytest.mark.long
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ENTRIES)
def test_words_outlive_an_entry_that_another_machine_pushes_out(
    recall: Recall, environment: Environment, name: str, change: Callable[[list[str], int], None]
) -> None:
    bench = bench_at(environment, name)
    sessions(recall, bench, range(1, 4))
    changed(bench.layout.window, change, 1)
    forget_state(environment)
    sessions(recall, bench, range(4, 10))
    text = bench.layout.window.read_text(encoding="utf-8")
    assert text.count(MINE) == (3 if change is all_three else 1)
    assert text.count("\n## Session ") + text.startswith("## Session ") == 5


@pytest.mark.long
@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_of_ours_leaves_nothing_behind_on_another_machine(
    recall: Recall, environment: Environment, name: str
) -> None:
    bench = bench_at(environment, name)
    sessions(recall, bench, range(1, 4))
    forget_state(environment)
    sessions(recall, bench, range(4, 10))
    text = bench.layout.window.read_text(encoding="utf-8")
    assert text.startswith("## Session ") and text.count("## Session ") == 5


@pytest.mark.parametrize("change", [heading, facts, summary])
@pytest.mark.parametrize("name", ENTRIES)
def test_words_stay_in_an_entry_that_grows_on_another_machine(
    recall: Recall, environment: Environment, name: str, change: Callable[[list[str], int], None]
) -> None:
    bench = bench_at(environment, name)
    grown(recall, bench, 2)
    changed(bench.layout.window, change, 0)
    forget_state(environment)
    grown(recall, bench, 4)
    text = bench.layout.window.read_text(encoding="utf-8")
    assert text.count(MINE) == text.count("## Session ") == 1
    assert change is facts or "**Messages**: 4 " in text


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_of_ours_grows_on_another_machine(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    grown(recall, bench, 2)
    forget_state(environment)
    grown(recall, bench, 4)
    text = bench.layout.window.read_text(encoding="utf-8")
    assert len(text.strip().split("\n")) == 3
    assert "**Messages**: 4 " in text and "Valkey" in text and "Redis" not in text


@pytest.mark.long
@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_without_an_archive_keeps_its_summary(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    bench.layout.window.write_text(
        "## Session elsewhere — 2026-01-01 10:00:00 UTC\n"
        "**Duration**: ~5m | **Messages**: 9 | **Archive**: conversation-077.md\n"
        f"**Summary**: {MINE}\n"
    )
    sessions(recall, bench, range(1, 9))
    text = bench.layout.window.read_text(encoding="utf-8")
    assert text.startswith("### Session elsewhere — ") and text.count(MINE) == 1
    assert text.count("\n## Session ") == 5


def grown(recall: Recall, bench: Workbench, messages: int) -> None:
    """Archive a session of so many messages."""
    said = [
        ("user", "Which cache shall the gateway use?"),
        ("assistant", "We decided to use Redis."),
        ("user", "And when Redis is not there?"),
        ("assistant", "We decided to use Valkey instead."),
    ]
    path = transcript(bench.store.environment, 1, said[:messages])
    assert recall(f"--root={bench.store.root}", "archive", path).code == 0


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_lends_its_words_to_no_other_session(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    for number, said in enumerate(("Auth tokens must rotate", "The gangway needs paint on the left"), 1):
        talk = [("user", said), ("assistant", "Done.")]
        path = transcript(environment, number, talk, start=NOON - timedelta(days=9 - number), cwd=str(bench.store.root))
        assert recall(root, "archive", str(path)).code == 0
    assert "Auth tokens" in bench.layout.window.read_text()
    hits = recall(root, "search", "auth", "--json").json["hits"]
    assert hits and all(hit["why"]["words"] for hit in hits)
    assert session_id_of(2) not in [hit["session_id"] for hit in hits]
