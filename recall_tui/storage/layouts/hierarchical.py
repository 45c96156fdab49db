"""Hierarchical Recall: days become weeks, months and wisdom; typed memories lie beside the days."""

from __future__ import annotations

from recall_tui.storage.layouts import Design

DESIGN = Design(
    "hierarchical",
    about="as entity, with days condensed into weeks, months and wisdom",
    topics="topics",
    days="",
    has_wisdom_at_root=True,
    archives=(("memory/conversations", "conversation"),),
    keeps_day_lines=True,
    keeps_typed_memories=True,
)
