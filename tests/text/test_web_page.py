"""HTML: words stay words, whatever they look like, and a page needs nothing from elsewhere."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.html_text import escape_html, page_end, page_start, render_markdown
from tests.qa.trust.hostile import escapes
from tests.text.page_samples import HARM, Seen

_TAGS = "a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre s strong table tbody td th thead tr ul"
ALLOWED = set(_TAGS.split())


def is_harmless(html: str) -> Seen:
    """The page's parts, none of which does or fetches anything."""
    seen = Seen(html)
    assert seen.open == []
    assert set(seen.tags) <= ALLOWED
    for tag, name, value in seen.attributes:
        assert name in ("href", "rel", "title", "class", "start", "style"), (tag, name, value)
        assert name != "style" or re.fullmatch(r"text-align:(?:left|right|center)", value)
        assert name != "href" or re.match(r"(?:https?|mailto):", value, re.IGNORECASE)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", html)
    return seen


@pytest.mark.parametrize("text", HARM)
def test_words_of_others_do_and_fetch_nothing(text: str) -> None:
    is_harmless(render_markdown(text))
    assert Seen(escape_html(text)).tags == []


@pytest.mark.long
@given(
    st.lists(st.one_of(st.sampled_from(HARM), st.text(max_size=30), st.sampled_from(["\n", "\n\n", "> ", "- ", "`"])))
)
def test_no_mixture_of_words_does_anything(parts: list[str]) -> None:
    is_harmless(render_markdown("".join(parts), keeps_lines=True))


def test_markdown_is_rendered() -> None:
    html = render_markdown(
        "# One\n\nSee **this** `code` [there](https://a.example/?a=1&b=2).\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n"
    )
    seen = is_harmless(html)
    assert {"h1", "strong", "code", "a", "table", "td"} <= set(seen.tags)
    assert ("a", "href", "https://a.example/?a=1&b=2") in seen.attributes
    assert ("a", "rel", "noopener noreferrer nofollow") in seen.attributes


def test_a_picture_becomes_a_link_to_it() -> None:
    html = render_markdown("![a *chart*](https://a.example/x.png)")
    assert "<img" not in html and '<a href="https://a.example/x.png"' in html and ">a chart</a>" in html


def test_headings_stand_deeper_when_asked() -> None:
    assert render_markdown("# a\n\n### b\n\n###### c", deeper=2) == "<h3>a</h3>\n<h5>b</h5>\n<h6>c</h6>\n"


def test_lines_are_kept_when_asked() -> None:
    assert render_markdown("a\nb", keeps_lines=True) == "<p>a<br>\nb</p>\n".replace("<br>", "<br />")
    assert render_markdown("a\nb") == "<p>a\nb</p>\n"


def test_a_page_forbids_everything_from_elsewhere() -> None:
    page = page_start('</title><script>x("&', "p { color: red }") + page_end()
    assert "default-src 'none'" in page and "prefers" not in page
    seen = Seen(page)
    assert "script" not in seen.tags and seen.open == []
    assert not [name for _, name, _ in seen.attributes if name in ("src", "href")]


def test_what_is_written_as_an_entity_turns_no_text_around() -> None:
    made = render_markdown("a &#x202e;b [c](https://d.example/&#x2066;) ![e&rlm;f](g)")
    assert "a b" in made and "ef" in made
    assert not escapes(made)
