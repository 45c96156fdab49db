"""Messages that a host program holds in memory, as the records of a transcript.

Whatever is handed in becomes records that can be read: what is no text is named in brackets, secrets are marked, and
what has no speaker is left out. The same messages make the same records.
"""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from recall_tui.text.secrets.redact import redact

_SPEAKER_NAMES = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "tool": "tool",
    "function": "tool",
}
"""The names under which hosts know them; what a system says is no part of a conversation."""
_MAX_DEPTH = 40
"""Levels of a value that are looked into."""
_TIME_FIELDS = ("timestamp", "at", "created_at", "time")


def to_records(messages: Iterable[object], session_id: str, told: Mapping[str, str]) -> list[dict[str, Any]]:
    """The records of the messages, each with the one before as its parent.

    `told` is what goes for all: `cwd`, `branch`, `model`, and `started_at` and `ended_at`, which are the times of the
    first and the last message where those bear none.
    """
    made: list[dict[str, Any]] = []
    seen: Counter[str] = Counter()
    for message in map(object_fields, messages):
        speaker = _SPEAKER_NAMES.get(str(message.get("role") or message.get("type") or "").lower())
        blocks = list(_blocks(message, speaker)) if speaker else []
        if not blocks:
            continue
        words = json.dumps([speaker, blocks])
        seen[words] += 1
        record: dict[str, Any] = {
            "type": "assistant" if speaker == "assistant" else "user",
            "uuid": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{session_id!a}/{seen[words]}/{words}")),
            "parentUuid": made[-1]["uuid"] if made else None,
            "sessionId": session_id,
            "cwd": told.get("cwd", ""),
            "gitBranch": told.get("branch", ""),
            "timestamp": _time(message),
            "message": {"content": blocks, "model": told.get("model", "")},
        }
        made.append(record)
    for place, name in ((0, "started_at"), (-1, "ended_at")):
        if made and told.get(name):
            made[place]["timestamp"] = made[place]["timestamp"] or told[name]
    return made


def field_text(value: object) -> str:
    """A time, a path or a number as text; empty for nothing."""
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
    return "" if value is None else _clean_text(str(value))


def object_fields(item: object) -> Mapping[str, Any]:
    """The fields of a mapping or of an object; none of anything else."""
    if isinstance(item, Mapping):
        return item
    if hasattr(item, "__dict__"):
        return vars(item)
    names = getattr(type(item), "__slots__", ())
    return {name: getattr(item, name, None) for name in ((names,) if isinstance(names, str) else names)}


def _time(message: Mapping[str, Any]) -> str:
    for name in _TIME_FIELDS:
        value = message.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            try:
                return datetime.fromtimestamp(value, UTC).isoformat()
            except (OverflowError, ValueError, OSError):
                continue
        if value is not None:
            return field_text(value)
    return ""


def _blocks(message: Mapping[str, Any], speaker: str | None) -> Iterator[dict[str, Any]]:
    content = message.get("content", message.get("text"))
    if speaker == "tool":
        answered = field_text(message.get("tool_call_id"))
        yield {"type": "tool_result", "tool_use_id": answered, "content": _plain(content)}
        return
    for item in content if isinstance(content, list | tuple) else (content,):
        if block := _block(item):
            yield block
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list | tuple) else ():
        yield _call(object_fields(call))


def _block(item: object) -> dict[str, Any] | None:
    """One block of a message's content; None when there is nothing in it."""
    if item is None or isinstance(item, str):
        return _message_text(item or "")
    block = object_fields(item)
    kind = str(block.get("type") or "")
    text = block.get("text")
    if isinstance(text, str) and not kind.endswith(("tool_use", "tool_result")):
        return _message_text(text)
    if kind.endswith("tool_use"):
        return {"type": kind, **_plain_fields(block, "id", "name", "input")}
    if kind.endswith("tool_result"):
        return {"type": kind, **_plain_fields(block, "tool_use_id", "content", "is_error")}
    if kind == "thinking":
        return {"type": kind, "thinking": _clean_text(str(block.get("thinking") or ""))}
    name = kind.removeprefix("input_").removesuffix("_url") or type(item).__name__
    return _message_text(f"[{name}]")


def _message_text(text: str) -> dict[str, Any] | None:
    return {"type": "text", "text": _clean_text(text)} if text.strip() else None


def _plain_fields(block: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: _plain(block[name]) for name in names if name in block}


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    """A call of a tool as other agents write it: the arguments are JSON in a text."""
    named = object_fields(call.get("function") or call)
    given = named.get("arguments", named.get("args", {}))
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            given = {"input": given}
    return {
        "type": "tool_use",
        "id": field_text(call.get("id")),
        "name": field_text(named.get("name")),
        "input": _plain(given if isinstance(given, dict) else {"input": given}),
    }


def _plain(value: object, depth: int = 0) -> Any:
    """The value as JSON can hold it, secrets marked; what cannot be held is named in brackets."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return _clean_text(value)
    if depth < _MAX_DEPTH and isinstance(value, Mapping):
        return {str(name): _plain(item, depth + 1) for name, item in value.items()}
    if depth < _MAX_DEPTH and isinstance(value, list | tuple):
        return [_plain(item, depth + 1) for item in value]
    fields = object_fields(value) if depth < _MAX_DEPTH else {}
    return _plain(dict(fields), depth + 1) if fields else f"[{type(value).__name__}]"


def _clean_text(text: str) -> str:
    return redact(text.encode("utf-8", "replace").decode("utf-8"))
