"""A sentence is given a label only when it plainly says what it is."""

from __future__ import annotations

import pytest

from recall_tui.text.classify.sentence_labels import find_point


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("It turns out the cache is cold after each deploy.", "Discovery"),
        ("The root cause was a missing index on sessions.", "Discovery"),
        ("We tried a spin lock, but two tabs still raced.", "Failed approach"),
        ("A retry loop didn't work because the token is single-use.", "Failed approach"),
        ("We are blocked by the missing staging key.", "Blocker"),
        ("I prefer small commits with tests.", "Pattern"),
        ("All tests now pass.", "Status"),
        ("The fix is deployed to staging.", "Status"),
    ],
)
def test_a_plain_statement_has_its_label_and_keeps_its_words(sentence: str, label: str) -> None:
    assert find_point(sentence) == (label, 1, sentence)


def test_a_sentence_that_names_its_label_is_surest_and_loses_the_name() -> None:
    assert find_point("Root cause: two tabs send the same token.") == ("Discovery", 2, "two tabs send the same token.")
    assert find_point("Blocker - waiting for the vendor's key") == ("Blocker", 2, "waiting for the vendor's key")


@pytest.mark.parametrize(
    "sentence",
    [
        "If it turns out that the cache is cold, warm it.",
        "Let me check whether the fix is deployed.",
        "The migration is not deployed.",
        "Once all tests pass, merge it.",
        "Maybe we always do that.",
        "I tried the door.",
        "Status: ok",
        "Read the file and tell me what it does.",
    ],
)
def test_what_is_possible_denied_or_not_said_has_no_label(sentence: str) -> None:
    assert find_point(sentence) is None
