"""The end of a question is completed, and what is shown is always what was typed and more."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.search.completion import complete, drop_unfinished_filter, time_suggestions
from recall_tui.search.query import FILTER_NAMES, KINDS, parse_query
from tests.conftest import NOON

VALUES = {
    "project": ("api", "app shop", 'say "so"', "red\x1b[31m", "two\nlines"),
    "tool": ("bash", "read"),
    "file": ("src/", "Sessions.py"),
}
EARLIER = ("jwt over sessions", "why jwt", "JWT kind:memory", "killed process")


def values(name: str, beginning: str) -> Sequence[str]:
    """The values of a filter in a memory of a few sessions."""
    return [one for one in VALUES.get(name, ()) if one.casefold().startswith(beginning.casefold())]


def end_of(text: str) -> str:
    return complete(text, NOON, values, EARLIER)


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("ki", "kind:"),
        ("jwt pro", "jwt project:"),
        ("SIN", "since:"),
        ("kind:me", "kind:memory"),
        ("jwt kind:", "jwt kind:conversation"),
        ("kind:memory,too", "kind:memory,tool"),
        ("since:to", "since:today"),
        ("until:", "until:today"),
        ("since:2026-03-", "since:2026-03-06"),
        ("project:", "project:api"),
        ("project:AP", "project:api"),
        ("tool:r", "tool:read"),
        ("file:s", "file:src/"),
        ("file:Se", "file:Sessions.py"),
        ('project:"app', 'project:"app shop"'),
    ],
)
def test_the_last_word_is_completed(typed: str, whole: str) -> None:
    assert end_of(typed) == whole


@pytest.mark.parametrize(
    "typed",
    ["", " ", "x", "s", "kind:memory ", "kind:nothing", "nobody:x", "tool:read", '"say ki', '"open kind:', "word:"],
)
def test_what_is_whole_or_unknown_is_left_alone(typed: str) -> None:
    assert end_of(typed) == ""


def test_a_kind_that_is_named_already_is_not_offered_again() -> None:
    assert end_of("kind:conversation,") == "kind:conversation,daily"


@pytest.mark.parametrize(
    ("typed", "whole"), [("jw", "jwt over sessions"), ("JWT k", "JWT kind:memory"), ("w", "why jwt")]
)
def test_an_earlier_question_is_completed_whole(typed: str, whole: str) -> None:
    assert end_of(typed) == whole


def test_the_word_at_hand_comes_before_an_earlier_question() -> None:
    assert (end_of("ki"), end_of("kil")) == ("kind:", "killed process")


@pytest.mark.parametrize("typed", ["project:say", "project:red", 'project:"two'])
def test_a_value_that_cannot_be_written_is_not_offered(typed: str) -> None:
    assert end_of(typed) == ""


@pytest.mark.parametrize("time", time_suggestions(NOON))
def test_every_time_that_is_offered_is_understood(time: str) -> None:
    assert parse_query(f"since:{time}", NOON).filters.since
    assert parse_query(f"until:{time}", NOON).filters.until


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_is_reached_by_its_letters(kind: str) -> None:
    assert end_of(f"kind:{kind[:-1]}") == f"kind:{kind}"


@given(st.text(alphabet=st.sampled_from('kindprojectsç:" ,aİßẞ\t\n-'), max_size=24))
def test_a_completion_goes_on_where_the_text_ends(typed: str) -> None:
    whole = end_of(typed)
    assert not whole or (len(whole) > len(typed) and whole[: len(typed)].casefold() == typed.casefold())


@given(st.sampled_from(FILTER_NAMES), st.text(max_size=12))
def test_a_name_of_a_filter_is_offered_whatever_stands_before(name: str, before: str) -> None:
    text = before.replace('"', "") + " " + name[:-1]
    assert end_of(text).startswith(text)


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("jwt kind:", "jwt "),
        ("jwt kind:me", "jwt "),
        ("jwt kind:memory", "jwt kind:memory"),
        ("jwt kind:memory,", "jwt "),
        ("jwt since:to", "jwt "),
        ("jwt since:today", "jwt since:today"),
        ("jwt project:", "jwt "),
        ("jwt project:a", "jwt project:a"),
        ('project:"my sh', ""),
        ("kind:me jwt", "kind:me jwt"),
        ("error:", "error:"),
        ('"jwt kind:', '"jwt kind:'),
        ("", ""),
    ],
)
def test_a_filter_that_is_not_finished_is_not_asked(typed: str, asked: str) -> None:
    assert drop_unfinished_filter(typed, NOON) == asked
