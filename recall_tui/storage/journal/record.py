"""Journal records: for each file of a change, its old and new content, until neither is needed.

Small contents are stored in the record itself, large ones beside it, compressed.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, cast

from recall_tui import files
from recall_tui.domain import Actor, Append, Create, Delete, Edit, JournalEntry, Replace
from recall_tui.errors import ConflictError, NotFoundError, name_path
from recall_tui.storage.files import atomic, compare_and_swap
from recall_tui.storage.files.lock import PendingWrite

_MAX_INLINE_CHARS = 32_768
MAX_NEW_CONTENT_CHARS = 262_144
"""Files up to this size keep their new content too, so that a user's later edit does not block undo."""
_MAX_APPEND_TRIES = 20


@dataclass(frozen=True, slots=True)
class StoredContent:
    """A file's whole content: `text`, followed by the bytes of a file in the journal's folder."""

    text: str
    file: str = ""
    """The file's name, or empty; it ends in `.zst` when compressed."""

    @contextlib.contextmanager
    def unpacked(self, folder: Path) -> Iterator[Path | None]:
        """Yield the path of the file's uncompressed bytes for the block; None when there is no file.

        Raises NotFoundError when the stored file is missing.
        """
        if not self.file:
            yield None
            return
        stored = folder / self.file
        if not stored.exists():
            raise NotFoundError(f"{stored} is missing; this change can no longer be undone")
        if stored.suffix != ".zst":
            yield stored
            return
        import zstandard

        into = atomic.temp_path(folder)
        with atomic.delete_after(into):
            with files.open_file(stored) as source, into.open("wb") as target:
                zstandard.ZstdDecompressor().copy_stream(source, target)
            yield into

    def length(self, folder: Path) -> int:
        """Return the length in bytes; only for a file that is not compressed."""
        return len(atomic.encode(self.text)) + ((folder / self.file).stat().st_size if self.file else 0)

    def whole(self, folder: Path) -> str:
        """Return the whole text; FileNotFoundError when its file is missing."""
        if not self.file:
            return self.text
        data = files.read_file(folder / self.file, files.MAX_ARCHIVE_BYTES)
        if self.file.endswith(".zst"):
            import zstandard

            data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
        return self.text + data.decode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class FileChange:
    """A change's effect on one file."""

    path: Path
    kind: Literal["create", "append", "replace", "delete"]
    was: str
    """Digest of the content before; empty when the file did not exist."""
    now: str
    """Digest of the content after; empty when the file is deleted."""
    old: StoredContent | None = None
    """Old content; None when the file did not exist, and for an append, whose old content is part of the new."""
    new: StoredContent | None = None
    """New content; for an append only the added text. None for a delete and when no longer needed."""
    size: int = 0
    """For an append, the number of bytes before it."""
    is_private: bool = True
    folders: tuple[Path, ...] = ()
    """Folders created for the file, or deleted with it, innermost first."""
    length: int = 0
    """Length in bytes of the content after; 0 when unknown."""

    @classmethod
    def of(cls, edit: Edit, folder: Path, name: str, *, keeps_old: bool = True) -> FileChange:
        """Check the edit against the file on disk and store its new content, and its old content if `keeps_old`.

        Raises ConflictError when the file is not what the verb read, FileExistsError when a new file already exists.
        """
        if isinstance(edit, Append):
            return cls._appended(edit)
        current = atomic.file_digest(edit.path)
        match edit:
            case Create(path, text, body, is_private, owns_folders):
                if current:
                    raise FileExistsError(17, "already exists", str(path))
                made = tuple(one for one in path.parents if not one.exists()) if owns_folders else ()
                now = _digest(text, body)
                new = _store_new(text, body, folder, name)
                return cls(path, "create", "", now, None, new, 0, is_private, made, new.length(folder))
            case Replace(path, was, text, body):
                atomic.expect_content(path, was)
                now = _digest(text, body)
                old = _store_old(path, folder, name) if keeps_old else None
                new = _store_new(text, body, folder, name)
                return cls(path, "replace", was, now, old, new, length=new.length(folder))
            case Delete(path, was, folders):
                atomic.expect_content(path, was)
                old = _store_old(path, folder, name) if keeps_old else None
                is_private = not current or not path.stat().st_mode & 0o077
                return cls(path, "delete", was, "", old, is_private=is_private, folders=folders)

    @classmethod
    def _appended(cls, edit: Append) -> FileChange:
        import hashlib

        data = atomic.read_bytes(edit.path)
        total = hashlib.sha256(data or b"")
        was = "" if data is None else total.hexdigest()
        added = atomic.encode(edit.text)
        total.update(added)
        size = len(data or b"")
        now, new = total.hexdigest(), StoredContent(edit.text)
        return cls(edit.path, "append", was, now, None, new, size, length=size + len(added))

    def apply(self, folder: Path) -> None:
        """Apply the change to the disk; ConflictError when another program saved the file since it was checked."""
        if self.kind == "delete":
            compare_and_swap.delete(self.path, was=self.was)
            atomic.delete_empty(self.folders)
        elif self.kind == "append":
            self._append()
        else:
            assert self.new is not None
            text = atomic.encode(self.new.text)
            with self.new.unpacked(folder) as body:
                if self.kind == "create":
                    atomic.write_file(self.path, text, body, is_private=self.is_private, is_new=True)
                else:
                    compare_and_swap.write(self.path, text, body, was=self.was, is_private=self.is_private)

    def _append(self) -> None:
        """Append to the file's current content; read it again if it is saved meanwhile."""
        assert self.new is not None
        for attempt in range(_MAX_APPEND_TRIES):
            data = atomic.read_bytes(self.path)
            text = (data or b"") + atomic.encode(self.new.text)
            try:
                compare_and_swap.write(self.path, text, was="" if data is None else data, is_private=self.is_private)
            except ConflictError:
                if attempt + 1 == _MAX_APPEND_TRIES:
                    raise
            else:
                return

    def unfinished(self) -> PendingWrite:
        """Return the file about to change, with its digests before and after."""
        place = self.path if self.kind == "delete" else Path(os.path.realpath(self.path))
        return PendingWrite(place, self.was, self.now)

    def finish(self, folder: Path) -> bool:
        """Apply the change unless it was applied; False, with nothing done, when the file is neither old nor new."""
        compare_and_swap.recover(*self.unfinished())
        current = atomic.file_digest(self.path)
        if current == self.now:
            return True
        # The old content may already hold the added text: only in a third content does it prove that the append was
        # made.
        if current != self.was and (self.kind != "append" or self._is_in(atomic.read_text(self.path))):
            return self.kind == "append"
        try:
            self.apply(folder)
        except (NotFoundError, FileExistsError, ConflictError):
            return False
        return True

    def _is_in(self, text: str) -> bool:
        return self.new is not None and self.new.text in text

    def give_back(self, edit: Edit, folder: Path) -> None:
        """Return a staged body to the path the verb gave it, so that the verb can retry."""
        body = getattr(edit, "body", None)
        if body is not None and self.new is not None and (folder / self.new.file).exists():
            (folder / self.new.file).replace(body)

    def settled(self, folder: Path, *, keeps_new: bool = True, most: int = MAX_NEW_CONTENT_CHARS) -> FileChange:
        """Return the change without data needed only to apply it, and without new content over `most` characters."""
        if self.new is None or (self.kind == "append" and keeps_new):
            return self
        if self.new.file:
            (folder / self.new.file).unlink(missing_ok=True)
        is_kept = keeps_new and not self.new.file and len(self.new.text) <= most
        return self if is_kept else replace(self, new=None)

    def to_json(self) -> dict[str, Any]:
        """Return plain values for the record's file."""
        return {
            "path": str(self.path),
            "kind": self.kind,
            "was": self.was,
            "now": self.now,
            "size": self.size,
            "private": self.is_private,
            "folders": list(map(str, self.folders)),
            "length": self.length,
            "old": None if self.old is None else [self.old.text, self.old.file],
            "new": None if self.new is None else [self.new.text, self.new.file],
        }

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> FileChange:
        """Parse the output of `to_json`."""
        old, new = row["old"], row["new"]
        return cls(
            Path(row["path"]),
            row["kind"],
            row["was"],
            row["now"],
            StoredContent(*old) if old else None,
            StoredContent(*new) if new else None,
            row["size"],
            row["private"],
            tuple(map(Path, row.get("folders", ()))),
            row.get("length", 0),
        )


