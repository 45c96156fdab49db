"""`dream` from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from recall_tui.storage.trust import confirm
from tests.conftest import NOON
from tests.features.dreaming.dream_samples import story
from tests.models import FakeModel

Recall = Any


@pytest.fixture
def memory(environment: Environment) -> Store:
    root = environment.cwd / "agent"
    (root / "memory").mkdir(parents=True)
    store = Memory(make_layout(root, "hierarchical"), environment, lambda: NOON)
    story(store)
    return store


def test_a_dream_proposes_and_keeps_a_diary(recall: Recall, memory: Store) -> None:
    said = recall("dream", "--root", memory.root)
    assert said.code == 0 and "Begin the page Anna Berg" in said.out and "recall-tui review" in said.err
    assert not memory.layout.wiki.exists() and len(proposals.list_open(memory)) == len(said.out.splitlines())
    assert "### Wiki Updates" in memory.layout.dreams.read_text()
    again = recall("dream", "--json", "--root", memory.root)
    assert again.json["proposals"] and {one["id"] for one in again.json["proposals"]} == {
        one.id for one in proposals.list_open(memory)
    }


def test_a_dry_run_shows_signals_and_keeps_nothing(recall: Recall, memory: Store) -> None:
    said = recall("dream", "--dry-run", "--root", memory.root)
    assert "entity_cluster" in said.out and proposals.list_all(memory) == ()
    assert not memory.layout.dreams.exists()
    assert recall("dream", "status", "--json", "--root", memory.root).json["waiting"] == 0


def test_the_phases_run_one_by_one(recall: Recall, memory: Store) -> None:
    assert "entity_cluster" in recall("dream", "--phase", "gather", "--root", memory.root).out
    assert "waiting:   0" not in recall("dream", "status", "--root", memory.root).out
    assert recall("dream", "--phase", "analyze", "--root", memory.root).code == 0
    assert proposals.list_all(memory) == ()
    assert "Anna Berg" in recall("dream", "--phase", "write", "--root", memory.root).out
    said = recall("dream", "status", "--root", memory.root)
    assert "Last dream:" in said.out and "never" not in said.out and "dream.enabled is off" in said.out


def test_status_takes_no_phase(recall: Recall, memory: Store) -> None:
    assert recall("dream", "status", "--dry-run", "--root", memory.root).code == 2


def test_searches_are_kept_for_dreaming_only_when_it_is_on(recall: Recall, memory: Store) -> None:
    root = ("--root", memory.root)
    recall("search", "--ranked", "anna berg", *root)
    assert recall("dream", "status", "--json", *root).json["searches"] == 0
    recall("config", "set", "dream.enabled", "true", *root)
    recall("search", "--ranked", "anna berg", *root)
    recall("recall", "who owns zanzibar", *root)
    assert recall("dream", "status", "--json", *root).json["searches"] == 2


def test_kinds_that_apply_themselves_do_so_and_the_rest_waits(
    recall: Recall, memory: Store, environment: Environment, tmp_path: Path
) -> None:
    memory.layout.config.write_text('[review]\nauto = ["wiki"]\n')
    assert confirm(memory)
    claims = [{"text": "Anna Berg wants invoices by mail.", "lines": [1, 2, 3, 4, 5]}]
    create = {"op": "create", "slug": "anna-berg", "category": "entity", "name": "Anna Berg", "claims": claims}
    patch = {"op": "add", "id": "mail", "claim": claims[0]["text"], "lines": [1]}
    model = FakeModel(tmp_path / "model", {"operations": [create], "patches": [patch]})
    environment.env.update(model.env)  # type: ignore[attr-defined]
    said = recall("dream", "--root", memory.root)
    assert "asking the model" in said.err and "recall-tui undo" in said.err
    assert "wants invoices by mail" in (memory.layout.wiki / "anna-berg.md").read_text()
    assert [one.kind for one in proposals.list_open(memory)] == ["wisdom"] and not memory.layout.wisdom.exists()
    assert recall("dream", "--agent", "off", "--dry-run", "--json", "--root", memory.root).json["signals"] == []


def test_what_a_model_finds_beside_pages_is_told_with_what_it_failed(
    recall: Recall, memory: Store, environment: Environment, tmp_path: Path
) -> None:
    found = {"gaps": [{"text": "Nobody says who Anna Berg works for."}], "operations": [{"op": "create", "slug": ".."}]}
    model = FakeModel(tmp_path / "model", found, "no json")
    environment.env.update({**model.env, "RECALL_LLM_CONCURRENCY": "1"})  # type: ignore[attr-defined]
    said = recall("dream", "--json", "--root", memory.root).json
    assert [one["text"] for one in said["gaps"]] == ["Nobody says who Anna Berg works for."]
    assert len(said["failed"]) == 1 and "no JSON object" in said["failed"][0] and said["calls"] == 1
    assert any("it is no slug" in note for note in said["notes"])
