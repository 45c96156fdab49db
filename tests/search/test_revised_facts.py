"""Facts that were revised: a question about now finds the new value first, one about then the value of then."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import pytest

from recall_tui.domain import SearchResult
from recall_tui.environment import Environment
from recall_tui.index.ingest.refresh import refresh
from recall_tui.index.opener import Index, open_index
from recall_tui.memory import Memory
from recall_tui.search.engine import search
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store

TODAY = datetime(2026, 6, 20, 12, 0, tzinfo=UTC)


class Revised(NamedTuple):
    """A fact with the value it had first and the one it has now."""

    thing: str
    early: str
    late: str


_ROWS = """
rate limit of the public api|100 requests|250 requests
lifetime of refresh tokens|30 days|14 days
owner of the billing service|Anna Berg|Tomas Lind
port of the metrics exporter|9100|9477
default model for summaries|haiku|sonnet
region of the staging cluster|eu-west-1|eu-central-1
retention of audit logs|90 days|400 days
budget for the translation work|8000 euros|5500 euros
day of the weekly release|Friday|Tuesday
database behind the search page|Postgres|OpenSearch
size of the upload limit|20 MB|75 MB
contact at Northwind|Ines Falk|Omar Haddad
version of the android sdk|33|35
name of the design system|Harbor|Lighthouse
timeout of the payment gateway|15 seconds|40 seconds
number of workers in the import queue|4|12
cache behind the product list|Redis|Valkey
start of the on call shift|08:00|10:30
price of the team plan|49 dollars|59 dollars
approver of production deploys|Mira Sand|Jonas Weck
library for the date picker|flatpickr|day-picker
storage class of the backups|standard|glacier
language of the worker service|Ruby|Go
mail provider for invoices|Mailgun|Postmark
threshold of the fraud alert|500 euros|1200 euros
length of the trial period|14 days|21 days
format of the export files|csv|parquet
lead of the mobile team|Yuki Mori|Paulo Reis
address of the internal wiki|wiki.internal|docs.internal
interval of the health check|60 seconds|10 seconds
maximum of open pull requests|5|8
color of the primary button|teal|indigo
vendor of the office network|Ubiquiti|Cisco
schedule of the nightly backup|02:00|03:30
tool for database migrations|alembic|atlas
license of the client library|MIT|Apache
limit of seats in the free plan|3|5
host of the error tracker|sentry.io|errors.internal
batch size of the indexer|500|2000
key rotation of the signing service|yearly|quarterly
"""
FACTS = tuple(Revised(*row.split("|")) for row in _ROWS.strip().splitlines())
EARLY, LATE = date(2026, 2, 2), date(2026, 5, 4)


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, Index]:
    """A day log for each value, among days that say something else of the same things."""
    folder = tmp_path_factory.mktemp("revised")
    root = folder / "agent"
    (root / "memory").mkdir(parents=True)
    environment = Environment(folder, folder, {"RECALL_STATE": str(folder / "state")})
    store = Memory(make_layout(root, "hierarchical"), environment, lambda: TODAY)
    for number, fact in enumerate(FACTS):
        for first, value in ((EARLY, fact.early), (LATE, fact.late)):
            day = first + timedelta(days=number % 20)
            path = store.layout.days / f"{day}.md"
            lines = path.read_text() if path.exists() else f"---\ntype: daily\n---\n## {day}\n"
            lines += f"\n### {fact.thing}\n\nWe set the {fact.thing} to {value} after the meeting.\n"
            path.write_text(lines)
        other = date(2026, 3, 28) + timedelta(days=number % 20)
        path = store.layout.days / f"{other}.md"
        lines = path.read_text() if path.exists() else f"---\ntype: daily\n---\n## {other}\n"
        path.write_text(lines + f"\nSomebody asked about the {fact.thing} and nobody had time to look.\n")
    index = open_index(environment)
    refresh(index, store)
    return store, index


def first_day(answer: SearchResult) -> str:
    """The day of the document that is found first."""
    return answer.hits[0].document.rpartition("/")[2].removesuffix(".md") if answer.hits else ""


@pytest.mark.long
@pytest.mark.parametrize(
    ("question", "which"),
    [
        ("what is the {} now?", "late"),
        ("what is the current {}?", "late"),
        ("latest {}", "late"),
        ("what was the {} in February?", "early"),
        ("what was the original {}?", "early"),
        ("what was the {} in May 2026?", "late"),
    ],
)
def test_the_value_of_the_time_that_is_asked_for_comes_first(
    memory: tuple[Store, Index], question: str, which: str
) -> None:
    store, index = memory
    wrong = []
    for number, fact in enumerate(FACTS):
        asked = question.format(fact.thing)
        wanted = (LATE if which == "late" else EARLY) + timedelta(days=number % 20)
        answer = search(index, store, asked, passages=True)
        value = fact.late if which == "late" else fact.early
        if first_day(answer) != f"{wanted}" or value not in answer.hits[0].snippet:
            wrong.append((asked, first_day(answer), answer.hits[0].snippet[:80] if answer.hits else ""))
    assert wrong == []


def test_a_hit_cites_the_lines_where_its_value_stands(memory: tuple[Store, Index]) -> None:
    store, index = memory
    for fact in FACTS:
        hit = search(index, store, f"what is the {fact.thing} now?", passages=True).hits[0]
        first, last = hit.lines
        assert fact.late in "\n".join((store.root / hit.document).read_text().split("\n")[first - 1 : last])


def test_every_hit_with_a_revised_value_says_until_when_it_held_and_what_came_then(
    memory: tuple[Store, Index],
) -> None:
    store, index = memory
    wrong = []
    for number, fact in enumerate(FACTS):
        early, late = (first + timedelta(days=number % 20) for first in (EARLY, LATE))
        answer = search(index, store, f"what was the {fact.thing} in February?", passages=True)
        held = {hit.document: hit.why.get("validity") for hit in answer.hits if fact.thing in hit.heading}
        line = next(hit for hit in answer.hits if hit.document == f"memory/{late}.md" and fact.thing in hit.heading)
        told = {"until": f"{late}", "fact": f"We set the {fact.thing} to {fact.late} after the meeting."}
        told["by"] = f"memory/{late}.md:{line.lines[0] + 2}"
        if held.get(f"memory/{early}.md") != told or held.get(f"memory/{late}.md") != {"since": f"{late}"}:
            wrong.append((fact.thing, held))
    assert wrong == []


def test_facts_of_different_things_supersede_nothing(memory: tuple[Store, Index]) -> None:
    store, index = memory
    for fact in FACTS:
        for hit in search(index, store, f"what is the {fact.thing}?", passages=True).hits:
            held: object = hit.why.get("validity")
            if isinstance(held, dict) and "fact" in held:
                assert hit.heading.split(" › ")[-1] in held["fact"]
