"""What hooks decided is there, newest first, bounded, and whole whoever else writes."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from recall_tui.domain.hook import HookDecision
from recall_tui.environment import Environment
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import hook_log
from recall_tui.storage.state.hook_log import HookLogEntry
from tests.conftest import NOON


@pytest.fixture
def store(environment: Environment) -> Store:
    """A memory of which nothing was logged."""
    return Memory(make_layout(environment.cwd, "entity"), environment, lambda: NOON)


def line(number: int, did: str = "handed", event: str = "start") -> HookLogEntry:
    decision = HookDecision(did, f"because {number}", (("tokens", number),))
    return HookLogEntry(NOON.isoformat(), event, "claude", f"session-{number}", 1.5, decision)


def test_what_was_logged_is_read_newest_first(store: Store) -> None:
    assert hook_log.read_decisions(store, 10) == ()
    for number in range(5):
        hook_log.append_entry(store.state, line(number))
    assert hook_log.read_decisions(store, 3) == (line(4), line(3), line(2))
    assert (store.state / hook_log.LOG_FILE).stat().st_mode & 0o777 == 0o600


def test_the_log_stays_bounded_and_goes_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook_log, "MAX_FILE_BYTES", 2_000)
    for number in range(200):
        hook_log.append_entry(store.state, line(number))
    assert sum(path.stat().st_size for path in store.state.glob("hooks*")) < 3 * 2_500
    assert {path.name for path in store.state.iterdir()} == {hook_log.LOG_FILE, hook_log.OLDER_LOG_FILE}
    newest = hook_log.read_decisions(store, 12)
    assert newest == tuple(line(number) for number in range(199, 187, -1))


def test_lines_that_make_no_sense_are_passed_over(store: Store) -> None:
    hook_log.append_entry(store.state, line(1))
    with (store.state / hook_log.LOG_FILE).open("ab") as file:
        file.write(b'not JSON\n[]\n\xff\n{"at": 5, "ms": "x"}\n{"half": ')
    odd, one = hook_log.read_decisions(store, 10)
    assert one == line(1) and odd.decision.did == ""


def test_a_line_is_bounded_whatever_was_decided(store: Store) -> None:
    long = HookDecision("failed", "x" * 100_000, (("path", "y" * 100_000),))
    hook_log.append_entry(store.state, line(1)._replace(decision=long, session_id="s" * 10_000))
    assert (store.state / hook_log.LOG_FILE).stat().st_size < 5_000
    assert hook_log.read_decisions(store, 1)[0].decision.did == "failed"


def test_many_writers_lose_no_line(store: Store) -> None:
    def write(start: int) -> None:
        for number in range(start, start + 50):
            hook_log.append_entry(store.state, line(number))

    threads = [threading.Thread(target=write, args=(start,)) for start in range(0, 400, 50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(hook_log.read_decisions(store, 1_000)) == sorted(line(number) for number in range(400))


def test_a_failed_capture_is_told_of_until_one_goes_well(store: Store) -> None:
    assert hook_log.find_failed_capture(store.state) is None
    hook_log.append_entry(store.state, line(1, "failed", "end"))
    hook_log.append_entry(store.state, line(2, "failed", "prompt"))
    hook_log.append_entry(store.state, line(3, "captured", "start"))
    found = hook_log.find_failed_capture(store.state)
    assert found == line(1, "failed", "end")
    hook_log.append_entry(store.state, line(4, "captured", "catch-up"))
    assert hook_log.find_failed_capture(store.state) is None


def test_a_log_that_cannot_be_written_is_an_os_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OSError, match="file"):
        hook_log.append_entry(tmp_path / "file" / "state", line(1))
