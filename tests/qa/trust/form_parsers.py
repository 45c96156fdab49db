"""Older forms of sessions, and those of agents in editors, under attack: every value of a row or a file is the text."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

from recall_tui.domain import Conversation
from recall_tui.errors import RecallError
from recall_tui.transcripts import registry
from recall_tui.transcripts.cursor import chats as cursor_chats
from recall_tui.transcripts.editor_tasks import tasks
from recall_tui.transcripts.goose import sessions as goose_sessions
from recall_tui.transcripts.opencode import storage
from recall_tui.transcripts.shared_file import session_path
from recall_tui.transcripts.vscode import chats as vscode_chats
from tests.qa.trust.parsing import Parser, folder, written
from tests.transcripts.form_samples import FORMS

_EXTENSIONS = {
    "roo": "rooveterinaryinc.roo-cline",
    "cline-editor": "saoudrizwan.claude-dev",
    "kilo-editor": "kilocode.kilo-code",
}


def _sample(pattern: str) -> str:
    """The text of a file of the samples."""
    return next(iter(sorted(FORMS.glob(pattern)))).read_text(encoding="utf-8")


def _read(path: Path) -> None:
    found = registry.read_transcript(path)
    if isinstance(found, Conversation):
        said = [(one.kind, one.text, str(one.tool)) for one in found.messages()]
        json.dumps(said, ensure_ascii=False).encode("utf-8")
        assert found.head.session_id


def _clean(text: str) -> list[str]:
    return text.encode("utf-8", "replace").decode().split("\n")


def _goose(text: str) -> None:
    """Each line is the content of a message, and what is noted of it; the first one is all of the session."""
    path = folder() / "goose" / "sessions.db"
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    about, *others = _clean(text)
    with closing(sqlite3.connect(path, isolation_level=None)) as made:
        made.execute("PRAGMA journal_mode=OFF")
        made.executescript(
            "CREATE TABLE sessions(id, name, description, working_dir, created_at, updated_at, session_type,"
            " accumulated_total_tokens);"
            "CREATE TABLE messages(id INTEGER PRIMARY KEY, message_id, session_id, role, content_json,"
            " created_timestamp, metadata_json);"
        )
        made.execute("BEGIN")
        made.execute("INSERT INTO sessions VALUES('20260306_1', ?, ?, ?, ?, ?, ?, ?)", [about] * 7)
        for number, line in enumerate(others):
            role = ("user", "assistant", line)[number % 3]
            made.execute(
                "INSERT INTO messages VALUES(NULL, NULL, '20260306_1', ?, ?, ?, ?)", (role, line, number, line)
            )
        made.execute("COMMIT")
    for id in goose_sessions.list_sessions(path):
        _read(session_path(path, id))
    log = written(text, path.with_name("20260306_1.jsonl"))
    for id in goose_sessions.list_sessions(log):
        _read(session_path(log, id))


def _cursor(text: str) -> None:
    """The first line is the chat, each other a message of it; the whole text is a log, too."""
    path = folder() / "cursor" / "state.vscdb"
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    chat, *others = _clean(text)
    with closing(sqlite3.connect(path, isolation_level=None)) as made:
        made.execute("PRAGMA journal_mode=OFF")
        made.executescript("CREATE TABLE cursorDiskKV(key TEXT UNIQUE, value BLOB);")
        made.execute("BEGIN")
        made.execute("INSERT INTO cursorDiskKV VALUES('composerData:c', ?)", (chat,))
        made.executemany(
            "INSERT INTO cursorDiskKV VALUES(?, ?)",
            [(f"bubbleId:c:b{number}", line) for number, line in enumerate(others, 1)],
        )
        made.execute("COMMIT")
    for id in cursor_chats.list_sessions(path):
        _read(session_path(path, id))
    log = written(text, path.with_name("log.jsonl"))
    for id in cursor_chats.list_sessions(log):
        _read(session_path(log, id))


def _vscode(text: str) -> None:
    """The text is a log, an object, and the note of the workspace."""
    place = folder() / "vscode" / "aa11" / "chatSessions"
    log, whole = written(text, place / "c.jsonl"), written(text, place / "d.json")
    written(text, place.parent / "workspace.json")
    for path in (log, whole):
        for id in vscode_chats.list_sessions(path):
            _try_reading(session_path(path, id))


def _task(agent: str, text: str) -> None:
    """The text is the messages, the note of the task, and the list of all."""
    extension = folder() / agent / _EXTENSIONS[agent]
    path = written(text, extension / "tasks" / "1772791200000" / "api_conversation_history.json")
    written(text, path.with_name("history_item.json"))
    written(text, extension / "state" / "taskHistory.json")
    for id in tasks.list_sessions(path):
        _try_reading(session_path(path, id))


def _storage(text: str) -> None:
    """The text is a session, a message and a part."""
    place = folder() / "opencode" / "storage"
    path = written(text, place / "session" / "global" / "ses_a.json")
    written(text, place / "message" / "ses_a" / "msg_1.json")
    written(text, place / "part" / "msg_1" / "prt_1.json")
    for id in storage.list_sessions(path):
        _try_reading(session_path(path, id))


def _try_reading(path: Path) -> None:
    """A file that is rewritten as a whole may be none at all."""
    try:
        _read(path)
    except RecallError:
        return


_CONTENTS = [
    [{"type": "text", "text": "is it cold?"}],
    [{"type": "toolRequest", "id": "t", "toolCall": {"value": {"name": "sh", "arguments": {"command": "ls"}}}}],
    [{"type": "toolResponse", "id": "t", "toolResult": {"status": "error", "value": {"content": [], "isError": True}}}],
]
_GOOSE = "\n".join(("2026-03-06 10:00:00", *map(json.dumps, _CONTENTS)))
_CURSOR = "\n".join(
    map(
        json.dumps,
        (
            {"name": "T", "createdAt": 1, "fullConversationHeadersOnly": [{"bubbleId": f"b{n}"} for n in range(1, 5)]},
            {"type": 1, "text": "why?", "createdAt": "2026-03-06T10:00:00Z", "workspaceProjectDir": "/a"},
            {"type": 2, "thinking": {"text": "hm"}, "text": "So."},
            {"type": 2, "toolFormerData": {"name": "sh", "rawArgs": '{"command": "ls"}', "status": "error"}},
            {"role": "user", "message": {"content": [{"type": "text", "text": "<user_query>hi</user_query>"}]}},
        ),
    )
)
FORM_PARSERS = (
    Parser("goose transcript", _goose, (_GOOSE, _sample("goose/**/*.jsonl")), is_slow=True),
    Parser("cursor transcript", _cursor, (_CURSOR, _sample("cursor/**/*.jsonl")), is_slow=True),
    Parser(
        "vscode transcript",
        _vscode,
        (_sample("vscode/**/chatSessions/*.jsonl"), _sample("vscode/**/chatSessions/*.json")),
        ('{"kind":2,"k":["requests"],"v":[{}]}\n', '{"kind":1,"k":["requests",0,"message"],"v":"x"}\n'),
        is_slow=True,
    ),
    *(
        Parser(
            f"{agent} transcript",
            partial(_task, agent),
            (_sample(f"{agent}/**/api_conversation_history.json"), _sample("roo/**/history_item.json")),
            ("<task>", "[a for b] Result:", "<environment_details>"),
            is_slow=True,
        )
        for agent in _EXTENSIONS
    ),
    Parser(
        "opencode storage",
        _storage,
        (_sample("opencode/**/session/global/*.json"), _sample("opencode/**/prt_0003.json")),
        is_slow=True,
    ),
)
"""All of them."""
