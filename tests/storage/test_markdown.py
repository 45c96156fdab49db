"""The outline of a document agrees with CommonMark, and its sections tile it."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from recall_tui.storage.markdown.outline import (
    body_end,
    find_comments,
    line_ending,
    line_kinds,
    parse_sections,
    split_lines,
)

LINES = st.sampled_from(
    [
        "",
        "",
        "   ",
        "# One",
        "## Two ##",
        "### Drei ß İ",
        "#### Vier",
        "####### seven",
        "#nospace",
        "#",
        "##\ttabbed",
        "   ## indented",
        "    ## code",
        "\t# tab",
        "```",
        "```python",
        "````",
        "~~~",
        "~~~~ text `x`",
        "``` a`b",
        "  ```",
        "    ```",
        "words",
        "more words here",
        "- item",
        "- ```sh",
        "  # in the item",
        "  more",
        "    deeper",
        "-",
        "1. first",
        "2) second",
        "   # in the numbered item",
        "***",
        "---",
        "===",
        "> quote",
        "<!-- comment -->",
        "<!-- opens",
        "closes -->",
        "<div>",
        "</div>",
        "<span class='x'>",
        "<b>bold</b> text",
        "<?php",
        "?>",
        "日本語の行",
        "a\u2028b\x0bc\x85d",
    ]
)


def headings_by_markdown_it(text: str) -> list[tuple[int, int]]:
    tokens = MarkdownIt("commonmark").parse(text)
    return [
        (token.map[0], int(token.tag[1]))
        for token in tokens
        if token.type == "heading_open" and token.level == 0 and token.markup.startswith("#") and token.map
    ]


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(st.lists(LINES, max_size=14), st.sampled_from(["\n", "\r\n"]))
@example(["- ```sh", "  # in the item", "# One"], "\n")
@example(["1. first", "", "   # in the numbered item", "## Two ##"], "\n")
@example(["<!-- opens", "# One", "closes -->", "# One"], "\r\n")
@example(["1. first", "===", "<span class='x'>", "# One"], "\n")
def test_headings_are_those_of_markdown_it(lines: list[str], newline: str) -> None:
    if lines and lines[0] == "---":
        lines = ["", *lines]
    text = newline.join(lines)
    assert [(s.start, s.level) for s in parse_sections(text) if s.level] == headings_by_markdown_it(text)


@given(st.text(alphabet=st.sampled_from("#`~<>!- \n\r\tab1.İ\u2028\x0b"), max_size=120))
def test_lines_join_to_the_text(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    assert all(line.endswith("\n") for line in lines[:-1])
    assert len(line_kinds(lines)) == len(lines)


@given(st.text(alphabet=st.sampled_from("#`~<>!- \n\tab1."), max_size=160))
def test_every_line_belongs_to_exactly_one_innermost_section(text: str) -> None:
    outline = parse_sections(text)
    owned = [line for at, section in enumerate(outline) for line in range(section.start, body_end(outline, at))]
    assert owned == list(range(len(split_lines(text))))
    for section in outline:
        inside = [s for s in outline if section.start < s.start < section.end]
        assert all(s.level > section.level and s.end <= section.end for s in inside if section.level)


def test_only_line_feeds_end_a_line() -> None:
    assert split_lines("a\x0bb\u2028c\r\nd\n\ne") == ("a\x0bb\u2028c\r\n", "d\n", "\n", "e")
    assert split_lines("") == ()


def test_the_newline_is_that_of_the_first_line() -> None:
    assert line_ending("a\r\nb\n") == "\r\n"
    assert line_ending("a\nb\r\n") == "\n"
    assert line_ending("a") == "\n"
    assert line_ending("\n") == "\n"


def test_a_section_knows_its_path_and_extent() -> None:
    outline = parse_sections("intro\n# A\n## B\n### C\nx\n## D\n")
    assert [(s.title, s.level, s.start, s.end, s.path) for s in outline] == [
        ("", 0, 0, 1, ()),
        ("A", 1, 1, 6, ("A",)),
        ("B", 2, 2, 5, ("A", "B")),
        ("C", 3, 3, 5, ("A", "B", "C")),
        ("D", 2, 5, 6, ("A", "D")),
    ]
    assert outline[1].lines == 5


@pytest.mark.parametrize("fence", ["```", "~~~", "`````", "   ```"])
def test_a_hash_inside_a_fence_is_no_heading(fence: str) -> None:
    text = f"# A\n{fence}\n# not\n```x\n## nor\n{fence}\n## B\n"
    assert [s.title for s in parse_sections(text)] == ["A", "B"]


def test_an_unclosed_fence_reaches_to_the_end() -> None:
    assert [s.title for s in parse_sections("# A\n```\n## not\n# nor\n")] == ["A"]


def test_a_comment_over_several_lines_hides_its_headings() -> None:
    assert [s.title for s in parse_sections("# A\n<!--\n## not\n-->\n## B\n")] == ["A", "B"]


def test_frontmatter_is_no_section() -> None:
    text = "---\nname: x\n# a comment\n---\n# A\n"
    assert [(s.title, s.start) for s in parse_sections(text)] == [("", 0), ("A", 4)]
    assert line_kinds(split_lines(text))[:5] == ("meta", "meta", "meta", "meta", "heading")


def test_a_byte_order_mark_does_not_hide_the_first_heading() -> None:
    assert [s.title for s in parse_sections("\ufeff# A\r\n\r\n## B\r\n")] == ["A", "B"]


def test_closing_hashes_are_not_part_of_a_title() -> None:
    assert [s.title for s in parse_sections("## A ##\n## C#\n##\n### #\n")] == ["A", "C#", "", ""]


def test_code_inside_a_list_item_is_code() -> None:
    text = "- how:\n  ```sh\n  # run\n  make\n  ```\n  words\n- next\n"
    assert line_kinds(split_lines(text)) == ("text", "code", "code", "code", "code", "text", "text")


def test_comments_with_lines_of_their_own_are_found() -> None:
    lines = split_lines("<!-- a -->\nwords <!-- b -->\n\n<!-- c\nd -->\n<!-- e --> tail\n```\n<!-- f -->\n```\n")
    assert find_comments(lines, line_kinds(lines)) == ((0, 1), (3, 5))


def test_a_long_gap_in_a_heading_is_looked_through_once() -> None:
    (found,) = parse_sections(f"# a{' ' * 100_000}b\n")
    assert found.title.startswith("a ") and found.title.endswith(" b")
