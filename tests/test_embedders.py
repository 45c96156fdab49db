"""The embedders that tests use: the same vectors for the same words, and what is near in one that was fitted."""

from __future__ import annotations

import numpy as np
import pytest

from tests.embedders import FittedWords, HashedWords

TEXTS = (
    "the car has an engine and four wheels",
    "an automobile has an engine and wheels",
    "the car stood in the garage",
    "the garage mended the automobile",
    "flour and sugar make a cake",
    "a cake of flour, sugar and butter",
    "butter and sugar, whipped for the cake",
)


@pytest.fixture(scope="module")
def fitted() -> FittedWords:
    return FittedWords(TEXTS, dimensions=3)


def test_the_same_corpus_gives_the_same_vectors(fitted: FittedWords) -> None:
    again = FittedWords(TEXTS, dimensions=3)

    assert again.name == fitted.name
    assert np.array_equal(again.embed(TEXTS), fitted.embed(TEXTS))
    assert FittedWords(TEXTS[:-1], dimensions=3).name != fitted.name
    assert np.array_equal(HashedWords().embed(TEXTS), HashedWords().embed(TEXTS))


@pytest.mark.parametrize("embedder", [HashedWords(), FittedWords(TEXTS, dimensions=5), FittedWords((), dimensions=5)])
def test_every_text_has_a_row_of_unit_length(embedder: HashedWords | FittedWords) -> None:
    rows = embedder.embed([*TEXTS, "", "xylophone"])

    assert rows.shape == (len(TEXTS) + 2, embedder.dimensions)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert embedder.embed([]).shape == (0, embedder.dimensions)


def test_words_that_stand_among_the_same_words_are_near(fitted: FittedWords) -> None:
    car, automobile, cake = fitted.embed(["car", "automobile", "cake"])

    assert car @ automobile > 0.5
    assert abs(car @ cake) < 0.2


def test_a_text_without_a_known_word_is_near_nothing_else(fitted: FittedWords) -> None:
    unknown, blank = fitted.embed(["xylophone quartz", ""])

    assert unknown @ blank == 1
    assert not (fitted.embed(TEXTS) @ unknown).any()


def test_with_as_many_axes_as_words_nothing_is_left_to_chance() -> None:
    chance = np.random.default_rng(1)
    texts = [" ".join(f"word{number}" for number in chance.integers(0, 40, 12)) for _ in range(60)]
    one, other = (FittedWords(texts, dimensions=41, seed=seed).embed(texts) for seed in (1, 2))

    assert np.allclose(one @ one.T, other @ other.T, atol=1e-3)
    assert not np.allclose(one, other, atol=1e-3)
