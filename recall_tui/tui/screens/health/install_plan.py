"""What installing into an agent, or uninstalling from it, would change: shown as a diff, made when the person says so.

A file that the person changed is left as it is, unless that is asked for by a key of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from recall_tui.tui.screens.health.agents_view_model import AgentActionPreview
from recall_tui.tui.screens.text_modal import TextModal, color_diff
from recall_tui.tui.text import plain_text, shorten_home


class AgentPlanModal(TextModal):
    """A plan for an agent; dismissed with True when it shall be made, or made anew for more files."""

    def __init__(self, title: str, wished: AgentActionPreview, home: Path) -> None:
        notes = [f"{shorten_home(note, home)}\n" for note in wished.notes]
        words = Content.assemble(plain_text("".join(notes)), "\n" if notes and wished.diff else "")
        super().__init__(title, words + color_diff(wished.diff, home) if wished.diff else words)
        self.wished = wished
        self.takes_changed = False
        """Files that the person changed shall be replaced, too."""

    def action_do(self) -> None:
        """Have it done."""
        self.dismiss(True)

    def action_take_changed(self) -> None:
        """Have what replaces the changed files shown as well."""
        self.takes_changed = True
        self.dismiss(True)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Only a plan that changes something can be made."""
        if action == "do" and not self.wished.plan.edits:
            return "There is nothing to do beside the files that were changed"
        if action == "take_changed" and not self.wished.changed:
            return "No file here was changed by others"
        return super().why_not(action, parameters)


class InstallModal(AgentPlanModal):
    """What installing changes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,i", "do", "Install", tooltip="Make these changes; u takes them back", id="do_install"),
        Binding(
            "c", "take_changed", "Changed too", tooltip="Show what replaces the files you changed", id="take_changed"
        ),
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What was changed by others is spoken of only where something was."""
        if action == "take_changed" and not self.wished.changed:
            return False
        return super().check_action(action, parameters)


class UninstallModal(AgentPlanModal):
    """What uninstalling changes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,x", "do", "Uninstall", tooltip="Make these changes; u takes them back", id="do_uninstall"),
    ]
