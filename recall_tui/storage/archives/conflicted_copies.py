"""Conflicted copies that sync services and git leave beside a file when two machines changed it.

They are recognized by name alone: `conversation-002 (conflicted copy of laptop 2026-11-24).md` belongs to
`conversation-002.md`. A name that a user may have chosen counts only beside the file it would be a copy of.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from recall_tui.storage.archives.file import parse_number
from recall_tui.storage.files.saved_copies import original_path
from recall_tui.storage.files.symlinks import is_file, link_check, memory_folders
from recall_tui.storage.layout import Layout
from recall_tui.text.lazy_pattern import lazy_pattern

_NAME = lazy_pattern(r"(?P<stem>.+?)(?P<suffix>\.[A-Za-z]{1,8})?", re.DOTALL)
_CERTAIN_PATTERNS = (
    # Dropbox, Nextcloud, Box: `name (Ann's conflicted copy 2026-11-24).md`, also in the languages of their clients.
    lazy_pattern(
        r"(?P<stem>.+?) \([^()]*(?:conflict|Konflikt|conflit|conflicto|conflitto|conflito|konflikt)[^()]*\)",
        re.IGNORECASE,
    ),
    # Syncthing: `name.sync-conflict-20260101-120000-ABCDEFG.md`.
    lazy_pattern(r"(?P<stem>.+?)\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]+)?"),
    # ownCloud: `name_conflict-20260101-120000.md`.
    lazy_pattern(r"(?P<stem>.+?)_conflict-\d{8}-\d{6}"),
)
_LIKELY_PATTERNS = (
    # iCloud: `name 2.md`. Google Drive: `name (1).md`.
    lazy_pattern(r"(?P<stem>.+?) [2-9]"),
    lazy_pattern(r"(?P<stem>.+?) \([1-9]\)"),
)
_PERSON_PATTERNS = (
    # File managers, when a user duplicates a file: macOS `name copy.md`, Windows `name - Copy (2).md`.
    lazy_pattern(r"(?P<stem>.+?)(?: -)? (?:copy|Copy|Kopie|copie|copia)(?: [0-9]+| \([0-9]+\))?"),
    lazy_pattern(r"(?:Copy of|Copy \([0-9]+\) of|Kopie von|Copie de|Copia de) (?P<stem>.+)"),
)
# OneDrive: `name-DESKTOP-7.md`, which for files without a fixed name may be the user's own choice.
_COMPUTER_NAME = lazy_pattern(r"(?=[A-Z0-9-]*[A-Z])[A-Z0-9][A-Z0-9-]{2,14}")
_ORIG_SUFFIX = ".orig"
_EDITOR_NAME = lazy_pattern(
    # `name~`, `name.~1~`, `name.bak`, `name.rej`, `name.save.1`; `#name#`; `.name.swp`, `.name.un~`, `.name.kate-swp`.
    r"(?P<suffixed>.+?)(?:(?:\.~\d+)?~|\.(?:bak|orig|rej|save|old)(?:\.?\d+)?)"
    r"|#(?P<hashed>.+)#|\.(?P<hidden>.+)\.(?:s[u-w][a-z]|kate-swp|un~)"
)
_TEXT_SUFFIXES = frozenset((".md", ".toml", ".json"))


@dataclass(frozen=True, slots=True)
class ConflictedCopy:
    """A conflicted copy of a file of the memory."""

    path: Path
    of: Path
    """The original file, which may be missing."""
    is_certain: bool = True
    """No user would choose this name."""

    @property
    def is_leftover(self) -> bool:
        """Return whether git or an editor left it: it may hold conflict markers, and only the user can resolve it."""
        return bool(editor_original(self.path.name))


def find_copies(layout: Layout) -> tuple[ConflictedCopy, ...]:
    """Return the copies in all folders of the memory."""
    fixed = {*layout.fixed_files(), layout.config}
    places = {*(path.parent for path in fixed), *(place.folder for place in layout.archives)}
    places |= {layout.days, layout.weekly, layout.monthly, layout.wiki, layout.topics, *memory_folders(layout)}
    places |= {layout.summaries} if layout.summaries is not None else set()
    own = frozenset(memory_folders(layout))
    found: dict[Path, ConflictedCopy] = {}
    for folder in sorted(places):
        # A root may hold far more than the memory: there, look only for copies of its fixed files.
        is_own = any(folder.is_relative_to(one) for one in own) or folder == layout.topics
        for copy in find_copies_in(folder, fixed, only=not is_own):
            found.setdefault(copy.path, copy)
    is_shut = link_check(layout)
    return tuple(copy for copy in found.values() if not is_shut(copy.path))


def original_in(layout: Layout, path: Path) -> Path:
    """Return the original of a second copy by name, existing or not; the path itself for other names.

    `NAME.saved-1.md` and editors' leftovers also count as copies of `NAME.md`. A name that a user may have chosen does
    not.
    """
    fixed = {*layout.fixed_files(), layout.config}
    while path not in fixed and parse_number(path.name) is None:
        if name := editor_original(path.name):
            # The original's name may begin with a dot, or lack the leftover's.
            of, *others = (path.with_name(one) for one in (name, f".{name}", name.lstrip(".") or name))
            path = next((one for one in (of, *others) if one in fixed or parse_number(one.name) is not None), of)
            continue
        saved = original_path(path)
        found = (path.with_name(name) for name, way in _original_names(path.name) if _is_plain(path, name, way, fixed))
        of = saved if saved != path else next(found, path)
        if of == path:
            break
        path = of
    return path


def find_copies_in(folder: Path, fixed: Iterable[Path], *, only: bool) -> Iterator[ConflictedCopy]:
    """Yield the copies in one folder; with `only`, just those of the `fixed` files."""
    try:
        with os.scandir(folder) as entries:
            names = {entry.name for entry in entries if not entry.name.startswith(".") and is_file(entry)}
    except (FileNotFoundError, NotADirectoryError):
        return
    own = {path.name for path in fixed if path.parent == folder}
    for name in sorted(names - own):
        if parse_number(name) is None and (copy := _parse_copy(folder, name, names, own, only=only)):
            yield copy


def copied_archive_name(name: str) -> str:
    """Return the name of the archive that a file of this name is a copy of; empty for none."""
    names = (original for original, way in _original_names(name) if way != "person")
    return next((original for original in names if parse_number(original) is not None), "")


def editor_original(name: str) -> str:
    """Return the name of the file for which an editor or a patch left a file of this name; empty for any other."""
    found = _EDITOR_NAME.fullmatch(name)
    return "" if found is None else found["suffixed"] or found["hashed"] or found["hidden"]


def _parse_copy(folder: Path, name: str, names: Set[str], own: Set[str], *, only: bool) -> ConflictedCopy | None:
    for original, way in _original_names(name):
        is_ours = original in own or (parse_number(original) is not None and not only)
        if is_ours or (not only and (way == "sure" or (way in ("likely", "person") and original in names))):
            is_certain = way == "sure" or (is_ours and way != "person")
            return ConflictedCopy(folder / name, folder / original, is_certain)
    return None


def _is_plain(path: Path, name: str, way: str, fixed: Set[Path]) -> bool:
    """Return whether only a sync service would give a copy of `name` this path."""
    return way == "sure" or (way != "person" and (parse_number(name) is not None or path.with_name(name) in fixed))


def _original_names(name: str) -> Iterator[tuple[str, str]]:
    """Yield the names that this one may be a copy of, each with its certainty."""
    if name.endswith(_ORIG_SUFFIX):
        yield name.removesuffix(_ORIG_SUFFIX), "likely"
        return
    parts = _NAME.fullmatch(name)
    if parts is None or parts["suffix"] not in _TEXT_SUFFIXES:
        return
    stem, suffix = parts["stem"], parts["suffix"]
    ways = ((_CERTAIN_PATTERNS, "sure"), (_LIKELY_PATTERNS, "likely"), (_PERSON_PATTERNS, "person"))
    for patterns, way in ways:
        for pattern in patterns:
            if found := pattern.fullmatch(stem):
                yield found["stem"] + suffix, way
    pieces = stem.split("-")
    for count in range(1, len(pieces)):
        if _COMPUTER_NAME.fullmatch("-".join(pieces[count:])):
            yield "-".join(pieces[:count]) + suffix, "computer"
