"""The tools: their definitions, and their arguments as they are given by models.

All definitions together stay short, as an agent pays for them in every session. Names that models reach for instead of
ours are taken without being advertised, and numbers may come as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recall_tui.mcp.messages import INVALID_PARAMS, JsonObject, ProtocolError

KINDS = ("any", "session", "memory", "wiki", "day")
MIN_TOKENS, MAX_TOKENS = 200, 8_000
SEARCH_TOKENS, READ_TOKENS, RECALL_TOKENS = 1_200, 1_500, 1_200
MAX_HITS, DEFAULT_HITS = 20, 6
MAX_MEMORY_CHARS = 600
MAX_TEXT_CHARS = 20_000
"""Of an argument; a longer text was pasted, and its beginning is enough to search for."""


def _tool(name: str, title: str, description: str, properties: JsonObject, *required: str) -> JsonObject:
    schema: JsonObject = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    schema["additionalProperties"] = False
    notes: JsonObject = {"title": title, "readOnlyHint": True, "openWorldHint": False}
    return {"name": name, "title": title, "description": description, "inputSchema": schema, "annotations": notes}


_TEXT: JsonObject = {"type": "string"}
_CURSOR: JsonObject = {"type": "string", "description": "Cursor of an earlier answer"}


def _tokens(default: int) -> JsonObject:
    return {"type": "integer", "minimum": MIN_TOKENS, "maximum": MAX_TOKENS, "default": default}


_SEARCH = _tool(
    "search",
    "Search past sessions",
    "Search everything past coding sessions on this machine said, decided and ran, and the curated memory. Use it "
    "before debugging an error, redoing work, or asking the user about earlier work ('didn't we fix this', 'why is it "
    "like that'). Plain questions, identifiers and pasted errors all work. Returns refs with snippets; open one with "
    "read.",
    {
        "query": {"type": "string", "description": "Question, identifier, or error text"},
        "file": {"type": "string", "description": "Only sessions that touched this file"},
        "project": {"type": "string", "description": "Folder or name; default: this project first, then the rest"},
        "since": {"type": "string", "description": "2w, 2026-03-01, last tuesday"},
        "until": _TEXT,
        "kind": {"type": "string", "enum": list(KINDS)},
        "limit": {"type": "integer", "minimum": 1, "maximum": MAX_HITS, "default": DEFAULT_HITS},
        "after": _CURSOR,
    },
    "query",
) | {"_meta": {"anthropic/searchHint": "memory history past sessions decisions recall previous conversation"}}
_READ = _tool(
    "read",
    "Read a passage",
    "Read what a ref of search stands for, or a page by name: a session id, 14:18-29, 2026-03-06, 2026-W10, "
    "wiki:jwt-auth, MEMORY. Long ones come in parts; ask again with the cursor that is given.",
    {
        "ref": _TEXT,
        "tokens": _tokens(READ_TOKENS),
        "tools": {"type": "boolean", "default": False, "description": "Tool calls and their output too"},
        "after": _CURSOR,
    },
    "ref",
)
_RECALL = _tool(
    "recall",
    "What is known",
    "One answer with its sources: the passages that hold the answer to a question, within a budget. Without a "
    "question: where this project stands (curated memory and the last sessions).",
    {"question": _TEXT, "project": _TEXT, "tokens": _tokens(RECALL_TOKENS)},
)
_REMEMBER = _tool(
    "remember",
    "Propose a memory",
    "Propose one durable fact, decision or correction for the curated memory, as a self-contained sentence. The user "
    "is asked, or it waits in their review; say which the answer tells. Not for progress notes: sessions are kept "
    "anyway.",
    {
        "text": {"type": "string", "maxLength": MAX_MEMORY_CHARS},
        "topic": {"type": "string", "description": "Topic file or wiki page; default: MEMORY.md"},
        "replaces": {"type": "string", "description": "Ref of a line that is no longer true"},
    },
    "text",
)
_REMEMBER["annotations"] = {
    "title": "Propose a memory",
    "readOnlyHint": False,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}
TOOLS: tuple[JsonObject, ...] = (_SEARCH, _READ, _RECALL, _REMEMBER)
_ALIASES = {
    "query": ("q", "text", "search", "question"),
    "ref": ("id", "path", "session_id", "uri"),
    "limit": ("max_results", "n"),
    "since": ("after_date", "from"),
    "question": ("query", "q"),
}


class Arguments:
    """The arguments of a call, each by its name or another that models use for it."""

    def __init__(self, tool: str, given: Mapping[str, Any]) -> None:
        self._given = given
        self._known: JsonObject = next(one for one in TOOLS if one["name"] == tool)["inputSchema"]["properties"]

    def _value(self, name: str) -> Any:
        others = (other for other in _ALIASES.get(name, ()) if other not in self._known)
        return next((self._given[one] for one in (name, *others) if self._given.get(one) is not None), None)

    def text(self, name: str) -> str:
        """Return a text, empty when there is none; ProtocolError for another type."""
        value = self._value(name)
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise ProtocolError(INVALID_PARAMS, f"{name}: it must be a text")
        return str(value).replace("\0", "").strip()[:MAX_TEXT_CHARS]

    def required(self, name: str) -> str:
        """Return a text; ProtocolError when there is none."""
        if value := self.text(name):
            return value
        raise ProtocolError(INVALID_PARAMS, f"{name}: it is missing")

    def number(self, name: str, default: int, least: int, most: int) -> int:
        """Return a whole number, brought within its limits; ProtocolError for what is none."""
        value = self._value(name)
        if value is None or value == "":
            return default
        try:
            found = default if isinstance(value, bool) else int(float(value))
        except (TypeError, ValueError, OverflowError):
            raise ProtocolError(INVALID_PARAMS, f"{name}: it must be a whole number") from None
        return min(max(found, least), most)

    def flag(self, name: str) -> bool:
        """Return True for true, also as text."""
        return str(self._value(name)).lower() in ("true", "1", "yes")


def text_result(text: str, *, is_error: bool = False) -> JsonObject:
    """Return a tool's result: one text."""
    result: JsonObject = {"content": [{"type": "text", "text": text}]}
    return {**result, "isError": True} if is_error else result
