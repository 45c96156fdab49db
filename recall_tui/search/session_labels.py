"""The session of each hit as a person recognizes it: title, project, agent, end and length, from the index alone.

The title is the archive's, else the session's own, else its first request.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from recall_tui.domain import Hit, SearchResult, SessionLabel
from recall_tui.domain.documents import SIDE_FILE_KINDS
from recall_tui.errors import RecallError
from recall_tui.index.opener import memory_key
from recall_tui.index.sources.sessions import first_prompts, session_spans
from recall_tui.index.text import schema
from recall_tui.index.text.passage import TRANSCRIPTS_KEY
from recall_tui.search import filters as constraint
from recall_tui.text.classify.session_title import is_telling, session_title
from recall_tui.text.dates import duration_text
from recall_tui.text.session_line import UNTITLED_SESSION, label_archive, project_name

if TYPE_CHECKING:
    from pathlib import Path

    from recall_tui.index.opener import Index
    from recall_tui.index.text.reader import PassageReader
    from recall_tui.index.text.stored_passage import StoredPassage
    from recall_tui.storage.memory_context import Store

_ARCHIVE_KINDS = ("conversation", "summary")
_WITHOUT_TITLE = "without title"
"""The key of sessions whose archives have no title of their own."""


def with_labels(index: Index, store: Store, answer: SearchResult) -> SearchResult:
    """The answer with its hits labelled."""
    return answer._replace(hits=label_hits(index, store, answer.hits))


def label_hits(index: Index, store: Store, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits, each with the label of its session, which gives it its title; other hits stay as they are."""
    hits = tuple(_label_page(store, hit) if hit.kind == "summary" and not hit.session_id else hit for hit in hits)
    reader = index.reader()
    sessions = {hit.session_id for hit in hits if hit.session_id and hit.kind not in SIDE_FILE_KINDS}
    if reader is None or not sessions:
        return hits
    labels = _known_labels(reader, store, sessions)
    return tuple(
        _with_label(hit, label, reader, store)
        if hit.kind not in SIDE_FILE_KINDS and (label := labels.get(hit.session_id))
        else hit
        for hit in hits
    )


def label_transcripts(index: Index, store: Store, paths: Collection[Path]) -> dict[str, SessionLabel]:
    """Map the path of each of these transcripts to the label of its session; those that are not indexed are left out.

    Nothing is brought up to date; empty when the index cannot be read.
    """
    try:
        reader = index.reader()
        with index.facts() as facts:
            wanted = frozenset(map(str, paths))
            each = facts.each(TRANSCRIPTS_KEY) if facts else ()
            sessions = {one.path: one.session for one in each if one.session and one.path in wanted}
        labels = _known_labels(reader, store, set(sessions.values())) if reader else {}
    except RecallError:
        return {}
    return {path: labels[session] for path, session in sessions.items() if session in labels}


def _known_labels(reader: PassageReader, store: Store, sessions: set[str]) -> dict[str, SessionLabel]:
    labels = reader.labels
    if new := sessions - labels.keys():
        labels.update(_labels(reader, store, new))
    return labels


def _with_label(hit: Hit, label: SessionLabel, reader: PassageReader, store: Store) -> Hit:
    """The hit with its label; an archive without a title is called as lists call it, each of several by itself."""
    if hit.kind == "conversation" and (_WITHOUT_TITLE, hit.session_id) in reader.memo:
        from recall_tui.storage.archives.file import read_entry

        if entry := read_entry(store.root / hit.document):
            label = label_archive(entry)
    return hit._replace(label=label, title=label.title or hit.title)


def _label_page(store: Store, hit: Hit) -> Hit:
    """A hit in the page of a session that may be another person's, with the label that the page itself gives."""
    from recall_tui.storage.archives.summary_file import read_head

    entry = read_head(store.root / hit.document)
    if entry is None:
        return hit
    label = label_archive(entry)
    title = label.title if label.title != entry.name else hit.title
    return hit._replace(label=label._replace(title=title, ended_at=label.ended_at or hit.date), title=title)


def _labels(reader: PassageReader, store: Store, sessions: Collection[str]) -> Iterator[tuple[str, SessionLabel]]:
    numbers = {session: schema.count_number(schema.clean_text(session)) for session in sessions}
    spans = session_spans(reader, numbers.values())
    for session, number in numbers.items():
        archive = _archive_passage(reader, store, number)
        told = archive.passage.head if archive is not None else None
        title = told.title if told is not None and is_telling(told.title) else ""
        if archive is not None and not title:
            reader.memo[_WITHOUT_TITLE, session] = archive.document
        first = [] if title and told is not None and told.agent else first_prompts(reader, number)
        own = first[0].passage.head if first else told
        if own is None:
            continue
        start, end = spans.get(number, (None, None))
        length = duration_text(start, end) if start != end else ""
        heads = (own, told) if told is not None else (own,)
        label = SessionLabel(
            title or session_title(own.title, (one.body for one in first), own.branch) or UNTITLED_SESSION,
            next((name for head in heads if (name := project_name(head.project))), ""),
            next((head.agent for head in heads if head.agent), ""),
            end or own.date,
            length,
        )
        yield session, label if archive is None else _with_length(label, store, archive)


def _archive_passage(reader: PassageReader, store: Store, number: int) -> StoredPassage | None:
    """A passage of the archive that this memory has of a session."""
    kinds = constraint.any_of([reader.term("kind", kind) for kind in _ARCHIVE_KINDS])
    query = constraint.unscored(
        constraint.all_of([reader.term("memory", memory_key(store)), reader.counted(number), kinds])
    )
    found = reader.top(query, 1)
    return reader.stored(found[0][1]) if found else None


def _with_length(label: SessionLabel, store: Store, archive: StoredPassage) -> SessionLabel:
    """The label with the length in the archive's head, as lists show it: the times of turns need not cover it."""
    if archive.kind == "summary":
        from recall_tui.storage.archives.summary_file import read_head as read_entry
    else:
        from recall_tui.storage.archives.file import read_entry

    entry = read_entry(store.root / archive.document)
    return label._replace(length=entry.duration) if entry is not None and entry.duration else label
