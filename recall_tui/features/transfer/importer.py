"""Into a memory: what `export` wrote as JSON, a log of a day, or another Markdown document as a topic file.

What is there stays unless it was asked for, a second import of the same finds nothing to do, and a file that names a
place where no memory keeps anything brings in nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from recall_tui.domain import ArchiveEntry, Create, Plan, Replace
from recall_tui.errors import BrokenFileError, RecallError, UsageError
from recall_tui.features.transfer import bundle as parcels
from recall_tui.features.transfer.archives import MAX_ARCHIVE_NUMBER, ImportedArchives, archive_numbers
from recall_tui.features.transfer.bundle import BundledMemory, BundledSearch
from recall_tui.features.transfer.export_items import transcript_messages
from recall_tui.features.transfer.merge import ImportMerge
from recall_tui.storage.archives import index_file
from recall_tui.storage.archives.file import parse_number
from recall_tui.storage.documents.period_files import is_day_log
from recall_tui.storage.documents.topic_files import MAX_NAME_CHARS, is_topic, topic_name
from recall_tui.storage.files.atomic import content_digest, file_digest
from recall_tui.storage.files.symlinks import INSTRUCTION_FILES
from recall_tui.storage.git_exclusion import beforehand
from recall_tui.storage.inventory import ExcludedFile, points_outside, resolve_name
from recall_tui.storage.layout import Layout
from recall_tui.storage.markdown import frontmatter
from recall_tui.storage.memory_context import Store
from recall_tui.text.cut import one_line
from recall_tui.text.dates import duration_text, parse_time

_MARKDOWN_SUFFIXES = (".md", ".markdown", ".txt")
_HTML_SUFFIXES = (".html", ".htm")
MAX_DAY_LOGS = 99
"""Logs of one day that an import makes."""


@dataclass(frozen=True, slots=True)
class ImportFile:
    """A file that is to be taken in, as it was read."""

    path: Path
    parcel: parcels.BundledMemory | parcels.BundledItems | None
    """None for a Markdown document."""
    text: str = ""
    """Of a Markdown document."""

    @property
    def layout(self) -> str:
        """The layout of the memory that it is a whole one of; else empty."""
        return self.parcel.layout if isinstance(self.parcel, BundledMemory) else ""


def load_import(path: Path) -> ImportFile:
    """Read the file and check all of it; BrokenFileError with the place in it, UsageError for what is not taken in."""
    suffix = path.suffix.lower()
    if suffix in _HTML_SUFFIXES:
        raise UsageError(f"{path}: a page is not read back", hint="export as JSON to import it elsewhere")
    data = parcels.read_file_bytes(path)
    if suffix in _MARKDOWN_SUFFIXES:
        try:
            return ImportFile(path, None, data.decode("utf-8"))
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise BrokenFileError(f"{path}:{line}: it is not UTF-8", hint="save it as UTF-8") from None
    parcel = parcels.load_bundle(path)
    if isinstance(parcel, BundledSearch):
        raise UsageError(f"{path} contains search hits for reading", hint="export the documents themselves")
    return ImportFile(path, parcel)


class ImportFacts(TypedDict):
    """Facts of a plan that takes in an export; paths are relative to the root."""

    added: list[str]
    replaced: list[str]
    same: int
    conflicts: list[str]
    """Files that differ here and are left as they are."""
    renumbered: dict[str, str]
    left_out: list[dict[str, str]]
    masked: int
    """Secrets that were masked on the way in."""


def import_bundle(store: Store, incoming: ImportFile, *, takes_theirs: bool = False) -> Plan[ImportFacts]:
    """The change that brings in what the memory lacks; with `takes_theirs` also what it has otherwise.

    The facts say what is `added`, `replaced`, `same`, in `conflicts` (left as it is), `renumbered` and `left_out`.
    """
    merge = ImportMerge(store, takes_theirs)
    match incoming.parcel:
        case None:
            if (path := _find_day_place(merge, incoming.path, incoming.text)) is not None:
                merge.put(path, incoming.text)
            else:
                _import_topic(merge, incoming.path.stem, incoming.text)
        case BundledMemory():
            _import_memory(merge, incoming.path, incoming.parcel)
        case _:
            _import_items(merge, incoming.path, incoming.parcel)
    return _build_plan(merge, incoming)


def find_unverified(plan: Plan) -> tuple[Path, ...]:
    """The files of an import that do not read back as they were to be written."""
    made = ((edit.path, edit.text) for edit in plan.edits if isinstance(edit, Create | Replace))
    return tuple(path for path, text in made if file_digest(path) != content_digest(text))


def _import_memory(merge: ImportMerge, source: Path, memory: BundledMemory) -> None:
    layout = merge.store.layout
    if memory.layout != layout.name:
        raise UsageError(
            f"{source} is a memory of layout {memory.layout}, this one is of layout {layout.name}",
            hint="take it into a folder of its own: recall-tui --root FOLDER import FILE",
        )
    files = dict(_locate_files(layout, source, memory))
    numbered = {path for path in files if _is_archive(layout, path)}
    numbers = archive_numbers(path.name for path in numbered)
    if layout.rows in files:
        numbers += [row.number for row in index_file.parse_rows(files[layout.rows].words)]
    _check_numbers(source, numbers)
    arrivals = ImportedArchives(merge.store, merge, numbers)
    rows = files.pop(layout.rows, None)
    for path, file in files.items():
        if path in numbered:
            arrivals.put_archive(path, file.words, file.masked, is_of_memory=True)
        elif path.parent == layout.summaries and path.suffix == ".md":
            arrivals.put_summary(path, file.words, file.masked)
        else:
            words = merge.window_without(file.words) if path == layout.window else file.words
            merge.put(path, words, file.masked)
    _import_rows(merge, arrivals, rows)


def _check_numbers(source: Path, numbers: Iterable[int]) -> None:
    """BrokenFileError for a number so high that those after it would fit no archive's name."""
    if (highest := max(numbers, default=0)) > MAX_ARCHIVE_NUMBER:
        raise BrokenFileError(f"{source}: {highest} is no archive's number", hint="nothing was imported")


