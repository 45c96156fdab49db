"""The Knowledge Map in WISDOM.md: in its place, and all around it as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.domain.documents import SourceRef
from recall_tui.features.wiki import page_changes
from recall_tui.features.wiki.knowledge_map import plan_map, with_map
from recall_tui.features.wiki.page_changes import NewPage
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import PageSource, WikiPage
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store

API = WikiPage("api", "API", "The API", "project", (PageSource(SourceRef("a")), PageSource(SourceRef("b"))), "")
JWT = WikiPage("jwt", "JWT", "Tokens", "concept", (PageSource(SourceRef("a")),), "")
GONE = WikiPage("old", "Old", "", "entity", (PageSource(SourceRef("a")),), "", redirect_to="jwt")
WIKI = Wiki(Path("wiki"), {"api": API, "jwt": JWT, "old": GONE})
MAP = """## Knowledge Map

### Active Projects

- [[api]] — The API

### Core Concepts

- [[jwt]] — Tokens (stub)
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"# Wisdom\n\n{MAP}"),
        ("# Wisdom\n\n- One. é\xa0\n", f"# Wisdom\n\n- One. é\xa0\n\n{MAP}"),
        ("# Wisdom", f"# Wisdom\n\n{MAP}"),
        (f"# W\n\n{MAP}", f"# W\n\n{MAP}"),
        (
            "# W\n\n## Knowledge Map\n\n### Entities\n\n- [[x]]\n\n## After\n\n- kept  \n",
            f"# W\n\n{MAP}\n## After\n\n- kept  \n",
        ),
        ("# W\n\n## Knowledge Map\n# Next\n", f"# W\n\n{MAP}\n# Next\n"),
        ("# W\r\n\r\n- One.\r\n", "# W\r\n\r\n- One.\r\n\r\n" + MAP.replace("\n", "\r\n")),
        ("```\n## Knowledge Map\n```\n", f"```\n## Knowledge Map\n```\n\n{MAP}"),
    ],
)
def test_the_map_stands_in_its_place_or_at_the_end(before: str, after: str) -> None:
    assert with_map(before, WIKI) == after
    assert with_map(after, WIKI) == after


@given(st.text(alphabet="#`<- aé\r\n"), st.text(alphabet="ab\n -").map(lambda text: f"## After\n{text}"))
def test_nothing_around_the_map_is_changed(before: str, after: str) -> None:
    assert with_map(before, WIKI).startswith(before)
    whole = with_map(f"# W\n\n## Knowledge Map\n\n- x\n\n{after}", WIKI)
    assert whole.startswith("# W\n\n") and whole.endswith(after)


def test_an_empty_wiki_maps_nothing_and_says_so_where_a_map_was() -> None:
    nothing = Wiki(Path("wiki"), {})
    assert with_map("# W\n", nothing) == "# W\n"
    assert with_map(f"# W\n\n{MAP}", nothing) == "# W\n\n## Knowledge Map\n\nThe wiki has no pages.\n"


def test_the_map_is_a_change_that_can_be_taken_back(store: Store) -> None:
    journal = Journal(store.state, store.now)
    assert plan_map(store).edits == ()
    plan = page_changes.stub(store, NewPage("jwt", "concept", PageSource(SourceRef("a.md")), lede="Tokens."))
    journal.commit(lambda: plan, by="person")
    store.layout.wisdom.write_bytes(b"# Wisdom\n\n- A byte: \xff\n")
    plan = plan_map(store)
    assert journal.commit(lambda: plan, by="person") is not None
    assert store.layout.wisdom.read_bytes().startswith(b"# Wisdom\n\n- A byte: \xff\n\n## Knowledge Map\n")
    assert plan_map(store).edits == ()
    journal.undo()
    assert store.layout.wisdom.read_bytes() == b"# Wisdom\n\n- A byte: \xff\n"
