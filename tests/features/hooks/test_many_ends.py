"""Forty sessions end at one moment: none is lost, none is there twice, and the window holds as many as it may."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.state import live_sessions
from tests.conftest import NOON
from tests.hooks import SCRIPT, process_env, said, settled
from tests.makers import bench_at, session_id_of, transcript
from tests.processes import Machine

pytestmark = pytest.mark.long


@pytest.mark.parametrize("many", [8, pytest.param(40, marks=pytest.mark.soak)])
def test_sessions_that_end_at_once_are_all_captured_once(environment: Environment, many: int) -> None:
    root = environment.cwd / "agent"
    bench = bench_at(environment, "entity", root)
    machine = Machine(environment, root)
    paths = []
    for number in range(many):
        turns = [("user", f"what does part {number} do?"), ("assistant", f"It does the work of part {number}.")]
        paths.append(transcript(environment, number, turns, start=NOON + timedelta(minutes=number)))
    line = [sys.executable, "-P", "-c", SCRIPT, "hook", "--root", str(root)]
    pipe = subprocess.PIPE
    running = [
        subprocess.Popen(line, env=process_env(machine), cwd=environment.cwd, stdin=pipe, stdout=pipe, stderr=pipe)
        for _ in paths
    ]
    for process, path in zip(running, paths, strict=True):
        assert process.stdin
        process.stdin.write(_told(path.stem, str(path)))
        process.stdin.close()
        process.stdin = None
    ended = [(*process.communicate(), process.returncode) for process in running]
    assert ended == [(b"", b"", 0)] * many
    assert not settled(machine, 120)
    wanted = {session_id_of(number) for number in range(many)}
    archives, rows = bench.archive.entries(), bench.rows
    assert len(archives) == len(rows) == many
    assert {entry.session_id for entry in archives} == {row.session_id for row in rows} == wanted
    newest = [session_id_of(number) for number in range(many)][-bench.config.whole("ephemeral.max_entries") :]
    assert [entry.session_id for entry in bench.window.entries] == newest
    assert live_sessions.list_all(bench.store.state) == ()
    assert [one for one in bench.check() if not one.is_note] == []


def _told(session: str, path: str) -> bytes:
    import json

    return json.dumps(said("SessionEnd", session, None, transcript_path=path, reason="other")).encode()
