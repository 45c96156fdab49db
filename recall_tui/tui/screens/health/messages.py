"""What happened on the health screen, sent to its panels by the work in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from recall_tui.domain import Plan
    from recall_tui.index.maintenance.verify import VerifyResult
    from recall_tui.tui.screens.health.agents_view_model import AgentActionPreview
    from recall_tui.tui.screens.health.view_model import HealthPart, PartName


class HealthPartLoaded(Message):
    """One part of the memory's health was looked at."""

    def __init__(self, part: PartName, looked: HealthPart) -> None:
        super().__init__()
        self.part = part
        self.looked = looked


class IndexVerified(Message):
    """The index was proven; None when that was stopped."""

    def __init__(self, proof: VerifyResult | None) -> None:
        super().__init__()
        self.proof = proof


class FixPlanned(Message):
    """It is known what would mend the memory, and how that looks as a diff."""

    def __init__(self, plan: Plan, diff: str) -> None:
        super().__init__()
        self.plan = plan
        self.diff = diff


class RetentionPlanned(Message):
    """A longer retention in Claude Code was planned; the diff is of its settings file and the copy of it."""

    def __init__(self, plan: Plan, diff: str) -> None:
        super().__init__()
        self.plan = plan
        self.diff = diff


class AgentPlanned(Message):
    """It is known what a wish for an agent would change."""

    def __init__(self, wished: AgentActionPreview) -> None:
        super().__init__()
        self.wished = wished
