"""The changes from one text to another are right however long the texts are and whatever is repeated in them."""

from __future__ import annotations

from difflib import unified_diff
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.line_diff import MAX_CHANGES, MAX_STEPS, Change, diff_lines, unified_lines
from recall_tui.text.patch import reverse_change

FEW = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n"]), max_size=12)


def done(was: list[str], became: list[str], found: list[Change]) -> list[str]:
    """What was, with the changes made."""
    made: list[str] = []
    at = 0
    for start, end, new_start, new_end in found:
        assert was[at:start] == became[len(made) : new_start]
        made += was[at:start]
        made += became[new_start:new_end]
        at = end
    return made + was[at:]


def many(number: int, kinds: int, size: int = 3_000) -> list[str]:
    """Lines of so many kinds in any order; far more than every one can be held against every other."""
    random = Random(number)
    lines = [f"{random.randrange(kinds)}\n" for _ in range(size)]
    assert size * size // kinds * size > MAX_STEPS
    return lines


@given(FEW, FEW)
def test_the_changes_lead_from_one_text_to_the_other(was: list[str], became: list[str]) -> None:
    assert done(was, became, diff_lines(was, became)) == became


@pytest.mark.parametrize("kinds", [1, 2, 40, 3_000])
def test_so_they_do_in_texts_that_repeat_their_lines_without_end(kinds: int) -> None:
    was, became = many(1, kinds), many(2, kinds)
    assert done(was, became, diff_lines(was, became)) == became
    assert done(was, was, diff_lines(was, was)) == was


def test_lines_that_both_have_once_keep_changes_apart() -> None:
    blank = ["\n"] * 400
    was = [*blank, "first\n", *blank, "second\n", *blank, "third\n", *blank]
    became = [*blank, "first\n", *blank, "new\n", "second\n", *blank, "third\n", *blank]
    assert diff_lines(was, became) == [(801, 801, 801, 802)]
    assert list(unified_lines(was, became, "a", "b")) == list(unified_diff(was, became, "a", "b"))


def test_very_many_changes_are_one() -> None:
    was = [f"{number}\n" for number in range(4 * MAX_CHANGES)]
    became = [line if number % 2 else f"new {line}" for number, line in enumerate(was)]
    found = diff_lines(was, became)
    assert found == [(0, len(was) - 1, 0, len(was) - 1)] and done(was, became, found) == became


def test_a_change_of_a_long_text_is_taken_back_under_a_later_one() -> None:
    lines = many(3, 40)
    before, after = "".join(lines), "".join([*lines[:1_500], "ours\n", *lines[1_500:]])
    assert reverse_change(before, after, f"later\n{after}later\n") == f"later\n{before}later\n"
