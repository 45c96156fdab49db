"""Signals: every kind fires on what it is for, and on nothing else."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from recall_tui.domain import SearchResult
from recall_tui.domain.documents import SourceRef
from recall_tui.features.dreaming.signals import WEIGHTS, Signal, find_signals
from recall_tui.storage import trust
from recall_tui.storage.documents.wiki_page import PageSource, WikiPage, render_wiki_page
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import search_log
from tests.conftest import NOON
from tests.features.dreaming.dream_samples import asked, day


def of(store: Store, kind: str) -> list[Signal]:
    return [one for one in find_signals(store) if one.kind == kind]


@pytest.fixture
def dreaming(store: Store) -> Store:
    """The memory with dreaming on, so that searches are logged."""
    store.layout.config.write_text("[dream]\nenabled = true\n")
    trust.confirm(store)
    return store


def test_an_empty_memory_shows_nothing(store: Store) -> None:
    assert find_signals(store) == ()


def test_searches_are_logged_only_when_dreaming_is_on_and_without_secrets(store: Store) -> None:
    answer = SearchResult("where is AKIAIOSFODNN7EXAMPLE", "any word", 1.0, 0, ())
    assert not search_log.log_search(store, answer)
    store.layout.config.write_text("[dream]\nenabled = true\n")
    trust.confirm(store)
    assert search_log.log_search(store, answer)
    (path,) = (store.state / search_log.SEARCHES_FOLDER).iterdir()
    assert path.name == "search-log-2026-03.jsonl" and path.stat().st_mode & 0o777 == 0o600
    assert "AKIA" not in path.read_text()
    (row,) = search_log.read_searches(store, NOON - timedelta(days=1))
    assert row.at == NOON and row.best == 0 and row.results == ()


def test_the_published_log_is_read_and_broken_lines_are_passed_over(store: Store) -> None:
    folder = store.root / ".dreams"
    folder.mkdir()
    row: dict[str, Any] = {"ts": NOON.isoformat(), "query": "jwt", "results": ["a.md"], "scores": [0.25], "topK": 5}
    lines = [json.dumps(row), "{", "[]", '{"ts": "never", "query": "x", "results": []}']
    (folder / "search-log.jsonl").write_text("\n".join(lines))
    (found,) = search_log.read_searches(store, NOON - timedelta(days=1))
    assert (found.query, found.results, found.best) == ("jwt", ("a.md",), 0.25)


def test_a_document_that_many_questions_find_is_frequent(dreaming: Store) -> None:
    for query in ("jwt expiry", "token lifetime", "refresh race"):
        asked(dreaming, query, "memory/2026-02-03.md")
    asked(dreaming, "redis", "memory/2026-02-04.md")
    (one,) = of(dreaming, "high_frequency")
    assert one.subject == "memory/2026-02-03.md" and one.score == WEIGHTS["high_frequency"]
    assert "3 times by 3 questions" in one.description


def test_a_question_that_is_asked_again_without_an_answer_is_a_gap(dreaming: Store) -> None:
    for query in ("Who owns billing?", "who owns billing"):
        asked(dreaming, query, "memory/a.md", best=0.2)
    asked(dreaming, "asked once", best=0.0)
    for _ in range(3):
        asked(dreaming, "well answered", "memory/b.md", best=0.9)
    (one,) = of(dreaming, "null_query")
    assert one.subject == "who owns billing" and one.documents == ("memory/a.md",)
    assert one.score == pytest.approx(0.4 * 0.8 * WEIGHTS["null_query"])


def test_people_and_companies_of_several_days_without_a_page_are_found(store: Store) -> None:
    said = {
        "Anna Berg": ("wants invoices by mail", "is the buyer of the north", "has an office in Bergen"),
        "Northwind": ("has two shops in Oslo", "sends its orders by fax", "must pay within ten days"),
        "createTestApp": ("takes a free port each time", "never reads the settings", "stores pages in memory alone"),
        "Zoe Klein": ("came by", "talked a lot", "laughed"),
    }
    for number in range(3):
        day(store, number, "\n\n".join(f"{name} {words[number]}." for name, words in said.items()))
    found = {one.subject: one for one in of(store, "entity_cluster")}
    assert set(found) == {"Anna Berg", "Northwind", "createTestApp"}, "nothing is said about Zoe Klein"
    assert found["Northwind"].documents == ("memory/2026-02-01.md", "memory/2026-02-02.md", "memory/2026-02-03.md")
    store.layout.wiki.mkdir()
    page = WikiPage("anna-berg", "Anna Berg", "", "entity", (PageSource(SourceRef("x")),), "")
    (store.layout.wiki / "anna-berg.md").write_text(render_wiki_page(page))
    assert "Anna Berg" not in {one.subject for one in of(store, "entity_cluster")}


def test_a_number_or_an_id_is_no_name(store: Store) -> None:
    for number, what in enumerate(("reads the price list", "never sends the yearly invoices", "is kept for ten days")):
        day(store, number, f"tokenUsage {what} of #172 and 28c304f6-3c5f-4539-af1d-07ae450e639d.\n")
    assert [one.subject for one in of(store, "entity_cluster")] == ["tokenUsage"]


def test_a_project_page_that_nobody_touched_is_stale(store: Store) -> None:
    store.layout.wiki.mkdir()
    for slug, updated in (("old", "2025-11-01"), ("new", "2026-03-01")):
        page = WikiPage(slug, slug, "", "project", (PageSource(SourceRef("x.md")),), "", updated=updated)
        (store.layout.wiki / f"{slug}.md").write_text(render_wiki_page(page))
    (one,) = of(store, "stale_memory")
    assert one.subject == "old" and one.documents == ("x.md",) and "125 days" in one.description


def test_wisdom_that_no_question_comes_near_has_drifted(dreaming: Store) -> None:
    dreaming.layout.wisdom.write_text(
        "# Wisdom\n\n## Patterns and lessons\n\n- **deploys** — Deploy staging before production on weekdays\n"
        "- **billing** — Billing invoices need rounding tests\n"
    )
    for number in range(11):
        asked(dreaming, f"staging production deploy {number}")
    (one,) = of(dreaming, "wisdom_drift")
    assert one.subject == "billing"


def test_a_day_of_changed_minds_signals_supersession(store: Store) -> None:
    path = day(store, 4, "Switched from Redis to Postgres. We no longer use JWT. Decided to keep Celery.\n")
    day(store, 5, "Nothing of the kind here.\n")
    (one,) = of(store, "supersession_signal")
    assert one.subject == path and one.documents == (path,)


def test_a_stretch_without_logs_is_a_gap_in_time(store: Store) -> None:
    for number in (0, 1, 12):
        day(store, number, "A log of some words.\n")
    (one,) = of(store, "temporal_gap")
    assert one.subject == "2026-02-03 to 2026-02-12" and "10 days" in one.description


def test_a_day_that_says_far_more_is_a_cluster(store: Store) -> None:
    for number in range(4):
        day(store, number, "ten words are in this little log of a day\n")
    path = day(store, 4, "many words in one day " * 20)
    (one,) = of(store, "temporal_cluster")
    assert one.subject == path


def test_the_strongest_come_first_and_twice_the_same(dreaming: Store) -> None:
    for number in range(6):
        day(dreaming, number, f"Switched from A{number} to Anna Berg. No longer used.\n")
    asked(dreaming, "who is anna", best=0.1)
    asked(dreaming, "who is anna", best=0.1)
    found = find_signals(dreaming)
    assert len(found) > 3 and [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert find_signals(dreaming) == found


def test_a_day_that_gives_a_fact_another_value_signals_supersession_without_a_word_for_it(store: Store) -> None:
    day(store, 0, "The timeout of the gateway is 30 seconds.\n")
    same = day(store, 3, "The timeout of the gateway is 30 seconds.\n")
    other = day(store, 6, "The timeout of the gateway is 45 seconds.\n")
    (one,) = of(store, "supersession_signal")
    assert one.subject == other != same and "1 with another value" in one.description


def test_what_is_just_short_of_a_signal_is_none(dreaming: Store) -> None:
    for number in (0, 6, 7, 8):  # six days are missing, two days name Anna, no day says three times the usual
        name = "Anna Berg" if number > 6 else "nobody"
        day(dreaming, number, f"Talked with {name} about the plan, and went home.\n")
    dreaming.layout.wiki.mkdir()
    for slug, category, updated in (("fresh", "project", "2025-12-10"), ("person", "entity", "2024-01-01")):
        page = WikiPage(slug, slug, "", category, (PageSource(SourceRef("x.md")),), "", updated=updated)  # type: ignore[arg-type]
        (dreaming.layout.wiki / f"{slug}.md").write_text(render_wiki_page(page))
    dreaming.layout.wisdom.write_text("# Wisdom\n\n## Patterns and lessons\n\n- **a** — Billing needs rounding tests\n")
    asked(dreaming, "asked once without an answer", "memory/a.md", best=0.0)
    for number in range(9):
        asked(dreaming, f"question number {number}", f"memory/{number}.md")
    assert find_signals(dreaming) == ()


def test_an_old_gap_is_no_signal_any_more(store: Store) -> None:
    for number in (0, 20, *range(21, 60, 3)):
        day(store, number, "A log of some words.\n")
    assert of(store, "temporal_gap") == []
