"""Retained transcripts go when `keep.days` is over, and never what would be missed."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.storage.archives import retained as kept
from recall_tui.storage.layout import LocatedMemory, make_layout
from recall_tui.storage.trust import confirm
from recall_tui.workbench import Workbench
from tests.makers import Turn, session_id_of, transcript

TALK: list[Turn] = [("user", "why do the tokens expire?"), ("assistant", "Because a stolen one must not last.")]
MORE: list[Turn] = [*TALK, ("user", "and then?"), ("assistant", "They are renewed.")]


def opened(environment: Environment, root: Path, layout: LayoutName = "entity", days: int | None = None) -> Workbench:
    """A memory with the clock of the machine, since times of files are compared with it."""
    found = LocatedMemory(make_layout(root, layout), "made")
    if not root.is_dir() or not found.layout.base.is_dir():
        Workbench.at(found, environment, _now).initialise()
    if days is not None:
        found.layout.config.write_text(f'layout = "{layout}"\n[keep]\ndays = {days}\n', encoding="utf-8")
    bench = Workbench.at(found, environment, _now)
    confirm(bench.store)
    return bench


def _now() -> datetime:
    return datetime.now(UTC)


def aged(path: Path, days: float) -> Path:
    moment = time.time() - days * 86_400
    os.utime(path, (moment, moment))
    return path


def retained(bench: Workbench, number: int, days: float, turns: list[Turn] = TALK) -> Path:
    """A transcript of which a copy was made so many days ago."""
    path = aged(transcript(bench.store.environment, number, turns), 29)
    bench.hooks.catch_up()
    return aged(kept.list_copies(bench.store.environment.kept, path.stem)[-1], days)


def held(environment: Environment) -> set[str]:
    """The sessions of which copies are left."""
    return {path.parent.name for path in kept.list_all(environment.kept)}


def test_nothing_goes_without_the_setting(environment: Environment) -> None:
    bench = opened(environment, environment.cwd / "agent")
    copy = retained(bench, 1, 5_000)
    path = transcript(environment, 1, TALK)
    bench.capture(path)
    path.unlink()
    done = bench.hooks.catch_up()
    assert done.pruned == 0 and done.failed == () and copy.is_file()


@pytest.mark.long
def test_copies_go_when_their_days_are_over_and_the_agent_has_deleted_its_own(environment: Environment) -> None:
    bench = opened(environment, environment.cwd / "agent", days=30)
    for number, days in ((1, 31), (2, 29), (3, 31)):
        retained(bench, number, days)
    for number in (1, 2, 3):
        bench.capture(transcript(environment, number, TALK))
    assert bench.hooks.catch_up().pruned == 0, "the agent has them still"
    for number in (1, 2):
        transcript(environment, number, TALK).unlink()
    done = bench.hooks.catch_up()
    assert (done.pruned, done.failed) == (1, ()) and held(environment) == {session_id_of(2), session_id_of(3)}
    assert bench.hooks.catch_up().pruned == 0 and bench.check() == ()
    assert {hit.session_id for hit in bench.search("why do the tokens expire").hits} >= {session_id_of(1)}
    (entry,) = [one for one in bench.journal.entries() if "retained" in one.title]
    assert entry.by == "schedule" and "keep.days" in entry.no_way_back
    assert bench.health(with_index=False).facts["retained"] | {"bytes": 0} == {"copies": 2, "bytes": 0, "days": 30}


@pytest.mark.long
def test_a_copy_without_an_archive_and_one_that_grew_lately_stay(environment: Environment) -> None:
    bench = opened(environment, environment.cwd / "agent", days=30)
    retained(bench, 1, 100)
    transcript(environment, 1, TALK).unlink()
    retained(bench, 2, 100)
    retained(bench, 2, 2, MORE)
    bench.capture(transcript(environment, 2, MORE))
    transcript(environment, 2, MORE).unlink()
    retained(bench, 3, 100)
    bench.capture(transcript(environment, 3, TALK), source="checkpoint")
    transcript(environment, 3, TALK).unlink()
    assert bench.hooks.catch_up().pruned == 0 and len(kept.list_all(environment.kept)) == 4


def test_a_memory_that_has_nothing_else_of_its_sessions_keeps_them_until_its_own_days_are_over(
    environment: Environment,
) -> None:
    project = environment.claude / "projects" / "-home-u-api"
    own = opened(environment, project, "claude-project")
    path = transcript(environment, 1, TALK)
    own.capture(path)
    (copy,) = kept.list_copies(environment.kept, path.stem)
    aged(copy, 400)
    other = opened(environment, environment.cwd / "agent", days=30)
    other.capture(path)
    path.unlink()
    assert other.hooks.catch_up().pruned == 0 and copy.is_file(), "it is all that the project's memory has"
    assert opened(environment, project, "claude-project", days=500).hooks.catch_up().pruned == 0
    mine = opened(environment, project, "claude-project", days=300)
    assert mine.hooks.catch_up().pruned == 1 and not copy.parent.exists()
    assert [row.session_id for row in mine.rows] == [session_id_of(1)] and mine.check() == ()


def test_numbered_logs_of_stretches_stand_for_a_session_too(environment: Environment) -> None:
    bench = opened(environment, environment.claude, "user", days=1)
    retained(bench, 1, 3)
    path = transcript(environment, 1, TALK)
    bench.capture(path)
    path.unlink()
    assert bench.hooks.catch_up().pruned == 1 and held(environment) == set()
