"""Most prompts are told from their words to need no memory."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.features.context.prompt_filter import (
    CONFIRMATIONS,
    MAX_PROMPT_CHARS,
    MAX_QUERY_WORDS,
    parse_prompt,
    skip_reason,
)


@pytest.mark.parametrize(
    "prompt", ["", " \n", "fix it", "/compact keep the plan of the parser", *sorted(CONFIRMATIONS)]
)
def test_a_confirmation_a_fragment_and_a_command_need_none(prompt: str) -> None:
    assert skip_reason(prompt)
    assert skip_reason(f"  {prompt.upper()}  ")


def test_there_are_eighteen_confirmations() -> None:
    assert len(CONFIRMATIONS) == 18


@pytest.mark.parametrize(
    "prompt",
    [
        "Refactor the importer into two modules and keep the tests",
        "please rename the column everywhere it is used",
        "Commit and push the branch to origin",
    ],
)
def test_an_order_that_names_nothing_needs_none(prompt: str) -> None:
    assert skip_reason(prompt) == "it is an order that names nothing"


@pytest.mark.parametrize(
    "prompt",
    [
        "Refactor `parse_window` into two functions",
        "Refactor src/importer.py into two modules",
        "Refactor the importer the way we did last time",
        "Refactor the importer? or is the migration in the way of it",
    ],
)
def test_an_order_that_names_something_or_asks_is_looked_up(prompt: str) -> None:
    assert not skip_reason(prompt)


def test_a_remark_without_a_telling_word_needs_none() -> None:
    assert skip_reason("so what do you think about all of this now?")
    assert not skip_reason("so what about the sqlite migration now?")


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("why is `entire reset` slow", ("entire reset",)),
        ('it says "no such table: passages" now', ("no such table: passages",)),
        ("look into src/app.py and ~/notes/plan.md", ("src/app.py", "~/notes/plan.md")),
        ("does summary.txt have it", ("summary.txt",)),
        ("what about --search-all here", ("--search-all",)),
        ("createTestApp, snake_case and ENT-232", ("createTestApp", "snake_case", "ENT-232")),
        ("a KeyError or an HTTPServer", ("KeyError", "HTTPServer")),
        ("A plain sentence. It has Words and a half-life, e.g. and/or.", ("and/or",)),
    ],
)
def test_what_a_prompt_names(prompt: str, names: tuple[str, ...]) -> None:
    assert parse_prompt(prompt).names == names


@pytest.mark.parametrize(
    "prompt",
    [
        "how did we fix the race",
        "why was the cache slow again",
        "remember the window bug",
        "what did you say about tokens",
        "didn't we deal with that",
        "is this known",
        "the parser that came in march",
        "the notes of 2026-03-06",
    ],
)
def test_what_speaks_of_the_past_is_known(prompt: str) -> None:
    assert parse_prompt(prompt).has_cue


def test_what_speaks_of_now_is_known() -> None:
    assert not parse_prompt("how does the parser handle an empty window").has_cue


def test_nothing_in_a_prompt_is_a_filter_a_phrase_or_left_out() -> None:
    words = parse_prompt('kind:memory -race "exact words" since:2d').words

    assert words == "kind memory race exact words since 2d"


def test_what_was_pasted_is_not_looked_for() -> None:
    prompt = "the importer fails\n```\nTraceback platypus\n```\n<system-reminder>wombat</system-reminder> on windows"

    assert parse_prompt(prompt).words == "the importer fails on windows"


def test_of_a_long_prompt_the_ends_are_looked_at() -> None:
    words = parse_prompt("importer " + "noise " * MAX_PROMPT_CHARS + "windows").words

    assert len(words.split()) <= MAX_QUERY_WORDS
    assert words.startswith("importer")


@given(st.text(max_size=300))
def test_any_text_is_read(prompt: str) -> None:
    assert len(parse_prompt(prompt).words.split()) <= MAX_QUERY_WORDS
    assert isinstance(skip_reason(prompt), str)


def test_a_prompt_that_needs_none_opens_nothing() -> None:
    script = (
        "import sys; from recall_tui.features.context.prompt_filter import skip_reason\n"
        "assert skip_reason('sounds good, thank you') or skip_reason('Commit this and push the branch')\n"
        "print([name for name in ('tantivy', 'sqlite3', 'recall_tui.search.engine') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
