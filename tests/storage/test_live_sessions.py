"""Marks of sessions: one file each, replaced whole, passed over when they make no sense."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from recall_tui.storage.state import live_sessions
from recall_tui.storage.state.live_sessions import LiveSession
from tests.processes import CHECKOUT


def test_a_mark_comes_back_as_it_was(tmp_path: Path) -> None:
    mark = LiveSession("abc", "ended", "codex", Path("/t/abc.jsonl"), Path("/w"), 7, 2)
    live_sessions.save(tmp_path, mark)
    found = live_sessions.find_session(tmp_path, "abc")
    assert found is not None and found._replace(touched=0.0) == mark
    live_sessions.save(tmp_path, mark._replace(state="live"))
    assert [one.state for one in live_sessions.list_all(tmp_path)] == ["live"]
    live_sessions.delete(tmp_path, "abc")
    live_sessions.delete(tmp_path, "abc")
    assert live_sessions.list_all(tmp_path) == () and live_sessions.find_session(tmp_path, "abc") is None


@pytest.mark.parametrize("session", ["../../etc/passwd", "a/b", "", "ä" * 5_000, "\udc80"])
def test_whatever_a_session_is_called_its_mark_stays_in_its_folder(tmp_path: Path, session: str) -> None:
    live_sessions.save(tmp_path, LiveSession(session))
    assert [path.parent for path in tmp_path.rglob("*.json")] == [tmp_path / live_sessions.SESSIONS_FOLDER]
    found = live_sessions.find_session(tmp_path, session)
    assert found is not None and found.session_id == session


def test_a_session_that_goes_on_is_heard_of(tmp_path: Path) -> None:
    assert not live_sessions.note_activity(tmp_path, "abc")
    live_sessions.save(tmp_path, LiveSession("abc"))
    path = next(tmp_path.rglob("*.json"))
    os.utime(path, (1, 1))
    assert live_sessions.note_activity(tmp_path, "abc") and path.stat().st_mtime > 1


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"session": 5}', "\xff"])
def test_a_mark_that_makes_no_sense_is_passed_over(tmp_path: Path, text: str) -> None:
    live_sessions.save(tmp_path, LiveSession("abc"))
    (tmp_path / live_sessions.SESSIONS_FOLDER / "0.json").write_text(text, encoding="latin-1")
    assert [mark.session_id for mark in live_sessions.list_all(tmp_path)] == ["abc"]


def test_marks_are_in_the_order_in_which_they_were_heard_of(tmp_path: Path) -> None:
    for number, session in enumerate(("c", "a", "b")):
        live_sessions.save(tmp_path, LiveSession(session))
        os.utime(live_sessions._path(tmp_path, session), (100 + number, 100 + number))
    assert [mark.session_id for mark in live_sessions.list_all(tmp_path)] == ["c", "a", "b"]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="only Linux tells whose child a process is without a program")
def test_the_agent_is_known_through_the_shell_between(tmp_path: Path) -> None:
    code = "from recall_tui.storage.state.live_sessions import agent_process; print(agent_process())"
    line = f"'{sys.executable}' -c '{code}'; true"
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(["sh", "-c", f'sh -c "{line}"; true'], env=env, capture_output=True, text=True)
    assert done.stdout.strip() == str(os.getpid()), done.stderr
    assert live_sessions.is_running(os.getpid()) and not live_sessions.is_running(2**22 + 5)
