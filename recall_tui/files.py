"""The one way to open a file for reading: a regular file, of bounded size, and beneath its memory's root.

A memory may come with a repository that others wrote. Below the root of a memory that is opened no link is followed,
on no component of the path, unless its enclosure says that the link is the person's own; neither a link nor a file that
is replaced while it is being opened leads out. Pipes and devices, from which reading might never end, are refused
everywhere, and nothing waits for them.
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
"""Of settings: the memory's and the agents'."""
MAX_MANIFEST_BYTES = 1 << 20
"""Of package.json, pyproject.toml and the like."""
MAX_PAGE_BYTES = 256 << 20
"""Of a document that is read as a whole."""
MAX_ARCHIVE_BYTES = 1 << 30
"""Of an archive, and of what else is read in pieces, to be copied or summed up."""
MAX_TRANSCRIPT_BYTES = 64 << 30
"""Of a transcript, which is streamed: only a file with holes is larger."""
MAX_LINE_BYTES = 64 << 20
"""Of a line of a transcript; the longest seen hold a few pictures and stay below 20 MB."""
MAX_UNENDED_BYTES = 256 << 20
"""A transcript in which no line ends for so long is none from there on."""
STREAM_BYTES = 1 << 18
"""Of what is streamed, at a time."""
_MIN_HOLES_BYTES = 1 << 20
"""Of holes, below which a file is read as it is."""
_BLOCK_BYTES = 512
"""In which the system counts what a file takes (POSIX `st_blocks`)."""

_FILE_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_FOLDER_FLAGS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_CLOEXEC | os.O_DIRECTORY
_LINK_ERRNOS = (errno.ELOOP, errno.ENOTDIR, errno.EMLINK)
"""Of a component that is a link where none is followed, on one system or another."""
_CHUNK_BYTES = 1 << 16


class OutsideRootError(OSError):
    """A link leads out of a memory and is not followed."""


class OtherOwnerError(PermissionError):
    """A file of a memory belongs to another account, which the person did not confirm."""


class TooLargeError(OSError):
    """A file is larger than one of its kind may be."""


class RootBoundary(NamedTuple):
    """The root of a memory, and which of the links below it are the person's own."""

    root: str
    """As it is named."""
    real: str
    """Where it really is."""
    follows: bool = False
    """Every link is followed."""
    folders: tuple[str, ...] = ()
    """Real folders that links may lead to, whatever the file's ending; they may lie outside of the root."""
    files: frozenset[str] = frozenset()
    """Files, relative to the root, that may be links to anywhere."""
    owners: frozenset[int] | None = None
    """The accounts whose files are opened; those of every account when None."""

    def stray(self, path: str) -> str | None:
        """Where `path` leads when that may not be opened; None when it may."""
        if self.follows:
            return None
        real = os.path.realpath(path)
        return None if self._base(path, real) is not None or self._is_own(path) else real

    def descriptor(self, path: str) -> int:
        """Open the file at `path`, which is written from the root on."""
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
        # What is a link by now was none a moment ago.
        return _walk_open(base, real[len(base) :].strip("/").split("/"))

    def strayed(self, path: str, real: str) -> OutsideRootError:
        """The error for a path that leads out, to `real`."""
        where = "to another kind of file:" if _is_within(real, self.real) else f"out of {self.root}, to"
        return OutsideRootError(errno.EXDEV, f"leads {where} {real}, and is not followed", path)

    def expect_owner(self, path: str, owner: int) -> None:
        """OtherOwnerError for a file of an account whose files are not opened."""
        if self.owners is not None and owner not in self.owners:
            words = f"belongs to another account, {account_name(owner)}, and is neither read nor written"
            raise OtherOwnerError(errno.EACCES, words, path)

    def _base(self, path: str, real: str) -> str | None:
        """The folder that holds `real` and that links may lead to; within the root a link keeps to its kind of file."""
        for folder in self.folders:
            if _is_within(real, folder):
                return folder
        is_same_kind = os.path.splitext(real)[1].lower() == os.path.splitext(path)[1].lower()  # noqa: PTH122
        return self.real if is_same_kind and _is_within(real, self.real) else None

    def _is_own(self, path: str) -> bool:
        """Whether it is a file that may be a link to anywhere; in a folder that is a link there is none."""
        folder, name = os.path.split(path[len(self.root) :].strip("/"))
        if os.path.join(folder, name) not in self.files:  # noqa: PTH118
            return False
        return os.path.realpath(os.path.dirname(path)) == os.path.join(self.real, folder).rstrip("/")  # noqa: PTH118, PTH120


_BOUNDARIES: dict[str, RootBoundary | None] = {}
"""The memories that are opened, by their roots, and what lies below a root and is none of the memory's (None)."""


def register_root(enclosure: RootBoundary, apart: Iterable[Path] = ()) -> None:
    """Have whatever is opened below the root from now on be opened as the enclosure says.

    `apart` are files and folders of the person's that are not the memory's where they lie below the root.
    """
    inside = [str(path)[len(enclosure.root) :] for path in apart if str(path).startswith(f"{enclosure.root}/")]
    for root in {enclosure.root, enclosure.real}:
        _BOUNDARIES[root] = enclosure._replace(root=root)
        for name in inside:
            _BOUNDARIES.setdefault(root + name, None)


def account_name(owner: int) -> str:
    """The name of an account, or its number where it has none."""
    import pwd

    try:
        return pwd.getpwuid(owner).pw_name
    except KeyError:
        return str(owner)


def is_person_file(path: Path) -> bool:
    """Whether the path lies below the root of a memory and is the person's, and none of the memory's."""
    return _lookup_boundary(str(path.absolute())) == (True, None)


