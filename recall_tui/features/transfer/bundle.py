"""A JSON export read back: of the right kind and version, every value of its type, every text as its digest says.

Anything else is one error that names the file and the place in it; nothing is trusted before all of it was checked.
"""

from __future__ import annotations

import base64
import binascii
import re
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec

from recall_tui import files
from recall_tui.domain import LayoutName
from recall_tui.errors import BrokenFileError, NotFoundError, RecallError, UsageError
from recall_tui.features.transfer.json_format import SCHEMA, VERSION, line_checksum
from recall_tui.storage.files.atomic import content_digest

Count = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
_BYTE_OFFSET = re.compile(r"\(byte (\d+)\)")
_ERROR_PATH = re.compile(r" - at `\$?\.?(?P<place>[^`]*)`")
_REEXPORT_HINT = "it was changed or damaged on the way; export it again"


class _Head(msgspec.Struct):
    schema: str
    version: int
    content: str
    lines: tuple[str, ...] = ()
    """What tells each line but the last; empty in an export that was made before there was this."""


class BundledText(msgspec.Struct, frozen=True, kw_only=True):
    """A text and its digest."""

    sha256: str
    text: str | None = None
    encoded: str | None = msgspec.field(default=None, name="base64")
    """Instead of the text where the bytes are no UTF-8."""
    size: Count = msgspec.field(default=0, name="bytes")
    masked: Count = 0
    """Secrets that were taken out of it."""

    @property
    def words(self) -> str:
        """The text; bytes that are no UTF-8 are as `atomic.read_text` gives them."""
        return self._data().decode("utf-8", "surrogateescape")

    def trouble(self) -> str:
        """Why it cannot be what was exported; empty when it can."""
        if (self.text is None) == (self.encoded is None):
            return "it has not exactly one of text and base64"
        try:
            data = self._data()
        except (ValueError, binascii.Error):
            return "its text cannot be read"
        return "" if content_digest(data) == self.sha256 else "its text is not what its digest says"

    def _data(self) -> bytes:
        if self.text is not None:
            return self.text.encode()
        return base64.b64decode(self.encoded or "", validate=True)


class BundledFile(BundledText, frozen=True, kw_only=True):
    """A file of a memory."""

    path: str
    kind: str = ""


class BundledDocument(BundledText, frozen=True, kw_only=True, tag="document"):
    """A document that is no conversation."""

    title: str
    path: str
    kind: str
    is_whole: bool = True


class BundledSession(BundledText, frozen=True, kw_only=True, tag="session"):
    """A session; what was said is in its text."""

    title: str
    path: str
    archive: str = ""
    session_id: str = ""
    agent: str = ""
    project: str = ""
    branch: str = ""
    model: str = ""
    started_at: str | None = None
    ended_at: str | None = None
    summary: str = ""
    topics: tuple[str, ...] = ()


class BundledMemory(msgspec.Struct, frozen=True, kw_only=True):
    """A whole memory."""

    layout: LayoutName
    files: tuple[BundledFile, ...]


class BundledItems(msgspec.Struct, frozen=True, kw_only=True):
    """Documents and sessions."""

    items: tuple[BundledDocument | BundledSession, ...]


class _Hit(BundledText, frozen=True, kw_only=True):
    document: str


class BundledSearch(msgspec.Struct, frozen=True, kw_only=True):
    """What a search found; it is for reading and is not taken into a memory."""

    query: str
    hits: tuple[_Hit, ...]


Bundle = BundledMemory | BundledItems | BundledSearch
_BUNDLE_TYPES: dict[str, type[BundledMemory] | type[BundledItems] | type[BundledSearch]] = {
    "memory": BundledMemory,
    "items": BundledItems,
    "search": BundledSearch,
}
_T = TypeVar("_T")


def load_bundle(path: Path) -> Bundle:
    """The export in the file at `path`; BrokenFileError says what is wrong with it and where."""
    data = read_file_bytes(path).removeprefix(b"\xef\xbb\xbf")
    head = _decode(path, data, _Head)
    if head.schema != SCHEMA:
        raise BrokenFileError(f"{path}: schema: not an export of recall-tui", hint="see: recall-tui export --help")
    if head.version != VERSION:
        hint = "update recall-tui" if head.version > VERSION else "export it again"
        raise RecallError(f"{path}: version: {head.version} is not known here, only {VERSION} is", hint=hint)
    kind = _BUNDLE_TYPES.get(head.content)
    if kind is None:
        raise BrokenFileError(f"{path}: content: {head.content!r} is not known", hint=", ".join(_BUNDLE_TYPES))
    parcel = _decode(path, data, kind)
    match parcel:
        case BundledMemory():
            _check_digests(path, "files", parcel.files)
        case BundledItems():
            _check_digests(path, "items", parcel.items)
        case BundledSearch():
            _check_digests(path, "hits", parcel.hits)
    _check_lines(path, data, head.lines)
    return parcel


def read_file_bytes(path: Path) -> bytes:
    """What a regular file holds; NotFoundError or UsageError where there is none."""
    if not path.exists():
        raise NotFoundError(f"there is no file {path}")
    if not path.is_file():
        raise UsageError(f"{path} is no regular file", hint="name a file that export wrote, or a Markdown file")
    return files.read_file(path, files.MAX_ARCHIVE_BYTES)


def _decode(path: Path, data: bytes, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        words = str(error)
        found = _ERROR_PATH.search(words)
        place = f"{found['place']}: " if found else ""
        raise BrokenFileError(f"{path}: {place}{_ERROR_PATH.sub('', words)}", hint=_REEXPORT_HINT) from None
    except (msgspec.DecodeError, ValueError) as error:
        found = _BYTE_OFFSET.search(str(error))
        line = data.count(b"\n", 0, int(found[1]) if found else len(data)) + 1
        raise BrokenFileError(f"{path}:{line}: {error}", hint=_REEXPORT_HINT) from None
    except RecursionError:
        raise BrokenFileError(f"{path}: it is nested too deep", hint=_REEXPORT_HINT) from None


def _check_lines(path: Path, data: bytes, marks: tuple[str, ...]) -> None:
    """BrokenFileError for the first line that is another, which also tells of one that is gone or came in between."""
    lines = data.split(b"\n")
    for place, mark in enumerate(marks):
        if line_checksum(lines[place] if place < len(lines) else b"") != mark:
            raise BrokenFileError(f"{path}:{place + 1}: the line is not the one that was written", hint=_REEXPORT_HINT)
    if marks and len(lines) > len(marks) + 2:
        raise BrokenFileError(f"{path}:{len(marks) + 2}: there are more lines than were written", hint=_REEXPORT_HINT)


def _check_digests(path: Path, name: str, contents: tuple[BundledText, ...]) -> None:
    for place, content in enumerate(contents):
        if trouble := content.trouble():
            called = getattr(content, "path", "") or getattr(content, "document", "")
            raise BrokenFileError(f"{path}: {name}[{place}] ({called}): {trouble}", hint=_REEXPORT_HINT)
