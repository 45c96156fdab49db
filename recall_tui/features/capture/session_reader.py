"""Everything that transcripts say of one session, wherever they lie, read as one conversation.

A session that was resumed in another folder, in a work tree or on a second machine has a file in each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from recall_tui.domain import ArchiveEntry, Conversation, ConversationHead, Message, SkippedResult
from recall_tui.errors import RecallError
from recall_tui.storage.archives import parts as archive_parts
from recall_tui.storage.archives import retained as kept
from recall_tui.storage.archives.turns import ArchiveTurns
from recall_tui.storage.memory_context import Store
from recall_tui.text.secrets.redact import redact
from recall_tui.transcripts.jsonl import read_chunks
from recall_tui.transcripts.merge import message_identity
from recall_tui.transcripts.read_extent import ReadExtent, extent_size, find_known_extent, read_extent
from recall_tui.transcripts.registry import session_files
from recall_tui.transcripts.shared_file import open_session, split_session_path, transcript_state

ReadTranscript = Callable[[Path], "Conversation | SkippedResult"]
MergeConversations = Callable[[list[Conversation]], Conversation]
_MAX_READS = 3
"""Times that a file is read which grows meanwhile."""
MAX_EXTENTS = 200
"""How many files an archive remembers how far it read them; a session with more is held against its words."""


class SessionTranscript(NamedTuple):
    """One transcript of a session."""

    said: Conversation
    extent: str
    """How far it was read at least."""


@dataclass(frozen=True, slots=True)
class MergedSession:
    """A session as its transcripts tell it."""

    whole: Conversation
    parts: tuple[Conversation, ...]
    """Of each transcript, the one that was asked for first."""
    extents: tuple[str, ...]
    """How far each file was read at least, those of sub-agents last."""

    @property
    def sources(self) -> tuple[Path, ...]:
        """The transcripts."""
        return tuple(part.head.source for part in self.parts)


def read_stable(path: Path, read: ReadTranscript) -> SessionTranscript | SkippedResult:
    """Read a transcript, again when it grew meanwhile."""
    tries = _MAX_READS
    while True:
        before, extent = _file_state(path), read_extent(path)
        found = read(path)
        if isinstance(found, SkippedResult):
            return found
        tries -= 1
        if not tries or _file_state(path) == before:
            return SessionTranscript(found, extent)


def read_session(
    store: Store,
    path: Path,
    first: SessionTranscript,
    known: Iterable[ArchiveEntry],
    read: ReadTranscript,
    merge: MergeConversations,
) -> MergedSession:
    """The transcript at `path` with all others of its session."""
    parts = [first]
    for other in _other_transcripts(store, first.said.head, path, known):
        try:
            found = read_stable(other, read)
        except RecallError:
            continue
        if isinstance(found, SessionTranscript) and found.said.head.session_id == first.said.head.session_id:
            parts.append(found)
    said = tuple(part.said for part in parts)
    sides = dict.fromkeys(file for one in said for file in one.head.side_files)
    extents = [part.extent for part in parts]
    if len(sides) <= MAX_EXTENTS:
        extents += map(read_extent, sides)
    whole = merge(list(said)) if len(said) > 1 else first.said
    return MergedSession(whole, said, tuple(dict.fromkeys(filter(None, extents))))


def is_retained(store: Store, session_id: str, copy: Path) -> bool:
    """Whether every message of a transcript, or of a packed copy of one, stands in the session's retained copies."""
    retained = Counter[tuple[str, str]]()
    for other in kept.list_copies(store.environment.kept, session_id):
        retained |= _spoken_messages(other)
    return _spoken_messages(copy) <= retained


def _spoken_messages(path: Path) -> Counter[tuple[str, str]]:
    from recall_tui.transcripts.registry import read_transcript

    found = read_transcript(path)
    return Counter() if isinstance(found, SkippedResult) else Counter((one.kind, one.text) for one in found.messages())


