"""The last call of each client of the server, and its errors, as files of the state folder."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from recall_tui.environment import Environment
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import server_log
from tests.conftest import NOON


def at(environment: Environment, moment: datetime) -> Store:
    """The memory at a moment."""
    return Memory(make_layout(environment.cwd, "entity"), environment, lambda: moment)


def calls_of(store: Store) -> dict[str, datetime]:
    return dict(server_log.read_calls(store))


def test_the_last_call_of_each_client_is_known(environment: Environment) -> None:
    store = at(environment, NOON)
    assert server_log.read_calls(store) == ()
    server_log.record_call(store, "claude-code")
    server_log.record_call(at(environment, NOON + timedelta(hours=1)), "Zed")
    assert calls_of(store) == {"Zed": NOON + timedelta(hours=1), "claude-code": NOON}
    assert next(iter(calls_of(store))) == "Zed"
    assert (store.state / server_log.CALLS_FILE).stat().st_mode & 0o777 == 0o600


def test_a_client_is_written_down_once_a_minute(environment: Environment) -> None:
    store = at(environment, NOON)
    server_log.record_call(store, "Zed")
    path = store.state / server_log.CALLS_FILE
    before = path.stat()
    server_log.record_call(at(environment, NOON + timedelta(seconds=59)), "Zed")
    assert path.stat().st_ino == before.st_ino and calls_of(store) == {"Zed": NOON}
    server_log.record_call(at(environment, NOON + timedelta(seconds=60)), "Zed")
    assert calls_of(store) == {"Zed": NOON + timedelta(seconds=60)}
    server_log.record_call(at(environment, NOON - timedelta(days=9)), "Zed")
    assert calls_of(store) == {"Zed": NOON - timedelta(days=9)}, "a clock that was put right counts"


@pytest.mark.parametrize("name", ["", " \n ", "\x1b]0;x\x07", "\x00"])
def test_a_client_without_a_name_is_not_noted(environment: Environment, name: str) -> None:
    store = at(environment, NOON)
    server_log.record_call(store, name)
    assert server_log.read_calls(store) == ()


def test_a_hostile_name_is_bounded_and_clean(environment: Environment) -> None:
    store = at(environment, NOON)
    server_log.record_call(store, "\x1b[31mevil\x1b]0;x\x07 \ud800 ghp_" + "a1B2" * 9 + " [/x]\n" + "x" * 100_000)
    (name,) = calls_of(store)
    assert name.startswith("evil") and len(name) <= server_log.MAX_CLIENT_CHARS
    assert "\x1b" not in name and "\n" not in name and "a1B2a1B2" not in name


def test_clients_are_bounded_and_the_newest_stay(environment: Environment) -> None:
    for number in range(server_log.MAX_CLIENTS + 5):
        server_log.record_call(at(environment, NOON + timedelta(minutes=number)), f"client {number}")
    found = calls_of(at(environment, NOON))
    assert len(found) == server_log.MAX_CLIENTS and "client 4" not in found and "client 104" in found


def test_errors_are_bounded_redacted_and_the_newest_stay(environment: Environment) -> None:
    store = at(environment, NOON)
    for number in range(server_log.MAX_ERRORS + 3):
        server_log.record_error(store, "Zed", "search", f"number {number} password=hunter2hunter2 " + "x" * 9_000)
    found = server_log.read_errors(store)
    assert len(found) == server_log.MAX_ERRORS and found[0].message.startswith("number 52")
    assert all("hunter2" not in one.message and len(one.message) <= server_log.MAX_ERROR_CHARS for one in found)


@pytest.mark.parametrize("name", [server_log.CALLS_FILE, server_log.ERRORS_FILE])
def test_a_damaged_line_is_passed_over_and_the_next_write_drops_it(environment: Environment, name: str) -> None:
    store = at(environment, NOON)

    def record(client: str) -> None:
        if name == server_log.CALLS_FILE:
            server_log.record_call(store, client)
        else:
            server_log.record_error(store, client, "read", "broken")

    record("one")
    path = store.state / name
    path.write_bytes(
        b'\xff{"client": 3}\n[]\n{"client": "a", "at": "yesterday"}\n' + b"[" * 99_999 + b"\n" + path.read_bytes()
    )
    read = server_log.read_calls if name == server_log.CALLS_FILE else server_log.read_errors
    assert [one.client for one in read(store)] == ["one"]
    record("two")
    assert [one.client for one in read(store)] == ["two", "one"] and path.read_bytes().count(b"\n") == 2


def test_what_cannot_be_written_stops_nothing(environment: Environment) -> None:
    store = at(environment, NOON)
    (store.state / server_log.CALLS_FILE).mkdir(parents=True)
    (store.state / server_log.LOG_LOCK).mkdir()
    server_log.record_call(store, "Zed")
    server_log.record_error(store, "Zed", "read", "broken")
    assert server_log.read_calls(store) == () and server_log.read_errors(store) == ()
