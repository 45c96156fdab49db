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
from tests.days import write_days
from tests.models import FakeModel, store_with

FIRST = date(2026, 2, 2)


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
    assert "waiting for the keys of Anna Berg (12 of 40) (memory/2026-02-04.md:9)" in page.body
    assert page.sources[0].ref.lines == (9, 9)
    assert "memory/2026-02-04.md:9" in one.evidence


def test_what_was_learned_outright_begins_a_page(store: Store) -> None:
    days = write_days(store, FIRST, 3)
    rule = "Warning: never run migrations on a Friday, because the lock on table users stays for hours."
    days[1].write_text(f"{rule}\n")
    (one,) = [one for one in keep(store) if one.subject != "anna-berg"]
    page = page_of(one)
    assert page.category == "concept" and page.body.strip() == f"{rule} (memory/2026-02-03.md:1)"
    assert page.is_stub


def test_what_waits_grows_with_the_next_week_and_twice_changes_nothing(store: Store) -> None:
    write_days(store, FIRST, 10)
    (one,) = keep(store)
    assert {"memory/2026-02-04.md:9", "memory/2026-02-11.md:9"} <= set(one.evidence)
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
    assert "(memory/2026-02-04.md:9)" in page_of(one).body and "(memory/2026-02-11.md:9)" in page_of(one).body


def test_what_a_model_remembers_is_taken_as_far_as_its_lines_bear_it_out(store: Store, tmp_path: Path) -> None:
    write_days(store, FIRST, 3)
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
    assert {"memory/2026-02-11.md:9"} <= set(grown.evidence) and not grown.is_safe
