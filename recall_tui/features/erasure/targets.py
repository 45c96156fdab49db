"""What a person means by what shall be forgotten: a session with all that is kept of it, or one document.

Finding it changes nothing; a beginning that several sessions share is never taken for one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from recall_tui.domain import ArchiveEntry, Conversation, IndexRow
from recall_tui.environment import expand_home
from recall_tui.errors import BrokenFileError, NotFoundError, RecallError, UsageError
from recall_tui.features.documents.lookup import kind_of
from recall_tui.features.erasure.copies import Copies
from recall_tui.index.opener import open_index
from recall_tui.index.source_record import SourceRecord
from recall_tui.index.sources.transcripts import list_all_copies
from recall_tui.index.text.passage import TRANSCRIPTS_KEY
from recall_tui.storage.archives import index_file, retained
from recall_tui.storage.archives.file import read_entry
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.archives.summary_file import read_head as read_summary
from recall_tui.storage.documents import window_file
from recall_tui.storage.documents.topic_files import list_topics
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.inventory import migrated_notes
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import tombstones
from recall_tui.storage.state.tombstones import Tombstone
from recall_tui.text.cut import one_line
from recall_tui.transcripts.discovery import MIN_PREFIX_CHARS, match_session_id
from recall_tui.transcripts.reader import TranscriptFile
from recall_tui.transcripts.registry import read_transcript, session_id_by_name
from recall_tui.transcripts.shared_file import split_session_path

_TRANSCRIPT_SUFFIXES = (".jsonl", ".zst", ".json")
_MARKDOWN_SUFFIX = ".md"
_PLAN_KINDS = ("plan", "todo")
_MEMORY_KINDS = ("memory", "window", "index", "config")
"""Kinds of documents that a memory is made of, and that no session and no topic stands for."""


@dataclass(frozen=True, slots=True)
class ForgetTarget:
    """What is to go, and what is left of it elsewhere."""

    name: str
    sessions: tuple[str, ...] = ()
    """Every id by which the session is known."""
    archives: tuple[ArchiveEntry, ...] = ()
    """Its archives or its summary."""
    rows: tuple[IndexRow, ...] = ()
    kept: tuple[Path, ...] = ()
    """Its retained copies."""
    document: Path | None = None
    """A document that is no session."""
    transcripts: tuple[TranscriptFile, ...] = ()
    """Its agent's own files, which are not ours."""
    beside: tuple[Path, ...] = ()
    """Plans, todo lists and the history of typed prompts, which are not ours either."""
    stone: Tombstone | None = None
    """Its mark, when it was forgotten here before."""


