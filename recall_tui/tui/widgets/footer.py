"""The last line of every screen: the active keys and their actions.

A single widget shows all keys, so that a change of focus repaints one line without a layout.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget

_MORE_MARK = "… "
"""Stands for the keys that do not fit, where no key lists them."""
_LIST_KEY = "question_mark"
"""Lists every key; it stays when others do not fit."""


class KeyFooterKey(NamedTuple):
    """A key in the footer."""

    key: str
    display: str
    """The key's label."""
    description: str
    tooltip: str
    is_enabled: bool
    start: int = 0
    """The first cell."""

    @property
    def text(self) -> str:
        """Return the key and its description, padded with spaces."""
        return f" {self.display} {self.description} "


class KeyFooter(Widget):
    """The keys of the focused widget, its ancestors and the app; a click presses the key."""

    DEFAULT_CSS = "KeyFooter { dock: bottom; height: 1; }"
    hovered: reactive[int] = reactive(-1)
    """The index of the key under the mouse, or -1."""

    def __init__(self, *, has_palette: bool = True) -> None:
        super().__init__()
        self._has_palette = has_palette
        self.keys: tuple[KeyFooterKey, ...] = ()
        """The visible keys from left to right."""
        self._told: tuple[list[KeyFooterKey], KeyFooterKey | None] = [], None

    def on_mount(self) -> None:
        """Subscribe to changes of the bindings."""
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def _changed(self, screen: Screen[object]) -> None:
        # Without terminal focus no widget has focus either; keep the keys as they were.
        if screen is self.screen and self.app.app_focus and self._all() != self._told:
            self.refresh()

    def render(self) -> Content:
        """Render the keys that fit, and the palette's key at the right end."""
        width = self.content_size.width
        self._told = self._all()
        keys, last = self._told
        self.keys = tuple(_fit_keys(keys, width, last))
        line = Content("")
        for place, one in enumerate(self.keys):
            line = Content.assemble(line, " " * (one.start - line.cell_length), self._drawn(one, place == self.hovered))
        shown = len(self.keys) - (last is not None)
        has_list = any(one.key == _LIST_KEY for one in self.keys)
        return line if shown == len(keys) or has_list else _with_more_mark(line, self.keys, shown)

    def _drawn(self, one: KeyFooterKey, is_hovered: bool) -> Content:
        dim = "" if one.is_enabled else " dim"
        content = Content.assemble(
            (f" {one.display} ", f"bold $accent{dim}"), (f"{one.description} ", f"$text-muted{dim}")
        )
        return content.stylize_before("on $surface") if is_hovered else content

    def _all(self) -> tuple[list[KeyFooterKey], KeyFooterKey | None]:
        """Return every key to show, and the palette's; in a dialog the key that leaves it is the last."""
        keys = list(self._live())
        return keys if self._has_palette else sorted(keys, key=lambda one: one.key == "escape"), self._palette()

    def _live(self) -> Iterator[KeyFooterKey]:
        seen: set[str] = set()
        for _, binding, is_enabled, tooltip in self.screen.active_bindings.values():
            if binding.show and binding.action not in seen:
                seen.add(binding.action)
                display = self.app.get_key_display(binding)
                yield KeyFooterKey(
                    binding.key, display, binding.description, tooltip or binding.description, is_enabled
                )

    def _palette(self) -> KeyFooterKey | None:
        found = self.screen.active_bindings.get(self.app.COMMAND_PALETTE_BINDING) if self._has_palette else None
        if found is None:
            return None
        _, binding, is_enabled, tooltip = found
        display = self.app.get_key_display(binding)
        return KeyFooterKey(binding.key, display, binding.description, tooltip or binding.description, is_enabled)

    def _at(self, event: events.MouseEvent) -> int:
        cell = event.x - self.gutter.left
        places = enumerate(self.keys)
        return next((at for at, one in places if one.start <= cell < one.start + Content(one.text).cell_length), -1)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Highlight the key under the mouse and set its tooltip."""
        self.hovered = self._at(event)
        self.tooltip = self.keys[self.hovered].tooltip if self.hovered >= 0 else None

    def on_leave(self) -> None:
        """Remove the highlight."""
        self.hovered = -1

    def on_click(self, event: events.Click) -> None:
        """Press the key."""
        at = self._at(event)
        if at >= 0:
            self.app.simulate_key(self.keys[at].key)


def _fit_keys(keys: list[KeyFooterKey], width: int, last: KeyFooterKey | None) -> Iterator[KeyFooterKey]:
    """Yield the keys that fit with their positions; the last one at the right end."""
    room = width - (Content(last.text).cell_length if last else 0)
    lists = [one for one in keys if one.key == _LIST_KEY]
    behind = Content(lists[0].text).cell_length if lists else len(_MORE_MARK)
    start = 0
    for place, one in enumerate(others := [one for one in keys if one not in lists]):
        length = Content(one.text).cell_length
        if start + length + behind * (bool(lists) or place + 1 < len(others)) > room:
            break
        yield one._replace(start=start)
        start += length
    for one in lists:
        if start + behind <= room:
            yield one._replace(start=start)
            start += behind
    if last:
        yield last._replace(start=max(start, room))


def _with_more_mark(line: Content, keys: tuple[KeyFooterKey, ...], shown: int) -> Content:
    """Return the line with the sign for hidden keys after the visible ones."""
    end = keys[shown - 1].start + Content(keys[shown - 1].text).cell_length if shown else 0
    room = max(0, (keys[shown].start if shown < len(keys) else end + len(_MORE_MARK)) - end)
    more = Content((_MORE_MARK + " " * room)[:room]).stylize("$text-muted")
    return Content.assemble(line[:end], more, line[end + room :])
