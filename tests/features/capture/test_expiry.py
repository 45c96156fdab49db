"""Sessions are named before the agent deletes them, with what is held of each."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.features.capture.expiry import expiry_report, last_capture_time
from recall_tui.features.capture.kept_sessions import count_kept
from recall_tui.features.capture.retain import retain
from recall_tui.storage.layout import LocatedMemory, make_layout
from recall_tui.transcripts.claude.project_folder import DEFAULT_RETENTION_DAYS, MAX_RETENTION_DAYS, retention_days
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import transcript
from tests.transcripts import gemini_samples
from tests.transcripts.codex_samples import Rollout
from tests.transcripts.gemini_samples import opening, user

TALK = [("user", "why do tokens expire?"), ("assistant", "Because a stolen one must not last.")]


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    """A memory that was just made."""
    bench = Workbench.at(LocatedMemory(make_layout(environment.cwd, "entity"), "made"), environment, lambda: NOON)
    bench.initialise()
    return bench


def aged(environment: Environment, number: int, days: float, cwd: str = "/home/u/api") -> Path:
    """A transcript that was last written to so many days ago."""
    path = transcript(environment, number, TALK, start=NOON - timedelta(days=days), cwd=cwd)
    written = (NOON - timedelta(days=days)).timestamp()
    os.utime(path, (written, written))
    return path


def settings(environment: Environment, text: str) -> None:
    """Claude Code's settings."""
    environment.claude.mkdir(parents=True, exist_ok=True)
    (environment.claude / "settings.json").write_text(text, encoding="utf-8")


def test_sessions_expire_thirty_days_after_their_last_word(bench: Workbench, environment: Environment) -> None:
    aged(environment, 1, 1)
    aged(environment, 2, 22.9)
    near, over = aged(environment, 3, 23.5), aged(environment, 4, 31)
    found = expiry_report(bench.store)
    assert found.transcripts == 4
    assert [one.file.path for one in found.soon] == [over, near], "the nearest end first"
    assert [_days(one.expires_at) for one in found.soon] == [-1, 6.5]


def _days(moment: datetime) -> float:
    return (moment - NOON) / timedelta(days=1)


def test_an_archived_session_is_known_until_it_grows(bench: Workbench, environment: Environment) -> None:
    path = aged(environment, 1, 25)
    assert len(expiry_report(bench.store).unarchived) == 1
    bench.capture(path)
    held = expiry_report(bench.store)
    assert held.unarchived == () and held.soon[0].archive is not None and held.soon[0].archive.number == 1
    archive, modified = held.soon[0].archive.path, path.stat().st_mtime
    os.utime(archive, (0, modified - 60))
    assert expiry_report(bench.store).unarchived == (), "it is the same, whatever its time"
    path.write_bytes(path.read_bytes() * 2)
    os.utime(path, (0, modified))
    assert len(expiry_report(bench.store).unarchived) == 1


def test_a_session_in_which_nothing_was_said_is_not_lost(bench: Workbench, environment: Environment) -> None:
    path = aged(environment, 1, 25)
    path.write_text('{"type": "file-history-snapshot", "messageId": "m1", "isSnapshotUpdate": false}\n')
    written = (NOON - timedelta(days=25)).timestamp()
    os.utime(path, (written, written))
    assert expiry_report(bench.store).soon == ()
    path.write_text("a line that cannot be read\n")
    os.utime(path, (written, written))
    assert len(expiry_report(bench.store).soon) == 1, "what is broken may still be mended"


def test_a_memory_of_one_project_speaks_of_its_own_sessions_only(environment: Environment) -> None:
    bench = Workbench.at(LocatedMemory(make_layout(environment.cwd, "project"), "made"), environment, lambda: NOON)
    bench.initialise()
    aged(environment, 1, 25)
    own = aged(environment, 2, 25, cwd=str(environment.cwd))
    assert [one.file.path for one in expiry_report(bench.store).soon] == [own]


def test_the_agents_own_settings_say_how_long_it_keeps_them(bench: Workbench, environment: Environment) -> None:
    aged(environment, 1, 1)
    settings(environment, '{"cleanupPeriodDays": 3}')
    assert [_days(one.expires_at) for one in expiry_report(bench.store).soon] == [2]
    settings(environment, '{"cleanupPeriodDays": 9999999999}')
    assert expiry_report(bench.store).soon == () and retention_days(environment) == MAX_RETENTION_DAYS


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"cleanupPeriodDays": "soon"}', '{"cleanupPeriodDays": true}', '{"cleanupPeriodDays": -1}'],
)
def test_settings_that_say_nothing_of_use_leave_the_default(environment: Environment, text: str) -> None:
    settings(environment, text)
    assert retention_days(environment) == DEFAULT_RETENTION_DAYS


def test_without_transcripts_nothing_expires(bench: Workbench) -> None:
    found = expiry_report(bench.store)
    assert (found.transcripts, found.soon) == (0, ())


def test_the_last_capture_is_the_last_that_was_not_taken_back(bench: Workbench, environment: Environment) -> None:
    assert last_capture_time(bench.store) is None, "a memory that was just made"
    bench.capture(aged(environment, 1, 2))
    assert last_capture_time(bench.store) == NOON
    bench.undo()
    assert last_capture_time(bench.store) is None


def test_a_capture_into_summaries_is_a_capture(environment: Environment) -> None:
    bench = Workbench.at(LocatedMemory(make_layout(environment.cwd, "project"), "made"), environment, lambda: NOON)
    bench.initialise()
    bench.capture(aged(environment, 1, 2, cwd=str(environment.cwd)))
    assert last_capture_time(bench.store) == NOON


def test_what_another_agent_deletes_is_named_and_kept_too(bench: Workbench, environment: Environment) -> None:
    aged(environment, 1, 23.5)
    chats = environment.gemini / "tmp" / "api" / "chats"
    chat = gemini_samples.chat(chats, gemini_samples.lines(opening(), user("m1", "why do tokens expire?")))
    codex = Rollout().meta().user("why?").write(environment.codex / "sessions" / "2026" / "02" / "01")
    for path, days in ((chat, 25), (codex, 400)):
        written = (NOON - timedelta(days=days)).timestamp()
        os.utime(path, (written, written))
    found = expiry_report(bench.store)
    assert [one.file.agent for one in found.soon] == ["gemini", "claude"], "the nearest end first"
    assert found.transcripts == 2, "one that is kept for ever expires never"
    counted = count_kept(bench.store)
    assert (counted.expiring, counted.next_agent) == (2, "Gemini CLI")
    assert retain(bench.store).made == 2
    assert all(one.copy for one in expiry_report(bench.store).soon)
    settings = environment.gemini / "settings.json"
    settings.write_text('{"general": {"sessionRetention": {"enabled": false}}}', encoding="utf-8")
    assert [one.file.agent for one in expiry_report(bench.store).soon] == ["claude"]
