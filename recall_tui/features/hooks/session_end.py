"""A session ends, or is about to be compacted: it is captured at once when that is quick, else marked for later.

The mark is written first, so that whatever stops a hook leaves a session that is caught up with.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.domain.hook import HookDecision, HookEvent
from recall_tui.errors import LockedError, reason_of
from recall_tui.features.capture.session_marker import captures_sessions
from recall_tui.features.hooks.background_jobs import queue_jobs
from recall_tui.memory import Memory
from recall_tui.storage.state import live_sessions
from recall_tui.storage.state.live_sessions import LiveSession

if TYPE_CHECKING:
    from recall_tui.features.capture.archive import Source
    from recall_tui.storage.journal.batch import Batch

MAX_QUICK_BYTES = 2 << 20
"""A longer transcript is captured by a process of its own."""


def end_session(memory: Memory, event: HookEvent) -> HookDecision:
    """Archive the session that ends; `clear` and `resume` end it like any other, and nothing is there twice."""
    if (refused := _refusal(memory, event)) is not None:
        if event.session_id and not event.is_subagent:
            live_sessions.delete(memory.state, event.session_id)
        return refused
    mark = _updated_marker(memory, event, "ended")
    decision = capture_session(memory, mark, most=MAX_QUICK_BYTES)
    if decision.did in ("captured", "unchanged", "skipped"):
        live_sessions.delete(memory.state, mark.session_id)
    return decision


def checkpoint_session(memory: Memory, event: HookEvent) -> HookDecision:
    """Archive the session as far as it went, before its details are lost."""
    if (refused := _refusal(memory, event)) is not None:
        return refused
    mark = _updated_marker(memory, event, "checkpoint")
    decision = capture_session(memory, mark, most=MAX_QUICK_BYTES)
    if decision.did in ("captured", "unchanged", "skipped"):
        live_sessions.save(memory.state, mark._replace(state="live"))
    return decision


def capture_session(
    memory: Memory, mark: LiveSession, *, most: int | None = None, batch: Batch | None = None
) -> HookDecision:
    """Capture the session of the mark; `spooled` when its transcript has more than `most` bytes or the memory is busy.

    The mark of a capture that failed counts how often it did.
    """
    from recall_tui.features.capture import sessions
    from recall_tui.features.capture.archived_sessions import is_accepted
    from recall_tui.index.sources.transcripts import IGNORE_FILE, ignore_matcher
    from recall_tui.transcripts.shared_file import transcript_state

    try:
        path = _find_transcript(memory, mark)
        if path is None:
            return HookDecision("skipped", "it has no transcript")
        if most is not None and transcript_state(path)[0] > most:
            return HookDecision("spooled", "its transcript is long")
        if ignore_matcher(memory.environment)(str(path)):
            return HookDecision("skipped", f"{IGNORE_FILE} keeps it out")
        if not is_accepted(memory, path):
            return HookDecision("skipped", "it is of another project")
        source: Source = "session" if mark.state == "ended" else "checkpoint"
        done = sessions.capture(memory, path, source, by="hook", batch=batch)
    except LockedError as error:
        return HookDecision("spooled", error.message)
    except Exception as error:
        # One session that cannot be captured, whatever is wrong with it, keeps no other from it.
        with suppress(OSError):
            live_sessions.save(memory.state, mark._replace(tries=mark.tries + 1))
        return HookDecision("failed", reason_of(error), (("transcript", str(mark.transcript or "")),))
    facts = (("archive", done.archive), ("messages", done.messages))
    did = {"skipped": "skipped", "unchanged": "unchanged"}.get(done.status, "captured")
    if did != "skipped" and mark.state == "ended":
        with suppress(OSError):
            queue_jobs(memory, done.session_id, path, is_unchanged=did == "unchanged")
    return HookDecision(did, done.reason or done.status, facts)


def _refusal(memory: Memory, event: HookEvent) -> HookDecision | None:
    if event.is_subagent:
        return HookDecision("skipped", "a sub-agent's session belongs to the one that started it")
    if not event.session_id and event.transcript is None:
        return HookDecision("skipped", "neither the session nor its transcript was named")
    if not captures_sessions(memory):
        return HookDecision("skipped", "capture.auto is off: hooks write nothing into this memory")
    return None


def _updated_marker(memory: Memory, event: HookEvent, state: live_sessions.SessionPhase) -> LiveSession:
    """The session's mark, with what the event says and what it does not say from the older one."""
    session_id = event.session_id or (event.transcript.stem if event.transcript else "")
    known = live_sessions.find_session(memory.state, session_id) or LiveSession(session_id)
    mark = known._replace(
        state=state,
        agent=event.agent or known.agent,
        transcript=event.transcript or known.transcript,
        cwd=event.cwd or known.cwd,
        pid=known.pid or live_sessions.agent_process(),
    )
    live_sessions.save(memory.state, mark)
    return mark


def _find_transcript(memory: Memory, mark: LiveSession) -> Path | None:
    """The session's transcript: as it was named, else by the session's id wherever an agent keeps it."""
    from recall_tui.transcripts.shared_file import is_transcript

    if mark.transcript is not None and is_transcript(mark.transcript):
        return mark.transcript
    from recall_tui.transcripts.registry import find_session

    return find_session(memory.environment, mark.session_id) if len(mark.session_id) >= 8 else None
