"""An undo or a redo that removes the memory or changes an agent's configuration: shown as a diff, and confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from recall_tui.tui.messages import ChangeCommitted
from recall_tui.tui.screens.text_modal import TextModal, color_diff
from recall_tui.tui.text import plain_line, plain_text

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench


class ReversalPlanned(Message):
    """An undo or redo would do what a person should confirm."""

    def __init__(self, title: str, effects: tuple[str, ...], diff: str, number: int, *, is_redo: bool) -> None:
        super().__init__()
        self.title = title
        """Such as `Undo: Installed into Claude Code for you`."""
        self.effects = effects
        """Such as `removes the memory in ~/shop`."""
        self.diff = diff
        self.number = number
        """The number of the change, for another may be made while it is read."""
        self.is_redo = is_redo


class ReversalModal(TextModal):
    """The diff; dismissed with True when it shall be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "do", "Go on", tooltip="Do what is shown", id="do_reversal"),
    ]

    def __init__(self, planned: ReversalPlanned, bench: Workbench) -> None:
        parts = [
            plain_text(plain_line(f"This {' and '.join(planned.effects)}.")),
            Content(""),
            color_diff(planned.diff),
        ]
        super().__init__(planned.title, Content("\n").join(parts))

    def action_do(self) -> None:
        """Have it done."""
        self.dismiss(True)


def find_reversal(bench: Workbench, *, is_redo: bool) -> ReversalPlanned | None:
    """Return the next undo or redo when it does what a person should confirm; None for any other."""
    from dataclasses import replace

    from recall_tui.storage.journal.history import preview_reversal
    from recall_tui.storage.journal.plan_diff import plan_as_diff
    from recall_tui.workbench import reversal_effects

    word = "Redo" if is_redo else "Undo"
    with preview_reversal(bench.journal.folder, None, int(is_redo)) as found:
        if found is None:
            return None
        plan, record = found
        effects = reversal_effects(bench, plan)
        if not effects:
            return None
        shown = tuple(edit for edit in plan.edits if not edit.path.is_relative_to(bench.store.state))
        diff = plan_as_diff(replace(plan, edits=shown), bench.store.root, bench.store.environment.home)
        return ReversalPlanned(f"{word}: {record.subject}", effects, diff, record.id, is_redo=is_redo)


def reverse(bench: Workbench, number: int | None = None, *, is_redo: bool) -> ChangeCommitted:
    """Undo or redo the change `number`, or the person's newest."""
    if is_redo:
        return ChangeCommitted(bench.redo(number), "Redone", "Nothing to redo")
    return ChangeCommitted(bench.undo(number), "Undone", "You have nothing to undo")
