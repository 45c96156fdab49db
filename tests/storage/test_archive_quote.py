"""Quoted text comes back as it was, and never holds a line that reads as structure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.storage.markdown.quoting import (
    FenceTracker,
    code_span,
    fence_text,
    normalize_lines,
    quote,
    quote_line,
    unquote,
    unquote_line,
)
from recall_tui.text.cut import one_line

STRUCTURE = [
    "---", "--- ", "### User", "### Assistant", "#### Plan", "#### Task", "## Tags", "# Conversation 001",
    "> **Bash** `rm`", "**Tool: Read**", "*2026-03-06 10:30 UTC*", "*(rewound)*", "<details><summary>Result</summary>",
    "</details>", "<!-- open", "<script>", "  ### User",
]  # fmt: skip
PLAIN = [
    "words",
    "",
    "- a list",
    "# A heading",
    "## Summary",
    "| a | b |",
    "|---|---|",
    "**bold**",
    "\\---",
    "\\\\",
    "  two",
]
FENCES = ["```", "```python", "````", "~~~", "    ```", "`` ` ``"]
TEXT = st.lists(st.sampled_from(STRUCTURE + PLAIN + FENCES) | st.text(max_size=8), max_size=8).map("\n".join)


@given(TEXT)
def test_quoted_text_comes_back(text: str) -> None:
    fence = FenceTracker()
    for line in normalize_lines(text).split("\n"):
        fence.holds(line)
    closed = normalize_lines(text) + (f"\n{fence.mark}" if fence.mark else "")
    assert unquote(quote(text)) == closed
    assert quote(closed).count("\n") == closed.count("\n")


@pytest.mark.parametrize("line", STRUCTURE)
def test_structure_outside_code_is_quoted(line: str) -> None:
    quoted = quote(f"before\n{line}\nafter").split("\n")[1]
    assert quoted != line
    assert quoted.lstrip(" ").startswith("\\")
    assert quote(f"```\n{line}\n```") == f"```\n{line}\n```"


@pytest.mark.parametrize("line", PLAIN[:8])
def test_ordinary_markdown_is_left_alone(line: str) -> None:
    assert quote(line) == line


@given(st.text(max_size=30) | st.sampled_from(STRUCTURE + PLAIN + FENCES))
def test_a_line_comes_back_flat(text: str) -> None:
    quoted = quote_line(text)
    assert unquote_line(quoted) == one_line(text)
    assert quoted[:1] not in ("#", "-", ">", "`", "~", "<", "*")


@given(st.text("a`~\n ", max_size=40))
def test_a_fence_holds_whatever_is_put_into_it(text: str) -> None:
    block = fence_text(text).removesuffix("\n").split("\n")
    fence = FenceTracker()
    for line in block[:-1]:
        assert fence.holds(line)
        assert fence.mark == block[0]
    fence.holds(block[-1])
    assert not fence.mark


@pytest.mark.parametrize(
    ("text", "span"), [("a", "`a`"), ("a`b", "``a`b``"), ("`a`", "`` `a` ``"), ("``", "``` `` ```")]
)
def test_a_code_span_has_more_marks_than_its_text(text: str, span: str) -> None:
    assert code_span(text) == span


def test_what_no_file_can_hold_is_replaced_and_bytes_are_kept() -> None:
    assert quote("a\ud83d b\udcff") == "a\ufffd b\udcff"


def test_a_long_row_of_backslashes_is_looked_through_once() -> None:
    text = "\\" * 100_000
    assert unquote(quote(text)) == text
