"""The lines of the window that we wrote, told from a person's."""

from __future__ import annotations

from pathlib import Path

from recall_tui import files
from recall_tui.domain import ArchiveEntry, Edit, WindowEntry
from recall_tui.features.capture.archive_draft import ArchiveDraft
from recall_tui.features.capture.blocked_paths import extend_file
from recall_tui.storage.archives import parts, summary_file
from recall_tui.storage.documents import window_blocks, window_file
from recall_tui.storage.files.atomic import decode, read_text
from recall_tui.storage.files.trusted_clock import is_ahead
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import own_lines
from recall_tui.storage.state.own_lines import IsOurs
from recall_tui.text.cut import one_line
from recall_tui.text.dates import duration_text

_MAX_SESSIONS = 200
"""Sessions that leave at once whose archives are looked into; of more, what is not known as ours stays."""
_MAX_HEAD_BYTES = 1 << 18


def record_own_lines(store: Store, text: str, entry: WindowEntry) -> IsOurs:
    """Whether a line that stands in the window is ours; those of `entry`, about to be written, are from now on."""
    path = store.layout.window
    is_ours = own_lines.own_line_check(store.state, path, window_blocks.is_own_form)
    there = () if own_lines.has_record(store.state, path) else filter(window_blocks.is_own_form, text.split("\n"))
    own_lines.remember_lines(store.state, path, [*there, *window_file.render_entry(entry).split("\n")])
    return is_ours


def leaving_line_checker(store: Store) -> window_file.LineFilter:
    """Of an entry that leaves the window, whether a line of it is ours.

    An entry whose heading and facts nobody remembers was written elsewhere: there the plain form counts as ours, and a
    summary that the session's archive holds too.
    """
    is_ours = own_lines.own_line_check(store.state, store.layout.window, window_blocks.is_own_form)
    heads: dict[str, str] = {}

    def archived(session_id: str) -> str:
        if session_id not in heads:
            heads[session_id] = _archive_heads(store, session_id) if len(heads) < _MAX_SESSIONS else ""
        return heads[session_id]

    def of_entry(text: str, entry: WindowEntry) -> IsOurs:
        marks = [
            line
            for line in text.split("\n")
            if line.startswith((window_blocks.HEADING_PREFIX, window_blocks.FACTS_PREFIX))
        ]
        is_from_here = any(map(is_ours, marks))

        def need_not_stay(line: str) -> bool:
            if is_ours(line) or (not is_from_here and window_blocks.is_exact_form(line)):
                return True
            words = one_line(line.removeprefix(window_blocks.SUMMARY_PREFIX))
            return line.startswith(window_blocks.SUMMARY_PREFIX) and words in archived(entry.session_id)

        return need_not_stay

    return of_entry


def _archive_heads(store: Store, session_id: str) -> str:
    """The heads of the session's archives, or its summary, on one line."""
    if store.layout.summaries is not None:
        paths = [store.layout.summaries / summary_file.file_name(session_id)]
    else:
        paths = [entry.path for entry in store.register.by_session(session_id)]
    try:
        return one_line(" ".join(map(_head, paths)))
    except OSError:
        return ""


def _head(path: Path) -> str:
    """What stands above the turns of an archive, as far as it is not far too large."""
    with files.open_file(path) as file:
        found = parts.of(decode(file.read(_MAX_HEAD_BYTES)))
    return found.before + found.words


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
        is_ours, leaving = record_own_lines(store, text, mine), leaving_line_checker(store)
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
    parts = []
    for title, items in (("Decisions", tags.decisions), ("Action items", tags.actions), ("Files", tags.files)):
        if items:
            parts.append(f"**{title}**:\n" + "\n".join(f"- {item}" for item in items))
    return "\n\n".join(parts)


def has_person_text(window: str) -> bool:
    """The window holds free text that a person or an agent wrote and that nobody read yet."""
    if not window.strip() or window_file.parse_window(window).is_entries:
        return False
    return window_file.read_last_session(window) is None
