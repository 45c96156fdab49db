"""What a master is made of, read: summaries, or what stands for them in a layout, and the documents in `_docs/`.

One that cannot be read is named with its file and line, and the others are read all the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from recall_tui import files
from recall_tui.domain import ArchiveEntry
from recall_tui.features.summaries.synthesis_state import summary_paths
from recall_tui.storage.archives import file as archive_file
from recall_tui.storage.archives import summary_file
from recall_tui.storage.archives.folder import ArchiveFolder, read_rows
from recall_tui.storage.documents import day_logs, period_files, window_file
from recall_tui.storage.documents.conflicts import conflict_note
from recall_tui.storage.documents.master_file import MasterSource, clean_id, text_hash
from recall_tui.storage.documents.window_blocks import UNKNOWN_TIME
from recall_tui.storage.files import atomic
from recall_tui.storage.files.symlinks import DOCS_FOLDER
from recall_tui.storage.inventory import DOCUMENT_SUFFIXES
from recall_tui.storage.markdown.quoting import FenceTracker
from recall_tui.storage.memory_context import Store
from recall_tui.text.cut import one_line, shorten
from recall_tui.text.markup import strip_markers

_PLAN_NAME = re.compile(r"(?:plan|outline|todo|roadmap|agenda|goals?|notes?)\b", re.IGNORECASE)
_MAX_DOCUMENTS = 200
_MAX_BYTES = 256 << 10
_ID_LENGTHS = (8, 13, 18, 23)
"""Characters of a session's id that name it, as many as tell it from the others; else all of them."""
_TICKED = re.compile(r"\s*[-*+] \[[xX]\] ")
"""An item of a plan that is done, and says nothing of what is ahead."""
_BULLET = re.compile(r"(\s*)(?:[-*+]|\d{1,3}[.)])\s+(.*)")
_LABEL = re.compile(r"(?:\*\*|\[)?([A-Za-z][^:;,.()*`\[\]]{1,40}?)(?::\*\*|\*\*:|\]:?|:)\s+(.+)")
_FILES_TITLE = "related files/artifacts"
_DAY = re.compile(r"\b20\d\d-[01]\d-[0-3]\d\b")
_DATE_SEARCH_CHARS = 1_500
"""Characters at the start of a summary in which its date is looked for."""


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """What one session left."""

    name: str
    """Its file's name without its ending; by it the master knows it."""
    source: MasterSource
    hash: str
    when: str
    """When the session ended, so that texts sort; empty when nothing tells."""
    title: str
    context: str
    points: tuple[tuple[str, str], ...]
    """Labelled tracking points; the label may be empty."""
    text: str
    """What a person reads of it."""
    session_id: str = ""
    is_extract: bool = False
    """It is drawn from the session's own words, and nobody told it."""
    files: tuple[str, ...] = ()
    """Files that the session worked on."""


@dataclass(frozen=True, slots=True)
class ProjectDocument:
    """A document of the project."""

    name: str
    """Its path from the project's folder."""
    hash: str
    title: str
    line: str
    """The first words below the title."""
    headings: tuple[str, ...]

    @property
    def source(self) -> MasterSource:
        """It as a source."""
        return MasterSource(clean_id(self.name))


class UnreadableSource(NamedTuple):
    """A source that cannot be read."""

    path: Path
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.reason}"


class Summaries(NamedTuple):
    """Every summary that there is."""

    found: tuple[SessionSummary, ...]
    """The earliest first."""
    broken: tuple[UnreadableSource, ...]
    there: frozenset[str]
    """The names of all, those that cannot be read among them."""


def load_summaries(store: Store) -> Summaries:
    """The summaries of layout project; elsewhere what the archives, or window and lessons, tell of sessions."""
    if store.layout.summaries is None:
        found = list(_archive_summaries(store) if store.layout.archives else _window_summaries(store))
        # A session that has left the window is there still: its row says so.
        rows = () if store.layout.archives else read_rows(store.layout.rows)
        return Summaries(
            _shorten_ids(found), (), frozenset((*(one.name for one in found), *(row.session_id for row in rows)))
        )
    paths = summary_paths(store.layout, store.layout.summaries)
    read = [_load_summary(path) for path in paths]
    found = [one for one in read if isinstance(one, SessionSummary)]
    broken = tuple(one for one in read if isinstance(one, UnreadableSource))
    return Summaries(_shorten_ids(found), broken, frozenset(path.stem for path in paths))


def pending_summaries(store: Store, page: str, entry: ArchiveEntry, line: str) -> Summaries:
    """The summary that is about to be written, as it will be read: its page, or what stands for it in other layouts.

    `line` is what the window tells of the session.
    """
    one = parse_page(page, entry.path)
    if isinstance(one, UnreadableSource):
        return Summaries((), (one,), frozenset())
    if not store.layout.design.summaries_are_archives:
        # Nothing is known yet of the file of an archive without a hash: an empty one is any.
        held = text_hash(f"{entry.session_id} {entry.content_hash}") if entry.content_hash else ""
        is_file = bool(store.layout.archives)
        name, hashed = (entry.name, held) if is_file else (entry.session_id, text_hash(one_line(line)))
        one = replace(one, name=name, source=MasterSource(name), hash=hashed, session_id=entry.session_id)
    return Summaries(_shorten_ids((one,)), (), frozenset((one.name,)))


