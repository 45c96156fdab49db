"""The markdown files of a memory, brought into the index.

A file that was deleted leaves. An archive whose session has a transcript gives its summary and its tags; the words
themselves are there already.
"""

from __future__ import annotations

import errno
import hashlib
import re
from collections.abc import Container, Iterator
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from recall_tui import files
from recall_tui.index.ingest.context import IngestContext, reason_of
from recall_tui.index.opener import memory_key
from recall_tui.index.source_record import SourceRecord
from recall_tui.index.sources.markdown import (
    MarkdownSource,
    drain,
    shared_wiki_sources,
    source_key,
    with_unreadable,
)
from recall_tui.index.text import schema
from recall_tui.index.text.commit_batch import UNREAD_SIZE, recorded_batches, with_batches
from recall_tui.index.text.schema import printable_path
from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from recall_tui.storage.memory_context import Store
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from recall_tui.index.text.batching import BatchWriter
    from recall_tui.index.text.passage import Passage

ARCHIVE_KIND = "conversation"
_ANNOTATED_KINDS = ("summary", "master")
"""Kinds at whose end stands what we know beside the words, in a comment; nobody looks for that."""
_NOTE = lazy_pattern(r"^<!-- recall(?:-master)?: \{.*\} -->(?=\r?$)", re.MULTILINE)
MAX_REDACTION_ROUNDS = 3
"""A mark may bring a second secret to light beside it; a third is not known."""


class FileState(NamedTuple):
    """A file as it is on disk now."""

    source: MarkdownSource
    key: str
    document: str
    """Its path as the index shows it."""
    size: int
    mtime_ns: int


def index_markdown(run: IngestContext) -> None:
    """Read what is new or changed, and take out what is gone."""
    memory = memory_key(run.store)
    sessions = run.transcribed_sessions()
    known, gone = run.known(memory), run.forgotten_here.marks
    touched: list[FileState] = []
    left = set(known)
    for one in list_files(run.store):
        left.discard(one.key)
        if is_modified(one, known.get(one.key), sessions, gone):
            touched.append(one)
    run.ledger.drop(left)
    run.ledger.expect(sum(one.size for one in touched))
    for one in drain(touched):
        was = known.get(one.key)
        run.ledger.put(memory, _index_file(run, memory, one, was, sessions), one.size)


def index_pages(run: IngestContext) -> None:
    """Read what is new or changed but for archives: nothing of it depends on which transcripts there are."""
    memory = memory_key(run.store)
    known, gone = run.known(memory), run.forgotten_here.marks
    for one in list_files(run.store):
        was = known.get(one.key)
        if one.source.kind != ARCHIVE_KIND and is_modified(one, was, frozenset(), gone):
            run.ledger.expect(one.size)
            run.ledger.put(memory, _index_file(run, memory, one, was, frozenset()), one.size)


def list_files(store: Store) -> Iterator[FileState]:
    """Every markdown file of the memory that is to be indexed."""
    memory = memory_key(store)
    for source in chain(with_unreadable(store.layout), shared_wiki_sources(store)):
        try:
            path = source.path
            # A link that leads nowhere is there itself.
            status = path.stat() if path.exists() else path.lstat()
        except OSError:
            continue
        document = printable_path(store.relative(path))
        yield FileState(source, source_key(memory, document), document, status.st_size, status.st_mtime_ns)


def is_modified(seen: FileState, was: SourceRecord | None, sessions: frozenset[str], forgotten: Container[str]) -> bool:
    """Whether the file is other than it was when it was indexed, now that these sessions have transcripts.

    Of those that were `forgotten` nothing is to be indexed.
    """
    if was is None or seen.source.is_astray or not _is_indexed(was, sessions, forgotten):
        return True
    return (was.size, was.mtime_ns, was.kind) != (seen.size, seen.mtime_ns, seen.source.kind)


