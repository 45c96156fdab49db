"""WISDOM.md as a model tells it: checked, asked for once, and never over what a person wrote."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from recall_tui.domain import Plan
from recall_tui.features.consolidation.period_model import PeriodWriter
from recall_tui.features.consolidation.wisdom import entry_chooser, plan_wisdom
from recall_tui.storage.documents.wisdom_file import parse_wisdom
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store
from tests.days import write_days
from tests.features.consolidation.wisdom_samples import compact, lesson
from tests.models import FakeModel, store_with

FRIDAY = "Lesson: never run migrations on a Friday, it takes 4 hours."
BACKUP = "Lesson: always check the backup in /srv/dumps before a release."


@pytest.fixture
def learned(store: Store) -> Store:
    """A memory of four weeks in which two things were learned."""
    days = write_days(store, date(2026, 1, 5), 28)
    lesson(days, 3, FRIDAY)
    lesson(days, 9, BACKUP)
    compact(store)
    return store


def planned(store: Store, model: FakeModel) -> Plan:
    asking = store_with(model, store)
    teller = PeriodWriter(asking, lambda: False)
    return plan_wisdom(asking, None, entry_chooser(asking, teller), teller.name)


def apply(store: Store, model: FakeModel) -> str:
    Journal(store.state, store.now).commit(lambda: planned(store, model), by="person")
    return store.layout.wisdom.read_text()


def numbers(model: FakeModel) -> list[int]:
    """The numbers under which the two lessons stand in the question."""
    found = (re.search(rf"^\[(\d+)\] .*{words}", model.asked[0], re.MULTILINE) for words in ("Friday", "/srv/dumps"))
    return [int(one[1]) for one in found if one]


@pytest.fixture
def model(tmp_path: Path, learned: Store) -> FakeModel:
    """One that merges the two lessons, and makes a third up."""
    model = FakeModel(tmp_path / "model", {})
    planned(learned, model)
    both = "Lesson: never run migrations on a Friday, and always check the backup in /srv/dumps."
    friday, backup = numbers(model)
    made_up = {"text": "Releases take 99 days.", "sources": [friday]}
    model.answers({"entries": [{"text": both, "sources": [friday, backup]}, made_up]})
    return model


def test_entries_are_the_models_and_what_it_makes_up_gives_way(learned: Store, model: FakeModel) -> None:
    found = parse_wisdom(apply(learned, model))
    assert found.entries[0].claim.endswith("check the backup in /srv/dumps.")
    assert re.fullmatch(r"memory/2026-01-08\.md:\d+; memory/2026-01-14\.md:\d+", found.entries[0].source)
    assert "99" not in " ".join(one.claim for one in found.entries)
    assert found.entries[1].claim == FRIDAY and found.is_sealed


def test_the_same_lines_are_asked_about_once(learned: Store, model: FakeModel) -> None:
    apply(learned, model)
    before = len(model.asked)
    assert planned(learned, model).edits == () and len(model.asked) == before
    assert plan_wisdom(learned).edits == (), "nor is it drawn anew without a model"


def test_whose_it_is_stands_in_the_heading(learned: Store, model: FakeModel) -> None:
    learned.layout.identity.write_text("# Ada\n\nKeeps the billing.\n")
    text = apply(learned, model)
    assert text.startswith("# Ada - Wisdom\n") and "Keeps the billing." in model.asked[-1]
    assert parse_wisdom(text).others == ""


@pytest.mark.long
def test_an_entry_that_a_person_changed_stays(learned: Store) -> None:
    Journal(learned.state, learned.now).commit(lambda: plan_wisdom(learned), by="person")
    path = learned.layout.wisdom
    path.write_text(path.read_text().replace(FRIDAY, "Migrations never run on Fridays here."))
    days = sorted(learned.layout.days.glob("*.md"))
    lesson(days, 12, "Lesson: never trust the cache of the proxy.")
    compact(learned)
    Journal(learned.state, learned.now).commit(lambda: plan_wisdom(learned), by="person")
    claims = [one.claim for one in parse_wisdom(path.read_text()).entries]
    assert (
        claims[0] == "Migrations never run on Fridays here." and "Lesson: never trust the cache of the proxy." in claims
    )


def test_without_an_answer_it_is_drawn(learned: Store, tmp_path: Path) -> None:
    drawn = plan_wisdom(learned)
    assert planned(learned, FakeModel(tmp_path / "broken", "nothing of the kind")).edits == drawn.edits
