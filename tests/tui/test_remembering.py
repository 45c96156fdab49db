"""A lesson is saved from any screen: found in the palette by a person's own word, shown before it is saved."""

from __future__ import annotations

import pytest
from textual.command import CommandPalette
from textual.widgets import Input, OptionList, Static

from recall_tui.cli.command_table import COMMANDS, familiar_words
from recall_tui.features.context.consume import window_text
from recall_tui.features.curation.remember import remember
from recall_tui.tui.app import RecallApp
from recall_tui.tui.program_commands import ProgramCommand
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.tui.screens.remember_modal import RememberModal
from recall_tui.tui.screens.text_modal import TextModal
from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker, pressed, settled, toasts, typed, until

LESSON = "The import fails on a semicolon: name the separator."


async def palette_rows(app: RecallApp, pilot: object, words: str) -> list[str]:
    await settled(pilot)  # type: ignore[arg-type]
    await pilot.press("ctrl+p")  # type: ignore[attr-defined]
    await typed(pilot, words)  # type: ignore[arg-type]
    await settled(pilot)  # type: ignore[arg-type]
    assert isinstance(app.screen, CommandPalette)
    options = app.screen.query_one(OptionList)
    return [str(options.get_option_at_index(at).prompt) for at in range(options.option_count)]


@pytest.mark.parametrize("word", ["lesson", "note", "learn", "decision", "fact", "remember", "add"])
async def test_the_palette_finds_it_by_the_words_of_a_person(demo_app: RecallApp, word: str) -> None:
    async with demo_app.run_test(size=(120, 36)) as pilot:
        rows = await palette_rows(demo_app, pilot, word)
        assert any(row.startswith("Remember") and " + " in row for row in rows), rows


@pytest.mark.parametrize(
    ("word", "command"),
    [
        ("connect", "install"),
        ("handover", "consume"),
        ("hand over", "consume"),
        ("next", "consume"),
        ("share", "consume"),
        ("share", "export"),
    ],
)
async def test_the_palette_finds_commands_by_words_of_other_programs(
    demo_app: RecallApp, word: str, command: str
) -> None:
    demo_app.program_commands = tuple(
        ProgramCommand(name, row.help, row.usage, familiar_words(name)) for name, row in COMMANDS.items()
    )
    async with demo_app.run_test(size=(120, 36)) as pilot:
        assert any(row.startswith(command) for row in await palette_rows(demo_app, pilot, word))


@pytest.mark.parametrize("keys", [(), ("6",), ("enter",)], ids=["Home", "Health", "reader"])
async def test_a_lesson_is_shown_as_a_diff_and_saved_and_taken_back(
    demo_app: RecallApp, sample: Workbench, keys: tuple[str, ...]
) -> None:
    file = sample.layout.memory_file
    before = file.read_text(encoding="utf-8")
    async with demo_app.run_test(size=(80, 24)) as pilot:
        await pressed(pilot, *keys, "+")
        assert isinstance(demo_app.screen, RememberModal)
        await typed(pilot, LESSON)
        change = demo_app.screen.query_one("#change", Static)
        await until(pilot, lambda: f"+- {LESSON}" in str(change.content))
        assert file.read_text(encoding="utf-8") == before, "nothing is written before enter"
        await pressed(pilot, "enter")
        assert f"- {LESSON}\n" in file.read_text(encoding="utf-8")
        assert (
            toasts(demo_app)[-1].startswith("Remembered in memory/MEMORY.md: The import")
            and "undo" in toasts(demo_app)[-1]
        )
        if not isinstance(demo_app.screen, ReaderScreen):
            await pressed(pilot, "u")
            assert file.read_text(encoding="utf-8") == before


async def test_enter_right_behind_the_line_saves_it_once(demo_app: RecallApp, sample: Workbench) -> None:
    async with demo_app.run_test(size=(80, 24)) as pilot:
        await pressed(pilot, "+")
        demo_app.screen.query_one(Input).value = LESSON
        await pilot.press("enter", "enter")
        await settled(pilot)
        assert sample.layout.memory_file.read_text(encoding="utf-8").count(LESSON) == 1


async def test_what_is_there_already_is_named_and_an_empty_line_is_not_saved(
    demo_app: RecallApp, sample: Workbench
) -> None:
    sample.apply(remember, LESSON)
    async with demo_app.run_test(size=(80, 24)) as pilot:
        await pressed(pilot, "+", "enter")
        panel = demo_app.screen.query_one("#remember")
        assert "nothing to remember" in str(panel.border_subtitle)
        await typed(pilot, LESSON)
        await until(pilot, lambda: "Already there: line" in str(panel.border_subtitle))
        await pressed(pilot, "enter")
        assert isinstance(demo_app.screen, RememberModal)
        await pressed(pilot, "escape")
        assert not isinstance(demo_app.screen, RememberModal)
    assert sample.layout.memory_file.read_text(encoding="utf-8").count(LESSON) == 1


async def test_the_added_line_is_in_sight_on_a_small_terminal(app_on: AppMaker, bare: Workbench) -> None:
    app = app_on(bare)
    async with app.run_test(size=(80, 24)) as pilot:
        await pressed(pilot, "+")
        await typed(pilot, LESSON)
        change = app.screen.query_one("#change", Static)
        await until(pilot, lambda: f"+- {LESSON}" in str(change.content))
        await settled(pilot)
        lines = str(change.content).splitlines()
        assert lines[0] == "memory/MEMORY.md" and lines[-1] == f"+- {LESSON}" and len(lines) <= change.size.height


async def test_consume_in_the_palette_shows_what_it_prints(demo_app: RecallApp, sample: Workbench) -> None:
    demo_app.program_commands = tuple(ProgramCommand(name, row.help, row.usage) for name, row in COMMANDS.items())
    async with demo_app.run_test(size=(80, 24)) as pilot:
        await palette_rows(demo_app, pilot, "consume")
        await pressed(pilot, "enter")
        await settled(pilot)
        assert isinstance(demo_app.screen, TextModal)
        shown = str(demo_app.screen.query_one("#said Static", Static).content)
        assert shown == window_text(sample.store).strip() and shown.count("## Session") == len(sample.window.entries)
        await pressed(pilot, "escape")


async def test_consume_of_an_empty_window_says_so(app_on: AppMaker, bare: Workbench) -> None:
    app = app_on(bare)
    app.program_commands = tuple(ProgramCommand(name, row.help, row.usage) for name, row in COMMANDS.items())
    async with app.run_test(size=(80, 24)) as pilot:
        await palette_rows(app, pilot, "consume")
        await pressed(pilot, "enter")
        await settled(pilot)
        assert "Nothing yet" in str(app.screen.query_one("#said Static", Static).content)
