"""Commands that do the same are one command in the help; the other names keep working."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from recall_tui.cli.command_table import COMMANDS, DAILY
from recall_tui.environment import Environment
from tests.conftest import NOON
from tests.makers import bench_at, transcript

Recall = Callable[..., Any]
TALK = [("user", "Fix the token refresh race"), ("assistant", "We use a lock around the refresh now.")]


def test_no_other_name_is_in_the_daily_help() -> None:
    daily = {name for names in DAILY.values() for name in names}
    assert not {name for name, row in COMMANDS.items() if row.same_as} & daily


def test_help_all_lists_other_names_apart(recall: Recall) -> None:
    said = recall("help", "--all").out
    head, _, others = said.partition("Other names:")
    assert "read       the same as show" in others and "\n  read " not in head


def test_show_prints_what_read_does(recall: Recall, environment: Environment) -> None:
    bench_at(environment).capture(transcript(environment, 1, TALK, start=NOON - timedelta(days=1)))
    day = f"{NOON - timedelta(days=1):%Y-%m-%d}"
    shown = recall("show", day)
    assert shown.code == 0 and shown.out == recall("read", day).out
    assert recall("show", "no-such-page").code == 1


def test_status_bars_is_the_dashboard(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    assert recall("status", "--bars").out == recall("dashboard").out


def test_sync_does_what_index_and_add_do(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    page = bench.layout.base / "notes.md"
    page.write_text("# Notes\n\nThe gateway retries twice.\n", encoding="utf-8")
    assert "Added" in recall("sync", page).out
    assert recall("sync", "--status").out == recall("index", "status").out
    assert "added" in recall("sync", "--rebuild").out
    assert recall("sync", page, "--rebuild").code == 2
