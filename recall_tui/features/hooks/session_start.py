"""A session starts: it is handed what the sessions before it left.

What it can read in its own transcript already is not handed again: a session that is resumed or forked has what it was
given before, while a compaction has just taken that from it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from recall_tui import files
from recall_tui.domain.hook import HookAnswer, HookDecision, HookEvent
from recall_tui.features.capture.session_marker import captures_sessions
from recall_tui.features.context.session_context import StartingSession, build_context
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import hook_log

_REPLAY_SOURCES = ("resume", "fork")
"""The ways to start with a history, which the agent replays to the model with what hooks gave it."""
_EDGE_BYTES = 256 << 10
"""Of both ends of a transcript, where what earlier starts gave is looked for."""


class SessionStartResult(NamedTuple):
    """What a session is handed."""

    answer: HookAnswer
    decision: HookDecision
    window: str = ""
    """The window's text that may be emptied once all of it arrived."""


def start_session(store: Store, event: HookEvent) -> SessionStartResult:
    """What the session is handed, and whether the window may be emptied for it."""
    if event.is_subagent:
        return SessionStartResult(HookAnswer(), HookDecision("skipped", "a sub-agent's session"))
    known = _transcript_ends(event.transcript) if event.source in _REPLAY_SOURCES else ""
    failed = hook_log.find_failed_capture(store.state)
    trouble = failed.decision.why if failed else ""
    given = build_context(store, StartingSession(event.session_id, known, trouble, event.wants_memory))
    text = given.text
    facts = (("tokens", given.tokens), ("items", sum(item.is_given for item in given.items)))
    if not text:
        return SessionStartResult(
            HookAnswer(), HookDecision("silent", given.items[0].why if given.items else "", facts)
        )
    said = [f"the last capture failed: {trouble}"] if trouble else []
    if store.config.get("inject.notice"):
        said += [item.text for item in given.items if item.kind == "news"]
    message = f"recall-tui: {' '.join(said)}" if said else ""
    is_taken = store.layout.design.window_is_one_summary and not event.is_child and captures_sessions(store)
    decision = HookDecision("handed", event.source, facts)
    return SessionStartResult(HookAnswer(text, message), decision, given.window if is_taken else "")


def _transcript_ends(transcript: Path | None) -> str:
    """Both ends of the transcript; empty when it cannot be read."""
    if transcript is None:
        return ""
    try:
        with files.open_file(transcript, files.MAX_TRANSCRIPT_BYTES) as file:
            first = file.read(_EDGE_BYTES)
            size = file.seek(0, os.SEEK_END)
            file.seek(max(len(first), size - _EDGE_BYTES))
            return (first + file.read()).decode("utf-8", "replace")
    except OSError:
        return ""
