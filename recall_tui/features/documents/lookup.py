"""Finding one document of a memory by what a person calls it, and listing them by kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from io import StringIO
from pathlib import Path

from recall_tui.domain import Conversation, ConversationHead, IndexRow, Message, SkippedResult
from recall_tui.domain.documents import NOTE_KINDS
from recall_tui.errors import BrokenFileError, NotFoundError, UsageError
from recall_tui.index.sources.markdown import shared_wiki_sources
from recall_tui.index.sources.transcripts import find_session, is_extra
from recall_tui.storage.archives import index_file, retained
from recall_tui.storage.archives import parts as archive_parts
from recall_tui.storage.archives.body import write_body
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.documents import note_files, period_files
from recall_tui.storage.documents.period_files import parse_page_name
from recall_tui.storage.documents.topic_files import list_topics
from recall_tui.storage.documents.wiki_page import is_slug
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.files.symlinks import find_outside_target, is_file
from recall_tui.storage.layout import Layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.scopes import list_scopes, scope_layout
from recall_tui.storage.state.tombstones import read_all
from recall_tui.text.dates import parse_day_word
from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets.redact import redact
from recall_tui.transcripts.discovery import MIN_PREFIX_CHARS, match_session_id
from recall_tui.transcripts.registry import agent_folders, companion_files, read_transcript, session_id_by_name
from recall_tui.transcripts.shared_file import split_session_path, transcript_state

_FILE_ALIASES = {
    "memory": "memory_file",
    "window": "window",
    "ephemeral": "window",
    "archive": "rows",
    "wisdom": "wisdom",
    "dreams": "dreams",
    "identity": "identity",
    "master": "master",
    "config": "config",
}

TRANSCRIPT_SUFFIXES = (".jsonl", ".zst", ".json")
_MAX_NUMBER_DIGITS = 9
MAX_CACHED_CONVERSATIONS = 4
SESSION_REFERENCE = lazy_pattern(r"[\w-]+")
"""A session's id, or the start of one; as for `forget`, a start has at least four characters."""


@dataclass(frozen=True, slots=True)
class TextPosition:
    """Where the text of a transcript shows a message."""

    line: int
    """The message's line in its file, which for a sub-agent's is a file of its own."""
    at: datetime | None
    is_sidechain: bool
    start: int
    """The line of the text where it begins, from 1."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document's text, and what to call it."""

    path: Path
    title: str
    text: str
    kind: str
    spots: tuple[TextPosition, ...] = ()
    """For a transcript, which is shown as its archive would be: where its messages are, in the order of the text."""
    head: ConversationHead | None = None
    """For a transcript, what is known of its conversation."""

    def lines_in_text(self, lines: tuple[int, int], at: datetime | None = None) -> tuple[int, int] | None:
        """Where the text shows these lines of the file; the same lines when the text is the file.

        A message of a transcript is known by its time as well, where `at` is given; None when the text has none of
        that time.
        """
        if not self.spots:
            return lines
        first = self._spot_at(lines[0], at) if at else self._spot_on(lines[0])
        if first is None:
            return None
        spot = self.spots[first]
        last = lines[1] if at is None else spot.line
        ends = (one.start for one in self.spots[first:] if one.is_sidechain != spot.is_sidechain or one.line > last)
        return spot.start, max(spot.start, next(ends, self.text.count("\n") + 2) - 1)

    def _spot_at(self, line: int, at: datetime) -> int | None:
        """The message of a time, rather the one on the line when there are several."""
        found = [place for place, spot in enumerate(self.spots) if spot.at == at]
        return next((place for place in found if self.spots[place].line == line), found[0] if found else None)

    def _spot_on(self, line: int) -> int | None:
        """The first of the last line of the session itself up to a line, which may hold several, else its first."""
        own = [place for place, spot in enumerate(self.spots) if not spot.is_sidechain]
        last = max((self.spots[place].line for place in own if self.spots[place].line <= line), default=None)
        there = (place for place in own if last is None or self.spots[place].line == last)
        return next(there, None)


