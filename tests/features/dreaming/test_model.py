"""Dreaming with a model: what it says is held against what it was shown, and nothing else of it reaches a proposal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recall_tui.domain.documents import SourceRef
from recall_tui.environment import Environment
from recall_tui.features.curation.review import accept
from recall_tui.features.dreaming import dream
from recall_tui.features.dreaming import state as dream_state
from recall_tui.features.dreaming.dream import DreamResult
from recall_tui.features.wiki import page_changes
from recall_tui.llm.usage_ledger import UsageLedger
from recall_tui.storage.documents.wiki_page import (
    PageSource,
    SupersededClaim,
    WikiPage,
    parse_wiki_page,
    render_wiki_page,
)
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from tests.features.dreaming.dream_samples import CREATE, NOTHING, day, saying, story
from tests.makers import bench_at
from tests.models import FakeModel, store_with


def dreamt(store: Store, folder: Path, *answers: Any, **settings: str) -> tuple[DreamResult, FakeModel]:
    """A dream of at most one signal, with a model that answers so."""
    model = FakeModel(folder, *answers)
    with_model = store_with(model, store, **settings)
    dream.gather_signals(with_model)
    dream.analyze_signals(with_model, most=int(settings.get("most", 20)))
    return dream.write_proposals(with_model), model


def page_at(store: Store, slug: str, body: str, **values: Any) -> None:
    store.layout.wiki.mkdir(exist_ok=True)
    page = WikiPage(
        slug,
        values.pop("name", slug),
        "",
        "concept",
        values.pop("sources", (PageSource(SourceRef("x.md")),)),
        body,
        **values,
    )
    store.layout.wiki.joinpath(f"{slug}.md").write_text(render_wiki_page(page))


def test_each_signal_is_asked_about_once_and_what_it_says_waits_in_review(store: Store, tmp_path: Path) -> None:
    story(store)
    store.layout.identity.write_text("# Ada\n\nKeeps the invoices of Nordpost.\n")
    said, model = dreamt(store, tmp_path / "model", saying(CREATE))
    assert len(model.asked) == said.calls >= 2 and not store.layout.wiki.exists()
    (one,) = [proposal for proposal in said.proposed if proposal.subject == "anna-berg"]
    page = parse_wiki_page(one.changes[0].text or "", "anna-berg")
    assert isinstance(page, WikiPage) and page.description == "Anna Berg, who wants invoices by mail"
    assert "- Anna Berg wants her invoices by mail. (memory/2026-02-04.md:1)" in page.body
    assert "Oslo" not in page.body and "none.md" not in page.body and one.is_safe
    assert "Ada" in model.asked[0] and "Keeps the invoices of Nordpost." in model.asked[0]
    kinds = {prompt.split("\n<signal ")[1].split("\n")[1].partition(":")[0] for prompt in model.asked[:2]}
    assert kinds == {"entity_cluster", "supersession_signal"}


def test_the_same_is_not_asked_twice_but_what_is_new_is(store: Store, tmp_path: Path) -> None:
    story(store)
    _, model = dreamt(store, tmp_path / "model", NOTHING)
    asked = len(model.asked)
    for _ in range(2):
        with_model = store_with(model, store)
        dream.run_session(with_model)
    assert len(model.asked) == asked
    day(store, 12, "Anna Berg has cancelled her contract.\n")
    with_model = store_with(model, store)
    dream.run_session(with_model)
    assert len(model.asked) == asked + 1 and "cancelled" in model.asked[-1]


def test_a_signal_that_the_model_fails_is_named_and_comes_to_what_it_does_without(store: Store, tmp_path: Path) -> None:
    story(store)
    said, _ = dreamt(store, tmp_path / "model", "no json")
    assert said.failed and all(": no JSON object" in one for one in said.failed) and said.calls == 0
    assert {one.subject for one in said.proposed} >= {"anna-berg", "rate-limit-api-requests"}
    assert all(one.is_safe for one in said.proposed)
    with_model = store_with(FakeModel(tmp_path / "second", NOTHING), store)
    dream.run_session(with_model)
    assert "### Without a model" in store.layout.dreams.read_text(), "the first dream is told"
    assert UsageLedger(store.state).calls()[0].outcome == "answered", "it is asked again in the next dream"


def test_the_limit_of_calls_is_kept_and_every_signal_that_it_met_is_named(store: Store, tmp_path: Path) -> None:
    story(store)
    said, model = dreamt(store, tmp_path / "model", NOTHING, RECALL_LLM_CALLS_PER_DAY="1")
    assert len(model.asked) == 1 and said.failed and "llm.calls_per_day" in said.failed[0]


def test_the_budget_of_signals_is_kept_and_the_rest_waits(store: Store, tmp_path: Path) -> None:
    story(store)
    model = FakeModel(tmp_path / "model", NOTHING)
    with_model = store_with(model, store)
    found = dream.gather_signals(with_model)
    dream.analyze_signals(with_model, most=1)
    assert len(model.asked) == 1 and dream.dream_status(store).analysed == 1
    dream.write_proposals(with_model)
    assert len(dream.load_signals(store)) == len(found) - 1


def test_what_is_stopped_is_neither_done_nor_named(store: Store, tmp_path: Path) -> None:
    story(store)
    model = FakeModel(tmp_path / "model", NOTHING)
    with_model = store_with(model, store)
    dream.gather_signals(with_model)
    dream.analyze_signals(with_model, is_stopped=lambda: True)
    assert model.asked == [] and dream.dream_status(store).analysed == 0
    dream.analyze_signals(with_model)
    assert dream.write_proposals(with_model).failed == ()


@pytest.mark.long
@pytest.mark.parametrize(
    "slug",
    ["../../etc/passwd", "..", "a/b", "index", "A B", "x" * 200, "", "a\0b", "-a", "[/red]"],
)
def test_a_slug_that_is_none_reaches_nothing(store: Store, tmp_path: Path, slug: str) -> None:
    story(store)
    before = sorted(path.name for path in tmp_path.rglob("*.md"))
    said, _ = dreamt(store, tmp_path / "model", saying({**CREATE, "slug": slug}))
    assert not [one for one in said.proposed if one.subject == slug] and any(
        "it is no slug" in one for one in said.notes
    )
    assert sorted(path.name for path in tmp_path.rglob("*.md")) == before
    for one in said.proposed:
        assert all(change.path.startswith("memory/wiki/") for change in one.changes)


@pytest.mark.long
@pytest.mark.parametrize(
    ("operation", "why"),
    [
        ({**CREATE, "category": "gossip"}, "no category"),
        ({**CREATE, "claims": []}, "no line holds"),
        ({**CREATE, "claims": [{"text": "Anna Berg wants invoices by mail.", "lines": [99, -1, 0]}]}, "no line holds"),
        ({**CREATE, "op": "update", "slug": "nobody"}, "no such page"),
        ({**CREATE, "op": "delete", "slug": "known"}, "no operation"),
        ({"op": "merge", "slug": "known", "others": ["other"]}, "same sources"),
        ({"op": "contradict", "slug": "known", "others": ["nobody"], "lines": [1]}, "no other page"),
        ({"op": "contradict", "slug": "known", "others": ["other"], "lines": [88]}, "no line"),
        ({"op": "supersede", "slug": "known", "fact": "It was never said.", "lines": [1]}, "does not say"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_operation_that_may_not_be_done_is_dropped_with_a_note(
    store: Store, tmp_path: Path, operation: dict[str, Any], why: str
) -> None:
    story(store)
    page_at(store, "known", "\nSomething is known.\n")
    page_at(store, "other", "\nSomething else.\n")
    said, _ = dreamt(store, tmp_path / "model", saying(operation))
    assert said.notes and all(why in one for one in said.notes), said.notes
    assert said.proposed == ()


def test_a_body_without_end_is_refused_and_named(store: Store, tmp_path: Path) -> None:
    story(store)
    huge = saying({**CREATE, "claims": [{"text": "Anna Berg " * 1_000_000, "lines": [1]}]})
    said, _ = dreamt(store, tmp_path / "model", huge)
    assert said.failed and max(len(change.text or "") for one in said.proposed for change in one.changes) < 20_000


def test_markup_tags_links_and_control_characters_are_taken_out(store: Store, tmp_path: Path) -> None:
    story(store)
    text = "\x1b[31mAnna Berg <script>x</script> wants [invoices](http://evil) by [[gone-page|mail]] <!-- [/red]"
    said, _ = dreamt(store, tmp_path / "model", saying({**CREATE, "claims": [{"text": text, "lines": [1, 2, 3, 4]}]}))
    (one,) = [proposal for proposal in said.proposed if proposal.subject == "anna-berg"]
    made = one.changes[0].text or ""
    assert not any(sign in made for sign in ("<script", "http://evil", "[[gone", "<!--", "\x1b"))


def fact_page(store: Store, when: str) -> None:
    """A page that says what the log of a day says."""
    page_at(
        store,
        "limits",
        f"\n- The rate limit of the api is 500 requests. (memory/{when}.md:1)\n",
        name="Rate limit of the api",
        sources=(PageSource(SourceRef(f"memory/{when}.md")),),
        updated=when,
    )
    (store.layout.days / f"{when}.md").write_text("The rate limit of the api is 500 requests.\n")


SUPERSEDE = {
    "op": "supersede",
    "slug": "limits",
    "fact": "The rate limit of the api is 500 requests.",
    "claims": [{"text": "The rate limit of the api is 250 requests.", "lines": list(range(1, 12))}],
    "lines": list(range(1, 12)),
}


def test_a_fact_that_holds_still_is_not_superseded_by_an_earlier_line(store: Store, tmp_path: Path) -> None:
    day(store, 0, "Talked.\n")
    day(store, 9, "Decided to raise it.\n\nThe rate limit of the api is 250 requests.\n")
    fact_page(store, "2026-02-25")
    said, _ = dreamt(store, tmp_path / "model", saying(SUPERSEDE))
    assert any("no line is later" in one for one in said.notes), said.notes
    for one in said.proposed:
        page = parse_wiki_page(one.changes[0].text or "", "limits")
        assert isinstance(page, WikiPage) and not any("500" in gone.fact for gone in page.supersedes)


def test_a_fact_is_superseded_by_a_later_line_with_its_day(store: Store, tmp_path: Path) -> None:
    fact_page(store, "2026-02-02")
    day(store, 9, "Decided to lower it.\n\nThe rate limit of the api is 250 requests.\n")
    said, _ = dreamt(store, tmp_path / "model", saying(SUPERSEDE))
    (one,) = [proposal for proposal in said.proposed if proposal.subject == "limits"]
    page = parse_wiki_page(one.changes[0].text or "", "limits")
    assert isinstance(page, WikiPage) and one.kind == "supersession"
    assert not one.is_safe, "a model says so"
    (gone,) = page.supersedes
    assert gone == SupersededClaim(
        "memory/2026-02-10.md:3",
        "The rate limit of the api is 500 requests.",
        "2026-02-10",
        "The rate limit of the api is 250 requests.",
    )
    assert "250 requests. (memory/2026-02-10.md:3)" in page.body


def test_a_second_superseded_claim_gives_the_page_its_trajectory(store: Store, tmp_path: Path) -> None:
    fact_page(store, "2026-02-02")
    path = store.layout.wiki / "limits.md"
    page = parse_wiki_page(path.read_text(), "limits")
    assert isinstance(page, WikiPage)
    past = SupersededClaim("memory/2026-02-02.md:1", "The limit was 50.", "2026-02-02", "")
    page_at(store, "limits", page.body, name=page.name, sources=page.sources, updated="2026-02-02", supersedes=(past,))
    day(store, 9, "Decided to lower it.\n\nThe rate limit of the api is 250 requests.\n")
    said, _ = dreamt(store, tmp_path / "model", saying(SUPERSEDE))
    (one,) = [proposal for proposal in said.proposed if proposal.subject == "limits"]
    assert [change.path.rpartition("/")[2] for change in one.changes] == ["limits.md", "limits-trajectory.md"]


def test_a_page_for_what_has_one_under_another_name_is_added_to_it(store: Store, tmp_path: Path) -> None:
    story(store)
    page_at(
        store,
        "ms-berg",
        "\nAnna Berg buys.\n",
        name="Anna Berg",
        sources=(PageSource(SourceRef("memory/2026-02-01.md")),),
    )
    create = {**CREATE, "slug": "berg-anna"}
    said, _ = dreamt(store, tmp_path / "model", saying(create))
    (one,) = [proposal for proposal in said.proposed if "Anna Berg" in proposal.title]
    assert one.subject == "ms-berg" and "Anna Berg buys." in (one.changes[0].text or "")


def test_insights_contradictions_and_gaps_are_told_in_the_diary(store: Store, tmp_path: Path) -> None:
    story(store)
    found = saying(
        insights=[{"text": "Anna Berg wants invoices by mail.", "theme": "Invoices by mail", "lines": [1, 2, 3]}],
        contradictions=[
            {"text": "The rate limit of the api is 100 requests and 250 requests.", "lines": list(range(1, 9))},
            {"text": "Sheep are blue.", "lines": [1]},
        ],
        gaps=[{"text": "Nobody says who Anna Berg works for.", "lines": []}, {"text": "See 10.0.0.1.", "lines": []}],
    )
    model = FakeModel(tmp_path / "model", found)
    with_model = store_with(model, store)
    said = dream.run_session(with_model)
    text = store.layout.dreams.read_text()
    assert "### Insights Generated\n\n- Anna Berg wants invoices by mail. (memory/2026-02-0" in text
    assert "- Nobody says who Anna Berg works for.\n" in text and "10.0.0.1" not in text and "Sheep" not in text
    assert "100 requests and 250 requests. (memory/" in text and f"LLM calls: {said.calls}" in text
    (theme,) = [one for one in said.proposed if one.subject == "invoices-by-mail"]
    page = parse_wiki_page(theme.changes[0].text or "", theme.subject)
    assert isinstance(page, WikiPage) and (page.category, page.confidence) == ("theme", "medium")


def test_what_was_analysed_is_left_when_the_days_say_it_no_more(store: Store, tmp_path: Path) -> None:
    story(store)
    with_model = store_with(FakeModel(tmp_path / "model", saying(CREATE)), store)
    dream.gather_signals(with_model)
    dream.analyze_signals(with_model)
    for path in store.layout.days.glob("2026-*.md"):
        path.write_text("Something else altogether.\n")
    assert dream.write_proposals(with_model).proposed == ()


def test_accepting_a_page_of_a_model_makes_it_and_undo_takes_it_back(store: Store, tmp_path: Path) -> None:
    story(store)
    said, _ = dreamt(store, tmp_path / "model", saying(CREATE))
    (one,) = [proposal for proposal in said.proposed if proposal.subject == "anna-berg"]
    journal = Journal(store.state, store.now)
    journal.commit(lambda: accept(store, [one.id]), by="person")
    assert "anna-berg" in page_changes.open_wiki(store).pages
    journal.undo(None)
    assert "anna-berg" not in page_changes.open_wiki(store).pages
    assert one.id in {waiting.id for waiting in proposals.list_open(store)}


def test_files_outside_of_the_memory_are_never_shown_to_a_model(store: Store, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("The password of the vault is swordfish.\n")
    story(store)
    found = [one._asdict() for one in dream.gather_signals(store)]
    for one in found:
        one["documents"] = [str(tmp_path / "secret.md"), "../../secret.md"]
    dream_state.save_file(store, dream_state.CANDIDATES_FILE, found)
    model = FakeModel(tmp_path / "model", NOTHING)
    dream.analyze_signals(store_with(model, store))
    assert not any("swordfish" in prompt for prompt in model.asked)


@pytest.mark.long
@pytest.mark.parametrize("layout", ["entity", "user", "project", "hierarchical", "claude-project"])
def test_every_layout_dreams_into_its_own_places(environment: Environment, tmp_path: Path, layout: str) -> None:
    memory = bench_at(environment, layout).store
    memory.layout.days.mkdir(parents=True, exist_ok=True)
    story(memory)
    with_model = store_with(FakeModel(tmp_path / "model", saying(CREATE)), memory)
    said = dream.run_session(with_model)
    (one,) = [proposal for proposal in said.proposed if proposal.subject == "anna-berg"]
    assert one.changes[0].path == memory.relative(memory.layout.wiki / "anna-berg.md")
    assert all(memory.relative(memory.layout.days) in evidence for evidence in one.evidence)
    assert "Anna Berg" in memory.layout.dreams.read_text()
