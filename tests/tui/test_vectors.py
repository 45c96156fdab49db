"""Vectors in the app: made after the index, asked only when a question rests, and complained of once."""

from __future__ import annotations

import pytest

from recall_tui.domain import Hit
from recall_tui.features.health import embeddings
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.search.search_box import SearchBox
from recall_tui.workbench import Workbench
from tests.offered import with_embedder
from tests.tui.piloting import AppMaker, search, settled, toasts, until

WIDE = (120, 36)


def with_vectors(bench: Workbench, monkeypatch: pytest.MonkeyPatch, model: str = "") -> Workbench:
    """The memory of a person with an embedder."""
    environment = with_embedder(bench.store.environment, monkeypatch, model=model)
    return Workbench.open(bench.store.root, environment=environment, now=bench.store.now)


@pytest.mark.long
async def test_vectors_are_made_and_a_question_that_rests_is_asked_by_them(
    app_on: AppMaker, sample: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = with_vectors(sample, monkeypatch)
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:

        def is_whole() -> bool:
            covered = embeddings.find_coverage(bench.store, bench.index)
            return covered is not None and covered.rows > 0 and covered.is_whole

        await until(pilot, is_whole)
        await settled(pilot)
        assert app.busy == ""
        await search(pilot, "jwt tokens in redis")
        home = app.screen
        assert isinstance(home, Home)

        def is_near() -> bool:
            hits = [one for one in home.archive.items if isinstance(one, Hit)]
            parts = [hit.why["parts"] for hit in hits]
            return any("embedding" in part for part in parts if isinstance(part, dict))

        await until(pilot, is_near)
        # The hits alone do not say that nothing more is about to be asked.
        assert not app.screen.query_one(SearchBox)._question.by_words


@pytest.mark.long
async def test_while_somebody_types_words_answer(
    app_on: AppMaker, sample: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recall_tui.tui.screens.search.search_box.SEMANTIC_DELAY_SECONDS", 600.0)
    bench = with_vectors(sample, monkeypatch)
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash", "j", "w", "t")
        home = app.screen
        assert isinstance(home, Home)
        await until(pilot, lambda: any(isinstance(one, Hit) for one in home.archive.items))
        # The hits alone do not say that the question by meaning still waits.
        assert app.screen.query_one(SearchBox)._question.by_words
        assert all("embedding" not in str(one.why) for one in home.archive.items if isinstance(one, Hit))


@pytest.mark.long
async def test_a_model_that_fails_is_complained_of_once(
    app_on: AppMaker, sample: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = app_on(with_vectors(sample, monkeypatch, "failing"))
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: toasts(app) != [])
        await pilot.press("r")
        await settled(pilot)
        assert ["asleep" in said for said in toasts(app)] == [True]


@pytest.mark.long
async def test_without_an_embedder_nothing_is_asked_twice(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(Workbench(sample.store, sample.why))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await search(pilot, "jwt")
        assert app.screen.query_one(SearchBox).delays.are_over
