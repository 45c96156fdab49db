"""Pages that are as they should be are no duplicates of each other, whatever they are called and whoever wrote them."""

from __future__ import annotations

import re

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.archives import index_file
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import Turn, bench_at, session_id_of, transcript, write_files

TALK: list[Turn] = [("user", "Use Valkey for the basket"), ("assistant", "We decided to use Valkey for the basket.")]
ALIKE = re.compile(r"duplicate|second copy|more than one|twice", re.IGNORECASE)


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_valid_pages_are_no_duplicates(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root, layout = f"--root={bench.store.root}", bench.layout
    head = (
        "---\nname: {0}\ndescription: about {0}\ntype: wiki\ncategory: concept\nslug: {0}\nsources: [MEMORY.md]\n---\n"
    )
    for slug in ("oauth", "oauth-2", "oauth-copy", "copy-of-oauth"):
        write_files(layout.wiki, {f"{slug}.md": head.format(slug) + "\nTokens last an hour.\n"})
    write_files(
        layout.topics, {f"{topic}.md": "# API\n\nTokens last an hour.\n" for topic in ("api", "api-2", "api-v2")}
    )
    write_files(layout.weekly, {f"2026-W{week:02}.md": "# Week\n\nTokens last an hour.\n" for week in (1, 2)})
    for number in (1, 2, 3):
        transcript(environment, number, TALK, cwd=str(bench.store.root))
        recall(root, "archive", "--session", session_id_of(number))
    said = recall(root, "doctor")
    assert not ALIKE.search(said.out), said.out


def test_pages_that_two_of_a_team_numbered_alike_are_no_duplicates(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    for number in (1, 2):
        transcript(environment, number, TALK, cwd=str(environment.cwd))
        recall("summarize", session_id_of(number), "--yes")
    assert bench.layout.summaries is not None
    second = bench.layout.summaries / f"{session_id_of(2)}.md"
    second.write_text(second.read_text(encoding="utf-8").replace('"log": 2', '"log": 1'), encoding="utf-8")
    recall("summarize", session_id_of(2), "--scope", "web", "--yes")
    bench.layout.rows.write_text(index_file.render_header(), encoding="utf-8")
    said = recall("doctor")
    assert not ALIKE.search(said.out), said.out
    assert recall("doctor", "--fix").code in (0, 1)
    rows = bench.layout.rows.read_text(encoding="utf-8")
    assert session_id_of(1) in rows and session_id_of(2) in rows
