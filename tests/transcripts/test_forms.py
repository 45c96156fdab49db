"""Older forms and agents in editors: each sample is read as it was counted, and nothing else of a database is."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from recall_tui.domain import Conversation
from recall_tui.environment import Environment
from recall_tui.errors import BrokenFileError
from recall_tui.features.capture.session_reader import copied_lines
from recall_tui.storage.archives import retained
from recall_tui.testing import check_reader
from recall_tui.transcripts import whole_file
from recall_tui.transcripts.cursor import chats as cursor_chats
from recall_tui.transcripts.goose import sessions as goose_sessions
from recall_tui.transcripts.jsonl import read_head
from recall_tui.transcripts.opencode import database as opencode_database
from recall_tui.transcripts.reader import TranscriptFile
from recall_tui.transcripts.registry import all_readers, discover_all, own_reader, read_transcript
from tests.transcripts.form_samples import SESSIONS, TOKEN, TOKENS, copied_form

AGENTS = list(SESSIONS)


def found_files(agent: str, home: Path) -> dict[str, TranscriptFile]:
    """The sessions of a sample by their ids."""
    environment = Environment(copied_form(agent, home), home, {})
    return {one.session_id: one for one in discover_all(environment)}


def opened(path: Path) -> Conversation:
    found = read_transcript(path)
    assert isinstance(found, Conversation), found
    return found


def said(path: Path) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in opened(path).messages() if not one.is_sidechain]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_form_is_read_as_it_was_counted(agent: str, tmp_path: Path) -> None:
    check_reader(own_reader(agent), copied_form(agent, tmp_path / "home"), SESSIONS[agent], secrets=[TOKEN])


@pytest.mark.parametrize("agent", AGENTS)
def test_a_session_is_its_agents_alone_and_its_copy_reads_the_same(agent: str, tmp_path: Path) -> None:
    for id, file in found_files(agent, tmp_path / "home").items():
        assert file.agent == agent
        head = read_head(file.path)
        assert [reader.agent for reader in all_readers() if reader.claims(file.path, head)] == [agent]
        if SESSIONS[agent][id] is None:
            continue
        read = opened(file.path)
        assert read.head.tokens == TOKENS.get(id, 0)
        assert own_reader(agent).read_folder(file.path) in (read.head.cwd, "")
        copy = retained.stage_copy(read.head, tmp_path, copied_lines)
        again = opened(copy.rename(tmp_path / f"{id}.jsonl.zst"))
        assert (again.head.agent, again.head.session_id, again.head.content_hash) == (
            agent,
            id,
            read.head.content_hash,
        )
        assert list(again.messages()) == list(read.messages())


@pytest.mark.parametrize("agent", AGENTS)
def test_what_lies_beside_a_chat_is_never_in_its_lines(agent: str, tmp_path: Path) -> None:
    for file in found_files(agent, tmp_path).values():
        assert TOKEN.encode() not in read_head(file.path)


def test_a_tool_that_an_older_cline_asks_for_in_words_is_no_speech_of_a_person(tmp_path: Path) -> None:
    (file,) = found_files("cline-editor", tmp_path).values()
    assert said(file.path) == [
        ("prompt", "what is here?"),
        ("reply", "<thinking>look</thinking>\n<list_files>\n<path>.</path>\n</list_files>"),
        ("tool_result", "a.py\nb.py"),
        ("reply", "Two files."),
        ("prompt", "name them"),
        ("reply", "a.py and b.py."),
    ]


def test_a_summary_and_a_thought_of_roo_are_what_they_are(tmp_path: Path) -> None:
    (file,) = found_files("roo", tmp_path).values()
    assert [kind for kind, _ in said(file.path)] == [
        *("prompt", "thought", "reply", "tool_call", "tool_result", "reply", "compact_summary", "prompt", "reply")
    ]


def test_a_broken_list_of_tasks_is_read_once_for_all_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied_form("cline-editor", tmp_path)
    (listing,) = tmp_path.rglob("taskHistory.json")
    listing.write_text("[" * 9)
    (task,) = (one.parent for one in tmp_path.rglob("api_conversation_history.json"))
    for number in range(30):
        shutil.copytree(task, task.with_name(str(int(task.name) + 1 + number)))
    waits: list[float] = []
    monkeypatch.setattr(whole_file.time, "sleep", waits.append)
    assert len(discover_all(Environment(tmp_path, tmp_path, {}))) == 31
    assert len(waits) == 1


def test_changes_of_a_chat_are_made_in_their_order(tmp_path: Path) -> None:
    files = found_files("vscode", tmp_path)
    first = next(one for id, one in files.items() if id.endswith("1"))
    assert said(first.path) == [
        ("prompt", "why does it retry?"),
        ("thought", "A loop."),
        ("reply", "It compares wrongly in retry.py."),
        ("tool_call", "run_in_terminal make test"),
        ("tool_result", "Ran it: 3 passed"),
        ("reply", "Done."),
    ]
    lost = next(one for id, one in files.items() if id.endswith("2"))
    assert said(lost.path)[-1] == ("reply", "the network was lost")


def test_what_goose_compacted_is_a_summary(tmp_path: Path) -> None:
    file = found_files("goose", tmp_path)["20260306_2"]
    assert ("compact_summary", "Summary: the cache is cold.") in said(file.path)


ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT {} FROM c"
VIEWS = {
    "session": "id, parent_id, directory, title, version, revert, model, time_created, time_updated",
    "sessions": "id, name, description, user_set_name, session_type, working_dir, created_at, updated_at",
    "message": "id, session_id, time_updated, data",
    "messages": "id, session_id, role, content_json, created_timestamp, metadata_json",
    "part": "id, message_id, session_id, data",
    "cursorDiskKV": "key, value",
}


@pytest.mark.parametrize("module", [opencode_database, goose_sessions, cursor_chats])
def test_views_in_the_place_of_tables_are_no_sessions(module: Any, tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    with closing(sqlite3.connect(path)) as made, made:
        for name, columns in VIEWS.items():
            told = ", ".join(f"'ses_' || n AS {column}" for column in columns.split(", "))
            made.execute(f"CREATE VIEW {name} AS {ENDLESS.format(told)}")
    with pytest.raises(BrokenFileError, match="it holds no sessions"):
        module.list_sessions(path)
