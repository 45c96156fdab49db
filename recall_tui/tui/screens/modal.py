"""A screen over another one, with keys that answer as those of the screens do."""

from __future__ import annotations

from textual.screen import ModalScreen, ScreenResultType

from recall_tui.tui.explaining import Explaining
from recall_tui.tui.rebinding import Rebound
from recall_tui.tui.screens.leaving import Leaving


class Modal(Rebound, Explaining, ModalScreen[ScreenResultType], Leaving[ScreenResultType]):
    """A question or some words; dismissed with what came of it."""