def _is_indexed(was: SourceRecord, sessions: frozenset[str], forgotten: Container[str]) -> bool:
    """Whether of the file, as it was, all is in the index that should be, now that these sessions have transcripts."""
    if was.failed or was.size == UNREAD_SIZE:
        return False
    if was.session in forgotten:
        return not was.passages
    return was.kind != ARCHIVE_KIND or was.has_body != (was.session in sessions)


def redact_lines(text: str) -> str:
    """`text` with a mark in place of each secret, and as many lines as before."""
    from recall_tui.text.secrets.redact import find_secrets

    for _ in range(MAX_REDACTION_ROUNDS):
        found = find_secrets(text)
        if not found:
            break
        for secret in reversed(found):
            lines = "\n" * text.count("\n", secret.start, secret.end)
            text = f"{text[: secret.start]}[redacted:{secret.kind}]{lines}{text[secret.end :]}"
    return text


def content_hash(data: bytes) -> str:
    """What a file's content is known by."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def file_passages(store: Store, source: MarkdownSource, data: bytes) -> list[Passage]:
    """The passages of the file whose content is given, without secrets; none of a wiki page that became another."""
    from recall_tui.index.ingest.markdown_passages import markdown_passages
    from recall_tui.index.ingest.page_heads import complete_heads

    found = markdown_passages(source.path, _searchable_text(source, data), source.kind)
    return complete_heads(store, source, data.decode("utf-8", "surrogateescape"), found)


def _searchable_text(source: MarkdownSource, data: bytes) -> str:
    """What of the file's content is to be found."""
    text = redact_lines(data.decode("utf-8", "surrogateescape"))
    if "<<<<<<<" in text and source.kind != ARCHIVE_KIND:
        from recall_tui.text.merge_conflicts import mark_conflicts

        text = mark_conflicts(text)
    if source.kind in _ANNOTATED_KINDS:
        text = _NOTE.sub("", text)
    return "" if source.kind == "wiki" and split_frontmatter(text)[0].get("redirect_to") else text


def ingest_file(passages: list[Passage], filing: BatchWriter, *, has_body: bool) -> None:
    """Give the passages of a file to the filing, or without its body only what is not said in a conversation."""
    for passage in passages:
        if has_body or not passage.is_turn:
            filing.add(passage)


def _index_file(
    run: IngestContext, memory: str, seen: FileState, was: SourceRecord | None, sessions: frozenset[str]
) -> SourceRecord:
    """Read a file, put its passages in when they are new, and say how it is now."""
    from recall_tui.index.text.batching import BatchWriter
    from recall_tui.index.text.tantivy_documents import SourceFields

    kind = seen.source.kind
    record = SourceRecord(seen.key, seen.document, kind, seen.size, seen.mtime_ns, "", indexed_at=run.now())
    try:
        if seen.source.is_astray:
            raise OSError(errno.ELOOP, "it points outside the memory", str(seen.source.path))
        data = files.read_file(seen.source.path)
        record = record._replace(hash=content_hash(data))
        if was and (was.hash, was.kind) == (record.hash, kind) and _is_indexed(was, sessions, run.forgotten_here.marks):
            return was._replace(size=seen.size, mtime_ns=seen.mtime_ns)
        passages = file_passages(run.store, seen.source, data)
    except (OSError, ValueError, RecursionError) as error:
        run.ledger.writer.remove(seen.key)
        return record._replace(failed=reason_of(error))
    head = passages[0].head if passages else None
    session = head.session_id if head else ""
    if mark := next((one for one in (session, content_digest(data)) if one in run.forgotten_here.marks), ""):
        run.ledger.writer.remove(seen.key)
        return record._replace(session=mark)
    has_body = kind != ARCHIVE_KIND or session not in sessions
    filing = BatchWriter(
        run.ledger.writer,
        SourceFields(seen.key, memory, seen.document, kind),
        recorded_batches(was),
        has_whole=has_body,
    )
    ingest_file(passages, filing, has_body=has_body)
    record = with_batches(record, filing.close())
    run.ledger.count(was, record, filing.written)
    title = schema.clean_text(head.title) if head else ""
    project = head.project if head else ""
    return record._replace(chars=filing.chars, title=title, session=session, project=project, has_body=has_body)
