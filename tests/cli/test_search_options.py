"""The options that the published designs give a search."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment

Recall = Callable[..., Any]


@pytest.fixture
def root(environment: Environment) -> Path:
    """A memory of days, a week, a wiki and a typed memory, beside which no other lies."""
    root = environment.cwd / "agent"
    for name in ("weekly", "wiki", "topics"):
        (root / "memory" / name).mkdir(parents=True)
    memory = root / "memory"
    for number in range(1, 8):
        said = f"Key rotation, step {number}.\n\n## Later\n\nMore of the key rotation. {'And so on. ' * 60}"
        (memory / f"2026-02-{number:02d}.md").write_text(f"---\ntype: daily\n---\n## Day {number}\n\n{said}\n")
    for week in ("2026-W01", "2026-W02", "2026-W03"):
        (memory / "weekly" / f"{week}.md").write_text(f"---\ntype: weekly\n---\n\n# Week {week}\n\nNothing of note.\n")
    head = {"name": "Key rotation", "description": "the key rotation", "category": "concept", "sources": ["x"]}
    lines = "".join(f"{key}: {json.dumps(value)}\n" for key, value in head.items())
    (memory / "wiki" / "keys.md").write_text(
        f"---\n{lines}---\n# Key rotation\n\nThe key rotation is a key rotation.\n"
    )
    typed = "---\nname: Key rotation\ndescription: keys\ntype: project\n---\nNinety days.\n"
    (memory / "topics" / "project_keys.md").write_text(typed)
    return root


@pytest.fixture
def ask(recall: Recall, root: Path) -> Callable[..., list[dict[str, Any]]]:
    """The hits of a ranked search."""

    def run(*words: str) -> list[dict[str, Any]]:
        said = recall("--root", str(root), "search", "--ranked", "--json", *(words or ("key rotation",)))
        hits: list[dict[str, Any]] = said.json["hits"]
        return hits

    return run


Ask = Callable[..., list[dict[str, Any]]]


@pytest.mark.long
@pytest.mark.parametrize("name", ["--limit", "--results", "--max-results"])
def test_so_many_hits_at_most(ask: Ask, name: str) -> None:
    assert len(ask("key rotation", name, "3")) == 3


def test_the_text_of_a_hit_is_given_when_it_is_asked_for(ask: Ask) -> None:
    assert "chunks" not in ask("key rotation")[0]
    hit = ask("key rotation", "--max-chunks", "2", "kind:daily")[0]
    assert len(hit["chunks"]) == 2
    assert hit["chunks"][0]["lines"] == hit["lines"] and "ey rotation" in hit["chunks"][0]["text"]
    assert len(ask("key rotation", "--max-chunks", "1", "kind:daily")[0]["chunks"]) == 1


def test_so_much_text_of_a_hit_at_most(ask: Ask) -> None:
    for hit in ask("key rotation", "--max-tokens", "20", "--recency-depth", "0"):
        assert 0 < sum(len(chunk["text"]) for chunk in hit["chunks"]) <= 20 * 4


def test_the_newest_weeks_stand_at_the_end_where_there_is_room(ask: Ask) -> None:
    hits = ask("key rotation", "--limit", "20")
    recent = [hit for hit in hits if hit["why"]["rung"] == "recent"]
    assert [hit["document"] for hit in recent] == ["memory/weekly/2026-W03.md", "memory/weekly/2026-W02.md"]
    assert hits[-2:] == recent and all(hit["score"] == 0 for hit in recent)
    assert not any("weekly" in hit["document"] for hit in ask("key rotation", "--limit", "20", "--recency-depth", "0"))
    assert not any("weekly" in hit["document"] for hit in ask("key rotation", "--limit", "5"))
    assert not any("weekly" in hit["document"] for hit in ask("key rotation kind:daily", "--limit", "20"))


def test_the_newest_weeks_are_no_answer_to_a_question_that_has_none(recall: Recall, root: Path) -> None:
    assert recall("--root", str(root), "search", "--ranked", "xylophone").code == 1


def test_a_typed_memory_counts_as_much_as_is_said(ask: Ask) -> None:
    def score(boost: str) -> float:
        hits = ask("key rotation vault", "--limit", "20", "--typed-memory-boost", boost)
        return next(float(hit["score"]) for hit in hits if hit["document"].endswith("project_keys.md"))

    assert score("1.4") > score("1.0") > 0


def test_pages_of_the_wiki_weigh_as_much_as_is_said(ask: Ask) -> None:
    def weight(*words: str) -> float:
        found = next(hit for hit in ask("rotation of keys", *words) if hit["kind"] == "wiki")
        return float(found["why"]["kind_weight"])

    assert (weight(), weight("--wiki-boost", "0.5"), weight("--no-wiki-boost")) == (0.9, 0.5, 1.0)


def test_only_the_wiki_or_none_of_it(ask: Ask) -> None:
    everything = {hit["kind"] for hit in ask("key rotation", "--recency-depth", "0")}
    assert {hit["kind"] for hit in ask("key rotation", "--wiki-only")} == {"wiki"}
    assert {hit["kind"] for hit in ask("key rotation", "--no-wiki", "--recency-depth", "0")} == everything - {"wiki"}


@pytest.mark.parametrize(
    "words",
    [
        ("--wiki-only", "--no-wiki"),
        ("--wiki-boost", "2", "--no-wiki-boost"),
        ("--max-chunks", "0"),
        ("--wiki-boost", "-1"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(recall: Recall, root: Path, words: tuple[str, ...]) -> None:
    assert recall("--root", str(root), "search", "--ranked", "key rotation", *words).code == 2
