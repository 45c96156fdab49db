"""Dreaming without a model: each of the five things that it can see comes to a proposal, and the opposite to none."""

from __future__ import annotations

from datetime import timedelta

import pytest

from recall_tui.domain.documents import SourceRef
from recall_tui.features.dreaming.dream import DreamResult
from recall_tui.features.dreaming.proposals import build_proposals
from recall_tui.features.dreaming.state import Action, WikiOperation
from recall_tui.features.grounding.extractive_summary import SourceLine
from recall_tui.storage import trust
from recall_tui.storage.documents.wiki_page import PageSource, WikiPage, parse_wiki_page, render_wiki_page
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import Proposal
from tests.conftest import NOON
from tests.features.dreaming.dream_samples import asked, day, dreamt


def page_of(proposal: Proposal) -> WikiPage:
    page = parse_wiki_page(proposal.changes[0].text or "", proposal.subject)
    assert isinstance(page, WikiPage)
    return page


def by_subject(said: DreamResult) -> dict[str, Proposal]:
    return {one.subject: one for one in said.proposed}


def wiki_page(store: Store, slug: str, name: str, body: str, *sources: str, confidence: str = "high") -> None:
    store.layout.wiki.mkdir(exist_ok=True)
    page = WikiPage(
        slug,
        name,
        "About it.",
        "project",
        tuple(PageSource(SourceRef(source)) for source in sources),
        body,
        "2025-10-01",
        "2025-10-01",
        (),
        confidence,
    )
    (store.layout.wiki / f"{slug}.md").write_text(render_wiki_page(page))


def about_anna(store: Store) -> None:
    """Write three days that say something about Anna Berg."""
    for number, said in enumerate(("is the buyer of Northwind", "wants invoices by mail", "has an office in Bergen")):
        day(store, number, f"Anna Berg {said}.\n")


def test_a_name_of_several_days_begins_a_page(store: Store) -> None:
    about_anna(store)
    assert page_of(by_subject(dreamt(store))["anna-berg"]).category == "entity"


@pytest.mark.parametrize(
    ("said", "is_proposed"),
    [
        (
            "Billing is owned by the finance team.\n\nBilling runs on the last workday of each month in Oslo.\n\n"
            "Billing must never send two invoices.",
            True,
        ),
        ("Billing is owned by the finance team.", False),
        ("The weather is fine in Oslo.", False),
    ],
)
def test_a_question_asked_again_gets_a_page_of_what_comes_nearest(store: Store, said: str, is_proposed: bool) -> None:
    store.layout.config.write_text("[dream]\nenabled = true\n")
    trust.confirm(store)
    path = day(store, 1, f"Lunch.\n\n{said}\n")
    for _ in range(2):
        asked(store, "who owns billing team", path, best=0.2)
    found = by_subject(dreamt(store))
    assert ("billing" in found) == is_proposed
    if is_proposed:
        page = page_of(found["billing"])
        assert page.name == "Billing" and f"- Billing is owned by the finance team. ({path}:3)" in page.body
        assert "who owns billing team: asked 2 times" in found["billing"].why


def test_a_page_that_nobody_touched_gets_what_newer_days_say_of_it(store: Store) -> None:
    wiki_page(store, "atlas", "Atlas", "\nAtlas maps the city.\n", "memory/x.md")
    day(store, 5, "Lunch.\n\nAtlas draws rivers as well.\n")
    one = by_subject(dreamt(store))["atlas"]
    assert "- Atlas draws rivers as well. (memory/2026-02-06.md:3)" in page_of(one).body and one.is_safe


def test_a_page_that_nobody_touched_and_nobody_speaks_of_is_put_in_order_or_trusted_less(store: Store) -> None:
    source = day(store, -130, "Atlas maps the city by night.\n")
    wiki_page(store, "atlas", "Atlas", "\nAtlas maps the city.\n", source)
    wiki_page(store, "lost", "Lost thing", "\nNothing is left of it.\n", "memory/gone.md")
    wiki_page(store, "low", "Low thing", "\nNothing is left of it.\n", "memory/gone.md", confidence="low")
    found = by_subject(dreamt(store))
    assert "## From its sources" in page_of(found["atlas"]).body and not found["atlas"].is_safe
    assert page_of(found["lost"]).confidence == "medium" and "low" not in found


def test_a_change_that_a_day_tells_of_supersedes_the_last_claim_of_the_old(store: Store) -> None:
    day(store, 0, "The job queue runs on Redis 6 in two zones.\n")
    day(store, 8, "We moved the job queue from Redis 6 to Postgres 16, at last.\n")
    (one,) = [found for found in dreamt(store).proposed if found.kind == "supersession"]
    (gone,) = page_of(one).supersedes
    assert (gone.fact, gone.on) == ("The job queue runs on Redis 6 in two zones.", "2026-02-09")
    assert "Redis 6 to Postgres 16" in gone.by and one.evidence == ("memory/2026-02-09.md:1",)


