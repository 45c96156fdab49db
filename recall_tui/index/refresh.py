"""Brings the index up to date with the files of a memory.

The text index is committed before the catalogue says so, and a source's passages are taken out before they are put in:
a refresh that is killed anywhere is healed by the next, and nothing is ever there twice.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recall_tui.errors import BrokenFileError, LockedError
from recall_tui.index import catalogue as catalogues
from recall_tui.index import schema
from recall_tui.index.catalogue import Catalogue, Known
from recall_tui.index.document import passages_of
from recall_tui.index.sources import Source, markdown_sources
from recall_tui.index.store import Index, memory_key
from recall_tui.storage.frontmatter import write_time
from recall_tui.storage.lock import held
from recall_tui.storage.store import Store
from recall_tui.text.redact import findings

if TYPE_CHECKING:
    from recall_tui.index.passages import PassageWriter

BATCH_BYTES = 32_000_000
"""A long first run is committed each time this much was read, so that a kill loses no more."""
LARGE_BYTES = 8_000_000
"""From here on a second thread is worth its start."""
REDACTION_ROUNDS = 3
"""A mark may bring a second secret to light beside it; a third is not known."""
Progress = Callable[[int, int], None]
"""Called with the number of sources done, and of those to do."""
Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh found and did."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    failed: int = 0
    """Sources that cannot be read, new or not."""
    passages: int = 0
    """Passages written by this refresh."""
    took: float = 0.0
    """Seconds."""
    is_skipped: bool = False
    """Another process was at it; what it commits will be found."""
    notes: tuple[str, ...] = ()
    """What a person should know, such as a damaged file that was set aside."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A source as it is on disk now."""

    source: Source
    key: str
    document: str
    """Its path as the index shows it."""
    size: int
    mtime_ns: int


def refresh(index: Index, store: Store, progress: Progress | None = None, *, patience: float = 0.0) -> Refreshed:
    """Index what is new or changed in the memory and take out what is gone.

    While another process writes the index this waits `patience` seconds, and then does nothing and says so.
    """
    return _locked(index, store, progress, patience, anew=False)


def rebuild(index: Index, store: Store, progress: Progress | None = None, *, patience: float = 0.0) -> Refreshed:
    """Forget what is indexed of the memory and read all of it again."""
    return _locked(index, store, progress, patience, anew=True)


def source_key(memory: str, document: str) -> str:
    """What a source's passages are filed under, the same in every index that is ever made of it."""
    return hashlib.blake2b(f"{memory}\0{document}".encode(), digest_size=8).hexdigest()


def _locked(index: Index, store: Store, progress: Progress | None, patience: float, *, anew: bool) -> Refreshed:
    started = time.perf_counter()
    notes: list[str] = []
    try:
        with held(index.lock_path, "index", patience):
            done = _whole(index, store, progress, notes.append, anew)
    except LockedError:
        return Refreshed(is_skipped=True, took=time.perf_counter() - started)
    return replace(done, took=time.perf_counter() - started, notes=tuple(notes))


def _whole(index: Index, store: Store, progress: Progress | None, note: Note, anew: bool) -> Refreshed:
    """One pass; a second one, from nothing, when the first met damage or the two files do not agree after it."""
    try:
        done, agree = _pass(index, store, progress, note, anew)
        if agree:
            return done
        note("catalogue and text index disagreed about this memory; it was indexed anew")
    except BrokenFileError as error:
        note(error.message)
    except sqlite3.DatabaseError as error:
        if not catalogues.is_damage(error):
            raise
        aside = catalogues.set_aside(index.catalogue_path)
        note(f"{index.catalogue_path} was set aside as {aside.name} ({error}); the index is made anew")
    return _pass(index, store, progress, note, True)[0]


def _pass(index: Index, store: Store, progress: Progress | None, note: Note, anew: bool) -> tuple[Refreshed, bool]:
    """Do it all once, and say whether catalogue and text index count the same after."""
    from recall_tui.index.passages import PassageWriter

    memory = memory_key(store)
    with closing(catalogues.open_to_write(index.catalogue_path, note)) as catalogue:
        _pair(index, catalogue, note)
        catalogue.name_memory(memory, printable(str(store.root)), store.layout.name)
        known = {} if anew else catalogue.known(memory)
        seen = list(_look(store, memory))
        touched = [one for one in seen if _is_touched(one, known.get(one.key))]
        gone = known.keys() - {one.key for one in seen}
        is_large = sum(one.size for one in touched) > LARGE_BYTES
        with closing(PassageWriter(index.passages_path, is_large=is_large)) as writer:
            batch = _Batch(writer, catalogue, memory, anew)
            batch.drop(gone)
            added = changed = written = 0
            for number, one in enumerate(touched, 1):
                was = known.get(one.key)
                record = _index_one(writer, memory, one, was, write_time(store.now()))
                batch.put(record)
                if was is None or record.hash != was.hash:
                    added, changed = added + (was is None), changed + (was is not None)
                    written += record.passages
                if progress:
                    progress(number, len(touched))
            batch.commit()
        totals = catalogue.totals(memory)
        reader = index.reader()
        agree = reader is not None and reader.count_of_memory(memory) == totals.passages
        return Refreshed(added, changed, len(gone), totals.failed, written), agree


