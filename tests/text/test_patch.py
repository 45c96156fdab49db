"""Changes taken back under later changes: right, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.patch import reverse_change, unified_diff

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "}"]), max_size=8)


def text_of(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)


@given(st.text(), st.text())
def test_an_untouched_text_goes_back_to_the_very_same(before: str, after: str) -> None:
    assert reverse_change(before, after, after) == before


@given(st.text(), st.text())
def test_no_text_breaks_it(before: str, after: str) -> None:
    assert reverse_change(before, before, after) == after
    reverse_change(before, after, before + after)
    unified_diff(before, after, "f")


@given(LINES, LINES, st.lists(st.sampled_from(["x", "y", "z"]), min_size=1, max_size=4))
def test_text_appended_since_stays(before: list[str], after: list[str], appended: list[str]) -> None:
    undone = reverse_change(text_of(before), text_of(after), text_of(after + appended))
    assert undone in (None, text_of(before + appended))


@given(st.integers(0, 3), st.integers(0, 3), st.data())
def test_two_changes_apart_from_each_other_are_taken_back_one_by_one(
    ours: int, theirs: int, data: st.DataObject
) -> None:
    before = [f"line {n}" for n in range(30)]
    first, second = data.draw(st.integers(0, 8)), data.draw(st.integers(16, 25))
    if data.draw(st.booleans()):
        first, second = second, first
    mine, others = ["mine"] * data.draw(st.integers(1, 3)), ["others"] * data.draw(st.integers(0, 3))

    def changed(lines: list[str], at: int, size: int, new: list[str]) -> list[str]:
        return lines[:at] + new + lines[at + size :]

    after = changed(before, first, ours, mine)
    low_first = first < second
    shift = len(mine) - ours if low_first else 0
    current = changed(after, second + shift, theirs, others)
    expected = changed(before, second, theirs, others)
    assert reverse_change(text_of(before), text_of(after), text_of(current)) == text_of(expected)


@pytest.mark.parametrize(
    ("before", "after", "current", "expected"),
    [
        ("a\nb\n", "a\nNEW\nb\n", "a!\nNEW\nb!\n", "a!\nb!\n"),
        ("", "x\n", "x\ny\n", "y\n"),
        ("a\nb\nc\n", "a\nc\n", "a\nc\nd\n", "a\nb\nc\nd\n"),
        ("a\nb", "a\nB", "a\nB\nc\n", "a\nb\nc\n"),
        ("a", "a\n", "a\nc\n", "a\nc\n"),
        ("a\r\nb\r\n", "a\r\nX1\r\nb\r\n", "a\r\nX1\r\nb\r\nc\r\n", "a\r\nb\r\nc\r\n"),
        ("é\n", "é\n漢\u2028字\n", "0\né\n漢\u2028字\n", "0\né\n"),
    ],
)
def test_a_change_is_found_by_what_stands_around_it(before: str, after: str, current: str, expected: str) -> None:
    assert reverse_change(before, after, current) == expected


@pytest.mark.parametrize(
    ("before", "after", "current"),
    [
        ("a\nb\n", "a\nNEW\nb\n", "a\nb\n"),
        ("a\nb\n", "a\nNEW\nb\n", "x\nNEW\ny\nNEW\n"),
        ("a\nb\nc\n", "a\nc\n", "a\nz\nc\n"),
        ("a\nb\nc\n", "a\nc\n", "d\n"),
        ("a\n", "", "new\n"),
        ("k\n", "k\n\n", "k!\n\nz\n"),
    ],
)
def test_what_is_gone_or_not_certain_is_left_alone(before: str, after: str, current: str) -> None:
    assert reverse_change(before, after, current) is None


def test_a_diff_shows_missing_ends_and_lone_carriage_returns() -> None:
    assert unified_diff("a\n", "a\nb", "f.md") == (
        "--- a/f.md\n+++ b/f.md\n@@ -1 +1,2 @@\n a\n+b\n\\ No newline at end of file\n"
    )
    assert unified_diff("a\r\n", "b\r\n", "f") == "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
    assert unified_diff("a\n", "a\r\n", "f") == "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+a␍\n"
    assert unified_diff("same\n", "same\n", "f") == ""
    assert unified_diff("", "a\n", "two\nlines").startswith("--- a/two lines\n")