def get_document(store: Store, reference: str) -> Document:
    """The document called `reference`: an archive's number, name or session, a topic, a fixed name, or a path.

    A session that is not archived is shown from its transcript, else from what an older tool's database holds of it.
    NotFoundError when there is none; a path outside the memory is one too, and so is a session that was forgotten.
    """
    reference = reference.strip()
    if "/" in reference and (beside := _find_beside(store, reference)):
        return beside
    try:
        path, kind = _resolve_reference(store, reference)
    except NotFoundError:
        if found := _find_transcript(store, reference):
            return check_tombstone(store, found)
        if beside := _find_beside(store, reference):
            return beside
        if day := parse_day_word(reference, store.now()):
            return get_document(store, f"{day}")
        raise
    if path.suffix in TRANSCRIPT_SUFFIXES:
        return check_tombstone(store, _cached_conversation(path))
    if kind == "daily" and len(logs := period_files.logs_called(store.layout, reference)) > 1:
        text = "\n".join(f"{read_text(log).rstrip()}\n" for log in logs)
        return Document(path, ", ".join(log.name for log in logs), text, kind)
    return Document(path, title_of(store.layout, path, kind), read_text(path), kind)


def get_conversation(store: Store, reference: str) -> Document:
    """What `get_document` finds; of a session whose archive is only a page about it, the conversation itself.

    A session whose transcript is gone is shown by its page.
    """
    reference = reference.strip()
    if store.layout.design.summaries_are_archives and SESSION_REFERENCE.fullmatch(reference):
        page = _find_archive(store, reference)
        if path := _find_session(store, page.stem if page else reference):
            return check_tombstone(store, _cached_conversation(path))
    return get_document(store, reference)


def get_summary(store: Store, reference: str) -> Document:
    """What is written about a session: its page, or what stands above the turns of its archive.

    NotFoundError when there is none.
    """
    path = _find_archive(store, reference.strip().removesuffix(".md"))
    if path is None or path.suffix != ".md":
        raise NotFoundError(f"there is no summary of {reference!r}", hint=f"make it: recall-tui summarize {reference}")
    title = title_of(store.layout, path, "conversation")
    if store.layout.design.summaries_are_archives:
        return Document(path, title, read_text(path), "summary")
    return Document(path, title, archive_parts.of(read_text(path)).words.strip() + "\n", "summary")


def _find_beside(store: Store, reference: str) -> Document | None:
    """A plan, a todo list or typed prompts that Claude Code keeps beside its transcripts."""
    from recall_tui.features.documents.side_documents import find_side_document

    found = find_side_document(store, reference)
    return Document(*found) if found else None


def check_tombstone(store: Store, found: Document) -> Document:
    """A conversation, when it was not forgotten; its agent may have the transcript still."""
    forgotten = read_all(store)
    ids = (session_id_by_name(found.path), *((found.head.session_id,) if found.head else ()))
    if stone := forgotten.of_session(*ids):
        raise NotFoundError(f"{stone.name} was {stone.reason}", hint=f"let it back in: {stone.way_back(store.root)}")
    return found


def _resolve_reference(store: Store, reference: str) -> tuple[Path, str]:
    layout = store.layout
    lowered = reference.lower()
    if (name := _FILE_ALIASES.get(lowered.removesuffix(".md"))) and getattr(layout, name).is_file():
        return getattr(layout, name), kind_of(layout, getattr(layout, name))
    if path := _find_archive(store, reference):
        return path, "conversation"
    if (page := parse_page_name(layout, reference.upper())) or (page := _find_wiki_page(layout, lowered)):
        return page, kind_of(layout, page)
    for path, kind in (*((topic, "topic") for topic in list_topics(layout)), *note_files.all_notes(layout)):
        if lowered in (path.name.lower(), path.stem.lower()):
            return path, kind
    if (given := Path(reference)).suffix in TRANSCRIPT_SUFFIXES and is_file(given) and _is_agent_file(store, given):
        return given, "transcript"
    for folder in (store.environment.cwd, layout.root, layout.base):
        path = folder / reference
        if reference and is_file(path) and path.resolve().is_relative_to(layout.root.resolve()):
            return path, kind_of(layout, path)
    if (path := layout.root / reference).suffix == ".md" and _is_shared_page(store, path):
        return path, "wiki"
    raise NotFoundError(f"no document called {reference!r}", hint="see: recall-tui list")


