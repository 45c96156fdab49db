"""Pages of weeks and months lead to the days they tell of, and never stand in their place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recall_tui.domain import SearchResult
from recall_tui.memory import Memory
from recall_tui.search.engine import search
from recall_tui.storage.memory_context import Store
from tests.hierarchy import Write, ask, day, documents, index_of, of, store, week, write

__all__ = ["ask", "store", "write"]


def test_a_page_leads_to_days_that_hold_no_word_of_the_question(write: Write, ask: Callable[..., SearchResult]) -> None:
    day(write, "2026-03-02", "We put the signing secret into the vault and swapped it.")
    day(write, "2026-03-03", "Lunch with the accountants.")
    day(write, "2026-04-20", "The garden is in bloom.")
    week(write, "2026-W10", "- credential rotation was finished", d02=0.9, d03=0.1)
    answer = ask("credential rotation")
    hit = of(answer, "2026-03-02")
    assert hit.why["through"] == "weekly/2026-W10" and hit.why["rung"] == "parent"
    parts: Any = hit.why["parts"]
    assert parts["parent"] == pytest.approx(0.8)
    assert "vault" in hit.snippet
    assert documents(answer).index("2026-03-02") < documents(answer).index("2026-03-03")
    assert "2026-04-20" not in documents(answer)


def test_a_day_that_holds_a_word_too_rises(write: Write, ask: Callable[..., SearchResult]) -> None:
    day(write, "2026-03-02", "The rotation is through, and the signing secret lies in the vault.")
    day(write, "2026-02-02", "The rotation of the crew is through, and the ship lies in the port.")
    alone = documents(ask("credential rotation"))
    week(write, "2026-W10", "- credential rotation was finished", d02=1.0)
    led = ask("credential rotation")
    assert set(alone) == {"2026-03-02", "2026-02-02"}
    kept = [name for name in documents(led) if name in alone]
    assert kept == ["2026-03-02", "2026-02-02"]
    assert of(led, "2026-03-02").score > of(led, "2026-02-02").score


def test_a_month_leads_through_its_weeks_to_the_days(write: Write, ask: Callable[..., SearchResult]) -> None:
    day(write, "2026-03-02", "We put the signing secret into the vault and swapped it.")
    week(write, "2026-W10", "- nothing else of note", d02=1.0)
    write("monthly/2026-03.md", "\n# 2026-03\n\ncredential hygiene", pointers=["memory/weekly/2026-W10.md"])
    hit = of(ask("credential hygiene"), "2026-03-02")
    parts: Any = hit.why["parts"]
    assert parts["parent"] == pytest.approx(0.64) and hit.why["through"] == "weekly/2026-W10"


def test_a_day_leads_to_the_sessions_that_its_log_names(
    write: Write, ask: Callable[..., SearchResult], store: Store, archive: Callable[..., Path]
) -> None:
    store.layout.archives[0].folder.mkdir(parents=True)
    archive(14, "please swap the signing secret", "Swapped.", project=str(store.root))
    day(write, "2026-03-02", "- 10:00 the vault (conversation-014, session-)")
    week(write, "2026-W10", "- credential hygiene", d02=1.0)
    answer = ask("credential hygiene")
    hit = of(answer, "conversations/conversation-014")
    assert hit.session_id == "session-14" and hit.why["through"] == "weekly/2026-W10"


@pytest.mark.parametrize("pointer", ["weekly/2026-W10", "weekly/2026-W10.md", "memory/weekly/2026-W10.md"])
def test_however_a_page_is_spelt_a_document_is_one_hit(
    write: Write, ask: Callable[..., SearchResult], pointer: str
) -> None:
    day(write, "2026-03-02", "credential hygiene, first part")
    week(write, "2026-W10", "credential hygiene", d02=1.0)
    write("monthly/2026-03.md", "\n# 2026-03\n\ncredential hygiene", pointers=[pointer, "2026-03-02"])
    found = documents(ask("credential hygiene"))
    assert sorted(found) == ["2026-03-02", "monthly/2026-03", "weekly/2026-W10"]


def test_a_pointer_out_of_the_memory_or_to_nothing_leads_nowhere(
    write: Write, ask: Callable[..., SearchResult], store: Store
) -> None:
    (store.root.parent / "other.md").write_text("a secret place")
    outside = ["../other.md", str(store.root.parent / "other.md"), "memory/2020-01-01.md", "", "memory/\0.md", 7]
    write("weekly/2026-W10.md", "\n# Week 2026-W10\n\ncredential hygiene", pointers=outside, salience="none")
    assert documents(ask("credential hygiene")) == ["weekly/2026-W10"]


def test_pages_that_point_at_each_other_come_to_an_end(write: Write, ask: Callable[..., SearchResult]) -> None:
    week(write, "2026-W10", "credential hygiene")
    write("weekly/2026-W10.md", "\ncredential hygiene", pointers=["memory/monthly/2026-03.md"])
    write("monthly/2026-03.md", "\ncredential hygiene", pointers=["memory/weekly/2026-W10.md"])
    assert set(documents(ask("credential hygiene"))) == {"weekly/2026-W10", "monthly/2026-03"}


def test_filters_hold_for_what_a_page_leads_to(write: Write, ask: Callable[..., SearchResult]) -> None:
    day(write, "2026-03-02", "The signing secret is in the vault.")
    week(write, "2026-W10", "- credential hygiene", d02=1.0)
    assert documents(ask("credential hygiene kind:weekly")) == ["weekly/2026-W10"]
    assert documents(ask("credential hygiene kind:daily")) == ["2026-03-02"]


def test_no_weight_for_parents_means_no_share_of_them(
    write: Write, ask: Callable[..., SearchResult], store: Store
) -> None:
    day(write, "2026-03-02", "hygiene of the kitchen")
    week(write, "2026-W10", "- credential hygiene", d02=1.0)
    with_share = of(ask("credential hygiene"), "2026-03-02").score
    store.layout.config.write_text("[search]\nweights = [0.6, 0.4, 0.0]\n")
    store = Memory(store.layout, store.environment, store.now)
    without = of(search(index_of(store), store, "credential hygiene"), "2026-03-02").score
    assert without < with_share


def test_evidence_has_half_of_the_places_whatever_pages_hold(write: Write, ask: Callable[..., SearchResult]) -> None:
    for number in range(1, 41):
        write(f"wiki/page-{number}.md", "credential hygiene " * 3, name=f"Page {number}", description="credential")
    for number in range(1, 10):
        day(write, f"2026-01-{number:02d}", f"Among much else of the day there was hygiene. {'More of it. ' * 30}")
    kinds = [hit.kind for hit in ask("credential hygiene", limit=10).hits]
    assert len(kinds) == 10 and kinds.count("daily") == 5


def test_a_page_stands_below_the_day_that_it_is_from_and_that_says_the_same(
    write: Write, ask: Callable[..., SearchResult]
) -> None:
    day(write, "2026-03-02", f"Key rotation is quarterly from now on. {'Much else happened on that day. ' * 40}")
    week(write, "2026-W10", "- Key rotation is quarterly from now on. (memory/2026-03-02.md:5)", d02=1.0)
    answer = ask("key rotation quarterly")
    assert documents(answer) == ["2026-03-02", "weekly/2026-W10"]
    assert answer.hits[0].score >= answer.hits[1].score


@pytest.mark.parametrize("boost", [0.9, 2.0])
def test_a_wiki_page_never_outranks_the_dated_fact_it_was_made_from(
    write: Write, ask: Callable[..., SearchResult], store: Store, boost: float
) -> None:
    store.layout.config.write_text(f"[wiki]\nscore_boost = {boost}\n")
    store = Memory(store.layout, store.environment, store.now)
    day(write, "2026-03-02", f"The metrics exporter listens on 9477. {'Much else happened on that day. ' * 40}")
    day(write, "2026-03-09", f"Somebody asked for the metrics of the exporter. {'Nobody knew. ' * 40}")
    sources = [{"uri": "memory/2026-03-02.md", "from": 4, "lines": 2}]
    write(
        "wiki/metrics-exporter.md",
        "The metrics exporter listens on 9477, port of the metrics exporter.",
        name="Metrics exporter",
        description="port",
        category="reference",
        sources=sources,
    )
    ask("metrics")
    answer = search(index_of(store), store, "port of the metrics exporter")
    found = documents(answer)
    assert found.index("2026-03-02") < found.index("wiki/metrics-exporter")
    scores = [hit.score for hit in answer.hits]
    assert scores == sorted(scores, reverse=True) and scores[0] <= 1


def test_what_the_user_has_pages_weigh_counts_beside_what_they_do_not_cite(
    write: Write, ask: Callable[..., SearchResult], store: Store
) -> None:
    day(write, "2026-03-09", "The port of the metrics exporter.")
    write(
        "wiki/notes.md",
        "Of the metrics exporter nobody knows the port by heart.",
        name="Exporter",
        description="port",
        category="reference",
        sources=["memory/2026-01-01.md"],
    )
    assert documents(ask("port of the metrics exporter"))[0] == "2026-03-09"
    store.layout.config.write_text("[wiki]\nscore_boost = 2.0\n")
    store = Memory(store.layout, store.environment, store.now)
    assert documents(search(index_of(store), store, "port of the metrics exporter"))[0] == "wiki/notes"


@pytest.mark.parametrize(
    ("page", "far"), [("weekly/2026-W10", "weekly/2026-W30"), ("monthly/2026-03", "monthly/2026-08")]
)
def test_a_page_of_the_time_that_is_asked_for_is_near_it(
    write: Write, ask: Callable[..., SearchResult], page: str, far: str
) -> None:
    for name in (far, page):
        write(f"{name}.md", "\n# Period\n\ncredential hygiene was the subject", type="weekly")
    answer = ask("credential hygiene in March 2026")
    assert documents(answer)[0] == page
    assert of(answer, page).why["when"] == 1.0
    assert of(answer, far).why["when"] == pytest.approx(0.5, abs=0.05)
