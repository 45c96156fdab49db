"""What happened, told to the widgets by what works in the background.

Each is in the past tense and carries values only.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.message import Message

if TYPE_CHECKING:
    from recall_tui.domain import HealthReport, Hit, JournalEntry, Plan, SearchResult, SkippedResult
    from recall_tui.features.consolidation.timeline import MemoryTimeline
    from recall_tui.features.documents.citations import Citation
    from recall_tui.features.documents.lookup import Document
    from recall_tui.features.documents.resume import ResumeCommand
    from recall_tui.storage.state.saved_searches import SavedSearches
    from recall_tui.tui.memory_view_model import DisplayError, HomeView
    from recall_tui.tui.screens.distill.view_model import ChangePreview, DistillView
    from recall_tui.tui.screens.home.archive_progress import ArchiveProgress
    from recall_tui.tui.screens.home.summary_screen import PendingSummary
    from recall_tui.tui.screens.review.view_model import ProposalDiff, ProposalView
    from recall_tui.tui.screens.settings.view_model import SettingsView
    from recall_tui.tui.screens.wiki.view_model import WikiView
    from recall_tui.tui.widgets.markdown_lines import RenderedDocument


@dataclass(frozen=True, slots=True)
class SearchFiltered:
    """What the filters of a question did."""

    filters: tuple[str, ...] = ()
    """As they were typed."""
    without: int = 0
    """How many hits there are without them, when with them there is none."""


class MemoryLoaded(Message):
    """The memory was read anew."""

    def __init__(self, seen: HomeView) -> None:
        super().__init__()
        self.seen = seen


class HitsFound(Message):
    """A question has its answer."""

    def __init__(self, number: int, answer: SearchResult, took_ms: float, sifted: SearchFiltered) -> None:
        super().__init__()
        self.number = number
        """The question's number; an answer to an older question is stale."""
        self.answer = answer
        self.took_ms = took_ms
        self.sifted = sifted


class SearchFailed(Message):
    """A question could not be answered."""

    def __init__(self, number: int, trouble: DisplayError) -> None:
        super().__init__()
        self.number = number
        self.trouble = trouble


class DocumentLoaded(Message):
    """A document was read, or could not be."""

    def __init__(
        self,
        number: int,
        title: str,
        document: RenderedDocument | DisplayError,
        hit: Hit | None,
        *,
        source: Document | None = None,
        at: int = 0,
        note: str = "",
    ) -> None:
        super().__init__()
        self.number = number
        self.title = title
        self.document = document
        self.hit = hit
        """With the lines of its passage as the document shows them; 0 when the passage is all of it."""
        self.source = source
        """Where the text is from; None of a passage without its document."""
        self.at = at
        """The line of the passage, from 1, in which the words that were found begin."""
        self.note = note
        """What is to be said of it beside its lines."""

    @property
    def passage(self) -> tuple[int, int] | None:
        """The first and last line of the passage; None when there is none to be marked."""
        return self.hit.lines if self.hit is not None and self.hit.lines[0] else None


class DocumentExtended(Message):
    """More of a long document is ready to be shown."""

    def __init__(self, document: RenderedDocument) -> None:
        super().__init__()
        self.document = document


class MatchesFound(Message):
    """It is known which lines of a document hold what was looked for inside it."""

    def __init__(self, document: RenderedDocument, lines: array[int]) -> None:
        super().__init__()
        self.document = document
        self.lines = lines
        """From 0, in order."""


class ResumeCommandReady(Message):
    """It is known how a session is gone on with, or why it cannot be."""

    def __init__(self, resuming: ResumeCommand | SkippedResult) -> None:
        super().__init__()
        self.resuming = resuming


class SearchesLoaded(Message):
    """It is known which searches are remembered; None when that cannot be known."""

    def __init__(self, searches: SavedSearches | None, said: str = "") -> None:
        super().__init__()
        self.searches = searches
        self.said = said
        """What was done to them, for a toast."""


class SectionsMeasured(Message):
    """It is known how many sections of MEMORY.md are ready to be extracted."""

    def __init__(self, ready: int) -> None:
        super().__init__()
        self.ready = ready


class IndexProgressed(Message):
    """A further hundredth of what is to be indexed is done."""

    def __init__(self, percent: int, extent: str = "", *, is_changed: bool = False) -> None:
        super().__init__()
        self.percent = percent
        self.extent = extent
        """The time that can be searched already; empty when it is not known."""
        self.is_changed = is_changed
        """More can be found now."""


class IndexRefreshed(Message):
    """The search index is up to date, or could not be brought there."""

    def __init__(self, trouble: DisplayError | None = None, *, is_changed: bool = False) -> None:
        super().__init__()
        self.trouble = trouble
        self.is_changed = is_changed
        """Something else can be found now."""


class KeymapValidated(Message):
    """It is known what is wrong with the keys that the settings name."""

    def __init__(self, troubles: tuple[str, ...]) -> None:
        super().__init__()
        self.troubles = troubles


