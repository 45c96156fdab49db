"""Any text has a meaning; only blank text is an error."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.errors import UsageError
from recall_tui.search.query import MAX_WORDS, Filters, parse_filters, parse_query

NOON = datetime(2026, 3, 6, 12, 0, tzinfo=UTC)


def test_words_phrases_and_what_to_leave_out() -> None:
    query = parse_query('why "token refresh" race -staging -"old flow"', NOON)
    assert query.words == ("why", "token", "refresh", "race")
    assert query.phrases == ("token refresh",)
    assert query.without == ("staging", "old flow")


def test_filters_are_taken_out_of_the_words() -> None:
    query = parse_query('kind:prompt,reply tool:Bash file:"my file.py" since:2d until:2026-03-05 jwt', NOON)
    assert query.words == ("jwt",)
    assert query.filters.kinds == ("prompt", "reply")
    assert (query.filters.tool, query.filters.file) == ("bash", "my file.py")
    assert query.filters.since == datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
    assert query.filters.until == datetime(2026, 3, 6, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["colour:red", "kind:nonsense", "since:soon", "until:2026-99", "project:", "kind:", "http://x.y", "--flag"]
)
def test_what_is_no_filter_is_a_word(text: str) -> None:
    query = parse_query(text, NOON)
    assert query.words == (text,) and not query.filters and not query.without


@pytest.mark.parametrize("text", ['"', "-", '-"', '""', "'", "AND", "(", "*", 'say "hello'])
def test_lone_signs_are_plain_text(text: str) -> None:
    query = parse_query(text, NOON)
    assert query.words and not query.phrases and not query.without


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u3000"])
def test_blank_text_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_query(text, NOON)
    assert raised.value.exit_code == 2


def test_words_count_once_and_their_number_is_bounded_with_a_note() -> None:
    assert parse_query("jwt JWT jwt", NOON).words == ("jwt",)
    query = parse_query(" ".join(f"w{number}" for number in range(10_000)), NOON)
    assert len(query.words) == MAX_WORDS
    assert "10000" in query.notes[0]


def test_options_win_over_the_text_and_must_make_sense() -> None:
    options = parse_filters({"kind": "memory", "session": "7c"}, NOON)
    assert options.over(Filters(kinds=("topic",), branch="main")) == Filters(("memory",), session="7c", branch="main")
    with pytest.raises(UsageError, match="--since soon"):
        parse_filters({"since": "soon"}, NOON)


@given(st.text(min_size=1))
def test_no_text_raises(text: str) -> None:
    if text.strip():
        assert parse_query(text, NOON).text == text


def test_filters_are_known_apart_from_what_is_asked_beside_them() -> None:
    query = parse_query('why kind:memory "two words" since:2d jwt -no project:"my shop"', NOON)
    assert query.filtered == ("kind:memory", "since:2d", 'project:"my shop"')
    assert query.rest == 'why "two words" jwt -no'
    assert parse_query("kind:memory", NOON).rest == ""


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("kind:foo jwt", "kind:foo: no such kind, looked for as words"),
        ("jwt SINCE:soon", "SINCE:soon: no such time, looked for as words"),
        ("error:foo until: kind:- jwt", None),
    ],
)
def test_a_filter_without_a_good_value_is_words_and_that_is_said(text: str, note: str | None) -> None:
    query = parse_query(text, NOON)
    assert query.notes == ((note,) if note else ())
    assert not query.filters and query.filtered == ()


def test_very_many_filters_are_read_once() -> None:
    text = " ".join(f"project:p{number}" for number in range(8_000))
    assert parse_query(text, NOON).words == ()
    assert parse_query("kind:memory " * 8_000, NOON).filters.kinds == ("memory",)
