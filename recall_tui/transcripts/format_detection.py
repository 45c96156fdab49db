"""Whose format a file is in, judged by its first lines.

The formats that are read here are always recognised; another agent's is named when it bears a mark of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from recall_tui.transcripts.reader import FormatMarks, record_type

_MAX_LINES = 50
_IFLOW_SESSION = re.compile(r"session-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}")

_FormatCheck = Callable[[Mapping[str, Any]], bool]


def detect_format(path: Path, head: bytes, known: Sequence[FormatMarks]) -> str:
    """Return the name of the agent that wrote a file; empty when its first bytes do not tell.

    Agents without a reader are recognised, too; those of `known` with broad marks are asked after them.
    """
    narrow, broad = ([(one.label, one.is_record) for one in known if one.is_broad is it] for it in (False, True))
    checks = (*narrow, *_OTHER_FORMATS, *broad)
    record: Mapping[str, Any] | None = None
    for record in _records(head):
        for name, is_marked in checks:
            if is_marked(record):
                return "OpenClaw" if name.startswith("pi") and "openclaw" in str(path).lower() else name
    if record is not None:
        return ""
    return next((one.label for one in known if one.is_head(head)), "")


def _records(head: bytes) -> Iterator[Mapping[str, Any]]:
    for line in head.split(b"\n", _MAX_LINES)[:_MAX_LINES]:
        try:
            record = json.loads(line.decode("utf-8-sig", "replace"))
        except (ValueError, RecursionError):
            continue
        if record and isinstance(record, dict):
            yield record


def _is_copilot(record: Mapping[str, Any]) -> bool:
    if "resourceSpans" in record:
        return True
    agent = record.get("agent")
    is_event = record_type(record).startswith(("session.", "user.", "assistant.", "tool."))
    return (is_event and "data" in record) or (isinstance(agent, str) and agent.startswith("copilot"))


def _is_pi(record: Mapping[str, Any]) -> bool:
    is_start = record_type(record) == "session" and "id" in record
    return is_start or (record_type(record) == "message" and isinstance(record.get("message"), dict))


def _is_posit(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("id"), int) and isinstance(record.get("message"), dict) and "type" not in record


def _is_cursor(record: Mapping[str, Any]) -> bool:
    return "role" in record and "message" in record and "type" not in record


def _is_iflow(record: Mapping[str, Any]) -> bool:
    session = record.get("sessionId")
    return isinstance(session, str) and _IFLOW_SESSION.fullmatch(session) is not None and "uuid" in record


_OTHER_FORMATS: tuple[tuple[str, _FormatCheck], ...] = (
    ("GitHub Copilot", _is_copilot),
    ("pi or OpenClaw", _is_pi),
    ("Posit Assistant", _is_posit),
    ("Cursor", _is_cursor),
    ("iFlow", _is_iflow),
)