def _is_shared_page(store: Store, path: Path) -> bool:
    """Whether it is a page of a wiki that others share with this memory."""
    return any(one.path == path and not one.is_astray for one in shared_wiki_sources(store))


def _find_wiki_page(layout: Layout, slug: str) -> Path | None:
    """The wiki's page of that slug."""
    page = layout.wiki / f"{slug.removesuffix('.md')}.md"
    return page if is_slug(page.stem) and is_file(page) and not find_outside_target(layout, page) else None


def _find_archive(store: Store, reference: str) -> Path | None:
    """The archive, summary or retained transcript that the reference names; a session's id may be cut short."""
    folder = ArchiveFolder(store.layout)
    try:
        return folder.get(reference).path
    except NotFoundError:
        rows = index_file.parse_rows(read_text(store.layout.rows))
    row = _find_row(rows, reference)
    if row is None or not row.session_id:
        return _find_page(store.layout, reference)
    if store.layout.design.retains_transcripts:
        return next(reversed(retained.list_copies(store.environment.kept, row.session_id)), None)
    found = folder.by_session(row.session_id, rows)
    return found[-1].path if found else _find_page(store.layout, row.session_id)


def _find_page(layout: Layout, session_id: str) -> Path | None:
    """The page of a session by its id or the start of it, in the memory or in one of its scopes, whoever wrote it."""
    if not SESSION_REFERENCE.fullmatch(session_id):
        return None
    pattern = f"{session_id}*.md" if len(session_id) >= MIN_PREFIX_CHARS else f"{session_id}.md"
    scopes = (scope_layout(layout, name) for name in list_scopes(layout))
    for summaries in (one.summaries for one in (layout, *scopes) if one.summaries is not None):
        pages = [page for page in summaries.glob(pattern) if is_file(page) and not find_outside_target(layout, page)]
        named = match_session_id(session_id, (page.stem for page in pages)) if pages else None
        if found := next((page for page in pages if page.stem == named), None):
            return found
    return None


def _find_transcript(store: Store, reference: str) -> Document | None:
    """A session by its id or the start of it, or by what its hits are called."""
    database = f"{store.environment.session_index}/"
    if reference.startswith(database):
        return _legacy_session(store, reference.removeprefix(database))
    if named := split_session_path(Path(reference)):
        reference = named[1]
    if not SESSION_REFERENCE.fullmatch(reference):
        return None
    if path := _find_session(store, reference):
        return _cached_conversation(path)
    try:
        return _legacy_session(store, reference)
    except BrokenFileError as error:
        raise NotFoundError(f"no document called {reference!r}", hint=error.message) from error


def _find_session(store: Store, reference: str) -> Path | None:
    """The transcript of the session with this id or start of one; None when it is too short for a start."""
    try:
        return find_session(store, reference)
    except UsageError:
        return None


def _legacy_session(store: Store, session_id: str) -> Document | None:
    """A session that the database of session recall holds; BrokenFileError when that cannot be read."""
    path = store.environment.session_index
    if not path.is_file():
        return None
    from recall_tui.transcripts.session_recall_database import SessionRecallDatabase

    with SessionRecallDatabase(path) as database:
        sessions = {one.id: one for one in database.sessions()}
        is_start = len(session_id) >= MIN_PREFIX_CHARS
        found = match_session_id(session_id, sessions) if is_start or session_id in sessions else None
        return conversation_document(path, database.conversation(sessions[found])) if found else None


