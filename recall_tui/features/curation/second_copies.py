"""Second copies of a file that wait beside it for a person, as proposals of the kind `copy`.

They are found anew at each look: what another program wrote and could not be brought in, what undo kept, and what a
sync service left. Nothing is stored of them but that a person dismissed one, by what it holds: when it is written
anew, it waits again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from recall_tui.domain import ArchiveEntry
from recall_tui.features.health.copy_problems import needs_person, plan_merge
from recall_tui.storage.archives.conflicted_copies import ConflictedCopy, find_copies
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.files.atomic import content_digest, file_digest, read_text
from recall_tui.storage.files.saved_copies import find_saved, original_path
from recall_tui.storage.files.symlinks import is_file, link_check
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import DocumentChange, Proposal, change_of_edit

KIND = "copy"
_SAVED_REASON = "It was kept because another program, or an undone change, had other lines for {of}."
_SYNC_REASON = "A sync service left it when two machines changed {of}."
_GIT_REASON = "Git left it when it merged {of}."
_MERGE_HINT = (
    "Accepting brings its lines into {of} and removes the copy; dismissing keeps the copy and has it wait no more."
)
_MANUAL_HINT = "Take what you need into {of}, then remove the copy; dismissing keeps it and has it wait no more."


@dataclass(frozen=True, slots=True)
class SecondCopy:
    """A copy, and what would become of it."""

    path: Path
    of: Path
    """The file that it is a copy of, which may be gone."""
    own_lines: int
    """Its lines that do not stand in that file; blank ones do not count."""
    is_by_hand: bool
    """It cannot be brought in by lines, as one of settings."""
    proposal: Proposal


def find_second_copies(store: Store) -> tuple[SecondCopy, ...]:
    """The copies in the memory's folders; what cannot be read is told by doctor."""
    found = tuple(_copy_paths(store))
    archives = ArchiveFolder(store.layout).entries() if found else ()
    made: dict[Path, SecondCopy] = {}
    for copy, why in found:
        with suppress(OSError):
            made.setdefault(copy.path, _build_copy(store, copy, why, archives))
    return tuple(made.values())


def _copy_paths(store: Store) -> Iterator[tuple[ConflictedCopy, str]]:
    is_shut = link_check(store.layout)
    for path in find_saved(store.layout):
        if is_file(path) and not path.is_symlink() and not is_shut(path):
            yield ConflictedCopy(path, original_path(path)), _SAVED_REASON
    for copy in find_copies(store.layout):
        if copy.is_leftover or copy.is_certain:
            yield copy, _GIT_REASON if copy.is_leftover else _SYNC_REASON


def _build_copy(store: Store, copy: ConflictedCopy, why: str, archives: tuple[ArchiveEntry, ...]) -> SecondCopy:
    text, own, of = read_text(copy.path), read_text(copy.of), copy.of.name
    there = set(map(str.strip, own.splitlines()))
    lines = sum(bool(line.strip()) and line.strip() not in there for line in text.splitlines())
    is_by_hand = needs_person(store, copy)
    if is_by_hand:
        changes: tuple[DocumentChange, ...] = (DocumentChange(store.relative(copy.of), text, file_digest(copy.of)),)
    else:
        edits = plan_merge(store, (copy,), archives).edits
        changes = tuple(change_of_edit(store, edit) for edit in edits)
    name = store.relative(copy.path)
    made = Proposal(
        KIND,
        name,
        f"{name} has {_count_own_lines(lines)} not in {of}",
        f"{why} {_MANUAL_HINT if is_by_hand else _MERGE_HINT}".format(of=of),
        changes,
        made_at=datetime.fromtimestamp(copy.path.stat().st_mtime, UTC),
        id=content_digest("\n".join((KIND, name, content_digest(text))))[:8],
    )
    return SecondCopy(copy.path, copy.of, lines, is_by_hand, replace(made, fate=proposals.find_decision(store, made)))


def _count_own_lines(lines: int) -> str:
    return "1 line that is" if lines == 1 else f"{lines or 'no'} lines that are"
