"""Open files for reading: only regular files of bounded size, inside their memory's root.

A memory may come with a repository written by others. Below the root of a registered memory no link is followed, in any
component of the path, unless its boundary allows it as the user's own; neither a link nor a file replaced while it is
being opened can lead outside. Pipes and devices, whose read might never end, are refused everywhere and never waited
for.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, cast

from recall_tui.errors import name_path

if TYPE_CHECKING:
    from io import BufferedReader

MAX_SETTINGS_BYTES = 1 << 20
"""Settings of the memory and of agents."""
MAX_MANIFEST_BYTES = 1 << 20
"""package.json, pyproject.toml and similar files."""
MAX_PAGE_BYTES = 256 << 20
"""Documents read as a whole."""
MAX_ARCHIVE_BYTES = 1 << 30
"""Archives, and other files read in chunks for copying or hashing."""
MAX_TRANSCRIPT_BYTES = 64 << 30
"""Transcripts, which are streamed: only a sparse file is larger."""
MAX_LINE_BYTES = 64 << 20
"""A line of a transcript; the longest known ones contain images and stay below 20 MB."""
MAX_UNENDED_BYTES = 256 << 20
"""A longer run without a line end stops the reading of a transcript."""
STREAM_BYTES = 1 << 18
"""The buffer for streaming."""
_MIN_HOLES_BYTES = 1 << 20
"""Files with smaller holes are read normally."""
_BLOCK_BYTES = 512
"""The unit of POSIX `st_blocks`."""

_FILE_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_FOLDER_FLAGS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_CLOEXEC | os.O_DIRECTORY
_LINK_ERRNOS = (errno.ELOOP, errno.ENOTDIR, errno.EMLINK)
"""The errors of different systems for a link where none is followed."""
_CHUNK_BYTES = 1 << 16


class OutsideRootError(OSError):
    """A link leads outside a memory and is not followed."""


class OtherOwnerError(PermissionError):
    """A file of a memory belongs to another account that the user did not confirm."""


class TooLargeError(OSError):
    """A file exceeds the size limit of its kind."""


class RootBoundary(NamedTuple):
    """The root of a memory, and the links below it that are the user's own."""

    root: str
    """The path as given."""
    real: str
    """The real path."""
    follows: bool = False
    """Follow every link."""
    folders: tuple[str, ...] = ()
    """Real folders that links may lead to, whatever the file's suffix; they may be outside the root."""
    files: frozenset[str] = frozenset()
    """Files, relative to the root, that may be links to anywhere."""
    owners: frozenset[int] | None = None
    """The accounts whose files may be opened; None for all accounts."""

    def stray(self, path: str) -> str | None:
        """Return the real path that `path` leads to if it may not be opened, else None."""
        if self.follows:
            return None
        real = os.path.realpath(path)
        return None if self._base(path, real) is not None or self._is_own(path) else real

    def descriptor(self, path: str) -> int:
        """Open the file at `path`, which starts with the root, and return its descriptor."""
        if self.follows:
            return os.open(path, _FILE_FLAGS)
        parts = path[len(self.root) :].strip("/").split("/")
        if ".." not in parts:
            try:
                return _walk_open(self.real, parts)
            except OSError as error:
                if error.errno not in _LINK_ERRNOS or os.path.realpath(path) == os.path.join(self.real, *parts):  # noqa: PTH118
                    raise
        return self._through_links(path)

    def _through_links(self, path: str) -> int:
        real = os.path.realpath(path)
        if self._is_own(path):
            return os.open(real, _FILE_FLAGS | os.O_NOFOLLOW)
        base = self._base(path, real)
        if base is None:
            raise self.strayed(path, real)
        # Only a link created since the path was resolved is refused here.
        return _walk_open(base, real[len(base) :].strip("/").split("/"))

    def strayed(self, path: str, real: str) -> OutsideRootError:
        """Return the error for a path that leads outside, to `real`."""
        where = "to another kind of file:" if _is_within(real, self.real) else f"outside {self.root}, to"
        return OutsideRootError(errno.EXDEV, f"points {where} {real}, and is not followed", path)

    def expect_owner(self, path: str, owner: int) -> None:
        """Raise OtherOwnerError for a file of an account that is not allowed."""
        if self.owners is not None and owner not in self.owners:
            words = f"belongs to another account, {account_name(owner)}, and is neither read nor written"
            raise OtherOwnerError(errno.EACCES, words, path)

    def _base(self, path: str, real: str) -> str | None:
        """Return the allowed folder that contains `real`; links within the root must keep the file's suffix."""
        for folder in self.folders:
            if _is_within(real, folder):
                return folder
        is_same_kind = os.path.splitext(real)[1].lower() == os.path.splitext(path)[1].lower()  # noqa: PTH122
        return self.real if is_same_kind and _is_within(real, self.real) else None

    def _is_own(self, path: str) -> bool:
        """Return whether the file may be a link to anywhere; not if its folder is a link."""
        folder, name = os.path.split(path[len(self.root) :].strip("/"))
        if os.path.join(folder, name) not in self.files:  # noqa: PTH118
            return False
        return os.path.realpath(os.path.dirname(path)) == os.path.join(self.real, folder).rstrip("/")  # noqa: PTH118, PTH120


