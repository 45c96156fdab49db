"""recall-echo at user level: the agent's home, the last session's summary as window, one log per session segment."""

from __future__ import annotations

from recall_tui.storage.layouts import Design

DESIGN = Design(
    "user",
    about="yours, for all projects, in ~/.claude; nothing of it is in a project",
    has_window_at_root=True,
    archives=(
        ("memories", "archive-log"),
        ("conversations", "conversation"),
        ("memory/conversations", "conversation"),
    ),
    is_of_agent_home=True,
    reads_json_settings=True,
    window_is_one_summary=True,
    logs_each_stretch=True,
    keeps_day_lines=True,
)
