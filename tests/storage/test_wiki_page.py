"""Wiki pages: read in every form that is written, and written so that every form reads them."""

from __future__ import annotations

import string
from datetime import date
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.domain.documents import SourceRef
from recall_tui.errors import NotFoundError
from recall_tui.storage.documents.wiki_folder import read_folder, render_index
from recall_tui.storage.documents.wiki_page import (
    CATEGORIES,
    InvalidPage,
    PageSource,
    SupersededClaim,
    WikiLink,
    WikiPage,
    find_links,
    is_slug,
    make_slug,
    parse_wiki_page,
    render_wiki_page,
    retarget_links,
    with_source,
)

WORDS = st.text(alphabet=string.ascii_letters + string.digits + " :#'\"[]{}é—", min_size=1).map(str.strip).filter(bool)
SLUGS = st.from_regex(r"[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,3}", fullmatch=True).filter(is_slug)
DAYS = st.dates().map(date.isoformat)
REFS = st.tuples(WORDS, st.integers(1, 999), st.integers(0, 98)).map(
    lambda one: SourceRef(one[0], one[1], sum(one[1:]))
)
SOURCES = WORDS.map(lambda name: PageSource(SourceRef(name))) | st.builds(PageSource, REFS, WORDS)
PAGES = st.builds(
    WikiPage,
    slug=SLUGS,
    name=WORDS,
    description=WORDS,
    category=st.sampled_from(CATEGORIES),
    sources=st.lists(SOURCES, min_size=1, max_size=4).map(tuple),
    body=st.text(alphabet=string.printable.replace("\r", "")).map(lambda text: f"\n{text}"),
    created=DAYS,
    updated=DAYS,
    related=st.lists(SLUGS, max_size=3, unique=True).map(tuple),
    confidence=st.sampled_from(("", "high", "medium", "low")),
    contradicts=st.lists(SLUGS, max_size=2, unique=True).map(tuple),
    supersedes=st.lists(st.builds(SupersededClaim, WORDS, WORDS, DAYS, WORDS), max_size=2).map(tuple),
    redirect_to=st.just("") | SLUGS,
)


@pytest.mark.long
@given(PAGES)
def test_a_page_is_read_as_it_was_written_and_by_yaml_too(page: WikiPage) -> None:
    text = render_wiki_page(page)
    assert parse_wiki_page(text, page.slug) == page
    values = yaml.safe_load(text.split("---\n")[1])
    assert values["type"] == "wiki" and values["updated"] == page.updated


PUBLISHED = """---
name: JWT auth
description: How the API signs people in
type: wiki
category: concept
slug: jwt-auth
created: 2026-03-01
updated: 2026-03-06T10:00:00Z
sources:
  - memory/2026-03-01.md
  - uri: memory/2026-03-06.md
    from: 4
    lines: 3
    summary: chose JWT
  - {source: memory/2026-03-07.md, from: 0, lines: 2}
related: [api]
confidence: high
supersedes:
  - source: memory/2026-03-06.md
    fact: "sessions: kept in Redis"
    superseded_on: 2026-03-06
grounding:
  verified_on: 2026-03-07
  grounded: true
mood: fine
---

Text with [[api]].
"""


def test_every_form_of_the_published_design_is_read() -> None:
    page = parse_wiki_page(PUBLISHED, "jwt-auth")
    assert isinstance(page, WikiPage)
    assert (page.created, page.updated) == ("2026-03-01", "2026-03-06")
    assert page.sources == (
        PageSource(SourceRef("memory/2026-03-01.md")),
        PageSource(SourceRef("memory/2026-03-06.md", 4, 6), "chose JWT"),
        PageSource(SourceRef("memory/2026-03-07.md")),
    )
    assert page.supersedes == (SupersededClaim("memory/2026-03-06.md", "sessions: kept in Redis", "2026-03-06"),)
    assert page.grounding == {"verifiedOn": "2026-03-07", "grounded": True}
    assert page.extra == {"mood": "fine"}
    assert parse_wiki_page(render_wiki_page(page), "jwt-auth") == page


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ("just text\n", "no frontmatter", 1),
        ("---\nname: [torn\ncategory: entity\nsources:\n  - a.md\n---\nx\n", "no YAML", 1),
        ("---\nname: x\ndescription: y\n---\n", "no category", 1),
        ("---\nname: x\ncategory: person\n---\n", "its category is person", 3),
    ],
)
def test_what_is_no_page_says_why_and_where(text: str, reason: str, line: int) -> None:
    found = parse_wiki_page(text, "x")
    assert isinstance(found, InvalidPage)
    assert reason in found.reason and found.line == line


def test_slugs_are_lowercase_words_joined_by_hyphens() -> None:
    assert make_slug("Token Refresh (v2)") == "token-refresh-v2"
    assert make_slug("Café Müller") == "cafe-muller"
    assert make_slug("Index") == "" == make_slug("東京")
    for bad in ("", "index", "A", "a--b", "-a", "a_b", "../x", "a" * 81):
        assert not is_slug(bad)


