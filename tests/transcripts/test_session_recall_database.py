"""What session recall's database holds is read whatever shape it has, and nothing of it or beside it changes."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tracemalloc
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recall_tui.domain import Conversation, Message, SkippedResult
from recall_tui.errors import BrokenFileError, RecallError
from recall_tui.transcripts import session_recall_database, sqlite_file
from recall_tui.transcripts.claude import project_folder
from recall_tui.transcripts.session_recall_database import SessionRecallDatabase, SessionRecallSession
from recall_tui.transcripts.sqlite_file import file_state
from tests.conftest import NOON
from tests.session_recall import Recalled, changed, ms

ID = "5e551011-0000-4000-8000-000000000001"
OTHER = "5e551011-0000-4000-8000-000000000002"
BOTH = pytest.mark.parametrize("later", [False, True])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "claude" / "session-index.db"


def sessions_in(path: Path) -> dict[str, SessionRecallSession]:
    with SessionRecallDatabase(path) as database:
        return {one.id: one for one in database.sessions()}


def read(path: Path, id: str = ID) -> tuple[Conversation, list[Message]]:
    """The session, read to its end."""
    with SessionRecallDatabase(path) as database:
        listed = {one.id: one for one in database.sessions()}
        found = database.conversation(listed[id])
        assert isinstance(found, Conversation), found
        return found, list(found.messages())


def texts(messages: list[Message]) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in messages]


@BOTH
def test_either_shape_lists_its_sessions_and_tells_what_was_said(path: Path, later: bool) -> None:
    with Recalled(path, later) as made:
        made.session(ID, "JWT").row(ID, "user", "why jwt?").row(ID, "assistant", "for the api").session(OTHER)
    listed = sessions_in(path)
    assert list(listed) == [ID, OTHER]
    one = listed[ID]
    assert (one.title, one.jsonl_path, one.project_path) == ("JWT", f"-home-u-api/{ID}.jsonl", "/home/u/api")
    assert (one.created_at, one.updated_at, one.message_count, one.rows) == (NOON, NOON, 2, 2)
    found, messages = read(path)
    assert texts(messages) == [("prompt", "why jwt?"), ("reply", "for the api")]
    assert [one.at for one in messages] == [NOON + timedelta(minutes=1), NOON + timedelta(minutes=2)]
    head = found.head
    assert (head.session_id, head.agent, head.title, head.cwd) == (ID, "claude", "JWT", "/home/u/api")
    assert (head.prompts, head.replies, head.started_at) == (1, 1, messages[0].at)
    assert head.source == path / ID


def test_messages_come_in_the_order_of_time_and_those_without_one_where_they_were_put(path: Path) -> None:
    with Recalled(path) as made:
        made.session(ID)
        for text, at in (("third", 3000), ("first", 1000), ("after first", 0), ("second", 2000), ("and then", -5)):
            made.row(ID, "user", text, at=at)
        made.row(ID, "user", "absurd", at=9 * 10**18).row(ID, "user", "iso", at="1970-01-01T00:00:02.500Z")
    _, messages = read(path)
    said = [one.text for one in messages]
    assert said == ["first", "after first", "second", "and then", "absurd", "iso", "third"]
    times = {one.text: one.at for one in messages}
    assert times["first"] == datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)
    assert [times[text] for text in ("after first", "and then", "absurd")] == [None] * 3
    assert [one.line for one in messages] == list(range(1, 8))


def test_calls_of_tools_are_told_apart_from_speech(path: Path) -> None:
    edit = json.dumps({"file_path": "src/login.py", "new_string": "line\nbreak"})
    bash, cut = json.dumps({"command": "make test"}), '{"file_path": "src/huge.py", "content": "abc'
    with Recalled(path) as made:
        made.session(ID)
        made.row(ID, "assistant", f"I mend it.\nNow.\n{edit}", tool="Edit", files="src/login.py")
        made.row(ID, "assistant", f"{edit}\n{bash}", tool="Bash", files="src/login.py")
        made.row(ID, "assistant", None, tool="Read", files="a.py, b.py,")
        made.row(ID, "assistant", cut, tool="Write", files="src/huge.py")
        made.row(ID, "tool_result", "3 passed", tool="Bash").row(ID, "thinking", "perhaps")
        made.row(ID, "assistant", json.dumps({"plan": "Use a lock"}), tool="ExitPlanMode")
        made.row(ID, "assistant", 'The answer is\n{"ok": true}')
    _, messages = read(path)
    assert texts(messages) == [
        ("reply", "I mend it.\nNow."),
        ("tool_call", "Edit src/login.py"),
        ("tool_call", "src/login.py"),
        ("tool_call", "Bash make test"),
        ("tool_call", "Read a.py"),
        ("tool_call", "Read b.py"),
        ("tool_call", "Write src/huge.py"),
        ("tool_result", "3 passed"),
        ("thought", "perhaps"),
        ("tool_call", "ExitPlanMode Use a lock"),
        ("plan", "Use a lock"),
        ("reply", 'The answer is\n{"ok": true}'),
    ]
    tools = [one.tool for one in messages if one.tool and one.tool.is_file]
    assert [(one.name, one.target) for one in tools if one] == [
        ("Edit", "src/login.py"),
        ("", "src/login.py"),
        ("Read", "a.py"),
        ("Read", "b.py"),
        ("Write", "src/huge.py"),
    ]
    assert messages[0].line == messages[1].line and messages[6].tool and cut in messages[6].tool.input.values()


def test_what_was_put_in_a_persons_mouth_is_not_their_speech(path: Path) -> None:
    with Recalled(path) as made:
        made.session(ID).row(ID, "user", "<system-reminder>\nbe brief\n</system-reminder>\nfix the lock")
        made.row(ID, "user", "<local-command-stdout>ok</local-command-stdout>")
        made.row(ID, "user", "<command-name>/compact</command-name>\n<command-args>now</command-args>")
        made.row(ID, "user", "This session is being continued from a previous conversation: jwt")
        made.row(ID, "system", "a notice").row(ID, "progress", "50 %").row(ID, None, "nothing")
    _, messages = read(path)
    assert [one.kind for one in messages] == ["prompt", "command", "compact_summary"]
    assert [one.text for one in messages[:2]] == ["fix the lock", "/compact now"]


@pytest.mark.parametrize(
    ("own", "summary", "prompt", "expected"),
    [
        ("Mine", "A summary", "First", "Mine"),
        (" ", "A\nsummary", "First", "A summary"),
        (None, "", "First <b>\nwords", "First <b> words"),
        (None, None, "No prompt", ""),
        (None, None, "<system-reminder>x</system-reminder>", ""),
        (None, None, "x" * 500, "x" * 199 + "…"),
    ],
)
def test_a_title_is_the_sessions_own_else_its_summary_else_its_first_prompt(
    path: Path, own: str | None, summary: str | None, prompt: str, expected: str
) -> None:
    with Recalled(path) as made:
        made.session(ID, own).row(ID, "user", "go").note("first_prompt", ID, prompt)
        if summary is not None:
            made.note("summary", ID, summary)
    assert read(path)[0].head.title == expected


@BOTH
def test_summaries_plans_and_todo_lists_of_the_session_are_read_and_no_others(path: Path, later: bool) -> None:
    with Recalled(path, later) as made:
        made.session(ID, "JWT").row(ID, "user", "go").note("summary", ID, "We chose a lock", at=ms(NOON))
        made.note("plan", ID, "Step one").note("todo", f"{ID}-agent-{ID}", "[pending] test (Testing)", "Todo list")
        made.note("plan", "other-plan", "not ours").note("todo", f"{OTHER}-agent-{ID}", "nor this")
        made.note("todo", f"{ID}2-agent-x", "nor that").note("first_prompt", ID, "go")
    _, messages = read(path)
    assert texts(messages) == [
        ("compact_summary", "We chose a lock"),
        ("plan", "Step one"),
        ("plan", "[pending] test (Testing)"),
        ("prompt", "go"),
    ]


def test_what_is_left_of_a_session_without_a_row_of_its_own_is_read(path: Path) -> None:
    with Recalled(path) as made:
        made.row(ID, "user", "lonely words").row(None, "user", "nobody's").row("", "user", "nobody's too")
        made.note("summary", OTHER, "A lock").note("first_prompt", OTHER, "why the race?").note("plan", "p", "plan")
    assert list(sessions_in(path)) == [ID, OTHER, "p"]
    found, messages = read(path, "p")
    assert texts(messages) == [("plan", "plan")] and found.head.title == "plan"
    found, messages = read(path)
    assert texts(messages) == [("prompt", "lonely words")] and found.head.cwd == ""
    found, messages = read(path, OTHER)
    assert texts(messages) == [("prompt", "why the race?")] and found.head.title == "A lock"


def test_a_session_of_which_nothing_is_left_is_skipped(path: Path) -> None:
    with Recalled(path) as made:
        made.session(ID, "Empty").row(ID, "user", None).row(ID, "assistant", "").row(ID, "user", " \n")
    with SessionRecallDatabase(path) as database:
        found = database.conversation(database.sessions()[0])
    assert found == SkippedResult("no message in it")


def test_two_sessions_may_name_one_transcript(path: Path) -> None:
    with Recalled(path, strict=False) as made:
        for id in (ID, OTHER):
            made.session(id, path="-home-u-api/same.jsonl").row(id, "user", f"words of {id[-1]}")
    assert [texts(read(path, id)[1]) for id in (ID, OTHER)] == [[("prompt", "words of 1")], [("prompt", "words of 2")]]


def test_odd_values_are_taken_as_text_or_as_nothing(path: Path) -> None:
    with Recalled(path) as made:
        made.session(ID, "a\x00b").row(ID, "user", "nul \x00 inside").row(ID, "assistant", 42)
        made.row(ID, "assistant", b"blob \xff bytes").row(ID, "assistant", "x", tool=7)  # type: ignore[arg-type]
        made.run(
            "UPDATE sessions SET message_count = 'many', created_at = 'soon', updated_at = -1, project_path = NULL"
        )
        made.run("UPDATE messages SET content = CAST(X'6C6F6E65EDA080' AS TEXT) WHERE content = '42'")
    one = sessions_in(path)[ID]
    assert (one.message_count, one.created_at, one.updated_at, one.project_path) == (0, None, None, "")
    found, messages = read(path)
    assert [one.text for one in messages][:3] == ["nul \x00 inside", "lone\ufffd\ufffd\ufffd", "blob \ufffd bytes"]
    for text in (found.head.title, *(one.text for one in messages)):
        assert text.encode()


def test_a_huge_row_is_cut_and_a_long_session_is_never_held(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_recall_database, "MAX_CHARS", 1000)
    with Recalled(path) as made:
        made.session(ID).row(ID, "user", "start " + "y" * 5000)
        made.run("BEGIN")
        for number in range(400):
            made.row(ID, "assistant", f"{number} " + "z" * 990)
        made.run("COMMIT")
    assert len(read(path)[1][0].text) == 1000
    with SessionRecallDatabase(path) as database:
        tracemalloc.start()
        found = database.conversation(database.sessions()[0])
        assert isinstance(found, Conversation) and sum(1 for _ in found.messages()) == 401
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 200_000 < 400 * 990


def test_columns_of_newer_versions_are_passed_over_and_missing_ones_are_empty(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE sessions (id TEXT, colour TEXT)")
        made.execute("CREATE TABLE messages (session_id TEXT, type TEXT, content TEXT, mood BLOB)")
        made.execute("INSERT INTO sessions VALUES (?, 'red')", (ID,))
        made.execute("INSERT INTO messages VALUES (?, 'user', 'few words', x'00')", (ID,))
        made.commit()
    found, messages = read(path)
    assert texts(messages) == [("prompt", "few words")] and messages[0].at is None
    assert found.head.started_at is None


def test_a_session_that_grew_or_was_told_of_anew_is_another_edition_and_no_other_is(path: Path) -> None:
    with Recalled(path) as made:
        made.session(ID).session(OTHER).row(ID, "user", "one").row(OTHER, "user", "two")
    editions = [sessions_in(path)]
    for change in (
        f"INSERT INTO messages (session_id, type, content) VALUES ('{ID}', 'user', 'three')",
        f"INSERT INTO content (content_type, source_id, content) VALUES ('summary', '{ID}', 'short')",
        "UPDATE content SET content = 'longer'",
        f"UPDATE sessions SET title = 'New' WHERE id = '{ID}'",
        "UPDATE messages SET content = 'another' WHERE content = 'three'",
    ):
        changed(path, change)
        editions.append(sessions_in(path))
    assert len({one[ID].edition for one in editions}) == len(editions)
    assert len({one[OTHER].edition for one in editions}) == 1


def test_the_folder_of_a_session_is_the_one_on_disk_that_its_name_stands_for(tmp_path: Path) -> None:
    real = tmp_path / "my.own-app" / "sub"
    real.mkdir(parents=True)
    name = "".join(letter if letter.isalnum() else "-" for letter in str(real))
    lossy = name.replace("-", "/")
    assert lossy != str(real)
    assert SessionRecallSession(ID, lossy, jsonl_path=f"{name}/{ID}.jsonl").folder == str(real)
    assert SessionRecallSession(ID, "/gone/app", jsonl_path=f"-gone-app/{ID}.jsonl").folder == "/gone/app"
    assert SessionRecallSession(ID, "/elsewhere", jsonl_path=f"{ID}.jsonl").folder == "/elsewhere"
    assert project_folder.find_project_folder("C--Users-u") == "C--Users-u"


def names(path: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in path.parent.iterdir()}


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_reading_changes_nothing_and_makes_nothing(path: Path, mode: str) -> None:
    with Recalled(path) as made:
        made.session(ID).row(ID, "user", "words").run(f"PRAGMA journal_mode = {mode}")
    before = names(path)
    assert list(before) == [path.name]
    read(path)
    with SessionRecallDatabase(path) as database, pytest.raises(BrokenFileError, match="readonly"):
        list(database._rows("DELETE FROM messages"))
    assert names(path) == before


def test_what_stands_in_the_log_of_a_database_in_use_is_read(path: Path) -> None:
    with Recalled(path) as made:
        made.session(ID).run("PRAGMA wal_checkpoint(TRUNCATE)")
        before = file_state(path)
        made.row(ID, "user", "fresh words")
        assert file_state(path) != before
        files = set(names(path))
        assert texts(read(path)[1]) == [("prompt", "fresh words")]
        assert set(names(path)) == files


def test_a_log_that_cannot_be_opened_costs_only_what_stands_in_it(path: Path, tmp_path: Path) -> None:
    with Recalled(path) as made:
        made.session(ID).row(ID, "user", "old words").run("PRAGMA wal_checkpoint(TRUNCATE)").row(
            ID, "user", "new words"
        )
        copy = tmp_path / "copy" / path.name
        copy.parent.mkdir()
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{copy}{ending}")
    (copy.parent / f"{copy.name}-shm").symlink_to(tmp_path / "nowhere" / "index")
    assert texts(read(copy)[1]) == [("prompt", "old words")]


def test_a_path_with_signs_of_addresses_in_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "a?b#c%20d ü" / "session-index.db"
    with Recalled(path) as made:
        made.session(ID).row(ID, "user", "words")
    assert texts(read(path)[1]) == [("prompt", "words")]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is empty"),
        (b"not a database, " * 500, "it is no SQLite database"),
        (b"SQLite format 3\0", "not a database|disk image|no sessions|is no index"),
        (b"SQLite format 3\0" + b"\xff" * 5000, "not a database|disk image"),
    ],
)
def test_what_is_no_database_is_refused_with_its_path_and_the_reason(path: Path, content: bytes, reason: str) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(BrokenFileError, match=reason) as caught:
        SessionRecallDatabase(path)
    assert str(path) in caught.value.message and caught.value.hint


def test_another_tools_database_is_refused(path: Path) -> None:
    with Recalled(path) as made:
        made.run("DROP TABLE sessions", "CREATE TABLE sessions (name TEXT)")
    with pytest.raises(BrokenFileError, match="sessions has no id"):
        SessionRecallDatabase(path)


def test_a_missing_file_and_a_folder_are_refused(path: Path) -> None:
    with pytest.raises(BrokenFileError, match="No such file"):
        SessionRecallDatabase(path)
    path.mkdir(parents=True)
    assert file_state(path) is None
    with pytest.raises(BrokenFileError, match="directory"):
        SessionRecallDatabase(path)


def test_a_locked_database_is_refused_with_advice(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_file, "BUSY_TIMEOUT_SECONDS", 0.01)
    with Recalled(path) as made:
        made.session(ID).run("PRAGMA journal_mode = DELETE", "BEGIN EXCLUSIVE")
        with pytest.raises(BrokenFileError, match="locked") as caught:
            SessionRecallDatabase(path)
    assert "try again" in caught.value.hint


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_database_is_read_or_refused_and_never_a_crash(path: Path, data: st.DataObject) -> None:
    if not path.exists():
        with Recalled(path) as made:
            made.session(ID, "T").session(OTHER)
            for number in range(40):
                made.row(ID if number % 2 else OTHER, "user", f"words {number} " * 80)
    whole = path.read_bytes()
    broken = path.with_name("broken.db")
    if data.draw(st.booleans()):
        broken.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    else:
        damaged = bytearray(whole)
        for _ in range(data.draw(st.integers(1, 30))):
            damaged[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
        broken.write_bytes(damaged)
    try:
        with SessionRecallDatabase(broken) as database:
            for one in database.sessions():
                found = database.conversation(one)
                if isinstance(found, Conversation):
                    assert all(message.text for message in found.messages())
    except RecallError as error:
        assert str(broken) in error.message
