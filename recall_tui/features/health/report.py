"""How a memory is: the one report that status, dashboard, the app and a host program print.

Down means it cannot be used, degraded that something needs a person; both say what and why.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from heapq import nlargest
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.domain import ArchiveEntry, HealthReport, IndexRow, Problem
from recall_tui.environment import shorten_path
from recall_tui.errors import RecallError
from recall_tui.files import account_name
from recall_tui.index.sources.transcripts import source_problems
from recall_tui.storage import trust
from recall_tui.storage.archives import index_file
from recall_tui.storage.archives.folder import ArchiveFolder, list_rows
from recall_tui.storage.documents import memory_file, window_file
from recall_tui.storage.documents.topic_files import list_topics
from recall_tui.storage.files.atomic import decode, read_bytes, read_text
from recall_tui.storage.files.lock import find_shared_type
from recall_tui.storage.files.saved_copies import describe, find_saved
from recall_tui.storage.files.symlinks import list_documents
from recall_tui.storage.journal.commits import Journal, was_interrupted
from recall_tui.storage.memory_context import Store
from recall_tui.storage.project_root import find_work_tree
from recall_tui.storage.scopes import list_scopes, scope_layout
from recall_tui.storage.state import tombstones
from recall_tui.storage.watch_paths import watched_folders
from recall_tui.text.dates import iso_time

if TYPE_CHECKING:
    from recall_tui.index.opener import Index
    from recall_tui.storage.layout import Layout

Coverage = Callable[[], Mapping[str, object]]
_PENDING_FOLDERS = ("sessions", "jobs")
"""State folders of session marks and jobs; their modules are loaded only when one exists."""
MAX_NEWEST_FILES = 200
"""Files that a quick look reads: those that were changed last, for a merge changes what it leaves."""
_OPENING = b"<<<<<<<"
_MIN_TIME = datetime.min.replace(tzinfo=UTC)


def assess_health(store: Store, coverage: Coverage | None = None) -> HealthReport:
    """Judge the memory; `coverage` tells what the search index holds, where a caller has one."""
    layout = store.layout
    if not layout.base.is_dir() and not layout.window.exists() and not layout.memory_file.exists():
        return HealthReport("down", (f"{layout.base} is missing; run: recall-tui init",), {"root": str(store.root)})
    rows = list_rows(layout)
    archives = _archive_details(store, rows)
    reasons: list[str] = []
    facts: dict[str, object] = {
        "root": str(store.root),
        "layout": layout.name,
        "memory": _memory_details(store, reasons),
        "window": _window_details(store, reasons),
        "archives": archives,
        "topics": len(list_topics(layout)),
        "files": _file_details(store),
        "expiring": _expiry_details(store),
        "retained": _retained_details(store),
        "waiting": count_waiting(store),
        "config_warnings": list(store.config.warnings),
        "notes": _health_notes(store, archives),
    }
    _judge_archives(store, rows, archives, reasons)
    if layout.rows.is_file() and layout.rows.stat().st_size > index_file.MAX_ROWS_BYTES:
        reasons.append("ARCHIVE.md is over 16 MB and is not read; see: recall-tui doctor")
    reasons += [describe(store.relative(path)) for path in find_saved(layout)]
    reasons += describe_conflicts(store)
    if others := trust.single_files_of_others(store):
        reasons.append(describe_unused(store, others))
    if was_interrupted(Journal(store.state, store.now, base=layout.base)):
        reasons.append("a change was interrupted; the next change finishes it, or run: recall-tui doctor --fix")
    if words := tombstones.find_obstacle(layout):
        reasons.append(f"{words}, so that no session is archived; see: recall-tui doctor")
    if store.config.warnings:
        reasons.append(f"settings: {store.config.warnings[0]}")
    reasons += source_problems(store)
    if coverage is not None:
        index = dict(coverage())
        facts["index"] = index
        if index.get("trouble"):
            reasons.append(f"{index['trouble']}; run: recall-tui sync")
        if index.get("failed"):
            reasons.append("the search index could not read every file; see: recall-tui index status")
        vectors = index.get("vectors")
        if isinstance(vectors, dict) and vectors.get("advice"):
            reasons.append(str(vectors["advice"]))
    return HealthReport("degraded" if reasons else "healthy", tuple(reasons), facts)


def index_facts(store: Store, index: Index) -> dict[str, object]:
    """Return what the search index holds; `own` counts what the memory's questions are answered from."""
    from dataclasses import asdict

    from recall_tui.features.health import embeddings

    covered, vectors = index.coverage(store), embeddings.coverage_details(store, index)
    own = covered if covered.damage else index.own_totals(store)
    facts = {**asdict(covered), "is_whole": covered.is_whole, "trouble": covered.trouble}
    facts["own"] = {"sources": own.sources, "indexed": own.indexed, "passages": own.passages}
    if progress := index.build_progress():
        facts["progress"] = progress.label(store.now())
    return {**facts, "vectors": vectors} if vectors else facts


