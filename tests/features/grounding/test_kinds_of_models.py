"""A good, a sloppy and a lying model write a digest, a week, a month, the master and a wiki page.

What the good one says stands, the sloppy one's words give way to the source's, and nothing of the lying one is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from recall_tui.domain import Conversation, ConversationHead, Message
from recall_tui.domain.documents import SourceRef
from recall_tui.environment import Environment
from recall_tui.features.capture.model_summary import summarize_with_model
from recall_tui.features.consolidation.period_model import PeriodWriter
from recall_tui.features.consolidation.periods import CompactionHooks, month_results, week_results
from recall_tui.features.wiki import page_changes
from recall_tui.features.wiki import rebuild as wiki_rebuild
from recall_tui.features.wiki.page_changes import NewPage
from recall_tui.features.wiki.rebuild_model import rebuild_with_model
from recall_tui.llm.client import ModelClient
from recall_tui.llm.model import Failure
from recall_tui.storage.documents.wiki_page import PageSource
from recall_tui.storage.memory_context import Store
from recall_tui.workbench import Workbench
from tests.makers import bench_at
from tests.models import FakeModel, store_with
from tests.summaries import id_of, summary, synthesised

SOURCE = (
    "The rate limit of the gateway was raised to 300 requests a minute, because the partner sends batches at night."
)
KINDS = {
    "good": "The gateway's rate limit was raised to 300 requests a minute, because the partner sends batches at night.",
    "sloppy": SOURCE.replace("300", "500"),
    "lying": "Marta replaced Postgres with CockroachDB for the nightly reports.",
}
"""What each model says, resting on the line that holds `SOURCE`."""
DAYS = (
    SOURCE,
    "The login form rejects passwords of fewer than 12 characters since the audit.",
    "Root cause of the stuck exports: the worker never closed its file; fixed by a context manager.",
)


def check(kind: str, text: str) -> None:
    """Hold a written text against what may stand in it."""
    claim = KINDS[kind]
    assert (claim in text) is (kind == "good"), text
    assert "500 requests" not in text and "CockroachDB" not in text and "Marta" not in text, text
    if kind == "sloppy":
        assert "300 requests a minute" in text, text


def write_days(store: Store, first: date) -> None:
    for number, line in enumerate(DAYS):
        day = first.replace(day=first.day + number)
        path = store.layout.days / f"{day}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {day}\n\n- {line}\n")


def digest(environment: Environment, model: FakeModel, claim: str) -> str:
    summary = "The partner's calls fail at night."
    model.answers({"title": "Rate limit", "summary": summary, "outcome": claim, "decisions": [f"{claim} [2]"]})
    said = [Message("prompt", "Why do the partner's calls fail at night?"), Message("reply", SOURCE)]
    store = store_with(model, bench_at(environment, "entity").store)
    conversation = Conversation(ConversationHead("s", "host", Path("s.jsonl")), lambda: iter(said))
    told = summarize_with_model(store, ModelClient(store), conversation)
    assert not isinstance(told, Failure), told
    return f"{told.summary}\n{told.outcome}\n{told.tags.decisions}"


def week(environment: Environment, model: FakeModel, claim: str) -> str:
    model.answers({"outcomes": [{"text": claim, "sources": [1]}]})
    store = store_with(model, bench_at(environment, "hierarchical").store)
    write_days(store, date(2026, 2, 2))
    (made,) = week_results(store, CompactionHooks(write=PeriodWriter(store, lambda: False).write))
    return made.text


def month(environment: Environment, model: FakeModel, claim: str) -> str:
    model.answers({"milestones": [{"text": claim, "sources": [1]}]})
    store = store_with(model, bench_at(environment, "hierarchical").store)
    store.layout.weekly.mkdir(parents=True)
    for number, line in enumerate(DAYS):
        path = store.layout.weekly / f"2026-W0{number + 2}.md"
        path.write_text(f"---\ntype: weekly\nperiod: 2026-W0{number + 2}\n---\n\n# Week\n\n## Outcomes\n\n- {line}")
    (made,) = month_results(store, watch=CompactionHooks(write=PeriodWriter(store, lambda: False).write))
    return made.text


def master(environment: Environment, model: FakeModel, claim: str) -> str:
    model.answers({"decisions": [{"text": claim, "theme": "", "sources": [id_of(1)[:8]]}]})
    bench = bench_at(environment, "project")
    bench = Workbench(store_with(model, bench.store), bench.why)
    summary(bench.store, 1, f"Decision: {SOURCE}")
    synthesised(bench)
    return bench.layout.master.read_text()


def page(environment: Environment, model: FakeModel, claim: str) -> str:
    model.answers({"sections": [{"heading": "Limits", "claims": [{"text": claim, "lines": [1]}]}], "stale": []})
    bench = bench_at(environment, "entity")
    store = store_with(model, bench.store)
    write_days(store, date(2026, 2, 2))
    source = PageSource(SourceRef(store.relative(store.layout.days / "2026-02-02.md")))
    stub = page_changes.stub(
        store, NewPage("rate-limit", "concept", source, "Rate limit", "Limits of the gateway", "x")
    )
    bench.apply(lambda _: stub)
    said = rebuild_with_model(store, "rate-limit", ModelClient(store))
    if not isinstance(said, Failure):
        bench.apply(lambda _: wiki_rebuild.rebuild(store, "rate-limit", "", said.body, said.stale))
    return page_changes.open_wiki(store).pages["rate-limit"].body


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("write", [digest, week, month, master, page])
def test_a_text_is_right_degraded_or_refused_as_its_model_deserves(
    environment: Environment, tmp_path: Path, write: Callable[[Environment, FakeModel, str], str], kind: str
) -> None:
    check(kind, write(environment, FakeModel(tmp_path / "model"), KINDS[kind]))
