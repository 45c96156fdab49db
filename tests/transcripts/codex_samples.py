"""Transcripts of Codex, made up."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

START = datetime(2026, 3, 6, 9, 0, tzinfo=UTC)


def id_at(at: datetime, number: int = 1) -> str:
    """A uuid of version 7, which begins with its time."""
    milliseconds = int(at.timestamp() * 1000)
    return str(uuid.UUID(int=milliseconds << 80 | 7 << 76 | 2 << 62 | number))


SESSION = id_at(START)


@dataclass
class Rollout:
    """The lines of a rollout, a second apart."""

    session: str = SESSION
    start: datetime = START
    lines: list[str] = field(default_factory=list)

    def line(self, type: str, /, **payload: Any) -> Rollout:
        at = (self.start + timedelta(seconds=len(self.lines))).isoformat().replace("+00:00", "Z")
        self.lines.append(json.dumps({"timestamp": at, "type": type, "payload": payload}))
        return self

    def meta(self, session: str = "", **more: Any) -> Rollout:
        made = {
            "id": session or self.session,
            "cwd": "/home/u/api",
            "cli_version": "0.150.0",
            "git": {"branch": "main"},
        }
        return self.line("session_meta", **made | more)

    def turn(self, id: str) -> Rollout:
        return self.line("turn_context", turn_id=id, model="gpt-x", cwd="/home/u/api")

    def item(self, type: str, /, **more: Any) -> Rollout:
        return self.line("response_item", type=type, **more)

    def event(self, type: str, /, **more: Any) -> Rollout:
        return self.line("event_msg", type=type, **more)

    def user(self, *texts: str) -> Rollout:
        return self.item("message", role="user", content=[{"type": "input_text", "text": text} for text in texts])

    def agent(self, text: str) -> Rollout:
        return self.item("message", role="assistant", content=[{"type": "output_text", "text": text}])

    @property
    def content(self) -> bytes:
        return "".join(line + "\n" for line in self.lines).encode("utf-8", "surrogatepass")

    def write(self, folder: Path, session: str = "") -> Path:
        path = folder / f"rollout-2026-03-06T09-00-00-{session or self.session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.content)
        return path
