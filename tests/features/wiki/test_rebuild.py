"""Rebuilding a page: its sources' words with their lines, the newest first, and nothing of its own is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.domain.documents import SourceRef
from recall_tui.errors import NotFoundError, UsageError
from recall_tui.features.wiki import page_changes
from recall_tui.features.wiki import rebuild as wiki_rebuild
from recall_tui.features.wiki.page_changes import NewPage
from recall_tui.storage.documents.statements import page_statements
from recall_tui.storage.documents.wiki_page import PageSource, SupersededClaim, WikiPage
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store
from recall_tui.text.checkable_facts import missing_facts
from tests.features.wiki.rebuild_samples import NEW, OLD, do


def rebuilt(store: Store) -> WikiPage:
    do(store, wiki_rebuild.rebuild(store, "refresh-tokens"))
    return page_changes.open_wiki(store).pages["refresh-tokens"]


def test_what_sources_say_is_cited_newest_first_and_the_pages_own_words_stay(store: Store, page: WikiPage) -> None:
    assert (
        rebuilt(store).body
        == """
Refresh tokens keep people signed in.

**Why:** the phone app is offline for days.

| kept | as it is |
|---|---|

## Of a person's own

Ask Sam before the refresh token table is touched.

## From its sources

- Refresh tokens rotate at each use, since 2026-03-05. (memory/days/2026-03-05.md:3)
- They live for 30 days now. (memory/days/2026-03-05.md:4)
- Refresh tokens live for 14 days. (memory/days/2026-03-01.md:3)
"""
    )


def test_every_cited_line_stands_where_it_says(store: Store, page: WikiPage) -> None:
    for said in page_statements(rebuilt(store).body):
        if said.cited:
            name, first, last = said.cited
            lines = (store.root / name).read_text().split("\n")
            source = "\n".join(lines[first - 1 : last])
            assert said.text in source and missing_facts(said.text, source) == ()


def test_a_page_in_order_is_left_as_it_is_and_a_rebuild_can_be_taken_back(store: Store, page: WikiPage) -> None:
    path = store.layout.wiki / "refresh-tokens.md"
    before = path.read_bytes()
    rebuilt(store)
    assert wiki_rebuild.rebuild(store, "refresh-tokens").edits == ()
    Journal(store.state, store.now).undo()
    assert path.read_bytes() == before


def test_what_is_superseded_is_left_to_the_head(store: Store, page: WikiPage) -> None:
    gone = SupersededClaim(NEW, "Refresh tokens live for 14 days.", "2026-03-05", "They live for 30 days now.")
    do(store, page_changes.supersede(store, "refresh-tokens", gone))
    new = rebuilt(store)
    assert "14 days" not in new.body and new.supersedes == (gone,)


def test_a_line_stays_when_its_source_is_gone(store: Store, page: WikiPage) -> None:
    before = rebuilt(store)
    (store.root / OLD).unlink()
    do(store, page_changes.append(store, "refresh-tokens", "Refresh tokens are opaque.", PageSource(SourceRef(NEW))))
    assert before.body.rsplit("- ", 1)[1] in rebuilt(store).body


def test_secrets_of_a_source_stay_out(store: Store, page: WikiPage) -> None:
    (store.root / NEW).write_text("\n\n- Refresh tokens are signed with AKIAIOSFODNN7EXAMPLE today.\n")
    assert "AKIA" not in rebuilt(store).body


def test_what_a_model_wrote_takes_the_place_of_the_text(store: Store, page: WikiPage) -> None:
    plan = wiki_rebuild.rebuild(store, "refresh-tokens", body="\n## Anew\n")
    assert any("## Anew" in getattr(edit, "text", "") for edit in plan.edits)
    drawn = wiki_rebuild.source_statements(store, page)
    assert [one.day for one in drawn] == ["2026-03-01"] * 2 + ["2026-03-05"] * 2


def test_all_pages_of_two_sources_are_rebuilt_and_the_rest_is_counted(store: Store, page: WikiPage) -> None:
    do(store, page_changes.stub(store, NewPage("api", "entity", PageSource(SourceRef(OLD)), lede="The API.")))
    do(store, page_changes.stub(store, NewPage("lost", "entity", PageSource(SourceRef("a.md")), lede="Lost.")))
    do(store, page_changes.append(store, "lost", "Still lost.", PageSource(SourceRef("b.md"))))
    (store.layout.wiki / "broken.md").write_text("nothing")
    plan = wiki_rebuild.rebuild_all(store)
    assert (plan.facts["rebuilt"], plan.facts["failed"]) == (["refresh-tokens"], ["lost"])
    assert sorted(plan.facts["skipped"]) == ["api", "broken"]  # type: ignore[call-overload]
    with pytest.raises(NotFoundError, match="none of the sources"):
        wiki_rebuild.rebuild(store, "lost")


def test_a_page_that_became_another_is_found_there(store: Store, page: WikiPage, tmp_path: Path) -> None:
    do(store, page_changes.rename(store, "refresh-tokens", "tokens"))
    assert wiki_rebuild.rebuild(store, "refresh-tokens").title == "Rebuilt tokens"
    with pytest.raises(UsageError):
        page_changes.stub(store, NewPage("Not A Slug", "entity", PageSource(SourceRef(OLD))))
