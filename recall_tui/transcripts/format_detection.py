"""Whose format a file is in, judged by its first lines.

The formats that are read here are always recognised; another agent's is named when it bears a mark of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

CLAUDE_CODE = "Claude Code"
CODEX = "Codex"
GEMINI = "Gemini CLI"
SUPPORTED_AGENTS = (CLAUDE_CODE, CODEX, GEMINI)
"""The agents whose transcripts this package reads itself."""
_MAX_LINES = 50
_CLAUDE_TYPES = frozenset(
    {"summary", "ai-title", "custom-title", "agent-name", "agent-setting", "tag", "last-prompt", "queue-operation"}
    | {"file-history-snapshot", "mode", "permission-mode", "pr-link", "bridge-session", "turn_end", "cost-state"}
    | {"session_start", "attachment", "progress", "system"}
)
_CODEX_TYPES = frozenset(["session_meta", "response_item", "request_item", "event_msg", "turn_context", "compacted"])
_BARE_CODEX_TYPES = frozenset(["message", "reasoning", "function_call", "function_call_output"])
"""Of lines that older versions wrote without an envelope."""
_IFLOW_SESSION = re.compile(r"session-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}")
_CLAUDE_PREFIX = re.compile(
    rb'"(?:parentUuid|isSidechain|isSnapshotUpdate)"\s*:'
    rb'|"type"\s*:\s*"(?:file-history-snapshot|queue-operation)"'
)
"""Marks in a first line that is longer than what is looked at."""
_GEMINI_OBJECT = re.compile(rb'\A\s*\{\s*"sessionId"\s*:.*"(?:projectHash|messages)"\s*:', re.DOTALL)
_AIDER = re.compile(rb"\A\s*#\s*aider chat started at ")

_FormatCheck = Callable[[Mapping[str, Any]], bool]


def detect_format(path: Path, head: bytes) -> str:
    """The name of the agent that wrote a file, empty when it cannot be told from the first bytes."""
    if _AIDER.match(head):
        return "Aider"
    record: Mapping[str, Any] | None = None
    for record in _records(head):
        for name, is_marked in _FORMAT_CHECKS:
            if is_marked(record):
                return _pi_or_openclaw(path) if name == "pi" else name
    if record is not None:
        return ""
    if _GEMINI_OBJECT.match(head):
        return GEMINI
    return CLAUDE_CODE if _CLAUDE_PREFIX.search(head) else ""


def _records(head: bytes) -> Iterator[Mapping[str, Any]]:
    for line in head.split(b"\n", _MAX_LINES)[:_MAX_LINES]:
        try:
            record = json.loads(line.decode("utf-8-sig", "replace"))
        except (ValueError, RecursionError):
            continue
        if record and isinstance(record, dict):
            yield record


def _file_type(record: Mapping[str, Any]) -> str:
    kind = record.get("type")
    return kind if isinstance(kind, str) else ""


def _is_codex(record: Mapping[str, Any]) -> bool:
    if "payload" in record:
        return _file_type(record) in _CODEX_TYPES
    if _file_type(record) in _BARE_CODEX_TYPES:
        return "role" in record or "call_id" in record or "summary" in record
    is_opening = not _file_type(record) and {"id", "timestamp"} <= record.keys()
    return record.get("record_type") == "state" or (is_opening and bool({"instructions", "git"} & record.keys()))


def _is_copilot(record: Mapping[str, Any]) -> bool:
    if "resourceSpans" in record:
        return True
    agent = record.get("agent")
    is_event = _file_type(record).startswith(("session.", "user.", "assistant.", "tool."))
    return (is_event and "data" in record) or (isinstance(agent, str) and agent.startswith("copilot"))


def _is_gemini(record: Mapping[str, Any]) -> bool:
    is_opening = "sessionId" in record and ("projectHash" in record or "$set" in record)
    return is_opening or _file_type(record) == "gemini" or "$rewindTo" in record


def _is_pi(record: Mapping[str, Any]) -> bool:
    is_start = _file_type(record) == "session" and "id" in record
    return is_start or (_file_type(record) == "message" and isinstance(record.get("message"), dict))


def _is_posit(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("id"), int) and isinstance(record.get("message"), dict) and "type" not in record


def _is_cursor(record: Mapping[str, Any]) -> bool:
    return "role" in record and "message" in record and "type" not in record


def _is_iflow(record: Mapping[str, Any]) -> bool:
    session = record.get("sessionId")
    return isinstance(session, str) and _IFLOW_SESSION.fullmatch(session) is not None and "uuid" in record


def _is_claude(record: Mapping[str, Any]) -> bool:
    kind = _file_type(record)
    if kind in ("user", "assistant"):
        return "message" in record or "uuid" in record or "sessionId" in record
    return kind in _CLAUDE_TYPES


_FORMAT_CHECKS: tuple[tuple[str, _FormatCheck], ...] = (
    (CODEX, _is_codex),
    ("GitHub Copilot", _is_copilot),
    (GEMINI, _is_gemini),
    ("pi", _is_pi),
    ("Posit Assistant", _is_posit),
    ("Cursor", _is_cursor),
    ("iFlow", _is_iflow),
    (CLAUDE_CODE, _is_claude),
)


def _pi_or_openclaw(path: Path) -> str:
    """OpenClaw is built on pi and writes its format."""
    whole = str(path).lower()
    if "openclaw" in whole:
        return "OpenClaw"
    return "pi" if ".pi" in path.parts else "pi or OpenClaw"
