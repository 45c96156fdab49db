"""What of a week is worth a page of the wiki: proposed once, in words that were said."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from recall_tui.features.consolidation.compact import CompactionWriter, page_writer, preview_compaction
from recall_tui.features.consolidation.period_model import PeriodWriter
from recall_tui.features.consolidation.periods import CompactionHooks, week_results
from recall_tui.features.curation import review
from recall_tui.storage.documents.wiki_page import WikiPage, parse_wiki_page
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import Proposal
from tests.days import write_days as write_template_days
from tests.models import FakeModel, store_with

FIRST = date(2026, 2, 2)


SAID = (
    "is the buyer of Northwind",
    "wants invoices by mail from now on",
    "has an office in Bergen",
    "owns the keys of the cold store",
    "must sign every order above 40 pallets",
    "takes two weeks off in spring",
    "sends the price list on the first workday",
    "runs the warehouse in Bodø as well",
    "is reached by phone after noon",
    "holds the contract for salt until autumn",
)


def write_days(store: Store, first: date, count: int) -> list[Path]:
    """Write so many logs, each of which says another thing about Anna Berg; their paths in order."""
    paths = []
    for number in range(count):
        day = first + timedelta(days=number)
        path = store.layout.days / f"{day}.md"
        path.write_text(f"## {day}\n\nAnna Berg {SAID[(day - FIRST).days % len(SAID)]}.\n\nRan the tests.\n")
        paths.append(path)
    return paths


def keep(store: Store) -> tuple[Proposal, ...]:
    """Compact the weeks into review, and return what waits for the wiki."""
    preview_compaction(store, "weekly", CompactionHooks(made=CompactionWriter(store)))
    return tuple(one for one in proposals.list_open(store) if one.kind == "wiki")


def page_of(one: Proposal) -> WikiPage:
    page = parse_wiki_page(one.changes[0].text or "", one.subject)
    assert isinstance(page, WikiPage)
    return page


def test_a_name_of_several_days_begins_a_page_with_what_was_said(store: Store) -> None:
    write_days(store, FIRST, 3)
    (one,) = keep(store)
    assert one.subject == "anna-berg" and one.title == "Begin the page Anna Berg" and one.is_safe
    page = page_of(one)
    assert page.category == "entity" and page.is_stub is False and page.confidence == "low"
    assert "Anna Berg has an office in Bergen. (memory/2026-02-04.md:3)" in page.body
    assert page.sources[0].ref.lines == (3, 3)
    assert "memory/2026-02-04.md:3" in one.evidence


def test_what_says_too_little_is_no_page(store: Store) -> None:
    for number, path in enumerate(write_days(store, FIRST, 3)):
        path.write_text(f"Root cause: a lock on table users.\n\nWaiting for Anna Berg again, day {number}.\n")
    assert keep(store) == ()


def test_what_waits_grows_with_the_next_week_and_twice_changes_nothing(store: Store) -> None:
    write_days(store, FIRST, 10)
    (one,) = keep(store)
    assert {"memory/2026-02-04.md:3", "memory/2026-02-11.md:3"} <= set(one.evidence)
    assert keep(store) == (one,)


def test_what_was_dismissed_is_not_proposed_again(store: Store) -> None:
    write_days(store, FIRST, 3)
    (one,) = keep(store)
    Journal(store.state, store.now).commit(lambda: review.dismiss(store, [one.id]))
    assert keep(store) == ()
    write_days(store, FIRST, 10)
    assert keep(store) == (), "the name comes up in a later week as well"


def test_a_page_that_is_there_is_added_to(store: Store) -> None:
    write_days(store, FIRST, 3)
    Journal(store.state, store.now).commit(lambda: review.accept(store, [keep(store)[0].id]))
    write_days(store, FIRST, 10)
    (one,) = keep(store)
    assert one.title == "Add to the page Anna Berg"
    assert "(memory/2026-02-04.md:3)" in page_of(one).body and "(memory/2026-02-11.md:3)" in page_of(one).body


def test_what_a_model_remembers_is_taken_as_far_as_its_lines_bear_it_out(store: Store, tmp_path: Path) -> None:
    write_template_days(store, FIRST, 3)
    memory = {"name": "Anna Berg", "category": "entity", "description": "We wait for the keys of Anna Berg."}
    model = FakeModel(
        tmp_path / "model",
        {
            "memories": [
                {**memory, "lede": "The keys of Anna Berg: waiting for them (10 of 40).", "sources": [3]},
                {**memory, "name": "Grace Hopper", "lede": "She is the admiral.", "sources": [3]},
                {**memory, "name": "mobile", "category": "theme", "lede": "Mobile got 77 minutes.", "sources": [1]},
            ]
        },
    )
    asking = store_with(model, store)
    teller = PeriodWriter(asking, lambda: False)
    write = page_writer(asking, ask=teller.write)
    week_results(asking, CompactionHooks(made=CompactionWriter(asking, teller), write=write))
    found = {one.subject: page_of(one) for one in proposals.list_open(asking) if one.kind == "wiki"}
    assert set(found) == {"anna-berg", "mobile"}
    assert found["anna-berg"].body.startswith(
        "\nThe keys of Anna Berg: waiting for them (10 of 40). (memory/2026-02-02.md"
    )
    assert found["anna-berg"].description == "We wait for the keys of Anna Berg."
    assert found["mobile"].category == "concept" and "77" not in found["mobile"].body


def test_what_a_person_wrote_since_is_not_taken_back_by_what_waited(store: Store) -> None:
    write_days(store, FIRST, 3)
    (one,) = keep(store)
    Journal(store.state, store.now).commit(lambda: review.accept(store, [one.id]), by="person")
    path = store.root / one.changes[0].path
    write_days(store, FIRST + timedelta(days=7), 3)
    (waits,) = keep(store)
    path.write_text(path.read_text() + "\nShe moved to Bergen.\n")
    write_days(store, FIRST + timedelta(days=14), 3)
    (grown,) = keep(store)
    assert grown.id != waits.id and "She moved to Bergen." in (grown.changes[0].text or "")


def test_what_is_added_to_an_unsafe_proposal_is_no_safer(store: Store) -> None:
    write_days(store, FIRST, 3)
    (one,) = keep(store)
    proposals.save(store, replace(one, why="anew", is_safe=False, title="Put the page in order", changes=one.changes))
    proposals.save(
        store, replace(one, is_safe=False, changes=(replace(one.changes[0], text=f"{one.changes[0].text}\n"),))
    )
    write_days(store, FIRST + timedelta(days=7), 3)
    (grown,) = keep(store)
    assert {"memory/2026-02-11.md:3"} <= set(grown.evidence) and not grown.is_safe
