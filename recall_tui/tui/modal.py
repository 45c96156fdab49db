"""A screen over another one, left once, with keys that answer as those of the screens do."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen, Screen, ScreenResultType

from recall_tui.tui.keys.keymap import ExplainsDisabledKeys, WithKeymap


class DismissOnce(Screen[ScreenResultType]):
    """A screen that is left once, however fast the keys come, so that its result is heard once too."""

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Leave the screen with a result; one that was left already stays so."""
        return super().dismiss(result) if self.is_active else AwaitComplete()


class Modal(WithKeymap, ExplainsDisabledKeys, ModalScreen[ScreenResultType], DismissOnce[ScreenResultType]):
    """A question or some words; dismissed with what came of it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "app.help_quit", show=False, system=True),
    ]

    def on_resize(self, event: events.Resize) -> None:
        """Have the screens behind it follow: Textual alone lays them out for the width that they had before."""
        if self is not self.app.screen:
            return  # The one on top tells it, as it tells all others.
        for screen in self.app.screen_stack[:-1]:
            screen.post_message(events.Resize(event.size, event.virtual_size))