_BOUNDARIES: dict[str, RootBoundary | None] = {}
"""Maps registered roots to their boundary, and paths below a root that are not the memory's to None."""


def register_root(enclosure: RootBoundary, apart: Iterable[Path] = ()) -> None:
    """Apply the boundary to every file opened below its root from now on.

    `apart` are the user's own files and folders, which are not the memory's even below its root.
    """
    inside = [str(path)[len(enclosure.root) :] for path in apart if str(path).startswith(f"{enclosure.root}/")]
    for root in {enclosure.root, enclosure.real}:
        _BOUNDARIES[root] = enclosure._replace(root=root)
        for name in inside:
            _BOUNDARIES.setdefault(root + name, None)


def account_name(owner: int) -> str:
    """Return the name of an account, or its number if it has none."""
    import pwd

    try:
        return pwd.getpwuid(owner).pw_name
    except KeyError:
        return str(owner)


def is_person_file(path: Path) -> bool:
    """Return whether the path is below a memory's root but is the user's own, not the memory's."""
    return _lookup_boundary(str(path.absolute())) == (True, None)


def strict_boundary(root: Path) -> RootBoundary:
    """Return the boundary of an unregistered folder: no link may lead outside."""
    return RootBoundary(str(root), os.path.realpath(root))


def open_file(
    path: Path, most: int = MAX_ARCHIVE_BYTES, *, beneath: Path | None = None, buffering: int = -1
) -> BufferedReader:
    """Open the regular file at `path`; an OSError with its name for anything else or a file larger than `most` bytes.

    `beneath` is a folder that no link may leave, for a file outside the registered memories; `buffering` is in bytes.
    """
    with name_path(path):
        descriptor, _ = _open_regular(path, most, beneath)
    return cast("BufferedReader", open(descriptor, "rb", buffering))  # noqa: PTH123


def streamed(path: Path, most: int = MAX_TRANSCRIPT_BYTES, *, beneath: Path | None = None) -> BufferedReader:
    """Open the regular file at `path` for sequential reading, with the errors of `open_file`.

    A sparse file may claim terabytes that were never written. A hole reads as a single line end, so that the lines
    around it stay separate.
    """
    file = open_file(path, most, beneath=beneath, buffering=STREAM_BYTES)
    status = os.fstat(file.fileno())
    if not hasattr(os, "SEEK_DATA") or status.st_size - status.st_blocks * _BLOCK_BYTES < _MIN_HOLES_BYTES:
        return file
    return io.BufferedReader(_Solid(file.detach()), STREAM_BYTES)


def next_line_begins(file: IO[bytes]) -> bool:
    """Skip the rest of an overlong line; False when it does not end within `MAX_UNENDED_BYTES`."""
    left = MAX_UNENDED_BYTES - MAX_LINE_BYTES
    while left > 0:
        text = file.readline(STREAM_BYTES)
        if not text or text.endswith(b"\n"):
            return True
        left -= len(text)
    return False


def read_file(path: Path, most: int = MAX_PAGE_BYTES, *, beneath: Path | None = None) -> bytes:
    """Read the regular file at `path`, with the errors of `open_file`."""
    with name_path(path):
        descriptor, size = _open_regular(path, most, beneath)
        try:
            # The extra byte tests for the end of the file; the requested size is allocated.
            data = os.read(descriptor, size + 1)
            if len(data) != size:
                data += _read_rest(descriptor, most - len(data))
        finally:
            os.close(descriptor)
        if len(data) > most:
            raise _too_large_error(len(data), most)
    return data


def normalize_path(path: Path) -> Path:
    """Resolve `..` in a user's path, so that it can be located in a memory."""
    return Path(os.path.realpath(path.parent), path.name) if ".." in path.parts else path


def read_user_file(path: Path, most: int = MAX_PAGE_BYTES) -> bytes:
    """Read a file named by the user, or a pipe such as /dev/stdin; an OSError for more than `most` bytes.

    Below the root of a memory its boundary applies; a path that leaves the memory with `..` is outside.
    """
    path = normalize_path(path)
    if path.is_file() or _find_boundary(str(path.absolute()))[0] is not None:
        return read_file(path, most)
    with name_path(path), path.open("rb") as file:
        return read_all(file, most)


def read_all(stream: IO[bytes], most: int = MAX_PAGE_BYTES) -> bytes:
    """Read a stream such as stdin to its end; an OSError for more than `most` bytes."""
    data = bytearray()
    while piece := stream.read(_CHUNK_BYTES):
        data += piece
        if len(data) > most:
            raise _too_large_error(len(data), most)
    return bytes(data)