def load_documents(folder: Path, *, is_code: bool) -> tuple[tuple[ProjectDocument, ...], tuple[UnreadableSource, ...]]:
    """The documents in `_docs/`, and where there is no code the plans and outlines in the project's folder."""
    found: list[ProjectDocument] = []
    broken: list[UnreadableSource] = []
    for path in _document_paths(folder, is_code=is_code):
        one = _load_document(folder, path)
        found += [one] if isinstance(one, ProjectDocument) else []
        broken += [one] if isinstance(one, UnreadableSource) else []
    return tuple(found), tuple(broken)


def _load_summary(path: Path) -> SessionSummary | UnreadableSource:
    try:
        data = files.read_file(path)
        text = data.decode("utf-8")
    except OSError as error:
        return UnreadableSource(path, 1, _error_reason(error))
    except UnicodeDecodeError as error:
        return UnreadableSource(path, data.count(b"\n", 0, error.start) + 1, "it is not UTF-8")
    return parse_page(text, path)


def parse_page(text: str, path: Path) -> SessionSummary | UnreadableSource:
    """The summary that the file holds, or is about to hold."""
    if not text.strip():
        return UnreadableSource(path, 1, "it is empty")
    if note := conflict_note("summary", text):
        return UnreadableSource(path, 1, note)
    entry = summary_file.parse_entry(text, path)
    words = summary_file.readable_text(text)
    points = tuple(parse_points(summary_file.section_lines(text, "tracking points")))
    points = tuple(one for one in points if not summary_file.is_placeholder(*one))
    context = summary_file.parse_context(text)
    if not points and not context:
        return UnreadableSource(path, 1, "it has neither `## Context` nor `## Tracking Points`")
    when = _summary_time(entry, words) or (
        _utc_iso(datetime.fromtimestamp(path.stat().st_mtime, UTC)) if path.exists() else ""
    )
    from recall_tui.features.capture.provenance import author_of

    title = entry.title if entry else path.stem
    is_extract = entry is not None and summary_file.is_ours_unedited(text) and not author_of(entry)
    files = tuple(found[2] for line in summary_file.section_lines(text, _FILES_TITLE) if (found := _BULLET.match(line)))
    return SessionSummary(
        path.stem,
        MasterSource(path.stem),
        text_hash(words),
        when,
        title,
        context,
        points,
        words,
        is_extract=is_extract,
        files=files,
    )


def _archive_summaries(store: Store) -> Iterator[SessionSummary]:
    from recall_tui.features.capture.provenance import author_of

    for entry in ArchiveFolder(store.layout).entries():
        text = atomic.read_text(entry.path)
        tags = archive_file.parse_tags(text)
        context = archive_file.read_summary(text)
        points = [("Decision", one) for one in tags.decisions] + [("Next step", one) for one in tags.actions]
        points += archive_file.head_digest(text).points
        held = entry.content_hash or str(entry.path.stat().st_size)
        shown = "\n".join([f"# {entry.title}", context, *(f"- {label}: {words}" for label, words in points)])
        hashed = text_hash(f"{entry.session_id} {held}")
        when = _summary_time(entry, "")
        yield SessionSummary(
            entry.name,
            MasterSource(entry.name),
            hashed,
            when,
            entry.title,
            context,
            tuple(points),
            shown,
            entry.session_id,
            not author_of(entry),
            tags.files,
        )


def _window_summaries(store: Store) -> Iterator[SessionSummary]:
    """What the window tells of each session, with the lessons that the day logs hold of it."""
    lessons = _day_lessons(store) if store.layout.design.writes_lessons else {}
    for held in window_file.parse_window(atomic.read_text(store.layout.window)).entries:
        when = "" if held.ended_at == UNKNOWN_TIME else _utc_iso(held.ended_at)
        learned = lessons.pop(held.session_id, ("", ()))[1]
        yield _lesson_summary(held.session_id, when, held.summary, learned)
    for session, (day, learned) in lessons.items():
        yield _lesson_summary(session, day, "", learned)


def _lesson_summary(session: str, when: str, context: str, learned: Collection[str]) -> SessionSummary:
    shown = "\n".join((context, *(f"- {one}" for one in learned))).strip()
    points = tuple(point for one in learned for point in _split_label("", [one]))
    return SessionSummary(session, MasterSource(session), text_hash(shown), when, "", context, points, shown)


