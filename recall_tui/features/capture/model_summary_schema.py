"""The form in which a model tells of a conversation; imported only when one is asked."""

from __future__ import annotations

import msgspec


class SummaryPointSchema(msgspec.Struct):
    """One thing worth knowing in later sessions."""

    label: str
    text: str


class SummarySchema(msgspec.Struct):
    """All that it tells."""

    summary: str
    title: str = ""
    topics: list[str] = []
    decisions: list[str] = []
    action_items: list[str] = []
    outcome: str = ""
    status: str = ""
    lessons: list[str] = []
    preferences: list[str] = []
    points: list[SummaryPointSchema] = []