def strict_boundary(root: Path) -> RootBoundary:
    """The enclosure of a folder of which nothing is known: no link leads out of it."""
    return RootBoundary(str(root), os.path.realpath(root))


def open_file(
    path: Path, most: int = MAX_ARCHIVE_BYTES, *, beneath: Path | None = None, buffering: int = -1
) -> BufferedReader:
    """The regular file at `path`, to be read; an OSError that names it for anything else and for one that is too large.

    `beneath` is a folder that no link leads out of, for a file that belongs to no memory that is opened;
    `buffering` is in bytes.
    """
    with name_path(path):
        descriptor, _ = _open_regular(path, most, beneath)
    return cast("BufferedReader", open(descriptor, "rb", buffering))  # noqa: PTH123


def streamed(path: Path, most: int = MAX_TRANSCRIPT_BYTES) -> BufferedReader:
    """The regular file at `path`, to be read from its beginning to its end, with the errors of `opened`.

    A file may be said to hold terabytes that were never written. A hole is passed over as the end of a line, so that
    the lines around it stay lines of their own.
    """
    file = open_file(path, most, buffering=STREAM_BYTES)
    status = os.fstat(file.fileno())
    if not hasattr(os, "SEEK_DATA") or status.st_size - status.st_blocks * _BLOCK_BYTES < _MIN_HOLES_BYTES:
        return file
    return io.BufferedReader(_Solid(file.detach()), STREAM_BYTES)


def next_line_begins(file: IO[bytes]) -> bool:
    """Pass over the rest of a line that is too long; False when it does not end within `MAX_UNENDED_BYTES`."""
    left = MAX_UNENDED_BYTES - MAX_LINE_BYTES
    while left > 0:
        text = file.readline(STREAM_BYTES)
        if not text or text.endswith(b"\n"):
            return True
        left -= len(text)
    return False


def read_file(path: Path, most: int = MAX_PAGE_BYTES, *, beneath: Path | None = None) -> bytes:
    """The bytes of the regular file at `path`; an OSError that names it as in `opened`."""
    with name_path(path):
        descriptor, size = _open_regular(path, most, beneath)
        try:
            # One byte more tells whether it ends there; what is asked for is allocated.
            data = os.read(descriptor, size + 1)
            if len(data) != size:
                data += _read_rest(descriptor, most - len(data))
        finally:
            os.close(descriptor)
        if len(data) > most:
            raise _too_large_error(len(data), most)
    return data


def normalize_path(path: Path) -> Path:
    """The path that a person wrote, without `..`, so that it is known whether it lies in a memory."""
    return Path(os.path.realpath(path.parent), path.name) if ".." in path.parts else path


def read_user_file(path: Path, most: int = MAX_PAGE_BYTES) -> bytes:
    """The bytes of a file that the person named, or of a pipe, such as /dev/stdin; an OSError for more than `most`.

    Below the root of a memory it is opened like any other; one that a person leads out of it with `..` is none of it.
    """
    path = normalize_path(path)
    if path.is_file() or _find_boundary(str(path.absolute()))[0] is not None:
        return read_file(path, most)
    with name_path(path), path.open("rb") as file:
        return read_all(file, most)


def read_all(stream: IO[bytes], most: int = MAX_PAGE_BYTES) -> bytes:
    """All that a stream has to say, such as stdin; an OSError for more than `most`."""
    data = bytearray()
    while piece := stream.read(_CHUNK_BYTES):
        data += piece
        if len(data) > most:
            raise _too_large_error(len(data), most)
    return bytes(data)


def resolve_target(path: Path) -> Path:
    """The real path that writing to `path` changes.

    OutsideRootError when a link leads out of a memory on the way, OtherOwnerError for what is not opened either.
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
    """The innermost enclosure that an absolute path lies in, if any, and the path as it is written from its root on."""
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
    """Where the folder really is; asked once, for hardly any is a memory by another name."""
    return os.path.realpath(folder)


def _walk_open(base: str, parts: Sequence[str]) -> int:
    """Open what lies below the real folder `base`; an OSError when a component is a link."""
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
    """A descriptor of the regular file at `path`, and its size."""
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
    """The rest of a file that came in pieces, grew, or does not say its size; at most one piece beyond `most`."""
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
    """The data of a file, and a newline in place of each of its holes."""

    def __init__(self, file: io.RawIOBase) -> None:
        self._file = file
        self._at = self._end = 0
        """Where the data goes on, and where the next hole begins."""

    def readable(self) -> bool:
        """It is."""
        return True

    def fileno(self) -> int:
        """The descriptor of the file."""
        return self._file.fileno()

    def close(self) -> None:
        """Close the file too."""
        self._file.close()
        super().close()

    def readinto(self, buffer: object) -> int:
        """Fill the buffer as far as the data goes, or with the newline of a hole."""
        view = memoryview(cast("bytearray", buffer))
        descriptor = self._file.fileno()
        if self._at == self._end:
            size = os.fstat(descriptor).st_size
            try:
                data = os.lseek(descriptor, self._at, os.SEEK_DATA) if self._at < size else size
                self._end = os.lseek(descriptor, data, os.SEEK_HOLE) if data < size else size
            except OSError:
                # ENXIO: nothing but a hole is left.
                data = self._end = size
            if data > self._at:
                self._at = data
                view[:1] = b"\n"
                return 1
        read = os.preadv(descriptor, [view[: self._end - self._at]], self._at) if self._end > self._at else 0
        self._at = self._at + read if read else self._end
        return read
