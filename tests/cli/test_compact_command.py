"""`compact` from the command line: it proposes, or does at once when it is told to."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from tests.conftest import NOON
from tests.days import write_days
from tests.makers import write_files

Recall = Any


@pytest.fixture
def memory(environment: Environment) -> Store:
    """Eight weeks of days in layout hierarchical."""
    root = environment.cwd / "agent"
    (root / "memory").mkdir(parents=True)
    store = Memory(make_layout(root, "hierarchical"), environment, lambda: NOON)
    write_days(store, date(2026, 1, 1), 60)
    return store


def pages(store: Store) -> dict[str, bytes]:
    folders = (store.layout.weekly, store.layout.monthly)
    found: list[Path] = [path for folder in folders for path in folder.glob("*.md")]
    return {store.relative(path): path.read_bytes() for path in [*found, store.layout.wisdom] if path.is_file()}


def test_a_week_waits_for_late_entries_unless_weeks_are_asked_for(recall: Recall, memory: Store) -> None:
    root = ("--root", memory.root)
    assert recall("compact", "--yes", *root).code == 0
    assert max(name for name in pages(memory) if "weekly" in name) == "memory/weekly/2026-W08.md"
    assert recall("compact", "weekly", "--yes", *root).code == 0
    assert max(name for name in pages(memory) if "weekly" in name) == "memory/weekly/2026-W09.md"


def test_a_wisdom_file_of_another_shape_keeps_every_byte(recall: Recall, environment: Environment) -> None:
    root = environment.cwd / "agent"
    days = {
        f"memory/2025-0{month}-{day}.md": f"---\ntype: daily\n---\n\n## 2025-0{month}-{day}\n\n"
        "- Lesson learned: run migrations before deploys.\n"
        for month in (5, 6)
        for day in (11, 12, 13)
    }
    own = (
        "# Bob - Wisdom\n\n*Last compacted: 2025-01-01*\n\n## Engineering\n\n**Keep handlers thin.** They only parse.\n"
    )
    write_files(root, {**days, "WISDOM.md": own})
    assert recall(f"--root={root}", "compact", "--yes").code == 0
    text = (root / "WISDOM.md").read_text()
    assert text.startswith(own) and "run migrations before deploys" in text
    assert recall(f"--root={root}", "compact", "--yes").code == 0
    assert (root / "WISDOM.md").read_text() == text


@pytest.mark.long
def test_without_being_told_it_only_proposes(recall: Recall, memory: Store) -> None:
    said = recall("compact", "--root", memory.root)
    assert said.code == 0 and "wait in review" in said.err
    assert pages(memory) == {}
    waiting = proposals.list_open(memory)
    assert len(waiting) == len(said.out.splitlines()) > 8
    assert {one.kind for one in waiting} >= {"weekly", "monthly"}
    assert "nothing to compact" not in said.err
    assert recall("compact", "--root", memory.root).code == 0 and proposals.list_open(memory) == waiting


@pytest.mark.long
def test_told_yes_it_makes_all_of_it_once_and_undo_takes_it_back(recall: Recall, memory: Store) -> None:
    said = recall("compact", "all", "--yes", "--root", memory.root)
    assert said.code == 0 and said.out.startswith("Compacted ")
    made = pages(memory)
    assert "memory/weekly/2026-W05.md" in made and "memory/monthly/2026-01.md" in made
    again = recall("compact", "--yes", "--root", memory.root)
    assert "up to date" in again.err and pages(memory) == made
    assert recall("undo", "--root", memory.root).code == 0
    assert pages(memory) == {}


def test_one_level_alone_and_the_change_as_a_diff(recall: Recall, memory: Store) -> None:
    said = recall("compact", "weekly", "--dry-run", "--root", memory.root)
    assert "+# Week 2026-W05" in said.out and "monthly" not in said.out and pages(memory) == {}
    recall("compact", "weekly", "--yes", "--root", memory.root)
    assert not memory.layout.monthly.exists()
    recall("compact", "monthly", "--yes", "--root", memory.root)
    assert (memory.layout.monthly / "2026-01.md").is_file()


@pytest.mark.long
def test_what_was_dismissed_is_not_proposed_again(recall: Recall, memory: Store) -> None:
    recall("compact", "monthly", "--root", memory.root)
    recall("compact", "weekly", "--yes", "--root", memory.root)
    recall("compact", "monthly", "--root", memory.root)
    (month, *_) = [one for one in proposals.list_open(memory) if one.kind == "monthly"]
    recall("review", "dismiss", month.id, "--root", memory.root)
    said = recall("compact", "monthly", "--json", "--root", memory.root)
    assert month.id not in [one["id"] for one in said.json["proposals"]]


def test_a_month_of_short_weeks_still_says_what_was_decided(recall: Recall, environment: Environment) -> None:
    root = environment.cwd / "agent"
    said = {
        "2025-06-03": "- We decided to use Kafka for invoices, because replays are cheap.",
        "2025-06-04": "- Switched from Jenkins to Buildkite.",
        "2025-06-05": "- Open: who pays for the broker?",
        "2025-06-10": "- We chose Postgres over MySQL for the ledger.",
        "2025-06-11": "- Shipped v2.1 to the pilot customers.",
        "2025-06-12": "- Lesson learned: never restart the broker by hand.",
    }
    days = {f"memory/{day}.md": f"---\ntype: daily\n---\n\n## {day}\n\n{line}\n" for day, line in said.items()}
    write_files(root, days)
    assert recall(f"--root={root}", "--layout", "hierarchical", "compact", "--yes").code == 0
    text = (root / "memory/monthly/2025-06.md").read_text()
    assert "Kafka for invoices" in text and "Postgres over MySQL" in text and "Shipped v2.1" in text
    weeks = [path.read_text() for path in (root / "memory/weekly").glob("*.md")]
    assert len(text) < sum(map(len, weeks)), "it is shorter than its weeks all the same"
