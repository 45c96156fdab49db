"""A session is called by its own title, else by its first real request."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.classify.session_title import MAX_TITLE_CHARS, is_telling, session_title

PLAN = "Implement the following plan:\n\n# Plan: Fix the token race\n\n## Context\n\nTwo tabs refresh at once.\n"


@pytest.mark.parametrize(
    ("stored", "prompts", "title"),
    [
        ("Token race", ["hi"], "Token race"),
        ("hi", ["hello", "Please rename the parcel table"], "Rename the parcel table"),
        ("Implement the following plan:", [PLAN], "Fix the token race"),
        ("", ["Implement the following plan:\n\n## Context\n\nThe API counts requests in memory."],
         "The API counts requests in memory"),
        ("", ["could you make the login page remember the user?"], "Make the login page remember the user"),
        ("", ["why does the login page forget the user?"], "Why does the login page forget the user?"),
        ("", ["look at api.py and rename the class to Parcel"], "Rename the class to Parcel"),
        ("9d3f8a12-1234-4234-8234-123456789abc", ["Écrire un test"], "Écrire un test"),
        ("", ["<command-name>/clear</command-name>", "日本語のテストを書く"], "日本語のテストを書く"),
        ("", ["fix it"], "Fix it"),
        ("", ["hi", "/clear"], ""),
        ("", [], ""),
    ],
)  # fmt: skip
def test_a_title_names_what_the_session_is_about(stored: str, prompts: list[str], title: str) -> None:
    assert session_title(stored, prompts) == title


@pytest.mark.parametrize("text", ["hi", "Hello!", "/clear", "conversation-014", "New session", "", "No prompt"])
def test_a_greeting_a_command_or_a_name_of_a_file_tells_nothing(text: str) -> None:
    assert not is_telling(text)


@pytest.mark.parametrize(
    ("prompts", "branch", "title"),
    [
        (["can we add one more thing? the author of a checkpoint's commits is not set"], "",
         "The author of a checkpoint's commits is not set"),
        (["Fix the lint errors"], "main", "Fix the lint errors"),
        (["Fix the lint errors"], "ana/20260209-token-race", "Fix the lint errors (token-race)"),
        (["can you address the PR comment?", "rename the parcel table"], "web/parcels", "Rename the parcel table"),
        (["fix it", "yes"], "ana/token-race", "Fix it (token-race)"),
        (['check if "recall resume" works in a repo with an https address?'], "",
         'Check if "recall resume" works in a repo with an https address'),
        (["can you explain strings.Builder here"], "main", "Explain strings.Builder here"),
        (["strings.Builder is optional for 5 entries"], "", "strings.Builder is optional for 5 entries"),
        (["first problem: the login page forgets the user"], "", "The login page forgets the user"),
    ],
)  # fmt: skip
def test_a_vague_request_gives_way_to_another_or_names_its_branch(prompts: list[str], branch: str, title: str) -> None:
    assert session_title("", prompts, branch) == title


def test_no_more_prompts_are_taken_than_needed() -> None:
    prompts = iter(["Rename the parcel table", "never"])
    assert session_title("", prompts) == "Rename the parcel table"
    assert next(prompts) == "never"


@given(st.lists(st.text(max_size=300), max_size=3))
def test_the_title_of_any_text_is_one_short_line(prompts: list[str]) -> None:
    title = session_title("", prompts)
    assert "\n" not in title and "\x1b" not in title and len(title) <= MAX_TITLE_CHARS