def test_a_change_of_what_nobody_claimed_supersedes_nothing(store: Store) -> None:
    day(store, 0, "Redis 6 was mentioned at lunch.\n")
    day(store, 8, "We moved the job queue from Redis 7 to Postgres 16, at last.\n")
    assert dreamt(store).proposed == ()


def test_two_values_of_one_fact_contradict_each_other_though_nobody_said_that_it_changed(store: Store) -> None:
    day(store, 0, "The timeout of the gateway is 30 seconds.\n")
    day(store, 8, "Lunch.\n\nThe timeout of the gateway is 45 seconds.\n")
    (one,) = dreamt(store).proposed
    (gone,) = page_of(one).supersedes
    assert "30 seconds" in gone.fact and "45 seconds" in gone.by and gone.on == "2026-02-09"


def test_the_same_value_again_contradicts_nothing(store: Store) -> None:
    for number in (0, 8):
        day(store, number, "The timeout of the gateway is 30 seconds.\n")
    assert dreamt(store).proposed == ()


def test_a_page_that_says_the_old_value_under_another_name_is_the_one_that_is_told(store: Store) -> None:
    path = day(store, 0, "The timeout of the gateway is 30 seconds.\n")
    day(store, 8, "The timeout of the gateway is 45 seconds.\n")
    today = NOON.date() - timedelta(days=1)
    store.layout.wiki.mkdir()
    body = f"\n- The timeout of the gateway is 30 seconds. ({path}:1)\n"
    page = WikiPage("nginx", "Nginx", "The door.", "concept", (PageSource(SourceRef(path)),), body, updated=str(today))
    (store.layout.wiki / "nginx.md").write_text(render_wiki_page(page))
    (one,) = dreamt(store).proposed
    assert one.subject == "nginx" and [gone.fact for gone in page_of(one).supersedes] == [
        "The timeout of the gateway is 30 seconds."
    ]


def test_a_page_that_cannot_be_read_is_never_written_over(store: Store) -> None:
    about_anna(store)
    store.layout.wiki.mkdir()
    (store.layout.wiki / "anna-berg.md").write_text("no head\n")
    assert "anna-berg" not in by_subject(dreamt(store))


def test_a_secret_of_a_day_is_on_no_page(store: Store) -> None:
    about_anna(store)
    day(store, 3, "Anna Berg has AKIAIOSFODNN7EXAMPLE for the import.\n\nAnna Berg uses the import of Oslo.\n")
    (one,) = dreamt(store).proposed
    assert "AKIA" not in (one.changes[0].text or "") and "Anna Berg uses the import of Oslo." in page_of(one).body


def _operation(store: Store, action: Action, *lines: SourceLine) -> WikiOperation:
    return WikiOperation("atlas", "project", "Atlas", "it is new", lines, action=action)


def test_what_waits_for_a_page_is_added_to_and_not_replaced(store: Store) -> None:
    first = day(store, 1, "Atlas draws rivers.\n")
    second = day(store, 2, "Atlas draws lakes.\n")
    third = day(store, 3, "Atlas draws roads.\n")
    what = (("rivers", first), ("lakes", second), ("roads", third))
    lines = [SourceLine(f"Atlas draws {drawn}.", path, (1, 1)) for drawn, path in what]
    last = SourceLine("Atlas draws hills.", day(store, 4, "Atlas draws hills.\n"), (1, 1))
    for some in (lines, [last]):
        for one in build_proposals(store, [_operation(store, "page", *some)]):
            proposals.save(store, one)
    (waits,) = proposals.list_open(store)
    body = page_of(waits).body
    assert "rivers" in body and "hills" in body
    assert waits.evidence == tuple(line.citation for line in (*lines, last))


def test_less_trust_in_a_page_waits_beside_what_is_added_to_it(store: Store) -> None:
    wiki_page(store, "atlas", "Atlas", "\nAtlas maps the city.\n", "memory/x.md")
    line = SourceLine("Atlas draws rivers.", day(store, 1, "Atlas draws rivers.\n"), (1, 1))
    for operations in ([_operation(store, "page", line), _operation(store, "doubt")], [_operation(store, "doubt")]):
        for one in build_proposals(store, operations):
            proposals.save(store, one)
        assert {one.subject for one in proposals.list_open(store)} == {"atlas", "atlas doubt"}
