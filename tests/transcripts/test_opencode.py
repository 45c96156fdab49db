"""OpenCode's and Kilo's databases are read while they are written, and nothing of them but what was said."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from recall_tui.domain import Conversation, Message, SkippedResult
from recall_tui.environment import Environment, agent_folder
from recall_tui.errors import NotFoundError
from recall_tui.features.capture.session_reader import copied_lines
from recall_tui.storage.archives import retained
from recall_tui.transcripts.registry import agent_folders, discover_all, find_session, own_reader, read_transcript
from recall_tui.transcripts.shared_file import session_path
from recall_tui.transcripts.sqlite_tables import MAX_VALUE_BYTES
from tests.transcripts.opencode_samples import CHILD, SESSION, TOKEN, Store, tool


@pytest.fixture
def store(environment: Environment) -> Iterator[Store]:
    """OpenCode's database in the person's home, held open as the agent holds it."""
    made = Store(agent_folder(environment, "opencode") / "opencode.db").session()
    yield made
    made.close()


def opened(store: Store, session: str = SESSION) -> Conversation:
    found = read_transcript(session_path(store.path, session))
    assert isinstance(found, Conversation), found
    return found


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(message.kind, message.text) for message in conversation.messages()]


def test_what_was_said_is_read_in_its_order(store: Store) -> None:
    store.message("what does the cache do?", {"type": "file", "mime": "text/plain", "filename": "cache.py"})
    store.answer({"type": "reasoning", "text": "I look."}, "I read it.", tool("read", "class Cache", path="cache.py"))
    store.answer("It keeps tokens.", {"type": "step-finish"}, {"type": "patch"})
    assert said(opened(store)) == [
        ("prompt", "what does the cache do?\n[file: cache.py]"),
        ("thought", "I look."),
        ("reply", "I read it."),
        ("tool_call", "read cache.py"),
        ("tool_result", "class Cache"),
        ("reply", "It keeps tokens."),
    ]
    head = opened(store).head
    assert (head.agent, head.session_id, head.title, head.model) == ("opencode", SESSION, "The cache", "m-1")
    assert (head.cwd, head.version, head.prompts, head.replies) == ("/home/u/proj", "1.18.33", 1, 2)


def test_rows_that_were_committed_and_are_in_the_log_alone_are_read(store: Store) -> None:
    store.message("only in the log")
    store.connection.execute("BEGIN IMMEDIATE")
    store.connection.execute('UPDATE part SET data = \'{"type": "text", "text": "not committed"}\'')
    assert store.path.with_name("opencode.db-wal").stat().st_size > 0
    assert said(opened(store)) == [("prompt", "only in the log")]
    store.connection.execute("ROLLBACK")


def test_a_session_has_grown_when_one_of_its_messages_changed(store: Store, environment: Environment) -> None:
    store.message("one")
    before = discover_all(environment)
    assert discover_all(environment) == before
    store.answer("two")
    (after,) = discover_all(environment)
    assert after.path == before[0].path and after.modified > before[0].modified and after.size > before[0].size
    store.connection.execute("UPDATE message SET time_updated = time_updated + 5000")
    assert discover_all(environment)[0].modified > after.modified


def test_a_sub_agent_is_read_with_the_session_that_it_worked_for(store: Store, environment: Environment) -> None:
    store.message("delegate it")
    store.session(CHILD, "sub work", SESSION)
    store.message("Say done.", session=CHILD)
    store.answer("done", session=CHILD)
    assert [file.session_id for file in discover_all(environment)] == [SESSION]
    messages = list(opened(store).messages())
    assert [(one.kind, one.text, one.is_sidechain) for one in messages] == [
        ("prompt", "delegate it", False),
        ("prompt", "Say done.", True),
        ("reply", "done", True),
    ]
    assert opened(store).head.prompts == 1


def test_sessions_that_are_each_others_parents_are_read(store: Store, environment: Environment) -> None:
    store.session(CHILD, "a ring", SESSION)
    store.connection.execute("UPDATE session SET parent_id = ? WHERE id = ?", (CHILD, SESSION))
    store.message("one")
    assert [file.session_id for file in discover_all(environment)] == [SESSION]
    assert said(opened(store)) == [("prompt", "one")]


def test_what_the_program_added_is_no_speech(store: Store) -> None:
    store.message("mine", {"type": "text", "text": "read this", "synthetic": True})
    store.message({"type": "text", "text": "not shown", "ignored": True})
    store.message("<system-reminder>be brief</system-reminder>")
    store.message({"type": "compaction", "auto": True})
    store.answer("What was said so far.", summary=True)
    assert said(opened(store)) == [("prompt", "mine"), ("compact_summary", "What was said so far.")]


def test_what_the_person_went_back_behind_is_kept_and_marked(store: Store) -> None:
    store.message("one")
    back = store.message("two")
    store.answer("three")
    store.connection.execute("UPDATE session SET revert = ?", (f'{{"messageID": "{back}"}}',))
    assert [(one.text, one.is_off_chain) for one in opened(store).messages()] == [
        ("one", False),
        ("two", True),
        ("three", True),
    ]


def test_a_failed_tool_is_an_error_and_a_failed_answer_is_none(store: Store) -> None:
    store.message("try")
    store.answer(tool("bash", "no such file", "error", command="ls"))
    store.answer(error={"name": "APIError", "data": {"message": "connection closed"}})
    call, result, failed = list(opened(store).messages())[1:]
    assert (call.kind, result.text, result.is_error, result.tool) == ("tool_call", "no such file", True, call.tool)
    assert (failed.text, failed.is_error, opened(store).head.replies) == ("connection closed", True, 0)


def test_a_title_that_no_model_gave_is_none(store: Store) -> None:
    store.message("one")
    store.connection.execute("UPDATE session SET title = 'New session - 2026-03-06T10:00:00.000Z'")
    assert opened(store).head.title == ""


def test_a_value_that_is_too_long_is_a_fault_and_the_others_are_read(store: Store) -> None:
    store.message("one")
    store.answer("x" * (MAX_VALUE_BYTES + 1), "short")
    found = opened(store)
    assert said(found) == [("prompt", "one"), ("reply", "short")]
    assert found.head.fault_count == 1 and "longer than 4 MB" in found.head.faults[0].reason


@pytest.mark.parametrize("bad", ["{", "[]", "null", '{"type": 3}', '{"type": "tool", "state": []}', '{"type":"text"}'])
def test_a_damaged_part_does_not_hide_the_others(store: Store, bad: str) -> None:
    store.message("one")
    store.answer("two")
    store.connection.execute("UPDATE part SET data = ? WHERE id LIKE 'prt_0002%'", (bad,))
    assert said(opened(store))[0] == ("prompt", "one")


def test_the_form_to_come_is_skipped_with_its_reason(store: Store) -> None:
    store.connection.execute("INSERT INTO session_message VALUES('x', ?, 'user', 1, '{}')", (SESSION,))
    found = read_transcript(session_path(store.path, SESSION))
    assert isinstance(found, SkippedResult) and "session_message" in found.reason
    store.connection.execute("DELETE FROM session_message")
    assert read_transcript(session_path(store.path, SESSION)) == SkippedResult("no message in it")


def test_a_copy_of_a_session_is_read_as_the_session_and_holds_no_token(store: Store, tmp_path: Path) -> None:
    store.message("one")
    store.answer("two", tool("bash", "ok", command="ls"))
    conversation = opened(store)
    copy = retained.stage_copy(conversation.head, tmp_path / "spool", copied_lines).rename(tmp_path / "a.jsonl.zst")
    found = read_transcript(copy)
    assert isinstance(found, Conversation)
    assert list(found.messages()) == list(conversation.messages())
    assert replace(found.head, source=Path()) == replace(conversation.head, source=Path())
    assert TOKEN not in "".join(retained.read_lines(copy))


def test_kilo_is_an_agent_of_its_own(environment: Environment) -> None:
    store = Store(agent_folder(environment, "kilo") / "kilo.db").session()
    store.message("one")
    assert [(file.agent, file.session_id) for file in discover_all(environment)] == [("kilo", SESSION)]
    assert opened(store).head.agent == "kilo"
    store.close()


def test_the_database_of_a_channel_and_the_one_that_is_named_are_found(
    environment: Environment, tmp_path: Path
) -> None:
    Store(agent_folder(environment, "opencode") / "opencode-beta.db").session().close()
    assert len(discover_all(environment)) == 1
    Store(tmp_path / "elsewhere" / "own.db").session(CHILD).close()
    named = environment._replace(env={"OPENCODE_DB": str(tmp_path / "elsewhere" / "own.db")})
    assert [file.session_id for file in discover_all(named)] == [CHILD]
    assert tmp_path / "elsewhere" in agent_folders(named)


def test_a_session_that_is_gone_is_not_found(store: Store, environment: Environment) -> None:
    store.message("one")
    path = find_session(environment, SESSION)
    assert path is not None and own_reader("opencode").read_folder(path) == "/home/u/proj"
    store.connection.execute("DELETE FROM session")
    assert find_session(environment, SESSION) is None
    with pytest.raises(NotFoundError):
        read_transcript(path)


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0 and then nothing"])
def test_a_database_that_cannot_be_read_is_shown_and_stops_nothing(environment: Environment, content: bytes) -> None:
    agent_folder(environment, "opencode").mkdir(parents=True)
    (agent_folder(environment, "opencode") / "opencode.db").write_bytes(content)
    (file,) = discover_all(environment)
    found = read_transcript(file.path)
    assert isinstance(found, SkippedResult) and found.reason


def test_another_programs_database_is_shown_and_not_read(environment: Environment) -> None:
    agent_folder(environment, "opencode").mkdir(parents=True)
    connection = sqlite3.connect(agent_folder(environment, "opencode") / "opencode.db")
    connection.execute("CREATE TABLE session(number)")
    connection.close()
    (file,) = discover_all(environment)
    found = read_transcript(file.path)
    assert isinstance(found, SkippedResult) and "it holds no sessions" in found.reason and found.faults


def test_a_database_itself_is_no_transcript(store: Store) -> None:
    assert read_transcript(store.path) == SkippedResult("a database of 1 session: name one, as opencode.db#ID")


def test_nothing_is_written_to_the_database(store: Store) -> None:
    store.message("one")
    before = {path.name: path.read_bytes() for path in store.path.parent.iterdir() if path.suffix != ".db-shm"}
    list(opened(store).messages())
    assert {path.name: path.read_bytes() for path in store.path.parent.iterdir() if path.suffix != ".db-shm"} == before


def times(messages: list[Message]) -> list[str]:
    return [one.at.strftime("%H:%M:%S.%f") for one in messages if one.at]


def test_each_message_bears_its_time(store: Store) -> None:
    store.message("one")
    store.answer("two")
    assert times(list(opened(store).messages())) == ["10:00:01.000000", "10:00:02.500000"]
