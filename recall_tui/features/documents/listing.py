"""What a memory holds, one row for each document: what it is, of which time, what it is called.

A page of a day, a week or a month is of the time it tells of, whenever its file was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain
from pathlib import Path

from recall_tui.domain import SessionLabel
from recall_tui.domain.documents import DOCUMENT_KINDS, NAMED_KINDS, NOTE_KINDS, SESSION_KINDS
from recall_tui.storage.archives import index_file
from recall_tui.storage.archives.conflicted_copies import find_copies
from recall_tui.storage.archives.file import parse_entry
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.documents import note_files, period_files
from recall_tui.storage.documents.period_page import Period, iso_week, month_containing
from recall_tui.storage.documents.topic_files import list_topics
from recall_tui.storage.documents.wiki_page import INDEX_SLUG
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.files.symlinks import list_documents
from recall_tui.storage.markdown import frontmatter
from recall_tui.storage.markdown.outline import find_title_line, parse_sections
from recall_tui.storage.memory_context import Store
from recall_tui.storage.scopes import list_scopes, scope_layout
from recall_tui.text.cut import one_line, strip_controls
from recall_tui.text.dates import parse_time
from recall_tui.text.secrets.redact import redact
from recall_tui.text.session_line import label_archive

KINDS = tuple(kind.name for kind in DOCUMENT_KINDS if kind.is_listed)
"""The kinds that are listed."""
_KIND_WORDS = {
    **dict.fromkeys(("session", "archive"), SESSION_KINDS),
    **{word: frozenset((kind,)) for word, kind in (("day", "daily"), ("week", "weekly"), ("month", "monthly"))},
}
"""Kinds by the words that the rest of the program has for them."""
_COMMANDS = {kind.name: f"recall-tui {kind.creation_command}" for kind in DOCUMENT_KINDS if kind.creation_command}
_TITLE_KEYS = ("name", "title", "theme")
_MIN_TIME = datetime.min.replace(tzinfo=UTC)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DocumentRow:
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
    label: SessionLabel | None = None
    """How it is recognized when it is a session."""

    def is_within(self, since: datetime | None, until: datetime | None) -> bool:
        """Whether some of its time is; `until` is the first moment that is too late."""
        first, last = self.first or _MIN_TIME, self.last or self.first or _MIN_TIME
        return (since is None or last > since or first >= since) and (until is None or first < until)


def all_documents(store: Store, titles: Mapping[str, str] | None = None) -> tuple[DocumentRow, ...]:
    """Every document, the newest first; `titles` are those of sessions that have no archive, by their ids."""
    rows = (*_list_files(store), *_list_sessions(store, titles or {}))
    return tuple(sorted(rows, key=lambda one: (one.first or _MIN_TIME, one.number or 0), reverse=True))


def count_documents(store: Store) -> dict[str, int]:
    """How many files there are of each kind that is drawn from others, or written day by day."""
    layout = store.layout
    return {
        "dailies": sum(map(len, period_files.list_day_logs(layout).values())),
        "weeklies": len(period_files.list_weeklies(layout)),
        "monthlies": len(period_files.list_monthlies(layout)),
        "typed_memories": len(note_files.typed_memories(layout)),
        "wiki_pages": len(_list_wiki_pages(store)),
        "insights": len(note_files.insight_files(layout)),
        "contradictions": len(note_files.contradiction_files(layout)),
    }


def find_kinds(word: str) -> frozenset[str]:
    """Return the kinds that a word names, in the singular or plural, such as `sessions` or `dailies`; none if it names
    none.
    """
    for name in (word, word.removesuffix("s"), f"{word.removesuffix('ies')}y"):
        if name in KINDS:
            return frozenset((name,))
        if name in _KIND_WORDS:
            return _KIND_WORDS[name]
    return frozenset()


def creation_command(kind: str) -> str:
    """The command that makes the first document of a kind; empty where none does."""
    return _COMMANDS.get(kind, "")


def _list_files(store: Store) -> Iterator[DocumentRow]:
    # Who only counts them need not know how one is read.
    from recall_tui.features.documents.lookup import kind_of, title_of

    layout = store.layout
    spans = {path: (day, day) for day, paths in period_files.list_day_logs(layout).items() for path in paths}
    spans |= {path: _period_days(iso_week(monday)) for monday, path in period_files.list_weeklies(layout).items()}
    spans |= {
        path: _period_days(month_containing(first)) for first, path in period_files.list_monthlies(layout).items()
    }
    fixed = [path for path in layout.fixed_files() if path.is_file()]
    scoped = [path for name in list_scopes(layout) if (path := scope_layout(layout, name).master).is_file()]
    notes = [path for path, _ in note_files.all_notes(layout)]
    for path in dict.fromkeys([*fixed, *scoped, *list_topics(layout), *notes, *_list_wiki_pages(store), *spans]):
        kind = kind_of(layout, path)
        first, last = _day_range(store, spans[path]) if path in spans else _file_range(store, path, kind)
        yield DocumentRow(store.relative(path), title_of(layout, path, kind), kind, first, last, _title(path, kind))


def _title(path: Path, kind: str) -> str:
    """What a page says that it is called, where its file has a name of its own; empty when it does not say so."""
    if kind not in (*NAMED_KINDS, *NOTE_KINDS):
        return ""
    values, body = frontmatter.split_frontmatter(read_text(path))
    said = next((values[key] for key in _TITLE_KEYS if isinstance(values.get(key), str) and values[key]), "")
    if not said:
        outline = parse_sections(body)
        at = find_title_line(outline)
        said = next((section.title for section in outline if section.start == at), "")
    return redact(one_line(strip_controls(str(said))))


def _list_wiki_pages(store: Store) -> list[Path]:
    return [path for path in sorted(list_documents(store.layout, store.layout.wiki)) if path.stem != INDEX_SLUG]


def _period_days(period: Period) -> tuple[date, date]:
    return period.first, period.last


def _day_range(store: Store, days: tuple[date, date]) -> tuple[datetime, datetime]:
    """From the first moment of days to the first one after them, where the person is."""
    zone = store.now().tzinfo
    return datetime.combine(days[0], time(), zone), datetime.combine(days[1] + _DAY, time(), zone)


def _file_range(store: Store, path: Path, kind: str) -> tuple[datetime, datetime]:
    """The day that a page of the wiki or a note says it is of, else when the file was written."""
    changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    said = note_files.note_day(path) if kind in NOTE_KINDS else ""
    if kind == "wiki":
        said = str(frontmatter.split_frontmatter(read_text(path))[0].get("updated") or "")[:10]
    try:
        return _day_range(store, (day := date.fromisoformat(said), day)) if said else (changed, changed)
    except (ValueError, OverflowError):
        return changed, changed


def _list_sessions(store: Store, titles: Mapping[str, str]) -> Iterator[DocumentRow]:
    layout = store.layout
    kind = "conversation" if layout.archives else "summary"
    parts = [scope_layout(layout, name) for name in list_scopes(layout)]
    for entry in chain.from_iterable(ArchiveFolder(one).entries() for one in (layout, *parts)):
        label, at = label_archive(entry), entry.date
        yield DocumentRow(
            store.relative(entry.path), entry.name, kind, at, at, label.title, entry.number, entry.session_id,
            entry.messages, label,
        )  # fmt: skip
    for copy in find_copies(layout) if layout.archives else ():
        held = parse_entry(read_text(copy.path), copy.of)
        if held is not None and copy.is_certain:
            path, title = store.relative(copy.path), f"{held.title} (a second copy of {copy.of.name})"
            at, name, label = held.date, copy.path.stem, label_archive(held)._replace(title=title)
            yield DocumentRow(path, name, kind, at, at, title, held.number, held.session_id, held.messages, label)
    if layout.has_archive_files:
        return
    for row in index_file.parse_rows(read_text(layout.rows)):
        at, title = parse_time(row.date), titles.get(row.session_id) or ", ".join(row.topics)
        label = SessionLabel(title, "", "", at, row.duration)
        yield DocumentRow(
            "", f"{row.number:03d}", "transcript", at, at, title, row.number, row.session_id, row.messages, label
        )