@dataclass(frozen=True, slots=True)
class JournalRecord:
    """A change as stored in the journal."""

    id: int
    title: str
    at: datetime
    by: Actor
    changes: tuple[FileChange, ...]
    undoes: int = 0
    subject: str = ""
    """For an undo or redo, the title of the change at the root of the chain."""
    no_way_back: str = ""
    """Reason why the change is irreversible; such a record stores no file content."""
    took_words: str = ""
    """Text written by the user that the change removed from a file."""
    batch: int = 0
    """Number of the batch that the change is part of; 0 for none."""
    parts: tuple[int, ...] = ()
    """Numbers of the changes that were folded into this one."""

    def entry(self, is_undone: bool) -> JournalEntry:
        """Return the public view of the record."""
        paths = tuple(change.path for change in self.changes)
        return JournalEntry(
            self.id,
            self.title,
            self.at,
            self.by,
            paths,
            self.undoes,
            is_undone,
            no_way_back=self.no_way_back,
            took_words=self.took_words,
        )

    def to_bytes(self) -> bytes:
        """Serialize the record to JSON bytes."""
        return json.dumps(
            {
                "id": self.id,
                "title": self.title,
                "at": self.at.isoformat(),
                "by": self.by,
                "undoes": self.undoes,
                "subject": self.subject,
                "no_way_back": self.no_way_back,
                "took_words": self.took_words,
                "batch": self.batch,
                "parts": self.parts,
                "changes": [change.to_json() for change in self.changes],
            }
        ).encode()

    @classmethod
    def read(cls, path: Path) -> JournalRecord | None:
        """Read the record from the file; None when it is missing or incomplete."""
        data = atomic.read_bytes(path)
        try:
            row = json.loads(data or b"")
            return cls(
                row["id"],
                row["title"],
                datetime.fromisoformat(row["at"]),
                cast(Actor, row["by"]),
                tuple(FileChange.from_json(change) for change in row["changes"]),
                row["undoes"],
                row["subject"],
                row.get("no_way_back", ""),
                row.get("took_words", ""),
                row.get("batch", 0),
                tuple(row.get("parts", ())),
            )
        except (ValueError, KeyError, TypeError, RecursionError):
            return None


