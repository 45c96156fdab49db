"""The settings in a list: name, value, where it came from and, with room, what it means; and all of one setting.

Every text in a row is data.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from recall_tui.config import Origin, allowed_values, env_name, render_value
from recall_tui.tui.screens.settings.groups import SettingGroup
from recall_tui.tui.screens.settings.view_model import SettingView
from recall_tui.tui.text import plain_line, strip_markdown
from recall_tui.tui.widgets.row_list import NO_ROW, RowList

NO_MATCH = Content("No setting matches. Try another word, or press esc for all settings.")
MUTED = "$text-muted"
ORIGIN_SIGNS: dict[Origin, tuple[str, str]] = {
    "default": ("○ ", MUTED),
    "file": ("● ", "$accent"),
    "environment": ("◆ ", "$warning"),
}
"""The sign of where a value came from, and its colour; the word stands in the row too."""
REFUSED_SIGN = ("▲ ", "$warning")
_KEY_WIDTH = 25
_WORD_WIDTH = len("environment")
_HELP_MIN_CELLS = 16
"""Cells from which there is room for the meaning in a row."""


class SettingList(RowList[SettingView | SettingGroup]):
    """Settings below the headings of their groups; the cursor stops at settings alone."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Change", tooltip="Change the setting", id="change"),
        Binding(
            "backspace,delete", "unset", "Unset", tooltip="Remove it from the file: its default applies", id="unset"
        ),
    ]

    class Unset(RowList.FromRows):
        """The setting under the cursor shall be taken out of the file."""

    def __init__(self) -> None:
        super().__init__(id="settings", classes="panel")
        self.border_title = "Settings"

    @property
    def setting(self) -> SettingView | None:
        """The setting under the cursor."""
        return self.current if isinstance(self.current, SettingView) else None

    def draw(self, item: SettingView | SettingGroup, width: int) -> Content:
        """A setting's row, or a heading."""
        if isinstance(item, SettingGroup):
            return Content.assemble(" ", (item.title, "bold"), "  ", (item.description, MUTED))
        return setting_line(item, width)

    def key_of(self, item: SettingView | SettingGroup) -> object:
        """Its name."""
        return item.title if isinstance(item, SettingGroup) else item.key

    def validate_cursor(self, cursor: int) -> int:
        """Stop at a setting: the next one in the direction of the move, else the nearest."""
        place = super().validate_cursor(cursor)
        ways = (
            (range(place, -1, -1), range(place, len(self.items)))
            if cursor < self.cursor
            else (
                range(place, len(self.items)),
                range(place, -1, -1),
            )
        )
        places = (at for way in ways for at in way if at < len(self.items))
        return next((at for at in places if isinstance(self.items[at], SettingView)), place)

    def show_grouped(self, items: Sequence[SettingView | SettingGroup]) -> None:
        """Show the rows; a cursor on a heading moves on to the first setting below it."""
        self.show(items, NO_MATCH)
        if self.setting is None and self.items:
            self.cursor = self.cursor + 1

    def action_unset(self) -> None:
        """Ask for it to be taken out."""
        if self.setting is not None:
            self.post_message(self.Unset(self))

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Only what is set in the file can be taken out of it."""
        row = self.setting
        if action != "unset" or row is None:
            return NO_ROW if action == "unset" else super().why_not(action, parameters)
        is_unset = row.origin == "default" and not row.refused
        return f"{row.key} is not set in the file" if is_unset else ""


def setting_line(row: SettingView, width: int) -> Content:
    """`● ephemeral.max_entries   7   file   sessions in the rolling window`."""
    sign, style = REFUSED_SIGN if row.refused else ORIGIN_SIGNS[row.origin]
    word = "unconfirmed" if row.is_unconfirmed else "refused" if row.refused else row.origin
    spare = width - 3 - _KEY_WIDTH - 2 - _WORD_WIDTH - 3
    has_help = spare - 16 >= _HELP_MIN_CELLS
    value_width = max(4, min(18, spare - _HELP_MIN_CELLS - 2) if has_help else spare)
    value = _fit(Content(plain_line(row.value) or "—"), value_width)
    return Content.assemble(
        " ", (sign, style), _fit(Content(plain_line(row.key)), _KEY_WIDTH), "  ",
        value.stylize(MUTED) if row.origin == "default" else value.stylize("bold"),
        "  ", (f"{word:<{_WORD_WIDTH}}", style if row.refused else MUTED),
        "  " if has_help else "", (_meaning(row) if has_help else "", MUTED),
    ).truncate(max(0, width), ellipsis=True)  # fmt: skip


def describe_folder(row: SettingView, path: Path, shown: str) -> Content:
    """All of a setting: meaning, value, origin, what it takes, its default and its variable."""
    setting = row.setting
    place = f"{shown}{f', line {row.line}' if row.line else ''}"
    where = {"default": "", "file": f": {place}", "environment": ", which overrides the file"}[row.origin]
    sign, style = ORIGIN_SIGNS[row.origin]
    facts = [
        ("value", Content(plain_line(row.value) or "unset").stylize("bold")),
        ("from", Content.assemble((sign, style), f"{row.origin}{where}")),
        ("takes", Content(strip_markdown(allowed_values(setting)) or _OPEN_VALUES[setting.kind])),
        ("default", Content(plain_line(render_value(setting.default)) or "unset")),
        ("variable", Content(env_name(row.key))),
    ]
    lines = [Content(_meaning(row)), Content("")]
    if row.refused:
        at = f"{path.name}, line {row.line}: " if row.line else ""
        lines += [Content.assemble(REFUSED_SIGN, f"{at}{plain_line(row.refused)}"), Content("")]
    lines += [Content.assemble((f"{name:<9} ", MUTED), words) for name, words in facts]
    return Content("\n").join(lines)


_OPEN_VALUES = {
    "flag": "true, false",
    "whole": "a whole number",
    "number": "a number",
    "text": "any text",
    "numbers": "numbers with commas",
    "texts": "texts with commas",
    "pairs": "old = new, …",
}


def _meaning(row: SettingView) -> str:
    return plain_line(strip_markdown(row.setting.help))


def _fit(content: Content, width: int) -> Content:
    cut = content.truncate(width, ellipsis=True)
    return cut.pad_right(max(0, width - cut.cell_length))
