"""Dreaming: signals become proposals that show where they are from; nothing changes by itself."""

from __future__ import annotations

from datetime import date, timedelta

from recall_tui.features.curation.review import accept
from recall_tui.features.dreaming import dream
from recall_tui.features.dreaming.state import FOLDER
from recall_tui.storage import trust
from recall_tui.storage.documents.changing_facts import find_changing_facts, parse_change
from recall_tui.storage.documents.wiki_page import WikiPage, parse_wiki_page
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store
from recall_tui.text.checkable_facts import missing_facts
from tests.features.dreaming.dream_samples import asked, day, dreamt, story

FIRST = date(2026, 2, 1)


def test_a_fact_with_another_value_later_is_known_with_both(store: Store) -> None:
    texts = {
        FIRST: {"a.md": "The rate limit of the api is 100 requests.\n"},
        FIRST + timedelta(days=2): {"b.md": "The rate limit of the api is 100 requests.\nWe paid 30 dollars.\n"},
        FIRST + timedelta(days=9): {"c.md": "x\n\nThe rate limit of the api is 250 requests.\n"},
    }
    (fact,) = find_changing_facts(texts)
    assert fact.now.citation == "c.md:3" and [one.citation for one in fact.before] == ["a.md:1"]
    assert fact.subject[:3] == ("rate", "limit", "api")


def test_two_values_on_one_day_are_two_things() -> None:
    assert (
        find_changing_facts({FIRST: {"a.md": "Port of the api server is 80.\n\nPort of the api server is 443.\n"}})
        == ()
    )


def test_what_a_statement_says_was_changed_is_read() -> None:
    assert parse_change("We moved the default from Redis 6 to Postgres 16, at last.") == ("Redis 6", "Postgres 16")
    assert parse_change("We moved on.") is None


def test_a_name_of_several_days_and_a_changed_fact_become_pages_with_their_evidence(store: Store) -> None:
    story(store)
    made = {one.subject: one for one in dreamt(store).proposed}
    assert set(made) >= {"anna-berg", "rate-limit-api-requests"}
    assert not store.layout.wiki.exists()
    anna = parse_wiki_page(made["anna-berg"].changes[0].text or "", "anna-berg")
    assert isinstance(anna, WikiPage) and anna.category == "entity" and len(anna.sources) == 3
    assert "- Anna Berg wants invoices by mail. (memory/2026-02-04.md:1)" in anna.body
    limit = parse_wiki_page(made["rate-limit-api-requests"].changes[0].text or "", "x")
    assert isinstance(limit, WikiPage) and "250 requests. (memory/2026-02-10.md:5)" in limit.body
    (gone,) = limit.supersedes
    assert (gone.fact, gone.on) == ("The rate limit of the api is 100 requests.", "2026-02-10")
    assert gone.by == "The rate limit of the api is 250 requests." and gone.source == "memory/2026-02-10.md:5"


def test_every_line_of_a_page_has_only_what_its_source_has(store: Store) -> None:
    story(store)
    for proposal in dreamt(store).proposed:
        page = parse_wiki_page(proposal.changes[0].text or "", proposal.subject)
        assert isinstance(page, WikiPage)
        for line in filter(None, page.body.split("\n")):
            words, _, cited = line.removeprefix("- ").removesuffix(")").rpartition(" (")
            path, _, span = cited.partition(":")
            first, _, last = span.partition("-")
            said = (store.root / path).read_text().split("\n")[int(first) - 1 : int(last or first)]
            assert words and missing_facts(words, "\n".join(said)) == ()


def test_accepted_pages_are_added_to_and_twice_nothing_is_new(store: Store) -> None:
    story(store)
    ids = [proposal.id for proposal in dreamt(store).proposed]
    Journal(store.state, store.now).commit(lambda: accept(store, ids), by="person")
    assert "[[anna-berg]]" in (store.layout.wiki / "index.md").read_text()
    assert dreamt(store).proposed == ()
    day(store, 12, "Decided to raise it once more.\n\nThe rate limit of the api is 400 requests.\n")
    (more,) = dreamt(store).proposed
    page = parse_wiki_page(more.changes[0].text or "", "x")
    assert isinstance(page, WikiPage) and "400 requests" in page.body
    assert [one.fact[-13:-10] for one in page.supersedes] == ["100", "250"]
    assert [change.path.rpartition("/")[2] for change in more.changes] == [
        "rate-limit-api-requests.md",
        "rate-limit-api-requests-trajectory.md",
    ]


def test_a_phase_that_was_cut_short_goes_on_where_it_was(store: Store) -> None:
    story(store)
    found = dream.gather_signals(store)
    dream.analyze_signals(store, most=1)
    assert dream.load_signals(store) == found
    dream.analyze_signals(store)
    first = dream.write_proposals(store)
    assert {one.subject for one in first.proposed} >= {"anna-berg", "rate-limit-api-requests"}
    assert dream.write_proposals(store).proposed == ()


def test_what_is_beyond_the_limit_waits_for_the_next_dream(store: Store) -> None:
    story(store)
    found = dream.gather_signals(store)
    dream.analyze_signals(store, most=1)
    dream.write_proposals(store)
    assert len(dream.load_signals(store)) == len(found) - 1 == dream.dream_status(store).waiting
    assert dream.dream_status(store).last_run == store.now()


def test_files_that_are_broken_are_as_if_they_were_not_there(store: Store) -> None:
    folder = store.state / FOLDER
    folder.mkdir(parents=True)
    broken = '{"analyses": {"a": 3, "b": {"operations": [1]}}, "settled": [], "untold": {"x": 1}}'
    for analyses in ("{", "[]", broken):
        for name, text in (
            ("candidates.json", "[{}, 3]"),
            ("analyses.json", analyses),
            ("dream-state.json", "[]"),
        ):
            (folder / name).write_text(text)
        assert dream.dream_status(store) == dream.DreamStatus(None, 0, 0)
        dream.analyze_signals(store)
        assert dream.write_proposals(store).proposed == () and not store.layout.dreams.exists()


def test_the_diary_tells_of_each_dream_once(store: Store) -> None:
    story(store)
    dreamt(store)

    dream.write_diary(store)
    text = store.layout.dreams.read_text()
    assert text.startswith("# Dream Diary\n\n## 2026-03-06\n\nCandidates examined: ")
    assert "### Wiki Updates\n\n- " in text and text.endswith("\n---\n")
    dream.write_diary(store)
    assert dream.plan_diary(store).edits == () and store.layout.dreams.read_text() == text
    day(store, 14, "Anna Berg moved.\n\nDecided to write her.\n")
    dream.run_session(store)
    assert store.layout.dreams.read_text().count("## 2026-03-06") == 2


def test_the_status_tells_what_waits_where(store: Store) -> None:
    store.layout.config.write_text("[dream]\nenabled = true\n")
    trust.confirm(store)
    asked(store, "who is anna", "a.md")
    story(store)
    found = dream.gather_signals(store)
    assert dream.dream_status(store) == dream.DreamStatus(None, len(found), 1, 0, store.now(), found)
    dream.analyze_signals(store, most=1)
    now = dream.dream_status(store)
    assert (now.waiting, now.analysed) == (len(found) - 1, 1)
    dream.write_proposals(store)
    assert (dream.dream_status(store).analysed, dream.dream_status(store).last_run) == (0, store.now())
