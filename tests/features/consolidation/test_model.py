"""Weeks and months as a model tells them: what it says is checked, and what it leaves out is not lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from recall_tui.features.consolidation import period_model
from recall_tui.features.consolidation.compact import CompactionWriter, page_writer, preview_compaction
from recall_tui.features.consolidation.period_model import PeriodWriter
from recall_tui.features.consolidation.periods import CompactionHooks, PeriodResult, month_results, week_results
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from tests.days import write_days
from tests.models import FakeModel, store_with
from tests.qa.bench.fidelity import checked_page

SAID = {
    "outcomes": [{"text": "The race in src/auth/jwt10.py was fixed.", "sources": [2]}],
    "decisions": [
        {"text": "Mobile asked for it, so tokens were decided to get 10 minutes.", "sources": [1]},
        {"text": "Tokens were decided to get 99 minutes.", "sources": [4]},
    ],
    "context": [{"text": "The mood was splendid and everybody went sailing.", "sources": [2]}],
}


@pytest.fixture
def model(tmp_path: Path) -> FakeModel:
    return FakeModel(tmp_path / "model", SAID)


def told(store: Store, teller: PeriodWriter | None = None) -> tuple[PeriodResult, ...]:
    teller = teller or PeriodWriter(store, lambda: False)
    return week_results(store, CompactionHooks(write=teller.write))


def test_a_page_is_the_models_where_its_sources_bear_it_out(store: Store, model: FakeModel) -> None:
    write_days(store, date(2026, 2, 2), 3)
    (week,) = told(store_with(model, store))
    assert week.page.made_by == "command/python3" or week.page.made_by.startswith("command/")
    assert "- The race in src/auth/jwt10.py was fixed. (memory/2026-02-02.md:8)" in week.text
    assert "- Mobile asked for it, so tokens were decided to get 10 minutes. (memory/2026-02-02.md:6)" in week.text
    assert "99 minutes" not in week.text and "sailing" not in week.text
    (asked,) = model.asked
    assert "[1] memory/2026-02-02.md: Decided to give tokens 10 minutes" in asked and "Week 2026-W06" in asked


def test_a_line_that_is_made_up_gives_way_to_the_words_of_its_sources(store: Store, model: FakeModel) -> None:
    write_days(store, date(2026, 2, 2), 3)
    (week,) = told(store_with(model, store))
    assert "- Decided to give tokens 11 minutes because mobile asked for it. (memory/2026-02-03.md:6)" in week.text
    assert list(checked_page(store.root, week.text)) and not [one for one in checked_page(store.root, week.text) if one]


def test_a_negation_that_the_model_drops_is_refused_and_it_is_said(store: Store, tmp_path: Path) -> None:
    days = write_days(store, date(2026, 2, 2), 3)
    days[1].write_text(days[1].read_text() + "\nWe decided not to use Redis for sessions.\n")
    model = FakeModel(tmp_path / "model", {})
    told(store_with(model, store))
    found = re.search(r"^\[(\d+)\] .*Redis", model.asked[0], re.MULTILINE)
    assert found is not None
    model.answers({"decisions": [{"text": "We decided to use Redis for sessions.", "sources": [int(found[1])]}]})
    teller = PeriodWriter(store_with(model, store), lambda: False)
    (week,) = told(store_with(model, store), teller)
    assert "We decided not to use Redis for sessions." in week.text and "decided to use Redis" not in week.text
    (note,) = teller.notes
    assert note.startswith("1 claim of the model rejected") and note.endswith("replaced by quotations from the sources")


def test_decisions_and_lessons_that_the_model_leaves_out_stand_beside_it(store: Store, model: FakeModel) -> None:
    days = write_days(store, date(2026, 2, 2), 3)
    days[1].write_text(days[1].read_text() + "\nNever run migrations on a Friday.\n")
    (week,) = told(store_with(model, store))
    assert "- Never run migrations on a Friday. (memory/2026-02-03.md:13)" in week.text
    for minutes in (11, 12):
        assert f"Decided to give tokens {minutes} minutes" in week.text


def test_an_answer_without_a_sound_line_leaves_the_page_as_it_is_drawn(store: Store, tmp_path: Path) -> None:
    write_days(store, date(2026, 2, 2), 3)
    (drawn,) = week_results(store)
    model = FakeModel(tmp_path / "empty", {"outcomes": [{"text": "Fixed.", "sources": [77]}]})
    (week,) = told(store_with(model, store))
    for line in drawn.text.split("\n"):
        assert not line.startswith("- Decided") or line in week.text


def test_a_model_that_fails_is_told_once_and_not_asked_for_every_page(store: Store, tmp_path: Path) -> None:
    write_days(store, date(2026, 1, 5), 28)
    model = FakeModel(tmp_path / "broken", "no JSON at all")
    teller = PeriodWriter(store_with(model, store), lambda: False)
    weeks = told(store_with(model, store), teller)
    assert {one.page.made_by for one in weeks} == {"extract"} and len(weeks) == 4
    assert len(model.asked) == 4, "two pages, each with one try to fix the answer"
    (note,) = teller.notes
    assert note.startswith("without a model: 4 pages from 2026-W02 on: ")


def test_a_long_week_is_asked_for_in_pieces(
    store: Store,
    model: FakeModel,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_days(store, date(2026, 2, 2), 7)
    monkeypatch.setattr(period_model, "CHUNK_CHARS", 600)
    told(store_with(model, store))
    assert len(model.asked) > 2
    assert all(len(re.findall(r"^\[\d+\] ", asked, re.MULTILINE)) < 12 for asked in model.asked)


def test_whose_memory_it_is_stands_in_the_question(store: Store, model: FakeModel) -> None:
    write_days(store, date(2026, 2, 2), 3)
    store.layout.identity.write_text("# Ada\n\nKeeps the billing of a small shop.\n")
    told(store_with(model, store))
    assert "Keeps the billing of a small shop." in model.asked[0]


def test_a_month_is_told_of_its_weeks_and_cites_the_days(store: Store, tmp_path: Path) -> None:
    write_days(store, date(2026, 1, 5), 28)
    both, weeks = FakeModel(tmp_path / "month", {}), week_results(store)
    watch = CompactionHooks(write=PeriodWriter(store_with(both, store), lambda: False).write)
    month_results(store, weeks, watch)
    numbers = [int(one) for one in re.findall(r"^\[(\d+)\] .*Decided to give", both.asked[0], re.MULTILINE)][:2]
    said = "Tokens were decided to get minutes because mobile asked for it."
    both.answers({"trajectory": [{"text": said, "sources": numbers}]})
    (month,) = month_results(store, weeks, watch)
    (line,) = [line for line in month.text.split("\n") if line.startswith("- Tokens were decided to get minutes")]
    assert re.search(r"\(memory/2026-01-\d\d\.md:\d+; memory/2026-01-\d\d\.md:\d+\)$", line)
    assert not [one for one in checked_page(store.root, month.text) if one]


def test_what_was_told_is_not_asked_for_again(
    store: Store,
    model: FakeModel,
    now: Callable[[], object],
) -> None:
    write_days(store, date(2026, 2, 2), 3)
    asking = store_with(model, store)

    def run(store: Store) -> tuple[PeriodResult, ...]:
        teller = PeriodWriter(store, lambda: False)
        watch = CompactionHooks(made=CompactionWriter(store, teller), write=page_writer(store, ask=teller.write))
        return preview_compaction(store, "weekly", watch).pages

    (first,) = run(asking)
    assert len(model.asked) == 1
    (waiting,) = [one for one in proposals.list_open(asking) if one.kind == "weekly"]
    assert waiting.changes[0].text == first.text and "command/" in waiting.why
    (again,) = run(asking)
    assert again.text == first.text and len(model.asked) == 1
    (offline,) = run(store)
    assert offline.text == first.text, "what waits is the model's, whether there is a model now or not"
    (store.layout.days / "2026-02-05.md").write_text("A late day: shipped 2.0.\n")
    run(asking)
    assert len(model.asked) == 2
