"""Words among Markdown: shown as they are, and never swallowing what stands below them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from recall_tui.text.cut import one_line
from recall_tui.text.markup import escape_markdown, is_self_contained


def shown(markdown: str) -> str:
    """The words that a reader sees of one line, which may hold nothing but words and our own label."""
    tokens = MarkdownIt("commonmark").enable("strikethrough").parse(markdown)
    inline = next(one for one in tokens if one.type == "inline")
    assert {one.type for one in inline.children or ()} <= {"text", "text_special", "strong_open", "strong_close"}
    return "".join(one.content for one in inline.children or ()).strip()


_PIECES = (*"ab 1_*`[]()<>&;#~|\\!-+.:/@", "&amp;", "http://", "_a_")


@pytest.mark.long
@given(st.lists(st.sampled_from(_PIECES), max_size=20))
def test_a_line_is_shown_as_it_is(pieces: list[str]) -> None:
    line = one_line("".join(pieces))
    assert shown(f"- **a**: {escape_markdown(line)}").removeprefix("a:").strip() == line
    assert shown(f"# {escape_markdown(line)}") == line


def test_names_stay_readable() -> None:
    assert escape_markdown("phase_commit_msg in C#, see #4: a > b!") == r"phase_commit_msg in C#, see \#4: a > b!"


@pytest.mark.parametrize("text", ["words", "### deep", "- a\n  - b", "> # quoted", "```\n# x\n```", "", "    code"])
def test_ordinary_words_stand_alone(text: str) -> None:
    assert is_self_contained(text, 2)


@pytest.mark.parametrize(
    "text", ["```\nopen", "<!-- open", "# title", "words\n---", "- ```\n  x\n```", "<script>\n\nx"]
)
def test_what_swallows_or_heads_what_follows_does_not(text: str) -> None:
    assert not is_self_contained(text, 2)