def _is_archive(layout: Layout, path: Path) -> bool:
    places = (place for place in layout.archives if place.folder == path.parent)
    return parse_number(path.name) is not None and any(path.name.startswith(f"{one.prefix}-") for one in places)


def _locate_files(layout: Layout, source: Path, memory: BundledMemory) -> Iterator[tuple[Path, parcels.BundledFile]]:
    """Every file at its place; BrokenFileError for one that has none, before anything is brought in."""
    seen: set[Path] = set()
    for at, file in enumerate(memory.files):
        where = f"{source}: files[{at}].path ({file.path!r})"
        try:
            path = resolve_name(layout, file.path)
        except ValueError as error:
            raise BrokenFileError(f"{where}: {error}", hint="nothing was imported") from None
        if path in seen or any(above in seen for above in path.parents):
            raise BrokenFileError(f"{where}: the file appears twice, or inside another", hint="nothing was imported")
        if points_outside(layout, path):
            raise BrokenFileError(f"{where}: links there point outside the memory", hint="nothing was imported")
        seen.add(path)
        yield path, file


def _import_items(merge: ImportMerge, source: Path, items: parcels.BundledItems) -> None:
    layout = merge.store.layout
    arrivals = ImportedArchives(merge.store, merge, ())
    for item in items.items:
        if isinstance(item, parcels.BundledDocument):
            _import_document(merge, arrivals, item)
        elif not layout.has_archive_files:
            merge.left_out.append(ExcludedFile(item.path, f"layout {layout.name} keeps no archives"))
        else:
            _import_session(arrivals, layout, source, item)
    _import_rows(merge, arrivals, None)


def _import_session(arrivals: ImportedArchives, layout: Layout, source: Path, session: parcels.BundledSession) -> None:
    number = parse_number(session.archive)
    _check_numbers(source, (number or 0,))
    if number is not None and layout.archives:
        arrivals.put_archive(arrivals.path_of(number), session.words, session.masked)
        return
    started, ended = parse_time(session.started_at or ""), parse_time(session.ended_at or "")
    said = [one.kind for one in transcript_messages(session.words) if not one.is_sidechain]
    entry = ArchiveEntry(
        number=0,
        path=Path(),
        session_id=one_line(session.session_id),
        date=ended,
        messages=said.count("prompt") + said.count("reply"),
        duration=duration_text(started, ended),
        source="import",
        topics=session.topics,
        title=one_line(session.title),
        started_at=started,
        ended_at=ended,
        project=session.project,
        branch=session.branch,
        model=session.model,
        agent=session.agent,
    )
    title, _, body = session.words.partition("\n\n")
    arrivals.made_archive(entry, session.summary, body if title.startswith("# ") else session.words)


