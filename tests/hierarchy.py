"""A memory of days, weeks, months and a wiki to search in; fixtures, and what they write."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from recall_tui.domain import Hit, SearchResult
from recall_tui.environment import Environment
from recall_tui.index.ingest.refresh import refresh
from recall_tui.index.opener import Index
from recall_tui.memory import Memory
from recall_tui.search.engine import search
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store

Write = Callable[..., None]


@pytest.fixture
def store(environment: Environment, now: Callable[[], Any]) -> Store:
    """An empty memory of days, weeks and months."""
    root = environment.cwd / "agent"
    for name in ("weekly", "monthly", "wiki"):
        (root / "memory" / name).mkdir(parents=True)
    return Memory(make_layout(root, "hierarchical"), environment, now)


@pytest.fixture
def write(store: Store) -> Write:
    """Writes a document of the memory: its path below memory/, its text, the values at its head."""

    def run(path: str, text: str, **head: object) -> None:
        lines = "".join(f"{key}: {json.dumps(value)}\n" for key, value in head.items())
        (store.root / "memory" / path).write_text(f"---\n{lines}---\n{text}\n")

    return run


@pytest.fixture
def ask(index: Index, store: Store) -> Callable[..., SearchResult]:
    """Brings the index up to date and asks."""

    def run(text: str, **more: Any) -> SearchResult:
        refresh(index, store)
        return search(index, store, text, **more)

    return run


def day(write: Write, name: str, text: str) -> None:
    """A log of a day."""
    write(f"{name}.md", f"\n## {name}\n\n{text}", type="daily")


def week(write: Write, name: str, text: str, **salience: float) -> None:
    """A page of a week that leads to days, named `d02` and the like, of March 2026."""
    shares = {f"memory/2026-03-{key[1:]}.md": share for key, share in salience.items()}
    write(f"weekly/{name}.md", f"\n# Week {name}\n\n{text}", type="weekly", pointers=list(shares), salience=shares)


def documents(answer: SearchResult) -> list[str]:
    """The documents of the hits, best first."""
    return [hit.document.removeprefix("memory/").removesuffix(".md") for hit in answer.hits]


def of(answer: SearchResult, name: str) -> Hit:
    """The hit of a document."""
    return next(hit for hit in answer.hits if hit.document == f"memory/{name}.md")


def index_of(store: Store) -> Index:
    """The index of the person whose memory it is."""
    return Index(store.environment.index_folder)
