"""Finding one document of a memory by what a person calls it, and listing them by kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from recall_tui.domain import Conversation, IndexRow, Message, Skipped
from recall_tui.errors import BrokenFileError, NotFoundError
from recall_tui.storage import archive_index, kept
from recall_tui.storage.archive_body import write_body
from recall_tui.storage.archive_folder import ArchiveFolder
from recall_tui.storage.atomic import read_text
from recall_tui.storage.layout import Layout
from recall_tui.storage.store import Store
from recall_tui.storage.topic_files import list_topics
from recall_tui.text.cut import one_line
from recall_tui.text.redact import redact
from recall_tui.transcripts.discovery import find_session, session_among
from recall_tui.transcripts.reader import read

_NAMES = {
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

_TRANSCRIPTS = (".jsonl", ".zst", ".json")
_DIGITS = 9
_SHORTEST_ID = 4
"""Characters of a session's id that may stand for it."""
_SESSION = re.compile(r"[\w-]{4,}")
"""What may be a session's id, or the start of one."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document's text, and what to call it."""

    path: Path
    title: str
    text: str
    kind: str
    places: Mapping[int, int] = field(default_factory=dict)
    """For a transcript, which is shown as its archive would be: the line of the text for each line of the file."""

    def lines_in_text(self, lines: tuple[int, int]) -> tuple[int, int]:
        """Where the text shows these lines of the file; the same lines when the text is the file."""
        if not self.places:
            return lines
        after = [line for line in self.places if line > lines[1]]
        first = self.places.get(max((line for line in self.places if line <= lines[0]), default=0), 1)
        last = self.places[min(after)] - 1 if after else self.text.count("\n") + 1
        return first, max(first, last)


def document(store: Store, reference: str) -> Document:
    """The document called `reference`: an archive's number, name or session, a topic, a fixed name, or a path.

    A session that is not archived is shown from its transcript, else from what an older tool's database holds of it.
    NotFoundError when there is none; a path outside the memory is one too.
    """
    reference = reference.strip()
    try:
        path, kind = _find(store, reference)
    except NotFoundError:
        if found := _not_archived(store, reference):
            return found
        raise
    if path.suffix in _TRANSCRIPTS:
        return _conversation(path)
    return Document(path, title_of(store.layout, path, kind), read_text(path), kind)


def _find(store: Store, reference: str) -> tuple[Path, str]:
    layout = store.layout
    lowered = reference.lower()
    if (name := _NAMES.get(lowered.removesuffix(".md"))) and getattr(layout, name).is_file():
        return getattr(layout, name), kind_of(layout, getattr(layout, name))
    if path := _archive(store, reference):
        return path, "conversation"
    for topic in list_topics(layout):
        if lowered in (topic.name.lower(), topic.stem.lower()):
            return topic, "topic"
    if (given := Path(reference)).suffix in _TRANSCRIPTS and given.is_file() and _is_agents(store, given):
        return given, "transcript"
    for folder in (store.places.cwd, layout.root, layout.base):
        path = folder / reference
        if reference and path.is_file() and path.resolve().is_relative_to(layout.root.resolve()):
            return path, kind_of(layout, path)
    raise NotFoundError(f"no document called {reference!r}", hint="see: recall-tui list")


def _archive(store: Store, reference: str) -> Path | None:
    """The archive, summary or retained transcript that the reference names; a session's id may be cut short."""
    folder = ArchiveFolder(store.layout)
    try:
        return folder.get(reference).path
    except NotFoundError:
        rows = archive_index.parse(read_text(store.layout.rows))
    row = _row(rows, reference)
    if row is None or not row.session_id:
        return None
    if store.layout.name == "claude-project":
        return next(reversed(kept.copies(store.places.kept, row.session_id)), None)
    found = folder.by_session(row.session_id, rows)
    return found[-1].path if found else None


def _not_archived(store: Store, reference: str) -> Document | None:
    """A session by its id or the start of it, or by what its hits are called."""
    database = f"{store.places.session_index}/"
    if reference.startswith(database):
        return _of_old_session(store, reference.removeprefix(database))
    if reference.isdecimal() or not _SESSION.fullmatch(reference):
        return None
    if path := find_session(store.places, reference):
        return _conversation(path)
    try:
        return _of_old_session(store, reference)
    except BrokenFileError as error:
        raise NotFoundError(f"no document called {reference!r}", hint=error.message) from error


def _of_old_session(store: Store, session_id: str) -> Document | None:
    """A session that the database of session recall holds; BrokenFileError when that cannot be read."""
    path = store.places.session_index
    if not path.is_file():
        return None
    from recall_tui.transcripts.session_index import SessionIndex

    with SessionIndex(path) as database:
        sessions = {one.id: one for one in database.sessions()}
        found = session_among(session_id, sessions)
        return _as_archived(path, database.conversation(sessions[found])) if found else None


def _row(rows: tuple[IndexRow, ...], reference: str) -> IndexRow | None:
    if reference.isdecimal() and len(reference) <= _DIGITS:
        return next((row for row in rows if row.number == int(reference)), None)
    matches = [row for row in rows if row.session_id.startswith(reference)]
    return matches[-1] if matches and len(reference) >= _SHORTEST_ID else None


def _is_agents(store: Store, path: Path) -> bool:
    homes = (store.places.claude, store.places.codex, store.places.gemini)
    return any(path.resolve().is_relative_to(home.resolve()) for home in homes)


def _conversation(path: Path) -> Document:
    return _as_archived(path, read(path))


def _as_archived(path: Path, conversation: Conversation | Skipped) -> Document:
    """A conversation, read from `path`, as its archive would show it."""
    if isinstance(conversation, Skipped):
        raise BrokenFileError(f"{path}: {conversation.reason}")
    head = conversation.head
    title = redact(one_line(head.title)) or head.session_id
    out = _Counted()
    out.write(f"# {title}\n\n")
    places: dict[int, int] = {}

    def watched() -> Iterator[Message]:
        for message in conversation.messages():
            if not message.is_sidechain:
                places.setdefault(message.line, out.lines + 1)
            yield message

    write_body(watched(), out, clean=redact)
    return Document(head.source, title, out.getvalue(), "transcript", places)


class _Counted(StringIO):
    """A text that knows how many lines were written."""

    lines = 0

    def write(self, text: str) -> int:
        self.lines += text.count("\n")
        return super().write(text)


def kind_of(layout: Layout, path: Path) -> str:
    """What kind of document the path is, in the words of the search filters."""
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
    if layout.summaries is not None:
        folders[layout.summaries] = "summary"
    return folders.get(path.parent, "topic" if path.parent == layout.topics else "file")


def title_of(layout: Layout, path: Path, kind: str) -> str:
    """What to call a document on a border."""
    return path.stem if kind in ("conversation", "topic") else path.name


def listing(store: Store) -> tuple[Document, ...]:
    """Every document of the memory but its archives, fixed ones first; texts are left out."""
    layout = store.layout
    fixed = [path for path in layout.fixed_files() if path.is_file()]
    derived = [path for folder in (layout.weekly, layout.monthly, layout.wiki) for path in sorted(folder.glob("*.md"))]
    paths = dict.fromkeys([*fixed, *list_topics(layout), *derived])
    return tuple(
        Document(path, title_of(layout, path, kind), "", kind) for path in paths if (kind := kind_of(layout, path))
    )
