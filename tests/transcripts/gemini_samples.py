"""Transcripts of Gemini CLI, made up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SESSION = "9e310000-0000-4000-8000-000000000001"


def opening(session: str = SESSION, **more: Any) -> dict[str, Any]:
    """The first record of a chat."""
    return {"sessionId": session, "projectHash": "00ff", "startTime": "2026-03-06T09:00:00.000Z", **more}


def user(id: str, content: Any, **more: Any) -> dict[str, Any]:
    """A record of the person."""
    return {"id": id, "timestamp": f"2026-03-06T09:0{id[-1]}:00.000Z", "type": "user", "content": content, **more}


def agent(id: str, content: Any = "", **more: Any) -> dict[str, Any]:
    """A record of the agent."""
    return user(id, content, model="gemini-x", **more) | {"type": "gemini"}


def tool(response: Any, *, name: str = "read_file", status: str = "success", **args: Any) -> dict[str, Any]:
    """A tool call with its result."""
    answer = [{"functionResponse": {"id": "t1", "name": name, "response": response}}]
    return {"id": "t1", "name": name, "args": args, "result": answer, "status": status}


def lines(*records: Any) -> bytes:
    """The records as a file of lines."""
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def chat(folder: Path, content: bytes, name: str = "session-2026-03-06T09-00-9e310000.jsonl") -> Path:
    """Write a chat into the folder."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
