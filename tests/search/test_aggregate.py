"""A period is found by the vectors of its days, each by its share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from recall_tui.domain import SearchResult
from recall_tui.errors import ModelError
from recall_tui.index.opener import memory_key
from recall_tui.index.sources.markdown import source_key
from recall_tui.index.text import schema
from recall_tui.search.ranking.period_routing import aggregate_vectors, period_cosines
from recall_tui.storage.memory_context import Store
from tests.embedders import HashedWords
from tests.hierarchy import Write, ask, day, documents, of, store, week, write

__all__ = ["ask", "store", "write"]

Ask = Callable[..., SearchResult]
EMBEDDER = HashedWords(256)
ROWS = {1: EMBEDDER.embed(["red fox"]), 2: EMBEDDER.embed(["blue whale"]), 3: EMBEDDER.embed([])}


def test_the_vector_of_a_period_is_the_mean_of_its_documents_by_their_shares() -> None:
    whole = aggregate_vectors({1: 0.75, 2: 0.25}, ROWS.__getitem__)
    wanted = 0.75 * ROWS[1][0] + 0.25 * ROWS[2][0]
    assert np.allclose(whole, wanted / np.linalg.norm(wanted), atol=1e-6)
    assert float(np.linalg.norm(whole)) == pytest.approx(1.0, abs=1e-6)


def test_the_cosine_of_a_period_grows_with_the_share_of_what_is_asked_for() -> None:
    asked = EMBEDDER.embed(["red fox"])[0]
    most, less, none, empty = period_cosines(
        asked, [{1: 0.9, 2: 0.1}, {1: 0.1, 2: 0.9}, {3: 1.0}, {}], ROWS.__getitem__
    )
    assert most > less > 0 and (none, empty) == (0.0, 0.0)


def test_a_week_is_found_by_the_vectors_of_its_days(write: Write, ask: Ask, store: Store) -> None:
    day(write, "2026-03-02", "We put the signing secret into the vault.")
    day(write, "2026-03-09", "Lunch with the accountants.")
    week(write, "2026-W10", "- nothing of note", d02=1.0)
    week(write, "2026-W11", "- nothing of note", d09=1.0)
    memory = memory_key(store)
    said = {"2026-03-02": "credential hygiene", "2026-03-09": "lunch"}
    rows = {
        schema.count_number(source_key(memory, f"memory/{name}.md")): EMBEDDER.embed([text])
        for name, text in said.items()
    }

    def aggregate(question: str, periods: Sequence[Mapping[int, float]]) -> list[float]:
        return period_cosines(EMBEDDER.embed([question])[0], periods, rows.__getitem__)

    assert ask("credential hygiene", corrects=False).hits == ()
    answer = ask("credential hygiene", corrects=False, aggregate=aggregate)
    assert documents(answer)[0] == "2026-03-02"
    assert of(answer, "2026-03-02").why["through"] == "weekly/2026-W10"


def test_a_model_in_trouble_leaves_what_words_find(write: Write, ask: Ask) -> None:
    day(write, "2026-03-02", "The vault.")
    week(write, "2026-W10", "- credential hygiene", d02=1.0)

    def broken(question: str, periods: Sequence[Mapping[int, float]]) -> Any:
        raise ModelError("no model")

    assert ask("credential hygiene", aggregate=broken).hits == ask("credential hygiene").hits


def test_a_model_that_failed_for_the_question_is_not_asked_about_periods(write: Write, ask: Ask) -> None:
    week(write, "2026-W10", "- credential hygiene", d02=1.0)
    calls: list[str] = []

    def broken(question: str, within: Any, most: int) -> Any:
        calls.append("near")
        raise ModelError("the server is down")

    def aggregate(question: str, periods: Sequence[Mapping[int, float]]) -> list[float]:
        calls.append("periods")
        raise ModelError("the server is down")

    answer = ask("credential hygiene", near=broken, aggregate=aggregate)
    assert answer.hits and calls == ["near"] and "the server is down" in answer.notes[0]
