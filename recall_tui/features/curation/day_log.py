"""One entry into the log of today, as it was written; a log only ever grows."""

from __future__ import annotations

from recall_tui.domain import Plan
from recall_tui.errors import UsageError
from recall_tui.storage.documents import day_logs
from recall_tui.storage.memory_context import Store
from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.secrets.redact import redact


def plan_log_entry(store: Store, text: str) -> Plan:
    """The plan that puts `text` at the end of the log of today, by the clock of where the person is."""
    entry = redact(strip_controls(text)).strip()
    if not entry:
        raise UsageError("there is nothing to log", hint='recall-tui log "moved staging to the new region"')
    now = store.now()
    day = day_logs.local_day(now, now.tzinfo)
    edit = day_logs.append_entry(store.layout, day, entry)
    facts = {"date": day.isoformat(), "entry": entry, "file": store.relative(edit.path)}
    return Plan(f"Logged to {day}: {shorten(one_line(entry), 60)}", (edit,), facts=facts)
