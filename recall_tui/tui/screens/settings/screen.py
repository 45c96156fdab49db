"""Settings: what the schema knows, with the value in force and where it came from; each can be changed here.

Every change is one of the memory's settings file, kept in the journal; what the environment says is only shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.events import DescendantFocus
from textual.widgets import Input, Static

from recall_tui.config import env_name
from recall_tui.tui import messages
from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.page import Page
from recall_tui.tui.screens.settings.groups import grouped
from recall_tui.tui.screens.settings.setting_list import SettingList, describe_folder
from recall_tui.tui.screens.settings.view_model import (
    SettingsView,
    SettingView,
    change_warning,
    filter_settings,
    load_settings,
)
from recall_tui.tui.text import display_path, plain_line, plain_text, shorten_home
from recall_tui.tui.widgets.row_list import RowList
from recall_tui.tui.workers import run_in_thread

if TYPE_CHECKING:
    from recall_tui.domain import JournalEntry
    from recall_tui.workbench import Workbench

_RESTART_PREFIXES = ("layout", "transcripts.")
"""Beginnings of settings that decide what was opened; a change counts when the app is opened again."""


class SettingFilter(Input):
    """Where filter settings are typed; it leads the cursor of the list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "To the list", tooltip="Go to the settings", id="to_settings"),
        Binding("down", "screen.lead(1)", "Next setting", show=False, id="next_setting"),
        Binding("up", "screen.lead(-1)", "Previous setting", show=False, id="previous_setting"),
    ]


