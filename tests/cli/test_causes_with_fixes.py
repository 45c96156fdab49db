"""A bug that a day's log tells with its cause and its fix is a lesson of WISDOM.md."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import bench_at

SOLVED = (
    "Bug: the pump tripped at night because the fuse was 10 A; fixed by a 16 A fuse.",
    "Issue: logs filled the disk, because rotation was off. Resolved by turning logrotate on.",
)
UNSOLVED = "Bug: the clock drifted on the second host because nobody set it."


@pytest.mark.parametrize("layout", [name for name in LAYOUT_NAMES if name not in ("project", "claude-project")])
def test_a_bug_with_its_cause_and_its_fix_is_a_lesson(recall: Recall, environment: Environment, layout: str) -> None:
    bench = bench_at(environment, layout)
    bench.layout.days.mkdir(parents=True, exist_ok=True)
    days = {"2026-01-05": SOLVED[0], "2026-01-06": UNSOLVED, "2026-01-12": SOLVED[1]}
    days |= dict.fromkeys(("2026-01-07", "2026-01-13", "2026-01-14"), "Painted the door of the shed green.")
    for day, text in days.items():
        (bench.layout.days / f"{day}.md").write_text(f"# {day}\n\n- {text}\n")
    assert recall(f"--root={bench.store.root}", "compact", "--yes").code == 0
    wisdom = bench.layout.wisdom.read_text()
    assert all(line in wisdom for line in SOLVED) and "drifted" not in wisdom
