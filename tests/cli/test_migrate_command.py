"""`migrate` from the command line: one change, shown and asked about, and nothing to do the second time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.markdown import frontmatter
from tests.makers import bench_at, tree, write_files

Recall = Any
FILES = {
    "memory/2026-02-04.md": "A day of the week with the torn head.\n",
    "memory/2026-02-23.md": "---\ntype: daily\n---\n## 2026-02-23\n\nWe decided to use JWT over sessions.\n",
    "memory/2026-02-25.md": "---\ntype: daily\n---\n## 2026-02-25\n\nRedis went away.\n",
    "memory/2026-02-25-evening.md": "Ada fixed the refresh race.\n",
    "memory/weekly/2026-W09.md": "---\ntype: weekly  # by hand\nperiod: 2026-W09\nmood: fine\n---\n"
    "# Week 2026-W09\n\nJWT.\n",
    "memory/weekly/2026-W08.md": "# Week 2026-W08\n\nNo head, and no day of it is left.\n",
    "memory/weekly/2026-W07.md": "---\ntype: weekly\nperiod: 2026-W07\npointers: [memory/2026-02-10.md]\n"
    "salience: {memory/2026-02-10.md: 1}\n---\n# Week 2026-W07\n",
    "memory/weekly/2026-W06.md": "---\ntype: [torn\n---\nA head that is no YAML.\n",
    "memory/monthly/2026-02.md": "# 2026-02\n\nThe month of tokens.\n",
    "memory/user_sam.md": "---\nname: Sam\ndescription: who pays\ntype: user\n---\nSam likes short answers.\n",
    "memory/notes.md": "No type, no page.\n",
    "memory/dreams/insights/2026-02-10-habits.md": "---\ntype: insight\ntheme: Habits\n---\nHabits hold.\n",
}


@pytest.fixture
def memory(environment: Environment) -> Path:
    root = bench_at(environment, "hierarchical").store.root
    write_files(root, FILES)
    return root


def test_parents_get_what_they_lack_and_keep_the_rest(recall: Recall, memory: Path) -> None:
    assert recall("migrate", "--yes", "--root", memory).code == 0
    week = (memory / "memory/weekly/2026-W09.md").read_text()
    values, body = frontmatter.split_frontmatter(week)
    pointers = ["memory/2026-02-23.md", "memory/2026-02-25-evening.md", "memory/2026-02-25.md"]
    assert sorted(values["pointers"]) == pointers and sorted(values["salience"]) == pointers
    assert round(sum(values["salience"].values()), 6) == 1
    assert week.startswith("---\ntype: weekly  # by hand\nperiod: 2026-W09\nmood: fine\npointers: [")
    assert body == "# Week 2026-W09\n\nJWT.\n"
    values, body = frontmatter.split_frontmatter((memory / "memory/monthly/2026-02.md").read_text())
    assert values["type"] == "monthly" and values["period"] == "2026-02" and body == FILES["memory/monthly/2026-02.md"]
    assert values["pointers"] == [f"memory/weekly/2026-W0{week}.md" for week in (6, 7, 8, 9)]
    for name in ("2026-W06", "2026-W07", "2026-W08"):
        assert (memory / f"memory/weekly/{name}.md").read_text() == FILES[f"memory/weekly/{name}.md"]


def test_it_is_one_change_that_undo_takes_back_and_that_is_made_once(recall: Recall, memory: Path) -> None:
    before = tree(memory / "memory")
    said = recall("migrate", "--yes", "--json", "--root", memory).json
    assert said["parents_upgraded"] == 2 and said["pointers_backfilled"] == 7 and said["to"] == "hierarchical"
    assert said["broken_pointers"] == [{"page": "memory/weekly/2026-W07.md", "pointer": "memory/2026-02-10.md"}]
    assert said["typed_memories"] == ["sam"] and said["insights"] == ["habits"] and said["change"]
    after = tree(memory / "memory")
    assert {"wiki/sam.md", "wiki/habits.md", ".archive/typed-memories/user_sam.md"} <= set(after)
    assert "user_sam.md" not in after and after["notes.md"] == before["notes.md"]
    again = recall("migrate", "--yes", "--json", "--root", memory).json
    assert again["change"] is None and again["parents_upgraded"] == 0 and tree(memory / "memory") == after
    recall("undo", "--root", memory)
    assert {name: data for name, data in tree(memory / "memory").items() if name in before} == before


def test_it_is_shown_and_asked_about(recall: Recall, memory: Path) -> None:
    before = tree(memory)
    said = recall("migrate", "--dry-run", "--root", memory)
    assert said.code == 0 and "+pointers: [" in said.out and "not done" in said.err
    assert "weeks and months    2" in said.out and "is broken; it stays" in said.err and "not YAML" in said.err
    assert json.loads(recall("migrate", "--dry-run", "--json", "--root", memory).out)["dry_run"] is True
    assert recall("migrate", "--root", memory, stdin="n\n").code == 1
    assert recall("migrate", "--json", "--root", memory).code == 2
    assert tree(memory) == before
    assert recall("migrate", "--to", "hierarchical", "--root", memory, stdin="y\n").code == 0
    assert (memory / "memory/wiki/sam.md").is_file()


def test_an_unknown_form_is_said_with_those_there_are(recall: Recall, memory: Path) -> None:
    said = recall("migrate", "--to", "flat", "--root", memory)
    assert said.code == 2 and "hierarchical" in said.err


@pytest.mark.parametrize("layout", ["entity", "project", "claude-project"])
def test_in_every_other_layout_there_is_nothing_to_lose(layout: str, recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, layout)
    bench.layout.days.mkdir(parents=True, exist_ok=True)
    bench.layout.weekly.mkdir(parents=True)
    (bench.layout.days / "2026-02-23.md").write_text("A day.\n")
    (bench.layout.weekly / "2026-W09.md").write_text("# Week 2026-W09\n")
    assert (
        recall("migrate", "--yes", "--json", "--root", bench.store.root, "--layout", layout).json["parents_upgraded"]
        == 1
    )
    day = bench.store.relative(bench.layout.days / "2026-02-23.md")
    assert frontmatter.split_frontmatter((bench.layout.weekly / "2026-W09.md").read_text())[0]["pointers"] == [day]


def test_a_page_whose_pointers_all_lead_nowhere_is_not_said_to_have_nothing_to_point_at(
    recall: Recall, memory: Path
) -> None:
    page = memory / "memory/weekly/2026-W09.md"
    page.write_text("---\ntype: weekly\nperiod: 2026-W09\npointers: [memory/2026-02-24.md]\n---\n# Week 2026-W09\n")
    said = recall("migrate", "--dry-run", "--root", memory)
    told = [line for line in said.err.splitlines() if "2026-W09.md" in line]
    assert told == ["memory/weekly/2026-W09.md: its pointer memory/2026-02-24.md is broken; it stays"]
