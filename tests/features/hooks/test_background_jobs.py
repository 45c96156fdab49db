"""What waits for a model is done once, later, and never lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.domain.hook import BACKGROUND_VALUE, GUARD_VARIABLE, HookEvent
from recall_tui.environment import Environment
from recall_tui.features.hooks import background_jobs
from recall_tui.features.hooks.background_jobs import MAX_JOBS, MAX_TRIES
from recall_tui.llm.usage_ledger import UsageLedger
from recall_tui.storage import trust
from recall_tui.storage.files import trusted_clock
from recall_tui.storage.state import job_queue, proposals
from recall_tui.storage.state.job_queue import Job
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript
from tests.models import FakeModel, store_with
from tests.summaries import summary

CHECKOUT = Path(__file__).resolve().parents[3]
CAUSE = "The root cause was a second tab that refreshed the same token at once."
TALK = [("user", "Why do logins fail at random?"), ("assistant", CAUSE)]
SAID = "A second tab refreshed the same token at once."


def at(
    bench: Workbench, model: FakeModel | None = None, *, after: timedelta = timedelta(), **settings: str
) -> Workbench:
    """The memory so much later, with a model."""
    store = store_with(model, bench.store, **settings) if model else bench.store
    return Workbench(store._replace(now=lambda: NOON + after), "")


def ended(bench: Workbench, number: int = 1) -> Path:
    """A session that ended and was captured by its hook."""
    path = transcript(bench.store.environment, number, TALK)
    bench.hooks.react(HookEvent("end", "claude", session_id_of(number), path))
    return path


def lessons_of(bench: Workbench) -> str:
    """All that was learned."""
    return "".join(path.read_text() for path in sorted(bench.layout.days.glob("*.md")))


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    """A memory that keeps lessons by itself."""
    return bench_at(environment, "claude-project")


def test_an_archive_is_told_by_the_model_after_its_session_ended(environment: Environment, tmp_path: Path) -> None:
    answer = {"title": "Token race", "summary": "A second tab refreshed the same token.", "topics": ["auth"]}
    model = FakeModel(tmp_path / "model", answer)
    entity = at(bench_at(environment), model)
    ended(entity)
    assert model.asked == [] and [job.kind for job in job_queue.list_all(entity.store.state)] == ["retell"]
    entity.hooks.catch_up()
    assert len(model.asked) == 1 and job_queue.list_all(entity.store.state) == ()
    assert "A second tab refreshed the same token." in entity.archive.get(1).path.read_text()
    entity.hooks.catch_up()
    assert len(model.asked) == 1


def test_without_a_model_nothing_waits_for_one(environment: Environment) -> None:
    entity = bench_at(environment)
    ended(entity)
    assert job_queue.list_all(entity.store.state) == ()


def test_a_session_that_ends_leaves_a_job_that_the_next_catch_up_does(bench: Workbench, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", {"lessons": [SAID]})
    ended(at(bench, model))
    assert model.asked == [] and lessons_of(bench) == "", "a hook asks no model"
    (job,) = job_queue.list_all(bench.store.state)
    assert (job.kind, job.session_id, job.tries) == ("lessons", session_id_of(1), 0)
    done = at(bench, model).hooks.catch_up()
    assert [one.did for one in done.deferred] == ["done"] and f"- {SAID}" in lessons_of(bench)
    assert job_queue.list_all(bench.store.state) == () and len(model.asked) == 1
    assert bench.search("second tabs refresh", sync=False).total, "and it can be found"
    assert at(bench, model).hooks.catch_up().deferred == () and len(model.asked) == 1
    assert bench.journal.entries()[0].by == "schedule"


def test_without_a_model_the_lessons_are_in_the_sessions_own_words(bench: Workbench) -> None:
    ended(bench)
    assert [one.did for one in bench.hooks.catch_up().deferred] == ["done"]
    assert f"- {CAUSE}" in lessons_of(bench) and UsageLedger(bench.store.state).calls() == ()


@pytest.mark.parametrize("layout", ["entity", "user", "hierarchical", "project"])
def test_other_layouts_leave_no_job(environment: Environment, layout: str) -> None:
    bench = bench_at(environment, layout)
    ended(bench)
    assert job_queue.list_all(bench.store.state) == ()


@pytest.mark.long
def test_a_model_that_fails_is_asked_again_later_and_then_done_without(bench: Workbench, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", "no json")
    ended(at(bench, model))
    for tries in range(1, MAX_TRIES):
        later = timedelta(days=tries)
        assert [one.did for one in at(bench, model, after=later).hooks.catch_up().deferred] == ["failed"]
        assert at(bench, model, after=later).hooks.catch_up().deferred == (), "not at once"
        assert lessons_of(bench) == ""
    last = at(bench, model, after=timedelta(days=MAX_TRIES)).hooks.catch_up()
    assert [one.did for one in last.deferred] == ["done"] and CAUSE in lessons_of(bench)
    assert job_queue.list_all(bench.store.state) == ()


def test_one_catch_up_does_a_few_jobs_and_the_next_goes_on(bench: Workbench, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", {"lessons": [SAID]})
    for number in range(1, MAX_JOBS + 2):
        ended(at(bench, model), number)
    assert len(at(bench, model).hooks.catch_up().deferred) == MAX_JOBS == len(model.asked)
    assert len(at(bench, model).hooks.catch_up().deferred) == 1
    assert lessons_of(bench).count("## Session") == MAX_JOBS + 1


def test_the_limit_of_a_day_is_kept_and_nothing_is_lost(bench: Workbench, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", {"lessons": [SAID]})
    for number in (1, 2):
        ended(at(bench, model), number)
    done = at(bench, model, RECALL_LLM_CALLS_PER_DAY="1").hooks.catch_up().deferred
    assert [one.did for one in done] == ["done", "failed"] and "1 calls were made today" in done[1].why
    next_day = at(bench, model, after=timedelta(days=1), RECALL_LLM_CALLS_PER_DAY="1").hooks.catch_up().deferred
    assert [one.did for one in next_day] == ["done"] and len(model.asked) == 2


def test_what_waited_a_week_or_is_of_no_known_kind_is_dropped(bench: Workbench) -> None:
    ended(bench)
    job_queue.save(bench.store.state, Job("juggle", "s1", None, NOON.timestamp()))
    (bench.store.state / job_queue.JOBS_FOLDER / "broken.json").write_bytes(b"{")
    for day in range(8):
        trusted_clock.note_day(bench.store.state, NOON + timedelta(days=day))
    done = at(bench, after=timedelta(days=8)).hooks.catch_up().deferred
    assert sorted((one.job.kind, one.did) for one in done) == [("juggle", "dropped"), ("lessons", "dropped")]
    assert job_queue.list_all(bench.store.state) == () and lessons_of(bench) == ""


def test_work_that_is_stopped_waits_as_it_did(bench: Workbench, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", {"lessons": [SAID]})
    ended(at(bench, model))
    with_model = at(bench, model)
    asked = iter([False])
    done = background_jobs.run_due_jobs(with_model.store, lambda: next(asked, True))
    assert [one.did for one in done] == ["stopped"]
    (job,) = job_queue.list_all(bench.store.state)
    assert job.tries == 0 and job.not_before == 0


def test_a_session_that_was_forgotten_leaves_no_job(bench: Workbench) -> None:
    ended(bench)
    bench.eraser.forget(session_id_of(1))
    assert job_queue.list_all(bench.store.state) == ()


@pytest.mark.long
def test_a_process_that_is_killed_leaves_its_job_which_is_done_once_more(bench: Workbench, tmp_path: Path) -> None:
    ended(bench)
    slow = tmp_path / "slow.sh"
    slow.write_text(f"echo $$ > '{tmp_path / 'asked'}'; exec sleep 600\n")
    env = {
        **os.environ, **bench.store.environment.env, "PYTHONPATH": str(CHECKOUT), GUARD_VARIABLE: BACKGROUND_VALUE,
        "RECALL_LLM_PROVIDER": "command", "RECALL_LLM_COMMAND": f"sh '{slow}'",
    }  # fmt: skip
    # The session ended on the sample's day; the process lives today.
    job_queue.save(bench.store.state, job_queue.list_all(bench.store.state)[0]._replace(put_at=time.time()))
    line = [
        sys.executable,
        "-m",
        "recall_tui",
        "--root",
        str(bench.store.root),
        "--layout",
        "claude-project",
        "catch-up",
    ]
    process = subprocess.Popen(line, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        while not (tmp_path / "asked").exists() or not (tmp_path / "asked").read_text().strip():
            assert process.poll() is None
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    os.kill(int((tmp_path / "asked").read_text()), signal.SIGKILL)
    (job,) = job_queue.list_all(bench.store.state)
    assert job.tries == 1 and lessons_of(bench) == ""
    (call,) = UsageLedger(bench.store.state).calls()
    assert call.outcome == "running", "it counts as made"
    job_queue.save(bench.store.state, job._replace(put_at=NOON.timestamp(), not_before=0))
    model = FakeModel(tmp_path / "model", {"lessons": [SAID]})
    for _ in range(2):
        at(bench, model).hooks.catch_up()
    assert lessons_of(bench).count(SAID) == 1 and job_queue.list_all(bench.store.state) == ()


def test_text_that_was_written_before_the_kill_is_not_written_again(bench: Workbench, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", {"lessons": [SAID]})
    ended(at(bench, model))
    (job,) = job_queue.list_all(bench.store.state)
    at(bench, model).hooks.catch_up()
    job_queue.save(bench.store.state, job)
    assert [one.did for one in at(bench, model).hooks.catch_up().deferred] == ["done"]
    assert lessons_of(bench).count(SAID) == 1 and len(model.asked) == 1


@pytest.mark.long
def test_only_the_process_that_catches_up_may_ask_of_all_that_we_start(bench: Workbench, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", {"lessons": [SAID]})
    ended(bench)
    at(bench, model, **{GUARD_VARIABLE: "1"}).hooks.catch_up()
    assert model.asked == [] and CAUSE in lessons_of(bench)
    ended(bench, 2)
    at(bench, model, **{GUARD_VARIABLE: BACKGROUND_VALUE}).hooks.catch_up()
    assert len(model.asked) == 1


def test_a_synthesis_is_proposed_when_enough_summaries_wait_though_hooks_capture_nothing(
    environment: Environment, tmp_path: Path
) -> None:
    project = at(bench_at(environment, "project"), None)
    project.layout.config.write_text('layout = "project"\n[synthesize]\nafter = 2\n')
    trust.confirm(project.store)
    summary(project.store, 1, "Decision: Use Redis for the cache")
    assert project.hooks.catch_up().deferred == () and proposals.list_open(project.store) == ()
    summary(project.store, 2, "Decision: Log in JSON")
    assert project.hooks.react(HookEvent("end", "claude", session_id_of(2), None)).wants_catch_up
    assert [(one.job.kind, one.did) for one in project.hooks.catch_up().deferred] == [("synthesis", "done")]
    (found,) = proposals.list_open(project.store)
    assert "2 new summaries" in found.title and not project.layout.master.exists()
    assert project.hooks.catch_up().deferred == (), "the same is not proposed twice"
