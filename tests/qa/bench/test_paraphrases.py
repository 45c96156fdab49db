"""The questions in other words: that they are, by what the data says, and that there are enough of them."""

from __future__ import annotations

from pathlib import Path

from tests.qa.bench.paraphrases import evidence, paraphrases, shared_words

ENOUGH = 60


def test_there_are_enough_of_each_sort_and_a_third_is_kept_out() -> None:
    every = paraphrases()

    assert len({one.text for one in every}) == len(every) >= ENOUGH
    for sort in ("talk", "coding"):
        own = [one for one in every if one.sort == sort]
        assert len(own) >= ENOUGH // 2
        assert len(own) // 3 <= sum(one.is_kept_out for one in own) <= len(own) // 3 + 1


def test_words_are_compared_as_the_search_compares_them() -> None:
    assert shared_words("who was walking there", "They walked on.") == {"walk"}
    assert shared_words("the app that was created", "call createTestApp()") == {"app", "creat"}
    assert shared_words("what is it about", "It is about what we said.") == set()


def test_no_question_shares_a_word_with_its_evidence(test_data: Path) -> None:
    for one in paraphrases():
        found = list(evidence(test_data, one))
        assert {session for session, _ in found} == one.gold, one.text
        assert len(found) >= len(one.turns), one.text
        for _, text in found:
            assert text.strip(), one.text
            assert not shared_words(one.text, text), one.text
