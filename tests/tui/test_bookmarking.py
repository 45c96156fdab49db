"""The app opens where it was left."""

from __future__ import annotations

import pytest

from recall_tui.storage.state import app_state
from recall_tui.storage.state.app_state import STATE_FILE, AppState
from recall_tui.tui.screens.distill.lists import DistillLists
from recall_tui.tui.screens.distill.screen import Distill
from recall_tui.tui.screens.home.screen import Home, WindowList
from recall_tui.tui.screens.settings.screen import Settings
from recall_tui.tui.screens.settings.setting_list import SettingList
from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker, search, settled, toasts

WIDE = (120, 36)


@pytest.mark.long
async def test_the_screen_and_what_its_cursor_stood_on(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("7", "down", "down")
        await settled(pilot)
        key = app.screen.query_one(SettingList).key
        await pilot.press("q")
    again = app_on(sample)
    async with again.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert isinstance(again.screen, Home), "the app opens with Home, wherever it was left"
        await pilot.press("7")
        await settled(pilot)
        assert isinstance(again.screen, Settings)
        assert again.screen.query_one(SettingList).key == key


@pytest.mark.long
async def test_a_restart_shows_every_session_and_not_the_last_search(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await search(pilot, "why did we pick jwt over sessions")
        await pilot.press("down", "down", "tab")
        await settled(pilot)
        assert isinstance(app.screen, Home)
        await pilot.press("2")
        await settled(pilot)
        await pilot.press("1")
        await settled(pilot)
        await pilot.press("ctrl+q")
    again = app_on(sample)
    async with again.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert isinstance(again.screen, Home)
        assert again.screen.search_box.value == "" and not again.screen.archive.is_answering
        assert again.screen.focused is not again.screen.search_box, "letters are commands at the start"


@pytest.mark.long
async def test_the_list_that_had_the_focus(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        app.screen.query_one(WindowList).focus()
        await pilot.press("down", "q")
    again = app_on(sample)
    async with again.run_test(size=WIDE) as pilot:
        await settled(pilot)
        window = again.screen.query_one(WindowList)
        assert again.screen.focused is window and window.cursor == 1


async def test_a_cursor_is_put_back_only_until_it_is_moved(app_on: AppMaker, sample: Workbench) -> None:
    app_state.write_state(sample.store, AppState("home", "archive", {"home/archive": "of what is not there"}))
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, Home)
        archive = app.screen.archive
        await pilot.press("down", "down")
        assert archive.cursor == 2
        app.memory_changed.publish(None)
        await settled(pilot)
        assert archive.cursor == 2


@pytest.mark.long
async def test_distill_takes_up_the_section(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("2")
        await settled(pilot)
        parts = app.screen.query_one(DistillLists).parts
        parts.focus()
        await pilot.press("down", "down", "down")
        await settled(pilot)
        key = parts.key
        await pilot.press("q")
    again = app_on(sample)
    async with again.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("2")
        await settled(pilot)
        assert isinstance(again.screen, Distill)
        assert again.screen.query_one(DistillLists).parts.key == key


@pytest.mark.long
async def test_it_is_kept_when_another_screen_is_shown(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("7")
        await settled(pilot)
        left = app_state.read_state(sample.store)
        assert left.screen == "home" and left.cursors["home/archive"]


async def test_a_damaged_one_changes_nothing(app_on: AppMaker, sample: Workbench) -> None:
    sample.store.state.mkdir(parents=True, exist_ok=True)
    (sample.store.state / STATE_FILE).write_bytes(b"{broken")
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, Home) and toasts(app) == []


async def test_a_screen_that_is_no_more_is_home(app_on: AppMaker, sample: Workbench) -> None:
    app_state.write_state(sample.store, AppState(screen="no such"))
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, Home)


@pytest.mark.long
async def test_a_state_folder_that_takes_nothing_stops_nobody(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        (sample.store.state / STATE_FILE / "in the way").mkdir(parents=True)
        await pilot.press("7", "1", "q")
        await settled(pilot)
    assert app.return_code == 0


@pytest.mark.long
async def test_an_app_that_shall_remember_nothing_keeps_nothing(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample, remembers=False)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("7", "q")
        await settled(pilot)
    assert not (sample.store.state / STATE_FILE).exists()
