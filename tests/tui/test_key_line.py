"""The line of keys says what works here, and a click on it does what the key does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from recall_tui.tui.widgets.footer import KeyFooter


class Keyed(App[None]):
    """An app with a few keys; one of them does nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "note('open')", "Open", tooltip="Open it"),
        Binding("x", "note('drop')", "Drop"),
        Binding("日", "note('day')", "日の出"),
        Binding("h", "note('hidden')", "Hidden", show=False),
        Binding("ctrl+p", "note('palette')", "Commands", show=False, priority=True),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []

    def compose(self) -> ComposeResult:
        yield Input()
        yield KeyFooter()

    def action_note(self, what: str) -> None:
        self.done.append(what)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return None if parameters == ("drop",) else True

    @property
    def line(self) -> KeyFooter:
        return self.query_one(KeyFooter)


def text_of(app: Keyed) -> str:
    return app.line.render_line(0).text


def cells(app: Keyed) -> Iterator[tuple[str, int]]:
    for one in app.line.keys:
        yield one.description, one.start


async def test_it_shows_the_keys_that_work_and_the_palette_at_its_end() -> None:
    app = Keyed()
    async with app.run_test(size=(60, 5)) as pilot:
        app.screen.set_focus(None)
        await pilot.pause()
        assert [one.description for one in app.line.keys] == ["Open", "Drop", "日の出", "Commands"]
        assert [one.is_enabled for one in app.line.keys] == [True, False, True, True]
        assert text_of(app).startswith(" o Open  x Drop ")
        assert text_of(app).endswith(" ^p Commands ")


async def test_a_click_does_what_the_key_does_and_on_a_disabled_one_nothing() -> None:
    app = Keyed()
    async with app.run_test(size=(60, 5)) as pilot:
        app.screen.set_focus(None)
        await pilot.pause()
        for _, start in list(cells(app)):
            await pilot.click(KeyFooter, offset=(start + 2, 0))
        await pilot.click(KeyFooter, offset=(35, 0))
        assert app.done == ["open", "day", "palette"]


async def test_the_mouse_lights_a_key_and_says_what_it_does() -> None:
    app = Keyed()
    async with app.run_test(size=(60, 5)) as pilot:
        app.screen.set_focus(None)
        await pilot.pause()
        await pilot.hover(KeyFooter, offset=(2, 0))
        assert (app.line.hovered, app.line.tooltip) == (0, "Open it")
        await pilot.hover(KeyFooter, offset=(35, 0))
        assert (app.line.hovered, app.line.tooltip) == (-1, None)


async def test_keys_without_room_leave_a_sign_and_the_palette_stays() -> None:
    app = Keyed()
    async with app.run_test(size=(26, 5)) as pilot:
        app.screen.set_focus(None)
        await pilot.pause()
        assert text_of(app) == " o Open …     ^p Commands "
        await pilot.resize_terminal(60, 5)
        assert "日の出" in text_of(app)


async def test_the_key_that_lists_all_keys_stays_when_others_have_no_room() -> None:
    app = Keyed()
    async with app.run_test(size=(36, 5)) as pilot:
        app.bind("question_mark", "open", description="Keys", key_display="?")
        app.screen.set_focus(None)
        await pilot.pause()
        assert text_of(app) == f"{' o Open  ? Keys ':23}{' ^p Commands '}"


async def test_it_follows_the_focus() -> None:
    app = Keyed()
    async with app.run_test(size=(60, 5)) as pilot:
        app.screen.set_focus(None)
        await pilot.pause()
        assert "Open" in text_of(app)
        app.query_one(Input).focus()
        await pilot.pause()
        assert text_of(app).strip() == "^p Commands"
