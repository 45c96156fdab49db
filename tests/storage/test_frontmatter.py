"""The head of a file comes back as it was written, and what others wrote is read as far as it can be."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta, timezone

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.storage.markdown.frontmatter import (
    UnquotedScalar,
    is_lossless,
    join_frontmatter,
    read_time,
    split_frontmatter,
    write_time,
)

HOSTILE = st.sampled_from(
    ["---", "a---b", "\n---\n", 'say "hi"', "a: b", "- x", "007", "1e5", "true", "null", "~", " lead", "trail ",
     "\t", "#no", "a #b", "[x]", "{x}", "\\", "\\n", "\x85", "\u2028", "\x00\x1b", "\x7f",
     "\ufeff", "\udc80\udcff", "🦀", "İß", ""]
)  # fmt: skip
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | HOSTILE
SCALAR = TEXT | st.integers() | st.floats(allow_nan=False) | st.booleans() | st.none()
VALUES = st.dictionaries(TEXT, SCALAR | st.lists(SCALAR, max_size=4), max_size=6)


@given(VALUES, TEXT | st.lists(HOSTILE).map("\n".join))
def test_what_is_joined_is_split_again(values: dict[str, object], body: str) -> None:
    assert split_frontmatter(join_frontmatter(values, body)) == (values, body)


@given(VALUES)
def test_any_yaml_reader_sees_the_same_values(values: dict[str, object]) -> None:
    block = join_frontmatter(values, "").removeprefix("---\n").removesuffix("---\n")
    assert (yaml.safe_load(block) or {}) == values


def test_not_a_number_comes_back_too() -> None:
    values, _ = split_frontmatter(join_frontmatter({"x": float("nan"), "y": [float("nan")]}, ""))
    assert math.isnan(values["x"])  # type: ignore[arg-type]
    assert math.isnan(values["y"][0])  # type: ignore[index]


def test_a_bare_word_is_written_without_quotes_unless_it_needs_them() -> None:
    assert join_frontmatter({"trigger": UnquotedScalar("precompact")}, "") == "---\ntrigger: precompact\n---\n"
    assert join_frontmatter({"trigger": UnquotedScalar("a: b")}, "") == '---\ntrigger: "a: b"\n---\n'
    assert join_frontmatter({"trigger": UnquotedScalar("yes")}, "") == '---\ntrigger: "yes"\n---\n'


@pytest.mark.parametrize("lead", ["", "\n\n", "\ufeff", "\ufeff\n  \n"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_blank_lines_marks_and_line_ends_before_the_head_are_no_matter(lead: str, end: str) -> None:
    text = lead + end.join(["---", "log: 7", 'date: "2026-03-05T10:00:00Z"', "topics: []", "---", "# Body", ""])
    values, body = split_frontmatter(text)
    assert values == {"log": 7, "date": "2026-03-05T10:00:00Z", "topics": []}
    assert body == f"# Body{end}"


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("k: 2026-03-05T10:00:00Z", "2026-03-05T10:00:00Z"),
        ("k: 2026-03-05", "2026-03-05"),
        ("k: a: b", "a: b"),
        ("k: 'it''s'", "it's"),
        ("k: [ci, tests]", ["ci", "tests"]),
        ("k: ['a b', c]", ["a b", "c"]),
        ("k:\n  - one\n  - two", ["one", "two"]),
        ("k: |\n  one\n  two", "one\ntwo\n"),
        ("k: 007", "007"),
        ("k: 1.10", "1.10"),
        ("k: yes", "yes"),
        ("k:", None),
        ('k: "C:\\dir"', "C:\\dir"),
        ('k: "he said "no" twice"', 'he said "no" twice'),
        ('k: ["a, "b]', ["a", "b"]),
        ("k: {a: 1}", {"a": 1}),
    ],
)
def test_what_others_wrote_is_read(line: str, value: object) -> None:
    assert split_frontmatter(f"---\nlog: 3\n{line}\n---\nbody")[0] == {"log": 3, "k": value}


def test_a_line_without_a_colon_costs_that_line_alone() -> None:
    values, body = split_frontmatter('---\nlog: 3\nthis is broken\n: "\nsession_id: "abc"\n---\nbody')
    assert values == {"log": 3, "session_id": "abc"}
    assert body == "body"


def test_a_rule_inside_a_value_does_not_end_the_head() -> None:
    assert split_frontmatter('---\nsession_id: "a---b"\ntopics: ["x"]\n---\n')[0] == {
        "session_id": "a---b",
        "topics": ["x"],
    }


@pytest.mark.parametrize("text", ["", "plain", "---\nlog: 1\nnever closed", "---\n\njust prose\n\n---\nmore", "--- \n"])
def test_a_text_without_a_whole_head_is_all_body(text: str) -> None:
    assert split_frontmatter(text) == ({}, text)


def test_references_that_would_grow_without_bound_are_not_followed() -> None:
    values, _ = split_frontmatter("---\na: &a [x, x]\nb: [*a, *a]\nlog: 4\n---\n")
    assert values["log"] == 4
    assert split_frontmatter("---\nlog: 4\nb: " + "[" * 5000 + "\n---\n")[0]["log"] == 4


@pytest.mark.parametrize(
    "written",
    ["2026-03-05T10:00:00Z", "2026-03-05 10:00:00 UTC", "2026-03-05T11:00:00+01:00", "2026-03-05T10:00:00"],
)
def test_times_of_every_generation_are_read(written: str) -> None:
    assert read_time(written) == datetime(2026, 3, 5, 10, tzinfo=UTC)


@pytest.mark.parametrize("written", ["", "unknown", None, 7, "0001-01-01T00:00:00+14:00"])
def test_what_is_no_time_is_none(written: object) -> None:
    assert read_time(written) is None


def test_a_time_is_written_in_utc_to_the_second() -> None:
    at = datetime(2026, 3, 5, 1, 0, 0, 999, tzinfo=timezone(timedelta(hours=2)))
    assert write_time(at) == "2026-03-04T23:00:00Z"
    assert write_time(None) == ""


def test_brackets_without_end_are_read_as_words() -> None:
    deep = "[" * 5_000
    values, body = split_frontmatter(f"---\nlog: 3\nk: {deep}\n---\nbody")
    assert values["log"] == 3 and body == "body"
    assert not is_lossless(f"---\nk: {deep}\n---\n")


@pytest.mark.parametrize("value", ["{u,! }", "{1: a, null: b, true: c}", "!!set {a, b}", "[!!omap [a: 1]]"])
def test_what_yaml_reads_that_json_does_not_know_is_the_same_when_it_was_written(value: str) -> None:
    values, body = split_frontmatter(f"---\nlog: 4\nown: {value}\n---\nbody")
    assert split_frontmatter(join_frontmatter(values, body)) == (values, body)
    assert values["log"] == 4


def test_keys_are_as_they_are_written() -> None:
    values, _ = split_frontmatter("---\ntrue: [a,\n  b]\n007: {1: a, null: b}\n---\n")
    assert values == {"true": ["a", "b"], "007": {"1": "a", "null": "b"}}
