"""The values of filters are those that the index holds, and each of them finds something."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.index.ingest.refresh import refresh
from recall_tui.index.opener import Index
from recall_tui.memory import Memory
from recall_tui.search.engine import search
from recall_tui.search.filter_values import FilterValues
from recall_tui.search.query import TEXT_FILTERS
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from tests.makers import session_id_of, transcript

Archive = Callable[..., Path]


@pytest.fixture
def vocabulary(index: Index, store: Store, archive: Archive) -> FilterValues:
    """What a few transcripts and archives can be asked by."""
    transcript(
        store.environment, 1, [("user", "why jwt"), ("Edit", "/home/u/api/src/auth.py"), ("assistant", "because")]
    )
    transcript(
        store.environment,
        2,
        [("user", "a bucket"), ("Bash", "/home/u/my shop/src/lib/rates.py")],
        cwd="/home/u/my shop",
    )
    archive(7, "hello", "there", agent="gemini", branch="feature/Tokens", project="/home/u/api/", source="checkpoint")
    (store.root / "memory" / "ledger.md").write_text('---\ntopics: ["bookkeeping"]\n---\n\n# Ledger\n\nA ledger.\n')
    refresh(index, store)
    return FilterValues(index, store)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "beginning", "found"),
    [
        ("project", "", ("api", "my shop")),
        ("project", "MY", ("my shop",)),
        ("agent", "", ("claude", "gemini")),
        ("tool", "E", ("edit",)),
        ("source", "c", ("checkpoint",)),
        ("branch", "fea", ("feature/Tokens",)),
        ("branch", "feature/t", ("feature/Tokens",)),
        ("branch", "feature/tokens", ("feature/Tokens",)),
        ("branch", "tokens", ()),
        ("file", "", ("rates.py", "auth.py")),
        ("file", "au", ("auth.py",)),
        ("file", "src", ("src/",)),
        ("file", "src/", ("src/lib/", "src/auth.py")),
        ("file", "src/lib/", ("src/lib/rates.py",)),
        ("file", "nowhere", ()),
        ("nothing", "", ()),
    ],
)
def test_values_begin_as_asked(vocabulary: FilterValues, name: str, beginning: str, found: tuple[str, ...]) -> None:
    assert set(vocabulary.values(name, beginning)) == set(found)


def test_sessions_are_completed_from_their_first_letters(vocabulary: FilterValues) -> None:
    assert set(vocabulary.values("session", "")) == {session_id_of(1), session_id_of(2), "session-7"}
    assert vocabulary.values("session", "session") == ("session-7",)


@pytest.mark.long
@pytest.mark.parametrize("name", TEXT_FILTERS)
def test_every_value_that_is_offered_finds_something(
    vocabulary: FilterValues, index: Index, store: Store, name: str
) -> None:
    values = vocabulary.values(name, "")
    assert values
    for value in values:
        assert search(index, store, f'{name}:"{value}"').hits, value


def test_files_come_before_folders(vocabulary: FilterValues) -> None:
    assert vocabulary.values("file", "src/") == ("src/auth.py", "src/lib/")


def test_nothing_is_offered_before_anything_is_indexed(index: Index, store: Store) -> None:
    vocabulary = FilterValues(index, store)
    assert [vocabulary.values(name, "") for name in TEXT_FILTERS] == [()] * len(TEXT_FILTERS)


def test_what_is_known_is_kept_until_it_is_forgotten(vocabulary: FilterValues, index: Index, store: Store) -> None:
    assert vocabulary.values("tool", "g") == ()
    transcript(store.environment, 3, [("user", "look"), ("Grep", "x")])
    refresh(index, store)
    assert vocabulary.values("tool", "g") == ()
    vocabulary.forget()
    assert vocabulary.values("tool", "g") == ("grep",)


def test_a_memory_of_one_project_offers_only_its_own(index: Index, environment: Environment, store: Store) -> None:
    transcript(environment, 1, [("user", "why jwt"), ("Edit", "/a/mine.py")], cwd=str(environment.cwd))
    transcript(environment, 2, [("user", "a bucket"), ("Edit", "/b/other.py")], cwd="/home/u/other")
    own = Memory(make_layout(environment.cwd, "project"), environment, store.now)
    refresh(index, own)
    vocabulary = FilterValues(index, own)
    assert vocabulary.values("project", "") == (environment.cwd.name,)
    assert vocabulary.values("file", "") == ("mine.py",)