@dataclass(frozen=True)
class SessionRecords:
    """Everything that may be meant, looked up once for all targets of a plan."""

    store: Store
    rows: tuple[IndexRow, ...]
    entries: tuple[ArchiveEntry, ...]
    transcripts: tuple[TranscriptFile, ...]
    stones: tuple[Tombstone, ...]
    in_window: tuple[str, ...]
    copies: Copies

    @classmethod
    def of(cls, store: Store) -> SessionRecords:
        """What there is in the memory, in the agents' folders and in the further ones."""
        window = window_file.parse_window(read_text(store.layout.window))
        rows = index_file.parse_rows(read_text(store.layout.rows))
        return cls(
            store,
            rows,
            ArchiveFolder(store.layout).entries(rows),
            tuple(list_all_copies(store)),
            tombstones.read_tombstones(store.state).all,
            tuple(entry.session_id for entry in window.entries),
            Copies(store.layout),
        )

    def target(self, reference: str) -> ForgetTarget:
        """What the reference means; NotFoundError when there is nothing, RecallError when there are several."""
        wanted = reference.strip()
        if not wanted:
            raise UsageError("say what to forget", hint="a session, an archive's number or name, or a path")
        for find in (self._archive, self._topic, self._beside, self._at_path, self._session, self._forgotten):
            if target := find(wanted):
                return target
        raise NotFoundError(f"no session or document called {reference!r}", hint="see: recall-tui list")

    def stone(self, reference: str) -> Tombstone:
        """The mark that a person means; NotFoundError, with those there are, when there is none."""
        wanted = reference.strip()
        if wanted and (target := self._forgotten(wanted)) and target.stone:
            return target.stone
        if wanted and (there := tombstones.of_memory(self.store).of_session(wanted)):
            return there
        paths = {str(self.store.environment.cwd / wanted), str(self.store.root / wanted)}
        for one in self.stones:
            if wanted and not paths.isdisjoint({str(self.store.root / path) for path in one.paths}):
                return one
        names = ", ".join(one.name for one in self.stones[-5:])
        hint = f"forgotten here: {names}" if names else "nothing was forgotten in this memory"
        if elsewhere := tombstones.read_all(self.store).of_session(wanted):
            hint = f"it was forgotten in another memory: {elsewhere.way_back(self.store.root)}"
        raise NotFoundError(f"nothing called {reference!r} was forgotten", hint=hint)

    def _beside(self, wanted: str) -> ForgetTarget | None:
        """A plan, a todo list or typed prompts by its path or, of a plan or list, its name."""
        from recall_tui.features.documents.side_documents import find_side_reference

        found = find_side_reference(self.store, wanted)
        if found is None:
            return None
        stone = tombstones.Tombstones(self.stones).of_session(found.name)
        return ForgetTarget(found.name, (found.name,), beside=(found.path,), stone=stone)

    def _at_path(self, wanted: str) -> ForgetTarget | None:
        store = self.store
        with suppress(RecallError):
            wanted = str(expand_home(wanted, store.environment.home))
        for folder in (store.environment.cwd, store.layout.root, store.layout.base):
            try:
                path = folder / wanted
                if named := split_session_path(path):
                    return self._of(named[1])
                if path.is_file() and (target := self._of_file(path)):
                    return target
            except (OSError, RuntimeError, ValueError):
                continue
        database = f"{store.environment.session_index}/"
        return self._of(wanted.removeprefix(database)) if wanted.startswith(database) else None

    def _of_file(self, path: Path) -> ForgetTarget | None:
        """What a file stands for; None for one that is neither a conversation nor a document of the memory."""
        store = self.store
        if path.is_relative_to(store.environment.kept):
            return self._of(_transcript_session(path) or path.parent.name)
        if path.suffix in _TRANSCRIPT_SUFFIXES:
            conversation = read_transcript(path)
            named = (session_id_by_name(path),) if any(one.path == path for one in self.transcripts) else ()
            told = (conversation.head.session_id,) if isinstance(conversation, Conversation) else ()
            if ids := (*told, *named):
                return self._of(*ids)
        inside = _path_inside(store, path)
        if inside is None or path.suffix != _MARKDOWN_SUFFIX:
            return None
        known = next((one for one in self.entries if one.path == inside), None)
        if entry := known or read_entry(inside) or self._summary(inside):
            return self._of_entry(entry)
        if session := self.copies.sessions.get(inside):
            return self._of(session)
        if kind_of(store.layout, inside) in _MEMORY_KINDS:
            raise UsageError(f"{store.relative(inside)} is no session and no topic", hint="edit it, or name a session")
        return self._of_document(inside)

    def _summary(self, path: Path) -> ArchiveEntry | None:
        return read_summary(path) if path.parent == self.store.layout.summaries else None

    def _archive(self, wanted: str) -> ForgetTarget | None:
        try:
            return self._of_entry(ArchiveFolder(self.store.layout).get(wanted))
        except NotFoundError:
            pass
        if wanted.isdecimal() and wanted.isascii() and len(wanted) < 10:
            row = next((row for row in self.rows if row.number == int(wanted)), None)
            return self._of(row.session_id) if row and row.session_id else None
        return None

    def _topic(self, wanted: str) -> ForgetTarget | None:
        layout = self.store.layout
        for path in (*list_topics(layout), *migrated_notes(layout)):
            if wanted.lower() in (path.name.lower(), path.stem.lower()):
                return self._of_document(path)
        return None

    def _of_document(self, path: Path) -> ForgetTarget:
        return ForgetTarget(path.name, document=path, stone=self._stone_at(path))

    def _stone_at(self, path: Path) -> Tombstone | None:
        """The mark of something without a session that was at the path."""
        name = self.store.relative(path)
        return next((one for one in self.stones if not one.sessions and name in one.paths), None)

    def _session(self, wanted: str) -> ForgetTarget | None:
        ids = self._ids
        if (path := Path(wanted)).suffix in _TRANSCRIPT_SUFFIXES:
            wanted = session_id_by_name(path)  # The file itself is gone.
        if one_line(wanted) in ids:
            return self._of(one_line(wanted))
        found = match_session_id(wanted, ids) if len(wanted) >= MIN_PREFIX_CHARS else None
        return self._of(found) if found else None

    def _forgotten(self, wanted: str) -> ForgetTarget | None:
        """What was forgotten before, by its name, its number, or the beginning of a session's id."""
        for stone in self.stones:
            numbers = [str(number) for number in stone.numbers]
            stems = [Path(path).stem for path in stone.paths]
            if wanted in (stone.name, *stone.sessions, *numbers, *stems) or wanted.lstrip("0") in numbers:
                return self._of(*stone.sessions, name=stone.name, stone=stone)
        if wanted not in self._stoned and tombstones.of_memory(self.store).of_session(wanted):
            return self._of(wanted)
        found = match_session_id(wanted, self._stoned) if len(wanted) >= MIN_PREFIX_CHARS else None
        return self._forgotten(found) if found else None

    @cached_property
    def _stoned(self) -> tuple[str, ...]:
        """The sessions that this state folder knows to be forgotten."""
        return tuple(id for one in self.stones for id in one.sessions)

    def _of_entry(self, entry: ArchiveEntry) -> ForgetTarget:
        if entry.session_id:
            return self._of(entry.session_id)
        rows = tuple(row for row in self.rows if row.number == entry.number and not row.session_id)
        stone = self._stone_at(entry.path)
        return ForgetTarget(entry.name, archives=(entry,), rows=rows if self._is_only(entry) else (), stone=stone)

    def _is_only(self, entry: ArchiveEntry) -> bool:
        """Whether no other archive has the number."""
        return sum(one.number == entry.number for one in self.entries) <= 1

    def _of(self, *given: str, name: str = "", stone: Tombstone | None = None) -> ForgetTarget:
        """The session that is known by these ids, with all that there is of it."""
        ids = self._with_names({one_line(id) for id in given if id.strip()})
        archives = tuple(one for one in self.entries if one_line(one.session_id) in ids)
        transcripts = tuple(one for one in self.transcripts if one_line(one.session_id) in ids)
        plans = {name: path for name, session, path in self._plans if session in ids}
        # As the files have them, and on one line, as rows and window do.
        ids |= {one.session_id for one in archives} | {one.session_id for one in transcripts}
        numbers = {one.number for one in archives if self._is_only(one)}
        rows = tuple(
            row for row in self.rows if row.session_id in ids or (not row.session_id and row.number in numbers)
        )
        stone = stone or tombstones.Tombstones(self.stones).of_session(*ids)
        named = name or (stone.name if stone else "") or (archives[-1].name if archives else next(iter(given), ""))
        return ForgetTarget(
            named,
            tuple(sorted(ids | plans.keys())),
            archives,
            rows,
            tuple(self._kept(ids)),
            transcripts=transcripts,
            beside=tuple(path for path in plans.values() if path.is_file()),
            stone=stone,
        )

    def _with_names(self, ids: set[str]) -> set[str]:
        """The ids with those that the files' names tell of archived transcripts: records may say another."""
        own = {path for one in self.entries if one_line(one.session_id) in ids for path in one.transcripts}
        return ids | {one.session_id for one in self.transcripts if own & {str(one.path), one.path.name}}

    def _kept(self, ids: set[str]) -> Iterator[Path]:
        """The retained copies of the session; where another's name is as theirs on disk, by what is in them."""
        folder = self.store.environment.kept
        mine = {retained.session_folder(folder, id) for id in ids}
        shared = {retained.session_folder(folder, id) for id in self._ids if id not in ids}
        for id in sorted(ids):
            for path in retained.list_copies(folder, id):
                if path.parent in mine - shared or _transcript_session(path) in ids:
                    yield path

    @cached_property
    def _indexed(self) -> tuple[SourceRecord, ...]:
        """What is indexed of plans and todo lists, and of sessions whose transcripts are gone."""
        with suppress(BrokenFileError), open_index(self.store.environment).facts() as facts:
            known = facts.each(TRANSCRIPTS_KEY) if facts else ()
            return tuple(one for one in known if one.is_gone or one.kind in _PLAN_KINDS)
        return ()

    @cached_property
    def _plans(self) -> tuple[tuple[str, str, Path], ...]:
        """Name, session and file of each plan and todo list that is indexed: they go with their session."""
        return tuple((one.side_name, one.session, Path(one.path)) for one in self._indexed if one.kind in _PLAN_KINDS)

    @cached_property
    def _ids(self) -> tuple[str, ...]:
        """Every session's id, without those that were forgotten and are nowhere else."""
        known = (*(row.session_id for row in self.rows), *(one_line(one.session_id) for one in self.entries))
        more = (*(one.session_id for one in self.transcripts), *self.in_window, *self._retained(), *self.in_database)
        more = (*more, *self.copies.sessions.values(), *(one.session for one in self._indexed if one.is_gone))
        return tuple(id for id in dict.fromkeys((*known, *more)) if id)

    def _retained(self) -> Iterable[str]:
        folder = self.store.environment.kept
        return sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else ()

    @cached_property
    def in_database(self) -> tuple[str, ...]:
        """The sessions that an older tool's database holds, when it can be read."""
        path = self.store.environment.session_index
        if not path.is_file():
            return ()
        from recall_tui.transcripts.session_recall_database import SessionRecallDatabase

        try:
            with SessionRecallDatabase(path) as database:
                return tuple(one.id for one in database.sessions())
        except BrokenFileError:
            return ()


def _path_inside(store: Store, path: Path) -> Path | None:
    """The path as the layout writes it, when it is inside the memory."""
    try:
        return store.root / path.resolve().relative_to(store.root.resolve())
    except ValueError:
        return None


def _transcript_session(path: Path) -> str:
    try:
        conversation = read_transcript(path)
    except RecallError:
        return ""
    return conversation.head.session_id if isinstance(conversation, Conversation) else ""