def resolve_target(path: Path) -> Path:
    """Return the real path that writing to `path` would change.

    Raises OutsideRootError when a link leads outside the memory, OtherOwnerError for an account that is not allowed.
    """
    enclosure, name = _find_boundary(str(path.absolute()))
    if enclosure is not None and (real := enclosure.stray(name)):
        raise enclosure.strayed(str(path), real)
    target = Path(os.path.realpath(path))
    if enclosure is not None and target.is_file():
        enclosure.expect_owner(str(path), target.stat().st_uid)
    return target


def _open_descriptor(path: Path, beneath: Path | None) -> tuple[int, RootBoundary | None]:
    name = os.fspath(path)
    if not name.startswith("/"):
        name = os.path.join(os.getcwd(), name)  # noqa: PTH109, PTH118
    enclosure, name = _find_boundary(name)
    if enclosure is None and beneath is not None:
        enclosure = strict_boundary(beneath)
    try:
        return os.open(name, _FILE_FLAGS) if enclosure is None else enclosure.descriptor(name), enclosure
    except OSError as error:
        error.filename = str(path)
        raise


def _find_boundary(name: str) -> tuple[RootBoundary | None, str]:
    """Return the innermost boundary that contains an absolute path, if any, and the path below its root."""
    is_known, enclosure = _lookup_boundary(name)
    if is_known:
        return enclosure, name
    folder, file = os.path.split(name)
    real = os.path.join(_real_folder(folder), file)  # noqa: PTH118
    enclosure = _lookup_boundary(real)[1]
    return enclosure, name if enclosure is None else real


def _lookup_boundary(name: str) -> tuple[bool, RootBoundary | None]:
    place = name
    while place:
        if place in _BOUNDARIES:
            return True, _BOUNDARIES[place]
        place = place.rpartition("/")[0]
    return False, None


@lru_cache(maxsize=256)
def _real_folder(folder: str) -> str:
    """Return the real path of a folder; cached, as hardly any is a memory under another name."""
    return os.path.realpath(folder)


def _walk_open(base: str, parts: Sequence[str]) -> int:
    """Open a path below the real folder `base`; an OSError when a component is a link."""
    folder = os.open(base, _FOLDER_FLAGS)
    try:
        for name in parts[:-1]:
            inner = os.open(name, _FOLDER_FLAGS | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(parts[-1] or ".", _FILE_FLAGS | os.O_NOFOLLOW, dir_fd=folder)
    finally:
        os.close(folder)


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _open_regular(path: Path, most: int, beneath: Path | None) -> tuple[int, int]:
    """Return a descriptor of the regular file at `path`, and its size."""
    descriptor, enclosure = _open_descriptor(path, beneath)
    try:
        status = _require_regular(descriptor, most)
        if enclosure is not None:
            enclosure.expect_owner(str(path), status.st_uid)
        return descriptor, status.st_size
    except BaseException:
        os.close(descriptor)
        raise


def _read_rest(descriptor: int, most: int) -> bytes:
    """Read the rest of a file that arrived in parts, grew or reports no size; at most one chunk beyond `most`."""
    data = bytearray()
    while len(data) <= most and (piece := os.read(descriptor, _CHUNK_BYTES)):
        data += piece
    return bytes(data)


def _require_regular(descriptor: int, most: int) -> os.stat_result:
    status = os.fstat(descriptor)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.ENXIO, "is no regular file")
    if status.st_size > most:
        raise _too_large_error(status.st_size, most)
    return status


def _too_large_error(size: int, most: int) -> TooLargeError:
    return TooLargeError(errno.EFBIG, f"is too large: {size:,} bytes, where {most:,} are the most that is read")


class _Solid(io.RawIOBase):
    """A file's data, with a newline in place of each hole."""

    def __init__(self, file: io.RawIOBase) -> None:
        self._file = file
        self._at = self._end = 0
        """The read position, and the start of the next hole."""

    def readable(self) -> bool:
        """Return True."""
        return True

    def fileno(self) -> int:
        """Return the file's descriptor."""
        return self._file.fileno()

    def close(self) -> None:
        """Close the underlying file too."""
        self._file.close()
        super().close()

    def readinto(self, buffer: object) -> int:
        """Fill the buffer up to the next hole, or with the newline of a hole."""
        view = memoryview(cast("bytearray", buffer))
        descriptor = self._file.fileno()
        if self._at == self._end:
            size = os.fstat(descriptor).st_size
            try:
                data = os.lseek(descriptor, self._at, os.SEEK_DATA) if self._at < size else size
                self._end = os.lseek(descriptor, data, os.SEEK_HOLE) if data < size else size
            except OSError:
                # ENXIO: only a hole is left.
                data = self._end = size
            if data > self._at:
                self._at = data
                view[:1] = b"\n"
                return 1
        read = os.preadv(descriptor, [view[: self._end - self._at]], self._at) if self._end > self._at else 0
        self._at = self._at + read if read else self._end
        return read