def _find_row(rows: tuple[IndexRow, ...], reference: str) -> IndexRow | None:
    number = int(reference) if reference.isdecimal() and len(reference) <= _MAX_NUMBER_DIGITS else None
    if numbered := next((row for row in rows if row.number == number), None):
        return numbered
    is_start = len(reference) >= MIN_PREFIX_CHARS
    matches = [row for row in rows if row.session_id and row.session_id.startswith(reference)]
    named = match_session_id(reference, (row.session_id for row in matches)) if is_start and matches else reference
    return next((row for row in reversed(matches) if row.session_id == named), None)


def _is_agent_file(store: Store, path: Path) -> bool:
    own = (store.environment.claude, store.environment.codex, store.environment.gemini)
    homes = (*own, *agent_folders(store.environment))
    return any(path.resolve().is_relative_to(home.resolve()) for home in homes) or is_extra(store, path)


def _cached_conversation(path: Path) -> Document:
    """A transcript as its archive would show it; the last few are kept, for one that is looked at is soon opened."""
    companions = filter(Path.is_file, companion_files(path))
    return _transcript_document(path, tuple(map(transcript_state, (path, *companions))))


@lru_cache(maxsize=MAX_CACHED_CONVERSATIONS)
def _transcript_document(path: Path, states: tuple[tuple[int, int], ...]) -> Document:
    """The same, while the transcript and those of its sub-agents are in these states."""
    return conversation_document(path, read_transcript(path))


def conversation_document(path: Path, conversation: Conversation | SkippedResult) -> Document:
    """A conversation, read from `path`, as its archive would show it."""
    from recall_tui.features.documents.session_label import conversation_title
    from recall_tui.text.session_line import UNTITLED_SESSION

    if isinstance(conversation, SkippedResult):
        raise BrokenFileError(f"{path}: {conversation.reason}")
    head = conversation.head
    title = redact(conversation_title(head, conversation.messages())) or UNTITLED_SESSION
    out = _LineCounter()
    out.write(f"# {title}\n\n")
    spots: list[TextPosition] = []

    def watched() -> Iterator[Message]:
        for message in conversation.messages():
            spots.append(TextPosition(message.line, message.at, message.is_sidechain, out.lines + 1))
            yield message

    write_body(watched(), out, clean=redact)
    return Document(head.source, title, out.getvalue(), "transcript", tuple(spots), head)


class _LineCounter(StringIO):
    """A text that knows how many lines were written."""

    lines = 0

    def write(self, text: str) -> int:
        self.lines += text.count("\n")
        return super().write(text)


def kind_of(layout: Layout, path: Path) -> str:
    """What kind of document the path is, in the words of the search filters."""
    scope = next((name for name in list_scopes(layout) if path.is_relative_to(layout.base / name)), None)
    return _kind_in_layout(layout if scope is None else scope_layout(layout, scope), path)


def _kind_in_layout(layout: Layout, path: Path) -> str:
    fixed = {
        layout.memory_file: "memory",
        layout.window: "window",
        layout.rows: "index",
        layout.wisdom: "wisdom",
        layout.dreams: "dreams",
        layout.master: "master",
        layout.identity: "identity",
        layout.config: "config",
    }
    if path in fixed:
        return fixed[path]
    folders = {layout.weekly: "weekly", layout.monthly: "monthly", layout.wiki: "wiki"}
    folders |= {place.folder: "conversation" for place in layout.archives}
    if path.parent in period_files.day_folders(layout) and (kind := period_files.page_kind(path)):
        return kind
    if kind := note_files.note_kind(layout, path):
        return kind
    if layout.summaries is not None:
        folders[layout.summaries] = "summary"
    return folders.get(path.parent, "topic" if path.parent == layout.topics else "file")


def title_of(layout: Layout, path: Path, kind: str) -> str:
    """What to call a document on a border."""
    if kind == "master" and path != layout.master:
        return f"{path.parent.name}/{path.name}"
    return path.stem if kind in ("conversation", "topic", *NOTE_KINDS) else path.name
