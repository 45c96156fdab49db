"""A hierarchical memory and daily logs in it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store

DAY = (
    "---\ntype: daily\n---\n## {day}\n\nDecided to give tokens {n} minutes because mobile asked for it.\n\n"
    "- fixed the race in src/auth/jwt{n}.py\n- waiting for the keys of Anna Berg ({n} of 40)\n\nRan the tests.\n"
)


@pytest.fixture
def store(environment: Environment, now: Callable[[], datetime]) -> Store:
    """An empty memory of days, weeks and months."""
    root = environment.cwd / "agent"
    (root / "memory").mkdir(parents=True)
    return Memory(make_layout(root, "hierarchical"), environment, now)


def write_days(store: Store, first: date, count: int) -> list[Path]:
    """Write a log for each of so many days; their paths in order."""
    paths = []
    for number in range(count):
        day = first + timedelta(days=number)
        path = store.layout.days / f"{day}.md"
        path.write_text(DAY.format(day=day, n=10 + number))
        paths.append(path)
    return paths
