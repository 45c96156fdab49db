"""What happened in the first run, sent to its screens by the work in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message

if TYPE_CHECKING:
    from recall_tui.agents.installer import AgentPlan
    from recall_tui.features.setup.transcript_survey import AgentTranscripts
    from recall_tui.tui.screens.first_run.steps import WaitingSessions
    from recall_tui.workbench import Workbench


class TranscriptsFound(Message):
    """It is known what the agents have left on this machine."""

    def __init__(self, found: tuple[AgentTranscripts, ...]) -> None:
        super().__init__()
        self.found = found


class FolderInspected(Message):
    """It is known what is in the folder that is typed."""

    def __init__(self, number: int, words: str, names: tuple[str, ...]) -> None:
        super().__init__()
        self.number = number
        """The number of the look; an older one is stale."""
        self.words = words
        self.names = names
        """How its last part may go on."""


class InitPlanned(Message):
    """It is known what setting up a memory would make."""

    def __init__(
        self, bench: Workbench, first: str, made: tuple[str, ...], kept: tuple[str, ...], about: tuple[str, ...] = ()
    ) -> None:
        super().__init__()
        self.bench = bench
        self.first = first
        """What is to be said before it."""
        self.made = made
        self.kept = kept
        self.about = about
        """Whose sessions it takes, and what of it may be committed, a sentence each."""


class MemoryOpened(Message):
    """A memory was found, or made, where the person wants to work."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self.bench = bench


class SessionsCounted(Message):
    """It is known which sessions a new memory could keep."""

    def __init__(self, bench: Workbench, waiting: WaitingSessions) -> None:
        super().__init__()
        self.bench = bench
        self.waiting = waiting


class AgentsPlanned(Message):
    """It is known what installing into the agents would change."""

    def __init__(self, bench: Workbench, plans: tuple[AgentPlan, ...], done: tuple[str, ...]) -> None:
        super().__init__()
        self.bench = bench
        self.plans = plans
        self.done = done
        """What the steps before did."""


class AgentsInstalled(Message):
    """The agents have what was planned, or it is known why not."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words


class SetupEnded(Message):
    """Every step was done or skipped."""

    def __init__(self, bench: Workbench, words: Content) -> None:
        super().__init__()
        self.bench = bench
        self.words = words
