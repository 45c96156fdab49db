"""Plan a longer retention of Claude Code's transcripts: `cleanupPeriodDays` in the person's settings."""

from __future__ import annotations

from recall_tui.agents.install import backup_edit, read_target, require_writable, resolve_target
from recall_tui.agents.pieces.json_edit import set_member
from recall_tui.agents.target import Site
from recall_tui.domain import Create, Plan, Replace
from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.memory_context import Store
from recall_tui.transcripts.claude.project_folder import RETENTION_KEY, has_own_retention, retention_days

LONG_RETENTION_DAYS = 365
"""A year: long enough that a pause in use loses nothing."""


def plan_retention(store: Store, days: int = LONG_RETENTION_DAYS) -> Plan:
    """Set `cleanupPeriodDays` to `days`; no change when Claude Code keeps its transcripts that long already.

    BrokenFileError, and no plan, when the settings file cannot be parsed.
    """
    if has_own_retention(store.environment) and retention_days(store.environment) >= days:
        return Plan(f"Claude Code keeps its transcripts {retention_days(store.environment):,} days already")
    site = Site("user", store.root, store.layout, store.environment, ())
    path = store.environment.claude / "settings.json"
    before = read_target(path, site)
    text = set_member(before, path, (RETENTION_KEY,), days)
    title = f"Claude Code keeps its transcripts {days:,} days"
    real = resolve_target(path, site)
    if before is None:
        return Plan(title, (Create(real, text, owns_folders=True),))
    require_writable(path)
    backup = backup_edit(store, path, before) if before.strip() else None
    edit = Replace(real, content_digest(before), text)
    return Plan(title, (backup, edit) if backup else (edit,))
