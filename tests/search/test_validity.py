"""A claim that holds no longer says so, and a question about a time is answered by what held then."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta, timezone

import pytest

from recall_tui.domain import SearchResult
from recall_tui.index.ingest.refresh import refresh
from recall_tui.memory import Memory
from recall_tui.search.engine import search
from recall_tui.search.ranking.claim_validity import validity_text
from recall_tui.storage.documents.changing_facts import is_revised
from recall_tui.storage.memory_context import Store
from tests.hierarchy import Write, ask, day, documents, index_of, of, store, write

__all__ = ["ask", "store", "write"]

Ask = Callable[..., SearchResult]


@pytest.fixture
def limits(write: Write, ask: Ask) -> Ask:
    """A limit that was raised in March, and a day in between that only speaks of it."""
    day(write, "2026-01-12", "- The rate limit of the public API is 100 requests.")
    day(write, "2026-02-10", "- Somebody asked about the rate limit of the public API in a call.")
    day(write, "2026-03-20", "- The rate limit of the public API is 250 requests.")
    return ask


def test_a_question_about_now_is_answered_by_what_holds(limits: Ask) -> None:
    answer = limits("what is the rate limit of the public API now?")
    assert documents(answer)[0] == "2026-03-20"
    assert answer.hits[0].why["validity"] == {"since": "2026-03-20"}


@pytest.mark.parametrize(
    ("month", "valid"), [("January", "2026-01-12"), ("February", "2026-01-12"), ("March", "2026-03-20")]
)
def test_a_question_about_a_month_is_answered_by_what_held_in_it(limits: Ask, month: str, valid: str) -> None:
    found = documents(limits(f"what was the rate limit of the public API in {month} 2026?"))
    values = [name for name in found if name != "2026-02-10"]
    assert values[0] == valid


def test_a_hit_says_until_when_its_claim_held_and_where_the_next_stands(limits: Ask) -> None:
    hit = of(limits("rate limit of the public API"), "2026-01-12")
    fact = "The rate limit of the public API is 250 requests."
    assert hit.why["validity"] == {"until": "2026-03-20", "by": "memory/2026-03-20.md:7", "fact": fact}
    assert validity_text(hit.why) == "held until 2026-03-20, then: memory/2026-03-20.md:7"


def test_what_only_speaks_of_it_claims_nothing(limits: Ask) -> None:
    assert "validity" not in of(limits("rate limit of the public API"), "2026-02-10").why


def test_a_change_that_is_told_as_one_supersedes_what_was(write: Write, ask: Ask) -> None:
    day(write, "2026-01-12", "- The lifetime of refresh tokens: 30 days.")
    day(write, "2026-03-20", "- We lowered the lifetime of refresh tokens from 30 days to 14 days.")
    held = of(ask("lifetime of refresh tokens"), "2026-01-12").why["validity"]
    assert isinstance(held, dict) and held["until"] == "2026-03-20"


def test_a_page_of_the_wiki_says_what_it_superseded(write: Write, ask: Ask) -> None:
    day(write, "2026-01-12", "Tokens last 15 minutes, as everybody knows.")
    gone = {"source": "memory/2026-03-09.md", "fact": "Tokens last 15 minutes", "supersededOn": "2026-03-09"}
    write(
        "wiki/tokens.md",
        "Tokens last an hour.",
        name="Tokens",
        description="how long tokens last",
        category="concept",
        sources=["memory/2026-03-09.md"],
        supersedes=[gone],
    )
    hit = of(ask("how long tokens last"), "2026-01-12")
    assert hit.why["validity"] == {"until": "2026-03-09", "by": "memory/2026-03-09.md"}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "- ~~Tokens last 15 minutes.~~ until 2026-03-09, then: Tokens last an hour. (memory/2026-03-09.md)",
            "held until 2026-03-09, then: memory/2026-03-09.md",
        ),
        (
            "- until 2026-03-09: ~~Tokens last 15 minutes.~~ Then: Tokens last an hour. (memory/2026-03-09.md)",
            "held until 2026-03-09, then: memory/2026-03-09.md",
        ),
        ("- ~~Tokens last 15 minutes.~~", "outdated"),
    ],
)
def test_a_struck_claim_holds_no_longer(write: Write, ask: Ask, line: str, told: str) -> None:
    day(write, "2026-01-12", line)
    assert validity_text(of(ask("how long tokens last"), "2026-01-12").why) == told


def test_what_holds_as_far_as_is_known_says_nothing(write: Write, ask: Ask) -> None:
    day(write, "2026-01-12", "- Tokens last 15 minutes.")
    hit = of(ask("how long tokens last"), "2026-01-12")
    assert "validity" not in hit.why and validity_text(hit.why) == ""


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        ("We set the default model for summaries to haiku.", "We set the default model for summaries to opus.", True),
        ("The metrics exporter listens on 9100", "The metrics exporter listens on 9477", True),
        ("The owner of the billing service is Anna Berg", "The owner of the billing service is Tomas Lind", True),
        ("The rate limit is 100 requests per minute.", "The rate limit is now 250 requests per minute.", True),
        ("The rate limit is 100 requests per minute.", "The rate limit is 250 requests per minute now.", True),
        ("The rate limit is 100 requests per minute.", "The rate limit is 100 requests per minute again.", False),
        ("The owner of the billing service is Anna", "The owner of the search service is Anna", False),
        ("Fixed #12 in the parser of archives", "Fixed #13 in the parser of archives", False),
        ("The metrics exporter listens on 9100", "The metrics exporter listens on 9100", False),
        ("It is 5", "It is 6", False),
        ("", "The metrics exporter listens on 9100", False),
    ],
)
def test_a_revision_says_the_same_of_one_thing_but_for_its_value(one: str, other: str, is_one: bool) -> None:
    assert is_revised(one, other) == is_revised(other, one) == is_one


def test_a_claim_is_of_the_day_its_log_is_called_by_wherever_one_is(store: Store, write: Write) -> None:
    day(write, "2026-01-12", "- The rate limit of the public API is 100 requests.")
    day(write, "2026-03-20", "- The rate limit of the public API is 250 requests.")
    west = store.now().astimezone(timezone(timedelta(hours=-8)))
    there = Memory(store.layout, store.environment, lambda: west)
    refresh(index_of(there), there)
    answer = search(index_of(there), there, "what is the rate limit of the public API now?")
    assert answer.hits[0].why["validity"] == {"since": "2026-03-20"}


def test_a_page_that_quotes_a_day_leaves_the_day_as_it_was(write: Write, ask: Ask) -> None:
    said = "We moved the staging database from Postgres 14 to Postgres 15."
    day(write, "2026-03-02", "- The staging database runs on Postgres 14.")
    day(write, "2026-03-05", f"- {said}")
    head = {"category": "entity", "description": "x", "sources": [], "updated": "2026-11-01"}
    write("wiki/staging.md", f'\n# Staging\n\n- 2026-03-05: "{said}"\n\n- {said}', **head)
    held = {one.document.rpartition("/")[2]: one.why.get("validity") for one in ask("staging database postgres").hits}
    assert held["2026-03-02.md"]["until"] == "2026-03-05"  # type: ignore[index]
    assert held["2026-03-05.md"] == {"since": "2026-03-05"}


def test_a_page_that_cites_a_day_at_its_head_says_no_more_of_today(write: Write, ask: Ask) -> None:
    day(write, "2026-03-02", "- The rate limit of the public API is 100 requests.")
    day(write, "2026-03-05", "- Raised it for the public API: its rate limit got to 250 at last.")
    head = {"category": "entity", "description": "x", "sources": ["memory/2026-03-05.md"], "updated": "2026-11-01"}
    write("wiki/limits.md", "\n# Limits\n\nThe rate limit of the public API is 250 requests.", name="Limits", **head)
    held = {one.document.rpartition("/")[2]: one.why.get("validity") for one in ask("rate limit of public API").hits}
    assert held["2026-03-02.md"]["until"] == "2026-03-05"  # type: ignore[index]
