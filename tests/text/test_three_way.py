"""Texts that grew apart come together without losing what either of them added."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.three_way import MergeConflict, common_lines, merge, union_lines

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "- d", "## e"]), max_size=9)
ENDS = st.sampled_from(["\n", "\r\n"])
TEXTS = st.builds(
    lambda lines, end, last: end.join(lines) + (end if lines and last else ""), LINES, ENDS, st.booleans()
)


def text_of(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)


def counted(text: str) -> Counter[str]:
    return Counter(text.replace("\r\n", "\n").split("\n"))


@given(st.text(), st.text())
def test_a_text_that_nobody_changed_gives_way_to_the_other(base: str, changed: str) -> None:
    assert merge(base, base, changed).text == merge(base, changed, base).text == changed
    assert merge(base, changed, changed).text == changed
    assert merge(base, base, changed).is_whole
    assert merge(base, changed, base).is_whole
    assert merge(base, changed, changed).is_whole


@given(TEXTS, TEXTS, TEXTS)
def test_no_line_that_either_added_is_lost(base: str, ours: str, theirs: str) -> None:
    merged = counted(merge(base, ours, theirs).text)
    for side in (ours, theirs):
        assert not [line for line in counted(side) - counted(base) if line and line not in merged]


@given(TEXTS, TEXTS, TEXTS)
def test_a_whole_merge_has_no_line_that_either_took_away(base: str, ours: str, theirs: str) -> None:
    result = merge(base, ours, theirs)
    if result.is_whole:
        most = counted(ours) + counted(theirs)
        assert set(counted(result.text)) <= set(most) | {""}
        for line, count in counted(base).items():
            left = count - (count - counted(ours)[line]) - (count - counted(theirs)[line])
            if line and counted(ours)[line] <= count and counted(theirs)[line] <= count:
                assert counted(result.text)[line] >= max(left, 0)


@given(st.text(), st.text(), st.text())
def test_no_text_breaks_it(base: str, ours: str, theirs: str) -> None:
    found = merge(base, ours, theirs)
    assert all(conflict.base in base and conflict.ours in ours for conflict in found.conflicts)


@given(LINES, LINES, st.lists(st.sampled_from(["x", "y", "z"]), min_size=1, max_size=4))
def test_lines_appended_by_one_stay_whatever_the_other_did(base: list[str], ours: list[str], added: list[str]) -> None:
    merged = merge(text_of(base), text_of(ours), text_of(base + added))
    assert merged.is_whole
    assert merged.text == text_of(ours + added)


@given(st.integers(0, 3), st.integers(0, 3), st.data())
def test_changes_apart_from_each_other_are_both_made(one: int, two: int, data: st.DataObject) -> None:
    base = [f"line {n}" for n in range(30)]
    first, second = data.draw(st.integers(0, 8)), data.draw(st.integers(16, 25))
    mine, others = ["mine"] * data.draw(st.integers(0, 3)), ["others"] * data.draw(st.integers(0, 3))
    ours, theirs = [*base], [*base]
    ours[first : first + one] = mine
    theirs[second : second + two] = others
    both = [*base[:first], *mine, *base[first + one : second], *others, *base[second + two :]]
    assert merge(text_of(base), text_of(ours), text_of(theirs)).text == text_of(both)
    assert merge(text_of(base), text_of(theirs), text_of(ours)).text == text_of(both)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        ("a\nb\n", "a\n", "a\nb\nc\n", "a\nc\n"),
        ("a\nb\nc\nd\n", "a\n", "a\nb\nnew\nc\nd\n", "a\nnew\n"),
        ("a\nb\nc\n", "a\nB1\nB2\nc\n", "a\nnew\nb\nc\n", "a\nnew\nB1\nB2\nc\n"),
        ("a\nb\nc\nd\n", "a\nX\nd\n", "a\nb\nnew\nc\nd\n", "a\nX\nnew\nd\n"),
        ("a\nb\nc\n", "a\n", "a\nc\n", "a\n"),
        ("", "a\nb\n", "b\nc\n", "a\nb\nb\nc\n"),
        ("# M\n", "# M\n\n## A\n- a\n", "# M\n\n## A\n- b\n", "# M\n\n## A\n- a\n- b\n"),
        ("# M\n", "# M\n\n## A\n", "# M\n\n## B\n", "# M\n\n## A\n\n## B\n"),
        ("x", "x\ny", "0\nx", "0\nx\ny"),
        ("x", "x\n", "x\ny", "x\ny\n"),
        ("a\nb\n", "a\nb\nc\n", "a\r\nb\r\n", "a\r\nb\r\nc\r\n"),
        ("a\nb\n", "a\r\nb\r\n", "a\nb\nc\n", "a\r\nb\r\nc\r\n"),
        ("é\n漢\u2028字\n", "é\n", "0\né\n漢\u2028字\n", "0\né\n"),
    ],
)
def test_both_changes_are_found_in_the_text(base: str, ours: str, theirs: str, expected: str) -> None:
    merged = merge(base, ours, theirs)
    assert merged.is_whole
    assert merged.text == expected


def test_a_line_that_both_changed_is_a_conflict_and_neither_is_lost() -> None:
    merged = merge("a\nb\nc\n", "a\nOURS\nc\n", "0\na\nTHEIRS\nTOO\nc\n")
    assert merged.conflicts == (MergeConflict("b\n", "OURS\n", "THEIRS\nTOO\n", 3),)
    assert merged.conflicts[0].last_line == 4
    assert merged.text == "0\na\nOURS\nTHEIRS\nTOO\nc\n"


def test_a_line_that_one_took_away_and_the_other_changed_is_a_conflict() -> None:
    merged = merge("a\nb\nc\n", "a\nc\n", "a\nB\nc\n")
    assert merged.conflicts == (MergeConflict("b\n", "", "B\n", 2),)
    assert merged.text == "a\nB\nc\n"


def test_of_lines_that_one_took_away_only_those_that_the_other_changed_are_a_conflict() -> None:
    merged = merge("a\nb\nc\nd\n", "", "a\nb!\nc\nd\nnew\n")
    assert merged.conflicts == (MergeConflict("b\n", "", "b!\n", 2),)
    assert merged.text == "b!\nnew\n"


def test_many_changes_do_not_become_one() -> None:
    base = [f"line {number}" for number in range(6_000)]
    ours = [line if number % 4 else f"ours {number}" for number, line in enumerate(base)]
    theirs = [line if number % 4 != 2 else f"theirs {number}" for number, line in enumerate(base)]
    merged = merge(text_of(base), text_of(ours), text_of(theirs))
    assert merged.is_whole
    assert merged.text.count("ours ") == merged.text.count("theirs ") == 1_500


@given(TEXTS, TEXTS)
def test_a_union_has_every_line_of_both(one: str, other: str) -> None:
    found = counted(union_lines(one, other))
    for text in (one, other):
        assert not [line for line in counted(text) if line and line not in found]


def test_a_union_has_what_is_shared_once() -> None:
    assert (
        union_lines("# M\n- a\n- one\n- z\n", "# M\n- a\n- two\n- z\n- end\n") == "# M\n- a\n- one\n- two\n- z\n- end\n"
    )
    assert common_lines("a\nb\nc\n", "b\nc\nd\n") == "b\nc\n"
