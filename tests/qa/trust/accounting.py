"""What a memory holds, unit by unit, and what must be true of it whatever happened.

A unit is a line of a file, or a message of an archived session: what a person would miss.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from recall_tui.storage.archives.body import parse_body
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.files import atomic
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store

_RANDOM = re.compile(rb"\.recall-[0-9a-f]{12}(?:-p[0-9a-f]+-[0-9a-f]+)?\.tmp|(?<=[0-9a-f]{16}-)[0-9a-f]{16}\b")
"""Names that are others each time."""
Files = Mapping[str, bytes]


def files_below(*folders: Path) -> dict[str, bytes]:
    """Every file below the folders, by its path, and its bytes."""
    return {str(path): path.read_bytes() for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()}


def fingerprint(folder: Path) -> str:
    """The same for folders that hold the same, whatever random names are in it."""
    total = hashlib.sha256()
    told = sorted((_RANDOM.sub(b"", os.fsencode(path.relative_to(folder))), path) for path in folder.rglob("*"))
    for name, path in told:
        total.update(b"\0" + name + b"\0")
        if path.is_file():
            total.update(_RANDOM.sub(b"", path.read_bytes()))
    return total.hexdigest()


def lines_of(files: Files) -> Counter[bytes]:
    """The lines of the files, as often as they are there."""
    return Counter(line for data in files.values() for line in map(bytes.strip, data.splitlines()) if line)


def messages_of(store: Store) -> Counter[tuple[str, str, str]]:
    """The messages of the archives: session, kind and words."""
    found: Counter[tuple[str, str, str]] = Counter()
    for entry in ArchiveFolder(store.layout).entries():
        text = atomic.read_text(entry.path)
        found.update((entry.session_id, message.kind, message.text) for message in parse_body(text))
    return found


def troubles(store: Store, roots: tuple[Path, ...]) -> Iterator[str]:
    """What no memory may be left with, in words."""
    if not Journal(store.state, store.now).is_clean():
        yield "a change waits to be finished"
    for root in (*roots, store.state / "journal"):
        for folder, _, names in os.walk(root):
            yield from (f"left over: {folder}/{name}" for name in names if atomic.TEMPORARY_PATTERN.fullmatch(name))
    for path in store.environment.state.rglob("*lock"):
        if path.is_file() and ".tantivy" not in path.name and not _is_free(path):
            yield f"{path} is held"


def _is_free(path: Path) -> bool:
    with path.open("r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def halves(now: Files, before: Files, after: Files, mended: Callable[[str], bool]) -> list[str]:
    """The files that are neither as they were nor as they were to be; not those that doctor may mend in between."""
    return [
        f"neither old nor new: {path}"
        for path in sorted({*now, *before, *after})
        if not mended(path) and now.get(path) not in (before.get(path), after.get(path))
    ]
