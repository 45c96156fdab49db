"""The readers of sessions that share a file, or that are a single object."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

from recall_tui.domain import Conversation
from recall_tui.transcripts import registry, session_lines
from recall_tui.transcripts.aider import history
from recall_tui.transcripts.opencode import database
from recall_tui.transcripts.shared_file import session_path
from tests.qa.trust.parsing import Parser, folder, written

_ID = "ses_df45389b0ffe85l0ijAuWUdI4z"
_SCHEMA = """
CREATE TABLE session(id, parent_id, directory, title, version, revert, model, time_created, time_updated);
CREATE TABLE message(id, session_id, time_updated, data);
CREATE TABLE part(id, message_id, session_id, data);
"""


def _read(path: Path) -> None:
    found = registry.read_transcript(path)
    if isinstance(found, Conversation):
        said = [(one.kind, one.text, str(one.tool)) for one in found.messages()]
        json.dumps(said, ensure_ascii=False).encode("utf-8")
        assert found.head.session_id


def _database(agent: str, text: str) -> None:
    """The first line is what is said of the session, each other a message when it has a role, else a part of one."""
    path = folder() / agent / f"{agent}.db"
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    about, *others = text.encode("utf-8", "replace").decode().split("\n")
    with closing(sqlite3.connect(path, isolation_level=None)) as made:
        made.execute("PRAGMA journal_mode=OFF")
        made.executescript(_SCHEMA)
        made.execute("BEGIN")
        made.execute("INSERT INTO session VALUES(?,?,?,?,?,?,?,?,?)", (_ID, *[about] * 7, 1_772_791_200_000))
        for number, line in enumerate(others):
            if '"role"' in line or not number:
                message = f"msg_{number:06}"
                made.execute("INSERT INTO message VALUES(?,?,?,?)", (message, _ID, number, line))
            else:
                made.execute("INSERT INTO part VALUES(?,?,?,?)", (f"prt_{number:06}", message, _ID, line))
        made.execute("COMMIT")
    for id in database.list_sessions(path):
        _read(session_path(path, id))


def _history(text: str) -> None:
    path = written(text, folder() / "aider" / ".aider.chat.history.md")
    written(text, path.with_name(history.INPUT_FILE))
    for id in history.list_sessions(path):
        _read(session_path(path, id))


def _continue(text: str) -> None:
    """The session, and the list beside it."""
    path = written(text, folder() / "sessions" / "484800b5-67ab-4dce-83db-385253caf782.json")
    written(text if text.startswith("[") else f"[{text}]", path.with_name("sessions.json"))
    _read(path)


def _lines(text: str) -> None:
    found = session_lines.read_session(written(text, folder() / "lines" / "own.jsonl"), "opencode")
    if isinstance(found, Conversation):
        list(found.messages())


_OPENCODE = "\n".join(
    map(
        json.dumps,
        (
            {"id": "m", "messageID": "msg_000004", "partID": "prt_000005"},
            {"role": "user", "time": {"created": 1772791201000}},
            {"type": "text", "text": "what does it do?"},
            {"role": "assistant", "time": {"created": 1772791202000, "completed": 1772791203000}, "modelID": "m"},
            {"type": "reasoning", "text": "I look.", "time": {"start": 1772791202000}},
            {
                "type": "tool",
                "tool": "bash",
                "callID": "c",
                "state": {
                    "status": "completed",
                    "input": {"command": "ls"},
                    "output": "a",
                    "time": {"start": 1, "end": 2},
                },
            },
            {"type": "text", "text": "It lists."},
            {"role": "assistant", "error": {"name": "APIError", "data": {"message": "closed"}}},
        ),
    )
)
_CLINE = json.dumps(
    {
        "version": 1,
        "updated_at": "2026-03-06T10:00:00Z",
        "sessionId": "c1",
        "origin": {"version": "3"},
        "messages": [
            {
                "id": "1",
                "role": "user",
                "ts": 1772791201000,
                "content": [{"type": "text", "text": '<user_input mode="act">hi</user_input>'}],
            },
            {
                "id": "2",
                "role": "assistant",
                "modelInfo": {"id": "m"},
                "content": [
                    {"type": "thinking", "thinking": "t"},
                    {"type": "tool_use", "id": "c", "name": "run", "input": {"commands": ["ls"]}},
                ],
            },
            {
                "id": "3",
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "c",
                        "content": [{"query": "ls", "result": "a", "success": False}],
                    }
                ],
            },
        ],
    },
    indent=1,
)
_CONTINUE = json.dumps(
    {
        "sessionId": "s",
        "title": "T",
        "dateCreated": "1772791200000",
        "workspaceDirectory": "file:///home/u/p%20q",
        "history": [
            {
                "message": {
                    "role": "user",
                    "content": [{"type": "text", "text": "hi"}, {"type": "imageUrl", "imageUrl": {}}],
                }
            },
            {
                "message": {
                    "role": "assistant",
                    "content": "",
                    "toolCalls": [{"id": "c", "function": {"name": "Bash", "arguments": '{"command": "ls"}'}}],
                    "usage": {"model": "m"},
                },
                "toolCallStates": [{"toolCallId": "c", "status": "errored", "output": [{"content": "no"}]}],
            },
            {"message": {"role": "tool", "toolCallId": "c", "content": "no"}},
            {"message": {"role": "thinking", "content": "hm"}, "conversationSummary": "so far"},
        ],
    },
    indent=1,
)
_AIDER = """
# aider chat started at 2026-03-06 10:00:00

> Aider v0.86.2
> Main model: m with diff edit format

#### fix the cache
#### and the test

```py
#### no prompt
> nor a notice
```

> Tokens: 593 sent, 23 received.

# aider chat started at 2026-03-06 11:00:00

# 2026-03-06 10:00:02.000001
+fix the cache
+and the test
"""
_LINES = "\n".join(
    map(
        json.dumps,
        (
            {session_lines.SESSION_FIELD: "opencode", "id": _ID, "title": "T", "started": "2026-03-06T10:00:00Z"},
            {"kind": "prompt", "text": "hi", "at": "2026-03-06T10:00:00Z", "uuid": "1"},
            {"fault": "part 1 is too long"},
            {"kind": "tool_result", "text": "a", "tool": {"id": "c", "name": "n", "input": {"a": 1}}, "is_error": True},
        ),
    )
)

SESSIONS = (
    *(
        Parser(
            f"{agent} transcript",
            partial(_database, agent),
            (_OPENCODE,),
            ('{"type":"text","text":"x"}\n',),
            is_slow=True,
        )
        for agent in ("opencode", "kilo")
    ),
    Parser(
        "cline transcript",
        lambda text: _read(written(text, folder() / "c1" / "c1.messages.json")),
        (_CLINE,),
        is_slow=True,
    ),
    Parser(
        "continue transcript",
        _continue,
        (_CONTINUE,),
        is_slow=True,
    ),
    Parser(
        "aider transcript",
        _history,
        (_AIDER,),
        ("#### a\n", "# aider chat started at 2026-03-06 10:00:00\n"),
        is_slow=True,
    ),
    Parser("session lines", _lines, (_LINES,), ('{"kind":"reply","text":"x"}\n',)),
)
