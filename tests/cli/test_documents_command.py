"""`read` and `list` from the command line, on a memory of every kind of document."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from tests.makers import bench_at, write_files

Recall = Any
FILES = {
    "WISDOM.md": "# Wisdom\n\n- **small-steps** — small steps win\n",
    "DREAMS.md": "# Dream Diary\n",
    "IDENTITY.md": "# Ada\n",
    "memory/2026-02-25.md": "---\ntype: daily\n---\n## 2026-02-25\n\nWe chose JWT.\n",
    "memory/2026-03-05.md": "Sessions went.\n",
    "memory/2026-03-05-evening.md": "A late fix.\n",
    "memory/weekly/2026-W09.md": "---\ntype: weekly\n---\n# Week 2026-W09\n",
    "memory/monthly/2026-02.md": "---\ntype: monthly\n---\n# 2026-02\n",
    "memory/feedback_testing.md": "---\ntype: feedback\n---\nReal files.\n",
    "memory/wiki/jwt.md": "---\nname: JWT\ncategory: concept\nsources: [a]\nupdated: 2026-02-20\n---\nTokens.\n",
    "memory/wiki/old.md": "---\nname: Old\ncategory: concept\nsources: [a]\nredirect_to: jwt\n---\n",
    "memory/wiki/torn.md": "no head\n",
    "memory/wiki/index.md": "---\ntype: wiki-index\n---\n# Wiki\n",
    "memory/dreams/insights/2026-02-10-habits.md": "---\ntype: insight\n---\nHabits.\n",
    "memory/dreams/contradictions/2026-02-11.md": "---\ntype: contradiction\n---\nTwo claims.\n",
    "team/deploy.md": "---\nname: Deploy\ncategory: concept\nsources: [a]\n---\nBy hand.\n",
}


@pytest.fixture
def memory(environment: Environment) -> Path:
    """A memory in layout hierarchical, and a wiki that is shared with a team."""
    root = bench_at(environment, "hierarchical").store.root
    write_files(root, FILES)
    for name in FILES:
        os.utime(root / name, (0, 1_772_000_000))
    (root / "memory/.recall-echo.toml").write_text('layout = "hierarchical"\n[wiki]\nshared = ["team = team"]\n')
    return root


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("2026-02-25", "memory/2026-02-25.md"),
        ("2026-w09", "memory/weekly/2026-W09.md"),
        ("2026-02", "memory/monthly/2026-02.md"),
        ("wisdom", "WISDOM.md"),
        ("WISDOM.md", "WISDOM.md"),
        ("dreams", "DREAMS.md"),
        ("identity", "IDENTITY.md"),
        ("jwt", "memory/wiki/jwt.md"),
        ("private:jwt", "memory/wiki/jwt.md"),
        ("torn", "memory/wiki/torn.md"),
        ("team:deploy", "team/deploy.md"),
        ("feedback_testing", "memory/feedback_testing.md"),
        ("memory/dreams/insights/2026-02-10-habits.md", "memory/dreams/insights/2026-02-10-habits.md"),
    ],
)
def test_everything_is_read_by_its_name(name: str, path: str, recall: Recall, memory: Path) -> None:
    assert recall("read", name, "--root", memory).out == FILES[path]


def test_a_page_that_became_another_is_read_as_that_one(recall: Recall, memory: Path) -> None:
    said = recall("read", "old", "--root", memory)
    assert said.out == FILES["memory/wiki/jwt.md"] and "old is now jwt" in said.err


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("2026-W08", "has none"),
        ("2026-W10", "not over"),
        ("2026-01", "has none"),
        ("2026-03-06", "recall-tui log"),
        ("2026-03-09", "in the future"),
        ("2026-W99", "no calendar"),
        ("2026-13", "no calendar"),
        ("master", "recall-tui synthesize"),
        ("team:gone", "no page gone"),
        ("nobody:deploy", "no document"),
        ("jwtt", "no document"),
        ("../../etc/passwd", "no document"),
    ],
)
def test_what_is_missing_is_said_with_the_next_step(name: str, step: str, recall: Recall, memory: Path) -> None:
    said = recall("read", name, "--root", memory)
    assert (said.code, said.out) == (1, "") and step in said.err


def test_a_week_that_is_due_names_the_command_that_makes_it(recall: Recall, memory: Path) -> None:
    for day in (16, 17, 18):
        (memory / f"memory/2026-02-{day}.md").write_text("A day.\n")
    assert "recall-tui compact weekly" in recall("read", "2026-W08", "--root", memory).err


def names(recall: Recall, memory: Path, *words: str) -> list[str]:
    return [row["name"] for row in recall("list", *words, "--json", "--root", memory).json["documents"]]


def test_a_list_is_of_one_kind(recall: Recall, memory: Path) -> None:
    assert names(recall, memory, "daily") == ["2026-03-05.md", "2026-03-05-evening.md", "2026-02-25.md"]
    assert names(recall, memory, "weekly") == ["2026-W09.md"]
    assert names(recall, memory, "monthly") == ["2026-02.md"]
    assert names(recall, memory, "typed") == ["feedback_testing"]
    assert names(recall, memory, "insight") == ["2026-02-10-habits"]
    assert names(recall, memory, "contradiction") == ["2026-02-11"]
    assert set(names(recall, memory, "wiki")) == {"jwt.md", "old.md", "torn.md"}
    assert len(names(recall, memory, "all")) == len(names(recall, memory)) == len(FILES) - 2 + 3


def test_a_list_is_of_the_time_that_pages_tell_of(recall: Recall, memory: Path) -> None:
    assert names(recall, memory, "daily", "--after", "2026-03-05") == ["2026-03-05.md", "2026-03-05-evening.md"]
    assert names(recall, memory, "daily", "--before", "2026-02-25") == ["2026-02-25.md"]
    assert names(recall, memory, "weekly", "--after", "2026-03-01") == ["2026-W09.md"]
    assert names(recall, memory, "wiki", "--before", "2026-02-20") == ["jwt.md"]
    for words in (("weekly", "--after", "2026-03-02"), ("monthly", "--before", "2026-01-31")):
        assert recall("list", *words, "--json", "--root", memory).code == 1


def test_a_kind_that_nobody_knows_is_said_with_those_there_are(recall: Recall, memory: Path) -> None:
    said = recall("list", "monsters", "--root", memory)
    assert said.code == 2 and "daily" in said.err and "all" in said.err
    assert "recall-tui synthesize" in recall("list", "master", "--root", memory).err


def test_status_counts_the_files_of_every_kind(recall: Recall, memory: Path) -> None:
    said = recall("status", "--root", memory)
    counted = "3 day logs, 1 week, 1 month, 1 typed memory, 3 wiki pages, 1 insight, 1 contradiction, WISDOM.md"
    assert counted in said.out
    files = recall("status", "--json", "--root", memory).json["files"]
    assert (files["dailies"], files["typed_memories"], files["wisdom"]) == (3, 1, True)


@pytest.mark.parametrize("command", ["read", "show"])
def test_nothing_of_a_page_steers_the_terminal_at_the_end_of_a_pipe(memory: Path, recall: Recall, command: str) -> None:
    page = memory / "memory/feedback_testing.md"
    page.write_text("---\ntype: feedback\n---\nReal \x1b]52;c;aGk=\x07\x1b[2Jfiles \u202eand\tlines.\n")
    said = recall("--root", memory, command, "feedback_testing" if command == "read" else page)
    assert said.code == 0 and "Real files and\tlines.\n" in said.out
