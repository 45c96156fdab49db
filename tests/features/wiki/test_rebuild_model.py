"""A page rebuilt by a model: its claims are held against their lines, and nothing of the page is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recall_tui.features.wiki import page_changes
from recall_tui.features.wiki import rebuild as wiki_rebuild
from recall_tui.features.wiki.rebuild_model import RebuiltPage, rebuild_with_model
from recall_tui.llm.client import ModelClient
from recall_tui.llm.model import Failure
from recall_tui.storage.documents.wiki_page import SupersededClaim, WikiPage
from recall_tui.storage.memory_context import Store
from tests.features.wiki.rebuild_samples import NEW, OLD, do
from tests.models import FakeModel, store_with

SLUG = "refresh-tokens"
GOOD = {
    "sections": [
        {
            "heading": "# Lifetime",
            "claims": [
                {"text": "Refresh tokens live for 14 days. (memory/made-up.md:9)", "lines": [1]},
                {"text": "They live for 30 days now, see [[nowhere|that page]].", "lines": [3]},
                {"text": "Refresh tokens live for 99 days.", "lines": [1]},
                {"text": "The office has a new printer.", "lines": [1, 2]},
                {"text": "Refresh tokens rotate at each use.", "lines": [44]},
            ],
        },
        {"heading": "../../x", "claims": [{"text": "Nobody said this anywhere.", "lines": []}]},
    ],
    "stale": ["Ask Sam before the refresh token table is touched.", "This does not stand on the page."],
}


def rebuilt(store: Store, tmp_path: Path, answer: dict[str, Any]) -> tuple[RebuiltPage, WikiPage]:
    with_model = store_with(FakeModel(tmp_path / "model", answer), store)
    said = rebuild_with_model(with_model, SLUG, ModelClient(with_model))
    assert isinstance(said, RebuiltPage), said
    do(store, wiki_rebuild.rebuild(store, SLUG, "", said.body, said.stale))
    return said, page_changes.open_wiki(store).pages[SLUG]


def test_claims_stand_in_sections_with_their_lines_and_what_no_line_holds_is_left_out(
    store: Store,
    page: WikiPage,
    tmp_path: Path,
) -> None:
    said, new = rebuilt(store, tmp_path, GOOD)
    section = new.body.partition("## Lifetime\n\n")[2]
    assert section.splitlines() == [
        f"- Refresh tokens live for 14 days. ({OLD}:3)",
        f"- They live for 30 days now. ({NEW}:4)",
    ]
    assert (
        said.left_out == 3
        and "rejected" in said.note
        and "99" not in new.body
        and "nowhere" not in new.body
        and "../" not in new.body
    )
    assert "Ask Sam before the refresh token table is touched." in new.body and "| kept | as it is |" in new.body
    assert (new.name, new.description, new.sources) == (page.name, page.description, page.sources)
    assert new.confidence == "low", "two sources"


def test_the_note_on_its_grounding_names_what_no_source_holds_and_what_the_model_quotes(
    store: Store,
    page: WikiPage,
    tmp_path: Path,
) -> None:
    _, new = rebuilt(store, tmp_path, GOOD)
    assert new.grounding["verifiedOn"] == "2026-03-06" and new.grounding["grounded"] is False
    assert new.grounding["stale"] == ["Ask Sam before the refresh token table is touched."]
    unverified = new.grounding["unverified"]
    assert isinstance(unverified, list) and "Refresh tokens keep people signed in." in unverified
    assert not any("live for" in words for words in unverified)


def test_what_is_superseded_is_said_with_its_day(store: Store, page: WikiPage, tmp_path: Path) -> None:
    gone = SupersededClaim(NEW, "Refresh tokens live for 14 days.", "2026-03-05", "They live for 30 days now.")
    do(store, page_changes.supersede(store, SLUG, gone))
    model = FakeModel(tmp_path / "model", GOOD)
    with_model = store_with(model, store)
    said = rebuild_with_model(with_model, SLUG, ModelClient(with_model))
    assert isinstance(said, RebuiltPage) and "- Until 2026-03-05: Refresh tokens live for 14 days." in said.body
    assert "(held until 2026-03-05)" in model.asked[0]
    do(store, wiki_rebuild.rebuild(store, SLUG, "", said.body))
    new = page_changes.open_wiki(store).pages[SLUG]
    assert new.supersedes == (gone,)
    unverified = new.grounding["unverified"]
    assert isinstance(unverified, list) and not any("14 days" in words for words in unverified)


def test_a_second_rebuild_takes_the_place_of_the_first(store: Store, page: WikiPage, tmp_path: Path) -> None:
    rebuilt(store, tmp_path, GOOD)
    other = {"sections": [{"heading": "Now", "claims": [{"text": "They live for 30 days now.", "lines": [3]}]}]}
    _, new = rebuilt(store, tmp_path / "second", other)
    assert "## Lifetime" not in new.body and new.body.count("30 days") == 1 and "## Now" in new.body
    assert "Ask Sam" in new.body


@pytest.mark.long
@pytest.mark.parametrize(
    "answer",
    [
        {"sections": []},
        {"sections": [{"heading": "x", "claims": [{"text": "All of this is invented.", "lines": [1]}]}]},
        "no json at all",
        {"sections": "x" * 10_000_000},
    ],
    ids=["empty", "invented", "prose", "huge"],
)
def test_an_answer_that_cannot_be_used_is_a_failure_and_nothing_changes(
    store: Store,
    page: WikiPage,
    tmp_path: Path,
    answer: Any,
) -> None:
    with_model = store_with(FakeModel(tmp_path / "model", answer), store)
    assert isinstance(rebuild_with_model(with_model, SLUG, ModelClient(with_model)), Failure)


def test_the_model_is_told_whose_wiki_it_is(store: Store, page: WikiPage, tmp_path: Path) -> None:
    store.layout.identity.write_text("# Ada\n\nKeeps the books.\n")
    model = FakeModel(tmp_path / "model", GOOD)
    with_model = store_with(model, store)
    rebuild_with_model(with_model, SLUG, ModelClient(with_model))
    assert "Ada" in model.asked[0] and "The printer was moved" not in model.asked[0]
