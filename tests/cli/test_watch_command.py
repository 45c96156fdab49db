"""`watch` as a process of its own: it syncs what changes, and ends with whatever it was started by, leaving nothing."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.files.lock import acquire
from recall_tui.workbench import Workbench
from tests.makers import bench_at
from tests.processes import CHECKOUT, Machine, ended

Recall = Any
PATIENCE = 60.0
"""Seconds after which something that was to happen will not."""


class Watching:
    """A watcher that runs."""

    def __init__(self, machine: Machine, *words: str) -> None:
        self.process = machine.start("watch", "--json", "--debounce", "100", *words)
        self._rest = b""

    def next(self, event: str) -> dict[str, Any]:
        """The next event of that name; others are passed over."""
        assert self.process.stdout is not None
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            line, found, rest = self._rest.partition(b"\n")
            if found:
                self._rest = rest
                told: dict[str, Any] = json.loads(line)
                if told["event"] == event:
                    return told
            elif select.select([self.process.stdout], [], [], 0.2)[0]:
                data = os.read(self.process.stdout.fileno(), 65_536)
                assert data, "it ended too early"
                self._rest += data
        raise AssertionError(f"there was no {event}")

    def children(self) -> list[str]:
        """The processes that it started and that are there still."""
        pid = self.process.pid
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()

    def handles(self) -> int:
        """How many files it has open."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))


@pytest.fixture
def machine(environment: Environment) -> Machine:
    return Machine(environment, bench_at(environment, "hierarchical").store.root)


@pytest.fixture
def bench(machine: Machine) -> Workbench:
    return Workbench.open(machine.root, environment=machine.environment)


@pytest.fixture
def watching(machine: Machine) -> Iterator[Watching]:
    """A watcher that has synced for the first time."""
    one = Watching(machine)
    one.next("synced")
    yield one
    if one.process.poll() is None:
        one.process.kill()
    one.process.communicate()


@pytest.mark.long
def test_what_changes_is_synced_and_found(watching: Watching, bench: Workbench) -> None:
    day = bench.layout.days / "2026-03-06.md"
    day.write_text("The pelican build is done.\n")
    assert watching.next("synced")["added"] == 1
    assert bench.search("pelican", sync=False).hits
    day.unlink()
    assert watching.next("synced")["removed"] == 1
    assert not bench.search("pelican", sync=False).hits


@pytest.mark.long
def test_a_folder_that_comes_to_be_is_watched_too(watching: Watching, bench: Workbench) -> None:
    bench.layout.wiki.mkdir()
    watching.next("synced")
    (bench.layout.wiki / "jwt.md").write_text("---\nname: JWT\ncategory: concept\nsources: [a]\n---\nA numbat.\n")
    assert watching.next("synced")["added"] == 1


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_nothing_is_left(watching: Watching, bench: Workbench, number: signal.Signals) -> None:
    assert watching.children() == []
    watching.process.send_signal(number)
    assert watching.next("ended")["why"]
    done = ended(watching.process)
    assert (done.code, done.err) == (0, "")
    with acquire(bench.store.state / "watch.lock", "test", 0.0):
        pass


@pytest.mark.long
def test_it_ends_when_what_started_it_is_gone(machine: Machine) -> None:
    line = [sys.executable, "-P", "-m", "recall_tui", "--root", str(machine.root), "watch", "--quiet"]
    start = f"import subprocess; p = subprocess.Popen({line!r}); print(p.pid, flush=True); input()"
    parent = subprocess.Popen(
        [sys.executable, "-c", start],
        env=machine.env,
        cwd=machine.environment.cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    bench = Workbench.open(machine.root, environment=machine.environment)
    lock = bench.store.state / "watch.lock"
    until = time.monotonic() + PATIENCE
    while not (lock.is_file() and str(pid) in lock.read_text()) and time.monotonic() < until:
        time.sleep(0.05)
    assert str(pid) in lock.read_text() and is_running(pid)
    parent.kill()
    parent.communicate()
    until = time.monotonic() + PATIENCE
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_running(pid)


def is_running(pid: int) -> bool:
    """Whether the process is there, and more than its exit code."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_nobody_else_watches_the_same_memory(watching: Watching, machine: Machine) -> None:
    done = machine.run("watch")
    assert done.code == 3 and f"process {watching.process.pid}" in done.err and "already" in done.err


@pytest.mark.long
def test_while_it_waits_others_change_the_memory_and_it_holds_no_more_than_before(
    watching: Watching, machine: Machine, bench: Workbench
) -> None:
    counts = []
    for number in range(5):
        assert machine.run("log", f"Entry {number}").code == 0
        assert watching.next("synced")["failed"] == 0
        counts.append(watching.handles())
    assert counts[-1] <= counts[1] and watching.children() == []
    with acquire(bench.store.state / "lock", "test", 0.0):
        pass


@pytest.mark.long
def test_what_is_due_is_proposed_and_dreamt_of(machine: Machine, bench: Workbench) -> None:
    for day in range(9, 14):
        path = bench.layout.days / f"2026-02-{day:02d}.md"
        path.write_text(f"- We decided to use JWT over sessions on day {day}, says Ada Lovelace.\n")
    one = Watching(machine, "--compact", "--dream", "--dream-interval", "1h")
    try:
        assert "week 2026-W07" in [row["title"].removeprefix("Write ") for row in one.next("compacted")["proposals"]]
        assert one.next("dreamt")["examined"] >= 1
        (bench.layout.days / "2026-02-02.md").write_text("- A late day.\n")
        one.next("synced")
        assert one.next("compacted")["proposals"] == []
        one.process.send_signal(signal.SIGTERM)
        assert ended(one.process).code == 0
    finally:
        one.process.kill()
        one.process.communicate()
    assert not bench.layout.weekly.exists(), "what is compacted waits in review"


@pytest.mark.long
def test_a_signal_while_it_compacts_ends_both(machine: Machine, bench: Workbench) -> None:
    sleeping = machine.environment.cwd / "slow"
    sleeping.mkdir()
    (sleeping / "sitecustomize.py").write_text(
        "import sys, time\nif 'compact' in sys.orig_argv and '--compact' not in sys.orig_argv:\n    time.sleep(600)\n"
    )
    slow = f"import os; os.environ['PYTHONPATH'] = {f'{sleeping}{os.pathsep}{CHECKOUT}'!r}"
    process = machine.start("watch", "--compact", before=slow)
    folder = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    until = time.monotonic() + PATIENCE
    while not (children := folder.read_text().split()) and time.monotonic() < until:
        time.sleep(0.05)
    assert children
    process.send_signal(signal.SIGTERM)
    assert ended(process).code == 0
    assert not any(is_running(int(child)) for child in children)


@pytest.mark.parametrize("words", [("--debounce", "soon"), ("--debounce", "1"), ("--dream-interval", "3y"), ("x",)])
def test_what_is_no_time_is_said(words: tuple[str, ...], recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    assert recall("watch", *words).code == 2


@pytest.mark.long
def test_its_words_go_to_stderr_one_line_for_each_event(machine: Machine) -> None:
    process = machine.start("watch", "--debounce", "100ms", "--dream", "--dream-interval", "90m")
    assert process.stderr is not None
    first = process.stderr.readline().decode()
    assert "watching" in first and "dreams every 90m" in first and "Ctrl-C" in first
    assert "dream.enabled is off" in process.stderr.readline().decode()
    assert "synced: " in process.stderr.readline().decode()
    process.send_signal(signal.SIGINT)
    done = ended(process)
    assert done.out == b"" and "ended: Ctrl-C" in done.err and done.code == 0
