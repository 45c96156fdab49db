"""What doctor says of the daily backups: one that is damaged, one that is overdue, and files that one could give back.

What the journal knows of is no damage: a file that a change of ours removed or emptied is left alone.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from recall_tui.config import parse_toml
from recall_tui.domain import Problem
from recall_tui.errors import BrokenFileError
from recall_tui.features.setup.init import initial_files
from recall_tui.storage.files.atomic import content_digest, encode, read_bytes
from recall_tui.storage.files.symlinks import link_check
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import backup_ring
from recall_tui.storage.state.backup_record import BackupFile
from recall_tui.storage.state.backup_ring import GRACE_PERIOD, BackupRing, is_unchanged

KIND = "backups"
_MAX_LISTED_FILES = 5
"""Files that are named one by one; of more it is said how many they are."""


def find_problems(store: Store, journal: Journal, *, is_deep: bool = False) -> Iterator[Problem]:
    """What is wrong with the backups, and what of the memory they could mend; when deep, everything is unpacked."""
    ring = BackupRing(store.state)
    yield from _ring_problems(store, ring, journal, is_deep=is_deep)
    found = list(_restorable_files(store, ring, journal))
    for name, what, day in found if len(found) <= _MAX_LISTED_FILES else ():
        words = shlex.join(("recall-tui", "doctor", "--restore", day.isoformat(), name))
        yield Problem("restore", f"{name} {what}; the backup of {day} has it: {words}", store.root / name)
    if len(found) > _MAX_LISTED_FILES:
        day = max(day for _, _, day in found)
        words = f"{len(found)} files are gone or damaged, such as {found[0][0]}; backups have them"
        yield Problem("restore", f"{words}: recall-tui doctor --restore {day}", store.root / found[0][0])


def repair_backups(store: Store, journal: Journal) -> str:
    """Mend what is wrong with the backups themselves; what was done, in words, and empty when nothing was."""
    if not any(_ring_problems(store, BackupRing(store.state), journal, is_deep=True)):
        return ""
    lost = backup_ring.repair(store)
    return f"Repaired the backups; lost: {_label_files(lost)}" if lost else "Repaired the backups"


def _ring_problems(store: Store, ring: BackupRing, journal: Journal, *, is_deep: bool) -> Iterator[Problem]:
    if store.config.whole("backups.days") and (late := _overdue_reason(ring, journal)):
        yield Problem(KIND, late, is_fixable=True)
    for day in ring.days()[:1]:
        try:
            damaged = ring.damaged(ring.read(day), is_deep=is_deep)
            words = f"the backup of {day} cannot give back {_label_files(damaged)}" if damaged else ""
        except BrokenFileError as error:
            words = f"the backup of {day} cannot be read: {error.message}"
        except OSError as error:
            words = f"the backup of {day} cannot be read: {error}"
        if words:
            yield Problem(KIND, words, ring.path_of(day), is_fixable=True)


def _overdue_reason(ring: BackupRing, journal: Journal) -> str:
    """Why there should be a newer backup; empty when there need not be one."""
    changed = {entry.at.date() for entry in journal.each() if entry.by == "person"}
    if not changed:
        return ""
    days = ring.days()
    if max(changed) - (days[0] if days else min(changed)) <= GRACE_PERIOD:
        return ""
    return f"the newest backup is of {days[0]}, and the memory was changed since" if days else "there is no backup yet"


@dataclass(frozen=True, slots=True)
class _DamageCheck:
    """What tells a damaged file."""

    first: dict[Path, bytes]
    """What files hold when nobody has written into them."""

    def harm(self, path: Path, data: bytes | None) -> str:
        """What is wrong with a file, in words; empty when nothing can be seen to be."""
        if data is None:
            return "is gone"
        if not data.strip():
            return "is empty"
        if data == self.first.get(path):
            return "is as it was when the memory was set up"
        return "" if _is_readable(path, data) else "cannot be read"

    def is_sound(self, path: Path, data: bytes) -> bool:
        """Whether there is something in what a backup has of a file."""
        return not self.harm(path, data)


def _restorable_files(store: Store, ring: BackupRing, journal: Journal) -> Iterator[tuple[str, str, date]]:
    """The files that are gone, empty or unreadable, in which way, and the newest day that has them otherwise."""
    layout = store.layout
    eye = _DamageCheck({path: encode(text) for path, text in initial_files(layout).items()})
    own = {layout.rows, layout.window}
    fixed = {*layout.fixed_files(), layout.config} - own
    is_shut = link_check(layout)
    told: set[str] = set()
    made: dict[Path, str] | None = None
    for place, backup in enumerate(ring.whole()):
        for one in backup.files:
            path = store.root / one.path
            # Of what is no fixed file, older days tell only that it was there once.
            if one.path in told or path in own or (place and path not in fixed) or path.is_dir() or is_shut(path):
                continue
            try:
                if path.exists() and is_unchanged(one, backup, path.stat()):
                    continue
                data = read_bytes(path)
            except OSError:
                # Who may not open it, or what stands there in its place, is a question that no backup answers.
                continue
            what = eye.harm(path, data)
            if not what or not _has_sound_copy(ring, one, path, data, eye):
                continue
            told.add(one.path)
            made = journal.last_made() if made is None else made
            # What the template of `init` stands for was made by us, and is a loss none the less.
            is_ours = made.get(path) == ("" if data is None else content_digest(data))
            if not is_ours or (data is not None and data == eye.first.get(path)):
                yield one.path, what, backup.day


def _has_sound_copy(ring: BackupRing, one: BackupFile, path: Path, data: bytes | None, eye: _DamageCheck) -> bool:
    """Whether the backup has something sound of a file that is damaged now."""
    try:
        stored = ring.content(one)
    except (BrokenFileError, OSError):
        return False
    return stored != data and eye.is_sound(path, stored)


def _is_readable(path: Path, data: bytes) -> bool:
    """Whether a file that is text by its name can be read as such."""
    try:
        match path.suffix:
            case ".md":
                return "\0" not in data.decode()
            case ".toml":
                parse_toml(data.decode())
            case ".json":
                json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def _label_files(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more of its files"
