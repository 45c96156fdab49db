"""Help, footer and palette are made from the live bindings and from nothing else."""

from __future__ import annotations

from functools import partial

import pytest
from textual._callback import invoke
from textual.command import CommandPalette
from textual.events import Key
from textual.widgets import Input, OptionList, Static

from recall_tui.storage import trust
from recall_tui.tui.app import RecallApp
from recall_tui.tui.keys.commands import live_commands
from recall_tui.tui.screen_table import SCREENS, load_screen
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.key_help import KeyHelp
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker, footer_of, settled, toasts, typed, until

WIDE = (120, 36)
UNSENDABLE = {"ctrl+m", "ctrl+i", "ctrl+h", "ctrl+j", "ctrl+left_square_bracket"}


async def test_the_footer_shows_only_keys_that_work_now(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert footer_of(demo_app) == ["Open", "Search", "Distill", "Copy", "Undo", "Keys", "Commands"]
        await pilot.press("slash")
        await settled(pilot)
        assert "Copy" not in footer_of(demo_app), "the letter goes into the search"
        assert "Back" in footer_of(demo_app)


@pytest.mark.long
async def test_help_lists_the_keys_of_the_panel_the_screen_and_everywhere(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(demo_app.screen, KeyHelp)
        text = str(demo_app.screen.query_one("#keys Static", Static).content)
        for words in (
            "This panel: Sessions",
            "This screen",
            "Everywhere",
            "Search everything",
            "Undo your last change",
            "Leave the app",
        ):
            assert words in text
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(demo_app.screen, Home)


@pytest.mark.long
async def test_every_key_of_the_panel_is_in_the_help(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        titles = [command.help or command.title for command in live_commands(demo_app.screen)]
        await pilot.press("question_mark")
        await pilot.pause()
        text = str(demo_app.screen.query_one("#keys Static", Static).content)
        assert all(title in text for title in titles)


@pytest.mark.long
async def test_the_palette_holds_every_command_with_its_key(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        commands = [one for one in live_commands(demo_app.screen) if one.is_shown]
        await pilot.press("ctrl+p")
        await settled(pilot)
        assert isinstance(demo_app.screen, CommandPalette)
        options = demo_app.screen.query_one(OptionList)
        rows = [str(options.get_option_at_index(at).prompt) for at in range(options.option_count)]
        for command in commands:
            if command.action != "command_palette":
                assert any(command.title in row and command.keys[0] in row for row in rows), command.title


@pytest.mark.long
async def test_the_palette_runs_what_it_lists(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+p")
        await typed(pilot, "open the selected row")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(demo_app.screen, ReaderScreen)


async def test_commands_that_the_search_would_eat_are_in_the_palette_still(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash")
        assert isinstance(demo_app.screen.focused, Input)
        assert "Undo" in [command.title for command in live_commands(demo_app.screen)]


@pytest.mark.long
async def test_keys_can_be_changed_in_the_settings(app_on: AppMaker, sample: Workbench) -> None:
    sample.layout.config.write_text('layout = "entity"\n[keys]\nsearch = "s"\n', encoding="utf-8")
    trust.confirm(sample.store)
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("s")
        assert isinstance(app.screen.focused, Input)


@pytest.mark.parametrize("entry", SCREENS, ids=lambda entry: entry.name)
def test_every_screen_of_the_table_can_be_loaded(entry: object) -> None:
    page = load_screen(entry)  # type: ignore[arg-type]
    assert entry.name == page.NAME  # type: ignore[attr-defined]


@pytest.mark.long
async def test_no_key_is_one_that_terminals_cannot_send(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        for screen_key in ("", "enter"):
            if screen_key:
                await pilot.press(screen_key)
                await settled(pilot)
            for node in (demo_app, demo_app.screen, demo_app.screen.focused):
                assert node is not None
                own = [
                    binding
                    for base in type(node).__mro__
                    if "recall_tui" in base.__module__
                    for binding in base.__dict__.get("BINDINGS", [])
                ]
                assert UNSENDABLE.isdisjoint(key for binding in own for key in binding.key.split(","))


async def test_every_binding_of_the_app_has_an_id_of_its_own(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        # Textual merges the bindings of all classes of a node there; active_bindings has those of one key once.
        for node in (demo_app, demo_app.screen):
            ids = {(binding.id, binding.action) for _, binding in node._bindings if "recall" in type(node).__module__}
            names = [name for name, _ in ids if name]
            assert len(names) == len(set(names))


@pytest.mark.long
@pytest.mark.parametrize("opens", ["ctrl+p", "ctrl+t"])
async def test_keys_may_come_faster_than_the_palette_opens_and_closes(demo_app: RecallApp, opens: str) -> None:
    async with demo_app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        for key in (opens, "pageup", "end", "enter", "escape", "escape"):
            demo_app.post_message(Key(key, None))
        await settled(pilot)
        assert demo_app.is_running


@pytest.mark.long
async def test_a_search_that_begins_while_the_palette_closes_ends_nothing(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+p", "l")
        palette = demo_app.screen
        assert isinstance(palette, CommandPalette)
        await pilot.press("escape")
        await settled(pilot)
        # The palette asks for this at each letter; a letter of a test comes before it closes or not at all.
        late = palette._gather_commands("token")
        await late.wait()
        assert isinstance(demo_app.screen, Home)


@pytest.mark.long
async def test_saying_that_nothing_matches_when_the_palette_has_closed_ends_nothing(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+p", *"xqz")
        palette = demo_app.screen
        assert isinstance(palette, CommandPalette)
        # What the palette of Textual does after the letters, at a moment that no test can choose.
        palette._start_no_matches_countdown("xqz")
        assert palette._no_matches_timer is not None
        later = palette._no_matches_timer._callback
        assert isinstance(later, partial)
        await pilot.press("escape")
        await settled(pilot)
        # The timer had fired, and what it calls waited among the palette's messages.
        await invoke(later.args[0])
        assert isinstance(demo_app.screen, Home)


@pytest.mark.long
async def test_the_palette_opens_over_a_page_that_opened_over_a_palette(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+p")
        await demo_app.push_screen(KeyHelp(demo_app.screen_stack[0]))
        await pilot.press("ctrl+p")
        await settled(pilot)
        assert isinstance(demo_app.screen, CommandPalette)
        for kind in (KeyHelp, CommandPalette, Home):
            await pilot.press("escape")
            await settled(pilot)
            assert isinstance(demo_app.screen, kind)


async def test_letters_scattered_over_a_description_find_no_command(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+p")
        await typed(pilot, "theme")
        await settled(pilot)
        rows = demo_app.screen.query_one(OptionList).options
        assert rows and all("theme" in str(row.prompt).casefold() for row in rows)


async def test_a_theme_that_is_chosen_is_kept_in_the_settings_and_u_takes_it_back(demo_app: RecallApp) -> None:
    assert demo_app.bench is not None
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        was = demo_app.theme
        await pilot.press("ctrl+t", *"recall-light")
        await settled(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: demo_app.bench.config.text("theme") == "recall-light")  # type: ignore[union-attr]
        assert demo_app.theme == "recall-light" and "Set theme = recall-light" in toasts(demo_app)[-1]
        await pilot.press("u")
        await until(pilot, lambda: demo_app.theme == was)
