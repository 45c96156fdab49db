"""Files of a memory as each older generation of recall-echo left them, and a session to add to it."""

from __future__ import annotations

from tests.makers import Turn

TALK: list[Turn] = [("user", "Name the port of the numbat"), ("assistant", "We decided to use port 9090 for it.")]
HEAD = '---\nlog: 1\ndate: "2026-03-05T10:00:00Z"\nsession_id: "abc123"\nmessage_count: 22\nduration: "20m"\n---\n'
ARCHIVE = f"{HEAD}\n# Conversation 001\n\n---\n\n### User\n\nfix the quokka matrix\n"
ROWS = (
    "# Conversation Archive\n\n| # | Date | Session | Topics | Messages | Duration |\n|---|---|---|---|---|---|\n"
    "| 001 | 2026-03-05 | abc123 | ci | 22 | 20m |\n"
)
WINDOW = (
    "## Session abc123 — 2026-03-05 10:00:00 UTC\n**Duration**: ~20m | **Messages**: 22 | "
    "**Archive**: conversation-001.md\n**Summary**: mended the quokka matrix\n"
)
SETTINGS = "[ephemeral]\nmax_entries = 9\n"
FIRST = {
    "memory/MEMORY.md": "# Memory\n",
    "memories/archive-log-003.md": '---\nlog: 3\ndate: "2026-02-26T10:00:00Z"\ntrigger: session-end\n---\n\n'
    "# Archive Log 003\n\n## Summary\n\nThe quokka matrix is mended.\n",
    "ARCHIVE.md": "# Archive Index\n\n| 003 | 2026-02-26 | session-end |\n",
    "EPHEMERAL.md": "mended the quokka matrix\n",
}
SECOND = {
    "memory/MEMORY.md": "# Memory\n",
    "conversations/conversation-001.md": ARCHIVE,
    "ARCHIVE.md": ROWS,
    "EPHEMERAL.md": WINDOW,
    ".recall-echo.toml": SETTINGS,
}
THIRD = {
    "memory/MEMORY.md": "# Memory\n",
    "memory/conversations/conversation-001.md": ARCHIVE,
    "memory/ARCHIVE.md": ROWS,
    "memory/EPHEMERAL.md": WINDOW,
    "memory/.recall-echo.toml": SETTINGS,
}
