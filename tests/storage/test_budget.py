"""One table of thresholds, and a number that never contradicts its level."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.storage.documents.memory_file import Budget


@pytest.mark.parametrize(
    ("lines", "percent", "level", "word"),
    [
        (0, 0, "ok", "ok"),
        (150, 75, "ok", "ok"),
        (151, 76, "watch", "warning"),
        (180, 90, "watch", "warning"),
        (181, 91, "full", "full"),
        (200, 100, "full", "full"),
        (201, 101, "full", "full"),
    ],
)
def test_the_levels_change_above_75_and_90_percent(lines: int, percent: int, level: str, word: str) -> None:
    budget = Budget(lines, 200, 0, 25_600)
    assert (budget.percent, budget.level, budget.word) == (percent, level, word)
    assert budget.is_over == (lines > 200)


def test_the_heavier_of_lines_and_bytes_counts() -> None:
    assert Budget(20, 200, 24_000, 25_600).percent == 94
    assert Budget(190, 200, 256, 25_600).percent == 95


@given(st.integers(0, 1000), st.integers(1, 500), st.integers(0, 10**6), st.integers(1, 10**5))
def test_the_percent_is_the_share_rounded_up(lines: int, most: int, size: int, room: int) -> None:
    budget = Budget(lines, most, size, room)
    assert budget.share * 100 - 1e-6 <= budget.percent < budget.share * 100 + 1
