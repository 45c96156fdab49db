"""Ctrl-C stops indexing in good order, in whatever command; what was indexed stays, and the rest comes later."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.index.maintenance.verify import verify_index
from recall_tui.index.text import partitions
from recall_tui.index.text.passage import PARTITIONS
from recall_tui.workbench import Workbench
from tests.qa.bench import corpus
from tests.qa.bench.measure import process_env
from tests.terminal import CHECKOUT

MESSAGES, SOURCES = 3000, 8
PATIENCE_SECONDS = 60.0


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with transcripts, and an empty memory beside it; nothing is indexed."""
    folder = tmp_path_factory.mktemp("history")
    corpus.write(folder / "home", MESSAGES, SOURCES, 1, corpus.made_up_language(1), lambda _: None)
    (folder / "agent" / "memory").mkdir(parents=True)
    (folder / "agent" / "memory" / "MEMORY.md").write_text("# Memory\n\n- JWT keys rotate weekly\n")
    return folder


@pytest.fixture(scope="module")
def indexed(history: Path) -> Path:
    """The state of an index that nobody interrupted."""
    state = history / "whole"
    done = subprocess.run(_line(history, "sync"), env=_env(history, state), capture_output=True, check=True)
    assert b"added" in done.stdout
    return state


def _env(history: Path, state: Path) -> dict[str, str]:
    return process_env(history / "home", history) | {"RECALL_STATE": str(state)}


def _line(history: Path, *words: str) -> list[str]:
    return [sys.executable, "-P", "-m", "recall_tui", "--root", str(history / "agent"), *words]


def _bench(history: Path, state: Path) -> Workbench:
    environment = Environment(history / "home", history, _env(history, state))
    return Workbench.open(history / "agent", environment=environment)


def _passages(bench: Workbench) -> list[tuple[str, str]]:
    """Every passage that can be shown, and how many stretches there are."""
    reader = bench.index.reader()
    assert reader is not None
    counts = reader.batch_counts(*PARTITIONS)
    found = [(one.id, one.body) for batch in counts for one in reader.of_batch(batch, 10_000)]
    return sorted([*found, ("stretches", str(bench.index.coverage(bench.store).stored_stretches))])


def _interrupted(line: list[str], env: dict[str, str], is_at_work: Path, *, times: int = 1) -> tuple[int, str, str]:
    """Press Ctrl-C as soon as the file is there: code, stdout, stderr."""
    process = subprocess.Popen(line, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + PATIENCE_SECONDS
    while not is_at_work.exists() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.001)
    for _ in range(times):
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE_SECONDS)
    return process.returncode, out, err


@pytest.mark.long
@pytest.mark.parametrize("words", [["sync"], ["search", "--ranked", "jwt"], ["recall", "jwt"], ["index"]])
def test_what_was_indexed_stays_and_the_next_sync_goes_on(
    words: list[str], history: Path, indexed: Path, tmp_path: Path
) -> None:
    env = _env(history, tmp_path)
    writes = tmp_path / "index" / "passages" / "speech" / ".tantivy-writer.lock"
    code, out, err = _interrupted(_line(history, *words), env, writes)
    assert (code, out) == (130, "")
    assert "interrupted after" in err and "the next sync continues" in err and "Traceback" not in err
    bench = _bench(history, tmp_path)
    covered = bench.index.coverage(bench.store)
    assert covered.agrees and 0 < covered.passages < MESSAGES and covered.refreshed_at == ""
    assert verify_index(bench.index, bench.store).lost == ()
    subprocess.run(_line(history, "sync"), env=env, capture_output=True, check=True)
    assert _passages(bench) == _passages(_bench(history, indexed))
    proof = verify_index(bench.index, bench.store)
    assert proof.coverage.is_whole and proof.on_disk.is_current and not proof.altered


def test_an_interrupted_rebuild_leaves_the_old_index_in_use(history: Path, indexed: Path, tmp_path: Path) -> None:
    shutil.copytree(indexed, tmp_path, dirs_exist_ok=True)
    bench = _bench(history, tmp_path)
    folder = bench.index.passages_path
    before, edition = _passages(bench), partitions.read_version(folder)
    code, out, err = _interrupted(_line(history, "index"), _env(history, tmp_path), folder / "speech.1")
    assert (code, out) == (130, "")
    assert "the index is as it was" in err and "recall-tui index" in err
    assert partitions.read_version(folder) == edition and _passages(bench) == before
    assert sorted(path.name for path in folder.iterdir() if path.is_dir()) == sorted(PARTITIONS)
    assert bench.index.coverage(bench.store).is_whole


STUBBORN = """
import sys, time
from recall_tui.cli.sigint import catch_interrupt
with catch_interrupt() as is_stopped:
    print("at work", flush=True)
    while not is_stopped():
        time.sleep(0.01)
    print("asked to stop", flush=True)
    {then}
print("gone on", flush=True)
"""


def _steps(then: str, before: str = "") -> Iterator[subprocess.Popen[str]]:
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    line = [sys.executable, "-P", "-c", before + STUBBORN.format(then=then)]
    with subprocess.Popen(line, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "at work\n"
        yield process
        process.kill()


def test_the_second_ctrl_c_ends_the_process_at_once() -> None:
    for process in _steps("time.sleep(600)"):
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None and process.stdout.readline() == "asked to stop\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_SECONDS) == -signal.SIGINT


def test_after_the_work_ctrl_c_means_what_it_meant_before() -> None:
    for process in _steps(
        "pass\ntry:\n    print('waits', flush=True); time.sleep(600)\nexcept KeyboardInterrupt: pass"
    ):
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["asked to stop\n", "waits\n"]
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "gone on\n"


def test_who_ignores_ctrl_c_is_left_alone() -> None:
    before = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    for process in _steps("pass", before):
        process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
