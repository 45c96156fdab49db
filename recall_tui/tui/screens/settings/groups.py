"""The order of the settings on their screen: first those that people change, then the others by what they are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from recall_tui.tui.screens.settings.view_model import SettingView


class SettingGroup(NamedTuple):
    """A heading with a line that describes the settings below it."""

    title: str
    description: str


COMMON = SettingGroup("Common", "the settings that people change first")
COMMON_KEYS = (
    "theme",
    "inject.tokens",
    "inject.notice",
    "capture.auto",
    "capture.days",
    "transcripts.projects",
    "ephemeral.max_entries",
    "memory.max_lines",
    "review.auto",
    "keep.days",
    "llm.provider",
    "llm.model",
)
_ADVANCED: tuple[tuple[SettingGroup, tuple[str, ...]], ...] = (
    (
        SettingGroup("Advanced: memory", "files, budgets, backups and transcripts"),
        ("memory", "layout", "ephemeral", "capture", "inject", "keep", "backups", "transcripts"),
    ),
    (
        SettingGroup("Advanced: pages", "weeks, months, wisdom, wiki, master and review"),
        ("salience", "wisdom", "master", "synthesize", "wiki", "review", "dream"),
    ),
    (SettingGroup("Advanced: search", "ranking, and answers to questions"), ("search", "recall")),
    (SettingGroup("Advanced: models", "language models, their limits and prices"), ("llm",)),
    (SettingGroup("Advanced: vectors", "the source of vectors, and its limits"), ("embeddings",)),
)
_OTHERS = SettingGroup("Advanced: other", "keys, and settings that this version does not know")


def grouped(rows: Iterable[SettingView]) -> Iterator[SettingView | SettingGroup]:
    """Yield every row once, below the heading of its group; a group without rows has no heading."""
    by_key = {row.key: row for row in rows}
    yield from _with_heading(COMMON, [by_key.pop(key) for key in COMMON_KEYS if key in by_key])
    for group, tables in _ADVANCED:
        found = [key for key in by_key if key.partition(".")[0] in tables]
        yield from _with_heading(group, [by_key.pop(key) for key in found])
    yield from _with_heading(_OTHERS, list(by_key.values()))


def _with_heading(group: SettingGroup, rows: list[SettingView]) -> Iterator[SettingView | SettingGroup]:
    if rows:
        yield group
        yield from rows
