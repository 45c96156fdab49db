"""Restoring files from a daily backup: what a day's files were, beside what they are now, and the change back to it.

Only what the day had is touched, and no content comes back that is not exactly what was backed up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import TypedDict

from recall_tui.domain import Create, Edit, Plan, Replace
from recall_tui.environment import Environment
from recall_tui.errors import BrokenFileError, ConflictError, NotFoundError, UsageError
from recall_tui.features.erasure.tombstones_elsewhere import expect_none_in_backups
from recall_tui.storage.files.atomic import file_digest
from recall_tui.storage.git_exclusion import beforehand
from recall_tui.storage.inventory import points_outside
from recall_tui.storage.layout import LAYOUT_NAMES, LocatedMemory, detect_layout, open_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import tombstones
from recall_tui.storage.state.backup_record import Backup, BackupFile, is_inside
from recall_tui.storage.state.backup_ring import BackupRing

_LIST_HINT = "see: recall-tui doctor --restore"
_DAY_NAMES = {"today": 0, "yesterday": 1}
NEWEST = "newest"


@dataclass(frozen=True, slots=True)
class BackupComparison:
    """A backup, and what became of its files since; of one that cannot be read only the day is known."""

    day: date
    backup: Backup | None
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    """Files that it cannot give back."""


def compare_backups(store: Store) -> Iterator[BackupComparison]:
    """Every backup beside the memory as it is now, newest first."""
    ring, now = BackupRing(store.state), dict[str, str | None]()
    for day in ring.days():
        try:
            backup = ring.read(day)
        except (BrokenFileError, OSError):
            yield BackupComparison(day, None)
            continue
        for one in backup.files:
            if one.path not in now:
                now[one.path] = _current_digest(store.root / one.path)
        changed = tuple(one.path for one in backup.files if now[one.path] not in ("", one.digest))
        missing = tuple(one.path for one in backup.files if now[one.path] == "")
        yield BackupComparison(day, backup, changed, missing, ring.damaged(backup))


class UnrestoredFile(TypedDict):
    """A file that is left as it is, and why."""

    path: str
    reason: str


class RestoreFacts(TypedDict):
    """Facts of a plan that restores files of a day."""

    day: str
    restored: list[str]
    same: int
    left: list[UnrestoredFile]


def restore(store: Store, day: date, names: Sequence[str] = ()) -> Plan[RestoreFacts]:
    """The change that gives files back what they were on a day: all of that day's, or those named.

    A name is a path below the root, that of a folder, or a file's own. What came since stays. The facts say what is
    `restored`, the `same`, and `left` with the reason; NotFoundError for a day or a name that there is no backup of.
    """
    if tombstones.read_tombstones(store.state).open:
        raise ConflictError("something was forgotten and is not cleared yet", hint="run: recall-tui doctor --fix")
    expect_none_in_backups(store)
    ring = BackupRing(store.state)
    backup = ring.read(day)
    edits: list[Edit] = []
    left: list[tuple[str, str]] = []
    same = 0
    for one in _select_files(backup, names):
        path = store.root / one.path
        if reason := _obstacle(store, one):
            left.append((one.path, reason))
        elif (current := _current_digest(path)) is None:
            left.append((one.path, "what is there now cannot be read"))
        elif current == one.digest:
            same += 1
        else:
            try:
                text = ring.content(one).decode("utf-8", "surrogateescape")
            except (BrokenFileError, OSError):
                left.append((one.path, "its backup is damaged; take it from another day"))
                continue
            made = Create(path, text, is_private=one.is_private)
            edits.append(Replace(path, current, text, is_exact=True) if current else made)
    return _build_plan(store, backup, tuple(edits), left, same)


def parse_day(store: Store, words: str) -> date:
    """The day that a person names: `2026-03-06`, `newest`, `yesterday`, `today`; UsageError for what is none.

    Restoring is a change, before which the memory is backed up: what is the newest has to be asked first.
    """
    if words == NEWEST:
        days = BackupRing(store.state).days()
        if not days:
            raise NotFoundError("there is no backup yet", hint="one is made with the first change of a day")
        return days[0]
    if words in _DAY_NAMES:
        return store.now().date() - timedelta(days=_DAY_NAMES[words])
    try:
        return date.fromisoformat(words)
    except ValueError:
        raise UsageError(f"{words!r} is no day", hint=f"such as 2026-03-06, yesterday, newest; {_LIST_HINT}") from None


def find_in_backups(environment: Environment, folder: Path | None) -> LocatedMemory | None:
    """The memory that was at `folder`, or nearest from here upward, and of which there are backups.

    Its layout is the one that it was backed up with, also where its settings, which say it, are gone. None where there
    is none, and where a memory without backups is nearer.
    """
    for place in (folder,) if folder is not None else (environment.cwd, *environment.cwd.parents):
        place = place.absolute()
        if place.name in ("memory", "_memory") and not BackupRing(environment.of_memory(place)).days():
            place = place.parent
        backup = next(BackupRing(environment.of_memory(place)).whole(), None)
        if backup and backup.layout in LAYOUT_NAMES:
            return LocatedMemory(open_layout(place, backup.layout, environment.home), "its backups")
        if detect_layout(place):
            return None
    return None


def _select_files(backup: Backup, names: Collection[str]) -> Iterator[BackupFile]:
    wanted = {name.rstrip("/").removeprefix("./") for name in names}
    known: set[str] = set()
    for one in backup.files:
        parts = one.path.split("/")
        ways = {"/".join(parts[:count]) for count in range(1, len(parts) + 1)} | {parts[-1]}
        if not wanted or ways & wanted:
            known |= ways & wanted
            yield one
    if unknown := sorted(wanted - known):
        raise NotFoundError(f"the backup of {backup.day} has no file {unknown[0]}", hint=_LIST_HINT)


def _obstacle(store: Store, one: BackupFile) -> str:
    """Why a file cannot come back where it was; empty when it can."""
    path = store.root / one.path
    if not is_inside(one.path) or points_outside(store.layout, path):
        return "links there point outside the memory"
    if path.is_dir():
        return "a folder is there now"
    if any(above.exists() and not above.is_dir() for above in path.parents):
        return "a file is there now where its folder was"
    return ""


def _current_digest(path: Path) -> str | None:
    """The digest of the file as it is now; empty where there is none, None where what is there cannot be read."""
    try:
        return file_digest(path)
    except IsADirectoryError:
        return ""
    except OSError:
        return None


def _build_plan(
    store: Store, backup: Backup, edits: tuple[Edit, ...], left: list[tuple[str, str]], same: int
) -> Plan[RestoreFacts]:
    restored = [store.relative(edit.path) for edit in edits]
    count = len(restored)
    title = f"Restored {count} file{'s' * (count != 1)} of {backup.day}" if count else f"all is as on {backup.day}"
    if not count and left:
        title = f"nothing of {backup.day} can be restored"
    notes = [f"{path} is left as it is: {reason}" for path, reason in left]
    if {store.layout.rows, store.layout.window} & {edit.path for edit in edits}:
        notes.append(
            "rows and recent sessions are those of that day; later ones are restored by: recall-tui doctor --fix"
        )
    facts: RestoreFacts = {
        "day": backup.day.isoformat(),
        "restored": restored,
        "same": same,
        "left": [{"path": path, "reason": reason} for path, reason in left],
    }
    is_made = bool(edits) and not store.layout.base.exists()
    return Plan(title, (*edits, *(beforehand(store) if is_made else ())), tuple(notes), facts)
