"""Rows are marked, and archived, exported or forgotten together; without a mark it is the row under the cursor."""

from __future__ import annotations

import stat
from datetime import timedelta
from pathlib import Path

import pytest
from textual.events import Key

from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.export_name_modal import ExportNameModal
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.tui.screens.text_modal import ForgetModal
from recall_tui.tui.widgets.row_list import NO_ROW
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import transcript
from tests.tui.piloting import AppMaker, pressed, search, settled, toasts, typed

WIDE = (120, 36)
TALK = [("user", "Why do walruses sleep?"), ("assistant", "Because a tired walrus must not swim.")]


def home(app: RecallApp) -> Home:
    assert isinstance(app.screen, Home)
    return app.screen


def numbers(app: RecallApp) -> list[int]:
    return [row.number for row in home(app).archive.marked]  # type: ignore[union-attr]


def border(app: RecallApp) -> str:
    return str(home(app).archive.border_subtitle)


@pytest.mark.long
async def test_rows_are_marked_and_unmarked(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "space", "j", "space")
        assert numbers(demo_app) == [14, 12]
        assert border(demo_app).startswith("2 marked · ") and border(demo_app).endswith(" · 14")
        marked = home(demo_app).archive
        assert [marked.draw_at(place, 60).plain[0] for place in range(3)] == ["●", " ", "●"]
        await pressed(pilot, "k", "space")
        assert numbers(demo_app) == [14]
        await pressed(pilot, "asterisk")
        assert len(numbers(demo_app)) == 14
        await pressed(pilot, "asterisk")
        assert numbers(demo_app) == []
        await pressed(pilot, "space", "escape")
        assert (numbers(demo_app), border(demo_app)) == ([], "14")


@pytest.mark.long
async def test_marks_go_with_the_rows(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "space")
        await search(pilot, "jwt")
        assert home(demo_app).archive.marked == []
        await pressed(pilot, "down", "escape", "space", "r")
        assert len(numbers(demo_app)) == 1, "the same rows read anew keep their marks"


@pytest.mark.long
async def test_what_is_marked_is_forgotten_everywhere(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    gone = [sample.document(number).path for number in ("14", "13")]
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "space", "space", "F")
        assert isinstance(app.screen, ForgetModal)
        words = str(app.screen.query_one("#said Static").content)  # type: ignore[attr-defined]
        assert "conversation-014.md  goes" in words and "This cannot be undone" in words
        await pressed(pilot, "escape")
        assert all(path.is_file() for path in gone), "nothing goes without a yes"
        await pressed(pilot, "F", "enter")
        assert not any(path.exists() for path in gone)
        assert toasts(app)[-1].startswith("Forgot ")
        assert [row.number for row in home(app).archive.items][:2] == [12, 11]  # type: ignore[union-attr]
        assert border(app) == "12"
    assert {row.number for row in sample.rows}.isdisjoint({13, 14})


@pytest.mark.long
async def test_what_is_under_the_cursor_is_exported(app_on: AppMaker, sample: Workbench) -> None:
    target = sample.store.environment.home / "out.html"
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "e")
        assert isinstance(app.screen, ExportNameModal)
        await pressed(pilot, "ctrl+u", "enter")
        assert isinstance(app.screen, ExportNameModal), "no name is no file"
        await typed(pilot, "~/out.html")
        await pressed(pilot, "enter")
        assert toasts(app)[-1].startswith("Exported 1 to ")
    assert target.read_text(encoding="utf-8").startswith("<!")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


@pytest.mark.long
@pytest.mark.parametrize("name", ["~/taken.md", "~/no/such/folder.md", "~/picture.png", "~"])
async def test_a_file_is_never_overwritten_nor_guessed(app_on: AppMaker, sample: Workbench, name: str) -> None:
    (sample.store.environment.home / "taken.md").write_text("mine")
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "e", "ctrl+u")
        await typed(pilot, name)
        await pressed(pilot, "enter")
        assert isinstance(app.screen, ExportNameModal)
        assert "▲" in str(app.screen.query_one("#export-name").border_subtitle)
        await pressed(pilot, "escape")
        assert isinstance(app.screen, Home)
    assert (sample.store.environment.home / "taken.md").read_text() == "mine"
    assert (
        not (sample.store.environment.home / "no").exists()
        and not (sample.store.environment.home / "picture.png").exists()
    )


@pytest.mark.long
async def test_transcripts_among_the_hits_are_archived(app_on: AppMaker, sample: Workbench) -> None:
    for number in (1, 2):
        begun = NOON - timedelta(hours=number)
        transcript(sample.store.environment, number, TALK, start=begun)
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await search(pilot, "kind:transcript walrus")
        await pressed(pilot, "down", "escape")
        await search(pilot, "kind:transcript walrus")
        app.screen.set_focus(home(app).archive)
        await pressed(pilot, "asterisk", "a")
        assert toasts(app)[-1].startswith("Sessions: 2 archived")
        await settled(pilot)
    assert len(sample.rows) == 16


async def test_an_archive_is_archived_already(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "a")
        assert "archived" in toasts(demo_app)[-1]


@pytest.mark.long
async def test_nothing_is_chosen_in_an_empty_memory(app_on: AppMaker, bare: Workbench, tmp_path: Path) -> None:
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "space", "asterisk", "e", "F", "a")
        assert isinstance(app.screen, Home)
        assert toasts(app)[-3:] == [NO_ROW] * 3


@pytest.mark.long
async def test_a_yes_that_is_pressed_twice_is_heard_once(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "F")
        for _ in range(3):
            app.post_message(Key("enter", None))
        await settled(pilot)
        assert [words.startswith("Forgot ") for words in toasts(app)] == [True]
        assert isinstance(app.screen, Home | ReaderScreen)
    assert len(sample.rows) == 13


async def test_a_jump_takes_the_first_of_two_letters(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "ctrl+o")
        for letter in "xyz":
            demo_app.post_message(Key(letter, letter))
        await settled(pilot)
        assert isinstance(demo_app.screen, Home)
