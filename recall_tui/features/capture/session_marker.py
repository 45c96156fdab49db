"""A session is noticed: a mark says that it goes on, so that it is caught up with when nobody tells of its end.

It happens after every reply, so nothing is locked, and nothing that is known already is written again.
"""

from __future__ import annotations

from recall_tui.domain.hook import Decision, HookEvent
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import live_sessions as marks


def notice(store: Store, event: HookEvent) -> Decision:
    """Note that the event's session goes on."""
    if event.is_subagent or not event.session_id:
        return Decision("skipped", "no session of its own")
    if event.name != "start" and marks.heard_of(store.state, event.session_id):
        return Decision("marked")
    known = marks.get(store.state, event.session_id) or marks.Mark(event.session_id)
    mark = marks.Mark(
        session_id=event.session_id,
        agent=event.agent,
        transcript=event.transcript or known.transcript,
        cwd=event.cwd or known.cwd,
        pid=marks.agent_process(),
        tries=known.tries,
    )
    marks.put(store.state, mark)
    return Decision("marked", "it was not known before")


def captures(store: Store) -> bool:
    """Whether hooks write into the memory; in layout project only when its settings say so."""
    wanted = store.config.get("capture.auto")
    return store.layout.name != "project" if wanted is None else bool(wanted)
