"""New lines of a text end as most of the lines of the file do; those that were there end as they did."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.line_ends import ended_like, main_end, with_ends

ENDS = st.sampled_from(["\n", "\r\n"])
LINES = st.lists(st.tuples(st.sampled_from(["a", "b", "c", "", "d e"]), ENDS))
DISTINCT_LINES = st.lists(st.tuples(st.sampled_from(["a", "b", "c", "", "d e"]), ENDS), unique_by=lambda line: line[0])
"""Lines of which each is told from all others: of two alike, nobody knows between which a new one came."""
WORDS = st.lists(st.sampled_from(["a", "b", "c", "", "d e", "new"])).map("\n".join)


def text_of(lines: list[tuple[str, str]]) -> str:
    return "".join(line + end for line, end in lines)


@given(LINES, WORDS)
def test_only_line_ends_are_changed(lines: list[tuple[str, str]], text: str) -> None:
    assert ended_like(text, text_of(lines)).replace("\r\n", "\n") == text


@given(DISTINCT_LINES, st.integers(0, 20))
def test_a_line_that_is_put_in_changes_no_other(lines: list[tuple[str, str]], at: int) -> None:
    before = text_of(lines)
    grown = [*lines[:at], ("new", "\n"), *lines[at:]]
    wanted = [*lines[:at], ("new", main_end(before)), *lines[at:]]
    assert ended_like(with_ends(text_of(grown), "\n"), before) == text_of(wanted)


def test_a_text_of_plain_lines_stays_as_it_is() -> None:
    assert ended_like("a\nb", "a\nc\n") == "a\nb"
    assert ended_like("a\nb", "a\r\nc\r\n") == "a\r\nb"
    assert ended_like("a\nnew\nc", "a\r\nb\r\nc") == "a\r\nnew\r\nc"
