"""The sessions that a memory can find without their archives: when each was held, and how much was said in it.

What is counted is counted in the index; no transcript is opened.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain.documents import SIDE_FILE_KINDS
from recall_tui.index.project_scope import own_project_keys
from recall_tui.index.text import schema
from recall_tui.index.text.passage import OFF_CHAIN, SIDECHAIN, TRANSCRIPTS_KEY
from recall_tui.index.text.schema import printable_path

if TYPE_CHECKING:
    import tantivy

    from recall_tui.index.opener import Index
    from recall_tui.index.text.reader import PassageReader
    from recall_tui.index.text.stored_passage import StoredPassage
    from recall_tui.storage.memory_context import Store

_MESSAGE_KINDS = ("prompt", "reply")
"""What counts as a message, as it does in archives."""
_SIDE_FLAGS = (SIDECHAIN, OFF_CHAIN)
_FIRST_PROMPTS = 4
"""Prompts that are looked at for the first real request."""
MAX_SESSIONS = 1_000_000
"""Sessions that are told apart."""


class IndexedSession(NamedTuple):
    """A session of which something was said that is indexed."""

    session_id: str
    document: str
    """The path of its transcript, or what the index calls it."""
    title: str
    """Its own, else its first request."""
    started_at: datetime | None
    ended_at: datetime | None
    """When its first and its last message were said, in UTC; at worst when its transcript was written last."""
    messages: int
    is_gone: bool
    """Its transcript vanished."""
    project: str = ""
    agent: str = ""


def indexed_sessions(index: Index, store: Store, named: Collection[str] = ()) -> list[IndexedSession]:
    """The conversations of the memory that were read from transcripts, or from an older tool's database.

    One without a title is called by its first request; the sessions in `named` are called otherwise.
    """
    from recall_tui.text.classify.session_title import session_title
    from recall_tui.text.session_line import project_name

    reader = index.reader()
    if reader is None:
        return []
    with index.facts() as facts:
        known = facts.known(TRANSCRIPTS_KEY).values() if facts else ()
    said = _count_messages(reader, own_project_keys(index, reader, store))
    database = f"{printable_path(str(store.environment.session_index))}/"
    found = []
    for one in known:
        if one.kind in SIDE_FILE_KINDS:
            continue
        number = schema.count_number(schema.clean_text(one.session)) if one.session and one.passages else 0
        if number not in said:
            continue
        count, first, last = said[number]
        if last is None and not one.path.startswith(database):
            last = datetime.fromtimestamp(one.mtime_ns // 1_000_000_000, UTC)
        title, agent = one.title, ""
        if one.session not in named:
            prompts = first_prompts(reader, number)
            branch = prompts[0].passage.head.branch if prompts else ""
            title = session_title(title, (prompt.body for prompt in prompts), branch)
            agent = prompts[0].passage.head.agent if prompts else ""
        project = project_name(one.project)
        found.append(IndexedSession(one.session, one.path, title, first, last, count, one.is_gone, project, agent))
    return found


def first_prompts(reader: PassageReader, number: int) -> list[StoredPassage]:
    """The prompts that a session began with, given the number that its passages are counted with."""
    from tantivy import Occur, Query

    aside = [(Occur.MustNot, reader.term("role", role)) for role in _SIDE_FLAGS]
    parts = [(Occur.Must, reader.counted(number)), (Occur.Must, reader.term("role", _MESSAGE_KINDS[0])), *aside]
    return [reader.stored(place) for place in reader.oldest(Query.boolean_query(parts), _FIRST_PROMPTS)]


def session_spans(
    reader: PassageReader, numbers: Collection[int]
) -> dict[int, tuple[datetime | None, datetime | None]]:
    """When the first and the last message of each session was said, by its number."""
    from tantivy import Occur, Query

    either = Query.boolean_query([(Occur.Should, reader.counted(number)) for number in numbers])
    said = Query.boolean_query([(Occur.Must, either), (Occur.Must, _conversation_query(reader))])
    return {number: (first, last) for number, (_, first, last) in _sum_by_session(reader, said).items()}


def _count_messages(
    reader: PassageReader, projects: tuple[str, ...] | None
) -> dict[int, tuple[int, datetime | None, datetime | None]]:
    """By the number of the session, how many messages it has, and when the first and the last were said."""
    return _sum_by_session(reader, _message_query(reader, projects))


def _sum_by_session(
    reader: PassageReader, query: tantivy.Query
) -> dict[int, tuple[int, datetime | None, datetime | None]]:
    ends = {"first": {"min": {"field": "date"}}, "last": {"max": {"field": "date"}}}
    by_session = {"terms": {"field": schema.COUNT_FIELD, "size": MAX_SESSIONS}, "aggs": ends}
    buckets = reader.summed(query, {"sessions": by_session})["sessions"]["buckets"]
    return {
        int(one["key"]): (int(one["doc_count"]), _parse_time(one["first"]), _parse_time(one["last"])) for one in buckets
    }


def _parse_time(value: dict[str, float | None]) -> datetime | None:
    seconds = value.get("value")
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _message_query(reader: PassageReader, projects: tuple[str, ...] | None) -> tantivy.Query:
    """The query for what the person and the agent said to each other in conversations of these projects; None: all."""
    from tantivy import Occur, Query

    parts = [(Occur.Must, reader.term("memory", TRANSCRIPTS_KEY)), (Occur.Must, _conversation_query(reader))]
    if projects is not None:
        parts.append((Occur.Must, _any_of(reader, "project", projects)))
    return Query.boolean_query(parts)


def _conversation_query(reader: PassageReader) -> tantivy.Query:
    """The query for messages of main conversations."""
    from tantivy import Occur, Query

    said = _any_of(reader, "role", _MESSAGE_KINDS)
    return Query.boolean_query([(Occur.Must, said), (Occur.MustNot, _any_of(reader, "role", _SIDE_FLAGS))])


def _any_of(reader: PassageReader, field: str, values: tuple[str, ...]) -> tantivy.Query:
    from tantivy import Occur, Query

    return Query.boolean_query([(Occur.Should, reader.term(field, value)) for value in values])
