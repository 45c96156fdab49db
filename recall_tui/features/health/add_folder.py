"""One file that a person wants indexed now: whether it is a source of the memory, and what became of it.

Only what a sync takes in as well can be added; why another file cannot be is said, with the command that takes it in.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from recall_tui import files
from recall_tui.errors import BrokenFileError, NotFoundError, UsageError
from recall_tui.index.ingest.markdown_files import files_on_disk
from recall_tui.index.ingest.transcript_files import key_of
from recall_tui.index.opener import Index, memory_key
from recall_tui.index.source_record import Known
from recall_tui.index.sources.ignore import NAME as IGNORE_FILE
from recall_tui.index.sources.ignore import ignored
from recall_tui.index.sources.markdown import transcript_sources
from recall_tui.index.text.passage import TRANSCRIPTS
from recall_tui.storage.files.atomic import digest
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state.tombstones import Tombstone, as_words, everywhere, of_memory

LARGEST = 32 * 1024 * 1024
"""Bytes of a markdown file; a transcript may have any size."""
_HEAD = 8_192
"""Bytes in which what is no text shows itself."""
_TRANSCRIPTS = (".jsonl", ".zst", ".json")


class Wanted(NamedTuple):
    """A file that can be indexed."""

    path: Path
    memory: str
    """What it is filed under."""
    key: str


def wanted(store: Store, path: Path) -> Wanted:
    """The source that a file is; an error with the next step for one that is none, or is kept out."""
    if not path.exists():
        raise NotFoundError(f"there is no file {path}", hint="name one that is there")
    if not path.is_file():
        raise UsageError(f"{path} is no regular file", hint="one file at a time; all of them: recall-tui sync")
    real = path.resolve()
    for seen in files_on_disk(store):
        if seen.source.path.resolve() == real:
            _check_text(path)
            _check_forgotten(store, path)
            return Wanted(path, memory_key(store), seen.key)
    for file in transcript_sources(store):
        if file.path.resolve() == real:
            if stone := everywhere(store).of_session(file.session_id):
                raise _kept_out(store, stone)
            if ignored(store.places)(str(file.path)):
                raise UsageError(
                    f"{store.places.claude / IGNORE_FILE} keeps {path} out", hint="take its line out there"
                )
            return Wanted(path, TRANSCRIPTS, key_of(file.agent, file.session_id))
    raise _stranger(store, path)


def found(index: Index, one: Wanted) -> Known | None:
    """What is indexed of it now; None when nothing was noted of it yet."""
    with index.facts() as facts:
        return facts.known(one.memory).get(one.key) if facts else None


def _check_text(path: Path) -> None:
    if (size := path.stat().st_size) > LARGEST:
        raise BrokenFileError(f"{path} has {size:,} bytes", hint=f"up to {LARGEST:,}; split it into several")
    with files.opened(path) as file:
        if b"\0" in file.read(_HEAD):
            raise BrokenFileError(f"{path} is no text", hint="markdown and transcripts are indexed")


def _check_forgotten(store: Store, path: Path) -> None:
    own = digest(files.read(path))
    if stone := of_memory(store).of_document(own):
        raise _kept_out(store, stone)


def _kept_out(store: Store, stone: Tombstone) -> UsageError:
    return UsageError(f"{stone.name} was {stone.reason}", hint=f"let it back in: {stone.way_back(store.root)}")


def _stranger(store: Store, path: Path) -> UsageError:
    """Why a file is no source."""
    if path.suffix.lower() in _TRANSCRIPTS:
        return UsageError(
            f"{path} is where no agent keeps its transcripts", hint=f"recall-tui archive {as_words(str(path))}"
        )
    if path.suffix.lower() not in (".md", ".markdown", ".txt"):
        return UsageError(f"{path} is neither markdown nor a transcript", hint="those are what is indexed")
    where = "is none of the documents" if path.resolve().is_relative_to(store.root.resolve()) else "lies outside"
    return UsageError(
        f"{path} {where} of the memory", hint=f"take a copy in as a topic: recall-tui import {as_words(str(path))}"
    )
