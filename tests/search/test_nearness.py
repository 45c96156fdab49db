"""What lies near a question counts beside its words, and without vectors nothing is other than it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recall_tui.domain import SearchResult
from recall_tui.domain.embedding import Nearest
from recall_tui.errors import ModelError
from recall_tui.index.ingest.refresh import refresh
from recall_tui.index.opener import Index
from recall_tui.memory import Memory
from recall_tui.search.engine import search
from recall_tui.search.ranking import fusion
from recall_tui.search.ranking.fusion import FusionWeights
from recall_tui.storage.memory_context import Store
from tests.nearby import nearest_in

MEANINGS = {"automobile": "car", "repaired": "fixed"}


@pytest.fixture
def near(index: Index, store: Store, archive: Callable[..., Path]) -> Nearest:
    """A memory of four conversations, and what lies near a question in it."""
    archive(1, "the car is broken", "We had the car fixed on Friday, the clutch was gone.")
    archive(2, "which parser do we use", "The markdown parser, for its speed.")
    archive(3, "my holiday", "Two weeks in the mountains, by train.")
    archive(4, "who pays for the train", "The company does, twice a year.")
    refresh(index, store)
    return nearest_in(index, MEANINGS)


def sessions(answer: SearchResult) -> list[str]:
    """The sessions of the hits, best first."""
    return [hit.session_id.removeprefix("session-") for hit in answer.hits]


def parts(answer: SearchResult) -> dict[str, float]:
    """What the score of the first hit is made of."""
    found: Any = answer.hits[0].why["parts"]
    return dict(found)


def test_a_question_that_shares_no_word_with_its_evidence_finds_it(near: Nearest, index: Index, store: Store) -> None:
    question = "repaired automobile"
    assert not search(index, store, question, corrects=False).hits
    answer = search(index, store, question, corrects=False, near=near)
    assert sessions(answer)[0] == "1"
    assert "car fixed" in answer.hits[0].snippet
    assert answer.rung == answer.hits[0].why["rung"] == "vectors"
    assert parts(answer)["embedding"] == 1.0


def test_what_words_find_says_how_near_it_lies(near: Nearest, index: Index, store: Store) -> None:
    answer = search(index, store, "the markdown parser", near=near)
    assert sessions(answer)[0] == "2" and answer.rung == "exact"
    assert parts(answer)["embedding"] > 0
    assert "embedding" not in parts(search(index, store, "the markdown parser"))


def test_nearness_and_words_together_are_weighed_as_the_settings_say(near: Nearest, index: Index, store: Store) -> None:
    question = "automobile on the train"
    by_words = search(index, store, question)
    assert "1" not in sessions(by_words)[:1]
    store.layout.config.write_text("[search]\nweights = [0.8, 0.0, 0.2]\n")
    assert sessions(search(index, Memory(store.layout, store.environment, store.now), question, near=near))[0] == "1"
    store.layout.config.write_text("[search]\nweights = [0.0, 0.8, 0.2]\n")
    again = search(index, Memory(store.layout, store.environment, store.now), question, near=near)
    assert [hit.score for hit in again.hits[: len(by_words.hits)]] == [hit.score for hit in by_words.hits]


def test_single_passages_are_found_by_nearness_too(near: Nearest, index: Index, store: Store) -> None:
    answer = search(index, store, "repaired automobile", passages=True, near=near)
    assert "car fixed" in answer.hits[0].snippet and answer.hits[0].why["rung"] == "vectors"


def test_filters_hold_for_what_lies_near(near: Nearest, index: Index, store: Store) -> None:
    answer = search(index, store, "repaired automobile session:session-3", near=near)
    assert set(sessions(answer)) <= {"3"}


def test_a_model_in_trouble_leaves_the_answer_of_the_words_and_a_note(
    near: Nearest, index: Index, store: Store
) -> None:
    def broken(text: str, within: Any, most: int) -> list[tuple[float, Any]]:
        raise ModelError("no model in /models/mini", hint="recall-tui config set embeddings.model PATH")

    plain = search(index, store, "the markdown parser")
    answer = search(index, store, "the markdown parser", near=broken)
    assert answer.hits == plain.hits
    step = "recall-tui config set embeddings.model PATH"
    assert answer.notes == (f"found by words alone: no model in /models/mini; {step}",)


def test_vectors_that_find_nothing_change_nothing(near: Nearest, index: Index, store: Store) -> None:
    plain = search(index, store, "the markdown parser for the train")
    assert search(index, store, "the markdown parser for the train", near=lambda *_: []).hits == plain.hits


def test_a_query_of_filters_alone_asks_for_no_nearness(near: Nearest, index: Index, store: Store) -> None:
    def never(text: str, within: Any, most: int) -> list[tuple[float, Any]]:
        raise AssertionError("asked")

    assert search(index, store, "session:session-2", near=never).hits


def test_without_vectors_the_words_count_for_both() -> None:
    weights = FusionWeights(0.5, 0.3, 0.2)
    assert weights.score(0.7, None) == 0.7
    assert weights.score(0.0, 1.0) == pytest.approx(fusion.SIMILARITY_WEIGHT)
    assert FusionWeights(0.0, 0.0, 1.0).score(0.7, 0.2) == 0.7


def test_only_what_is_near_enough_is_an_answer_for_its_nearness_alone() -> None:
    from recall_tui.index.text.reader import PassageAddress

    addresses = [PassageAddress("speech", 0, number) for number in range(3)]
    near = list(zip((0.9, 0.5, 0.1), addresses, strict=True))
    found = fusion.fuse((), (), (), lambda them: [one.doc for one in them], near)
    assert [one.key for one in found] == [0, 1]
