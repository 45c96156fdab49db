"""The wiki's verbs: nothing that a page knew is lost, whatever becomes of the page."""

from __future__ import annotations

from datetime import timedelta

import pytest

from recall_tui.domain import Plan
from recall_tui.domain.documents import SourceRef
from recall_tui.errors import ConflictError, NotFoundError, UsageError
from recall_tui.features.wiki import page_changes
from recall_tui.features.wiki.lint import LintFinding, lint_wiki
from recall_tui.features.wiki.page_changes import NewPage
from recall_tui.storage.documents.wiki_page import PageSource, SupersededClaim, WikiPage
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store
from tests.conftest import NOON

DAY = PageSource(SourceRef("memory/days/2026-03-06.md", 4, 5))
A, B = PageSource(SourceRef("a.md")), PageSource(SourceRef("b.md"))
JWT = NewPage(
    "jwt-auth", "concept", DAY, "JWT auth", "How people sign in", "Tokens last 15 minutes.", {"Why": "mobile"}
)


def do(store: Store, plan: Plan) -> None:
    Journal(store.state, store.now).commit(lambda: plan, by="person")


def page(store: Store, slug: str) -> WikiPage:
    return page_changes.open_wiki(store).pages[slug]


def test_a_page_begins_with_one_source_and_stands_in_the_index(store: Store) -> None:
    do(store, page_changes.stub(store, JWT))
    made = page(store, "jwt-auth")
    assert made.is_stub and made.sources == (DAY,) and made.confidence == "low"
    assert made.body == "\nTokens last 15 minutes.\n\n**Why:** mobile\n"
    assert (made.created, made.updated) == ("2026-03-06", "2026-03-06")
    assert "[[jwt-auth]] — How people sign in (stub)" in (store.layout.wiki / "index.md").read_text()


def test_no_page_begins_twice_or_with_a_slug_that_is_none(store: Store) -> None:
    do(store, page_changes.stub(store, JWT))
    with pytest.raises(ConflictError):
        page_changes.stub(store, JWT)
    for slug in ("../x", "Index", "index", "A B", ""):
        with pytest.raises(UsageError):
            page_changes.stub(store, JWT._replace(slug=slug))
    with pytest.raises(UsageError, match="theme"):
        page_changes.stub(store, JWT._replace(slug="x", category="theme"))


def test_what_is_added_brings_its_source_and_the_same_is_not_added_twice(store: Store) -> None:
    do(store, page_changes.stub(store, JWT))
    other = PageSource(SourceRef("memory/days/2026-03-07.md"))
    do(store, page_changes.append(store, "jwt-auth", "Refresh tokens rotate.", other))
    made = page(store, "jwt-auth")
    assert made.body.endswith("\n\nRefresh tokens rotate.\n") and made.sources == (DAY, other)
    assert page_changes.append(store, "jwt-auth", "Refresh tokens rotate.", other).edits == ()
    with pytest.raises(NotFoundError, match="jwt-aut"):
        page_changes.append(store, "jwt-aut", "x", other)


def test_a_source_may_supersede_several_claims_and_each_is_noted_once(store: Store) -> None:
    do(store, page_changes.stub(store, JWT))
    first = SupersededClaim(
        "memory/days/2026-03-09.md", "Tokens last 15 minutes.", "2026-03-09", "Tokens last an hour."
    )
    second = first._replace(fact="Tokens are opaque.", by="")
    do(store, page_changes.supersede(store, "jwt-auth", first))
    do(store, page_changes.supersede(store, "jwt-auth", second))
    assert page(store, "jwt-auth").supersedes == (first, second)
    assert page_changes.supersede(store, "jwt-auth", first).edits == ()


