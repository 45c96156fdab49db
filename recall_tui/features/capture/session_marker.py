"""A session is noticed: a mark says that it goes on, so that it is caught up with when nobody tells of its end.

It happens after every reply, so nothing is locked, and nothing that is known already is written again.
"""

from __future__ import annotations

from recall_tui.domain.hook import HookDecision, HookEvent
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import live_sessions


def mark_live(store: Store, event: HookEvent) -> HookDecision:
    """Note that the event's session goes on."""
    if event.is_subagent or not event.session_id:
        return HookDecision("skipped", "no session of its own")
    if event.name != "start" and live_sessions.note_activity(store.state, event.session_id):
        return HookDecision("marked")
    known = live_sessions.find_session(store.state, event.session_id) or live_sessions.LiveSession(event.session_id)
    mark = live_sessions.LiveSession(
        session_id=event.session_id,
        agent=event.agent,
        transcript=event.transcript or known.transcript,
        cwd=event.cwd or known.cwd,
        pid=live_sessions.agent_process(),
        tries=known.tries,
    )
    live_sessions.save(store.state, mark)
    return HookDecision("marked", "it was not known before")


def captures_sessions(store: Store) -> bool:
    """Whether hooks write into the memory; in layout project only when its settings say so."""
    wanted = store.config.get("capture.auto")
    return store.layout.design.captures_by_default if wanted is None else bool(wanted)
