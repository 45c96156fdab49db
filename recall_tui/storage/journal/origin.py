"""The content of a file before our own changes, if the journal still has it and nobody else changed the file since."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from recall_tui.storage.files import atomic
from recall_tui.storage.journal.commits import Journal


class Origin(NamedTuple):
    """A file's content before a run of changes."""

    text: str | None
    """None when there was no such file."""


def find_origin(journal: Journal, title: str, path: Path) -> Origin | None:
    """Return the file's content before the newest unbroken run of changes called `title`.

    None when there is no such change, when somebody else changed the file since, or when its old content is no longer
    retained.
    """
    expected = atomic.file_digest(path)
    found: Origin | None = None
    for record, change in journal.changes_of(path):
        if record.title != title or change.now != expected:
            continue
        if change.kind == "create":
            return Origin(None)
        if change.old is None:
            return found
        try:
            found = Origin(change.old.whole(journal.folder))
        except OSError:
            return found
        expected = change.was
    return found
