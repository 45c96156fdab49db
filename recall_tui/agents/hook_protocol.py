"""What agents say to a hook, and how they want to be answered: Claude Code, Codex and Gemini CLI.

Every field may be missing or of the wrong type and then counts as not said; nothing that an agent says is an error.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from recall_tui.domain.hook import EventName, HookAnswer, HookEvent

MAX_ANSWER_CHARS = 10_000
"""Characters of an answer's part that Claude Code hands to the model whole."""
_EVENTS: Mapping[str, EventName] = {
    "SessionStart": "start",
    "UserPromptSubmit": "prompt",
    "BeforeAgent": "prompt",
    "PreCompact": "compact",
    "PreCompress": "compact",
    "PostCompact": "compacted",
    "Stop": "stop",
    "AfterAgent": "stop",
    "SessionEnd": "end",
}
_GEMINI_EVENTS = ("BeforeAgent", "AfterAgent", "PreCompress")
_EVENT_NAMES: Mapping[str, Mapping[str, str]] = {
    "claude": {"start": "SessionStart", "prompt": "UserPromptSubmit"},
    "codex": {"start": "SessionStart", "prompt": "UserPromptSubmit"},
    "gemini": {"start": "SessionStart", "prompt": "BeforeAgent"},
}
"""The events whose answers reach the model, as each agent calls them."""
_HEADLESS_PREFIXES = ("sdk", "print", "exec")
"""How the entry points begin by which a program starts a session, where nobody looks on."""
_ENTRYPOINT_VARIABLE = "CLAUDE_CODE_ENTRYPOINT"


def parse_event(said: bytes, env: Mapping[str, str], *, event: str = "", agent: str = "") -> HookEvent | None:
    """The event in an agent's JSON; None for what is no object, or an event that we do not know.

    `event` and `agent` are what the command line says; the event in the JSON outranks it.
    """
    try:
        told = json.loads(said.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict):
        return None
    named = _text_field(told, "hook_event_name") or event
    name = find_event(named)
    if name is None:
        return None
    transcript, cwd = _path_field(told, "transcript_path"), _path_field(told, "cwd")
    is_subagent = bool(_text_field(told, "agent_id"))
    return HookEvent(
        name=name,
        agent=agent or _detect_agent(told, named, transcript),
        session_id=_text_field(told, "session_id"),
        transcript=transcript,
        cwd=cwd,
        prompt=_text_field(told, "prompt"),
        source=_text_field(told, "source"),
        reason=_text_field(told, "reason") or _text_field(told, "trigger"),
        summary=_text_field(told, "compact_summary"),
        is_child=is_subagent or _is_headless(told, env),
        is_subagent=is_subagent,
    )


def find_event(name: str) -> EventName | None:
    """The event that an agent, or a person, calls so."""
    if name in _EVENTS:
        return _EVENTS[name]
    return next((one for one in get_args(EventName) if one == name), None)


def render_answer(answer: HookAnswer, event: HookEvent) -> str:
    """The answer as the agent wants it, one JSON object on a line; empty for silence."""
    told: dict[str, object] = {}
    name = _EVENT_NAMES.get(event.agent, _EVENT_NAMES["claude"]).get(event.name)
    if answer.context and name:
        told["hookSpecificOutput"] = {"hookEventName": name, "additionalContext": answer.context[:MAX_ANSWER_CHARS]}
    if answer.message:
        told["systemMessage"] = answer.message[:MAX_ANSWER_CHARS]
    # ASCII: whatever the agent takes for the encoding of a pipe, it reads this.
    return json.dumps(told) + "\n" if told else ""


def _detect_agent(told: Mapping[str, Any], event: str, transcript: Path | None) -> str:
    """Whose words these are, by what only one agent says."""
    parts = transcript.parts if transcript else ()
    if event in _GEMINI_EVENTS or ".gemini" in parts:
        return "gemini"
    if ".codex" in parts or "turn_id" in told or (transcript is not None and transcript.name.startswith("rollout-")):
        return "codex"
    return "claude"


def _is_headless(told: Mapping[str, Any], env: Mapping[str, str]) -> bool:
    entry = _text_field(told, "entrypoint") or env.get(_ENTRYPOINT_VARIABLE, "")
    return entry.startswith(_HEADLESS_PREFIXES)


def _text_field(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name)
    return value if isinstance(value, str) else ""


def _path_field(told: Mapping[str, Any], name: str) -> Path | None:
    """The absolute path in a field; one that is relative, or holds what no path can, counts as not said."""
    value = _text_field(told, name)
    if not value or "\0" in value:
        return None
    path = Path(value)
    return path if path.is_absolute() else None
