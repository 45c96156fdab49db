"""Remove text from the journal, so that no undo brings it back.

Entries that hold nothing else are deleted; of the others everything permitted stays. Scrubbing twice gives the same
result as once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from recall_tui.storage.files import atomic
from recall_tui.storage.journal.record import FileChange, JournalRecord, StoredContent


@dataclass(frozen=True, slots=True)
class ScrubRules:
    """Filters for the stored file contents and change titles."""

    text: Callable[[Path, str], str | None]
    """Return a file's content as it may be retained; None when nothing of the file may, whatever its content."""
    title: Callable[[str, bool], str]
    """Return a change's title as it may be retained; the flag says whether the change lost one of its files."""


@dataclass(frozen=True, slots=True)
class ScrubResult:
    """Counts of the entries that a scrub affected."""

    changed: int = 0
    """Entries that lost a part."""
    dropped: int = 0

    @property
    def count(self) -> int:
        return self.changed + self.dropped


def scrub_record(record: JournalRecord, folder: Path, scrub: ScrubRules) -> JournalRecord | None:
    """Return the record as it may be retained, and rewrite the files beside it; None when it must be deleted."""
    if record.no_way_back:
        return record
    changes = [_scrub_change(change, folder, scrub) for change in record.changes]
    kept = tuple(change for change in changes if change is not None)
    if not kept and record.changes:
        return None
    is_less = len(kept) < len(record.changes)
    return replace(
        record,
        changes=kept,
        title=scrub.title(record.title, is_less),
        subject=scrub.title(record.subject, is_less),
    )


def record_files(record: JournalRecord) -> set[str]:
    """Return the names of the files beside a record that belong to it."""
    contents = (content for change in record.changes for content in (change.old, change.new))
    return {content.file for content in contents if content is not None and content.file}


def file_contents(record: JournalRecord, folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield every stored file content of the record, with its path."""
    for change in record.changes:
        for content in (change.old, change.new):
            if content is not None and _is_present(content, folder):
                yield change.path, content.whole(folder)


def _scrub_change(change: FileChange, folder: Path, scrub: ScrubRules) -> FileChange | None:
    """Return the change as it may be retained; None when nothing is left of it."""
    if scrub.text(change.path, "") is None:
        return None
    old, new = (_scrub_content(change.path, one, folder, scrub) for one in (change.old, change.new))
    if (change.old and not old) or (change.new and not new):
        return None
    if change.kind == "append":
        return change if new == change.new else replace(change, new=new) if new and new.text.strip() else None
    # A rewritten file beside the record keeps its name, so compare digests.
    was, now = _digest(old, folder) or change.was, _digest(new, folder) or change.now
    return None if old and new and was == now else replace(change, old=old, new=new, was=was, now=now)


def _scrub_content(path: Path, content: StoredContent | None, folder: Path, scrub: ScrubRules) -> StoredContent | None:
    """Return the content as it may be retained, the same object if unchanged; None for none, and when none may be."""
    if content is None or not _is_present(content, folder):
        return content
    text = content.whole(folder)
    cleaned = scrub.text(path, text)
    if cleaned is None or cleaned == text:
        return None if cleaned is None else content
    if not content.file:
        return StoredContent(cleaned)
    import zstandard

    data = atomic.encode(cleaned)
    packed = zstandard.ZstdCompressor(level=3).compress(data) if content.file.endswith(".zst") else data
    atomic.write_file(folder / content.file, packed)
    return StoredContent("", content.file)


def _is_present(content: StoredContent, folder: Path) -> bool:
    return not content.file or (folder / content.file).exists()


def _digest(content: StoredContent | None, folder: Path) -> str:
    return atomic.content_digest(content.whole(folder)) if content and _is_present(content, folder) else ""
