"""Typing errors that are always there, small, and the same again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from tests.qa.bench.typos import mistyped, neighbours


@given(st.text(alphabet="abcdefgh IJKLMNO äö", min_size=1), st.integers())
def test_a_question_gets_one_error_in_one_long_word_or_none(text: str, seed: int) -> None:
    wrong = mistyped(text, seed)
    has_long_word = any(len(word) >= 4 for word in text.split())
    assert OSA.distance(text, wrong) == int(has_long_word)
    assert wrong == mistyped(text, seed)


def test_short_words_and_numbers_stay_as_they_are() -> None:
    assert mistyped("how is it in 20261", 1) == "how is it in 20261"


def test_another_seed_makes_other_errors() -> None:
    assert len({mistyped("token refresh in the authentication module", seed) for seed in range(40)}) > 20


@pytest.mark.parametrize(("letter", "keys"), [("a", "sqwz"), ("G", "FHTYVB"), ("p", "ol"), ("m", "njk"), ("é", "")])
def test_the_keys_beside_a_letter_are_those_of_the_keyboard(letter: str, keys: str) -> None:
    assert set(neighbours(letter)) == set(keys)
