"""The two HTTP dialects: OpenAI's, which most servers speak, and Anthropic's.

Pure: a request becomes a body, a response body becomes a completion. A part that a server refuses is omitted from the
next request.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, TypeVar

from recall_tui.llm.failure_text import first_line
from recall_tui.llm.model import Completion, Failure, JsonSchema, Usage, estimate_usage, provider_usage

_SCHEMA_NAME = "answer"
"""The name of the schema, and of the tool that takes the answer."""
_ANTHROPIC_VERSION = "2023-06-01"
_NO_ANSWER = "the model answered nothing"
Omissions = frozenset[str]


class ChatRequest(NamedTuple):
    """A request to a chat model."""

    model: str
    prompt: str
    system: str
    schema: JsonSchema | None
    max_tokens: int


_RequestT = TypeVar("_RequestT", contravariant=True)
_AnswerT = TypeVar("_AnswerT", covariant=True)


class Dialect(Protocol[_RequestT, _AnswerT]):
    """The request and response format of a server."""

    def headers(self, key: str) -> dict[str, str]:
        """Return the headers of every request; none of a key when `key` is empty."""

    def body(self, question: _RequestT, left_out: Omissions) -> dict[str, Any]:
        """Return the request body, without the parts that the server refused before."""

    def simpler(self, question: _RequestT, left_out: Omissions, said: str) -> Omissions | None:
        """Return the omissions to retry with after a refusal with the text `said`; None when no omission would help."""

    def understood(self, data: Mapping[str, Any], question: _RequestT) -> _AnswerT | Failure:
        """Parse the response body."""


class OpenAi:
    """The `/v1/chat/completions` dialect."""

    def __init__(self, is_openai: bool) -> None:
        names = ("max_completion_tokens", "max_tokens")
        self._limits = names if is_openai else names[::-1]

    def headers(self, key: str) -> dict[str, str]:
        """Return the bearer authorization header; empty without a key."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, question: ChatRequest, left_out: Omissions) -> dict[str, Any]:
        """Return the body with the request as messages and the schema as a response format."""
        system = [{"role": "system", "content": question.system}] if question.system else []
        body: dict[str, Any] = {
            "model": question.model,
            "messages": [*system, {"role": "user", "content": question.prompt}],
        }
        if limit := self._limit(left_out):
            body[limit] = question.max_tokens
        form = _response_format(question, left_out)
        if form == "json_schema":
            shape = {"name": _SCHEMA_NAME, "strict": True, "schema": question.schema}
            body["response_format"] = {"type": form, form: shape}
        elif form:
            body["response_format"] = {"type": form}
        return body

    def simpler(self, question: ChatRequest, left_out: Omissions, said: str) -> Omissions | None:
        """Omit the refused name of the token limit or the strictest response format."""
        words = said.lower()
        limit, form = self._limit(left_out), _response_format(question, left_out)
        if limit and limit in words:
            return left_out | {limit}
        if not form:
            return None
        is_named = any(word in words for word in ("response_format", "json", "schema"))
        return left_out | ({form} if is_named else {"json_schema", "json_object"})

    def understood(self, data: Mapping[str, Any], question: ChatRequest) -> Completion | Failure:
        """Parse the message of the first choice."""
        used = _as_object(data.get("usage"))
        usage = provider_usage(used.get("prompt_tokens"), used.get("completion_tokens"), used.get("cost"))
        choice = _as_object(_first(data.get("choices")))
        message = _as_object(choice.get("message"))
        text = _text(message.get("content"))
        if refusal := message.get("refusal"):
            return Failure(first_line(f"the model refuses: {refusal}"), usage=usage)
        if not text:
            return _no_answer(usage, choice.get("finish_reason") == "length", question)
        return _completion(text, usage, data, question)

    def _limit(self, left_out: Omissions) -> str:
        return next((name for name in self._limits if name not in left_out), "")


class Anthropic:
    """The `/v1/messages` dialect."""

    def headers(self, key: str) -> dict[str, str]:
        """Return the key and the API version."""
        return {"anthropic-version": _ANTHROPIC_VERSION} | ({"x-api-key": key} if key else {})

    def body(self, question: ChatRequest, left_out: Omissions) -> dict[str, Any]:
        """Return the body with the request as a message and the schema as a tool that the model must call."""
        body: dict[str, Any] = {
            "model": question.model,
            "max_tokens": question.max_tokens,
            "messages": [{"role": "user", "content": question.prompt}],
        }
        if question.system:
            body["system"] = question.system
        if question.schema and _SCHEMA_NAME not in left_out:
            tool = {"name": _SCHEMA_NAME, "description": "Takes the answer.", "input_schema": question.schema}
            body |= {"tools": [tool], "tool_choice": {"type": "tool", "name": _SCHEMA_NAME}}
        return body

    def simpler(self, question: ChatRequest, left_out: Omissions, said: str) -> Omissions | None:
        """Omit the tool."""
        is_with_tool = bool(question.schema) and _SCHEMA_NAME not in left_out
        return (
            left_out | {_SCHEMA_NAME} if is_with_tool and ("tool" in said.lower() or "schema" in said.lower()) else None
        )

    def understood(self, data: Mapping[str, Any], question: ChatRequest) -> Completion | Failure:
        """Return the input of the tool call, else the text."""
        used = _as_object(data.get("usage"))
        names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        parts = [part for name in names if (part := provider_usage(used.get(name), 0))]
        usage = provider_usage(sum(part.asked for part in parts), used.get("output_tokens")) if parts else None
        content = data.get("content")
        blocks = [_as_object(block) for block in content] if isinstance(content, list) else []
        called = next((block.get("input") for block in blocks if block.get("type") == "tool_use"), None)
        text = json.dumps(called, ensure_ascii=False) if isinstance(called, dict) else _text(blocks)
        if data.get("stop_reason") == "refusal":
            return Failure("the model refuses", usage=usage)
        if not text:
            return _no_answer(usage, data.get("stop_reason") == "max_tokens", question)
        return _completion(text, usage, data, question)


def error_text(data: bytes) -> str:
    """Extract the error message from a response body, as far as possible."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return first_line(data[:2_000].decode("utf-8", "replace"))
    error = (
        _as_object(found).get("error") or _as_object(found).get("detail") or _as_object(found).get("message") or found
    )
    return first_line(str(_as_object(error).get("message") or error))


def _response_format(question: ChatRequest, left_out: Omissions) -> str:
    """Return the strictest response format that the server has not refused; empty without a schema."""
    if not question.schema:
        return ""
    return next((form for form in ("json_schema", "json_object") if form not in left_out), "")


def _completion(text: str, usage: Usage | None, data: Mapping[str, Any], question: ChatRequest) -> Completion:
    return Completion(
        text, usage or estimate_usage(question.system + question.prompt, text), first_line(str(data.get("model", "")))
    )


def _no_answer(usage: Usage | None, is_cut: bool, question: ChatRequest) -> Failure:
    reason = f"{_NO_ANSWER} within {question.max_tokens} tokens" if is_cut else _NO_ANSWER
    return Failure(reason, usage=usage)


def _text(content: object) -> str:
    """Return the text of a message, whose content may be a list of parts."""
    if isinstance(content, list):
        parts = (_as_object(part) for part in content)
        return "".join(str(part["text"]) for part in parts if part.get("type") == "text" and "text" in part)
    return content if isinstance(content, str) else ""


def _as_object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _first(value: object) -> object:
    return value[0] if isinstance(value, list) and value else None
