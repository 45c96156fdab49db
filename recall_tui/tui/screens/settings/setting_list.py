"""The settings in a list: name, value, where it came from and, with room, what it means."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from recall_tui.tui.screens.settings.labels import setting_line
from recall_tui.tui.screens.settings.view import SeenSetting
from recall_tui.tui.widgets.row_list import NOTHING_THERE, Rows

NOTHING = Content("No setting is like this. Fewer letters find more; esc shows all.")


class SettingList(Rows[SeenSetting]):
    """Settings under a cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Change", tooltip="Change the setting: toggle it, choose, or type", id="change"),
        Binding("backspace,delete", "unset", "Unset", tooltip="Take it out of the file: its default holds", id="unset"),
    ]

    class Unset(Rows.FromRows):
        """The setting under the cursor shall be taken out of the file."""

    def __init__(self) -> None:
        super().__init__(id="settings", classes="panel")
        self.border_title = "Settings"

    def draw(self, item: SeenSetting, width: int) -> Content:
        """A setting's row."""
        return setting_line(item, width)

    def key_of(self, item: SeenSetting) -> object:
        """Its name."""
        return item.key

    def action_unset(self) -> None:
        """Ask for it to be taken out."""
        if self.current is not None:
            self.post_message(self.Unset(self))

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Only what is set in the file can be taken out of it."""
        row = self.current
        if action != "unset" or row is None:
            return NOTHING_THERE if action == "unset" else super().why_not(action, parameters)
        is_unset = row.origin == "default" and not row.refused
        return f"{row.key} is not set in the file" if is_unset else ""
