"""A build by several processes gives the index that one gives, whoever of them is killed, and leaves none behind."""

from __future__ import annotations

import io
import os
import pickle
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from recall_tui.index.ingest import parallel, refresh, session_worker
from recall_tui.index.ingest.transcript_files import SessionTask, list_sessions
from recall_tui.index.opener import Index
from recall_tui.index.text import commit_batch
from recall_tui.index.text.batching import BATCH_PASSAGES
from tests.index.contents import SMALL_COMMITS, all_of_it, counted_alone, opened, places_at, scores_in, state_of
from tests.processes import Machine, ended, killing
from tests.qa.bench import corpus

PARALLEL = """
from recall_tui.index.ingest import parallel, refresh, session_worker
refresh.PARALLEL_BYTES = 0
parallel.worker_count = lambda: 2
parallel.MAX_OWN_BYTES = 0
"""
"""Statements that let a process have a small history read by two others."""
PATIENCE_SECONDS = 60.0
LONG_PASSAGES = 2 * BATCH_PASSAGES


@pytest.fixture
def in_parallel(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Has so many processes read even a small history, and tell of it bit by bit."""

    def use(workers: int) -> None:
        monkeypatch.setattr(refresh, "PARALLEL_BYTES", 0)
        monkeypatch.setattr(parallel, "worker_count", lambda: workers)
        monkeypatch.setattr(parallel, "MAX_OWN_BYTES", 0)

    return use


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_any_number_of_processes_gives_the_index_of_one(
    history: Machine, machine: Machine, in_parallel: Callable[[int], None], workers: int
) -> None:
    index, store = opened(machine)
    in_parallel(workers)
    told: list[tuple[int, int]] = []
    done = refresh.refresh(index, store, lambda done, to_do: told.append((done, to_do)))
    assert all_of_it(machine) == all_of_it(history)
    assert (done.added, done.bytes_done) == (13, done.bytes_to_do)
    assert told == sorted(told), "it goes forward only"
    assert refresh.rebuild(index, store).is_anew
    assert all_of_it(machine) == all_of_it(history)
    counted_alone(machine)


def test_what_grew_is_written_from_where_it_grew(
    tmp_path: Path, in_parallel: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.write(tmp_path / "home", 3 * LONG_PASSAGES, 2, 1, corpus.made_up_language(1), lambda _: None)
    (tmp_path / "agent" / "memory").mkdir(parents=True)
    machines = [Machine(places_at(tmp_path, tmp_path / name), tmp_path / "agent") for name in ("one", "two")]
    files = sorted((tmp_path / "home").rglob("*.jsonl"))
    texts = [file.read_text().splitlines(keepends=True) for file in files]
    for file, lines in zip(files, texts, strict=True):
        file.write_text("".join(lines[: len(lines) * 3 // 4]))
    alone, store = opened(machines[0])
    beside, other = opened(machines[1])
    refresh.refresh(alone, store)
    refresh.refresh(beside, other)
    for file, lines in zip(files, texts, strict=True):
        file.write_text("".join(lines))
    once = refresh.refresh(alone, store)
    in_parallel(2)
    monkeypatch.setattr(commit_batch, "COMMIT_CHARS", 10_000)
    grown = refresh.refresh(beside, other)
    assert (grown.changed, grown.passages) == (2, once.passages) and once.passages < 3 * LONG_PASSAGES
    assert (state_of(beside, other), scores_in(beside)) == (state_of(alone, store), scores_in(alone))


def test_a_session_whose_process_dies_on_the_way_is_read_here(
    history: Machine, machine: Machine, in_parallel: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    index, store = opened(machine)
    in_parallel(2)
    receive, heard = parallel.receive, []

    def cut_off(stream: io.BufferedReader) -> bytes:
        heard.append(1)
        if len(heard) in (3, 5):
            raise EOFError
        return receive(stream)

    monkeypatch.setattr(parallel, "receive", cut_off)
    refresh.refresh(index, store)
    assert len(heard) >= 5
    assert all_of_it(machine) == all_of_it(history)


def test_where_no_process_can_be_started_this_one_reads_all(
    history: Machine, machine: Machine, in_parallel: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    index, store = opened(machine)
    in_parallel(2)
    monkeypatch.setattr(parallel.sys, "executable", "/nowhere/python")
    refresh.refresh(index, store)
    assert all_of_it(machine) == all_of_it(history)


def test_a_transcript_that_cannot_be_read_is_said_of_and_the_others_are_read(
    tmp_path: Path, in_parallel: Callable[[int], None]
) -> None:
    corpus.write(tmp_path / "home", 60, 3, 1, corpus.made_up_language(1), lambda _: None)
    (tmp_path / "agent" / "memory").mkdir(parents=True)
    machine = Machine(places_at(tmp_path, tmp_path / "state"), tmp_path / "agent")
    broken = min((tmp_path / "home").rglob("*.jsonl"))
    broken.unlink()
    broken.mkdir()
    index, store = opened(machine)
    in_parallel(2)
    done = refresh.refresh(index, store)
    assert (done.added, done.failed) == (3, 1)
    assert [Path(one.path).name for one in index.failures(store)] == [broken.name]


def test_on_one_core_and_for_a_small_history_nobody_else_is_started(
    store: object, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel.os, "sched_getaffinity", lambda _: {0}, raising=False)
    assert parallel.worker_count() == 0
    monkeypatch.setattr(parallel.os, "sched_getaffinity", lambda _: set(range(64)), raising=False)
    assert parallel.worker_count() == parallel.MAX_WORKERS
    assert refresh.PARALLEL_BYTES >= 20_000_000


def test_a_process_ends_with_its_tasks_and_answers_each(history: Machine) -> None:
    _, store = opened(history)
    sessions = list(list_sessions(store))[:2]
    tasks = io.BytesIO()
    for session in sessions:
        session_worker.send(tasks, pickle.dumps(SessionTask(session, {}, store.environment.state, "now")))
    tasks.write(b"\1\0")
    answers = io.BytesIO()
    session_worker.serve(io.BytesIO(tasks.getvalue()), answers)
    answers.seek(0)
    for session in sessions:
        message = session_worker.unpack(session_worker.receive(answers))
        assert message.is_end and message.reading.record.key == session.key and not message.reading.reason
        assert message.changes
    with pytest.raises(EOFError):
        session_worker.receive(answers)


def _children(process: subprocess.Popen[bytes]) -> list[int]:
    """The processes that the process started."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                stat = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(stat[1]) == process.pid:
                found.append(int(folder.name))
    return found


def _is_alive(process: int) -> bool:
    try:
        return (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _started(machine: Machine) -> tuple[subprocess.Popen[bytes], list[int]]:
    """A sync that waits for two processes which wait themselves, and those."""
    process = machine.start("sync", before=SMALL_COMMITS + PARALLEL)
    until = time.monotonic() + PATIENCE_SECONDS
    children: list[int] = []
    while len(children) < 2 and time.monotonic() < until and process.poll() is None:
        time.sleep(0.005)
        children = _children(process)
    assert len(children) == 2
    return process, children


def _gone(processes: list[int]) -> bool:
    until = time.monotonic() + PATIENCE_SECONDS
    while any(map(_is_alive, processes)) and time.monotonic() < until:
        time.sleep(0.01)
    return not any(map(_is_alive, processes))


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")


@needs_proc
@pytest.mark.long
@pytest.mark.parametrize("delay", [0.0, 0.3, 0.6])
def test_killed_processes_lose_nothing(history: Machine, machine: Machine, delay: float) -> None:
    process, children = _started(machine)
    time.sleep(delay)
    for child in children if delay else children[:1]:
        # One that has read everything by then ended by itself.
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    assert ended(process).code == 0
    assert all_of_it(machine) == all_of_it(history)
    counted_alone(machine)


@pytest.mark.long
@pytest.mark.parametrize(
    ("target", "call", "when"),
    [
        ("writer.PassageWriter.commit", 1, "after"),
        ("ledger.PendingCommit.record", 3, "before"),
        ("ledger.PendingCommit.record", 3, "after"),
    ],
)
def test_a_build_that_is_killed_between_its_commits_is_completed_by_the_next_sync(
    history: Machine, machine: Machine, target: str, call: int, when: str
) -> None:
    before = SMALL_COMMITS + PARALLEL + killing("from recall_tui.index.text import writer", target, call, when)
    assert machine.run("sync", before=before).code == -signal.SIGKILL
    assert machine.run("search", "--no-sync", "test").code in (0, 1)
    assert machine.run("sync", before=SMALL_COMMITS + PARALLEL).code == 0
    assert all_of_it(machine) == all_of_it(history)
    counted_alone(machine)


@needs_proc
@pytest.mark.long
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("delay", [0.0, 0.5])
def test_nobody_is_left_when_the_process_that_writes_ends_and_the_next_sync_goes_on(
    history: Machine, machine: Machine, how: signal.Signals, delay: float
) -> None:
    process, children = _started(machine)
    time.sleep(delay)
    process.send_signal(how)
    ended(process)
    assert _gone(children)
    assert machine.run("sync").code == 0
    assert all_of_it(machine) == all_of_it(history)
    counted_alone(machine)