def _import_document(merge: ImportMerge, arrivals: ImportedArchives, document: parcels.BundledDocument) -> None:
    """A document at the place that this layout has for its kind."""
    layout = merge.store.layout
    name = document.path.rpartition("/")[2]
    fixed = {
        "memory": layout.memory_file,
        "window": layout.window,
        "wisdom": layout.wisdom,
        "dreams": layout.dreams,
        "identity": layout.identity,
        "master": layout.master,
    }
    folders = {
        "weekly": layout.weekly,
        "monthly": layout.monthly,
        "wiki": layout.wiki,
        "daily": layout.days,
        "summary": layout.summaries,
    }
    folder = folders.get(document.kind)
    if not document.is_whole:
        merge.left_out.append(ExcludedFile(document.path, "it is only a part of the document"))
    elif document.kind in ("index", "config"):
        merge.left_out.append(ExcludedFile(document.path, "it goes along with a whole memory only"))
    elif document.kind in fixed:
        words = merge.window_without(document.words) if document.kind == "window" else document.words
        merge.put(fixed[document.kind], words, document.masked)
    elif document.kind == "summary" and folder is None:
        merge.left_out.append(ExcludedFile(document.path, f"layout {layout.name} keeps no summaries of sessions"))
    elif folder is not None and (path := _document_path(layout, f"{merge.store.relative(folder)}/{name}")):
        put = arrivals.put_summary if folder == layout.summaries else merge.put
        put(path, document.words, document.masked)
    elif document.kind == "file" and (path := _document_path(layout, document.path)):
        merge.put(path, document.words, document.masked)
    elif document.kind == "topic" and is_topic(name) and len(name) <= MAX_NAME_CHARS:
        merge.put(layout.topics / name, document.words, document.masked)
    else:
        _import_topic(merge, name.removesuffix(".md"), document.words, document.masked)


def _document_path(layout: Layout, name: str) -> Path | None:
    """Where a document of that name goes, when this memory has a place for it."""
    try:
        return resolve_name(layout, name)
    except ValueError:
        return None


def _import_topic(merge: ImportMerge, title: str, text: str, masked: int = 0) -> None:
    """A document as a topic file, whose name is made of its own and is a fixed file's never."""
    merge.put(merge.store.layout.topics / topic_name(title, INSTRUCTION_FILES), text, masked)


def _find_day_place(merge: ImportMerge, source: Path, text: str) -> Path | None:
    """Return the place of another machine's log of a day: its own file beside those that are there; None for others."""
    if not is_day_log(source.name) or frontmatter.split_frontmatter(text)[0].get("type", "daily") != "daily":
        return None
    days, clean = merge.store.layout.days, merge.cleaned(text)
    names = (source.name, *(f"{source.stem}-{count}.md" for count in range(2, MAX_DAY_LOGS + 1)))
    places = (days / name for name in names)
    return next((path for path in places if not path.exists() or merge.is_same(path, clean, 0)), None)


def _import_rows(merge: ImportMerge, arrivals: ImportedArchives, theirs: parcels.BundledFile | None) -> None:
    text = arrivals.rows(theirs.words if theirs else None)
    if text is not None:
        merge.put(merge.store.layout.rows, text, theirs.masked if theirs else 0, is_ours=True)
    elif theirs and merge.is_same(merge.store.layout.rows, theirs.words, theirs.masked):
        merge.same += 1


def _build_plan(merge: ImportMerge, incoming: ImportFile) -> Plan[ImportFacts]:
    name = incoming.path.name
    count = len(merge.added) + len(merge.replaced)
    title = f"Imported {count} file{'s' * (count != 1)} from {name}" if count else f"nothing new in {name}"
    notes = [f"{path} differs here and is left unchanged" for path in merge.conflicts]
    notes += [f"{old} came as {new}: its number was taken" for old, new in merge.renumbered.items()]
    notes += [f"{one.path} is left out: {one.reason}" for one in merge.left_out]
    if merge.masked:
        notes.append(f"{merge.masked} secret{'s' * (merge.masked != 1)} masked on the way in")
    if merge.left_out and not (count or merge.same or merge.conflicts):
        raise RecallError(f"nothing of {name} can be imported: {merge.left_out[0].reason}")
    facts: ImportFacts = {
        "added": merge.added,
        "replaced": merge.replaced,
        "same": merge.same,
        "conflicts": merge.conflicts,
        "renumbered": merge.renumbered,
        "left_out": [{"path": one.path, "reason": one.reason} for one in merge.left_out],
        "masked": merge.masked,
    }
    is_made = bool(merge.edits) and not merge.store.layout.base.exists()
    return Plan(title, (*merge.edits, *(beforehand(merge.store) if is_made else ())), tuple(notes), facts)
