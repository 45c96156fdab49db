"""The measure of what prompts are shown: what it counts, what its labels are, and that the goal is reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.features.context.prompt_filter import skip_reason
from tests.qa.bench import prompts
from tests.qa.bench.prompts import HALVES, Prompt, Shown, by_half, by_sort, judged

PRECISION, RECALL = 0.8, 0.5
"""The goal, on the half that was kept out of tuning."""


def shown(gold: str, sessions: str, half: prompts.Half = "kept out") -> Shown:
    """A prompt with the sessions that answer it and those it was shown, one letter each."""
    return Shown(Prompt("data", "plain", "text", frozenset(gold), half), tuple(sessions), "", 1.0)


def test_a_pointer_counts_for_precision_and_a_prompt_for_recall() -> None:
    row = judged([shown("ab", "ax"), shown("a", ""), shown("", "x"), shown("", ""), shown("c", "c")])

    assert (row["prompts"], row["to answer"], row["answered"]) == (5, 3, 2)
    assert (row["shown"], row["right"], row["silent as it should"]) == (4, 2, 1)
    assert row["precision"] == 0.5
    assert row["recall"] == pytest.approx(2 / 3)


def test_the_halves_are_judged_apart_and_together() -> None:
    found = [shown("a", "a", "tuned"), shown("a", "x")]
    rows = by_half(found)

    assert [rows[name]["precision"] for name in ("tuned", "kept out", "all")] == [1.0, 0.0, 0.5]
    assert list(by_sort(found)) == ["plain, answer"]
    assert "| kept out | 1 | 1 | 0 | 1 | 0 | 0.000 | 0.000 | 0 |" in prompts.report(found)
    assert "'text' was shown ('x',)" in prompts.mistakes(found)


def test_half_of_the_prompts_deserve_silence_in_each_half() -> None:
    every = prompts.prompts()

    assert len({one.text for one in every}) == len(every)
    for half in HALVES:
        own = [one for one in every if one.half == half]
        assert len(own) >= 40
        assert sum(not one.gold for one in own) == len(own) // 2


def test_a_confirmation_is_told_from_its_words_and_what_has_an_answer_is_looked_up() -> None:
    passed_over = []
    for one in prompts.prompts():
        if one.half == "kept out":
            continue
        if one.sort == "trivial":
            assert skip_reason(one.text), one.text
        elif one.gold and skip_reason(one.text):
            passed_over.append(one.text)
    assert len(passed_over) <= 1, "what all is made of words that say little"


def test_every_answer_is_a_session_of_its_data(test_data: Path) -> None:
    for one in prompts.prompts():
        own = {path.stem for path in (test_data / one.data / "home").rglob("*.jsonl")}
        assert one.gold <= own, one.text


@pytest.mark.long
def test_what_is_shown_is_right_on_the_half_that_was_kept_out(test_data: Path) -> None:
    row = by_half(prompts.measure(test_data, "kept out"))["kept out"]

    assert row["precision"] >= PRECISION
    assert row["recall"] >= RECALL
