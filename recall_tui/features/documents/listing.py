"""What a memory holds, one row for each document: what it is, of which time, what it is called.

A page of a day, a week or a month is of the time it tells of, whenever its file was written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from recall_tui.features.documents.lookup import kind_of, title_of
from recall_tui.storage.archives import index_file as archive_index
from recall_tui.storage.archives.conflicted_copies import find_copies
from recall_tui.storage.archives.file import entry_of
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.documents import note_files
from recall_tui.storage.documents import period_files as dated_pages
from recall_tui.storage.documents.period_page import Period, month_of, week_of
from recall_tui.storage.documents.topic_files import list_topics
from recall_tui.storage.documents.wiki_page import INDEX
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.files.symlinks import documents
from recall_tui.storage.markdown import frontmatter
from recall_tui.storage.memory_context import Store
from recall_tui.storage.scopes import layout_of, scopes_of
from recall_tui.text.dates import parse_time

KINDS = (
    *("conversation", "summary", "transcript", "memory", "topic", "window", "index", "daily", "weekly", "monthly"),
    *("wisdom", "dreams", "identity", "master", "wiki", *note_files.KINDS),
)
"""What a document may be."""
_HOW: dict[str, str] = {
    "daily": 'recall-tui log "…"',
    "weekly": "recall-tui compact weekly",
    "monthly": "recall-tui compact monthly",
    "wisdom": "recall-tui compact wisdom",
    "dreams": "recall-tui dream",
    "wiki": "recall-tui wiki stub SLUG --category CATEGORY",
    "conversation": "recall-tui archive --all-unarchived",
    "transcript": "recall-tui archive --all-unarchived",
    "summary": "recall-tui summarize",
    "master": "recall-tui synthesize",
}
_NO_TIME = datetime.min.replace(tzinfo=UTC)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Listed:
    """One document."""

    path: str
    """Relative to the root; empty for a session that is kept as a transcript alone."""
    name: str
    kind: str
    first: datetime | None
    """The first moment of the time it is of."""
    last: datetime | None
    """The first moment after that time, or the same moment."""
    title: str = ""
    number: int | None = None
    session_id: str | None = None
    messages: int | None = None

    def is_within(self, since: datetime | None, until: datetime | None) -> bool:
        """Whether some of its time is; `until` is the first moment that is too late."""
        first, last = self.first or _NO_TIME, self.last or self.first or _NO_TIME
        return (since is None or last > since or first >= since) and (until is None or first < until)


def listed(store: Store) -> tuple[Listed, ...]:
    """Every document, the newest first."""
    rows = (*_documents(store), *_sessions(store))
    return tuple(sorted(rows, key=lambda one: (one.first or _NO_TIME, one.number or 0), reverse=True))


def counts(store: Store) -> dict[str, int]:
    """How many files there are of each kind that is drawn from others, or written day by day."""
    layout = store.layout
    return {
        "dailies": sum(map(len, dated_pages.day_logs(layout).values())),
        "weeklies": len(dated_pages.weeklies(layout)),
        "monthlies": len(dated_pages.monthlies(layout)),
        "typed_memories": len(note_files.typed(layout)),
        "wiki_pages": len(_wiki_pages(store)),
        "insights": len(note_files.insights(layout)),
        "contradictions": len(note_files.contradictions(layout)),
    }


def how_it_comes(kind: str) -> str:
    """The command that makes the first document of a kind; empty where none does."""
    return _HOW.get(kind, "")


def _documents(store: Store) -> Iterator[Listed]:
    layout = store.layout
    spans = {path: (day, day) for day, paths in dated_pages.day_logs(layout).items() for path in paths}
    spans |= {path: _ends(week_of(monday)) for monday, path in dated_pages.weeklies(layout).items()}
    spans |= {path: _ends(month_of(first)) for first, path in dated_pages.monthlies(layout).items()}
    fixed = [path for path in layout.fixed_files() if path.is_file()]
    scoped = [path for name in scopes_of(layout) if (path := layout_of(layout, name).master).is_file()]
    notes = [path for path, _ in note_files.notes(layout)]
    for path in dict.fromkeys([*fixed, *scoped, *list_topics(layout), *notes, *_wiki_pages(store), *spans]):
        kind = kind_of(layout, path)
        first, last = _of_days(store, spans[path]) if path in spans else _of_file(store, path, kind)
        yield Listed(store.relative(path), title_of(layout, path, kind), kind, first, last)


def _wiki_pages(store: Store) -> list[Path]:
    return [path for path in sorted(documents(store.layout, store.layout.wiki)) if path.stem != INDEX]


def _ends(period: Period) -> tuple[date, date]:
    return period.first, period.last


def _of_days(store: Store, days: tuple[date, date]) -> tuple[datetime, datetime]:
    """From the first moment of days to the first one after them, where the person is."""
    zone = store.now().tzinfo
    return datetime.combine(days[0], time(), zone), datetime.combine(days[1] + _DAY, time(), zone)


def _of_file(store: Store, path: Path, kind: str) -> tuple[datetime, datetime]:
    """The day that a page of the wiki or a note says it is of, else when the file was written."""
    changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    said = note_files.day_of(path) if kind in note_files.KINDS else ""
    if kind == "wiki":
        said = str(frontmatter.split(read_text(path))[0].get("updated") or "")[:10]
    try:
        return _of_days(store, (day := date.fromisoformat(said), day)) if said else (changed, changed)
    except (ValueError, OverflowError):
        return changed, changed


def _sessions(store: Store) -> Iterator[Listed]:
    layout = store.layout
    kind = "conversation" if layout.archives else "summary"
    for entry in ArchiveFolder(layout).entries():
        path, title = store.relative(entry.path), entry.title or ", ".join(entry.topics)
        yield Listed(
            path, entry.name, kind, entry.date, entry.date, title, entry.number, entry.session_id, entry.messages
        )
    for copy in find_copies(layout) if layout.archives else ():
        held = entry_of(read_text(copy.path), copy.of)
        if held is not None and copy.is_certain:
            path, title = store.relative(copy.path), f"{held.title} (a second copy of {copy.of.name})"
            at, name = held.date, copy.path.stem
            yield Listed(path, name, kind, at, at, title, held.number, held.session_id, held.messages)
    if layout.archives or layout.summaries is not None:
        return
    for row in archive_index.parse(read_text(layout.rows)):
        at, topics = parse_time(row.date), ", ".join(row.topics)
        yield Listed("", f"{row.number:03d}", "transcript", at, at, topics, row.number, row.session_id, row.messages)
