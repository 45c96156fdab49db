"""Vectors of a memory: made in the background, a few of them before a search, and never in the way of an answer."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from recall_tui.errors import ModelError
from recall_tui.features.health import embeddings
from recall_tui.index.text.schema import count_number
from recall_tui.workbench import Workbench
from tests.makers import bench_at, transcript
from tests.offered import with_embedder

TALK = [
    ("user", "Where do the tokens live?"),
    ("assistant", "The tokens live in Redis, and expire after an hour."),
    ("user", "Plan the harvest party in the orchard"),
]


@pytest.fixture
def bench(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> Workbench:
    """A memory of a person with an embedder and a transcript."""
    transcript(environment, 1, TALK)
    return bench_at(with_embedder(environment, monkeypatch))


def at_model(bench: Workbench, model: str) -> Workbench:
    """The same memory with another model."""
    env = {**bench.store.environment.env, "RECALL_EMBEDDINGS_MODEL": model}
    return bench_at(bench.store.environment._replace(env=env))


def rows_of(bench: Workbench) -> int:
    """The rows that the memory has."""
    covered = embeddings.find_coverage(bench.store, bench.index)
    assert covered is not None
    return covered.rows


def test_without_an_embedder_there_is_nothing(environment: Environment) -> None:
    bench = bench_at(environment)
    assert not embeddings.is_enabled(bench.store)
    assert (
        embeddings.embed_missing(bench.store, bench.index) is embeddings.find_coverage(bench.store, bench.index) is None
    )
    assert embeddings.prepare_query(bench.store, bench.index) == (bench.index, None, None)
    assert embeddings.find_problems(bench.store, bench.index, is_deep=True) == []
    assert embeddings.coverage_details(bench.store, bench.index) == {}


@pytest.mark.parametrize("word", ["off", "none"])
def test_an_embedder_that_is_switched_off_is_none(bench: Workbench, word: str) -> None:
    env = {**bench.store.environment.env, "RECALL_EMBEDDINGS_PROVIDER": word}
    assert not embeddings.is_enabled(bench_at(bench.store.environment._replace(env=env)).store)


def test_what_hooks_leave_behind_is_given_vectors(bench: Workbench) -> None:
    done = bench.hooks.catch_up()
    assert not done.failed and rows_of(bench) == 3


def test_a_model_that_fails_in_the_background_is_told_of_and_stops_nothing(bench: Workbench) -> None:
    done = at_model(bench, "failing").hooks.catch_up()
    assert done.indexed is not None and done.indexed.passages
    assert len(done.failed) == 1 and "vectors" in done.failed[0] and "asleep" in done.failed[0]


def test_a_search_waits_for_no_embedder_that_is_elsewhere(bench: Workbench) -> None:
    answer = bench.search("harvest")
    assert answer.hits and rows_of(bench) == 0
    assert ["there are no vectors yet; run: recall-tui sync" in note for note in answer.notes] == [True]


def test_a_search_makes_the_few_that_its_own_sync_brought_in(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "QUICK_PROVIDERS", ("hashed",))
    monkeypatch.setattr(embeddings, "MAX_QUICK_TEXTS", 3)
    assert not bench.search("harvest").notes and rows_of(bench) == 3
    transcript(
        bench.store.environment, 2, [("user", f"More talk about {what}") for what in ("ale", "bread", "cider", "dill")]
    )
    assert bench.search("cider").hits and rows_of(bench) == 3


def test_a_search_counts_what_lies_near_unless_words_alone_are_asked(bench: Workbench) -> None:
    bench.sync()
    embeddings.embed_missing(bench.store, bench.index)
    asked = "harvest party in the orchard"
    assert "embedding" in str(bench.search(asked, sync=False).hits[0].why)
    assert "embedding" not in str(bench.search(asked, sync=False, by_words=True).hits[0].why)


def test_a_search_by_a_failing_model_answers_by_words(bench: Workbench) -> None:
    bench.sync()
    embeddings.embed_missing(bench.store, bench.index)
    failing = at_model(bench, "failing")
    answer = failing.search("harvest", sync=False)
    assert answer.hits and ["asleep" in note for note in answer.notes] == [True]
    transcript(bench.store.environment, 2, TALK[:1])
    failing.sync()
    with pytest.raises(ModelError):
        embeddings.embed_missing(failing.store, failing.index)


def test_an_embedder_that_cannot_be_had_is_a_reason_and_a_note(bench: Workbench) -> None:
    env = {**bench.store.environment.env, "RECALL_EMBEDDINGS_PROVIDER": "nobody"}
    gone = bench_at(bench.store.environment._replace(env=env))
    answer = gone.search("harvest")
    assert answer.hits and "unknown provider" in answer.notes[0]
    assert any("words alone" in reason and "unknown provider" in reason for reason in gone.health().reasons)
    assert any("unknown provider" in one.message for one in gone.check())


def test_health_is_told_of_vectors_and_waiting_passages_are_no_fault(bench: Workbench) -> None:
    bench.sync()
    embeddings.embed_missing(bench.store, bench.index)
    assert not [reason for reason in bench.health().reasons if "vector" in reason]
    transcript(bench.store.environment, 2, TALK[:1])
    bench.sync()
    report = bench.health()
    assert not [reason for reason in report.reasons if "vector" in reason]
    index = report.facts["index"]
    assert isinstance(index, dict) and index["vectors"]["rows"] == 3 and index["vectors"]["missing"] == 1


def test_a_period_is_as_near_as_its_sessions(bench: Workbench) -> None:
    other = transcript(bench.store.environment, 2, [("user", "Bake a cake with plums")])
    bench.sync()
    embeddings.embed_missing(bench.store, bench.index)
    first, second = (count_number(one) for one in (transcript(bench.store.environment, 1, TALK).stem, other.stem))
    _, _, aggregate = embeddings.prepare_query(bench.store, bench.index)
    assert aggregate is not None
    near, far, nothing = aggregate("Bake a cake with plums", [{second: 1.0}, {first: 0.5, 7: 0.5}, {7: 1.0}])
    assert near > 0.5 > far and nothing == 0.0
