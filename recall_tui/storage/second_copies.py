"""Second copies of a memory's files, from sync services, git, editors, or saved by us as `.saved-1`.

Removing something from the memory's files must remove it from these too.
"""

from __future__ import annotations

from pathlib import Path

from recall_tui.storage.archives import file as archive_file
from recall_tui.storage.archives import summary_file
from recall_tui.storage.archives.conflicted_copies import ConflictedCopy, find_copies, original_in
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.files.saved_copies import find_saved
from recall_tui.storage.files.symlinks import is_file, link_check
from recall_tui.storage.inventory import is_text, list_files, other_files
from recall_tui.storage.layout import Layout
from recall_tui.text.cut import one_line


def second_copies(layout: Layout) -> tuple[ConflictedCopy, ...]:
    """Return the copies in all folders of the memory and its scopes; a possible user's file is not `is_certain`."""
    found: dict[Path, ConflictedCopy] = {}
    is_shut = link_check(layout)
    for path in (*list_files(layout)[0], *find_saved(layout), *other_files(layout)):
        if (of := original_in(layout, path)) != path and is_file(path) and not is_shut(path) and is_text(path):
            found[path] = ConflictedCopy(path, of)
    for copy in find_copies(layout):
        found.setdefault(copy.path, copy)
    return tuple(found.values())


def session_of(layout: Layout, copy: ConflictedCopy) -> str:
    """Return the session id in a copy of an archive or a summary; empty for any other copy."""
    if archive_file.parse_number(copy.of.name) is not None:
        entry = archive_file.parse_entry(read_text(copy.path), copy.of)
    else:
        is_summary = layout.summaries is not None and copy.of.parent.name == layout.summaries.name
        entry = summary_file.parse_entry(read_text(copy.path), copy.of) if is_summary else None
    return one_line(entry.session_id) if entry else ""
