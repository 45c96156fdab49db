"""What agents say to a hook, and how they want to be answered: Claude Code, Codex and Gemini CLI.

Every field may be missing or of the wrong type and then counts as not said; nothing that an agent says is an error.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from recall_tui.domain.hook import EventName, HookAnswer, HookEvent

LONGEST = 10_000
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
_OF_GEMINI = ("BeforeAgent", "AfterAgent", "PreCompress")
_NAMES: Mapping[str, Mapping[str, str]] = {
    "claude": {"start": "SessionStart", "prompt": "UserPromptSubmit"},
    "codex": {"start": "SessionStart", "prompt": "UserPromptSubmit"},
    "gemini": {"start": "SessionStart", "prompt": "BeforeAgent"},
}
"""The events whose answers reach the model, as each agent calls them."""
_HEADLESS = ("sdk", "print", "exec")
"""How the entry points begin by which a program starts a session, where nobody looks on."""
_ENTRYPOINT = "CLAUDE_CODE_ENTRYPOINT"


def parse(said: bytes, env: Mapping[str, str], *, event: str = "", agent: str = "") -> HookEvent | None:
    """The event in an agent's JSON; None for what is no object, or an event that we do not know.

    `event` and `agent` are what the command line says; the event in the JSON outranks it.
    """
    try:
        told = json.loads(said.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict):
        return None
    named = _word(told, "hook_event_name") or event
    name = named_event(named)
    if name is None:
        return None
    transcript, cwd = _path(told, "transcript_path"), _path(told, "cwd")
    is_subagent = bool(_word(told, "agent_id"))
    return HookEvent(
        name=name,
        agent=agent or _agent(told, named, transcript),
        session_id=_word(told, "session_id"),
        transcript=transcript,
        cwd=cwd,
        prompt=_word(told, "prompt"),
        source=_word(told, "source"),
        reason=_word(told, "reason") or _word(told, "trigger"),
        summary=_word(told, "compact_summary"),
        is_child=is_subagent or _is_headless(told, env),
        is_subagent=is_subagent,
    )


def named_event(name: str) -> EventName | None:
    """The event that an agent, or a person, calls so."""
    if name in _EVENTS:
        return _EVENTS[name]
    return next((one for one in get_args(EventName) if one == name), None)


def render(answer: HookAnswer, event: HookEvent) -> str:
    """The answer as the agent wants it, one JSON object on a line; empty for silence."""
    told: dict[str, object] = {}
    name = _NAMES.get(event.agent, _NAMES["claude"]).get(event.name)
    if answer.context and name:
        told["hookSpecificOutput"] = {"hookEventName": name, "additionalContext": answer.context[:LONGEST]}
    if answer.message:
        told["systemMessage"] = answer.message[:LONGEST]
    # ASCII: whatever the agent takes for the encoding of a pipe, it reads this.
    return json.dumps(told) + "\n" if told else ""


def _agent(told: Mapping[str, Any], event: str, transcript: Path | None) -> str:
    """Whose words these are, by what only one agent says."""
    parts = transcript.parts if transcript else ()
    if event in _OF_GEMINI or ".gemini" in parts:
        return "gemini"
    if ".codex" in parts or "turn_id" in told or (transcript is not None and transcript.name.startswith("rollout-")):
        return "codex"
    return "claude"


def _is_headless(told: Mapping[str, Any], env: Mapping[str, str]) -> bool:
    entry = _word(told, "entrypoint") or env.get(_ENTRYPOINT, "")
    return entry.startswith(_HEADLESS)


def _word(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name)
    return value if isinstance(value, str) else ""


def _path(told: Mapping[str, Any], name: str) -> Path | None:
    """The absolute path in a field; one that is relative, or holds what no path can, counts as not said."""
    value = _word(told, name)
    if not value or "\0" in value:
        return None
    path = Path(value)
    return path if path.is_absolute() else None
