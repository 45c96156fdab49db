"""The offline summary: what was asked, and what came of it, on one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.classify.summary import ARROW, strip_banner, summarize


def test_the_request_comes_first_and_the_outcome_last() -> None:
    said = summarize(
        "Hi Claude! Could you please fix the token refresh race?\n```\nlog\n```",
        "Perfect!\n\n## Summary\n\nI fixed the **race** in `auth.rs`. Both tests pass.\n- more\n- and more",
    )
    assert said == "Fix the token refresh race. → I fixed the race in auth.rs. Both tests pass."


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("Please add a cache to the parser", "Add a cache to the parser"),
        ("hello", "hello"),
        ("I'd like you to move date parsing out", "Move date parsing out"),
        ("[Channel: dev] User message: the parser is slow", "The parser is slow"),
        ("[WIP] the parser is slow", "[WIP] the parser is slow"),
        ("iPhone builds are broken again", "iPhone builds are broken again"),
        ("```\nTraceback: boom\n```", "Traceback: boom"),
        ("修正してください。お願いします。", "修正してください。 お願いします。"),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_openings_banners_and_markdown_are_left_out(prompt: str, said: str) -> None:
    assert summarize(prompt, "") == said
    assert summarize("", prompt) == said


def test_a_banner_is_stripped_and_a_mark_in_brackets_is_not() -> None:
    assert strip_banner("[Channel: a b]\nhello") == "hello"
    assert strip_banner("[WIP] hello") == "[WIP] hello"


def test_a_long_request_leaves_room_for_the_outcome() -> None:
    said = summarize("word " * 200, "The outcome is good and stands here.", 120)
    assert len(said) <= 120 and said.endswith("The outcome is good and stands here.")


def test_a_lead_in_gives_way_to_what_it_leads_to() -> None:
    assert summarize("", "Here is what I changed:\n- The parser reads dates now\n- The cache is gone for good") == (
        "The parser reads dates now; The cache is gone for good"
    )


@given(st.text(), st.text(), st.integers(0, 300))
def test_a_summary_is_one_safe_line_within_its_limit(prompt: str, reply: str, limit: int) -> None:
    said = summarize(prompt, reply, limit)
    assert len(said) <= limit and len(said.splitlines()) <= 1
    assert said.strip() != "---" and "\x1b" not in said


def test_the_arrow_stands_only_between_two() -> None:
    assert ARROW not in summarize("Fix the parser today", "") + summarize("", "The parser is fixed")