def _digest(text: str, body: Path | None) -> str:
    import hashlib

    total = hashlib.sha256(atomic.encode(text))
    for chunk in atomic.read_chunks(body) if body is not None else ():
        total.update(chunk)
    return total.hexdigest()


def _store_new(text: str, body: Path | None, folder: Path, name: str) -> StoredContent:
    """Store new content; a staged body moves into the journal's folder, so that a kill cannot lose it."""
    if body is None:
        return StoredContent(text)
    stored = folder / f"{name}.new"
    atomic.sync_file(body)
    try:
        body.replace(stored)
    except OSError:
        atomic.write_file(stored, b"", body)
        body.unlink()
    return StoredContent(text, stored.name)


def _store_old(path: Path, folder: Path, name: str) -> StoredContent:
    """Store old content: small files as text, large ones compressed beside the record."""
    if path.stat().st_size <= _MAX_INLINE_CHARS:
        return StoredContent(atomic.read_text(path))
    import zstandard

    stored = folder / f"{name}.old.zst"
    with name_path(stored), stored.open("wb") as file, zstandard.ZstdCompressor(level=3).stream_writer(file) as out:
        for chunk in atomic.read_chunks(path):
            out.write(chunk)
    stored.chmod(atomic.PRIVATE_FILE)
    atomic.sync_file(stored)
    return StoredContent("", stored.name)


def staged_copy(content: StoredContent, folder: Path) -> Path | None:
    """Return a temporary copy of a stored file for an edit to consume; None when the content has no file.

    A copy that no edit consumes is a leftover file.
    """
    if not content.file:
        return None
    spool = atomic.temp_path(folder)
    with content.unpacked(folder) as plain:
        atomic.write_file(spool, b"", plain)
    return spool
