"""Session recall in Claude Code's folder for a project: retained transcripts, and lessons from sessions."""

from __future__ import annotations

from recall_tui.storage.layouts import Design

DESIGN = Design(
    "claude-project",
    about="yours, for one project, in Claude Code's folder for it; nothing of it is in the project",
    days="sessions",
    is_of_claude_project=True,
    retains_transcripts=True,
    writes_lessons=True,
)
