"""The lines of the window that we wrote, told from a person's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui import files
from recall_tui.domain import ArchiveEntry, Edit, SkippedResult, WindowEntry
from recall_tui.features.capture.blocked_paths import extend_file
from recall_tui.storage.archives import file as archive_file
from recall_tui.storage.archives import parts, retained, summary_file
from recall_tui.storage.archives.folder import read_rows
from recall_tui.storage.documents import window_blocks, window_file
from recall_tui.storage.files.atomic import decode, read_text
from recall_tui.storage.files.trusted_clock import is_ahead
from recall_tui.storage.state import own_lines, tombstones
from recall_tui.text.classify.summary import ARROW, summarize
from recall_tui.text.cut import one_line
from recall_tui.text.dates import duration_text, window_time
from recall_tui.text.secrets.redact import redact

if TYPE_CHECKING:
    from recall_tui.features.capture.archive_draft import ArchiveDraft
    from recall_tui.storage.memory_context import Store
    from recall_tui.storage.state.own_lines import IsOurs

_MAX_SESSIONS = 200
"""Sessions that leave at once whose archives are looked into; of more, what is not known as ours stays."""
_MAX_HEAD_BYTES = 1 << 18


@dataclass(frozen=True, slots=True)
class _KeptSession:
    """What the memory keeps of a session, to tell what its entry in the window says when we write it."""

    times: tuple[str, ...] = ()
    """When it ended, as a heading says it; only the day when no more is known."""
    durations: tuple[str, ...] = ()
    messages: int = 0
    names: frozenset[str] | None = None
    """The names of its archives; None when a row alone stands for it."""
    summaries: tuple[str, ...] = ()
    heads: str = ""
    """All that stands above the turns of its archives, on one line."""
    has_stretches: bool = False

    def writes(self, line: str, entry: WindowEntry) -> bool:
        """Whether we would write this line of the entry, also before the session grew to what is kept of it."""
        if line.startswith(window_blocks.SUMMARY_PREFIX):
            words = _summary_of(line)
            parts = words.split(ARROW) if self.has_stretches else ()
            return words in self.summaries or bool(parts and all(part.rstrip("…") in self.heads for part in parts))
        if not self.times or not window_blocks.is_exact_form(line) or entry.messages > self.messages:
            return False
        is_grown = entry.messages < self.messages or self.has_stretches
        if line.startswith(window_blocks.HEADING_PREFIX):
            return is_grown or any(map(window_time(entry.ended_at).startswith, self.times))
        names = {name.removesuffix(".md") for name in entry.archives}
        return (self.names is None or names <= self.names) and (is_grown or entry.duration in self.durations)


def record_own_lines(store: Store, text: str, entry: WindowEntry) -> IsOurs:
    """Whether a line of the session's entry is ours; those of `entry`, about to be written, are from now on.

    A line that nobody remembers is ours when it says what we would write of what is kept of the session.
    """
    path, session = store.layout.window, one_line(entry.session_id)
    is_known = own_lines.own_line_check(store.state, path, lambda line: False)
    own_lines.remember_lines(store.state, path, window_file.render_entry(entry).split("\n"))
    there = next((block for block in window_blocks.split(text)[1] if block.entry.session_id == session), None)
    if there is None or all(map(is_known, there.text.split("\n"))):
        return is_known
    kept = _kept_session(store, session)
    return lambda line: is_known(line) or kept.writes(line, there.entry)


def leaving_line_checker(store: Store, about_to_be_written: str = "") -> window_file.LineFilter:
    """Of an entry that leaves the window, whether a line of it need not stay.

    That is one that we remember or would write of what is kept of the session, and a summary that an archive's head
    holds too. Of a session without an archive, all that we do not remember stays, unless the session was forgotten.
    An entry that is about to be written leaves at once where the window is full of later sessions; a preview, which
    records no lines, knows them as ours by that text.
    """
    own = frozenset(about_to_be_written.split("\n"))
    is_known = own_lines.own_line_check(store.state, store.layout.window, lambda line: False)
    looked: dict[str, _KeptSession] = {}

    def kept_session(session_id: str) -> _KeptSession:
        if session_id not in looked:
            looked[session_id] = _kept_session(store, session_id) if len(looked) < _MAX_SESSIONS else _KeptSession()
        return looked[session_id]

    def of_entry(text: str, entry: WindowEntry) -> IsOurs:
        def need_not_stay(line: str) -> bool:
            if line in own or is_known(line):
                return True
            kept = kept_session(entry.session_id)
            if kept.writes(line, entry):
                return True
            if line.startswith(window_blocks.SUMMARY_PREFIX) and kept.heads:
                return _summary_of(line) in kept.heads
            if kept.times or not window_blocks.is_own_form(line):
                return False
            return entry.session_id in tombstones.read_all(store).sessions

        return need_not_stay

    return of_entry


def _summary_of(line: str) -> str:
    return one_line(line.removeprefix(window_blocks.SUMMARY_PREFIX))


def _kept_session(store: Store, session_id: str) -> _KeptSession:
    """What is kept of the session; nothing when it cannot be read."""
    try:
        if store.layout.design.retains_transcripts:
            return _of_row(store, session_id)
        if store.layout.summaries is not None:
            head = summary_file.read_head(store.layout.summaries / summary_file.file_name(session_id))
            entries = tuple(filter(None, (head,)))
            heads = [_beginning(entry.path) for entry in entries]
        else:
            store.register.look()
            entries = store.register.by_session(session_id)
            heads = [_head(entry.path) for entry in entries]
    except OSError:
        return _KeptSession()
    has_stretches = store.layout.design.logs_each_stretch
    counts = [entry.messages for entry in entries]
    read = _summary_in_summary if store.layout.summaries is not None else archive_file.read_summary
    ends = [entry.ended_at or entry.date for entry in entries]
    return _KeptSession(
        times=tuple(window_time(end) if end else "" for end in ends),
        durations=tuple(entry.duration.removeprefix("~") or "unknown" for entry in entries),
        messages=sum(counts) if has_stretches else max(counts, default=0),
        names=frozenset(entry.path.name.removesuffix(".md") for entry in entries),
        summaries=tuple(one_line(read(head)) for head in heads),
        heads=one_line(" ".join(heads)),
        has_stretches=has_stretches,
    )


def _summary_in_summary(text: str) -> str:
    return summary_file.parse_digest(text).summary


def _of_row(store: Store, session_id: str) -> _KeptSession:
    """What its row and its transcripts tell of a session without an archive."""
    rows = [row for row in read_rows(store.layout.rows) if row.session_id == session_id]
    if not rows:
        return _KeptSession()
    return _KeptSession(
        times=tuple(row.date for row in rows),
        durations=tuple(row.duration.removeprefix("~") or "unknown" for row in rows),
        messages=max(row.messages for row in rows),
        summaries=tuple(_transcript_summaries(store, session_id)),
    )


def _transcript_summaries(store: Store, session_id: str) -> Iterator[str]:
    """The summaries that we draft of a session, one for each reply that it may have ended with."""
    from recall_tui.transcripts.registry import read_transcript, session_files

    found = (file.path for file in session_files(store.environment, "claude", session_id))
    for path in (*retained.list_copies(store.environment.kept, session_id), *found):
        said = read_transcript(path)
        request = ""
        for message in () if isinstance(said, SkippedResult) else said.messages():
            if message.is_sidechain or not message.text.strip():
                continue
            if message.kind == "prompt" and not request:
                request = message.text[:4_000]
            if message.kind == "reply" and not message.is_off_chain:
                yield one_line(redact(summarize(request, message.text)))


def _head(path: Path) -> str:
    """What stands above the turns of an archive, as far as it is not far too large."""
    found = parts.of(_beginning(path))
    return found.before + found.words


def _beginning(path: Path) -> str:
    with files.open_file(path) as file:
        return decode(file.read(_MAX_HEAD_BYTES))


def window_edits(store: Store, entry: ArchiveEntry, draft: ArchiveDraft) -> list[Edit]:
    """The window with this session in its place by the time it ended."""
    text = read_text(store.layout.window)
    head = draft.head
    is_part = bool(draft.after)
    mine = WindowEntry(
        session_id=entry.session_id,
        ended_at=(head.ended_at if is_part else draft.ended_at) or head.ended_at or store.now(),
        duration=(duration_text(head.started_at, head.ended_at) if is_part else draft.duration) or "unknown",
        messages=head.message_count if is_part else draft.messages,
        archive=", ".join(_log_names(store, entry)),
        summary=draft.session_summary,
    )
    if not store.layout.design.window_is_one_summary or window_file.parse_window(text).is_entries:
        path, most = store.layout.window, store.config.whole("ephemeral.max_entries")
        is_ours = record_own_lines(store, text, mine)
        leaving = leaving_line_checker(store, window_file.render_entry(mine))
        return extend_file(path, window_file.add_entry(text, mine, most, store.now(), is_ours, leaving))
    held = window_file.read_last_session(text)
    if held is not None and held.ended_at > mine.ended_at and not is_ahead(held.ended_at, store.now()):
        return []
    return extend_file(store.layout.window, window_file.render_last_session(mine, _details(draft)))


def _log_names(store: Store, entry: ArchiveEntry) -> tuple[str, ...]:
    """The files that hold the session, oldest first: one, or each of its logs."""
    known = store.register.by_session(entry.session_id) if store.layout.design.logs_each_stretch else ()
    return tuple(dict.fromkeys((*(one.path.name for one in known), entry.path.name)))


def _details(draft: ArchiveDraft) -> str:
    tags = draft.session_tags or draft.digest.tags
    sections = (
        ("Decisions", tags.decisions),
        ("Action items", tuple(one for one in tags.actions if one not in draft.unresolved)),
        ("Unresolved threads", draft.unresolved),
        ("Files", tags.files),
    )
    parts = [f"**Key topics**: {', '.join(draft.session_topics)}"] if draft.session_topics else []
    parts += [f"**{title}**:\n" + "\n".join(f"- {item}" for item in items) for title, items in sections if items]
    return "\n\n".join(parts)


def has_person_text(window: str) -> bool:
    """The window holds free text that a person or an agent wrote and that nobody read yet."""
    if not window.strip() or window_file.parse_window(window).is_entries:
        return False
    return window_file.read_last_session(window) is None
