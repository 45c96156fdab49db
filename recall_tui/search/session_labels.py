"""The session of each hit as a person recognizes it: title, project, agent, end and length, from the index alone.

The title is the archive's, else the session's own, else its first request.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from recall_tui.domain import SearchResult, SessionLabel
from recall_tui.domain.documents import SIDE_FILE_KINDS
from recall_tui.index.sources.sessions import first_prompts, session_spans
from recall_tui.index.text import schema
from recall_tui.search import filters as constraint
from recall_tui.text.classify.session_title import is_telling, session_title
from recall_tui.text.dates import duration_text
from recall_tui.text.session_line import project_name

if TYPE_CHECKING:
    from recall_tui.index.opener import Index
    from recall_tui.index.text.passage import DocumentHead
    from recall_tui.index.text.reader import PassageReader

_ARCHIVE_KINDS = ("conversation", "summary")


def with_labels(index: Index, answer: SearchResult) -> SearchResult:
    """The answer with the label of each hit's session, which gives the hit its title; other hits stay as they are."""
    reader = index.reader()
    sessions = {hit.session_id for hit in answer.hits if hit.session_id and hit.kind not in SIDE_FILE_KINDS}
    if reader is None or not sessions:
        return answer
    labels = dict(_labels(reader, sessions))
    hits = (
        hit._replace(label=label, title=label.title or hit.title)
        if hit.kind not in SIDE_FILE_KINDS and (label := labels.get(hit.session_id))
        else hit
        for hit in answer.hits
    )
    return answer._replace(hits=tuple(hits))


def _labels(reader: PassageReader, sessions: Collection[str]) -> Iterator[tuple[str, SessionLabel]]:
    numbers = {session: schema.count_number(schema.clean_text(session)) for session in sessions}
    spans = session_spans(reader, numbers.values())
    for session, number in numbers.items():
        archive = _archive_head(reader, number)
        title = archive.title if archive is not None and is_telling(archive.title) else ""
        first = [] if title and archive is not None and archive.agent else first_prompts(reader, number)
        own = first[0].passage.head if first else archive
        if own is None:
            continue
        title = title or session_title(own.title, (one.body for one in first))
        start, end = spans.get(number, (None, None))
        length = duration_text(start, end) if start != end else ""
        heads: Sequence[DocumentHead] = (own, archive) if archive is not None else (own,)
        project = next((name for head in heads if (name := project_name(head.project))), "")
        agent = next((head.agent for head in heads if head.agent), "")
        yield session, SessionLabel(title, project, agent, end or own.date, length)


def _archive_head(reader: PassageReader, number: int) -> DocumentHead | None:
    kinds = constraint.any_of([reader.term("kind", kind) for kind in _ARCHIVE_KINDS])
    query = constraint.unscored(constraint.all_of([reader.counted(number), kinds]))
    found = reader.top(query, 1)
    return reader.stored(found[0][1]).passage.head if found else None
