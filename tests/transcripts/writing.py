"""Transcripts written record by record, as Claude Code would write them."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

SESSION = "5e551011-0000-4000-8000-000000000001"
START = datetime(2026, 3, 6, 9, 0, tzinfo=UTC)
NEXT = object()
"""The parent of a record that simply follows the last one."""


def uuid_of(number: int) -> str:
    """The uuid of the record with a number."""
    return str(uuid.UUID(int=number + (0xFACE << 96)))


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(id: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def result(id: str, content: Any, *, is_error: bool = False) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error}


@dataclass
class Log:
    """The records of one file, each a minute after the one before."""

    session: str = SESSION
    first: int = 1
    """The number of the first uuid."""
    lines: list[str] = field(default_factory=list)
    last: str | None = None

    def record(self, type: str, *, parent: Any = NEXT, own: Any = NEXT, **more: Any) -> str:
        """Write a record of the chain and return its uuid."""
        place = len(self.lines)
        own = uuid_of(self.first + place) if own is NEXT else own
        made = {
            "parentUuid": self.last if parent is NEXT else parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/u/api",
            "sessionId": self.session,
            "version": "2.1.0",
            "gitBranch": "main",
            "type": type,
            "uuid": own,
            "timestamp": (START + timedelta(minutes=place)).isoformat().replace("+00:00", "Z"),
        } | more
        self.raw(json.dumps(made))
        self.last = own
        return str(own)

    def user(self, content: Any, **more: Any) -> str:
        return self.record("user", message={"role": "user", "content": content}, **more)

    def agent(self, *blocks: Any, id: str | None = "", **more: Any) -> str:
        """A message of the agent, one of its own unless an id is given; without any for None."""
        message = {"role": "assistant", "model": "claude-x", "content": list(blocks)}
        if id is not None:
            message["id"] = id or f"msg_{self.first + len(self.lines)}"
        return self.record("assistant", message=message, **more)

    def plain(self, **record: Any) -> None:
        """A record as it is given, such as a title."""
        self.raw(json.dumps(record))

    def raw(self, line: str) -> None:
        self.lines.append(line)

    def write(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes("".join(line + "\n" for line in self.lines).encode("utf-8", "surrogatepass"))
        return path
