"""A screen over another one, with keys that answer as those of the screens do."""

from __future__ import annotations

from textual.screen import ModalScreen, ScreenResultType

from recall_tui.tui.dismiss_once import Leaving
from recall_tui.tui.keys.availability import Explaining
from recall_tui.tui.keys.keymap import Rebound


class Modal(Rebound, Explaining, ModalScreen[ScreenResultType], Leaving[ScreenResultType]):
    """A question or some words; dismissed with what came of it."""
