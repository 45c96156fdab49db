"""A sentence is given a label only when it plainly says what it is."""

from __future__ import annotations

import pytest

from recall_tui.text.classify.sentence_labels import LABELS, find_point
from recall_tui.text.classify.tags import TagCollector


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


def test_each_label_keeps_two_and_nothing_stands_there_twice() -> None:
    heard = TagCollector()
    for number in range(5):
        heard.say(f"It turns out that worker {number} was cold. It turns out that worker {number} was cold.")
    heard.say("We decided to always use a lock, since the root cause was a race.")
    heard.say("Blocker: the staging key is missing.")
    points = heard.points()
    assert [label for label, _ in points] == ["Discovery", "Discovery", "Blocker"]
    assert [words[-14:] for label, words in points if label == "Discovery"] == ["er 3 was cold.", "er 4 was cold."]
    assert set(dict(points)) <= set(LABELS)
