"""recall-echo at an entity root: a FIFO window, and one numbered archive per session."""

from __future__ import annotations

from recall_tui.storage.layouts import Design

DESIGN = Design(
    "entity",
    about="one folder's, for you, in its memory/; git commits nothing of it until you allow it",
    archives=(("memory/conversations", "conversation"),),
    older_archives=(("memories", "archive-log"),),
    includes_every_project=True,
    keeps_day_lines=True,
)
