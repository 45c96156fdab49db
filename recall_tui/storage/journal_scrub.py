"""Takes words out of what the journal keeps, so that no change that is taken back brings them up again.

Entries that hold nothing else go; of the others everything stays that may. Doing it twice does no more than once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from recall_tui.storage import atomic
from recall_tui.storage.journal_record import Change, Content, Record


@dataclass(frozen=True, slots=True)
class Scrub:
    """What may be kept of the files, and of what was said of changes."""

    text: Callable[[Path, str], str | None]
    """A file's content as it may be kept; None when nothing of the file may, whatever is in it."""
    title: Callable[[str, bool], str]
    """The title of a change as it may be kept; the change may have lost one of its files."""


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """What became of the journal."""

    changed: int = 0
    """Entries of which a part went."""
    dropped: int = 0
    """Entries that went."""

    @property
    def count(self) -> int:
        """Entries of either kind."""
        return self.changed + self.dropped


def scrubbed(record: Record, folder: Path, scrub: Scrub) -> Record | None:
    """The record as it may be kept, its files beside it changed already; None when it has to go."""
    if record.no_way_back:
        return record
    changes = [_change(change, folder, scrub) for change in record.changes]
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


def files_of(record: Record) -> set[str]:
    """The names of the files beside a record that belong to it."""
    contents = (content for change in record.changes for content in (change.old, change.new))
    return {content.file for content in contents if content is not None and content.file}


def contents_of(record: Record, folder: Path) -> Iterator[tuple[Path, str]]:
    """Every content of a file that the record keeps."""
    for change in record.changes:
        for content in (change.old, change.new):
            if content is not None and not (content.file and not (folder / content.file).exists()):
                yield change.path, _text(content, folder)


def _change(change: Change, folder: Path, scrub: Scrub) -> Change | None:
    """The change as it may be kept; None when nothing is left of it."""
    if scrub.text(change.path, "") is None:
        return None
    old, new = (_content(change.path, one, folder, scrub) for one in (change.old, change.new))
    if (change.old and not old) or (change.new and not new):
        return None
    if (old, new) == (change.old, change.new):
        return change
    if change.kind == "append":
        return replace(change, new=new) if new and _text(new, folder).strip() else None
    was, now = change.was, change.now
    if old:
        was = atomic.digest(_text(old, folder))
    if new:
        now = atomic.digest(_text(new, folder))
    return None if old and new and was == now else replace(change, old=old, new=new, was=was, now=now)


def _content(path: Path, content: Content | None, folder: Path, scrub: Scrub) -> Content | None:
    """The content as it may be kept, the same one when it holds nothing else; None for none, and when none may be."""
    if content is None or (content.file and not (folder / content.file).exists()):
        return content
    text = _text(content, folder)
    cleaned = scrub.text(path, text)
    if cleaned is None or cleaned == text:
        return None if cleaned is None else content
    if not content.file:
        return Content(cleaned)
    import zstandard

    data = atomic.encode(cleaned)
    packed = zstandard.ZstdCompressor(level=3).compress(data) if content.file.endswith(".zst") else data
    atomic.write(folder / content.file, packed)
    return Content("", content.file)


def _text(content: Content, folder: Path) -> str:
    """The whole of a content."""
    if not content.file:
        return content.text
    import zstandard

    data = (folder / content.file).read_bytes()
    if content.file.endswith(".zst"):
        data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
    return content.text + data.decode("utf-8", "surrogateescape")
