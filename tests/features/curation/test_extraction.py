"""What stays of a long MEMORY.md when parts of it move one by one."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

from recall_tui.features.curation import bloat
from recall_tui.features.curation.bloat import BloatFinding
from recall_tui.features.curation.extraction import (
    _BudgetProjection,
    _SizeEstimator,
    extract_block,
    find_extractions,
    split_blocks,
)
from recall_tui.storage.documents.memory_file import Budget, MemoryFile

LINES = ("\n", "- a line of words\n", "<!-- x -->\n", "```\n", f"- {'y' * 200}\n")


def long_memory(chance: random.Random) -> tuple[MemoryFile, Budget, list[BloatFinding]]:
    lines = ["# Memory\n", "\n", "<!-- add what matters -->\n", "\n"]
    for number in range(chance.randint(1, 40)):
        lines.append(f"{'#' * chance.choice((1, 2, 2, 2, 3))} Section {number}\n")
        lines += chance.choices(LINES, k=chance.choice((0, 0, 1, 5, 20, 40)))
    memory = MemoryFile(Path("MEMORY.md"), "".join(lines))
    budget = Budget(len(memory.lines), chance.choice((20, 50, 200)), memory.bytes, chance.choice((1000, 5000)))
    empty = tuple(bloat.find_empty_sections(memory))
    return memory, budget, [one for one in (*empty, *bloat.find_guidance(memory, empty)) if one.is_safe]


def test_parts_that_move_one_by_one_and_back_weigh_what_they_weigh_together() -> None:
    for seed in range(60):
        chance = random.Random(seed)
        memory, budget, dropped = long_memory(chance)
        scale = _SizeEstimator(memory, budget, dropped)
        parts = [extract_block(memory, unit) for unit in split_blocks(memory) if unit.end > unit.start]
        moved = chance.sample(parts, len(parts) // 2)
        rest = _BudgetProjection(scale, moved)
        back = moved[: len(moved) // 2]
        for part in back:
            rest.move(part, is_back=True)
        left = moved[len(back) :]
        gone = [*left, *(drop for drop in dropped if not any(one.overlaps(drop.start, drop.end) for one in left))]
        assert rest.budget().lines == budget.lines - sum(one.saves for one in gone)
        assert rest.budget().bytes == budget.bytes - sum(map(scale.bytes_of, gone))


def test_the_shortest_end_that_fits_moves_and_nothing_moves_twice() -> None:
    tails = 0
    for seed in range(60):
        memory, budget, dropped = long_memory(random.Random(seed))
        moved = find_extractions(memory, budget, dropped)
        assert all(one.end <= other.start for one, other in pairwise(moved))
        tails += bool(moved) and moved[-1].title == "More notes"
    assert tails
