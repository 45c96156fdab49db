"""What hooks left undone is done later, by one process at a time, and never twice."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from recall_tui.domain.hook import HookEvent
from recall_tui.environment import Environment
from recall_tui.features.capture.expiry import expiry_report
from recall_tui.features.hooks.catch_up import MAX_TRIES, is_due
from recall_tui.index.ingest import refresh
from recall_tui.storage.archives import retained
from recall_tui.storage.files.lock import acquire
from recall_tui.storage.layout import LocatedMemory, make_layout
from recall_tui.storage.state import live_sessions
from recall_tui.storage.state.live_sessions import LiveSession
from recall_tui.workbench import Workbench
from tests.makers import Turn, records, session_id_of, transcript, write_transcript

TALK: list[Turn] = [("user", "why do the tokens expire?"), ("assistant", "Because a stolen one must not last.")]
MORE: list[Turn] = [*TALK, ("user", "and then?"), ("assistant", "They are renewed.")]
GONE = 2**22 - 7
"""A process that there is not."""
RUNNING = 1
"""A process that there always is."""


def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    """A memory with the clock of the machine, since times of files are compared with it."""
    bench = Workbench.at(LocatedMemory(make_layout(environment.cwd / "agent", "entity"), "made"), environment, now)
    bench.initialise()
    return bench


def aged(path: Path, seconds: float) -> Path:
    moment = time.time() - seconds
    os.utime(path, (moment, moment))
    return path


def marked(bench: Workbench, path: Path, seconds: float = 0.0, **more: object) -> LiveSession:
    """The session of the transcript, which a hook heard of so many seconds ago."""
    mark = LiveSession(path.stem, agent="claude", transcript=path)._replace(**more)  # type: ignore[arg-type]
    live_sessions.save(bench.store.state, mark)
    aged(live_sessions._path(bench.store.state, path.stem), seconds)
    return mark


def test_a_session_whose_process_is_gone_is_captured(bench: Workbench, environment: Environment) -> None:
    marked(bench, transcript(environment, 1, TALK), pid=GONE)
    done = bench.hooks.catch_up()
    assert [decision.did for _, decision in done.decisions] == ["captured"]
    assert [one.session_id for one in bench.window.entries] == [session_id_of(1)]
    assert live_sessions.list_all(bench.store.state) == () and not is_due(bench.store), "it was done just now"
    assert bench.hooks.catch_up().decisions == ()


@pytest.mark.parametrize(
    ("pid", "seconds", "is_over"),
    [
        (RUNNING, 60, False), (RUNNING, 10_000, True), (0, 60, False), (0, 1_000, True), (GONE, 0, True),
    ],
)  # fmt: skip
def test_a_session_that_goes_on_is_left_alone(
    bench: Workbench, environment: Environment, pid: int, seconds: float, is_over: bool
) -> None:
    path = aged(transcript(environment, 1, TALK), seconds)
    marked(bench, path, seconds, pid=pid)
    assert bool(bench.hooks.catch_up().decisions) == is_over
    assert bool(bench.rows) == is_over


def test_what_was_said_after_a_checkpoint_is_not_lost(bench: Workbench, environment: Environment) -> None:
    path = transcript(environment, 1, TALK)
    bench.capture(path, source="checkpoint")
    write_transcript(path, records(path.stem, MORE))
    marked(bench, path, pid=GONE)
    bench.hooks.catch_up()
    (entry,) = bench.archive.entries()
    assert (entry.source, entry.messages) == ("session", 4)


def test_an_archive_that_is_behind_its_transcript_is_brought_up_to_date(
    bench: Workbench, environment: Environment
) -> None:
    path = transcript(environment, 1, TALK)
    bench.capture(path)
    other = aged(transcript(environment, 2, TALK), 5_000)
    write_transcript(path, records(path.stem, MORE))
    aged(path, 5_000)
    aged(bench.archive.entries()[0].path, 9_000)
    bench.hooks.catch_up()
    (entry,) = bench.archive.entries()
    assert entry.messages == 4 and other.exists(), "what was never archived is left to the person"


@pytest.mark.long
def test_a_capture_that_fails_is_tried_again_later_and_not_for_ever(bench: Workbench, environment: Environment) -> None:
    path = environment.home / "broken.jsonl"
    path.symlink_to(environment.home)
    marked(bench, path, pid=GONE)
    path.unlink()
    path.write_bytes(b"")
    archives = bench.layout.archives[0].folder
    archives.rmdir()
    archives.write_text("in the way", encoding="utf-8")
    write_transcript(path, records("broken", TALK))
    for tries in range(1, MAX_TRIES + 1):
        assert [decision.did for _, decision in bench.hooks.catch_up().decisions] == ["failed"], tries
        assert bench.hooks.catch_up().decisions == (), "not at once"
        aged(live_sessions._path(bench.store.state, "broken"), 10_000)
    assert bench.hooks.catch_up().decisions == ()
    found = live_sessions.find_session(bench.store.state, "broken")
    assert found is not None and found.tries == MAX_TRIES


def test_only_one_works_at_a_time(bench: Workbench, environment: Environment) -> None:
    marked(bench, transcript(environment, 1, TALK), pid=GONE)
    assert is_due(bench.store)
    with acquire(bench.store.state / "catch-up.lock", "test", 1):
        assert not is_due(bench.store)
        assert bench.hooks.catch_up().is_skipped and not bench.rows
    assert is_due(bench.store)


def test_a_session_that_is_marked_meanwhile_is_captured_too(
    bench: Workbench, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = transcript(environment, 1, TALK), transcript(environment, 2, TALK)
    marked(bench, first, state="ended")
    real = refresh.refresh

    def marking(*given: Any, **named: Any) -> object:
        marked(bench, second, state="ended")
        return real(*given, **named)

    monkeypatch.setattr(refresh, "refresh", marking)
    bench.hooks.catch_up()
    assert {row.session_id for row in bench.rows} == {first.stem, second.stem}


def test_it_stops_soon_when_its_time_is_over(bench: Workbench, environment: Environment) -> None:
    for number in range(3):
        marked(bench, transcript(environment, number, TALK), pid=GONE)
    calls = iter([False, False, True, True, True, True, True, True])
    bench.hooks.catch_up(lambda: next(calls))
    assert 0 < len(bench.rows) < 3 and live_sessions.list_all(bench.store.state)
    bench.hooks.catch_up()
    assert len(bench.rows) == 3


def test_our_own_sessions_are_never_captured(bench: Workbench, environment: Environment) -> None:
    path = transcript(environment, 1, TALK, cwd=str(environment.state / "neutral"))
    marked(bench, path, state="ended")
    assert [decision.did for _, decision in bench.hooks.catch_up().decisions] == ["skipped"]
    assert bench.rows == () and live_sessions.list_all(bench.store.state) == ()


def test_what_was_handed_over_is_not_captured_as_speech(bench: Workbench, environment: Environment) -> None:
    frame = '<recalled-memory source="recall-tui" trust="x">\n> quoted long ago\n</recalled-memory>'
    path = transcript(environment, 1, [("user", f"{frame}\n\nwhy do the tokens expire?"), TALK[1]])
    bench.capture(path)
    text = bench.archive.entries()[0].path.read_text(encoding="utf-8")
    assert "why do the tokens expire?" in text and "quoted long ago" not in text


def test_transcripts_that_expire_are_kept_once_and_without_secrets(bench: Workbench, environment: Environment) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2"
    path = transcript(environment, 1, [("user", f"the token is {secret}, why?"), TALK[1]])
    aged(path, timedelta(days=26).total_seconds())
    aged(transcript(environment, 2, TALK), timedelta(days=2).total_seconds())
    assert [one.is_held for one in expiry_report(bench.store).soon] == [False]
    assert bench.hooks.catch_up().retained == 1
    (copy,) = retained.list_copies(environment.kept, session_id_of(1))
    words = "".join(retained.read_lines(copy))
    assert "the token is" in words and secret not in words
    (soon,) = expiry_report(bench.store).soon
    assert soon.copy == copy and soon.archive is None and expiry_report(bench.store).lost == ()
    assert bench.hooks.catch_up().retained == 0 and len(retained.list_copies(environment.kept, session_id_of(1))) == 1
    assert bench.health(with_index=False).facts["expiring"] == {
        "within_days": 7, "sessions": 1, "archived": 0, "kept": 1,
    }  # fmt: skip


def test_what_was_forgotten_is_not_kept(bench: Workbench, environment: Environment) -> None:
    path = transcript(environment, 1, TALK)
    bench.capture(path)
    bench.eraser.forget("1")
    aged(path, timedelta(days=26).total_seconds())
    marked(bench, path, pid=GONE)
    assert bench.hooks.catch_up().retained == 0
    assert (
        bench.rows == ()
        and not any(environment.kept.rglob("*.zst"))
        and live_sessions.list_all(bench.store.state) == ()
    )


def test_forgetting_a_session_takes_its_mark(bench: Workbench, environment: Environment) -> None:
    path = transcript(environment, 1, TALK)
    bench.capture(path)
    marked(bench, path)
    bench.eraser.forget("1")
    assert live_sessions.list_all(bench.store.state) == ()


def test_a_compactions_summary_is_kept_only_with_a_checkpoint(bench: Workbench, environment: Environment) -> None:
    path = transcript(environment, 1, TALK)
    event = HookEvent(
        "compacted", "claude", path.stem, path, summary="## So far\n\n- tokens *expire*\n---\n# Conversation 009"
    )
    assert bench.hooks.react(event).decision.did == "skipped"
    bench.hooks.react(HookEvent("compact", "claude", path.stem, path))
    assert bench.hooks.react(event).decision.did == "kept"
    text = bench.archive.entries()[0].path.read_text(encoding="utf-8")
    assert text.count("# Conversation 001") == 1 and "So far - tokens *expire* --- Conversation 009" in text
    assert "### User" in text and bench.check() == ()
    assert bench.hooks.react(event).decision.did == "skipped", "it has it already"
    bench.hooks.react(HookEvent("end", "claude", path.stem, path))
    assert bench.hooks.react(event).decision.did == "skipped"
    assert "So far" not in bench.archive.entries()[0].path.read_text(encoding="utf-8")
