"""What a model says becomes one line."""

from __future__ import annotations

import pytest

from recall_tui.text.clean_sentence import MAX_SENTENCE_CHARS, clean_sentence


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("- 1. Two tabs\nrace. ", "Two tabs race."),
        ("• Use `-x`", "Use `-x`"),
        ("2026 was the year", "2026 was the year"),
        ("Two\x1b[2J tabs", "Two tabs"),
        ("- ", "-"),
        ("", ""),
    ],
)
def test_it_is_flat_and_without_the_sign_of_a_list(said: str, line: str) -> None:
    assert clean_sentence(said) == line


def test_it_has_no_secret_and_an_end() -> None:
    key = "sk-ant-api03-" + "a1B2" * 20
    assert key not in clean_sentence(f"The key is {key}.") and len(clean_sentence("word " * 500)) <= MAX_SENTENCE_CHARS