@pytest.mark.parametrize("name", ["con", "nul", "aux", "prn", "com1", "lpt9"])
def test_no_slug_is_the_name_of_a_device(name: str) -> None:
    assert not is_slug(name) and make_slug(name.upper()) == ""
    assert is_slug(f"{name}-port")


def test_links_are_found_in_all_forms_and_not_in_code() -> None:
    text = "See [[jwt]], [[jwt|the token]] and [[wiki:api]].\n\n```\n[[code]]\n```\nand `[[span]]` [[private:x]]\n"
    assert find_links(text) == (
        WikiLink("jwt", "", "jwt", 1),
        WikiLink("jwt", "", "the token", 1),
        WikiLink("api", "wiki", "api", 1),
        WikiLink("x", "private", "x", 6),
    )


def test_code_is_told_from_links_however_many_marks_a_line_has() -> None:
    assert [link.slug for link in find_links("`` [[a]] ` `` [[b]] ` [[c]] ``` [[d]] ` [[e]]\n")] == ["b", "e"]
    unclosed = "".join(f"{'`' * count}a" for count in range(1, 500))
    assert [link.slug for link in find_links(f"{unclosed} [[x]]\n")] == ["x"]


def test_links_follow_a_page_that_moved_and_show_what_they_showed() -> None:
    text = "[[jwt]] [[jwt|token]] [[wiki:jwt]] [[team:jwt]] [[jwt-two]] `[[jwt]]`\n~~~\n[[jwt]]\n~~~\n"
    assert retarget_links(text, "jwt", "auth") == (
        "[[auth|jwt]] [[auth|token]] [[wiki:auth]] [[team:jwt]] [[jwt-two]] `[[jwt]]`\n~~~\n[[jwt]]\n~~~\n"
    )


def test_one_source_is_listed_once_and_one_source_is_a_stub() -> None:
    page = parse_wiki_page(PUBLISHED, "jwt-auth")
    assert isinstance(page, WikiPage)
    assert with_source(page, PageSource(SourceRef("memory/2026-03-01.md"))) is page
    assert not page.is_stub
    stub = WikiPage("a", "A", "", "entity", (PageSource(SourceRef("x", 1, 2)), PageSource(SourceRef("x", 5, 5))), "")
    assert stub.is_stub


def test_a_wiki_is_read_whole_with_what_is_malformed_beside_it(tmp_path: Path) -> None:
    (tmp_path / "jwt-auth.md").write_text(PUBLISHED)
    (tmp_path / "broken.md").write_text("nothing\n")
    (tmp_path / "index.md").write_text("# Wiki\n")
    api = WikiPage(
        "api", "API", "The API", "project", (PageSource(SourceRef("x")),), "\nuses [[jwt-auth]]\n", updated="2026-01-01"
    )
    for page in (api, WikiPage("old", "Old", "", "entity", (PageSource(SourceRef("x")),), "", redirect_to="api")):
        (tmp_path / f"{page.slug}.md").write_text(render_wiki_page(page))
    wiki = read_folder(tmp_path)
    assert set(wiki.pages) == {"jwt-auth", "api", "old"}
    assert [one.slug for one in wiki.malformed] == ["broken"]
    assert wiki.page("old") == wiki.pages["api"]
    assert wiki.backlinks("jwt-auth") == ("api",) and wiki.backlinks("api") == ("jwt-auth",)
    with pytest.raises(NotFoundError, match="no page jwt-aut"):
        wiki.page("jwt-aut")
    text = render_index(wiki.pages.values(), date(2026, 3, 8))
    assert 'type: "wiki-index"' in text and "total: 2" in text
    assert "## Concepts (1)\n\n- [[jwt-auth]] — How the API signs people in\n" in text
    assert "## Projects (1)\n\n- [[api]] — The API (stub)\n" in text
    assert text.endswith("- 2026-03-06 [[jwt-auth]] (3 sources)\n- 2026-01-01 [[api]] (1 source)\n")


def test_redirects_in_a_circle_lead_nowhere(tmp_path: Path) -> None:
    for slug, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{slug}.md").write_text(
            render_wiki_page(WikiPage(slug, slug, "", "entity", (PageSource(SourceRef("x")),), "", redirect_to=other))
        )
    with pytest.raises(NotFoundError):
        read_folder(tmp_path).page("a")


def test_a_folder_that_is_not_there_is_an_empty_wiki(tmp_path: Path) -> None:
    assert read_folder(tmp_path / "wiki").pages == {}


@pytest.mark.parametrize("link", ["[[jwt `code` auth]]", "[[jwt `[[`ode]]``", "[[ `jwt` ]]"])
def test_code_inside_of_what_looks_like_a_link_stays(link: str) -> None:
    assert retarget_links(f"See {link}.\n", "other", "new") == f"See {link}.\n"
    assert retarget_links(f"See {link}.\n", "jwt", "new") == f"See {link}.\n"


def test_code_in_what_a_link_shows_stays() -> None:
    assert retarget_links("[[jwt|the `jwt` page]]", "jwt", "auth") == "[[auth|the `jwt` page]]"
