"""The reader shows when turns were said, and shares what is read as one page without secrets."""

from __future__ import annotations

import stat

import pytest
from textual.widgets import Input

from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.export_name_modal import ExportNameModal
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.workbench import Workbench
from tests.makers import transcript
from tests.tui.hostile import NAME
from tests.tui.piloting import AppMaker, footer_of, pressed, search, settled, shown, toasts, typed

WIDE = (120, 36)
KEY = "sk-ant-api03-" + "Zx9" * 30
TALK = [
    ("user", f"Why does the walrus job fail? The key is {KEY}"),
    ("assistant", "It reads the key from the wrong file."),
    ("user", "And the second walrus?"),
    ("assistant", "That one is asleep."),
]


@pytest.fixture
def app(app_on: AppMaker, bare: Workbench) -> RecallApp:
    """The app on a memory with one session that is not archived."""
    transcript(bare.store.environment, 1, TALK)
    bare.sync()
    return app_on(bare)


async def test_times_stand_at_the_right_edge_and_one_key_changes_them(app: RecallApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await search(pilot, "walrus")
        await pressed(pilot, "enter", "g")
        assert isinstance(app.screen, ReaderScreen)
        assert "claude" in str(app.screen.page.border_title) and "api" in str(app.screen.page.border_title)
        user = next(row for row in shown(app.screen) if row.strip().startswith("User"))
        assert user.endswith("12:00")
        await pressed(pilot, "T")
        assert next(row for row in shown(app.screen) if row.strip().startswith("User")).endswith("+0m")
        assert "Turns show the time since the start" in toasts(app)
        await pressed(pilot, "T")
        assert "User" in [row.strip() for row in shown(app.screen)]


async def test_e_shares_the_session_as_a_page_with_its_secrets_masked(app: RecallApp, bare: Workbench) -> None:
    target = bare.store.environment.home / "walrus.html"
    async with app.run_test(size=WIDE) as pilot:
        await search(pilot, "walrus")
        await pressed(pilot, "enter")
        assert {"Share", "Keys"} <= set(footer_of(app))
        await pressed(pilot, "e")
        assert isinstance(app.screen, ExportNameModal)
        assert app.screen.query_one(Input).value.startswith("~/") and app.screen.query_one(Input).value.endswith(
            ".html"
        )
        await pressed(pilot, "ctrl+u")
        await typed(pilot, "~/walrus.html")
        await pressed(pilot, "enter")
        assert toasts(app)[-1] == "Shared to ~/walrus.html, 1 secret masked"
        await pressed(pilot, "e", "ctrl+u")
        await typed(pilot, "~/walrus.html")
        await pressed(pilot, "enter")
        assert isinstance(app.screen, ExportNameModal), "no file is overwritten"
    page = target.read_text(encoding="utf-8")
    assert "That one is asleep" in page and KEY not in page
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


async def test_shift_e_shares_the_passage_alone(app: RecallApp, bare: Workbench) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await search(pilot, "asleep")
        await pressed(pilot, "enter", "E", "ctrl+u")
        await typed(pilot, "~/part.html")
        await pressed(pilot, "enter")
    page = (bare.store.environment.home / "part.html").read_text(encoding="utf-8")
    assert "That one is asleep" in page and "wrong file" not in page


async def test_a_hostile_title_names_no_place_and_breaks_no_border(app_on: AppMaker, bare: Workbench) -> None:
    transcript(bare.store.environment, 2, [("user", f"{NAME} ../../etc/passwd walrus \x1b[31m"), ("assistant", "No.")])
    bare.sync()
    app = app_on(bare)
    async with app.run_test(size=(80, 24)) as pilot:
        await search(pilot, "walrus")
        await pressed(pilot, "enter", "e")
        assert isinstance(app.screen, ExportNameModal)
        name = app.screen.query_one(Input).value
        assert name.startswith("~/") and name.count("/") == 1
        await pressed(pilot, "escape", "escape")
        assert isinstance(app.screen, Home)
        await settled(pilot)


async def test_the_suggested_name_is_cut_between_words(app_on: AppMaker, bare: Workbench) -> None:
    asked = "Rename every walrus of the parcel table before the import of Thursday evening"
    transcript(bare.store.environment, 1, [("user", asked), ("assistant", "Done.")])
    bare.sync()
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await search(pilot, "walrus")
        await pressed(pilot, "enter", "e")
        name = app.screen.query_one(Input).value
        assert name == "~/rename-every-walrus-of-the-parcel-table-before.html"
