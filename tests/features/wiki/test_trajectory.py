"""Trajectory pages: made with the second claim that is superseded, kept up with, never over a person's page."""

from __future__ import annotations

from recall_tui.domain import Plan
from recall_tui.domain.documents import SourceRef
from recall_tui.features.wiki import page_changes
from recall_tui.features.wiki.lint import lint_target
from recall_tui.features.wiki.page_changes import NewPage
from recall_tui.features.wiki.trajectory import slug_for
from recall_tui.storage.documents.wiki_page import MAX_SLUG_CHARS, PageSource, SupersededClaim, is_slug
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store
from tests.makers import write_files

A = PageSource(SourceRef("a.md"))
FIRST = SupersededClaim("c.md", "Tokens last 5 minutes.", "2026-02-01", "Tokens last 15 minutes.")
SECOND = SupersededClaim("d.md", "Tokens last 15 minutes.", "2026-03-01")


def do(store: Store, plan: Plan) -> None:
    Journal(store.state, store.now).commit(lambda: plan, by="person")


def begun(store: Store) -> None:
    write_files(store.root, {f"{name}.md": "# Notes\n\nTokens last.\n" for name in "acde"})
    do(
        store,
        page_changes.stub(store, NewPage("jwt", "concept", A, "JWT", lede="Tokens last 30 minutes.")),
    )
    do(store, page_changes.supersede(store, "jwt", SECOND))
    assert "jwt-trajectory" not in page_changes.open_wiki(store).pages
    do(store, page_changes.supersede(store, "jwt", FIRST))


def test_two_superseded_claims_make_a_page_oldest_first_in_the_same_change(store: Store) -> None:
    begun(store)
    pages = page_changes.open_wiki(store).pages
    made = pages["jwt-trajectory"]
    assert (made.category, made.confidence, made.related) == ("reference", "high", ("jwt",))
    assert made.sources == tuple(PageSource(SourceRef(name)) for name in ("c.md", "d.md")) and pages["jwt"].related == (
        "jwt-trajectory",
    )
    assert made.body == (
        "\n[[jwt]] as it is, and what was said of it before.\n\n## Now\n\n- Tokens last 30 minutes.\n\n## Before\n\n"
        "- until 2026-02-01: ~~Tokens last 5 minutes.~~ Then: Tokens last 15 minutes. (c.md)\n"
        "- until 2026-03-01: ~~Tokens last 15 minutes.~~ (d.md)\n"
    )
    assert lint_target(store) == ()
    Journal(store.state, store.now).undo()
    assert "jwt-trajectory" not in page_changes.open_wiki(store).pages


def test_it_follows_its_subject(store: Store) -> None:
    begun(store)
    third = SupersededClaim("e.md", "Tokens last 30 minutes.", "2026-03-05", "Tokens last an hour.")
    do(store, page_changes.append(store, "jwt", "Tokens last an hour.", PageSource(SourceRef("e.md")), (third,)))
    assert "until 2026-03-05: ~~Tokens last 30 minutes.~~" in page_changes.open_wiki(store).pages["jwt-trajectory"].body
    do(store, page_changes.rename(store, "jwt", "tokens"))
    found = page_changes.open_wiki(store)
    assert found.page("jwt-trajectory").slug == "tokens-trajectory"
    assert "[[tokens]] as it is" in found.pages["tokens-trajectory"].body
    assert found.pages["tokens"].related == ("tokens-trajectory",)


def test_a_page_of_that_name_that_a_person_wrote_stays(store: Store) -> None:
    do(
        store,
        page_changes.stub(store, NewPage("jwt-trajectory", "reference", A, lede="Mine.")),
    )
    before = (store.layout.wiki / "jwt-trajectory.md").read_bytes()
    do(store, page_changes.stub(store, NewPage("jwt", "concept", A, lede="Tokens.")))
    do(store, page_changes.supersede(store, "jwt", FIRST))
    do(store, page_changes.supersede(store, "jwt", SECOND))
    assert (store.layout.wiki / "jwt-trajectory.md").read_bytes() == before


def test_a_long_slug_leaves_room_for_it() -> None:
    assert is_slug(slug_for("a" * MAX_SLUG_CHARS)) and is_slug(slug_for("a" * 69 + "-b" * 5))
