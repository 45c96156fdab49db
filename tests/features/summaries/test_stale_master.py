"""A session that starts is told its id, and how many summaries are newer than the master; so is who recalls it."""

from __future__ import annotations

import os

import pytest

from recall_tui.environment import Environment
from recall_tui.features.summaries.stale_master import count_new_summaries, stale_notice
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.workbench import Workbench
from tests.hooks import called, said
from tests.makers import bench_at, session_id_of
from tests.processes import Machine

ONE = session_id_of(1)
TOLD = "2 new conversation summaries since the last synthesis; the master may be outdated."


def written(bench: Workbench, name: str, seconds: int) -> None:
    """A summary that somebody wrote at a second."""
    assert bench.layout.summaries is not None
    path = bench.layout.summaries / name
    path.write_text("# A\n\n## Context\n\nb\n\n## Tracking Points\n\n- Decision: c\n")
    os.utime(path, (seconds, seconds))


@pytest.mark.long
@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "fork"])
def test_the_id_is_told_at_every_kind_of_start_before_anything_was_summarised(
    environment: Environment, source: str
) -> None:
    machine = Machine(environment, bench_at(environment, "project").store.root)
    answer = called(machine, said("SessionStart", ONE, cwd=str(environment.cwd), source=source))
    assert answer.is_sound() and f"The id of this session is {ONE}." in answer.context
    assert "systemMessage" not in answer.json and "synthesis" not in answer.context


@pytest.mark.long
def test_new_summaries_are_told_to_the_model_and_where_it_is_wished_to_the_person(environment: Environment) -> None:
    bench = bench_at(environment, "project")
    machine = Machine(environment, bench.store.root)
    for number in (1, 2):
        written(bench, f"{session_id_of(number)}.md", 2_000)
    start = said("SessionStart", session_id_of(9), cwd=str(environment.cwd), source="startup")
    answer = called(machine, start)
    assert answer.is_sound() and session_id_of(9) in answer.context and TOLD in answer.context
    assert "systemMessage" not in answer.json
    bench.layout.config.write_text("[inject]\nnotice = true\n", encoding="utf-8")
    answer = called(machine, start)
    assert answer.json["systemMessage"].startswith(f"recall-tui: {TOLD}") and "/synthesize" in answer.context


def test_only_what_is_newer_than_the_master_counts(environment: Environment) -> None:
    bench = bench_at(environment, "project")
    for number in (1, 2, 3):
        written(bench, f"{session_id_of(number)}.md", 1_000 * number)
    assert count_new_summaries(bench.store) == 3
    bench.layout.master.write_text(
        "# Project Memory\n\n## Current Status\n\n- Shipped.\n\n---\n\n*Last synthesized: 2026-01-01*\n"
    )
    os.utime(bench.layout.master, (2_000, 2_000))
    assert count_new_summaries(bench.store) == 1
    assert stale_notice(bench.store).startswith("1 new conversation summary since")
    os.utime(bench.layout.master, (3_000, 3_000))
    assert (count_new_summaries(bench.store), stale_notice(bench.store)) == (0, "")


@pytest.mark.parametrize("name", [name for name in LAYOUT_NAMES if name != "project"])
def test_a_memory_without_summaries_of_its_own_is_never_behind(environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    bench.layout.base.joinpath("conversations").mkdir(exist_ok=True)
    bench.layout.base.joinpath("conversations", "x.md").write_text("x")
    assert stale_notice(bench.store) == ""
