"""A wiki page on two days, and the change that writes it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recall_tui.domain.documents import SourceRef
from recall_tui.features.wiki import page_changes
from recall_tui.features.wiki.page_changes import NewPage
from recall_tui.storage.documents.wiki_page import PageSource, WikiPage
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store

OLD, NEW = "memory/days/2026-03-01.md", "memory/days/2026-03-05.md"
BODY = """
Refresh tokens keep people signed in.

**Why:** the phone app is offline for days.

Refresh tokens live for 14 days.

Refresh tokens rotate at each use, since 2026-03-05.

| kept | as it is |
|---|---|

## Of a person's own

Ask Sam before the refresh token table is touched.
"""


@pytest.fixture
def page(store: Store) -> WikiPage:
    """A page on two days of which one is given by lines."""
    written = {
        OLD: "# 2026-03-01\n\n- Refresh tokens live for 14 days.\n- The printer was moved.\n",
        NEW: "# 2026-03-05\n\n- Refresh tokens rotate at each use, since 2026-03-05.\n- They live for 30 days now.\n"
        "- Lunch.\n",
    }
    for name, text in written.items():
        path = store.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    do(
        store,
        page_changes.stub(
            store, NewPage("refresh-tokens", "concept", PageSource(SourceRef(OLD)), "Refresh tokens", "How", "x")
        ),
    )
    begun = page_changes.open_wiki(store).pages["refresh-tokens"]
    made = replace(begun, sources=(PageSource(SourceRef(OLD)), PageSource(SourceRef(NEW, 3, 4))), body=BODY)
    do(store, page_changes.plan_pages(store, page_changes.open_wiki(store), "test", {made.slug: made}))
    return made


def do(store: Store, plan) -> None:
    """Apply the plan."""
    Journal(store.state, store.now).commit(lambda: plan, by="person")
