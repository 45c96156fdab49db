"""Dreaming and WISDOM.md: one proposal of patches, each with its line; a person's entries are never touched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recall_tui.features.dreaming import dream
from recall_tui.storage.documents import wisdom_file
from recall_tui.storage.documents.wisdom_file import WisdomEntry, WisdomFile
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state.proposals import Proposal
from tests.conftest import NOON
from tests.features.dreaming.dream_samples import CREATE, saying, story
from tests.models import FakeModel, store_with

MAIL = "Anna Berg wants invoices by mail."
OLD = WisdomEntry("old", "Invoices go out by courier.", "memory/2026-02-01.md:1")
OWN = WisdomEntry("own", "Never write on Mondays.")


def patched(store: Store, folder: Path, *patches: dict[str, Any], most: str = "20") -> Proposal | None:
    """What a dream proposes for WISDOM.md when the model patches it so."""
    story(store)
    text = wisdom_file.render_wisdom(WisdomFile((OLD, OWN), "## Knowledge Map\n\nHere."), NOON.date())
    store.layout.wisdom.write_text(text)
    model = FakeModel(folder, {**saying(CREATE), "patches": list(patches)})
    with_model = store_with(model, store, RECALL_WISDOM_MAX_ENTRIES=most)
    said = dream.run_session(with_model)
    assert "Never write on Mondays." in model.asked[-1] and store.layout.wisdom.read_text() == text
    found = [one for one in said.proposed if one.kind == "wisdom"]
    assert len(found) <= 1
    return found[0] if found else None


def entries_of(proposal: Proposal | None) -> tuple[WisdomEntry, ...]:
    assert proposal is not None
    (change,) = proposal.changes
    assert change.path == "WISDOM.md" and "## Knowledge Map\n\nHere." in (change.text or "")
    return wisdom_file.parse_wisdom(change.text or "").entries


def test_a_lesson_is_added_with_its_line(store: Store, tmp_path: Path) -> None:
    patch = {"op": "add", "id": "invoices-by-mail", "claim": MAIL, "lines": [1, 2]}
    one = patched(store, tmp_path / "model", patch)
    assert entries_of(one)[-1] == WisdomEntry("invoices-by-mail", MAIL, "memory/2026-02-04.md:1")
    assert one is not None and one.evidence == ("memory/2026-02-04.md:1",) and not one.is_safe


def test_an_entry_is_said_otherwise_by_a_line(store: Store, tmp_path: Path) -> None:
    one = patched(store, tmp_path / "model", {"op": "update", "id": "old", "claim": MAIL, "lines": [1, 2]})
    assert entries_of(one) == (WisdomEntry("old", MAIL, "memory/2026-02-04.md:1"), OWN)


@pytest.mark.long
@pytest.mark.parametrize(
    "patch",
    [
        {"op": "remove", "id": "own", "lines": [1]},
        {"op": "update", "id": "own", "claim": MAIL, "lines": [1, 2]},
        {"op": "update", "id": "nobody", "claim": MAIL, "lines": [1, 2]},
        {"op": "add", "id": "x", "claim": MAIL, "lines": []},
        {"op": "add", "id": "x", "claim": "Courage is everything in life.", "lines": [1]},
        {"op": "remove", "id": "old", "lines": [77]},
        {"op": "erase", "id": "old", "lines": [1]},
    ],
)
def test_a_patch_that_may_not_be_made_is_none(store: Store, tmp_path: Path, patch: dict[str, Any]) -> None:
    assert patched(store, tmp_path / "model", patch) is None


def test_there_are_never_more_entries_than_the_settings_say_and_a_persons_stay(store: Store, tmp_path: Path) -> None:
    patch = {"op": "add", "id": "invoices-by-mail", "claim": MAIL, "lines": [1, 2]}
    one = patched(store, tmp_path / "model", patch, most="2")
    assert [entry.id for entry in entries_of(one)] == ["own", "invoices-by-mail"]


def test_without_anything_new_nothing_is_asked(store: Store, tmp_path: Path) -> None:
    story(store)
    model = FakeModel(tmp_path / "model", saying())
    with_model = store_with(model, store)
    dream.run_session(with_model)
    assert not any("<entries " in prompt for prompt in model.asked)
