"""Lines and objects of JSON as agents and this program write them; `seeds` holds the documents."""

from __future__ import annotations

import json

from tests.qa.trust.seeds import SESSION


def _lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


_AT = "2026-03-06T11:00:00.000Z"
CLAUDE = _lines(
    {
        "type": "user",
        "uuid": "u1",
        "parentUuid": None,
        "sessionId": SESSION,
        "timestamp": _AT,
        "cwd": "/home/u/api",
        "message": {"role": "user", "content": "why does it fail?"},
    },
    {
        "type": "assistant",
        "uuid": "u2",
        "parentUuid": "u1",
        "sessionId": SESSION,
        "timestamp": _AT,
        "message": {
            "id": "m1",
            "model": "x",
            "content": [
                {"type": "thinking", "thinking": "hm"},
                {"type": "text", "text": "Because."},
                {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make"}},
            ],
        },
    },
    {
        "type": "user",
        "uuid": "u3",
        "parentUuid": "u2",
        "sessionId": SESSION,
        "timestamp": _AT,
        "message": {
            "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "ok"}]}]
        },
    },
    {"type": "summary", "summary": "Fix", "leafUuid": "u2"},
)
CODEX = _lines(
    {
        "timestamp": _AT,
        "type": "session_meta",
        "payload": {"id": SESSION, "cwd": "/home/u/api", "cli_version": "0.150.0"},
    },
    {"timestamp": _AT, "type": "turn_context", "payload": {"turn_id": "1", "model": "gpt-x"}},
    {
        "timestamp": _AT,
        "type": "response_item",
        "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "why?"}]},
    },
    {
        "timestamp": _AT,
        "type": "response_item",
        "payload": {"type": "function_call", "name": "shell", "arguments": '{"command": ["ls"]}', "call_id": "c1"},
    },
    {
        "timestamp": _AT,
        "type": "response_item",
        "payload": {"type": "function_call_output", "call_id": "c1", "output": "a"},
    },
    {"timestamp": _AT, "type": "event_msg", "payload": {"type": "agent_message", "message": "Because."}},
    {"timestamp": _AT, "type": "compacted", "payload": {"message": "before"}},
)
GEMINI = _lines(
    {"sessionId": SESSION, "projectHash": "00ff", "startTime": _AT},
    {"id": "1", "timestamp": _AT, "type": "user", "content": "why?"},
    {
        "id": "2",
        "timestamp": _AT,
        "type": "gemini",
        "content": "Because.",
        "model": "gemini-x",
        "toolCalls": [
            {
                "id": "t1",
                "name": "read_file",
                "args": {"path": "a"},
                "status": "success",
                "result": [{"functionResponse": {"id": "t1", "name": "read_file", "response": {"output": "x"}}}],
            }
        ],
    },
    {"$rewindTo": "1"},
)
HOOK = json.dumps(
    {
        "hook_event_name": "UserPromptSubmit",
        "session_id": SESSION,
        "transcript_path": "/h/.claude/x.jsonl",
        "cwd": "/home/u/api",
        "prompt": "why?",
    }
)
SEARCH_LOG = _lines({"ts": _AT, "query": "jwt", "results": ["memory/2026-03-06.md"], "scores": [0.5], "best": 0.5})
PROPOSAL = json.dumps(
    {
        "id": "00112233",
        "kind": "wiki",
        "subject": "auth",
        "title": "t",
        "why": "w",
        "evidence": ["a.md:1"],
        "is_safe": True,
        "made_at": "2026-03-06T11:00:00+00:00",
        "changes": [{"path": "memory/wiki/auth.md", "text": "x", "was": ""}],
    }
)
SEARCHES = json.dumps({"recent": ["jwt"], "saved": [{"name": "a", "question": "b"}]})
BACKUP = json.dumps(
    {
        "day": "2026-03-06",
        "at": "2026-03-06T11:00:00+00:00",
        "layout": "entity",
        "files": [["memory/MEMORY.md", "ab" * 32, 120, 90, True, 1, 2, 3]],
        "left_out": [["memory/big.md", "it is large"]],
    }
)
JOURNAL = json.dumps(
    {
        "id": 1,
        "title": "t",
        "at": "2026-03-06T11:00:00+00:00",
        "by": "person",
        "undoes": 0,
        "subject": "",
        "changes": [
            {
                "path": "/m/a.md",
                "kind": "create",
                "was": "",
                "now": "aa",
                "old": None,
                "new": None,
                "size": 1,
                "private": True,
            }
        ],
    }
)
PARCEL = json.dumps({"schema": "recall-tui/1", "version": 1, "content": "memory", "files": []})
TOMBSTONES = json.dumps(
    {"forgotten": [{"name": "a.md", "on": "2026-03-06", "sessions": ["s"], "numbers": [1], "paths": []}]}
)
MASTERED = json.dumps(
    {"memory/master.md": {"version": 1, "at": "2026-03-06T12:00:00Z", "summaries": {"a.md": "00"}, "lines": "0011"}}
)
