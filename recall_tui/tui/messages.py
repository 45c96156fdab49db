"""What happened, told to the widgets by what works in the background.

Each is in the past tense and carries values only.
"""

from __future__ import annotations

from textual.message import Message

from recall_tui.domain import Answer, HealthReport, Hit, JournalEntry
from recall_tui.tui.rendered import Rendered
from recall_tui.tui.seen import Seen, Trouble


class MemoryLookedAt(Message):
    """The memory was read anew."""

    def __init__(self, seen: Seen) -> None:
        super().__init__()
        self.seen = seen


class HitsFound(Message):
    """A question has its answer."""

    def __init__(self, number: int, answer: Answer, took_ms: float) -> None:
        super().__init__()
        self.number = number
        """The question's number; an answer to an older question is stale."""
        self.answer = answer
        self.took_ms = took_ms


class SearchFailed(Message):
    """A question could not be answered."""

    def __init__(self, number: int, trouble: Trouble) -> None:
        super().__init__()
        self.number = number
        self.trouble = trouble


class DocumentRead(Message):
    """A document was read, or could not be."""

    def __init__(self, number: int, title: str, document: Rendered | Trouble, hit: Hit | None) -> None:
        super().__init__()
        self.number = number
        self.title = title
        self.document = document
        self.hit = hit


class SectionsWeighed(Message):
    """It is known how many sections of MEMORY.md are ready to be extracted."""

    def __init__(self, ready: int) -> None:
        super().__init__()
        self.ready = ready


class IndexRefreshed(Message):
    """The search index is up to date, or could not be brought there."""

    def __init__(self, trouble: Trouble | None = None) -> None:
        super().__init__()
        self.trouble = trouble


class HealthTaken(Message):
    """It is known how the memory is."""

    def __init__(self, report: HealthReport) -> None:
        super().__init__()
        self.report = report


class ChangeMade(Message):
    """A change was taken back or made again; None when there was none to take."""

    def __init__(self, entry: JournalEntry | None, said: str, nothing: str) -> None:
        super().__init__()
        self.entry = entry
        self.said = said
        """What goes before the change's title."""
        self.nothing = nothing


class Failed(Message):
    """Something that was asked for could not be done."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__()
        self.trouble = trouble


class FilesChanged(Message):
    """Somebody else wrote the memory's files."""
