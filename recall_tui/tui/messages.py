"""What happened, told to the widgets by what works in the background.

Each is in the past tense and carries values only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from recall_tui.domain import Answer, HealthReport, Hit, JournalEntry
from recall_tui.tui.rendered import Rendered
from recall_tui.tui.seen import Seen, Trouble

if TYPE_CHECKING:
    from recall_tui.storage.searches import Searches


@dataclass(frozen=True, slots=True)
class Sifted:
    """What the filters of a question did."""

    filters: tuple[str, ...] = ()
    """As they were typed."""
    without: int = 0
    """How many hits there are without them, when with them there is none."""


class MemoryLookedAt(Message):
    """The memory was read anew."""

    def __init__(self, seen: Seen) -> None:
        super().__init__()
        self.seen = seen


class HitsFound(Message):
    """A question has its answer."""

    def __init__(self, number: int, answer: Answer, took_ms: float, sifted: Sifted) -> None:
        super().__init__()
        self.number = number
        """The question's number; an answer to an older question is stale."""
        self.answer = answer
        self.took_ms = took_ms
        self.sifted = sifted


class SearchFailed(Message):
    """A question could not be answered."""

    def __init__(self, number: int, trouble: Trouble) -> None:
        super().__init__()
        self.number = number
        self.trouble = trouble


class DocumentRead(Message):
    """A document was read, or could not be."""

    def __init__(
        self, number: int, title: str, document: Rendered | Trouble, hit: Hit | None, *, at: int = 0, note: str = ""
    ) -> None:
        super().__init__()
        self.number = number
        self.title = title
        self.document = document
        self.hit = hit
        """With the lines of its passage as the document shows them; 0 when the passage is all of it."""
        self.at = at
        """The line of the passage, from 1, in which the words that were found begin."""
        self.note = note
        """What is to be said of it beside its lines."""

    @property
    def passage(self) -> tuple[int, int] | None:
        """The first and last line of the passage; None when there is none to be marked."""
        return self.hit.lines if self.hit is not None and self.hit.lines[0] else None


class SearchesRead(Message):
    """It is known which searches are remembered; None when that cannot be known."""

    def __init__(self, searches: Searches | None, said: str = "") -> None:
        super().__init__()
        self.searches = searches
        self.said = said
        """What was done to them, for a toast."""


class SectionsWeighed(Message):
    """It is known how many sections of MEMORY.md are ready to be extracted."""

    def __init__(self, ready: int) -> None:
        super().__init__()
        self.ready = ready


class IndexProgressed(Message):
    """A further hundredth of what is to be indexed is done."""

    def __init__(self, percent: int) -> None:
        super().__init__()
        self.percent = percent


class IndexRefreshed(Message):
    """The search index is up to date, or could not be brought there."""

    def __init__(self, trouble: Trouble | None = None, *, is_changed: bool = False) -> None:
        super().__init__()
        self.trouble = trouble
        self.is_changed = is_changed
        """Something else can be found now."""


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