def _other_transcripts(
    store: Store, head: ConversationHead, path: Path, known: Iterable[ArchiveEntry]
) -> Iterator[Path]:
    # A session that is the memory's own is so wherever it went on: in a work tree, or after the project was moved.
    seen = {_file_identity(path)}
    named = [Path(name) for entry in known for name in entry.transcripts if Path(name).is_absolute()]
    found = [file.path for file in session_files(store.environment, head.agent, head.session_id)]
    for other in (*named, *found):
        if (identity := _file_identity(other)) is None or identity in seen:
            continue
        seen.add(identity)
        yield other


def copied_lines(path: Path) -> Iterator[str]:
    """The lines of a transcript as a copy of it holds them: of a file with many sessions those of one alone."""
    opened = open_session(path)
    if opened is None:
        yield from kept.read_lines(path)
        return
    with opened:
        for line in opened:
            yield line.decode("utf-8", "replace")


def _file_state(path: Path) -> tuple[int, int] | None:
    try:
        return transcript_state(path)
    except (OSError, ValueError):
        return None


def _file_identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


@dataclass(frozen=True, slots=True)
class ReadCoverage:
    """What of a reading was read before, by its files' beginnings."""

    is_all: bool
    """Everything that was read then is in the files still."""
    messages: frozenset[int]
    """The messages that were read then, as `message_identity` names them; those of sub-agents are not among them."""

    def has(self, message: Message) -> bool:
        """Whether a message was read then."""
        return not message.is_sidechain and message_identity(message) in self.messages


def is_covered(path: Path, extents: Iterable[str]) -> bool:
    """Whether the whole file is known by one of these extents."""
    extents = tuple(extents)
    try:
        # A session among others of a file has the size of its lines, which only reading them tells.
        is_shared = bool(extents) and split_session_path(path) is not None
        size = sum(map(len, read_chunks(path))) if is_shared else path.stat().st_size
    except (OSError, RecallError):
        return False
    wanted = [extent for extent in extents if extent.partition("-")[0] == str(size)]
    return bool(find_known_extent(path, wanted)[1]) if wanted else False


def compute_coverage(reading: MergedSession, entries: Iterable[ArchiveEntry]) -> ReadCoverage:
    """What of the reading these archives were made from."""
    wanted = {extent for entry in entries for extent in entry.covers}
    is_told = all(entry.covers for entry in entries)
    found: set[str] = set()
    messages: set[int] = set()
    for part in reading.parts:
        beginning, here = find_known_extent(part.head.source, wanted)
        found |= here
        messages |= _archived_messages(part, beginning)
    for side in dict.fromkeys(file for part in reading.parts for file in part.head.side_files):
        found |= find_known_extent(side, wanted)[1]
    return ReadCoverage(is_told and found == wanted, frozenset(messages))


def unlogged_filter(reading: MergedSession, logs: Sequence[ArchiveEntry]) -> Callable[[Message], bool]:
    """Whether a message is in none of the logs of a session; asked once of each, in their order."""
    known = compute_coverage(reading, logs)
    turns: list[ArchiveTurns] = []

    def is_new(message: Message) -> bool:
        if known.is_all and not message.is_sidechain:
            # What is in the transcripts and was not read then is in no log.
            return not known.has(message)
        if not turns:
            turns.append(ArchiveTurns((archive_parts.read_parts(log.path).body for log in logs), redact))
        is_held = turns[0].find(message) is not None
        return not (is_held or known.has(message))

    return is_new


def _archived_messages(part: Conversation, beginning: ReadExtent) -> set[int]:
    # A file that is a single object may have no whole line at all.
    is_whole = beginning.bytes > 0 and extent_size(read_extent(part.head.source)) == beginning.bytes
    if not (beginning.lines or is_whole):
        return set()
    own = (one for one in part.messages() if not one.is_sidechain)
    return {message_identity(one) for one in own if is_whole or 0 < one.line <= beginning.lines}
