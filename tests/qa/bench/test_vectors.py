"""The measure of what vectors add: a pilot memory where only they find the evidence, and what the check refuses."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.search.engine import search
from recall_tui.search.to_json import result_as_json
from recall_tui.workbench import Workbench
from tests.embedders import FittedWords, HashedWords
from tests.qa.bench import vectors
from tests.qa.bench.retrieval import Place, Question, place_of
from tests.qa.bench.vectors import FITTED, MODEL, OTHER_WORDS, TUNED, WORDS, Asked, Kept, faults, gain, together

TURNS = (
    "The automobile has a new engine, and the wheels were changed.",
    "A car with this engine needs other wheels.",
    "Which engine was it, that of the automobile or of the car?",
    "Wheels and engine of the automobile were checked by Friday.",
    "My car failed its inspection.",
    "Flour, sugar and butter make the cake.",
    "The cake wants more sugar and less flour.",
    "Butter for the cake was sold out, sugar too.",
    "The parser reads markdown line by line.",
    "A line of markdown confused the parser.",
)
QUESTION, EVIDENCE = Question("automobile", frozenset(("session-5",)), "pilot"), "session-5"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A memory of ten conversations of one turn."""
    archives = tmp_path / "data" / "agent" / "memory" / "conversations"
    archives.mkdir(parents=True)
    for number, turn in enumerate(TURNS, 1):
        head = f'---\nlog: {number}\ndate: "2026-03-{number:02d}T10:00:00Z"\nsession_id: "session-{number}"\n---\n\n'
        text = f"# Conversation\n\n---\n\n### User\n\n{turn}\n"
        (archives / f"conversation-{number:03d}.md").write_text(head + text, encoding="utf-8")
    (tmp_path / "work").mkdir()
    place = place_of(tmp_path / "data", tmp_path / "work")
    place.run("sync")
    return place


@pytest.fixture
def bench(place: Place) -> Workbench:
    """Its workbench."""
    return Workbench.open(
        place.root, environment=Environment(place.home, place.folder, {"RECALL_STATE": f"{place.folder}/state"})
    )


def answered(bench: Workbench, question: str) -> str:
    """The answer by words alone, all but how long it took."""
    answer = result_as_json(search(bench.index, bench.store, question))
    return json.dumps({name: value for name, value in answer.items() if name != "took_ms"}, default=str)


@pytest.mark.long
def test_a_question_without_a_word_of_its_evidence_finds_it_by_vectors_alone(bench: Workbench) -> None:
    by_words = search(bench.index, bench.store, QUESTION.text)
    assert by_words.hits and EVIDENCE not in {hit.session_id for hit in by_words.hits}

    near = vectors.nearest_by(bench, FittedWords(TURNS, dimensions=4))
    by_vectors = search(bench.index, bench.store, QUESTION.text, near=near)
    assert EVIDENCE in {hit.session_id for hit in by_vectors.hits}
    assert by_vectors.hits[0].session_id == by_words.hits[0].session_id


@pytest.mark.long
def test_vectors_beside_the_index_change_no_answer_by_words(bench: Workbench) -> None:
    asked = ("automobile", "which engine", "cake without butter", "markdown", "xylophone", "line of the parser")
    before = [answered(bench, question) for question in asked]
    vectors.nearest_by(bench, HashedWords())

    assert [answered(bench, question) for question in asked] == before


def test_the_measure_prints_what_each_way_adds(bench: Workbench) -> None:
    groups = {TUNED: [QUESTION]}
    near = vectors.nearest_by(bench, FittedWords(TURNS, dimensions=4))
    found = vectors.answered(bench, groups, WORDS, None) + vectors.answered(bench, groups, FITTED, near)
    found = together(found)

    assert gain(found, found[1], "hit@10") == 1.0
    assert f"| {OTHER_WORDS} | 1 | {WORDS} | 0.000 |" in vectors.report(found)
    assert [row["by"] for row in json.loads(vectors.as_json(found))["rows"]] == [WORDS, FITTED, WORDS, FITTED]


def asked(group: str, way: str, *first: float) -> Asked:
    """The answers to some questions, each with its place in hit@1 and hit@5 alike."""
    return Asked(group, way, tuple({"hit@1": one, "hit@5": one, "MRR": one} for one in first), (1.0,) * len(first))


def test_a_lost_first_place_and_too_small_a_gain_are_faults() -> None:
    words = [asked("agent-dev", WORDS, 1, 1), asked(OTHER_WORDS, WORDS, 0, 0, 0, 0, 0, 1)]

    assert not faults([*words, asked("agent-dev", FITTED, 1, 1), asked(OTHER_WORDS, MODEL, 1, 1, 0, 0, 0, 1)])
    assert not faults([*words, asked(OTHER_WORDS, FITTED, 0, 0, 0, 0, 0, 0)])
    assert faults([*words, asked("agent-dev", FITTED, 1, 0)]) == ["agent-dev, fitted: hit@1 falls by 0.500"]
    assert len(faults([*words, asked(OTHER_WORDS, MODEL, 1, 0, 0, 0, 0, 1)])) == 1


def test_what_an_embedder_made_is_remembered_by_its_text(tmp_path: Path) -> None:
    asked: list[str] = []

    class Counted(HashedWords):
        def embed(self, texts):  # type: ignore[no-untyped-def]
            asked.extend(texts)
            return super().embed(texts)

    first = Kept(Counted(), tmp_path)
    rows = first.embed(["one", "two", "one"])
    first.keep()
    again = Kept(Counted(), tmp_path).embed(["two", "three"])

    assert asked == ["one", "two", "three"]
    assert (again[0] == rows[1]).all()


@pytest.mark.skipif("RECALL_TEST_MODEL" not in os.environ, reason="RECALL_TEST_MODEL names no folder with a model")
def test_a_model_finds_what_is_said_in_other_words(bench: Workbench) -> None:
    near = vectors.nearest_by(bench, vectors.model_of(os.environ["RECALL_TEST_MODEL"]))
    answer = search(bench.index, bench.store, "ingredients to bake something sweet", near=near)

    assert {hit.session_id for hit in answer.hits[:3]} <= {"session-6", "session-7", "session-8"}
