"""Parse the output of model programs: the answer, the usage and the error.

Output in an unknown format is taken as the answer itself, unless it is a fragment of the program's known format.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from recall_tui.llm.model import Usage, provider_usage

_ENVELOPE = re.compile(r"\s*[\[{]\s*(?:\{\s*)?\"(?:type|subtype|session_id|response|stats|thread_id|is_error)\"\s*:")
_TRUNCATED = "its output breaks off"
_MAX_SKIPPED_CHARS = 1 << 14
"""Skipped text is dropped past this size: every error of the decoder counts the lines before it."""
_INPUT_TOKEN_KEYS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class ParsedOutput(NamedTuple):
    """The parsed output of a program."""

    text: str
    usage: Usage | None = None
    """None when the program reports none."""
    model: str = ""
    trouble: str = ""
    """The error in the program's words; empty on success."""


def parse_plain(out: str) -> ParsedOutput:
    """Parse the output of a program that prints the plain answer."""
    return ParsedOutput(out.strip())


def parse_claude(out: str) -> ParsedOutput:
    """Parse the output of `claude -p --output-format json`."""
    result = next((one for one in reversed(list(_objects(out))) if one.get("type") == "result"), None)
    if result is None:
        return _parse_fallback(out)
    used = _as_object(result.get("usage"))
    asked = [used.get(name) or 0 for name in _INPUT_TOKEN_KEYS]
    whole = sum(one for one in asked if isinstance(one, int))
    usage = provider_usage(whole, used.get("output_tokens"), result.get("total_cost_usd"))
    model = next(iter(_as_object(result.get("modelUsage"))), "")
    made, said = result.get("structured_output"), result.get("result")
    text = json.dumps(made, ensure_ascii=False) if isinstance(made, dict) else said if isinstance(said, str) else ""
    if result.get("is_error") or not text:
        return ParsedOutput("", usage, model, text or str(result.get("subtype") or "no result"))
    return ParsedOutput(text, usage, model)


def parse_codex(out: str) -> ParsedOutput:
    """Parse the output of `codex exec --json`: the agent's last message."""
    events = [one for one in _objects(out) if isinstance(one.get("type"), str) or isinstance(one.get("msg"), dict)]
    if not events:
        return _parse_fallback(out)
    text, trouble, asked, answered = "", "", 0, 0
    for event in events:
        item = _as_object(event.get("item")) or _as_object(event.get("msg"))
        if item.get("type") in ("agent_message", "assistant_message"):
            text = str(item.get("text") or item.get("message") or "")
        if event.get("type") in ("error", "turn.failed"):
            trouble = str(_as_object(event.get("error")).get("message") or event.get("message") or "it failed")
        if used := provider_usage(
            *(_as_object(event.get("usage")).get(name) for name in ("input_tokens", "output_tokens"))
        ):
            asked, answered = asked + used.asked, answered + used.answered
    usage = Usage(asked, answered) if asked or answered else None
    return ParsedOutput(text, usage, trouble="" if text else trouble or _TRUNCATED)


def parse_gemini(out: str) -> ParsedOutput:
    """Parse the output of `gemini --output-format json`."""
    found = next((one for one in _objects(out) if {"response", "error", "stats"} & one.keys()), None)
    if found is None:
        return _parse_fallback(out)
    models = _as_object(_as_object(found.get("stats")).get("models"))
    asked = answered = 0
    for one in models.values():
        tokens = _as_object(_as_object(one).get("tokens"))
        used = provider_usage(tokens.get("prompt"), tokens.get("candidates"))
        thoughts = provider_usage(0, tokens.get("thoughts"))
        asked += used.asked if used else 0
        answered += (used.answered if used else 0) + (thoughts.answered if thoughts else 0)
    usage = Usage(asked, answered) if asked or answered else None
    text = found.get("response")
    error = found.get("error")
    trouble = str(_as_object(error).get("message") or error) if error else ""
    if not isinstance(text, str) or not text:
        return ParsedOutput("", usage, trouble=trouble or "no response")
    return ParsedOutput(text, usage, next(iter(models), ""))


def _parse_fallback(out: str) -> ParsedOutput:
    """Parse output without a known event: the plain answer, or a truncated event."""
    return ParsedOutput("", trouble=_TRUNCATED) if _ENVELOPE.match(out) else parse_plain(out)


def _objects(out: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in the output: the whole output or those at the start of a line; other text is skipped."""
    decoder = json.JSONDecoder()
    at = 0
    while at < len(out):
        if at > _MAX_SKIPPED_CHARS:
            out, at = out[at:], 0
        if out[at] in "{[":
            try:
                found, at = decoder.raw_decode(out, at)
            except (ValueError, RecursionError):
                pass
            else:
                yield from (one for one in (found if isinstance(found, list) else [found]) if isinstance(one, dict))
        line = out.find("\n", at)
        at = len(out) if line < 0 else line + 1


def _as_object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
