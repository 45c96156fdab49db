"""The sessions that a memory knows of, with when each was held; heads, rows and the index tell, no archive is read.

A session that is archived is told of by its archives alone; each of the others by what the index has of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.domain import ArchiveEntry, IndexRow, SessionLabel
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.memory_context import Store
from recall_tui.text.cut import one_line
from recall_tui.text.dates import duration_text, local_time, parse_day_word, parse_time, valid_day
from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.session_line import UNTITLED_SESSION, label_archive

if TYPE_CHECKING:
    from recall_tui.index.opener import Index
    from recall_tui.index.sources.sessions import IndexedSession

_DATE = lazy_pattern(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class PastSession:
    """A session, or of one that was archived in stretches one of them."""

    reference: str
    """By what its document is found."""
    title: str
    day: date | None
    """The day on which it ended, where the person is; None when nothing tells."""
    ended_at: datetime | None
    """In the person's time; None when no more than the day is known."""
    started_at: datetime | None
    messages: int
    duration: str
    session_id: str = ""
    number: int = 0
    """The archive's number; 0 for a session that is not archived."""
    is_gone: bool = False
    """Neither archive nor transcript is there any more."""
    project: str = ""
    agent: str = ""

    @property
    def label(self) -> SessionLabel:
        """How it is recognized."""
        ended = self.ended_at or (datetime.combine(self.day, time(), UTC) if self.day else None)
        return SessionLabel(self.title, self.project, self.agent, ended, self.duration)

    @property
    def identity(self) -> str:
        """The same for all stretches of a session."""
        return self.session_id or self.reference


def archived_sessions(store: Store, folder: ArchiveFolder, zone: tzinfo | None) -> Iterator[tuple[int, PastSession]]:
    """The session of every archive that can be read, with the archive's number."""
    root = store.root.resolve()
    is_inside: dict[Path, bool] = {}
    for entry in folder.entries():
        place = entry.path.parent
        if place not in is_inside:
            is_inside[place] = place.resolve().is_relative_to(root)
        yield entry.number, _entry_session(entry, str(entry.path) if is_inside[place] else entry.name, zone)


def _entry_session(entry: ArchiveEntry, reference: str, zone: tzinfo | None) -> PastSession:
    ended, label = _local_time(entry.ended_at or entry.date, zone), label_archive(entry)
    return PastSession(
        reference,
        label.title,
        _day_of(ended),
        ended,
        _local_time(entry.started_at, zone),
        entry.messages,
        entry.duration,
        one_line(entry.session_id),
        entry.number,
        project=label.project,
        agent=label.agent,
    )


def day_called(store: Store, name: str) -> date | None:
    """The day that a person names by its date, or counts back to as in `3d`; None for any other name."""
    name = name.strip().removesuffix(".md")
    try:
        return parse_day_word(name, store.now()) or (date.fromisoformat(name) if _DATE.fullmatch(name) else None)
    except ValueError:
        return None


def sessions_on_day(store: Store, index: Index, day: date) -> tuple[PastSession, ...]:
    """The sessions of which some was held on a day, though they end on another; each once, the earliest first."""
    from recall_tui.index.sources.sessions import indexed_sessions

    zone = store.now().tzinfo
    archived = [one for _, one in archived_sessions(store, ArchiveFolder(store.layout), zone)]
    known = {one.session_id for one in archived}
    others = (one for one in indexed_sessions(index, store, known) if one.session_id not in known)
    held: dict[str, PastSession] = {}
    for one in (*archived, *transcript_sessions(tuple(others), zone)):
        if one.day is not None and (one.started_at.date() if one.started_at else one.day) <= day <= one.day:
            held[one.identity] = one
    return tuple(sorted(held.values(), key=lambda one: (str(one.started_at or one.day), one.identity)))


def fill_missing_day(
    session: PastSession, rows: Mapping[int, IndexRow], filed: Mapping[str, IndexedSession], zone: tzinfo | None
) -> PastSession:
    """The session of an archive whose head tells no day, with that of its transcript, else of its row."""
    if session.day is not None:
        return session
    known, row = filed.get(session.session_id), rows.get(session.number)
    ended = _local_time(known.ended_at, zone) if known else None
    return replace(session, day=_day_of(ended) or (_row_day(row.date) if row else None), ended_at=ended)


def row_sessions(
    rows: Sequence[IndexRow], read: Collection[int], filed: Mapping[str, IndexedSession], zone: tzinfo | None
) -> Iterator[PastSession]:
    """The sessions of the rows whose archive is not among those that were `read`; the index may know their hour."""
    for row in rows:
        if row.number in read:
            continue
        known = filed.get(row.session_id)
        ended = _local_time(known.ended_at, zone) if known else None
        yield PastSession(
            row.session_id or str(row.number),
            (known.title if known else "") or ", ".join(row.topics) or row.trigger or f"{row.number:03d}",
            _day_of(ended) or _row_day(row.date),
            ended,
            _local_time(known.started_at, zone) if known else None,
            row.messages,
            row.duration,
            row.session_id,
            row.number,
            project=known.project if known else "",
            agent=known.agent if known else "",
        )


def transcript_sessions(filed: Sequence[IndexedSession], zone: tzinfo | None) -> Iterator[PastSession]:
    """The sessions that only the index knows."""
    for one in filed:
        ended = _local_time(one.ended_at, zone)
        yield PastSession(
            one.session_id if one.is_gone else one.document,
            one.title or UNTITLED_SESSION,
            _day_of(ended),
            ended,
            _local_time(one.started_at, zone),
            one.messages,
            duration_text(one.started_at, one.ended_at),
            one.session_id,
            is_gone=one.is_gone,
            project=one.project,
            agent=one.agent,
        )


def _local_time(moment: datetime | None, zone: tzinfo | None) -> datetime | None:
    return local_time(moment, zone) if moment is not None else None


def _day_of(moment: datetime | None) -> date | None:
    return valid_day(moment.date()) if moment is not None else None


def _row_day(text: str) -> date | None:
    """The day that a row says, as it stands there."""
    moment = parse_time(text)
    return valid_day(moment.date()) if moment is not None else None
