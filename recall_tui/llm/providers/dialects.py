"""The two ways in which models are asked over HTTP: that of OpenAI, which most servers speak, and that of Anthropic.

Pure: a question becomes a body, a body becomes an answer; what a server refuses of a question is left out of the next.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, TypeVar

from recall_tui.llm.failure_text import first_line
from recall_tui.llm.model import Completion, Failure, JsonSchema, Usage, estimate_usage, provider_usage

_SCHEMA_NAME = "answer"
"""The name of the form, or of the tool that takes it."""
_ANTHROPIC_VERSION = "2023-06-01"
_NO_ANSWER = "the model answered nothing"
Omissions = frozenset[str]


class ChatRequest(NamedTuple):
    """What is asked."""

    model: str
    prompt: str
    system: str
    schema: JsonSchema | None
    max_tokens: int


_RequestT = TypeVar("_RequestT", contravariant=True)
_AnswerT = TypeVar("_AnswerT", covariant=True)


class Dialect(Protocol[_RequestT, _AnswerT]):
    """How a server is spoken to."""

    def headers(self, key: str) -> dict[str, str]:
        """What goes with every question; without a key, none."""

    def body(self, question: _RequestT, left_out: Omissions) -> dict[str, Any]:
        """The question as the server takes it, without what it refused before."""

    def simpler(self, question: _RequestT, left_out: Omissions, said: str) -> Omissions | None:
        """What to leave out after the server refused the question with these words; None when nothing would help."""

    def understood(self, data: Mapping[str, Any], question: _RequestT) -> _AnswerT | Failure:
        """The answer that stands in what the server said."""


class OpenAi:
    """`/v1/chat/completions`."""

    def __init__(self, is_openai: bool) -> None:
        names = ("max_completion_tokens", "max_tokens")
        self._limits = names if is_openai else names[::-1]

    def headers(self, key: str) -> dict[str, str]:
        """The key as a bearer."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, question: ChatRequest, left_out: Omissions) -> dict[str, Any]:
        """The question as messages, its form as a response format."""
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
        """Another name of the limit, or a form that more servers know."""
        words = said.lower()
        limit, form = self._limit(left_out), _response_format(question, left_out)
        if limit and limit in words:
            return left_out | {limit}
        if not form:
            return None
        is_named = any(word in words for word in ("response_format", "json", "schema"))
        return left_out | ({form} if is_named else {"json_schema", "json_object"})

    def understood(self, data: Mapping[str, Any], question: ChatRequest) -> Completion | Failure:
        """The first choice's message."""
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
    """`/v1/messages`."""

    def headers(self, key: str) -> dict[str, str]:
        """The key and the version of the interface."""
        return {"anthropic-version": _ANTHROPIC_VERSION} | ({"x-api-key": key} if key else {})

    def body(self, question: ChatRequest, left_out: Omissions) -> dict[str, Any]:
        """The question as a message, its form as a tool that the model has to call."""
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
        """The question without the tool."""
        is_with_tool = bool(question.schema) and _SCHEMA_NAME not in left_out
        return (
            left_out | {_SCHEMA_NAME} if is_with_tool and ("tool" in said.lower() or "schema" in said.lower()) else None
        )

    def understood(self, data: Mapping[str, Any], question: ChatRequest) -> Completion | Failure:
        """What the tool was called with, else the text."""
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
    """What a server says that is wrong, as far as it can be found."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return first_line(data[:2_000].decode("utf-8", "replace"))
    error = (
        _as_object(found).get("error") or _as_object(found).get("detail") or _as_object(found).get("message") or found
    )
    return first_line(str(_as_object(error).get("message") or error))


def _response_format(question: ChatRequest, left_out: Omissions) -> str:
    """The strictest form that the server has not refused; none when none is wanted."""
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
    """The text of a message, which may be in parts."""
    if isinstance(content, list):
        parts = (_as_object(part) for part in content)
        return "".join(str(part["text"]) for part in parts if part.get("type") == "text" and "text" in part)
    return content if isinstance(content, str) else ""


def _as_object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _first(value: object) -> object:
    return value[0] if isinstance(value, list) and value else None
