"""Wiki, key by key: pages are read, their links followed, what is wrong is found, and changes can be taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from recall_tui.domain.documents import SourceRef
from recall_tui.features.wiki import page_changes
from recall_tui.features.wiki.rebuild import source_statements
from recall_tui.storage.documents.wiki_page import PageSource
from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.tui.screens.text_modal import PlanModal
from recall_tui.tui.screens.wiki.page_name_modal import CategoryModal, PageNameModal
from recall_tui.tui.screens.wiki.panels import EMPTY_WIKI
from recall_tui.workbench import Workbench
from tests.models import FakeModel, store_with
from tests.tui.hostile import hostile_memory
from tests.tui.piloting import AppMaker, accident, footer_of, settled, toasts, typed
from tests.tui.wikis import BROKEN, hostile_wiki, opened, rows_of, screen_of, slug_of, text_of, write

WIDE, NARROW = (120, 36), (80, 24)


@pytest.mark.long
async def test_pages_stand_by_category_and_the_one_under_the_cursor_is_read(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        rows = rows_of(demo_app)
        assert rows[0].startswith("Nordpost") and rows[0].endswith("entity ● 3 sources")
        assert rows[4].startswith("Rate limits") and rows[4].endswith("concept ○ stub")
        assert screen_of(demo_app).pages.border_subtitle == "7 pages · ▲ 1 to fix"
        assert "One batch at 02:10 UTC" in text_of(demo_app)
        await pilot.press("down", "down")
        await settled(pilot)
        assert slug_of(demo_app) == "jwt-auth" and screen_of(demo_app).query_one("#page").border_title == "JWT auth"


@pytest.mark.long
async def test_what_is_superseded_is_struck_with_its_day(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await opened(pilot, "down", "down", "enter")
        view = screen_of(demo_app).view
        at = next(at for at, line in enumerate(view.document.source) if line.startswith("- ~~"))
        (row,) = view.document.rows(at, 400)
        assert row.plain.startswith("• A refresh token that is used a second time") and "until 2026-03-06" in row.plain
        assert any("strike" in str(span.style) for span in row.spans)


@pytest.mark.long
async def test_links_are_chosen_by_arrows_followed_by_enter_and_b_goes_back(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        assert "Follow" not in footer_of(demo_app) and "Back" not in footer_of(demo_app)
        await pilot.press("enter")
        await settled(pilot)
        await pilot.press("right")
        assert "Follow" in footer_of(demo_app)
        await pilot.press("right", "right", "left", "right", "enter")
        await settled(pilot)
        assert slug_of(demo_app) == "rate-limits" and "Back" in footer_of(demo_app)
        assert screen_of(demo_app).pages.current.slug == "rate-limits"  # type: ignore[union-attr]
        await pilot.press("right", "enter")
        await settled(pilot)
        assert slug_of(demo_app) == "nordpost"
        await pilot.press("b", "b")
        await settled(pilot)
        assert slug_of(demo_app) == "nordpost" and "Back" not in footer_of(demo_app)


@pytest.mark.long
async def test_a_click_follows_a_link(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        view = screen_of(demo_app).view
        x = view.document.rows(2, 60)[0].plain.index("parcel-api")
        await pilot.click(view, offset=(x + 3, 2))
        await settled(pilot)
        assert slug_of(demo_app) == "parcel-api"


@pytest.mark.long
async def test_a_link_to_nowhere_and_one_to_a_page_that_became_another(app_on: AppMaker, bare: Workbench) -> None:
    write(bare, "a", "\n[[nowhere]] and [[old]] and [[wiki:a|itself]]\n")
    write(bare, "b", "\nThe new one.\n")
    write(bare, "old", "\n", "category: concept\nredirect_to: b\n")
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "enter", "right", "enter")
        assert toasts(app) == ["No page nowhere yet: n begins one"] and slug_of(app) == "a"
        await pilot.press("right", "enter")
        await settled(pilot)
        assert slug_of(app) == "b" and len(rows_of(app)) == 2


@pytest.mark.long
async def test_backlinks_and_sources_lead_on(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        ties = screen_of(demo_app).ties
        ties.focus()
        assert ties.border_title == "2 backlinks · 3 sources"
        await pilot.press("down", "down", "enter")
        await settled(pilot)
        assert isinstance(demo_app.screen, ReaderScreen) and demo_app.screen.page.passage == (20, 27)
        await pilot.press("escape")
        await settled(pilot)
        await pilot.press("home", "enter")
        await settled(pilot)
        assert slug_of(demo_app) == "parcel-api"


async def test_a_source_that_is_gone_says_so(app_on: AppMaker, bare: Workbench) -> None:
    write(bare, "a", "\nText.\n")
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        ties = screen_of(app).ties
        assert ties.draw(ties.items[0], 40).plain.rstrip().endswith("▲ not there")
        ties.focus()
        await pilot.press("enter")
        await settled(pilot)
        assert toasts(app) == ["a.md is not there"]


@pytest.mark.long
async def test_lint_lists_what_is_wrong_and_leads_to_the_page(app_on: AppMaker, sample: Workbench) -> None:
    write(sample, "half", "", "name: Half a page\n")
    app = app_on(sample)
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot, "l")
        assert [row.split("  ")[0] for row in rows_of(app)] == [
            "▲ orphan flaky-tests no other page links to it",
            "▲ malformed half it has no category; one of entity, concept, project, reference, theme",
        ]
        await pilot.press("down", "enter")
        await settled(pilot)
        assert slug_of(app) == "half" and screen_of(app).view.has_focus and "not a page" in text_of(app)
        await pilot.press("escape")
        await settled(pilot)
        assert screen_of(app).findings.has_focus
        await pilot.press("escape")
        await settled(pilot)
        assert screen_of(app).pages.has_focus and not screen_of(app).is_linting
        await pilot.press("l", "l")
        await settled(pilot)
        assert not screen_of(app).is_linting
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, Home)


@pytest.mark.long
async def test_a_rebuild_is_shown_made_and_taken_back(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    path = sample.layout.wiki / "nordpost.md"
    before = path.read_bytes()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "R")
        assert isinstance(app.screen, PlanModal)
        await pilot.press("escape")
        await settled(pilot)
        assert path.read_bytes() == before
        await pilot.press("R")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert "## From its sources" in text_of(app) and toasts(app) == ["Rebuilt nordpost   u undo"]
        await pilot.press("R")
        await settled(pilot)
        assert toasts(app)[-1] == "nordpost is in order already"
        await pilot.press("u")
        await settled(pilot)
        assert path.read_bytes() == before and "## From its sources" not in text_of(app)


@pytest.mark.long
async def test_a_model_tells_the_page_that_is_shown(app_on: AppMaker, sample: Workbench, tmp_path: Path) -> None:
    day = sample.layout.days / "2026-03-05.md"
    day.parent.mkdir(exist_ok=True)
    day.write_text("- Nordpost pays 40 dollars a month.\n")
    page = page_changes.append(sample.store, "nordpost", "x", PageSource(SourceRef(sample.store.relative(day))))
    sample.apply(lambda store: page)
    number = len(
        [
            one
            for one in source_statements(sample.store, page_changes.open_wiki(sample.store).page("nordpost"))
            if one.is_of_page
        ]
    )
    claims = [{"text": "Nordpost pays 40 dollars.", "lines": list(range(1, number + 1))}]
    model = FakeModel(tmp_path / "model", {"sections": [{"heading": "Price", "claims": claims}]})
    app = app_on(Workbench(store_with(model, sample.store), ""))
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "R")
        assert isinstance(app.screen, PlanModal) and len(model.asked) == 1
        await pilot.press("enter")
        await settled(pilot)
        assert "## Price" in text_of(app) and len(model.asked) == 1, "what was shown is made"


@pytest.mark.long
async def test_a_model_that_does_not_answer_is_left_with_escape(
    app_on: AppMaker, sample: Workbench, tmp_path: Path
) -> None:
    model = FakeModel(tmp_path / "model", {})
    (model.folder / "model.py").write_text(
        "import pathlib, sys, time\nsys.stdin.read()\n"
        f"pathlib.Path({str(tmp_path / 'asked')!r}).touch()\ntime.sleep(600)\n"
    )
    app = app_on(Workbench(store_with(model, sample.store), ""))
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await pilot.press("R")
        while not (tmp_path / "asked").exists():
            await pilot.pause(0.02)
        await pilot.press("R")
        assert not isinstance(app.screen, PlanModal)
        await pilot.press("escape")
        await settled(pilot)
        assert toasts(app)[-1] == "Stopped; nothing was rebuilt" and not isinstance(app.screen, PlanModal)
        assert "rebuilding" not in str(screen_of(app).query_one("#page").border_subtitle)


@pytest.mark.long
async def test_a_page_that_cannot_be_rebuilt_says_why(app_on: AppMaker, bare: Workbench) -> None:
    write(bare, "a", "\nText.\n")
    write(bare, "z", BROKEN, "name: x\n")
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "R")
        assert "none of the sources of a can be read" in toasts(app)[-1]
        await pilot.press("down")
        await settled(pilot)
        assert "Rebuild" not in footer_of(app)


@pytest.mark.long
async def test_n_begins_a_page_that_can_be_taken_back(app_on: AppMaker, bare: Workbench) -> None:
    app = app_on(bare)
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        assert screen_of(app).pages.empty == EMPTY_WIKI
        await pilot.press("n")
        assert isinstance(app.screen, PageNameModal)
        await typed(pilot, "東京")
        await pilot.press("enter")
        assert isinstance(app.screen, PageNameModal)
        await pilot.press("ctrl+u")
        await typed(pilot, "Token Refresh [/x]")
        assert str(app.screen.query_one("#page-name").border_subtitle) == "a new page: token-refresh-x.md"
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, CategoryModal)
        await pilot.press("down", "enter")
        await settled(pilot)
        page = page_changes.open_wiki(bare.store).pages["token-refresh-x"]
        assert (page.name, page.category) == ("Token Refresh [/x]", "concept")
        assert slug_of(app) == "token-refresh-x" and "Started the page token-refresh-x" in toasts(app)[-1]
        await pilot.press("u")
        await settled(pilot)
        assert rows_of(app) == [] and not (bare.layout.wiki / "token-refresh-x.md").exists()


@pytest.mark.long
async def test_a_page_is_not_begun_when_the_person_goes_back(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot, "n")
        await typed(pilot, "JWT auth")
        assert "▲ the wiki already has jwt-auth" in str(app.screen.query_one("#page-name").border_subtitle)
        await pilot.press("ctrl+u")
        await typed(pilot, "New")
        await pilot.press("enter")
        await settled(pilot)
        await pilot.press("escape")
        await settled(pilot)
        assert not (sample.layout.wiki / "new.md").exists() and screen_of(app)


@pytest.mark.long
async def test_y_copies_the_page_with_where_it_is_from(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await opened(pilot, "y")
        assert demo_app.clipboard.endswith("\n— memory/wiki/nordpost.md") and "One batch" in demo_app.clipboard


@pytest.mark.long
async def test_slash_goes_to_the_search(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await opened(pilot, "slash")
        assert isinstance(demo_app.screen, Home) and isinstance(demo_app.screen.focused, Input)


@pytest.mark.long
async def test_keys_that_need_a_page_are_not_offered_without_one(app_on: AppMaker, bare: Workbench) -> None:
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        assert {"Rebuild", "Open", "Back"}.isdisjoint(footer_of(app)) and {"New", "Lint"} <= set(footer_of(app))
        await pilot.press("R", "b", "y", "o", "enter")
        await settled(pilot)
        assert screen_of(app)


@pytest.mark.long
async def test_what_others_write_appears_and_the_cursor_stays(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "down", "down")
        write(sample, "aaa", "\nNew.\n", "name: A\ncategory: entity\nsources: [x]\n")
        path = sample.layout.wiki / "jwt-auth.md"
        path.write_text(path.read_text().replace("## What holds", "## What holds now"))
        app.memory_changed.publish(None)
        await settled(pilot)
        assert len(rows_of(app)) == 8 and slug_of(app) == "jwt-auth" and "What holds now" in text_of(app)
        assert screen_of(app).pages.current.slug == "jwt-auth"  # type: ignore[union-attr]
        path.unlink()
        app.memory_changed.publish(None)
        await settled(pilot)
        assert slug_of(app) != "jwt-auth"


async def test_a_malformed_page_stands_in_the_list_and_is_shown_as_it_is(app_on: AppMaker, bare: Workbench) -> None:
    write(bare, "half", "\nIt has no category.\n", "name: Half\n")
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        assert rows_of(app) == ["half ▲ no page"]
        assert "it has no category" in text_of(app) and "It has no category." in text_of(app)


@pytest.mark.long
async def test_pages_of_shared_wikis_stand_behind_the_own_ones(app_on: AppMaker, bare: Workbench) -> None:
    write(bare, "a", "\nSee [[team:b]].\n")
    team = bare.store.root / "team"
    team.mkdir()
    (team / "b.md").write_text("---\ncategory: concept\ndescription: x\nsources: [x]\n---\n\nOurs, [[c]] too.\n")
    (team / "c.md").write_text("---\ncategory: concept\ndescription: x\nsources: [x]\n---\n\nSee [[b]].\n")
    bare.layout.config.write_text('layout = "entity"\n[wiki]\nshared = ["team = team"]\n')
    app = app_on(Workbench.open(bare.store.root, environment=bare.store.environment, now=bare.store.now))
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "enter", "right", "enter")
        assert screen_of(app).shown == ("team", "b") and rows_of(app)[1].startswith("team: b")
        await pilot.press("right", "enter")
        await settled(pilot)
        assert screen_of(app).shown == ("team", "c")


@pytest.mark.long
@pytest.mark.parametrize("size", [WIDE, NARROW, (40, 12)])
async def test_hostile_pages_are_shown_as_what_they_are(app_on: AppMaker, tmp_path, size: tuple[int, int]) -> None:
    bench = hostile_wiki(hostile_memory(tmp_path / "hostile"))
    app = app_on(bench)
    async with app.run_test(size=size) as pilot:
        await opened(pilot, "enter", "right", "right", "right", "enter", "b", "escape", "down", "down", "l", "down")
        assert app.is_running and accident(app) is None
        await pilot.press("escape", "escape", "4")
        await settled(pilot)
        assert screen_of(app)
