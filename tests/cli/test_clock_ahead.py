"""A computer whose clock was wrong for some commands, in processes of their own: nothing is lost, and it is said."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from recall_tui.domain import Append, LayoutName, Plan
from recall_tui.environment import Environment
from recall_tui.memory import bound
from recall_tui.storage.archives import retained
from recall_tui.storage.layout import LocatedMemory, make_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import job_queue, live_sessions
from recall_tui.storage.state.job_queue import Job
from recall_tui.storage.state.live_sessions import LiveSession
from recall_tui.storage.trust import confirm
from recall_tui.workbench import Workbench
from tests.makers import session_id_of, transcript
from tests.processes import Machine

DAY = timedelta(days=1)
TALK = [("user", "Why JWT?"), ("assistant", "Because the API is stateless.")]


@pytest.fixture
def at(environment: Environment) -> Callable[[datetime], Machine]:
    """The machine at a time of its clock."""
    machine = Machine(environment, environment.cwd)
    return lambda now: replace(machine, now=now)


def opened(environment: Environment, now: datetime, layout: LayoutName = "entity") -> Workbench:
    bench = Workbench.at(LocatedMemory(make_layout(environment.cwd, layout), "made"), environment, lambda: now)
    bench.initialise()
    return bench


@pytest.mark.long
def test_changes_and_the_newest_backup_outlive_a_clock_that_was_ahead(
    environment: Environment, at: Callable[[datetime], Machine], now: Callable[[], datetime]
) -> None:
    today, ahead = now(), now().replace(year=2036)
    opened(environment, today - 3 * DAY)
    people = environment.cwd / "memory" / "people.md"
    people.write_text("# People\n")
    assert at(today - 3 * DAY).run("remember", "before").code == 0
    bench = opened(environment, ahead)
    for number in range(16):
        bench.store.commit(bound(grown, number), by="hook")
    assert at(ahead).run("remember", "ahead").code == 0
    people.write_text("# People\n- of yesterday\n")
    assert at(today).run("remember", "today").code == 0
    listed = at(today + DAY).run("undo", "--list").out.decode()
    assert "before" in listed and "(its clock said 2036-03-06)" in listed
    people.unlink()
    assert at(today + DAY).run("doctor", "--restore", "newest", "memory/people.md", "--yes").code == 0
    assert people.read_text() == "# People\n- of yesterday\n"
    said = at(today + DAY).run("doctor")
    assert "1 backup (2036-03-06) dated in the future" in said.out.decode()
    assert "17 changes (2036-03-06)" in said.out.decode()
    days = at(today + DAY).run("doctor", "--restore").out.decode().splitlines()
    assert [line.split()[0] for line in days[1:4]] == ["2026-03-07", "2026-03-06", "2036-03-06"]
    assert days[3].endswith("the clock was ahead")


def grown(store: Store, number: int) -> Plan:
    return Plan(f"ahead {number}", (Append(store.layout.memory_file, f"- ahead {number}\n"),))


def test_copies_marks_and_jobs_stay_while_the_clock_is_ahead_and_go_in_the_end(
    environment: Environment, now: Callable[[], datetime]
) -> None:
    today, ahead = now(), now().replace(year=2036)
    bench = opened(environment, today)
    bench.layout.config.write_text('layout = "entity"\n[keep]\ndays = 30\n')
    confirm(bench.store)
    path = transcript(environment, 1, TALK)
    bench.capture(path)
    copy = retained.session_folder(environment.kept, session_id_of(1)) / "1.jsonl.zst"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(b"")
    path.unlink()
    live_sessions.save(bench.store.state, LiveSession("waiting", "live", pid=os.getpid(), transcript=None))
    mark = next((bench.store.state / live_sessions.SESSIONS_FOLDER).iterdir())
    job_queue.save(bench.store.state, Job("lessons", "s1", None, today.timestamp()))
    for file in (copy, mark):
        os.utime(file, (today.timestamp(), today.timestamp()))
    done = opened_as_it_is(environment, ahead).hooks.catch_up()
    assert done.pruned == 0 and copy.exists()
    assert [one.did for one in done.deferred] == ["done"]
    assert live_sessions.find_session(bench.store.state, "waiting") is not None or "waiting" in {
        m.session_id for m, _ in done.decisions
    }
    pruned = [
        opened_as_it_is(environment, today + DAY * number).hooks.catch_up().pruned for number in (1, 10, 20, 29, 31)
    ]
    assert pruned == [0, 0, 0, 0, 0]
    pruned = [opened_as_it_is(environment, today + DAY * number).hooks.catch_up().pruned for number in range(32, 40)]
    assert sum(pruned) == 1 and not copy.exists()


def opened_as_it_is(environment: Environment, now: datetime) -> Workbench:
    return Workbench.at(LocatedMemory(make_layout(environment.cwd, "entity"), "made"), environment, lambda: now)


def test_an_archive_that_was_written_in_the_future_is_still_brought_up_to_date(
    environment: Environment, now: Callable[[], datetime]
) -> None:
    bench = opened(environment, now())
    path = transcript(environment, 1, TALK)
    os.utime(path, (now().timestamp() - 86_400, now().timestamp() - 86_400))
    bench.capture(path)
    (archive,) = (environment.cwd / "memory" / "conversations").glob("*.md")
    ahead = now().replace(year=2036).timestamp()
    os.utime(archive, (ahead, ahead))
    assert list(bench.unarchived()) == []
    path = transcript(environment, 1, [*TALK, ("user", "and then?"), ("assistant", "They are renewed.")])
    os.utime(path, (now().timestamp() + 3_600, now().timestamp() + 3_600))
    assert list(bench.unarchived()) == [path]
