"""Replaced files that another program had open, until nobody can write into them any more.

They lie in a hidden folder of the memory, each with a record of its content; the folder has its own `.gitignore` and
exists only while it holds such files. Later writes by the other program are merged by lines into the current file.
Where that is impossible, or little of the file's old content is left, they become a visible file beside it. Records
store only hashes of the lines.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from recall_tui.domain import Create, Edit, Plan, Replace
from recall_tui.storage.files import atomic, lock
from recall_tui.storage.files.compare_and_swap import DisplacedFile, saved_name

QUIET_SECONDS = 600.0
"""Time after which nobody is assumed to write into a file, where the system cannot tell."""
_PAUSE_SECONDS = 1.0
"""Time without a write after which added text counts, though more may follow."""
_REWRITE_QUIET_SECONDS = 10.0
"""The same for a rewritten file, where the system cannot tell whether the write is complete."""
_GITIGNORE_TEXT = b"*\n"
_OWN_NAMES = frozenset((".gitignore",))

ReplacedState = Literal["gone", "unchanged", "waits", "grows", "changed"]


@dataclass(frozen=True, slots=True)
class ReplacedFile:
    """A replaced file and its content at that time."""

    record: Path
    path: Path
    target: Path
    marks: tuple[str, ...]
    """Hashes of its lines."""
    at: float
    """Time of the first look or of the last merge into the memory, in seconds since 1970."""

    def look(self) -> tuple[ReplacedState, str]:
        """Return the file's state, and its text if that changed.

        `grows` and `changed` are to be merged into the memory; a file that `grows` may grow further.
        """
        try:
            status = self.path.lstat()
        except OSError:
            return "gone", ""
        if not stat.S_ISREG(status.st_mode):
            return "gone", ""
        is_written = lock.is_open_for_writing(self.path)
        text = atomic.read_text(self.path)
        marks = line_hashes(text)
        if marks == self.marks:
            is_quiet = is_written is None and abs(time.time() - self.at) >= QUIET_SECONDS
            return ("unchanged" if is_written is False or is_quiet else "waits"), ""
        if is_written is False:
            return "changed", text
        seconds = abs(time.time() - status.st_mtime)
        is_longer = text.endswith("\n") and marks[: len(self.marks) - 1] == self.marks[:-1]
        enough = _PAUSE_SECONDS if is_longer else QUIET_SECONDS if is_written else _REWRITE_QUIET_SECONDS
        return ("grows" if seconds >= enough else "waits"), text

    def plan(self, text: str) -> Plan:
        """Plan to merge the other program's text into the current file, or to save it beside that."""
        name = self.target.name
        current = atomic.read_bytes(self.target)
        now = atomic.decode(current or b"")
        if current is not None and 2 * len(line_hashes(text)) >= len(self.marks):
            merged = merge_hashed(self.marks, now, text)
            if merged is not None and is_readable(self.target, merged):
                edits = (Replace(self.target, atomic.content_digest(current), merged),) if merged != now else ()
                return Plan(f"Brought in what another program wrote into {name}", edits)
        left = _new_lines(self.marks, now, text) if self.target.suffix == ".md" or current is None else text
        if not left.strip():
            return Plan(f"nothing new in {name}")
        kept = saved_name(self.target)
        is_private = current is None or not self.target.stat().st_mode & 0o077
        made: Edit = Create(kept, left, is_private=is_private)
        return Plan(f"Kept what another program wrote into {name} as {kept.name}", (made,))

    def drop(self) -> None:
        """Delete the file and its record."""
        for path in (self.path, self.record):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
        _remove_if_empty(self.record.parent)

    def note(self, text: str) -> None:
        """Record this text, which was merged into the memory, as the new base."""
        with contextlib.suppress(OSError):
            _write_record(self.record, self.path, self.target, text)