def describe_unused(store: Store, found: Sequence[trust.Foreign]) -> str:
    """Words for single files that are another account's."""
    path, owner = found[0]
    more = f" and {len(found) - 1} more belong" if len(found) > 1 else " belongs"
    are = "are" if len(found) > 1 else "is"
    words = f"{store.relative(path)}{more} to another account, {account_name(owner)}, and {are} not used"
    return f"{words}; if all that is that account's is meant for you: {trust.confirming(store)}"


def _memory_details(store: Store, reasons: list[str]) -> dict[str, object]:
    if not store.layout.memory_file.exists():
        reasons.append(f"{store.relative(store.layout.memory_file)} is missing; run: recall-tui init")
    memory = memory_file.read_memory(store)
    budget = memory.budget(store.config)
    if budget.percent > 100:
        reasons.append(f"MEMORY.md is over its budget ({budget.percent} %); run: recall-tui distill")
    elif budget.level == "full":
        reasons.append(f"MEMORY.md is nearly full ({budget.percent} %); run: recall-tui distill")
    # The title is the heading of the whole file, not of a part of it.
    below = [section for section in memory.sections if section.level > 1] or memory.sections
    largest = sorted(below, key=lambda section: -section.lines)[:3]
    return {
        "lines": budget.lines,
        "max_lines": budget.max_lines,
        "bytes": budget.bytes,
        "max_bytes": budget.max_bytes,
        "percent": budget.percent,
        "level": budget.level,
        "sections": len(memory.sections),
        "updated": _written_at(store),
        "largest": [{"title": section.title, "lines": section.lines} for section in largest],
    }


def _window_details(store: Store, reasons: list[str]) -> dict[str, object]:
    design = store.layout.design
    if not store.layout.window.exists() and not design.publishes_summaries:
        reasons.append(f"{store.relative(store.layout.window)} is missing; run: recall-tui doctor --fix")
    window = window_file.display_window(read_text(store.layout.window))
    limit = window_capacity(store, window)
    if len(window.entries) > limit:
        reasons.append(f"EPHEMERAL.md holds {len(window.entries)} of {limit} sessions; run: recall-tui doctor --fix")
    newest = window.entries[-1] if window.entries else None
    return {
        "entries": len(window.entries),
        "max": limit,
        "free_text": bool(window.free_text.strip()),
        "newest": None if newest is None else iso_time(newest.ended_at),
    }


def count_waiting(store: Store) -> dict[str, int]:
    """Count the ended sessions that wait for capture, and the queued jobs."""
    if not any((store.state / folder).is_dir() for folder in _PENDING_FOLDERS):
        return {"sessions": 0, "jobs": 0}
    from recall_tui.storage.state import job_queue, live_sessions

    sessions = sum(mark.state != "live" for mark in live_sessions.list_all(store.state))
    return {"sessions": sessions, "jobs": len(job_queue.list_all(store.state))}


def window_capacity(store: Store, window: window_file.Window) -> int:
    """Return how many sessions the window holds at most: one where it is the last session's summary."""
    is_one = store.layout.design.window_is_one_summary and not window.is_entries
    return 1 if is_one else store.config.whole("ephemeral.max_entries")


def _archive_details(store: Store, rows: tuple[IndexRow, ...]) -> dict[str, object]:
    if not store.layout.archives:
        newest_at = max((row.date for row in rows if row.date), default=None)
        return {"count": len(rows), "bytes": 0, "newest": None, "newest_at": newest_at, "oldest_at": _oldest(rows)}
    folder = ArchiveFolder(store.layout)
    newest = folder.newest()
    return {
        "count": folder.count(),
        "bytes": folder.size(),
        "newest": newest.name if newest else None,
        "newest_at": iso_time(newest.date) if newest and newest.date else None,
        "oldest_at": _oldest(rows),
    }


def _written_at(store: Store) -> str | None:
    """When MEMORY.md was written last, in the person's time."""
    try:
        seconds = store.layout.memory_file.stat().st_mtime
    except OSError:
        return None
    return iso_time(datetime.fromtimestamp(seconds, store.now().tzinfo))


def _oldest(rows: Sequence[IndexRow]) -> str | None:
    """The date of the oldest session, as ARCHIVE.md has it."""
    return min((row.date for row in rows if row.date), default=None)


def _judge_archives(store: Store, rows: tuple[IndexRow, ...], archives: dict[str, object], reasons: list[str]) -> None:
    place = store.layout.archives[0].folder if store.layout.archives else None
    if place is not None and not archives["count"] and not place.is_dir():
        if place.exists():
            reasons.append(f"{store.relative(place)} is not a folder: move it away, then run: recall-tui init")
        else:
            reasons.append(f"{store.relative(place)}/ is missing; run: recall-tui init")
    listed, count = len({row.number for row in rows}), archives["count"]
    if place is not None and listed != count:
        parts = f"{listed} row{'s' * (listed != 1)} for {count} archive{'s' * (count != 1)}"
        reasons.append(f"ARCHIVE.md has {parts}; run: recall-tui doctor --fix")


