"""One file that a person wants indexed now: whether it is a source of the memory, and what became of it.

Only what a sync takes in as well can be added; why another file cannot be is said, with the command that takes it in.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from recall_tui import files
from recall_tui.errors import BrokenFileError, NotFoundError, UsageError
from recall_tui.index.ingest.markdown_files import list_files
from recall_tui.index.ingest.transcript_files import session_key
from recall_tui.index.opener import Index, memory_key
from recall_tui.index.source_record import SourceRecord
from recall_tui.index.sources.markdown import transcript_sources
from recall_tui.index.sources.transcripts import IGNORE_FILE, ignore_matcher
from recall_tui.index.text.passage import TRANSCRIPTS_KEY
from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state.tombstones import Tombstone, of_memory, read_all, shell_words

MAX_MARKDOWN_BYTES = 32 * 1024 * 1024
"""Bytes of a markdown file; a transcript may have any size."""
_HEAD_BYTES = 8_192
"""Bytes in which what is no text shows itself."""
_TRANSCRIPT_SUFFIXES = (".jsonl", ".zst", ".json")


class AddRequest(NamedTuple):
    """A file that can be indexed."""

    path: Path
    memory: str
    """What it is filed under."""
    key: str


def resolve_request(store: Store, path: Path) -> AddRequest:
    """The source that a file is; an error with the next step for one that is none, or is kept out."""
    if not path.exists():
        raise NotFoundError(f"there is no file {path}", hint="name one that is there")
    if not path.is_file():
        raise UsageError(f"{path} is no regular file", hint="one file at a time; all of them: recall-tui sync")
    real = path.resolve()
    for seen in list_files(store):
        if seen.source.path.resolve() == real:
            _require_text(path)
            _require_not_tombstoned(store, path)
            return AddRequest(path, memory_key(store), seen.key)
    for file in transcript_sources(store):
        if file.path.resolve() == real:
            if stone := read_all(store).of_session(file.session_id):
                raise _tombstone_error(store, stone)
            if ignore_matcher(store.environment)(str(file.path)):
                raise UsageError(
                    f"{store.environment.claude / IGNORE_FILE} keeps {path} out", hint="take its line out there"
                )
            return AddRequest(path, TRANSCRIPTS_KEY, session_key(file.agent, file.session_id))
    raise _unknown_source_error(store, path)


def find_record(index: Index, one: AddRequest) -> SourceRecord | None:
    """What is indexed of it now; None when nothing was noted of it yet."""
    with index.facts() as facts:
        return facts.known(one.memory).get(one.key) if facts else None


def _require_text(path: Path) -> None:
    if (size := path.stat().st_size) > MAX_MARKDOWN_BYTES:
        raise BrokenFileError(f"{path} has {size:,} bytes", hint=f"up to {MAX_MARKDOWN_BYTES:,}; split it into several")
    with files.open_file(path) as file:
        if b"\0" in file.read(_HEAD_BYTES):
            raise BrokenFileError(f"{path} is not a text file", hint="only Markdown and transcripts are indexed")


def _require_not_tombstoned(store: Store, path: Path) -> None:
    own = content_digest(files.read_file(path))
    if stone := of_memory(store).of_document(own):
        raise _tombstone_error(store, stone)


def _tombstone_error(store: Store, stone: Tombstone) -> UsageError:
    return UsageError(f"{stone.name} was {stone.reason}", hint=f"let it back in: {stone.way_back(store.root)}")


def _unknown_source_error(store: Store, path: Path) -> UsageError:
    """Why a file is no source."""
    if path.suffix.lower() in _TRANSCRIPT_SUFFIXES:
        return UsageError(
            f"{path} is where no agent keeps its transcripts", hint=f"recall-tui archive {shell_words(str(path))}"
        )
    if path.suffix.lower() not in (".md", ".markdown", ".txt"):
        return UsageError(f"{path} is neither markdown nor a transcript", hint="only those are indexed")
    where = "is none of the documents" if path.resolve().is_relative_to(store.root.resolve()) else "lies outside"
    return UsageError(
        f"{path} {where} of the memory", hint=f"take a copy in as a topic: recall-tui import {shell_words(str(path))}"
    )