def _pair(index: Index, catalogue: Catalogue, note: Note) -> None:
    """See to it that catalogue and text index are of one generation; two that are not both start empty."""
    from recall_tui.index import passages

    generation = passages.generation(index.passages_path)
    if not generation or generation != catalogue.generation:
        catalogue.begin_anew(passages.create(index.passages_path, note))


def _look(store: Store, memory: str) -> Iterator[_Seen]:
    for source in markdown_sources(store.layout):
        try:
            status = source.path.stat()
        except OSError:
            continue
        document = printable(store.relative(source.path))
        yield _Seen(source, source_key(memory, document), document, status.st_size, status.st_mtime_ns)


def printable(path: str) -> str:
    """A path as text that every file format takes: bytes that are no UTF-8 become escapes."""
    return path if path.isascii() else os.fsencode(path).decode("utf-8", "backslashreplace")


def _is_touched(seen: _Seen, was: Known | None) -> bool:
    return (
        was is None
        or bool(was.failed)
        or (was.size, was.mtime_ns, was.kind) != (seen.size, seen.mtime_ns, seen.source.kind)
    )


def without_secrets(text: str) -> str:
    """`text` with a mark in place of each secret, and as many lines as before."""
    for _ in range(REDACTION_ROUNDS):
        found = findings(text)
        if not found:
            break
        for secret in reversed(found):
            lines = "\n" * text.count("\n", secret.start, secret.end)
            text = f"{text[: secret.start]}[redacted:{secret.kind}]{lines}{text[secret.end :]}"
    return text


class _Batch:
    """What was changed in the text index and is not in the catalogue yet."""

    def __init__(self, writer: PassageWriter, catalogue: Catalogue, memory: str, anew: bool) -> None:
        self._writer, self._catalogue, self._memory, self._anew = writer, catalogue, memory, anew
        self._records: list[Known] = []
        self._gone: list[str] = []
        self._size = 0
        if anew:
            writer.remove_memory(memory)

    def drop(self, keys: Iterable[str]) -> None:
        """Take the sources out."""
        for key in keys:
            self._writer.remove(key)
            self._gone.append(key)

    def put(self, record: Known) -> None:
        """Note how a source is now."""
        self._records.append(record)
        self._size += record.size
        if self._size > BATCH_BYTES:
            self.commit()

    def commit(self) -> None:
        """Make it so: text first, then what is said of it."""
        if not (self._records or self._gone or self._anew):
            return
        self._writer.commit()
        with self._catalogue.change():
            if self._anew:
                self._catalogue.forget_memory(self._memory)
            self._catalogue.forget(self._gone)
            self._catalogue.record(self._memory, self._records)
        self._records, self._gone, self._size, self._anew = [], [], 0, False


def _index_one(writer: PassageWriter, memory: str, seen: _Seen, was: Known | None, now: str) -> Known:
    """Read a source, put its passages in when its content is new, and say how it is now."""
    record = Known(seen.key, seen.document, seen.source.kind, seen.size, seen.mtime_ns, "", indexed_at=now)
    try:
        data = seen.source.path.read_bytes()
        record = replace(record, hash=hashlib.blake2b(data, digest_size=16).hexdigest())
        if was and not was.failed and (was.hash, was.kind) == (record.hash, record.kind):
            return replace(was, size=seen.size, mtime_ns=seen.mtime_ns)
        passages = list(
            passages_of(seen.source.path, without_secrets(data.decode("utf-8", "surrogateescape")), seen.source.kind)
        )
    except (OSError, ValueError, RecursionError) as error:
        writer.remove(seen.key)
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return replace(record, failed=reason or type(error).__name__)
    chars = writer.add(memory, seen.key, seen.document, seen.source.kind, passages)
    title = schema.readable(passages[0].head.title) if passages else ""
    return replace(record, passages=len(passages), chars=chars, title=title)