def retain(found: Iterable[DisplacedFile], own: Path | None, state: Path) -> None:
    """Take in displaced files: those of the memory into its own folder, others into the state's."""
    for one in found:
        for folder in (own, state):
            if folder is not None and (folder == state or _belongs_to(folder, one.target)):
                with contextlib.suppress(OSError):
                    _retain_one(one, folder)
                    break


def list_pending(own: Path | None, state: Path) -> Iterator[ReplacedFile]:
    """Yield the replaced files in the two folders; skip those that are unreadable or name a file outside the memory.

    The memory, and so the content of its folder, is untrusted.
    """
    for folder in (own, state):
        for name in _names(folder):
            one = _read(folder / name) if folder and name.endswith(".json") else None
            if one and (folder == state or (folder == one.path.parent and _belongs_to(folder, one.target))):
                yield one


def _belongs_to(folder: Path, target: Path) -> bool:
    base = folder.parent
    is_near = target.is_relative_to(base) or (target.parent == base.parent and target.suffix == ".md")
    return is_near and ".." not in target.parts and not any(one.is_symlink() for one in (target, folder))


def line_hashes(text: str) -> tuple[str, ...]:
    """Hash each line of a text; the lines cannot be read back."""
    from recall_tui.environment import sha256

    return tuple(sha256(atomic.encode(line))[:16] for line in text.split("\n"))


def merge_hashed(marks: Sequence[str], ours: str, theirs: str) -> str | None:
    """Merge two texts whose common base is known only by its line hashes; None when they conflict."""
    from recall_tui.text.three_way import merge

    lines: dict[str, str] = {}
    for text in (theirs, ours):
        lines |= dict(zip(line_hashes(text), text.split("\n"), strict=True))
    merged = merge("\n".join(marks), "\n".join(line_hashes(ours)), "\n".join(line_hashes(theirs)))
    return "\n".join(lines[mark] for mark in merged.text.split("\n")) if merged.is_whole else None


def _new_lines(marks: Sequence[str], ours: str, theirs: str) -> str:
    known = {*marks, *line_hashes(ours)}
    return "".join(
        f"{line}\n" for line, mark in zip(theirs.split("\n"), line_hashes(theirs), strict=True) if mark not in known
    )


def is_readable(target: Path, text: str) -> bool:
    """Return whether a merged JSON or TOML file can still be parsed; True for other files."""
    if target.suffix not in (".json", ".toml"):
        return True
    try:
        if target.suffix == ".json":
            json.loads(text)
        else:
            import tomllib

            tomllib.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _retain_one(one: DisplacedFile, folder: Path) -> None:
    if not folder.is_dir():
        folder.mkdir(atomic.PRIVATE_FOLDER)
        atomic.write_file(folder / ".gitignore", _GITIGNORE_TEXT)
    name = os.urandom(8).hex()
    record, path = folder / f"{name}.json", folder / f"{name}.old"
    is_here = one.path.stat().st_dev == folder.stat().st_dev
    # Write the record first: a file without one is a leftover.
    _write_record(record, path if is_here else one.path, one.target, atomic.decode(one.text))
    if is_here:
        one.path.rename(path)


def _write_record(record: Path, path: Path, target: Path, text: str) -> None:
    told = {"path": os.fspath(path), "target": os.fspath(target), "marks": line_hashes(text), "at": time.time()}
    atomic.write_file(record, json.dumps(told).encode())


def _read(record: Path) -> ReplacedFile | None:
    try:
        row: dict[str, Any] = json.loads(atomic.read_bytes(record) or b"")
        marks = tuple(map(str, row["marks"]))
        return ReplacedFile(record, Path(row["path"]), Path(row["target"]), marks, float(row["at"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _names(folder: Path | None) -> list[str]:
    try:
        return [] if folder is None or folder.is_symlink() else sorted(path.name for path in folder.iterdir())
    except OSError:
        return []


def _remove_if_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        if set(_names(folder)) <= _OWN_NAMES:
            for name in _OWN_NAMES:
                (folder / name).unlink(missing_ok=True)
            folder.rmdir()
