"""The sessions that a memory can find without their archives: when each was held, and how much was said in it.

What is counted is counted in the index; no transcript is opened.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from recall_tui.index.project_scope import own_projects
from recall_tui.index.sources.markdown import printable
from recall_tui.index.text import schema
from recall_tui.index.text.passage import OFF_CHAIN, SIDECHAIN, TRANSCRIPTS
from recall_tui.text.cut import cut, one_line

if TYPE_CHECKING:
    import tantivy

    from recall_tui.index.opener import Index
    from recall_tui.index.text.reader import PassageReader
    from recall_tui.storage.memory_context import Store

_SAID = ("prompt", "reply")
"""What counts as a message, as it does in archives."""
_ASIDE = (SIDECHAIN, OFF_CHAIN)
_LONGEST_TITLE = 120
MOST = 1_000_000
"""Sessions that are told apart."""


@dataclass(frozen=True, slots=True)
class FiledSession:
    """A session of which something was said that is indexed."""

    session_id: str
    document: str
    """The path of its transcript, or what the index calls it."""
    title: str
    """Its own, else its first prompt."""
    started_at: datetime | None
    ended_at: datetime | None
    """When its first and its last message were said, in UTC; at worst when its transcript was written last."""
    messages: int
    is_gone: bool
    """Its transcript vanished."""


def filed_sessions(index: Index, store: Store, named: Collection[str] = ()) -> list[FiledSession]:
    """The conversations of the memory that were read from transcripts, or from an older tool's database.

    One without a title has that of its archives, its first prompt; the sessions in `named` are called otherwise.
    """
    reader = index.reader()
    if reader is None:
        return []
    with index.facts() as facts:
        known = facts.known(TRANSCRIPTS).values() if facts else ()
    said = _said(reader, own_projects(index, reader, store))
    database = f"{printable(str(store.places.session_index))}/"
    found = []
    for one in known:
        number = schema.number_of(schema.readable(one.session)) if one.session and one.passages else 0
        if number not in said:
            continue
        count, first, last = said[number]
        if last is None and not one.path.startswith(database):
            last = datetime.fromtimestamp(one.mtime_ns // 1_000_000_000, UTC)
        title = one.title or ("" if one.session in named else first_prompt(reader, one.key))
        found.append(FiledSession(one.session, one.path, title, first, last, count, one.is_gone))
    return found


def first_prompt(reader: PassageReader, key: str) -> str:
    """The words that a session began with, on one line."""
    from tantivy import Occur, Query

    aside = [(Occur.MustNot, reader.term("role", role)) for role in _ASIDE]
    parts = [(Occur.Must, reader.term("key", key)), (Occur.Must, reader.term("role", _SAID[0])), *aside]
    place = reader.oldest(Query.boolean_query(parts))
    return cut(one_line(reader.stored(place).body[: 4 * _LONGEST_TITLE]), _LONGEST_TITLE) if place else ""


def _said(
    reader: PassageReader, projects: tuple[str, ...] | None
) -> dict[int, tuple[int, datetime | None, datetime | None]]:
    """By the number of the session, how many messages it has, and when the first and the last were said."""
    ends = {"first": {"min": {"field": "date"}}, "last": {"max": {"field": "date"}}}
    by_session = {"terms": {"field": schema.COUNTED, "size": MOST}, "aggs": ends}
    buckets = reader.summed(_messages(reader, projects), {"sessions": by_session})["sessions"]["buckets"]
    return {int(one["key"]): (int(one["doc_count"]), _moment(one["first"]), _moment(one["last"])) for one in buckets}


def _moment(value: dict[str, float | None]) -> datetime | None:
    seconds = value.get("value")
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _messages(reader: PassageReader, projects: tuple[str, ...] | None) -> tantivy.Query:
    """The query for what the person and the agent said to each other in conversations of these projects; None: all."""
    from tantivy import Occur, Query

    def any_of(field: str, values: tuple[str, ...]) -> Query:
        return Query.boolean_query([(Occur.Should, reader.term(field, value)) for value in values])

    parts = [(Occur.Must, reader.term("memory", TRANSCRIPTS)), (Occur.Must, any_of("role", _SAID))]
    parts.append((Occur.MustNot, any_of("role", _ASIDE)))
    if projects is not None:
        parts.append((Occur.Must, any_of("project", projects)))
    return Query.boolean_query(parts)
