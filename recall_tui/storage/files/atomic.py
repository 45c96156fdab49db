"""Read text unchanged, and write files atomically: no reader ever sees half of one.

A write goes to a new file in the same folder, is flushed to the disk and replaces the old file in one step.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any

from recall_tui import files
from recall_tui.errors import ConflictError, name_path
from recall_tui.files import MAX_PAGE_BYTES
from recall_tui.storage.files import temporary_files
from recall_tui.text.lazy_pattern import lazy_pattern

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
TEMPORARY_PATTERN = temporary_files.PATTERN
temp_path = temporary_files.temp_path
_LONE_SURROGATE = lazy_pattern("[\ud800-\udc7f\udd00-\udfff]")
_CHUNK_BYTES = 1 << 20
_STATES: set[Path] = set()
"""State folders: everything in them stays out of commits, even when the whole home is a repository."""
_IGNORED = b"# Written by recall-tui: what lies here is of this machine alone.\n*\n"
_READ_CACHE: ContextVar[dict[Path, int] | None] = ContextVar("read", default=None)


def read_bytes(path: Path, most: int = MAX_PAGE_BYTES, *, beneath: Path | None = None) -> bytes | None:
    """Read the file's bytes; None when it does not exist, OSError when it may not be read (see `files`)."""
    data: bytes | None = None
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        data = files.read_file(path, most, beneath=beneath)
    seen = _READ_CACHE.get()
    if seen is not None:
        seen.setdefault(path, hash(data))
    return data


@contextlib.contextmanager
def cache_reads() -> Iterator[Mapping[Path, int]]:
    """Map each file read in the block to a hash of its content at the first read."""
    seen: dict[Path, int] = {}
    before = _READ_CACHE.set(seen)
    try:
        yield seen
    finally:
        _READ_CACHE.reset(before)


def is_stable(path: Path, was: str, seen: Mapping[Path, int]) -> bool:
    """Return whether the file still has the digest `was` and the content first read, if it was read at all."""
    if path not in seen:
        return True
    data = read_bytes(path)
    return hash(data) == seen[path] and content_digest(data) == was


def read_chunks(path: Path) -> Iterator[bytes]:
    """Yield the file's bytes in chunks; an OSError names this file, never that of the consumer."""
    with name_path(path), files.open_file(path) as file:
        while chunk := file.read(_CHUNK_BYTES):
            yield chunk


def read_text(path: Path) -> str:
    """Read the file's text with its line endings unchanged; empty when there is no such file.

    Bytes that are not UTF-8 are written back as the same bytes.
    """
    data = read_bytes(path)
    return "" if data is None else decode(data)


def read_json(path: Path, most: int = files.MAX_SETTINGS_BYTES) -> Any:
    """Parse a JSON file of the state; None when it is missing, unreadable, larger than `most` bytes or damaged."""
    import json

    try:
        return json.loads(files.read_file(path, most))
    except (OSError, ValueError, RecursionError):
        return None


def write_json(path: Path, value: object, *, indent: int | None = None) -> None:
    """Write `value` to a JSON file of the state, whose folder is made if it is missing."""
    import json

    make_folder(path.parent)
    write_file(path, json.dumps(value, indent=indent).encode())


def decode(data: bytes) -> str:
    """Decode a file's bytes; `encode` restores those that are not UTF-8."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Encode `text` as UTF-8; a surrogate that stands for no byte becomes U+FFFD."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub("\ufffd", text).encode("utf-8", "surrogateescape")


def content_digest(data: str | bytes | None) -> str:
    """Return the SHA-256 (hex) of a file's content; empty for a missing file."""
    if data is None:
        return ""
    from recall_tui.environment import sha256

    return sha256(encode(data) if isinstance(data, str) else data)


