"""What the server offers of a memory: tools, resources and prompts."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from recall_tui.errors import NotFoundError, RecallError, UsageError
from recall_tui.mcp import tools
from recall_tui.mcp.messages import INVALID_PARAMS, JsonObject, ProtocolError
from recall_tui.mcp.stdio import ClientDisconnected
from recall_tui.mcp.tools import Arguments, text_result
from recall_tui.storage.state import server_log

if TYPE_CHECKING:
    from recall_tui.mcp.server import Caller
    from recall_tui.workbench import Workbench

_PACKAGE = "recall_tui"
_SCHEME = "recall://"
_MARKDOWN = "text/markdown"
_RESOURCES: tuple[tuple[str, str, str], ...] = (
    ("memory", "Curated memory", "MEMORY.md, which every session starts with"),
    ("now", "Where things stand", "what a session that starts now is handed"),
)
_TEMPLATE: JsonObject = {
    "uriTemplate": f"{_SCHEME}{{ref}}",
    "name": "A page or a passage",
    "description": "a ref of search, a day such as day/2026-03-06, or a page by name",
    "mimeType": _MARKDOWN,
}
_PROMPTS: tuple[JsonObject, ...] = (
    {
        "name": "recall",
        "title": "What is known about a topic",
        "description": "What the memory holds about a topic, with sources",
        "arguments": [{"name": "topic", "description": "what it is about", "required": True}],
    },
    {"name": "handover", "title": "Where things stand", "description": "Where the last sessions left this project"},
)
_PROMPT_TOKENS = 2_000


class MemoryLibrary:
    """The memory that is found from the server's folder, opened anew for each request, so that settings count."""

    def __init__(self, open_memory: Callable[[], Workbench]) -> None:
        self._open = open_memory

    def tools(self) -> list[JsonObject]:
        """Return the definitions of the tools."""
        return list(tools.TOOLS)

    def call(self, name: str, arguments: Mapping[str, Any], caller: Caller, params: Mapping[str, Any]) -> JsonObject:
        """Call a tool and return its result; ProtocolError for an unknown one or arguments that do not fit."""
        if name not in {one["name"] for one in tools.TOOLS}:
            raise ProtocolError(INVALID_PARAMS, f"name: there is no tool {name[:100]}")
        given = Arguments(name, arguments)
        bench: Workbench | None = None
        try:
            bench = self._open()
            server_log.record_call(bench.store, caller.name)
            return self._call(name, bench, given, caller, params)
        except (ProtocolError, ClientDisconnected):
            raise
        except RecallError as error:
            if bench is not None and not isinstance(error, NotFoundError | UsageError):
                server_log.record_error(bench.store, caller.name, name, _error_text(error))
            return text_result(_error_text(error), is_error=True)
        except Exception as error:  # Whatever happens in a tool must not end the server.
            if bench is None:
                raise
            server_log.record_error(bench.store, caller.name, name, _describe(error))
            return text_result(
                f"{name} failed by an error of recall-tui itself; recall-tui doctor shows it", is_error=True
            )

    def _call(
        self, name: str, bench: Workbench, given: Arguments, caller: Caller, params: Mapping[str, Any]
    ) -> JsonObject:
        if name == "remember":
            from recall_tui.mcp.memory_proposal import propose_memory

            return propose_memory(bench, given, caller, params)
        if name == "search":
            from recall_tui.mcp.search_answer import search_answer

            return text_result(search_answer(bench, given))
        from recall_tui.mcp.read_answer import read_answer, recall_answer

        return text_result(read_answer(bench, given) if name == "read" else recall_answer(bench, given))

    def resources(self) -> list[JsonObject]:
        """Return the resources that are listed."""
        return [
            {"uri": _SCHEME + place, "name": name, "description": told, "mimeType": _MARKDOWN}
            for place, name, told in _RESOURCES
        ]

    def templates(self) -> list[JsonObject]:
        """Return the templates of resources."""
        return [dict(_TEMPLATE)]

    def read(self, uri: str) -> list[JsonObject] | None:
        """Return the contents of a resource; None when there is none."""
        from recall_tui.mcp.read_answer import project_state, quote_document

        if not uri.startswith(_SCHEME):
            return None
        reference = unquote(uri.removeprefix(_SCHEME)).removeprefix("day/")
        try:
            bench = self._open()
            if reference == "now":
                text = project_state(bench, _PROMPT_TOKENS)
            else:
                text = quote_document(bench, "MEMORY.md" if reference == "memory" else reference, tools.MAX_TOKENS)
        except NotFoundError:
            return None
        except RecallError as error:
            raise ProtocolError(INVALID_PARAMS, _error_text(error)) from error
        return [{"uri": uri, "mimeType": _MARKDOWN, "text": text}]

    def prompts(self) -> list[JsonObject]:
        """Return the prompts."""
        return list(_PROMPTS)

    def prompt(self, name: str, arguments: Mapping[str, Any]) -> JsonObject:
        """Return a prompt's messages; ProtocolError for an unknown one or a missing argument."""
        from recall_tui.mcp.read_answer import project_state, recall_answer

        if name == "handover":
            request, text = "Where do things stand? Say what was done last and what is open.", ""
        elif name == "recall":
            topic = Arguments("recall", {"question": arguments.get("topic"), "tokens": _PROMPT_TOKENS}).required(
                "question"
            )
            request, text = f"What is known about {topic}? Answer from the quoted passages and cite their refs.", topic
        else:
            raise ProtocolError(INVALID_PARAMS, f"name: there is no prompt {name[:100]}")
        try:
            bench = self._open()
            given = Arguments("recall", {"question": text, "tokens": _PROMPT_TOKENS})
            quoted = recall_answer(bench, given) if text else project_state(bench, _PROMPT_TOKENS)
        except RecallError as error:
            quoted = _error_text(error)
        embedded = {"type": "resource", "resource": {"uri": f"{_SCHEME}now", "mimeType": _MARKDOWN, "text": quoted}}
        return {
            "messages": [
                {"role": "user", "content": {"type": "text", "text": request}},
                {"role": "user", "content": embedded},
            ]
        }


def _describe(error: Exception) -> str:
    """Return the error with the place of the package that raised it, for a person who reports it."""
    places = [one for one in traceback.extract_tb(error.__traceback__) if _PACKAGE in one.filename]
    where = f", {Path(places[-1].filename).name}:{places[-1].lineno}" if places else ""
    return f"{type(error).__name__}{where}: {error}"


def _error_text(error: RecallError) -> str:
    return f"{error.message}; {error.hint}" if error.hint else error.message
