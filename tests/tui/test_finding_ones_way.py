"""Finding one's way: tabs take the mouse, Review shows how much waits, and the palette holds the program's commands."""

from __future__ import annotations

import pytest
from textual.command import CommandPalette

from recall_tui.cli.command_table import COMMANDS, familiar_words
from recall_tui.tui.app import RecallApp
from recall_tui.tui.key_table import render_key_table
from recall_tui.tui.modal import Modal
from recall_tui.tui.program_commands import PLACES, ProgramCommand, place_keys
from recall_tui.tui.screen_table import SCREENS
from recall_tui.tui.screens.first_run import demo
from recall_tui.tui.screens.first_run.app import CHOOSE_AGAIN, FirstRunApp
from recall_tui.tui.screens.first_run.screen import FirstRun
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.text_modal import TextModal
from recall_tui.tui.widgets.budget_gauge import BudgetGauge
from recall_tui.tui.widgets.top_bar import TopBar
from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker, search, settled, toasts, typed


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_a_click_on_a_tab_shows_its_screen(app_on: AppMaker, sample: Workbench, size: tuple[int, int]) -> None:
    app = app_on(sample)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        for name in ("Timeline", "Review", "Settings", "Home"):
            line = app.screen.query_one(TopBar).render().plain
            await pilot.click(TopBar, offset=(line.index(name) + 1, 0))
            await settled(pilot)
            assert getattr(app.screen, "NAME", "") == name.lower()


async def test_review_shows_how_much_waits(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        bar = app.screen.query_one(TopBar)
        assert "5 Review·2 6 Health" in bar.render().plain and bar.render().cell_length <= 80
        app.proposals = 12
        await pilot.pause()
        assert "5 Review·+ " in bar.render().plain
        app.proposals = 0
        await pilot.pause()
        assert "5 Review 6 Health" in bar.render().plain


def test_every_place_of_a_command_exists() -> None:
    assert {*PLACES} <= {*COMMANDS}
    assert {place.screen for place in PLACES.values()} <= {"", *(entry.name for entry in SCREENS)}
    assert {place.binding for place in PLACES.values()} <= {"", *(row[3] for row in render_key_table())}


def with_commands(app: RecallApp) -> RecallApp:
    app.program_commands = tuple(
        ProgramCommand(name, row.help, row.usage, familiar_words(name)) for name, row in COMMANDS.items()
    )
    return app


async def test_the_palette_finds_the_programs_commands_and_names_their_keys(
    app_on: AppMaker, sample: Workbench
) -> None:
    app = with_commands(app_on(sample))
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        assert [place_keys(app, name) for name in ("archive", "search", "undo", "migrate")] == ["6 A", "1 /", "u", ""]
        await pilot.press("ctrl+p")
        await typed(pilot, "archive")
        await settled(pilot)
        assert isinstance(app.screen, CommandPalette)
        await pilot.press("escape")


@pytest.mark.parametrize(("name", "screen"), [("archive", "health"), ("distill", "distill"), ("config", "settings")])
async def test_a_command_of_the_palette_leads_to_its_place(
    app_on: AppMaker, sample: Workbench, name: str, screen: str
) -> None:
    from recall_tui.tui.program_commands import ProgramCommands

    app = with_commands(app_on(sample))
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        provider = ProgramCommands(app.screen)
        await provider._run(next(one for one in app.program_commands if one.name == name))
        await settled(pilot)
        assert getattr(app.screen, "NAME", "") == screen


async def test_a_command_without_a_place_shows_its_command_line(app_on: AppMaker, sample: Workbench) -> None:
    from recall_tui.tui.program_commands import ProgramCommands

    app = with_commands(app_on(sample))
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        provider = ProgramCommands(app.screen)
        await provider._run(next(one for one in app.program_commands if one.name == "migrate"))
        await settled(pilot)
        assert isinstance(app.screen, TextModal)
        assert "recall-tui migrate [--to hierarchical]" in str(app.screen.query_one("Static").content)  # type: ignore[attr-defined]


async def test_a_demo_says_that_it_is_one(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample, is_demo=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert any("This is a demo with sample data" in words for words in toasts(app))
        assert "demo, sample data" in str(app.screen.query_one(BudgetGauge).border_title)


async def test_leaving_the_sample_leads_back_to_the_choice(world) -> None:
    app = FirstRunApp(world, now=demo.demo_now, stopwatch=lambda: 0.0, follows=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("end", "enter")
        await settled(pilot)
        assert isinstance(app.screen, Home)
        await pilot.press("q")
    assert app.return_value == CHOOSE_AGAIN
    again = FirstRunApp(world, now=demo.demo_now, stopwatch=lambda: 0.0, follows=False)
    async with again.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert isinstance(again.screen, FirstRun)
        await pilot.press("q")
    assert again.return_value is None


async def test_the_cursor_stays_in_sight_when_the_terminal_shrinks(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test(size=(120, 50)) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, Home)
        await pilot.press("end")
        await settled(pilot)
        await pilot.resize_terminal(80, 24)
        await settled(pilot)
        rows = app.screen.archive
        first = rows.scroll_offset.y
        assert first <= rows.cursor < first + rows.scrollable_content_region.height


async def test_w_shows_and_hides_why_a_hit_is_ranked_here(app_on: AppMaker, sample: Workbench) -> None:
    sample.sync()
    app = app_on(sample)
    async with app.run_test(size=(120, 36)) as pilot:
        await search(pilot, "jwt sessions")
        assert isinstance(app.screen, Home)
        app.screen.archive.focus()
        await settled(pilot)
        why = app.screen.query_one("#why")
        assert not why.display
        await pilot.press("w")
        await settled(pilot)
        assert why.display
        await pilot.press("w")
        assert not why.display


async def test_the_palette_lists_undo_and_redo_once(app_on: AppMaker, sample: Workbench) -> None:
    from recall_tui.tui.program_commands import ProgramCommands

    app = with_commands(app_on(sample))
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        named = [hit.text for hit in [hit async for hit in ProgramCommands(app.screen).discover()]]
    assert "archive" in named and not {"undo", "redo"} & set(named)


async def test_the_screen_behind_a_dialog_follows_the_terminals_width(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test(size=(200, 50)) as pilot:
        await settled(pilot)
        await pilot.press("question_mark")
        await settled(pilot)
        home = app.screen_stack[0]
        assert home.has_class("-wide")
        await pilot.resize_terminal(80, 24)
        await settled(pilot)
        assert home is not app.screen and home.has_class("-narrow") and not home.has_class("-wide")


async def test_two_dialogs_over_one_another_are_resized_once(
    app_on: AppMaker, sample: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    resized: list[object] = []
    told = Modal.on_resize
    monkeypatch.setattr(Modal, "on_resize", lambda self, event: (resized.append(self), told(self, event))[1])
    app = app_on(sample)
    async with app.run_test(size=(120, 36)) as pilot:
        app.push_screen(Modal())
        app.push_screen(Modal())
        await settled(pilot)
        resized.clear()
        await pilot.resize_terminal(80, 24)
        await pilot.pause(0.5)
        assert 0 < len(resized) < 10


async def test_a_theme_chosen_against_the_environment_says_that_it_does_not_last(
    app_on: AppMaker, sample: Workbench
) -> None:
    env = {**sample.store.environment.env, "RECALL_THEME": "recall-light"}
    bench = Workbench.open(sample.store.root, environment=sample.store.environment._replace(env=env))
    app = app_on(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        app.choose_theme("nord")
        await settled(pilot)
        assert app.theme == "nord"
        assert toasts(app)[-1] == "nord for now: RECALL_THEME sets recall-light at every start"
