"""Project memory: summaries and a master, committed with the project and written on request."""

from __future__ import annotations

from recall_tui.storage.layouts import Design

DESIGN = Design(
    "project",
    about="a team's, in the project's _memory/; MEMORY.md, topics and summaries of sessions are committed",
    base="_memory",
    topics="topics",
    summaries="conversations",
    is_of_project=True,
    captures_by_default=False,
    publishes_summaries=True,
    starts_from_master=True,
    explains_itself=True,
    keeps_project_documents=True,
)
