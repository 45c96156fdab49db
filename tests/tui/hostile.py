"""A memory that means no good: markup, escapes, marks of direction and broken bytes in every field."""

from __future__ import annotations

from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.storage.layout import Layout, LocatedMemory, make_layout
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import DocumentChange, Proposal
from recall_tui.tui.screens.first_run import demo
from recall_tui.workbench import Workbench
from tests.makers import used_here

NAME = "[/x] [b"
NASTY = (
    "[/] [b]bold[/b] [@click=app.quit]x[/] \x1b[31mred\x1b[0m \x1b]52;c;aGk=\x07 \u202eabc\u202c \x9b2J "
    "İstanbul ẞ 日本語 👩\u200d👩\u200d👧 \ud800 $accent {x}"
)
_BYTES = NASTY.encode("utf-8", "replace") + b" \xff\xfe"
_ROWS = """# Conversation Archive

| # | Date | Session | Topics | Messages | Duration |
|---|------|---------|--------|----------|----------|
| 001 | 2026-03-05 | [/s] | [/t] [red], \x1b[2J, \u202eevil | 3 | [/d] |
"""
_WINDOW = b"""## Session [/s] \xe2\x80\x94 2026-03-05 09:14:03 UTC
**Duration**: ~[/d] | **Messages**: 3 | **Archive**: conversation-001.md
**Summary**: """
_HEAD = b"""---
log: 1
date: "2026-03-05T09:14:03Z"
session_id: "[/s]"
title: "[/t]"
---

## Summary

"""
_TAIL = b"\n\n[link](javascript:x) ![i](y) <b>h</b>\n"


def hostile_memory(home: Path) -> Workbench:
    """Write the memory below `home`, in a folder whose name looks like markup."""
    environment = Environment(home=home, cwd=home, env={"RECALL_STATE": str(home / "state"), "HOME": str(home)})
    layout = make_layout(home / NAME, "entity")
    layout.archives[0].folder.mkdir(parents=True)
    _write(layout)
    bench = Workbench.at(LocatedMemory(layout, "made"), environment, demo.demo_now)
    _propose(bench)
    return used_here(bench)


def _propose(bench: Workbench) -> None:
    """Have something wait for review, of which everything means no good, and something that comes too late."""
    place = "memory/conversations/conversation-001.md:3-9"
    nasty = DocumentChange(f"memory/{NAME}.md", NASTY + "\n"), DocumentChange("memory/MEMORY.md", NASTY, "0" * 64)
    proposals.save(bench.store, Proposal(NASTY, NASTY, NASTY, NASTY, nasty, evidence=(NASTY, place)))
    outside = DocumentChange("../[b]outside.md", NASTY), DocumentChange("/etc/[b]outside.md", None)
    proposals.save(bench.store, Proposal("wiki", NAME, f"{NAME} \n{NASTY}", "", outside, is_safe=True))


def _write(layout: Layout) -> None:
    layout.memory_file.write_bytes(b"# Memory\n\n## " + _BYTES + b"\n\n" + _BYTES + b"\n")
    layout.rows.write_text(_ROWS, encoding="utf-8")
    layout.window.write_bytes(_WINDOW + _BYTES + b"\n")
    blocks = [b"> " + _BYTES, b"- [ ] " + _BYTES, b"```\n" + _BYTES + b"\n```", b"| a | " + _BYTES + b" |\n|---|---|"]
    body = _HEAD + _BYTES + b"\n\n# Conversation 001\n\n### User\n\n" + b"\n\n".join(blocks) + _TAIL
    (layout.archives[0].folder / "conversation-001.md").write_bytes(body)