class HealthChecked(Message):
    """The memory's health was taken, and its open proposals counted."""

    def __init__(self, report: HealthReport, proposals: int = 0) -> None:
        super().__init__()
        self.report, self.proposals = report, proposals


class ChangeCommitted(Message):
    """A change was made, taken back or made again; None when there was none to make or take."""

    def __init__(
        self, entry: JournalEntry | None, said: str, nothing: str, notes: tuple[str, ...] = (), won: int = 0
    ) -> None:
        super().__init__()
        self.entry = entry
        self.said = said
        """What goes before the change's title; empty for a new change, which is told with how to undo it."""
        self.nothing = nothing
        self.notes = notes
        """What a person should know beside it."""
        self.won = won
        """Lines that MEMORY.md is shorter by."""


class WorkProgressed(Message):
    """Work that can be stopped came further."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words


class WorkFailed(Message):
    """Work that can be stopped could not go on."""

    def __init__(self, trouble: DisplayError) -> None:
        super().__init__()
        self.trouble = trouble


class SessionsArchived(Message):
    """Transcripts were archived, as many as there was time for."""

    def __init__(self, done: ArchiveProgress) -> None:
        super().__init__()
        self.done = done


class ForgetPlanned(Message):
    """It was worked out what forgetting removes."""

    def __init__(self, references: tuple[str, ...], plan: Plan) -> None:
        super().__init__()
        self.references = references
        self.plan = plan


class SummaryReady(Message):
    """The summary of a session was worked out, and waits to be saved."""

    def __init__(self, made: PendingSummary, *, is_stopped: bool) -> None:
        super().__init__()
        self.made = made
        self.is_stopped = is_stopped


class BulkFinished(Message):
    """Something was done with the rows that were chosen."""

    def __init__(self, words: str, has_changed: bool) -> None:
        super().__init__()
        self.words = words
        self.has_changed = has_changed
        """Whether the memory is another now."""


class VectorsProgressed(Message):
    """Some of the vectors that were missing were made."""

    def __init__(self, percent: int) -> None:
        super().__init__()
        self.percent = percent


class VectorsBuilt(Message):
    """The vectors that were missing were made, or as many as could be."""

    def __init__(self, rows: int, trouble: DisplayError | None = None) -> None:
        super().__init__()
        self.rows = rows
        self.trouble = trouble


class SettingsLoaded(Message):
    """The settings were read."""

    def __init__(self, seen: SettingsView) -> None:
        super().__init__()
        self.seen = seen


class DistillLoaded(Message):
    """MEMORY.md was weighed, or could not be read."""

    def __init__(self, weighed: DistillView | DisplayError) -> None:
        super().__init__()
        self.weighed = weighed


class ChangePreviewed(Message):
    """It is known what a choice would change, or why that cannot be known."""

    def __init__(self, number: int, draft: ChangePreview | DisplayError) -> None:
        super().__init__()
        self.number = number
        """The number of the question; an answer to an older one is stale."""
        self.draft = draft


class ProposalsLoaded(Message):
    """It is known what waits for review and how much applied itself, or why that cannot be known."""

    def __init__(self, cards: tuple[ProposalView, ...] | DisplayError, applied: int = 0) -> None:
        super().__init__()
        self.cards = cards
        self.applied = applied


class ProposalDiffReady(Message):
    """It is known what a proposal would change, or why that cannot be known."""

    def __init__(self, number: int, drawn: ProposalDiff | DisplayError) -> None:
        super().__init__()
        self.number = number
        """The number of the question; an answer to an older one is stale."""
        self.drawn = drawn


class TextCopied(Message):
    """A text is ready for the clipboard."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class TimelineLoaded(Message):
    """It is known what happened when, or why that cannot be known."""

    def __init__(self, timeline: MemoryTimeline | DisplayError, *, is_whole: bool = True) -> None:
        super().__init__()
        self.timeline = timeline
        self.is_whole = is_whole
        """False of what is only soon known."""


class PageProposed(Message):
    """A week's or a month's page was put into review, or was not."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = title
        """What waits now; empty when nothing does."""


class CitationsFound(Message):
    """It is known what a page rests on."""

    def __init__(self, citations: tuple[Citation, ...]) -> None:
        super().__init__()
        self.citations = citations


class WikiLoaded(Message):
    """The wiki was read, or could not be."""

    def __init__(self, seen: WikiView | DisplayError) -> None:
        super().__init__()
        self.seen = seen


class RebuildPlanned(Message):
    """It is known what putting a wiki page in order would change, and how that looks as a diff."""

    def __init__(self, plan: Plan, diff: str, words: tuple[Any, ...], note: str = "") -> None:
        """`words` are what the page is rebuilt with, `note` why no model told it, where one was asked."""
        super().__init__()
        self.plan = plan
        self.diff = diff
        self.words = words
        self.note = note


class ActionFailed(Message):
    """Something that was asked for could not be done."""

    def __init__(self, trouble: DisplayError) -> None:
        super().__init__()
        self.trouble = trouble


class FilesChanged(Message):
    """Somebody else wrote the memory's files."""
