"""What a session was shown is remembered for it alone, and not for ever."""

from __future__ import annotations

import os
import stat
from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.files import trusted_clock
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import hint_log
from tests.conftest import NOON
from tests.makers import bench_at


@pytest.fixture
def store(environment: Environment) -> Store:
    """A new memory."""
    return bench_at(environment).store


def files(store: Store) -> list[Path]:
    """The files of all sessions."""
    return sorted((store.state / hint_log.HINTS_FOLDER).glob("*.json"))


def test_what_was_shown_is_known_to_its_session_alone(store: Store) -> None:
    hint_log.add_hints(store, "one", ("memory/a.md",), NOON)
    hint_log.add_hints(store, "one", ("memory/b.md",), NOON)

    assert hint_log.has_hint(store, "one", "memory/a.md")
    assert hint_log.has_hint(store, "one", "memory/b.md")
    assert not hint_log.has_hint(store, "two", "memory/a.md")
    assert not hint_log.has_hint(store, "", "memory/a.md")


def test_the_file_is_its_owners_and_names_nothing(store: Store) -> None:
    hint_log.add_hints(store, "../../evil\x00", ("a-session-id",), NOON)

    (path,) = files(store)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert b"a-session-id" not in path.read_bytes()


def test_only_the_newest_are_kept(store: Store) -> None:
    hint_log.add_hints(store, "one", map(str, range(hint_log.MAX_HINTS + 3)), NOON)

    assert not hint_log.has_hint(store, "one", "2")
    assert hint_log.has_hint(store, "one", "3")


def test_old_sessions_are_swept_when_another_is_written(store: Store) -> None:
    hint_log.add_hints(store, "old", ("x",), NOON)
    (old,) = files(store)
    os.utime(old, (NOON.timestamp(), NOON.timestamp()))

    for day in range(hint_log.RETENTION_DAYS):
        trusted_clock.note_day(store.state, NOON + timedelta(days=day))
    hint_log.add_hints(store, "new", ("x",), NOON + timedelta(days=hint_log.RETENTION_DAYS, seconds=1))

    assert old not in files(store)
    assert hint_log.has_hint(store, "new", "x")


@pytest.mark.parametrize("damage", [b"", b"{}", b"[1, null]", b"\xff", b"[" * 100_000])
def test_a_damaged_file_is_as_if_there_were_none(store: Store, damage: bytes) -> None:
    hint_log.add_hints(store, "one", ("x",), NOON)
    files(store)[0].write_bytes(damage)

    assert not hint_log.has_hint(store, "one", "x")
    hint_log.add_hints(store, "one", ("y",), NOON)
    assert hint_log.has_hint(store, "one", "y")
