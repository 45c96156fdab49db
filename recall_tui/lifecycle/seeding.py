"""The first master of a project: made of its first summary, so that there is something to recall from the start.

It says nothing that the summary does not say, and names it after each line.
"""

from __future__ import annotations

from recall_tui.storage import summary_file
from recall_tui.storage.store import Store

_HEADINGS = ("Current Status", "Key Decisions", "Learnings & Discoveries", "Evolution & Changes", "Active Questions")
_PLACES = {
    "status": "Current Status",
    "decision": "Key Decisions",
    "failed approach": "Evolution & Changes",
    "problem": "Evolution & Changes",
    "blocker": "Active Questions",
    "question": "Active Questions",
    "open question": "Active Questions",
    "next step": "Active Questions",
    "action": "Active Questions",
    "action item": "Active Questions",
}
"""Where a labelled point belongs; any other is a thing that was learned."""
_OTHERS = "Learnings & Discoveries"


def seeded(store: Store, summary: str, source: str) -> str:
    """The text of the first master, from a summary's text; `source` is what the summary is called."""
    lines: dict[str, list[str]] = {heading: [] for heading in _HEADINGS}
    if context := summary_file.context_of(summary):
        lines["Current Status"].append(context)
    for label, words in summary_file.points_of(summary):
        place = _PLACES.get(label.lower(), _OTHERS)
        told = words if label.lower() in ("decision", "status") else f"{label}: {words}"
        lines[place].append(told)
    text = "# Project Memory\n"
    for heading in _HEADINGS:
        bullets = "".join(f"- {line} ({source})\n" for line in lines[heading]) or "- nothing yet\n"
        text += f"\n## {heading}\n\n{bullets}"
    return f"{text}\n---\n\n*Last synthesized: {store.now():%Y-%m-%d}*\n*Source: 1 conversations, 0 docs*\n"
