"""A new value for one setting, over the screen it was asked for on: typed, or chosen from a list.

Nothing is changed here; what is handed back has been checked, None when the person thought better of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Label

from recall_tui.config import allowed_values, check_value
from recall_tui.errors import ConfigError
from recall_tui.tui.keys.setting_names import check_name
from recall_tui.tui.modal import Modal
from recall_tui.tui.screens.settings.view_model import SettingView
from recall_tui.tui.text import plain_line, plain_text, strip_markdown
from recall_tui.tui.widgets.footer import KeyFooter
from recall_tui.tui.widgets.row_list import RowList


class SettingModal(Modal[str | None]):
    """What both ways have in common: the setting's name, its meaning, the way back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Back", tooltip="Back without a change", id="close_setting"),
    ]

    def __init__(self, row: SettingView) -> None:
        super().__init__()
        self.row = row

    def compose(self) -> ComposeResult:
        """Meaning, value, keys."""
        panel = Vertical(id="setting", classes="panel")
        panel.border_title = plain_text(plain_line(self.row.key))
        with panel:
            yield Label(plain_text(plain_line(strip_markdown(self.row.setting.help))), id="meaning", markup=False)
            yield from self.values()
        yield KeyFooter(has_palette=False)

    def values(self) -> ComposeResult:
        """Where the value is given."""
        raise NotImplementedError

    def action_close(self) -> None:
        """Change nothing."""
        self.dismiss(None)


class ValueBox(Input):
    """Where a value is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Set", tooltip="Set the value", id="set_value"),
    ]


class SettingInputModal(SettingModal):
    """Asks for a value; what is not allowed is refused while it is typed, with what would be right."""

    AUTO_FOCUS = "#value"

    def values(self) -> ComposeResult:
        """The value in a line."""
        box = ValueBox("" if self.row.is_hidden else plain_line(self.row.value), id="value", placeholder="a value")
        box.password = self.row.is_hidden
        box.cursor_blink = False
        yield box

    def on_mount(self) -> None:
        """Say what it takes."""
        self._say("")

    def _say(self, trouble: str) -> None:
        takes = strip_markdown(allowed_values(self.row.setting))
        words = plain_text(f"▲ {plain_line(trouble)}" if trouble else takes)
        self.query_one("#setting").border_subtitle = words

    def _trouble(self, raw: str) -> str:
        try:
            check_value(self.row.setting, raw)
            check_name(self.row.key, raw)
        except ConfigError as error:
            return f"{error.message}: {error.hint}" if error.hint else error.message
        return ""

    @on(Input.Changed, "#value")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._say(self._trouble(event.value))

    @on(Input.Submitted, "#value")
    def _given(self, event: Input.Submitted) -> None:
        event.stop()
        trouble = self._trouble(event.value)
        self._say(trouble)
        if not trouble:
            is_kept = self.row.is_hidden and not event.value
            self.dismiss(None if is_kept else event.value)


class ChoiceList(RowList[str]):
    """What can be chosen; the one in force is marked."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Choose", tooltip="Choose the selected value", id="choose_value"),
    ]

    def __init__(self, chosen: str) -> None:
        super().__init__(id="choices")
        self._chosen = chosen

    def offer(self, choices: Iterable[str]) -> None:
        """Show the choices, the cursor on the one in force."""
        self.show(tuple(choices))
        if self._chosen in self.items:
            self.cursor = self.items.index(self._chosen)

    def draw(self, item: str, width: int) -> Content:
        """A choice's row."""
        is_chosen = item == self._chosen
        sign = ("● ", "$accent") if is_chosen else ("○ ", "$text-muted")
        return Content.assemble(" ", sign, plain_line(item), ("  now", "$text-muted") if is_chosen else "")

    def key_of(self, item: str) -> object:
        """Itself."""
        return item


class SettingChoiceModal(SettingModal):
    """Asks for one of a setting's values."""

    AUTO_FOCUS = "#choices"

    def values(self) -> ComposeResult:
        """The values in a list."""
        yield ChoiceList(self.row.value)

    def on_mount(self) -> None:
        """Make the offers."""
        self.query_one(ChoiceList).offer(self.row.setting.choices)

    @on(RowList.Opened)
    def _chosen(self) -> None:
        self.dismiss(self.query_one(ChoiceList).current)
