"""A year by days: a column for each week, a row for each weekday, and the higher the block the more was said.

One day is always under the cursor; a height is never said by colour alone, and an empty day is a dot.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from itertools import groupby
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from recall_tui.features.consolidation.timeline import TimelineDay
from recall_tui.tui.screens.timeline.labels import bar_level

LABEL_CELLS = 4
"""Cells left of the days, for the weekday's name."""
WEEK_COLUMNS = 53
"""Columns: a year, and the rest of its first week."""
_DAYS_PER_WEEK = 7
_EMPTY = "·"
_SPAN_STYLE = "on $primary 25%"


class HeatMap(Widget, can_focus=True, inherit_bindings=False):
    """A year of days: the one that ends this week, or with an older day under the cursor one that lies before it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", tooltip="Go to this day in the tree", id="open_day"),
        Binding(
            "left,h", "move(-7)", "Week before", show=False, tooltip="The same day a week before", id="week_before"
        ),
        Binding("right,l", "move(7)", "Next week", show=False, tooltip="The same day a week later", id="next_week"),
        Binding("up,k", "move(-1)", "Day before", show=False, tooltip="The day before", id="day_before"),
        Binding("down,j", "move(1)", "Next day", show=False, tooltip="The next day", id="next_day"),
        Binding(
            "home", "edge(-1)", "First day", show=False, tooltip="The year's first day with entries", id="first_day"
        ),
        Binding("end", "edge(1)", "Last day", show=False, tooltip="The year's last day with entries", id="last_day"),
        Binding("pageup", "screen.year(-1)", "Previous year", show=False, id="page_year_before"),
        Binding("pagedown", "screen.year(1)", "Next year", show=False, id="page_next_year"),
    ]

    class FromHeat(Message):
        """Something happened on a day of the map."""

        def __init__(self, day: date | None) -> None:
            super().__init__()
            self.day = day

    class Moved(FromHeat):
        """The person took the cursor to another day."""

    class Hovered(FromHeat):
        """The pointer came to a day; None when it left."""

    class Opened(FromHeat):
        """A day was opened."""

    def __init__(self, today: date) -> None:
        super().__init__(id="heat", classes="panel")
        self.today = today
        self.cursor = today
        self.span: tuple[date, date] = (today, today)
        """The days that what is looked at is about."""
        self._days: Mapping[date, TimelineDay] = {}
        self._years: dict[int, list[date]] = {}
        """The days of which something is known, by how many years back they are."""
        self._hovered: date | None = None

    def show(self, days: Mapping[date, TimelineDay], today: date) -> None:
        """Show what is known of every day."""
        self._days, self.today = days, today
        self._years = {}
        for day in days:
            self._years.setdefault(self._back(day), []).append(day)
        self.refresh()

    def point(self, day: date, span: tuple[date, date] | None = None) -> None:
        """Take the cursor to a day, and light the days that what is looked at is about."""
        self.cursor, self.span = day, span or (day, day)
        self.refresh()

    @property
    def first(self) -> date:
        """The Monday that the first column begins with."""
        return _monday_of(self.today) - timedelta(weeks=WEEK_COLUMNS * self._back(self.cursor) + WEEK_COLUMNS - 1)

    @property
    def last(self) -> date:
        """The last day that is shown; in this week that is today, when nothing recorded of a later one."""
        end = self.first + timedelta(weeks=WEEK_COLUMNS, days=-1)
        newest = max(self._years.get(self._back(self.cursor), []), default=self.today)
        return min(end, max(self.today, self.cursor, newest))

    def _back(self, day: date) -> int:
        """How many years before the one that ends this week a day lies."""
        return (_monday_of(self.today) - _monday_of(day)).days // (_DAYS_PER_WEEK * WEEK_COLUMNS)

    def in_other_year(self, by: int) -> date | None:
        """The day of the nearest year before or after that holds something, there near to where this one stands."""
        here = self._back(self.cursor)
        years = [year for year in self._years if (here - year) * by > 0]
        if not years:
            return None
        year = min(years, key=lambda year: abs(year - here))
        there = self.cursor - timedelta(weeks=WEEK_COLUMNS * (year - here))
        nearest: date = min(self._years[year], key=lambda day: abs(day - there))
        return nearest

    def has_other_year(self) -> bool:
        """Whether something is known of another year than the one that is shown."""
        return bool(self._years.keys() - {self._back(self.cursor)})

    @property
    def _step(self) -> int:
        """Cells from one week to the next."""
        return 2 if self.content_size.width >= LABEL_CELLS + 2 * WEEK_COLUMNS else 1

    def render(self) -> Content:
        """The names of the months, then the weekdays."""
        if self.content_size.width <= LABEL_CELLS:
            return Content("")
        first, last, step = self.first, self.last, self._step
        known = self._years.get(self._back(self.cursor), ())
        most = max((self._days[day].weight for day in known), default=1)
        rows = (self._weekday(first + timedelta(days=row), last, step, most) for row in range(_DAYS_PER_WEEK))
        return Content("\n").join([_month_labels(first, last, step), *rows])

    def _weekday(self, first: date, last: date, step: int, most: int) -> Content:
        """The days that are a week apart, from the first to the last one that is shown."""
        cells: list[tuple[str, str]] = []
        for column in range(WEEK_COLUMNS):
            day = first + timedelta(weeks=column)
            if day > last:
                break
            cells.append(self._cell(day, most))
            if step > 1:
                after = day + timedelta(weeks=1)
                cells.append((" ", _SPAN_STYLE if self._is_lit(day) and self._is_lit(after) and after <= last else ""))
        runs = [("".join(cell for cell, _ in run), style) for style, run in groupby(cells, key=lambda cell: cell[1])]
        return Content.assemble((f"{first:%a} ", "$text-muted"), *runs)

    def _is_lit(self, day: date) -> bool:
        return self.span[0] != self.span[1] and self.span[0] <= day <= self.span[1]

    def _cell(self, day: date, most: int) -> tuple[str, str]:
        found = self._days.get(day)
        block = bar_level(found.weight, most) if found else _EMPTY
        if day == self.cursor and (self.has_focus or not self._is_lit(day)):
            return block, f"bold $foreground on $primary {60 if self.has_focus else 30}%"
        style = "$primary" if found else "$text-muted" if day == self.today else "$border-blurred"
        if day == self.today:
            style = f"bold underline {style}"
        return block, f"{style} {_SPAN_STYLE}" if self._is_lit(day) else style

    def day_at(self, x: int, y: int) -> date | None:
        """The day of a cell of the map."""
        step = self._step
        column, row = (x - LABEL_CELLS) // step, y - 1
        if x < LABEL_CELLS or not 0 <= row < _DAYS_PER_WEEK or (x - LABEL_CELLS) % step:
            return None
        day = self.first + timedelta(weeks=column, days=row)
        return day if column < WEEK_COLUMNS and day <= self.last else None

    def action_move(self, by: int) -> None:
        """Go to the day so many days on, as far as something is known or shown."""
        day = self.cursor + timedelta(days=by)
        if min((self.first, *self._days)) <= day <= max((self.last, *self._days)):
            self._go(day)

    def action_edge(self, way: int) -> None:
        """Go to the first or last day that is shown of which something is known."""
        if days := self._years.get(self._back(self.cursor)):
            self._go(max(days) if way > 0 else min(days))

    def action_open(self) -> None:
        """Open the day."""
        self.post_message(self.Opened(self.cursor))

    def _go(self, day: date) -> None:
        self.point(day)
        self.post_message(self.Moved(day))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell of the day under the pointer."""
        offset = event.get_content_offset(self)
        self._hover(self.day_at(offset.x, offset.y) if offset is not None else None)

    def on_leave(self) -> None:
        """Tell that there is none any more."""
        self._hover(None)

    def _hover(self, day: date | None) -> None:
        if day != self._hovered:
            self._hovered = day
            self.post_message(self.Hovered(day))

    def on_click(self, event: events.Click) -> None:
        """Go to the day under the pointer; a second click there opens it."""
        offset = event.get_content_offset(self)
        day = self.day_at(offset.x, offset.y) if offset is not None else None
        if day is None:
            return
        self._go(day)
        if event.chain > 1:
            self.action_open()

    def on_focus(self) -> None:
        """Make the cursor unmistakable."""
        self.refresh()

    def on_blur(self) -> None:
        """Let it step back."""
        self.refresh()


def _month_labels(first: date, last: date, step: int) -> Content:
    """The name of each month above the week in which it begins; of the first where there is room."""
    cells = [" "] * (LABEL_CELLS + step * WEEK_COLUMNS + 3)
    taken = len(cells)
    for column in reversed(range(WEEK_COLUMNS)):
        sunday = first + timedelta(weeks=column, days=_DAYS_PER_WEEK - 1)
        at = LABEL_CELLS + column * step
        is_start = sunday.day <= _DAYS_PER_WEEK and sunday.replace(day=1) <= last
        if (is_start or column == 0) and at + 3 < taken:
            cells[at : at + 3] = f"{sunday:%b}"
            taken = at
    return Content("".join(cells).rstrip()).stylize("$text-muted")


def _monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())
