"""The workbench: the parts of a memory, wired once; for front ends, and the API: `from recall_tui import Workbench`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, TypeVar

from recall_tui.environment import Environment, expand_home
from recall_tui.memory import Memory, bound
from recall_tui.storage import trust
from recall_tui.storage.files import symlinks
from recall_tui.storage.layout import Layout, LocatedMemory, find_memory

if TYPE_CHECKING:
    from collections import Counter

    from recall_tui.agents.installer import AgentInstaller
    from recall_tui.agents.status import AgentStatus
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
    from recall_tui.storage.journal.batch import Batch
    from recall_tui.storage.journal.commits import Journal

P = ParamSpec("P")
F = TypeVar("F", bound=Mapping[str, object])


class Workbench:
    """A memory and its operations."""

    def __init__(self, store: Memory, why: str) -> None:
        """Take the memory, and the reason that it was selected, for the user."""
        self.store: Final = store
        self.why: Final = why

    @classmethod
    def open(
        cls,
        root: Path | str | None = None,
        *,
        layout: str | None = None,
        environment: Environment | None = None,
        now: Callable[[], datetime] | None = None,
        takes_strays: bool = False,
    ) -> Workbench:
        """Find the memory (see `storage.layout.find_memory`); NotFoundError with a next step when there is none."""
        environment = environment or current_environment()
        found = find_memory(environment, expand_home(root, environment.home) if root is not None else None, layout)
        return cls.at(found, environment, now, takes_strays=takes_strays)

    @classmethod
    def at(
        cls,
        found: LocatedMemory,
        environment: Environment,
        now: Callable[[], datetime] | None = None,
        patience: float | None = None,
        *,
        takes_strays: bool = False,
    ) -> Workbench:
        """Return the workbench of a located memory or one about to be created.

        Raises RecallError when another account created it (see `storage.trust`), or when one of its documents is a link
        that leads outside and is not followed (see `storage.files.symlinks`), unless `takes_strays`, for the
        maintenance of such a memory.
        """
        store = Memory(found.layout, environment, now or local_now, lock_timeout=patience)
        store = store._replace(layout=trust.with_owned(store))
        if not takes_strays:
            trust.expect_own(store)
            symlinks.expect_own_documents(store.layout)
        return cls(store, found.why)

    @property
    def layout(self) -> Layout:
        """Return the memory's layout."""
        return self.store.layout

    @property
    def config(self) -> Config:
        """Return the effective settings."""
        return self.store.config

    @property
    def window(self) -> Window:
        """Return the current rolling window."""
        from recall_tui.storage.documents import window_file
        from recall_tui.storage.files.atomic import read_text

        return window_file.display_window(read_text(self.layout.window))

    @property
    def rows(self) -> tuple[IndexRow, ...]:
        """Return the current rows of ARCHIVE.md, in file order, then summaries without a row."""
        from recall_tui.storage.archives.folder import list_rows

        return list_rows(self.layout)

    @cached_property
    def archive(self) -> ArchiveFolder:
        """Return the archive folder."""
        from recall_tui.storage.archives.folder import ArchiveFolder

        return ArchiveFolder(self.layout)

    @property
    def journal(self) -> Journal:
        """Return the journal of changes."""
        return self.store.journal

    @property
    def index(self) -> Index:
        """Return the search index, shared by all memories of a user."""
        return self.store.index

    @property
    def hooks(self) -> HookDispatcher:
        """Return the dispatcher of agents' hooks."""
        from recall_tui.features.hooks.dispatch import HookDispatcher

        return HookDispatcher(self.store)

    @property
    def eraser(self) -> Eraser:
        """Return the irreversible operations."""
        from recall_tui.features.erasure.eraser import Eraser

        return Eraser(self.store)

    @property
    def agents(self) -> AgentInstaller:
        """Return the installer into agents."""
        from recall_tui.agents.installer import AgentInstaller

        return AgentInstaller(self.store)

    def preview(self, verb: Callable[Concatenate[Memory, P], Plan[F]], *args: P.args, **options: P.kwargs) -> Plan[F]:
        """Return the change that the verb plans; nothing is changed."""
        from recall_tui.storage.state import own_lines

        with own_lines.preview():
            return verb(self.store, *args, **options)

    def apply(
        self, verb: Callable[Concatenate[Memory, P], Plan], *args: P.args, **options: P.kwargs
    ) -> JournalEntry | None:
        """Make the verb's change for a person, under the memory's lock; None when it plans none.

        `store.commit(bound(verb, …))` makes one for somebody else, or only if it is the one that a person looked at.
        """
        return self.store.commit(bound(verb, *args, **options))

    def undo(self, entry_id: int | None = None) -> JournalEntry | None:
        """Undo a change, by default the person's newest; None when there is none."""
        from recall_tui.features.setup.removal import clear_away

        _before_taking_back(self.store)
        entry = self.journal.undo(entry_id)
        clear_away(self.store)
        return entry

    def redo(self, entry_id: int | None = None) -> JournalEntry | None:
        """Redo the change that an undo, by default the newest, reverted; None when there is none."""
        _before_taking_back(self.store)
        return self.journal.redo(entry_id)

    def initialise(self) -> JournalEntry | None:
        """Create the folders and missing files of the memory's layout."""
        from recall_tui.features.setup.init import make_folders, plan_init

        make_folders(self.store)
        return self.apply(plan_init)

    def capture(
        self,
        path: Path,
        *,
        source: Source = "session",
        by: Actor = "person",
        notes: Mapping[str, str] | None = None,
        batch: Batch | None = None,
    ) -> CaptureResult:
        """Archive a transcript, or update its archive; `notes` stand at the archive's head, too.

        Captures of one `batch` (see `features.capture.sessions.capture_batch`) are one change of the journal.
        """
        from recall_tui.features.capture import sessions

        return sessions.capture(self.store, path, source, by=by, notes=notes, batch=batch)

    def unarchived(
        self, since: datetime | None = None, *, of_all: bool = False, others: Counter[str] | None = None
    ) -> Iterator[Path]:
        """Yield the transcripts that are not archived in their current state, oldest first.

        Limited to the memory's projects unless `of_all`; skipped sessions are counted in `others`, by folder.
        """
        from recall_tui.features.capture.archived_sessions import unarchived_transcripts

        return unarchived_transcripts(self.store, since, of_all=of_all, others=others)

    def document(self, reference: str | Path) -> Document:
        """Return a document by number, name, session or path; NotFoundError when there is none."""
        from recall_tui.features.documents.lookup import get_document

        return get_document(self.store, str(reference))

    def sync(
        self,
        progress: Callable[[int, int], None] | None = None,
        *,
        anew: bool = False,
        patience: float = 0.0,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> RefreshResult:
        """Update the search index from the files, or rebuild it with `anew`.

        `progress` receives the bytes done and the total; the work stops soon after `is_cancelled` returns True. While
        another process writes the index this waits `patience` seconds.
        """
        from recall_tui.index.ingest.refresh import rebuild, refresh

        self.store.back_up()
        update = rebuild if anew else refresh
        return update(self.index, self.store, progress, patience=patience, is_cancelled=is_cancelled)

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
        """Return the best hits for a query, with reasons; UsageError for a blank query.

        `at` is the time of the question, for "yesterday" and the like; `by_words` disables vectors; `options` apply to
        this search only.
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
        """Export documents and sessions, or with None the whole memory, to one file: Markdown, HTML or JSON.

        The file's suffix decides the format unless `form` is given. The file is complete, private and verified by
        reading it back; an existing file is a ConflictError unless `is_forced`.
        """
        from recall_tui.features.transfer import export

        render = (
            export.memory_renderer(self.store)
            if items is None
            else export.parts_renderer(self.store, _load_excerpts(self, items))
        )
        return export.write_export(self.store, render, to, form, is_forced=is_forced)

    def health(self, *, with_index: bool = True, agents: Sequence[AgentStatus] | None = None) -> HealthReport:
        """Return the memory's health, the reasons, and the checklist; without `agents` no hook is started for it."""
        from recall_tui.agents.problems import agents_with_hooks
        from recall_tui.features.health.checklist import HookInstallation, with_checklist
        from recall_tui.features.health.report import assess_health, index_facts

        report = assess_health(self.store, (lambda: index_facts(self.store, self.index)) if with_index else None)
        found = self.agents.statuses(runs_hooks=False) if agents is None else agents
        hooked = tuple(agents_with_hooks(found))
        error = next((f"{one.target.title}: {one.trouble}" for one in hooked if one.trouble), "")
        titles = tuple(dict.fromkeys(one.target.title for one in hooked))
        is_any_found = any(one.is_found for one in found)
        return with_checklist(self.store, report, HookInstallation(titles, error, is_any_found))

    def check(
        self, proof: VerifyResult | None = None, *, unpacks: bool = False, agents: Sequence[AgentStatus] | None = None
    ) -> tuple[Problem, ...]:
        """Return all problems of the memory, and of its index as far as the counts or `proof` show them.

        The newest backup is checked, or with `unpacks` unpacked; without `agents` hooks and server are started.
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

            return agent_problems(self.agents.statuses() if agents is None else agents)

        def of_clock() -> Iterator[Problem]:
            return clock_problems.find_problems(self.store, self.journal)

        return doctor.run_checks(self.store, of_backups, of_index, of_agents, of_clock)


def reversal_effects(bench: Workbench, plan: Plan) -> tuple[str, ...]:
    """Return what an undo or redo does that a person should confirm, each the end of a sentence; usually none."""
    from recall_tui.features.setup.removal import describe_removal

    agents = ", ".join(bench.agents.touched(edit.path for edit in plan.edits))
    return (*([f"changes the configuration of {agents}"] if agents else ()), *describe_removal(bench.store, plan))


def clean_up(bench: Workbench) -> Workbench:
    """Clean up after killed processes, and merge what other programs wrote into files that were replaced.

    Without work it costs three file checks; it never waits and never fails.
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
    """Back up before an undo or redo; ConflictError if it may restore content forgotten with another state folder."""
    from recall_tui.features.erasure.tombstones_elsewhere import expect_none_in_journal

    expect_none_in_journal(memory, memory.journal)
    memory.back_up()


def current_environment() -> Environment:
    """Return the environment of this process."""
    return Environment(Path.home(), Path.cwd(), dict(os.environ))


def local_now() -> datetime:
    """Return the current local time with its offset."""
    return datetime.now().astimezone()