def _day_lessons(store: Store) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The lessons of each session, with the day of the first."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for day, paths in sorted(period_files.list_day_logs(store.layout).items()):
        for block in (block for path in paths for block in day_logs.parse_log(atomic.read_text(path)).blocks):
            first, learned = found.get(block.session_id, (day.isoformat(), ()))
            found[block.session_id] = (first, tuple(dict.fromkeys((*learned, *block.lessons))))
    return found


def parse_points(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The labelled points of a list; what is indented below one belongs to it, and a heading labels those below it."""
    heading = ""
    held: list[str] = []
    fence = FenceTracker()
    for line in lines:
        if fence.holds(line):
            continue
        bullet = _BULLET.fullmatch(line.rstrip())
        if line.startswith("###"):
            yield from _split_label(heading, held)
            heading, held = _singular_label(line.lstrip("# ").rstrip(": \n")), []
        elif bullet and len(bullet[1]) < 2:
            yield from _split_label(heading, held)
            held = [bullet[2]]
        elif line.strip() and held:
            held.append(bullet[2] if bullet else line.strip())
    yield from _split_label(heading, held)


def _split_label(heading: str, parts: list[str]) -> Iterator[tuple[str, str]]:
    if not parts:
        return
    words = one_line("; ".join(part.rstrip(";.") if at + 1 < len(parts) else part for at, part in enumerate(parts)))
    found = _LABEL.fullmatch(words)
    yield (found[1].strip(), found[2].strip()) if found else (heading, words)


def _singular_label(label: str) -> str:
    return label[:-1] if label.endswith("s") and not label.endswith(("ss", "us")) else label


def _shorten_ids(found: Collection[SessionSummary]) -> tuple[SessionSummary, ...]:
    """The summaries in order of time, each named by as much of its id as tells it from the others."""
    ids = [clean_id(one.name) for one in found]
    named = []
    for one, own in zip(found, ids, strict=True):
        is_uuid = len(own) == 36 and own.count("-") == 4
        short = (own[:size] for size in _ID_LENGTHS if is_uuid)
        id = next((text for text in short if sum(other.startswith(text) for other in ids) == 1), own)
        named.append(replace(one, source=MasterSource(id, one.when[:10])))
    return tuple(sorted(named, key=lambda one: (one.when, one.name)))


def _summary_time(entry: ArchiveEntry | None, text: str) -> str:
    moment = (entry.ended_at or entry.date) if entry else None
    if moment is not None:
        return _utc_iso(moment)
    found = _DAY.search(text[:_DATE_SEARCH_CHARS])
    return found[0] if found else ""


def _utc_iso(moment: datetime) -> str:
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).isoformat(timespec="seconds")


def _document_paths(folder: Path, *, is_code: bool) -> list[Path]:
    found: list[Path] = []
    below, root = folder / DOCS_FOLDER, folder.resolve()
    if below.is_dir() and below.resolve().is_relative_to(root):
        every = (path for path in below.rglob("*") if not any(part.startswith(".") for part in path.parts[-3:]))
        found += sorted(path for path in every if path.suffix.lower() in DOCUMENT_SUFFIXES and path.is_file())
    if not is_code and folder.is_dir():
        named = (
            path
            for path in folder.iterdir()
            if path.suffix.lower() in DOCUMENT_SUFFIXES and _PLAN_NAME.search(path.stem)
        )
        found += sorted(path for path in named if path.is_file() and not path.name.startswith("."))
    return [path for path in found[:_MAX_DOCUMENTS] if path.resolve().is_relative_to(root)]


def _error_reason(error: OSError) -> str:
    words = error.strerror or "it cannot be read"
    return words[:1].lower() + words[1:]


def _load_document(folder: Path, path: Path) -> ProjectDocument | UnreadableSource | None:
    try:
        with files.open_file(path, beneath=folder) as file:
            data = file.read(_MAX_BYTES)
        text = data.decode("utf-8")
    except OSError as error:
        return UnreadableSource(path, 1, _error_reason(error))
    except UnicodeDecodeError as error:
        if len(data) == _MAX_BYTES and error.start > _MAX_BYTES - 4:
            text = data[: error.start].decode("utf-8")
        else:
            return UnreadableSource(path, data.count(b"\n", 0, error.start) + 1, "it is not UTF-8")
    if not text.strip():
        return None
    headings: list[str] = []
    line = done = ""
    fence = FenceTracker()
    for one in text.splitlines():
        if fence.holds(one) or not one.strip() or one.startswith(("<!--", "---")):
            continue
        if one.startswith("#"):
            headings.append(shorten(one_line(one.lstrip("#")), 80))
        elif not done and _TICKED.match(one):
            done = shorten(strip_markers(one_line(one)), 200)
        elif not (line or _TICKED.match(one)):
            line = shorten(strip_markers(one_line(one)), 200)
    title = headings[0] if headings else path.stem
    return ProjectDocument(
        path.relative_to(folder).as_posix(), text_hash(text), title, line or done, tuple(headings[1:])
    )
