"""Pages that once disagreed about what holds now: the page, its description, the lists, its trajectory and search."""

from __future__ import annotations

from collections.abc import Callable

from recall_tui.domain import Plan
from recall_tui.domain.documents import SourceRef
from recall_tui.features.wiki.knowledge_map import plan_map
from recall_tui.features.wiki.page_changes import NewPage, open_wiki, stub, supersede
from recall_tui.features.wiki.rebuild import rebuild
from recall_tui.storage.documents.wiki_claims import outdated_claims, present_claims, present_text
from recall_tui.storage.documents.wiki_page import PageSource, SupersededClaim
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store

FIRST, SECOND, THIRD = (f"The gate timeout is {seconds} seconds." for seconds in (30, 45, 60))
DAYS = {"2026-02-02": FIRST, "2026-02-09": SECOND, "2026-02-16": THIRD}


def begin(store: Store) -> None:
    """Write three logs, and a page of the first."""
    store.layout.days.mkdir(parents=True, exist_ok=True)
    for day, said in DAYS.items():
        (store.layout.days / f"{day}.md").write_text(f"{said}\n")
    commit(
        store,
        lambda: stub(
            store, NewPage("gate", "concept", PageSource(SourceRef("memory/days/2026-02-02.md")), "Gate", "", FIRST)
        ),
    )
    commit(store, lambda: plan_map(store))


def commit(store: Store, verb: Callable[[], Plan]) -> None:
    Journal(store.state, store.now).commit(verb, by="person")


def note(store: Store, fact: str, by: str, day: str) -> None:
    """Supersede a claim of the page."""
    claim = SupersededClaim(f"memory/days/{day}.md", fact, day, by)
    commit(store, lambda: supersede(store, "gate", claim))


def test_after_two_changes_and_a_rebuild_all_say_what_holds_now(store: Store) -> None:
    begin(store)
    note(store, FIRST, SECOND, "2026-02-09")
    note(store, SECOND, THIRD, "2026-02-16")
    commit(store, lambda: rebuild(store, "gate"))
    page = open_wiki(store).page("gate")
    assert page.body.strip() == f"{THIRD} (memory/days/2026-02-16.md:1)" and page.description == THIRD
    assert "memory/days/2026-02-16.md" in {source.ref.document for source in page.sources}
    for path in (store.layout.wiki / "index.md", store.layout.wisdom):
        (line,) = [line for line in path.read_text().splitlines() if line.startswith("- [[gate]]")]
        assert THIRD in line
    now, _, before = (store.layout.wiki / "gate-trajectory.md").read_text().partition("## Before")
    assert f"## Now\n\n- {THIRD}\n" in now and f"~~{FIRST}~~" in before and f"~~{SECOND}~~" in before


def test_what_holds_again_is_not_struck_through(store: Store) -> None:
    begin(store)
    note(store, FIRST, SECOND, "2026-02-09")
    note(store, SECOND, FIRST, "2026-02-16")
    commit(store, lambda: rebuild(store, "gate"))
    page = open_wiki(store).page("gate")
    assert page.body.startswith(f"\n{FIRST}") and SECOND not in page.body and page.description == FIRST
    assert [*outdated_claims(page).values()] == [page.supersedes[1]]
    assert [one.by for one in present_claims(page)] == [FIRST] and present_text(page, SECOND) == FIRST
    text = (store.layout.wiki / "gate-trajectory.md").read_text()
    assert f"## Now\n\n- {FIRST}\n" in text and f"~~{FIRST}~~" not in text and f"~~{SECOND}~~" in text


def test_a_present_claim_that_no_source_has_stands_on_the_page(store: Store) -> None:
    begin(store)
    note(store, FIRST, "The gate has no timeout any more.", "2026-02-09")
    commit(store, lambda: rebuild(store, "gate"))
    assert "The gate has no timeout any more." in open_wiki(store).page("gate").body
    assert FIRST not in open_wiki(store).page("gate").body
