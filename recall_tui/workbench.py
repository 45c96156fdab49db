"""The workbench: everything of one memory, wired once and made on first use.

What every front end holds, and the documented Python API: `from recall_tui import Workbench`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui.environment import Places, expand_home
from recall_tui.memory import Memory, bound
from recall_tui.storage import trust
from recall_tui.storage.files import symlinks
from recall_tui.storage.layout import Layout, LocatedMemory, find_memory

if TYPE_CHECKING:
    from collections import Counter

    from recall_tui.agents.installer import AgentInstaller
    from recall_tui.config import Config
    from recall_tui.domain import Actor, HealthReport, IndexRow, JournalEntry, Plan, Problem, SearchResult
    from recall_tui.features.capture.archive import Source
    from recall_tui.features.capture.sessions import CaptureResult
    from recall_tui.features.documents.excerpt import Excerpt
    from recall_tui.features.documents.lookup import Document
    from recall_tui.features.erasure.eraser import Eraser
    from recall_tui.features.hooks.dispatch import HookDispatcher
    from recall_tui.features.transfer.export import ExportFormat, ExportResult
    from recall_tui.index.ingest.refresh import RefreshResult
    from recall_tui.index.maintenance.verify import VerifyResult
    from recall_tui.index.opener import Index
    from recall_tui.search.query import Filters, SearchOptions
    from recall_tui.storage.archives.folder import ArchiveFolder
    from recall_tui.storage.documents.window_file import Window
    from recall_tui.storage.journal.commits import Journal


@dataclass(frozen=True)
class Workbench:
    """One memory and what can be done with it."""

    store: Memory
    why: str
    """Why it is this memory, for a person."""

    @classmethod
    def open(
        cls,
        root: Path | str | None = None,
        *,
        layout: str | None = None,
        places: Places | None = None,
        now: Callable[[], datetime] | None = None,
        takes_strays: bool = False,
    ) -> Workbench:
        """Find the memory (see `storage.layout.find`); NotFoundError with a next step when there is none."""
        places = places or current_environment()
        found = find_memory(places, expand_home(root, places.home) if root is not None else None, layout)
        return cls.at(found, places, now, takes_strays=takes_strays)

    @classmethod
    def at(
        cls,
        found: LocatedMemory,
        places: Places,
        now: Callable[[], datetime] | None = None,
        patience: float | None = None,
        *,
        takes_strays: bool = False,
    ) -> Workbench:
        """The workbench of a memory that was found, or is about to be made.

        RecallError when another account made it (see `storage.trust`), or one of its documents is a link that leads out
        and is not followed (see `storage.files.symlinks`), unless it `takes_strays`, to look after such a memory.
        """
        store = Memory(found.layout, places, now or local_now, lock_timeout=patience)
        store = replace(store, layout=trust.with_owned(store))
        if not takes_strays:
            trust.expect_own(store)
            symlinks.expect_own_documents(store.layout)
        return cls(store, found.why)

    @property
    def layout(self) -> Layout:
        """Where the memory keeps what."""
        return self.store.layout

    @property
    def config(self) -> Config:
        """The settings in force."""
        return self.store.config

    @property
    def window(self) -> Window:
        """The rolling window as it is now."""
        from recall_tui.storage.documents import window_file
        from recall_tui.storage.files.atomic import read_text

        return window_file.display_window(read_text(self.layout.window))

    @property
    def rows(self) -> tuple[IndexRow, ...]:
        """ARCHIVE.md as it is now, in its own order."""
        from recall_tui.storage.archives import index_file
        from recall_tui.storage.files.atomic import read_text

        return index_file.parse_rows(read_text(self.layout.rows))

    @cached_property
    def archive(self) -> ArchiveFolder:
        """The archives."""
        from recall_tui.storage.archives.folder import ArchiveFolder

        return ArchiveFolder(self.layout)

    @property
    def journal(self) -> Journal:
        """Every change that was made."""
        return self.store.journal

    @property
    def index(self) -> Index:
        """The search index, one for all memories of a person."""
        return self.store.index

    @property
    def hooks(self) -> HookDispatcher:
        """What agents cause by their hooks."""
        from recall_tui.features.hooks.dispatch import HookDispatcher

        return HookDispatcher(self.store)

    @property
    def eraser(self) -> Eraser:
        """What cannot be taken back."""
        from recall_tui.features.erasure.eraser import Eraser

        return Eraser(self.store)

    @property
    def agents(self) -> AgentInstaller:
        """What is put into agents."""
        from recall_tui.agents.installer import AgentInstaller

        return AgentInstaller(self.store)

    def preview(self, verb: Callable[..., Plan], *args: Any, **options: Any) -> Plan:
        """What the verb would change; nothing is changed."""
        return verb(self.store, *args, **options)

    def apply(
        self, verb: Callable[..., Plan], *args: Any, by: Actor = "person", seen: Plan | None = None, **options: Any
    ) -> JournalEntry | None:
        """Make the verb's changes under the memory's lock; None when it wants none.

        With `seen`, a plan that a person looked at, a different plan is a ConflictError and nothing is written.
        """
        return self.store.commit(bound(verb, *args, **options), by=by, expected=seen)

    def undo(self, entry_id: int | None = None) -> JournalEntry | None:
        """Take back a change, or the person's newest; None when there is none."""
        _before_taking_back(self.store)
        return self.journal.undo(entry_id)

    def redo(self) -> JournalEntry | None:
        """Make again what the newest undo took back; None when there is none."""
        _before_taking_back(self.store)
        return self.journal.redo()

    def initialise(self) -> JournalEntry | None:
        """Make the folders and the missing files of the memory's layout."""
        from recall_tui.features.setup.init import make_folders, plan_init

        make_folders(self.store)
        return self.apply(plan_init)

    def capture(self, path: Path, *, source: Source = "session", by: Actor = "person") -> CaptureResult:
        """Archive a transcript, or bring its archive up to date."""
        from recall_tui.features.capture import sessions

        return sessions.capture(self.store, path, source, by=by)

    def unarchived(
        self, since: datetime | None = None, *, of_all: bool = False, others: Counter[str] | None = None
    ) -> Iterator[Path]:
        """Transcripts that this memory does not hold as they are now, oldest first.

        Of the projects that it takes, or `of_all`; sessions that are left out are counted in `others`, by folder.
        """
        from recall_tui.features.capture import sessions

        return sessions.unarchived_transcripts(self.store, since, of_all=of_all, others=others)

    def document(self, reference: str | Path) -> Document:
        """A document by number, name, session or path; NotFoundError when there is none."""
        from recall_tui.features.documents.lookup import get_document

        return get_document(self.store, str(reference))

    def sync(
        self,
        progress: Callable[[int, int], None] | None = None,
        *,
        anew: bool = False,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> RefreshResult:
        """Bring the search index up to date with the files, or make it anew from them.

        `progress` is told the bytes done and those to do; soon after `is_cancelled` says so the work stops.
        """
        from recall_tui.index.ingest.refresh import rebuild, refresh

        self.store.back_up()
        return (rebuild if anew else refresh)(self.index, self.store, progress, is_cancelled=is_cancelled)

    def search(
        self,
        text: str,
        *,
        limit: int = 10,
        passages: bool = False,
        sync: bool = True,
        filters: Filters | None = None,
        at: datetime | None = None,
        by_words: bool = False,
        options: SearchOptions | None = None,
    ) -> SearchResult:
        """The best evidence for a question, with reasons; UsageError for a blank one.

        `at` is when the question is asked, for "yesterday" and the like; `by_words` leaves vectors aside; `options`
        are of this search alone.
        """
        from recall_tui.features.health.embeddings import embed_batch, prepare_query
        from recall_tui.search.engine import search
        from recall_tui.search.query import DEFAULT_OPTIONS

        if sync:
            embed_batch(self.store, self.index, self.sync())
        plain = (self.index, None, None)
        index, near, aggregate = plain if by_words else prepare_query(self.store, self.index)
        return search(
            index,
            self.store,
            text,
            limit=limit,
            passages=passages,
            filters=filters,
            at=at,
            near=near,
            aggregate=aggregate,
            options=options or DEFAULT_OPTIONS,
        )

    def export(
        self,
        items: Iterable[Document | Excerpt | str | Path] | None,
        to: Path,
        *,
        form: ExportFormat | None = None,
        is_forced: bool = False,
    ) -> ExportResult:
        """Write documents and sessions, or with None the whole memory, to one file: Markdown, HTML or JSON.

        The file's ending says which, unless `form` does. It is whole, private and read back; one that is there already
        is a ConflictError unless `is_forced`.
        """
        from recall_tui.features.transfer import export

        render = (
            export.memory_renderer(self.store)
            if items is None
            else export.parts_renderer(self.store, _load_excerpts(self, items))
        )
        return export.write_export(self.store, render, to, form, is_forced=is_forced)

    def health(self, *, with_index: bool = True) -> HealthReport:
        """How the memory is, and why."""
        from recall_tui.features.health.report import assess_health

        def coverage() -> dict[str, object]:
            from dataclasses import asdict

            from recall_tui.features.health import embeddings

            covered, vectors = self.index.coverage(self.store), embeddings.coverage_details(self.store, self.index)
            facts = {**asdict(covered), "is_whole": covered.is_whole, "trouble": covered.trouble}
            return {**facts, "vectors": vectors} if vectors else facts

        return assess_health(self.store, coverage if with_index else None)

    def check(self, proof: VerifyResult | None = None, *, unpacks: bool = False) -> tuple[Problem, ...]:
        """Everything that does not fit in the memory, and in its index as far as the counts or the proof tell.

        The newest backup is looked at, or with `unpacks` unpacked.
        """
        from recall_tui.features.health import backup_problems, clock_problems, doctor, embeddings, index_problems

        def of_index() -> list[Problem]:
            found = (
                index_problems.gap_problems(proof)
                if proof
                else index_problems.coverage_problems(self.index.coverage(self.store))
            )
            return [*found, *embeddings.find_problems(self.store, self.index, is_deep=proof is not None)]

        def of_backups() -> Iterator[Problem]:
            return backup_problems.find_problems(self.store, self.journal, is_deep=unpacks)

        def of_agents() -> Iterator[Problem]:
            from recall_tui.agents.problems import agent_problems

            return agent_problems(self.agents.statuses())

        def of_clock() -> Iterator[Problem]:
            return clock_problems.find_problems(self.store, self.journal)

        return doctor.run_checks(self.store, of_backups, of_index, of_agents, of_clock)


def clean_up(bench: Workbench) -> Workbench:
    """Clear up behind killed processes, and bring in what other programs wrote into files that were replaced.

    It costs a look at three names where there is nothing to do; it never waits for anybody, and never fails.
    """
    from recall_tui.storage.files.temporary_files import may_have_leftovers

    if may_have_leftovers(bench.layout.base, bench.store.state) and trust.is_own(bench.store):
        bench.journal.look_after()
    return bench


def _load_excerpts(bench: Workbench, items: Iterable[Document | Excerpt | str | Path]) -> list[Excerpt]:
    from recall_tui.features.documents.excerpt import Excerpt, get_excerpt, whole_document
    from recall_tui.features.documents.lookup import Document

    def part(item: Document | Excerpt | str | Path) -> Excerpt:
        if isinstance(item, Excerpt):
            return item
        return (
            whole_document(item)
            if isinstance(item, Document)
            else get_excerpt(bench.store, lambda: bench.index, str(item))
        )

    return [part(item) for item in items]


def _before_taking_back(memory: Memory) -> None:
    """Back up, unless taking a change back may bring back what was forgotten elsewhere: a ConflictError then."""
    from recall_tui.features.erasure.tombstones_elsewhere import expect_none_in_journal

    expect_none_in_journal(memory, memory.journal)
    memory.back_up()


def current_environment() -> Places:
    """The environment of this process."""
    return Places(Path.home(), Path.cwd(), dict(os.environ))


def local_now() -> datetime:
    """The time now, with the offset of this machine."""
    return datetime.now().astimezone()
