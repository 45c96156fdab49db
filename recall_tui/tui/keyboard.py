"""The app's keys: changed by the settings, shown as they are printed on the keyboard, never silent without a reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from textual import events, on
from textual.actions import ActionParseResult
from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

from recall_tui.tui import messages
from recall_tui.tui.keys.key_labels import display_key
from recall_tui.tui.keys.keymap import ExplainsDisabledKeys, disabled_key_reason, unavailable_reason
from recall_tui.tui.runtime.background_tasks import BackgroundTasks
from recall_tui.tui.workers import run_in_thread
from recall_tui.workbench import Workbench


class Keyboard(ExplainsDisabledKeys, BackgroundTasks, inherit_bindings=False):
    """An app whose keys answer."""

    _wishes: dict[str, str] | None = None

    def get_key_display(self, binding: Binding) -> str:
        """How a key is shown: as it is printed on the keyboard, `^p` for ctrl+p."""
        return binding.key_display or display_key(binding.key)

    def rebind(self, bench: Workbench) -> None:
        """Take the keys that a memory's settings name, and tell once what is wrong with them."""
        keys = {key: str(value) for key, value in bench.config.values.items() if key.startswith("keys.")}
        wishes = {key.partition(".")[2]: value for key, value in keys.items()}
        if wishes == (self._wishes or {}):
            return
        self._wishes = wishes
        self.set_keymap(wishes)
        if not wishes:
            return
        keymap = dict(self._keymap)

        def job() -> messages.KeymapValidated:
            from recall_tui.tui.app_screen import AppScreen
            from recall_tui.tui.keys.keymap import FrameClasses, keymap_problems
            from recall_tui.tui.widgets.row_list import RowList

            return messages.KeymapValidated(keymap_problems(keymap, FrameClasses(type(self), AppScreen, RowList)))

        self.call_after_refresh(run_in_thread, self, job, "keys")

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Do what a key stands for, unless it came faster than its screen has its widgets."""
        if isinstance(default_namespace, Screen) and not default_namespace.is_mounted:
            return True
        return await super().run_action(action, default_namespace, namespaces)

    @on(messages.KeymapValidated)
    def _keys_checked(self, message: messages.KeymapValidated) -> None:
        if message.troubles:
            self.warn("\n".join(message.troubles))

    def on_key(self, event: events.Key) -> None:
        """Say why a key does nothing; hand on to an input what was typed right behind the key that led there.

        Such letters were on their way to the widget that had the focus; an input lets none of its own come up here.
        """
        if event.is_printable and isinstance(self.focused, Input):
            event.prevent_default()
            self.focused.post_message(events.Key(event.key, event.character))
        elif self.screen_stack and (words := disabled_key_reason(self.screen, event.key)):
            event.prevent_default()
            self.say(words)

    def action_help_quit(self) -> None:
        """Say how to leave, to whoever presses ctrl+c; a dialog or a running step is left with esc."""
        words = "ctrl+q leaves the app"
        self.say(f"esc goes back, {words}" if isinstance(self.screen, ModalScreen) else words)

    def action_command_palette(self) -> None:
        """Show the commands that work here."""
        from recall_tui.tui.keys.palette import Palette

        if not Palette.is_open(cast("App[object]", self)):
            # Without Textual's id: a page that was on its way may have opened over a palette, where the next one opens.
            self.push_screen(Palette())

    def search_themes(self) -> None:
        """Show the themes to choose from."""
        from recall_tui.tui.keys.palette import Palette, ThemeChoices

        self.push_screen(Palette(providers=[ThemeChoices], placeholder="Search for themes…"))

    def choose_theme(self, name: str) -> None:
        """Show a theme that was chosen."""
        self.theme = name

    async def run_command(self, action: str, node: DOMNode) -> None:
        """Do what a command of the palette does, or say why it does nothing."""
        if words := unavailable_reason(node, action):
            self.say(words)
        else:
            await self.run_action(action, node)
