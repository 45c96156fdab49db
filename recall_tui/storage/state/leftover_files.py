"""State files to scrub when a session is forgotten or a secret masked, as the registry says of each.

A log loses the lines that name the session, and a file that exists only because of it is deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from recall_tui import files
from recall_tui.storage.files import atomic
from recall_tui.storage.state.registry import find_entry

_LINE_SUFFIXES = frozenset((".log", ".jsonl"))
_MAX_FILE_BYTES = 64 << 20
"""Of a larger file only this much is searched."""


def remove_named(state: Path, names: Collection[str]) -> int:
    """Scrub files in the state folder that contain one of the names; return how many changed or were deleted."""
    wanted = [atomic.encode(name) for name in names if name.strip()]
    return sum(_clean_lines(state, path, wanted) for path in _files(state)) if wanted else 0


def list_texts(state: Path) -> Iterator[Path]:
    """Yield the text files of the state folder."""
    for path in _files(state):
        if path.suffix not in (".zst", ".gz") and b"\0" not in _read_unpacked(path):
            yield path


def rewrite_texts(state: Path, clean: Callable[[str], str]) -> int:
    """Replace each text file of the state folder by `clean` of its text; return how many changed."""
    changed = 0
    for path in list_texts(state):
        text = atomic.read_text(path)
        if (after := clean(text)) != text:
            atomic.write_file(path, atomic.encode(after))
            changed += 1
    return changed


def _files(state: Path) -> Iterator[Path]:
    try:
        inside = sorted(state.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return
    for path in inside:
        is_folder = path.is_dir() and not path.is_symlink()
        entry = find_entry(path.name + "/" * is_folder)
        if (entry and not entry.is_rewritten) or path.suffix == ".lock":
            continue
        yield from (file for file in (sorted(path.rglob("*")) if is_folder else (path,)) if file.is_file())


def _clean_lines(state: Path, path: Path, names: list[bytes]) -> bool:
    is_whole = _erasure(path.relative_to(state)) == "files"
    if not (is_whole or path.suffix in _LINE_SUFFIXES):
        return False
    data = _read_unpacked(path)
    if not any(name in data for name in names):
        return False
    if path.suffix in _LINE_SUFFIXES:
        lines = data.splitlines(keepends=True)
        atomic.write_file(path, b"".join(line for line in lines if not any(name in line for name in names)))
    else:
        atomic.delete_file(path)
    return True


def _erasure(name: Path) -> str:
    entry = find_entry(name.as_posix())
    return entry.erasure if entry else "lines"


def _read_unpacked(path: Path) -> bytes:
    """Return the file's decompressed content; empty when it cannot be read."""
    import gzip
    import zlib

    import zstandard

    try:
        with files.open_file(path) as file:
            data = file.read(_MAX_FILE_BYTES)
        if path.suffix == ".zst":
            return zstandard.ZstdDecompressor().decompressobj().decompress(data)
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except (OSError, EOFError, zlib.error, zstandard.ZstdError):
        return b""
