"""The lines of the window that we wrote, told from a person's."""

from __future__ import annotations

from pathlib import Path

from recall_tui import files
from recall_tui.domain import WindowEntry
from recall_tui.storage.archives import parts, summary_file
from recall_tui.storage.documents import window_blocks, window_file
from recall_tui.storage.files.atomic import decode
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import own_lines
from recall_tui.storage.state.own_lines import IsOurs
from recall_tui.text.cut import one_line

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
