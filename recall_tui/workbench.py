"""The workbench: everything of one memory, wired once and made on first use.

What every front end holds, and the documented Python API: `from recall_tui import Workbench`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui.agents.installer import Installing
from recall_tui.environment import Places, expanded
from recall_tui.features.erasure.eraser import Erasing
from recall_tui.features.hooks.dispatch import Reacting
from recall_tui.storage.files import symlinks as links
from recall_tui.storage.layout import Found, Layout, find
from recall_tui.storage.memory_context import Store
from recall_tui.storage.trust import as_owned, note_origin

if TYPE_CHECKING:
    from collections import Counter

    from recall_tui.config import Config
    from recall_tui.domain import Answer, By, HealthReport, IndexRow, JournalEntry, Plan, Problem, Suggestion
    from recall_tui.features.capture.archive import Source
    from recall_tui.features.capture.sessions import Captured
    from recall_tui.features.documents.excerpt import Excerpt
    from recall_tui.features.documents.lookup import Document
    from recall_tui.features.transfer.export import Exported, Form
    from recall_tui.index.ingest.refresh import Refreshed
    from recall_tui.index.maintenance.verify import Proof
    from recall_tui.index.opener import Index
    from recall_tui.search.options import Options
    from recall_tui.search.query import Filters
    from recall_tui.storage.archives.folder import ArchiveFolder
    from recall_tui.storage.documents.memory_file import MemoryFile
    from recall_tui.storage.documents.window_file import Window
    from recall_tui.storage.journal.commits import Journal
    from recall_tui.storage.state.backup_ring import Progress


@dataclass(frozen=True)
class Workbench(Erasing, Reacting, Installing):
    """One memory and what can be done with it.

    What cannot be taken back is in `features.erasure.eraser`, what agents cause by their hooks in
    `features.hooks.dispatch`, and what is put into agents in `agents.installer`.
    """

    store: Store
    why: str
    """Why it is this memory, for a person."""
    patience: float | None = None
    """Seconds to wait for another process that changes the memory; None for as long as a person would."""
    backing_up: Callable[[], AbstractContextManager[Progress | None]] = nullcontext
    """What is told in its block how far the backup is that the day's first change waits for."""

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
        places = places or here()
        found = find(places, expanded(root, places.home) if root is not None else None, layout)
        return cls.at(found, places, now, takes_strays=takes_strays)

    @classmethod
    def at(
        cls,
        found: Found,
        places: Places,
        now: Callable[[], datetime] | None = None,
        patience: float | None = None,
        *,
        takes_strays: bool = False,
    ) -> Workbench:
        """The workbench of a memory that was found, or is about to be made.

        RecallError when one of its documents is a link that leads out and is not followed (see
        `storage.files.symlinks`), unless it `takes_strays`, to look after such a memory.
        """
        store = Store(found.layout, places, now or local_now)
        store = replace(store, layout=as_owned(store))
        if not takes_strays:
            links.expect_own_documents(store.layout)
        return cls(store, found.why, patience)

    @property
    def layout(self) -> Layout:
        """Where the memory keeps what."""
        return self.store.layout

    @property
    def config(self) -> Config:
        """The settings in force."""
        return self.store.config

    @property
    def memory(self) -> MemoryFile:
        """MEMORY.md as it is now."""
        from recall_tui.storage.documents import memory_file

        return memory_file.read(self.store)

    @property
    def window(self) -> Window:
        """The rolling window as it is now."""
        from recall_tui.storage.documents import window_file
        from recall_tui.storage.files.atomic import read_text

        return window_file.shown(read_text(self.layout.window))

    @property
    def rows(self) -> tuple[IndexRow, ...]:
        """ARCHIVE.md as it is now, in its own order."""
        from recall_tui.storage.archives import index_file as archive_index
        from recall_tui.storage.files.atomic import read_text

        return archive_index.parse(read_text(self.layout.rows))

    @cached_property
    def archive(self) -> ArchiveFolder:
        """The archives."""
        from recall_tui.storage.archives.folder import ArchiveFolder

        return ArchiveFolder(self.layout)

    @cached_property
    def journal(self) -> Journal:
        """Every change that was made."""
        from recall_tui.storage.files.lock import PATIENCE_SECONDS
        from recall_tui.storage.journal.commits import Journal

        note_origin(self.store)
        patience = PATIENCE_SECONDS if self.patience is None else self.patience
        expects = partial(links.expect_own, self.layout)
        return Journal(self.store.state, self.store.now, patience, expects, self.layout.base)

    @cached_property
    def index(self) -> Index:
        """The search index, one for all memories of a person."""
        from recall_tui.index.opener import open_index

        return open_index(self.store.places)

    def preview(self, verb: Callable[..., Plan], *args: Any, **options: Any) -> Plan:
        """What the verb would change; nothing is changed."""
        return verb(self.store, *args, **options)

    def apply(
        self, verb: Callable[..., Plan], *args: Any, by: By = "person", seen: Plan | None = None, **options: Any
    ) -> JournalEntry | None:
        """Make the verb's changes under the memory's lock; None when it wants none.

        With `seen`, a plan that a person looked at, a different plan is a ConflictError and nothing is written.
        """

        def planned() -> Plan:
            return verb(self.store, *args, **options)

        planned.__name__ = getattr(verb, "__name__", "change")
        return _commit(self, planned, by, seen)

    def undo(self, entry_id: int | None = None) -> JournalEntry | None:
        """Take back a change, or the person's newest; None when there is none."""
        _back_up(self)
        return self.journal.undo(entry_id)

    def redo(self) -> JournalEntry | None:
        """Make again what the newest undo took back; None when there is none."""
        _back_up(self)
        return self.journal.redo()

    def initialise(self) -> JournalEntry | None:
        """Make the folders and the missing files of the memory's layout."""
        from recall_tui.features.setup.init import make_folders, plan_init

        make_folders(self.store)
        return self.apply(plan_init)

    def capture(self, path: Path, *, source: Source = "session", by: By = "person") -> Captured:
        """Archive a transcript, or bring its archive up to date."""
        from recall_tui.features.capture import sessions as capture

        return capture.capture(self.store, path, lambda verb: _commit(self, verb, by), source)

    def unarchived(
        self, since: datetime | None = None, *, of_all: bool = False, others: Counter[str] | None = None
    ) -> Iterator[Path]:
        """Transcripts that this memory does not hold as they are now, oldest first.

        Of the projects that it takes, or `of_all`; sessions that are left out are counted in `others`, by folder.
        """
        from recall_tui.features.capture import sessions as capture

        return capture.unarchived(self.store, since, of_all=of_all, others=others)

    def find_transcript(self, session_id: str) -> Path:
        """The transcript of a session, by its id or a unique beginning of it; NotFoundError when there is none."""
        from recall_tui.errors import NotFoundError
        from recall_tui.index.sources.transcripts import find_session

        found = find_session(self.store, session_id)
        if found is None:
            raise NotFoundError(f"no agent has a transcript of session {session_id}")
        return found

    def suggestions(self) -> tuple[Suggestion, ...]:
        """What makes MEMORY.md heavy, heaviest first."""
        from recall_tui.features.curation.distill import suggestions

        return suggestions(self.store)

    def document(self, reference: str | Path) -> Document:
        """A document by number, name, session or path; NotFoundError when there is none."""
        from recall_tui.features.documents.lookup import document

        return document(self.store, str(reference))

    def sync(
        self,
        progress: Callable[[int, int], None] | None = None,
        *,
        anew: bool = False,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> Refreshed:
        """Bring the search index up to date with the files, or make it anew from them.

        `progress` is told the bytes done and those to do; soon after `is_cancelled` says so the work stops.
        """
        from recall_tui.index.ingest.refresh import rebuild, refresh

        _back_up(self)
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
        options: Options | None = None,
    ) -> Answer:
        """The best evidence for a question, with reasons; UsageError for a blank one.

        `at` is when the question is asked, for "yesterday" and the like; `by_words` leaves vectors aside; `options`
        are of this search alone.
        """
        from recall_tui.features.health.embeddings import asked, make_some
        from recall_tui.search.engine import search
        from recall_tui.search.options import DEFAULT

        if sync:
            make_some(self.store, self.index, self.sync())
        plain = (self.index, None, None)
        index, near, aggregate = plain if by_words else asked(self.store, self.index)
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
            options=options or DEFAULT,
        )

    def export(
        self,
        items: Iterable[Document | Excerpt | str | Path] | None,
        to: Path,
        *,
        form: Form | None = None,
        is_forced: bool = False,
    ) -> Exported:
        """Write documents and sessions, or with None the whole memory, to one file: Markdown, HTML or JSON.

        The file's ending says which, unless `form` does. It is whole, private and read back; one that is there already
        is a ConflictError unless `is_forced`.
        """
        from recall_tui.features.transfer import export

        render = export.of_memory(self.store) if items is None else export.of_parts(self.store, _parts(self, items))
        return export.write(self.store, render, to, form, is_forced=is_forced)

    def health(self, *, with_index: bool = True) -> HealthReport:
        """How the memory is, and why."""
        from recall_tui.features.health.report import health

        def coverage() -> dict[str, object]:
            from dataclasses import asdict

            from recall_tui.features.health import embeddings as vectoring

            covered, vectors = self.index.coverage(self.store), vectoring.told(self.store, self.index)
            facts = {**asdict(covered), "is_whole": covered.is_whole, "trouble": covered.trouble}
            return {**facts, "vectors": vectors} if vectors else facts

        return health(self.store, coverage if with_index else None)

    def check(self, proof: Proof | None = None, *, unpacks: bool = False) -> tuple[Problem, ...]:
        """Everything that does not fit in the memory, and in its index as far as the counts or the proof tell.

        The newest backup is looked at, or with `unpacks` unpacked.
        """
        from recall_tui.features.health import backup_problems as backup_check
        from recall_tui.features.health import clock_problems as clock_check
        from recall_tui.features.health import doctor
        from recall_tui.features.health import embeddings as vectoring
        from recall_tui.features.health import index_problems as index_check

        def of_index() -> list[Problem]:
            found = index_check.of_proof(proof) if proof else index_check.of_coverage(self.index.coverage(self.store))
            return [*found, *vectoring.problems(self.store, self.index, is_deep=proof is not None)]

        def of_backups() -> Iterator[Problem]:
            return backup_check.problems(self.store, self.journal, is_deep=unpacks)

        def of_agents() -> Iterator[Problem]:
            from recall_tui.agents.problems import problems_of

            return problems_of(self.agents())

        def of_clock() -> Iterator[Problem]:
            return clock_check.problems(self.store, self.journal)

        return doctor.check(self.store, of_backups, of_index, of_agents, of_clock)