def _health_notes(store: Store, archives: dict[str, object]) -> list[str]:
    """What a person may want to know and that is no fault."""
    notes: list[str] = []
    if kind := find_shared_type(store.layout.base):
        notes.append(
            f"the memory is on {kind}, where a lock may hold off no other machine; what two of them change at once is "
            "kept, if need be as a file called .saved-1"
        )
    if store.layout.design.summaries_are_archives and archives["count"]:
        from recall_tui.features.summaries.continued_sessions import continued_note

        notes += filter(None, (continued_note(store),))
    newest = _optional_time(archives["newest_at"])
    if newest is not None and (store.now() - newest).days > memory_file.FRESH_WITHIN_DAYS:
        from recall_tui.text.session_line import session_date

        notes.append(f"the last archived session is of {session_date(newest, store.now())}")
    return notes


def _expiry_details(store: Store) -> dict[str, object]:
    """How many sessions the agent deletes soon, and how many of them are archived, kept as a copy, or neither."""
    from recall_tui.features.capture.expiry import WARNING_DAYS, expiry_report

    try:
        soon = expiry_report(store).soon
    except (RecallError, OSError):
        return {}
    archived = sum(one.archive is not None or one.is_elsewhere for one in soon)
    kept = sum(one.is_held for one in soon) - archived
    return {"within_days": WARNING_DAYS, "sessions": len(soon), "archived": archived, "kept": kept}


def _retained_details(store: Store) -> dict[str, object]:
    """How many copies of transcripts are kept for all memories together, and how long this one keeps its own."""
    from recall_tui.storage.archives import retained

    sizes = [path.stat().st_size for path in retained.list_all(store.environment.kept)]
    return {"copies": len(sizes), "bytes": sum(sizes), "days": store.config.get("keep.days")}


def _file_details(store: Store) -> dict[str, object]:
    """How many files of each kind stand beside the archives, and whether there is wisdom."""
    from recall_tui.features.documents.listing import count_documents

    return {**count_documents(store), "wisdom": store.layout.wisdom.is_file()}


def _optional_time(value: object) -> datetime | None:
    from recall_tui.text.dates import parse_time

    return parse_time(value) if isinstance(value, str) else None


def recent_archives(store: Store, limit: int = 5) -> tuple[ArchiveEntry, ...]:
    """The newest archives, newest first."""
    entries = ArchiveFolder(store.layout).entries()
    return tuple(sorted(entries, key=lambda entry: (entry.date or _MIN_TIME, entry.number), reverse=True)[:limit])


def describe_conflicts(store: Store) -> list[str]:
    """Return a sentence for each file of those changed last that git left a conflict in, with its first line."""
    paths = nlargest(MAX_NEWEST_FILES, _documents(store.layout), key=_changed_at)
    return [words for _, words in _find_conflicts(store, sorted(paths))]


def conflict_problems(store: Store) -> Iterator[Problem]:
    """Yield a problem for each file that git left a conflict in."""
    for path, words in _find_conflicts(store, sorted(_documents(store.layout))):
        yield Problem("conflict", words, path)


def _find_conflicts(store: Store, paths: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    for path in paths:
        data: bytes | None = None
        with contextlib.suppress(OSError):
            data = read_bytes(path)
        if data is None or _OPENING not in data:
            continue
        from recall_tui.text.merge_conflicts import find_conflicts

        if found := find_conflicts(decode(data)):
            more = f", and {len(found) - 1} more below" if len(found) > 1 else ""
            yield path, f"{store.relative(path)}:{found[0][0]} holds a conflict of git{more}; settle it in the file"


def _documents(layout: Layout) -> set[Path]:
    """The documents that git may merge; an archive holds what was said, conflicts of code too."""
    layouts = [layout, *(scope_layout(layout, name) for name in list_scopes(layout))]
    archives = {place.folder for place in layout.archives}
    folders = {folder for one in layouts for folder in (*watched_folders(one), one.wiki)} - archives
    found = {path for folder in folders for path in list_documents(layout, folder)}
    return found | {path for one in layouts for path in one.fixed_files() if path.is_file()}


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def describe_sharing(store: Store) -> str:
    """Who else reads and writes a memory of a team or from elsewhere; empty for one of the person's own."""
    home = store.environment.home
    around = find_work_tree(store.root, store.environment)
    base = shorten_path(store.layout.base, home)
    origin = ""
    if trust.is_foreign(store):
        origin = f"came with the repository {shorten_path(around.top, home)}" if around else "came from elsewhere"
    if around and store.layout.design.publishes_summaries:
        came = f"{origin}: it is" if origin else "is"
        return f"{base} {came} a team's memory, which everyone with the repository reads and may change"
    return f"{base} {origin}, and others may have written what it says" if origin else ""
