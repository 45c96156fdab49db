"""Pages that may be one: by names without a model, by sources and a clear yes with one; nothing is merged by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recall_tui.domain.documents import SourceRef
from recall_tui.features.curation.review import accept
from recall_tui.features.dreaming import dream
from recall_tui.features.wiki import page_changes
from recall_tui.storage.documents.wiki_page import PageSource, SupersededClaim, WikiPage, render_wiki_page
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store
from tests.features.dreaming.dream_samples import dreamt
from tests.models import FakeModel, store_with


def page(store: Store, slug: str, name: str, *days: int, **values: Any) -> None:
    store.layout.wiki.mkdir(exist_ok=True)
    sources = tuple(PageSource(SourceRef(f"memory/2026-02-{number:02d}.md")) for number in days)
    one = WikiPage(
        slug, name, f"About {name}.", "entity", sources, f"\n{name} of {slug}.\n", "2026-02-01", "2026-03-05"
    )
    (store.layout.wiki / f"{slug}.md").write_text(render_wiki_page(WikiPage(**{**vars_of(one), **values})))


def vars_of(one: WikiPage) -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__slots__}


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Token Refresh", "token-refresh", True),
        ("TokenRefresh", "Token refresh", True),
        ("Nordpost", "Nordpost AG", False),
        ("Anna Berg", "Anna Bergmann", False),
    ],
)
def test_names_that_differ_in_how_they_are_written_are_proposed_as_one(
    store: Store, one: str, other: str, is_same: bool
) -> None:
    page(store, "first", one, 1, 2)
    page(store, "second", other, 3, supersedes=(SupersededClaim("x.md", "It was red.", "2026-02-03"),))
    found = [proposal for proposal in dreamt(store).proposed if "Merge" in proposal.title]
    assert bool(found) == is_same
    if is_same:
        assert found[0].subject == "first second" and not found[0].is_safe
        Journal(store.state, store.now).commit(lambda: accept(store, [found[0].id]), by="person")
        pages = page_changes.open_wiki(store).pages
        assert pages["first"].redirect_to == "second" and len(pages["second"].sources) == 3
        assert [gone.fact for gone in pages["second"].supersedes] == ["It was red."]


def test_a_known_alias_is_the_same_name(store: Store) -> None:
    page(store, "postgres", "PostgreSQL", 1, extra={"aliases": ["Postgres"]})
    page(store, "pg", "Postgres", 2)
    assert [one.subject for one in dreamt(store).proposed] == ["postgres pg"]


def test_without_a_model_sources_alone_make_nothing_one(store: Store) -> None:
    page(store, "nordpost", "Nordpost", 1, 2, 3)
    page(store, "np", "The carrier", 1, 2, 3)
    assert dreamt(store).proposed == ()


@pytest.mark.parametrize(
    ("answer", "is_merged"),
    [
        ({"same": True, "why": "The carrier was renamed."}, True),
        ({"same": False, "why": "Two things."}, False),
        ({}, False),
        ({"same": "maybe"}, False),
        ("yes", False),
    ],
)
def test_a_model_is_asked_about_pages_of_the_same_sources_and_only_a_clear_yes_counts(
    store: Store, tmp_path: Path, answer: Any, is_merged: bool
) -> None:
    page(store, "nordpost", "Nordpost", 1, 2, 3)
    page(store, "np", "The carrier", 1, 2, 3, 4)
    page(store, "far", "Something else", 1, 8, 9)
    with_model = store_with(FakeModel(tmp_path / "model", answer), store)
    said = dream.run_session(with_model)
    assert [one.subject for one in said.proposed] == (["nordpost np"] if is_merged else [])
    assert [one.why for one in said.proposed] == (["The carrier was renamed."] if is_merged else [])


def test_a_pair_is_asked_about_once_and_no_more_than_three_in_a_dream(store: Store, tmp_path: Path) -> None:
    for number in range(4):
        page(store, f"page-{number}", f"Name {chr(97 + number) * 4}", 1, 2, 3)
    model = FakeModel(tmp_path / "model", {"same": False})
    with_model = store_with(model, store)
    for count in (3, 6, 6):
        dream.run_session(with_model)
        assert len(model.asked) == count, "six pairs"
    page(store, "page-0", "Name aaaa", 1, 2, 3, body="\nOther words.\n")
    dream.run_session(with_model)
    assert len(model.asked) == 9, "its pairs are new"