def looked_after(bench: Workbench) -> Workbench:
    """Clear up behind killed processes, and bring in what other programs wrote into files that were replaced.

    It costs a look at three names where there is nothing to do; it never waits for anybody, and never fails.
    """
    from recall_tui.storage.files.temporary_files import is_anything_left

    if is_anything_left(bench.layout.base, bench.store.state):
        bench.journal.look_after()
    return bench


def _parts(bench: Workbench, items: Iterable[Document | Excerpt | str | Path]) -> list[Excerpt]:
    from recall_tui.features.documents.excerpt import Excerpt, excerpt, whole
    from recall_tui.features.documents.lookup import Document

    def part(item: Document | Excerpt | str | Path) -> Excerpt:
        if isinstance(item, Excerpt):
            return item
        return whole(item) if isinstance(item, Document) else excerpt(bench.store, lambda: bench.index, str(item))

    return [part(item) for item in items]


def _commit(bench: Workbench, verb: Callable[[], Plan], by: By, seen: Plan | None = None) -> JournalEntry | None:
    """Make the verb's changes; the first of a memory also writes down its layout.

    In a repository, what is private is kept out of its commits before anything is written.
    """
    from recall_tui.features.setup.configure import with_layout_recorded
    from recall_tui.storage.project_root import repository_around

    if verb.__name__ != "plan_init" and repository_around(bench.store.root):
        from recall_tui.features.capture.git_exclusion import keep_out

        if keep_out(bench.store).edits:
            # By nobody, so that taking back what a person did leaves it.
            bench.journal.commit(lambda: keep_out(bench.store), by="schedule")

    def recorded() -> Plan:
        if by == "person":
            _back_up(bench)
        return with_layout_recorded(bench.store, verb())

    recorded.__name__ = verb.__name__
    same = None if seen is None else with_layout_recorded(bench.store, seen)
    return bench.journal.commit(recorded, by=by, seen=same)


def _back_up(bench: Workbench) -> None:
    """Back the memory up, once a day; hooks leave it to the process that catches up behind them."""
    from recall_tui.storage.state.backup_ring import take_if_possible

    with bench.backing_up() as progress:
        take_if_possible(bench.store, progress)


def here() -> Places:
    """The environment of this process."""
    import os

    return Places(Path.home(), Path.cwd(), dict(os.environ))


def local_now() -> datetime:
    """The time now, with the offset of this machine."""
    return datetime.now().astimezone()