class Settings(Page):
    """The settings of the memory."""

    NAME = "settings"
    SHEET = "settings.tcss"
    AUTO_FOCUS = "#settings"
    LEFT_OUT = frozenset(("edit",))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "slash",
            "filter",
            "Filter",
            priority=True,
            tooltip="Filter the settings",
            id="filter_settings",
        ),
        Binding("escape", "all", "All", tooltip="Show all settings again", id="all_settings"),
        Binding("o", "edit", "Editor", show=False, tooltip="Open the settings file in $EDITOR", id="edit_settings"),
    ]

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._seen: SettingsView | None = None

    def panels(self) -> ComposeResult:
        """What is wrong above, the settings, and all of the one under the cursor."""
        warnings = VerticalScroll(Static(id="warnings"), id="wrong", classes="panel", can_focus=False)
        yield warnings
        letters = SettingFilter(id="letters", placeholder="filter settings", classes="panel")
        letters.border_title = "Filter"
        letters.cursor_blink = False
        yield letters
        with Container(id="sides"):
            yield SettingList()
            with Vertical(id="about", classes="panel"):
                yield Static(id="words")

    def on_mount(self) -> None:
        """Read one small file and show it."""
        self.query_one("#wrong").display = False
        self.letters.display = False
        self.look_again()

    @property
    def letters(self) -> SettingFilter:
        """Where letters are typed."""
        return self.query_one(SettingFilter)

    @property
    def settings(self) -> SettingList:
        """The list."""
        return self.query_one(SettingList)

    def look_again(self) -> None:
        """Read the settings anew."""
        themes = tuple(self.app.available_themes)
        run_in_thread(self, lambda: messages.SettingsLoaded(load_settings(self.bench, themes)), "look")

    @on(messages.SettingsLoaded)
    def _settings_read(self, message: messages.SettingsLoaded) -> None:
        seen = self._seen = message.seen
        self._make_room()
        wrong = (*seen.warnings, *seen.unconfirmed)
        words = "\n".join(f"▲ {plain_line(self._with_line(warning))}" for warning in wrong)
        kinds = [name for name, some in (("Invalid", seen.warnings), ("Not confirmed", seen.unconfirmed)) if some]
        self.query_one("#wrong").border_title = f"▲ {' · '.join(kinds)}"
        self.query_one("#warnings", Static).update(plain_text(shorten_home(words, self.bench.store.environment.home)))
        self._show()

    def _make_room(self) -> None:
        """Show what is wrong, but where the letters are typed that takes the room of the list."""
        has_warnings = self._seen is not None and bool(self._seen.warnings or self._seen.unconfirmed)
        self.query_one("#wrong").display = has_warnings and not self.letters.display

    def _with_line(self, warning: str) -> str:
        """The warning with the line of the file that it is about, where that is known."""
        rows = self._seen.rows if self._seen else ()
        line = next((row.line for row in rows if row.line and row.refused and row.refused in warning), 0)
        return warning.replace(": ", f", line {line}: ", 1) if line else warning

    def _show(self) -> None:
        if (seen := self._seen) is None:
            return
        rows = filter_settings(seen.rows, self.letters.value)
        self.settings.show_grouped(rows if self.letters.value else tuple(grouped(rows)))
        own = sum(row.origin != "default" for row in seen.rows)
        count = f"{len(rows)} of {len(seen.rows)}" if len(rows) < len(seen.rows) else f"{len(rows)} settings"
        self.settings.border_subtitle = f"{count} · {own} changed"
        self._tell()

    @on(RowList.Moved)
    def _tell(self) -> None:
        """Say all there is of the setting under the cursor."""
        row, panel = self.settings.setting, self.query_one("#about")
        panel.border_title = plain_text(plain_line(row.key)) if row else ""
        panel.border_subtitle = "" if row is None or row.origin == "default" else "bksp unsets"
        words = Content("")
        if row is not None and self._seen is not None:
            path = self._seen.path
            words = describe_folder(row, path, display_path(path, self.bench.store.environment.home))
        self.query_one("#words", Static).update(words)
        self.refresh_bindings()

    @on(RowList.Opened)
    def _opened(self) -> None:
        row = self.settings.setting
        # A second key may come before the first one's screen is there.
        if row is None or not self.is_active or self._is_out_of_reach(row):
            return
        from recall_tui.tui.screens.settings.setting_modal import SettingChoiceModal, SettingInputModal

        def given(value: str | None) -> None:
            if value is not None and (value != row.value or row.origin == "default"):
                self._set(row.key, value)

        if row.is_switch:
            self._set(row.key, "false" if row.value == "true" else "true")
        else:
            is_one_of = row.setting.choices and row.setting.kind != "texts"
            self.app.push_screen((SettingChoiceModal if is_one_of else SettingInputModal)(row), given)

    @on(SettingList.Unset)
    def _unset_asked(self) -> None:
        row = self.settings.setting
        if row is not None and not self._is_out_of_reach(row):
            from recall_tui.features.setup.configure import unset

            self._change(lambda: self.bench.apply(unset, row.key), row.key, f"{row.key} is not set in the file")

    def _is_out_of_reach(self, row: SettingView) -> bool:
        if row.origin == "environment":
            variable = env_name(row.key)
            self.host.complain(
                DisplayError(f"{variable} is set in the environment and overrides the file", "change it there")
            )
        return row.origin == "environment"

    def _set(self, key: str, value: str) -> None:
        from recall_tui.features.setup.configure import set_value

        self._change(lambda: self.bench.apply(set_value, key, value), key, f"{key} is {value} already")

    def _change(self, change: Callable[[], JournalEntry | None], key: str, nothing: str) -> None:
        is_later = key.startswith(_RESTART_PREFIXES)
        notes = ("It takes effect when you restart the app",) if is_later else ()

        def changed() -> messages.ChangeCommitted:
            from recall_tui.storage import trust

            with trust.confirmed_after(self.bench.store):
                entry = change()
            return messages.ChangeCommitted(entry, "", nothing, (*notes, *change_warning(self.bench, key)))

        run_in_thread(self.host, changed, "change")

    @on(Input.Changed, "#letters")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show()

    def action_filter(self) -> None:
        """Go to the letters, at once: what is typed right after the key belongs to them."""
        self.letters.display = True
        self._make_room()
        self.set_focus(self.letters)

    @on(Input.Submitted, "#letters")
    def _filtered(self, event: Input.Submitted) -> None:
        event.stop()
        self.settings.focus()

    def action_all(self) -> None:
        """Take the letters back."""
        self.letters.value = ""
        self.letters.display = False
        self._make_room()
        self.settings.focus()

    def action_lead(self, by: int) -> None:
        """Move the cursor of the list by rows."""
        self.settings.action_move(by)

    @on(DescendantFocus)
    def _focused(self) -> None:
        self.settings.is_led = self.focused is self.letters
        self.refresh_bindings()

    def action_edit(self) -> None:
        """Open the file in the editor, at the setting under the cursor."""
        row, seen = self.settings.setting, self._seen
        if seen is not None:
            self.host.edit(lambda: seen.path, max(1, row.line) if row else 1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is no way back from what is all."""
        if action == "all":
            return self.is_mounted and self.letters.display
        if action == "filter":
            return not isinstance(self.focused, SettingFilter)
        return super().check_action(action, parameters)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """A file that is not there cannot be edited."""
        if action != "edit" or (self._seen is not None and self._seen.path.is_file()):
            return ""
        return "No settings file yet; the first change creates it"