def file_digest(path: Path) -> str:
    """Return the file's `content_digest`, read in chunks; empty for a missing file."""
    import hashlib

    try:
        with name_path(path), files.open_file(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        return ""


def write_file(
    path: Path,
    text: bytes,
    body: Path | None = None,
    *,
    is_private: bool = True,
    is_new: bool = False,
    put: Callable[[Path, Path], object] = Path.replace,
) -> None:
    """Write `text`, then the bytes of `body`, as the whole content of `path`.

    An existing file keeps its mode, and a link stays a link. With `is_new` an existing file raises FileExistsError and
    is not touched. `put` moves the new file to the target; see `compare_and_swap.write` for a file that another program
    may save meanwhile.
    """
    target = files.resolve_target(path.parent) / path.name if is_new else files.resolve_target(path)
    make_folder(target.parent, is_private=is_private)
    temporary = temp_path(target.parent)
    with delete_after(temporary):
        _fill(temporary, text, body, PRIVATE_FILE if is_private else 0o666)
        if is_new:
            os.link(temporary, target)
        else:
            with contextlib.suppress(FileNotFoundError):
                temporary.chmod(target.stat().st_mode & 0o7777)
            put(temporary, target)
    sync_folder(target.parent)


@contextlib.contextmanager
def delete_after(temporary: Path) -> Iterator[None]:
    """Delete the file after the block; a file that cannot be deleted stays as a leftover, without an error."""
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def expect_content(path: Path, was: str | bytes) -> None:
    """Raise ConflictError unless the file's content or its digest is `was`."""
    if not has_content(path, was):
        raise changed_error(path, is_gone=not path.exists())


def has_content(path: Path, was: str | bytes) -> bool:
    """Return whether the file's content (bytes) or digest (str) is `was`; comparing bytes avoids hashing."""
    return file_digest(path) == was if isinstance(was, str) else read_bytes(path) == was


def changed_error(path: Path, *, is_gone: bool = False) -> ConflictError:
    """Return the error for a file that changed since it was read."""
    return ConflictError(f"{path} {'is gone' if is_gone else 'was changed'} since it was read", hint="look again")


def _fill(path: Path, text: bytes, body: Path | None, mode: int) -> None:
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
    with name_path(path), os.fdopen(descriptor, "wb") as file:
        file.write(text)
        for chunk in read_chunks(body) if body is not None else ():
            file.write(chunk)
        file.flush()
        os.fsync(descriptor)


@contextlib.contextmanager
def complete_write(path: Path, *, is_new: bool) -> Iterator[IO[bytes]]:
    """Yield a private file to write; it moves to `path` when the block succeeds and is deleted otherwise.

    With `is_new` an existing file at `path` raises FileExistsError and is not touched.
    """
    temporary = temp_path(path.parent)
    with delete_after(temporary):
        descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE)
        with name_path(temporary), os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            _link_into_place(temporary, path)
        else:
            temporary.replace(path)
    sync_folder(path.parent)


def _link_into_place(temporary: Path, path: Path) -> None:
    """Rename the file to an unused name, also on a file system without hard links."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        if os.path.lexists(path):
            raise FileExistsError(17, "already exists", str(path)) from None
        temporary.replace(path)


def delete_file(path: Path) -> None:
    """Delete the file; it may be missing already."""
    path.unlink(missing_ok=True)
    sync_folder(path.parent)


def delete_empty(folders: Iterable[Path]) -> None:
    """Delete the empty folders, up to the first that is not empty."""
    for folder in folders:
        try:
            folder.rmdir()
        except OSError:
            return
        sync_folder(folder.parent)


def rename_broken(path: Path) -> Path:
    """Rename an unusable file or folder to `<name>.broken-<n>`; return the new path."""
    number = 1
    while (aside := path.with_name(f"{path.name}.broken-{number}")).exists():
        number += 1
    path.rename(aside)
    return aside


def make_folder(folder: Path, *, is_private: bool = True) -> None:
    """Create the folder and its missing parents."""
    if folder.is_dir():
        return
    make_folder(folder.parent, is_private=is_private)
    folder.mkdir(PRIVATE_FOLDER if is_private else 0o777, exist_ok=True)
    if not _STATES.isdisjoint((folder, folder.parent)):
        keep_out_of_commits(folder if folder in _STATES else folder.parent)


def note_state(folder: Path) -> None:
    """Register a state folder, to be kept out of commits as soon as it is created."""
    _STATES.add(folder)


def keep_out_of_commits(folder: Path) -> None:
    """Add a `.gitignore` that excludes everything in the folder, unless there is one or it cannot be written."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder / ".gitignore", os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE)
        with os.fdopen(descriptor, "wb") as file:
            file.write(_IGNORED)


def sync_file(path: Path) -> None:
    """Flush the file's content to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        with name_path(path):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Flush the folder's entries to the disk."""
    with contextlib.suppress(FileNotFoundError):
        sync_file(folder)


def find_leftovers(folder: Path) -> Iterator[Path]:
    """Yield temporary files that killed processes left in `folder`; delete them only under the memory's lock."""
    return temporary_files.leftovers_in(folder, "tmp")
