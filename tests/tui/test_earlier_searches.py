"""Searches of before: what is remembered, and what can be done with it, key by key."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from recall_tui.storage.state import saved_searches
from recall_tui.storage.state.saved_searches import SavedSearch, SavedSearches
from recall_tui.tui.app import RecallApp
from recall_tui.tui.keys.commands import live_commands
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.search.search_box import SearchBox
from recall_tui.tui.screens.search.searches_modal import SavedSearchesModal, SearchNameModal
from recall_tui.workbench import Workbench
from tests.tui.hostile import NAME, NASTY
from tests.tui.piloting import AppMaker, footer_of, search, settled, toasts, tooltip_of, typed

WIDE = (120, 36)
KNOWN = (
    SavedSearches()
    .with_asked("staging keys since:2026-03")
    .with_asked("why did we pick jwt over sessions")
    .with_saved("flaky", "flaky webhook tests kind:conversation")
)


@pytest.fixture
def asked(sample: Workbench) -> Workbench:
    """The sample memory, asked a few questions before."""
    saved_searches.update(sample.store, lambda _: KNOWN)
    return sample


def list_of(app: RecallApp) -> SavedSearchesModal:
    assert isinstance(app.screen, SavedSearchesModal)
    return app.screen


def rows_of(app: RecallApp) -> list[str]:
    known = list_of(app).known
    return [" ".join(known.draw(row, 80).plain.split()) for row in known.items]


@pytest.mark.long
async def test_a_question_that_is_left_with_hits_is_remembered(demo_app: RecallApp, sample: Workbench) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "jwt sessions")
        assert saved_searches.read_searches(sample.store) == SavedSearches(), "typing alone is no news"
        await pilot.press("tab")
        await settled(pilot)
        assert saved_searches.read_searches(sample.store).recent == ("jwt sessions",)
        await pilot.press("escape")
        await settled(pilot)
        assert saved_searches.read_searches(sample.store).recent == ("jwt sessions",)


@pytest.mark.long
async def test_a_question_whose_hit_is_opened_is_remembered(demo_app: RecallApp, sample: Workbench) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "token refresh")
        await pilot.press("enter")
        await settled(pilot)
        assert saved_searches.read_searches(sample.store).recent == ("token refresh",)


@pytest.mark.long
async def test_escape_remembers_what_had_hits(demo_app: RecallApp, sample: Workbench) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        for words in ("xylophone zeppelin", "jwt kind:me"):
            await search(pilot, words)
            await pilot.press("escape")
            await settled(pilot)
        assert saved_searches.read_searches(sample.store).recent == ("jwt",), (
            "neither what found nothing nor half a filter"
        )


@pytest.mark.long
@pytest.mark.parametrize("keys", [("slash", "up"), ("slash", "ctrl+r"), ("ctrl+r",)])
async def test_the_list_opens_from_an_empty_search_or_from_anywhere(
    app_on: AppMaker, asked: Workbench, keys: tuple[str, ...]
) -> None:
    app = app_on(asked)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press(*keys)
        await settled(pilot)
        assert rows_of(app) == [
            "◆ flaky flaky webhook tests kind:conversation",
            "why did we pick jwt over sessions",
            "staging keys since:2026-03",
        ]
        assert list_of(app).query_one("#searches").border_subtitle == "1 saved · 2 recent"


@pytest.mark.long
async def test_up_leads_the_hits_when_something_is_typed(app_on: AppMaker, asked: Workbench) -> None:
    app = app_on(asked)
    async with app.run_test(size=WIDE) as pilot:
        await search(pilot, "token")
        await pilot.press("down", "up")
        await settled(pilot)
        assert isinstance(app.screen, Home) and app.screen.archive.cursor == 0


@pytest.mark.long
async def test_it_can_be_left_whatever_was_pressed_or_clicked_before(app_on: AppMaker, asked: Workbench) -> None:
    app = app_on(asked)
    async with app.run_test(size=WIDE) as pilot:
        for go_there in (lambda: pilot.press("tab"), lambda: pilot.press("shift+tab"), lambda: pilot.click("#known")):
            await settled(pilot)
            await pilot.press("ctrl+r")
            await settled(pilot)
            assert list_of(app).known.items
            await go_there()
            await pilot.press("escape")
            await settled(pilot)
            assert isinstance(app.screen, Home)


@pytest.mark.long
async def test_enter_asks_what_is_under_the_cursor(app_on: AppMaker, asked: Workbench) -> None:
    app = app_on(asked)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+r", "down", "enter")
        await settled(pilot)
        home = app.screen
        assert isinstance(home, Home)
        assert home.search_box.question == home.search_box.value == "why did we pick jwt over sessions"
        assert home.focused is home.search_box and home.archive.is_answering


@pytest.mark.long
async def test_escape_goes_back_and_changes_nothing(app_on: AppMaker, asked: Workbench) -> None:
    app = app_on(asked)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+r")
        await typed(pilot, "jwt")
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, Home)
        assert app.screen.search_box.value == "" and app.screen.focused is app.screen.archive
    assert saved_searches.read_searches(asked.store) == KNOWN


@pytest.mark.long
@pytest.mark.parametrize(
    ("letters", "rows"),
    [
        ("JWT", ["why did we pick jwt over sessions"]),
        ("stging kyes", ["staging keys since:2026-03"]),
        ("flaky", ["◆ flaky flaky webhook tests kind:conversation"]),
        ("zeppelin", []),
    ],
)
async def test_letters_leave_what_is_like_them(
    app_on: AppMaker, asked: Workbench, letters: str, rows: list[str]
) -> None:
    app = app_on(asked)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+r")
        await typed(pilot, letters)
        await settled(pilot)
        assert rows_of(app) == rows
        assert rows or "No search matches" in list_of(app).known.empty.plain
        assert ("Ask" in footer_of(app)) == bool(rows)


@pytest.mark.long
async def test_an_empty_list_says_what_will_appear(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+r")
        await settled(pilot)
        assert "ctrl+s in the search saves one under a name" in list_of(demo_app).known.empty.plain
        await pilot.press("enter", "delete", "ctrl+s", "ctrl+z", "down", "up")
        await settled(pilot)
        assert isinstance(demo_app.screen, SavedSearchesModal)


@pytest.mark.long
async def test_the_present_question_is_saved_under_a_name(demo_app: RecallApp, sample: Workbench) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "jwt sessions")
        assert "Save" in footer_of(demo_app)
        await pilot.press("ctrl+s")
        assert isinstance(demo_app.screen, SearchNameModal)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(demo_app.screen, SearchNameModal), "enter a name"
        await typed(pilot, " auth  history ")
        await pilot.press("enter")
        await settled(pilot)
        assert saved_searches.read_searches(sample.store).saved == (SavedSearch("auth history", "jwt sessions"),)
        assert toasts(demo_app) == ["Saved auth history: jwt sessions"]
        assert demo_app.screen.query_one(SearchBox).value == "jwt sessions"


@pytest.mark.long
async def test_a_recent_search_is_named_in_the_list(app_on: AppMaker, asked: Workbench) -> None:
    app = app_on(asked)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+r", "down", "ctrl+s")
        await typed(pilot, "auth")
        await pilot.press("enter")
        await settled(pilot)
        assert rows_of(app)[0] == "◆ auth why did we pick jwt over sessions"
    assert saved_searches.read_searches(asked.store).named("auth")


@pytest.mark.long
async def test_a_name_that_is_taken_says_what_it_replaces(app_on: AppMaker, asked: Workbench) -> None:
    app = app_on(asked)
    async with app.run_test(size=WIDE) as pilot:
        await search(pilot, "jwt")
        await pilot.press("ctrl+s")
        await typed(pilot, "flaky")
        panel = app.screen.query_one("#naming")
        assert "replaces flaky webhook tests" in str(panel.border_subtitle)
        await pilot.press("x")
        await settled(pilot)
        assert "replaces" not in str(panel.border_subtitle)
        await pilot.press("escape")
    assert saved_searches.read_searches(asked.store).named("flaky") == KNOWN.named("flaky")


@pytest.mark.long
async def test_the_name_a_question_has_stands_there_already(app_on: AppMaker, asked: Workbench) -> None:
    app = app_on(asked)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+r", "ctrl+s")
        await settled(pilot)
        assert app.screen.query_one("#name", Input).value == "flaky"


@pytest.mark.long
async def test_delete_takes_out_and_ctrl_z_puts_back(app_on: AppMaker, asked: Workbench) -> None:
    app = app_on(asked)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+r")
        await settled(pilot)
        assert "Put back" not in footer_of(app)
        await pilot.press("delete")
        await settled(pilot)
        await pilot.press("delete")
        await settled(pilot)
        assert rows_of(app) == ["staging keys since:2026-03"]
        assert toasts(app)[0] == "Removed flaky: flaky webhook tests kind:conversation   ctrl+z restores it"
        assert "Put back" in footer_of(app)
        await pilot.press("ctrl+z")
        await settled(pilot)
        await pilot.press("ctrl+z")
        await settled(pilot)
        assert "Put back" not in footer_of(app)
    assert saved_searches.read_searches(asked.store) == KNOWN


@pytest.mark.long
async def test_a_double_click_takes_a_search(app_on: AppMaker, asked: Workbench) -> None:
    app = app_on(asked)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+r")
        await settled(pilot)
        await pilot.double_click("#known", offset=(10, 2))
        await settled(pilot)
        assert app.screen.query_one(SearchBox).value == "staging keys since:2026-03"


@pytest.mark.long
@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_hostile_searches_are_shown_as_they_are(
    app_on: AppMaker, sample: Workbench, size: tuple[int, int]
) -> None:
    saved_searches.update(sample.store, lambda known: known.with_asked(NASTY).with_saved(NAME, NASTY))
    app = app_on(sample)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+r")
        await settled(pilot)
        assert rows_of(app)[0].startswith(f"◆ {NAME}")
        await typed(pilot, "[/x] [b")
        await settled(pilot)
        assert rows_of(app)[0].startswith(f"◆ {NAME}")
        await pilot.press("ctrl+s", "enter", "delete", "ctrl+z")
        await settled(pilot)
        assert "\x1b" not in app.export_screenshot()
        await pilot.press("enter")
        await settled(pilot)
        await pilot.press("ctrl+s")
        await typed(pilot, NAME)
        await settled(pilot)
        assert "\x1b" not in app.export_screenshot()


@pytest.mark.long
async def test_a_state_folder_that_cannot_be_written_stops_no_search(app_on: AppMaker, sample: Workbench) -> None:
    sample.store.state.mkdir(parents=True, exist_ok=True)
    (sample.store.state / saved_searches.SEARCHES_LOCK).mkdir()
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await search(pilot, "jwt")
        await pilot.press("tab")
        await settled(pilot)
        assert toasts(app) == []
        await pilot.press("slash", "ctrl+s")
        await typed(pilot, "auth")
        await pilot.press("enter")
        await settled(pilot)
        assert "searches.lock" in toasts(app)[-1], "what was asked for and not done is said"


@pytest.mark.long
async def test_a_damaged_file_is_no_trouble(app_on: AppMaker, sample: Workbench) -> None:
    path: Path = sample.store.state / saved_searches.SEARCHES_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"{]")
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await search(pilot, "jwt")
        await pilot.press("escape")
        await settled(pilot)
        assert toasts(app) == []
    assert saved_searches.read_searches(sample.store).recent == ("jwt",)


@pytest.mark.long
async def test_the_commands_are_read_off_the_bindings(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        titles = {command.title: command for command in live_commands(demo_app.screen)}
        assert titles["Earlier searches"].keys == ("^r",)
        await search(pilot, "jwt")
        titles = {command.title: command for command in live_commands(demo_app.screen)}
        assert titles["Save"].help == tooltip_of(SearchBox, "save_search")
        assert "Earlier" not in titles, "up leads the hits now"
