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

_SPEAKERS = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "tool": "tool",
    "function": "tool",
}
"""The names under which hosts know them; what a system says is no part of a conversation."""
_DEEPEST = 40
"""Levels of a value that are looked into."""
_TIMES = ("timestamp", "at", "created_at", "time")


def records(messages: Iterable[object], session_id: str, told: Mapping[str, str]) -> list[dict[str, Any]]:
    """The records of the messages, each with the one before as its parent.

    `told` is what goes for all: `cwd`, `branch`, `model`, and `started_at` and `ended_at`, which are the times of the
    first and the last message where those bear none.
    """
    made: list[dict[str, Any]] = []
    seen: Counter[str] = Counter()
    for message in map(fields_of, messages):
        speaker = _SPEAKERS.get(str(message.get("role") or message.get("type") or "").lower())
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


def words_of(value: object) -> str:
    """A time, a path or a number as text; empty for nothing."""
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
    return "" if value is None else _sound(str(value))


def fields_of(item: object) -> Mapping[str, Any]:
    """The fields of a mapping or of an object; none of anything else."""
    if isinstance(item, Mapping):
        return item
    if hasattr(item, "__dict__"):
        return vars(item)
    names = getattr(type(item), "__slots__", ())
    return {name: getattr(item, name, None) for name in ((names,) if isinstance(names, str) else names)}


def _time(message: Mapping[str, Any]) -> str:
    for name in _TIMES:
        value = message.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            try:
                return datetime.fromtimestamp(value, UTC).isoformat()
            except (OverflowError, ValueError, OSError):
                continue
        if value is not None:
            return words_of(value)
    return ""


def _blocks(message: Mapping[str, Any], speaker: str | None) -> Iterator[dict[str, Any]]:
    content = message.get("content", message.get("text"))
    if speaker == "tool":
        answered = words_of(message.get("tool_call_id"))
        yield {"type": "tool_result", "tool_use_id": answered, "content": _plain(content)}
        return
    for item in content if isinstance(content, list | tuple) else (content,):
        if block := _block(item):
            yield block
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list | tuple) else ():
        yield _call(fields_of(call))


def _block(item: object) -> dict[str, Any] | None:
    """One block of a message's content; None when there is nothing in it."""
    if item is None or isinstance(item, str):
        return _said(item or "")
    block = fields_of(item)
    kind = str(block.get("type") or "")
    text = block.get("text")
    if isinstance(text, str) and not kind.endswith(("tool_use", "tool_result")):
        return _said(text)
    if kind.endswith("tool_use"):
        return {"type": kind, **_kept(block, "id", "name", "input")}
    if kind.endswith("tool_result"):
        return {"type": kind, **_kept(block, "tool_use_id", "content", "is_error")}
    if kind == "thinking":
        return {"type": kind, "thinking": _sound(str(block.get("thinking") or ""))}
    name = kind.removeprefix("input_").removesuffix("_url") or type(item).__name__
    return _said(f"[{name}]")


def _said(text: str) -> dict[str, Any] | None:
    return {"type": "text", "text": _sound(text)} if text.strip() else None


def _kept(block: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: _plain(block[name]) for name in names if name in block}


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    """A call of a tool as other agents write it: the arguments are JSON in a text."""
    named = fields_of(call.get("function") or call)
    given = named.get("arguments", named.get("args", {}))
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            given = {"input": given}
    return {
        "type": "tool_use",
        "id": words_of(call.get("id")),
        "name": words_of(named.get("name")),
        "input": _plain(given if isinstance(given, dict) else {"input": given}),
    }


def _plain(value: object, depth: int = 0) -> Any:
    """The value as JSON can hold it, secrets marked; what cannot be held is named in brackets."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return _sound(value)
    if depth < _DEEPEST and isinstance(value, Mapping):
        return {str(name): _plain(item, depth + 1) for name, item in value.items()}
    if depth < _DEEPEST and isinstance(value, list | tuple):
        return [_plain(item, depth + 1) for item in value]
    fields = fields_of(value) if depth < _DEEPEST else {}
    return _plain(dict(fields), depth + 1) if fields else f"[{type(value).__name__}]"


def _sound(text: str) -> str:
    return redact(text.encode("utf-8", "replace").decode("utf-8"))