def test_merging_keeps_sources_supersessions_and_inbound_links(store: Store) -> None:
    do(store, page_changes.stub(store, JWT))
    do(
        store,
        page_changes.stub(
            store,
            NewPage("tokens", "concept", A, lede="What tokens are, see [[jwt-auth]]."),
        ),
    )
    do(
        store,
        page_changes.stub(store, NewPage("api", "project", B, lede="Uses [[tokens]] and [[tokens|them]].")),
    )
    gone = SupersededClaim("c.md", "Tokens are opaque.", "2026-03-01")
    do(store, page_changes.supersede(store, "tokens", gone))
    do(store, page_changes.merge(store, "tokens", "jwt-auth"))
    whole = page(store, "jwt-auth")
    assert whole.sources == (DAY, PageSource(SourceRef("a.md"))) and whole.supersedes == (gone,)
    assert "## Merged from tokens\n\nWhat tokens are" in whole.body
    assert page(store, "tokens").redirect_to == "jwt-auth"
    assert page(store, "api").body == "\nUses [[jwt-auth|tokens]] and [[jwt-auth|them]].\n"
    assert page_changes.open_wiki(store).page("tokens") == whole
    with pytest.raises(UsageError):
        page_changes.merge(store, "tokens", "jwt-auth")


def test_a_renamed_page_is_found_by_both_names(store: Store) -> None:
    do(store, page_changes.stub(store, JWT))
    do(
        store,
        page_changes.stub(store, NewPage("api", "project", B, lede="Uses [[jwt-auth]].")),
    )
    do(store, page_changes.rename(store, "jwt-auth", "auth"))
    found = page_changes.open_wiki(store)
    assert found.page("jwt-auth") == found.page("auth") and found.page("auth").sources == (DAY,)
    assert found.pages["api"].body == "\nUses [[auth|jwt-auth]].\n"
    with pytest.raises(ConflictError):
        page_changes.rename(store, "auth", "api")


def test_every_verb_can_be_taken_back(store: Store) -> None:
    do(store, page_changes.stub(store, JWT))
    before = {path: path.read_bytes() for path in store.layout.wiki.iterdir()}
    do(store, page_changes.rename(store, "jwt-auth", "auth"))
    Journal(store.state, store.now).undo()
    assert {path: path.read_bytes() for path in store.layout.wiki.iterdir()} == before


def test_secrets_stay_out_of_pages(store: Store) -> None:
    do(store, page_changes.stub(store, JWT._replace(lede="The key is AKIAIOSFODNN7EXAMPLE now.")))
    do(store, page_changes.append(store, "jwt-auth", "Or AKIAIOSFODNN7EXAMPLF it is.", PageSource(SourceRef("x.md"))))
    assert "AKIA" not in (store.layout.wiki / "jwt-auth.md").read_text()


def test_lint_names_every_rule_that_is_broken_and_a_malformed_page_is_a_finding(store: Store) -> None:
    do(store, page_changes.stub(store, JWT._replace(lede="See [[nowhere]], [[other:x]] and [[api]].")))
    do(store, page_changes.stub(store, NewPage("api", "project", B, lede="Nothing.")))
    folder = store.layout.wiki
    (folder / "broken.md").write_text("---\nname: x\n---\n")
    (folder / "moved.md").write_text((folder / "api.md").read_text())
    (folder / "gone.md").write_text("---\ncategory: entity\nslug: gone\nsources: [x]\nredirect_to: nobody\n---\n")
    found = lint_wiki(page_changes.open_wiki(store), (NOON + timedelta(days=91)).date())
    assert [(one.slug, one.rule) for one in found] == [
        ("api", "stale"),
        ("broken", "malformed"),
        ("gone", "broken-redirect"),
        ("jwt-auth", "broken-link"),
        ("jwt-auth", "orphan"),
        ("jwt-auth", "stale"),
        ("jwt-auth", "unknown-target"),
        ("moved", "orphan"),
        ("moved", "slug-drift"),
        ("moved", "stale"),
    ]
    (link,) = [one for one in found if one.rule == "broken-link"]
    lines = (folder / "jwt-auth.md").read_text().split("\n")
    assert link == LintFinding("broken-link", "jwt-auth", "[[nowhere]] is not there", link.line)
    assert "[[nowhere]]" in lines[link.line - 1]
    found_wiki = page_changes.open_wiki(store)
    assert not [
        one
        for one in lint_wiki(page_changes.open_wiki(store), NOON.date(), {"other": found_wiki})
        if one.rule == "unknown-target"
    ]
