"""The list: only what is on the screen is drawn, and the cursor stays on its thing."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.content import Content

from recall_tui.tui.widgets.row_list import RowList


class Numbers(RowList[int]):
    """Numbers, counting how many of them were drawn."""

    drawn = 0

    def draw(self, item: int, width: int) -> Content:
        """The number."""
        self.drawn += 1
        return Content(str(item))

    def key_of(self, item: int) -> object:
        """Itself."""
        return item


class NumbersApp(App[None]):
    """A list and nothing else."""

    CSS = "Numbers { height: 1fr; }"

    def compose(self) -> ComposeResult:
        """The list."""
        yield Numbers()


async def test_ten_thousand_rows_draw_a_screenful() -> None:
    async with NumbersApp().run_test(size=(40, 20)) as pilot:
        rows = pilot.app.query_one(Numbers)
        rows.show(range(10_000))
        await pilot.pause()
        await pilot.pause()
        assert 20 <= rows.drawn <= 100
        await pilot.press("end")
        assert rows.current == 9_999
        assert rows.drawn <= 300


async def test_the_cursor_stays_on_its_thing_when_rows_come_in_above() -> None:
    async with NumbersApp().run_test(size=(40, 20)) as pilot:
        rows = pilot.app.query_one(Numbers)
        rows.show(range(100, 200))
        rows.cursor = 30
        await pilot.pause()
        above = rows.cursor - rows.scroll_offset.y
        rows.show(range(90, 200))
        await pilot.pause()
        assert rows.current == 130
        assert rows.cursor - rows.scroll_offset.y == above, "and stays where it was on the screen"


async def test_the_cursor_stays_near_when_its_thing_is_gone() -> None:
    async with NumbersApp().run_test(size=(40, 20)) as pilot:
        rows = pilot.app.query_one(Numbers)
        rows.show(range(10))
        rows.cursor = 9
        rows.show(range(5))
        assert rows.current == 4
        rows.show(())
        assert rows.current is None


async def test_keys_move_by_row_page_and_end() -> None:
    async with NumbersApp().run_test(size=(40, 20)) as pilot:
        rows = pilot.app.query_one(Numbers)
        rows.show(range(100))
        rows.focus()
        await pilot.press("j", "down", "k", "pagedown")
        assert rows.current == 20
        await pilot.press("G", "home", "up")
        assert rows.current == 0
