"""The lines of the window that we wrote, told from a person's."""

from __future__ import annotations

from recall_tui.domain import WindowEntry
from recall_tui.storage.archives import summary_file
from recall_tui.storage.documents import window_file, window_notes
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import own_lines
from recall_tui.storage.state.own_lines import IsOurs
from recall_tui.text.cut import one_line


def noted(store: Store, text: str, entry: WindowEntry) -> IsOurs:
    """Whether a line that stands in the window is ours; those of `entry`, about to be written, are from now on."""
    path = store.layout.window
    is_ours = own_lines.of(store.state, path, window_notes.is_form)
    there = () if own_lines.is_known(store.state, path) else filter(window_notes.is_form, text.split("\n"))
    own_lines.note(store.state, path, [*there, *window_file.render_entry(entry).split("\n")])
    return is_ours


def leaving(store: Store) -> window_file.Leaving:
    """Of an entry that leaves the window, whether a line of it is ours.

    An entry whose heading and facts nobody remembers was written elsewhere: there the plain form counts as ours, and a
    summary that the session's archive holds too.
    """
    is_ours = own_lines.of(store.state, store.layout.window, window_notes.is_form)

    def of_entry(text: str, entry: WindowEntry) -> IsOurs:
        marks = [line for line in text.split("\n") if line.startswith((window_notes.HEADING, window_notes.FACTS))]
        is_from_here = any(map(is_ours, marks))

        def need_not_stay(line: str) -> bool:
            if is_ours(line) or (not is_from_here and window_notes.is_plain(line)):
                return True
            words = one_line(line.removeprefix(window_notes.SUMMARY))
            return line.startswith(window_notes.SUMMARY) and words in _archived(store, entry.session_id)

        return need_not_stay

    return of_entry


def _archived(store: Store, session_id: str) -> str:
    """The heads of the session's archives, or its summary, on one line."""
    if store.layout.summaries is not None:
        paths = [store.layout.summaries / summary_file.file_name(session_id)]
    else:
        paths = [entry.path for entry in store.register.by_session(session_id)]
    try:
        return one_line(" ".join(read_text(path) for path in paths))
    except OSError:
        return ""
