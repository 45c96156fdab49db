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
from recall_tui.features.transfer.json_format import SCHEMA, VERSION, mark_of
from recall_tui.storage.files.atomic import digest

Count = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
_BYTE = re.compile(r"\(byte (\d+)\)")
_AT = re.compile(r" - at `\$?\.?(?P<place>[^`]*)`")
_EXPORT_AGAIN = "it was changed or damaged on the way; export it again"


class _Head(msgspec.Struct):
    schema: str
    version: int
    content: str
    lines: tuple[str, ...] = ()
    """What tells each line but the last; empty in an export that was made before there was this."""


class Content(msgspec.Struct, frozen=True, kw_only=True):
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
        return "" if digest(data) == self.sha256 else "its text is not what its digest says"

    def _data(self) -> bytes:
        if self.text is not None:
            return self.text.encode()
        return base64.b64decode(self.encoded or "", validate=True)


class File(Content, frozen=True, kw_only=True):
    """A file of a memory."""

    path: str
    kind: str = ""


class Document(Content, frozen=True, kw_only=True, tag="document"):
    """A document that is no conversation."""

    title: str
    path: str
    kind: str
    is_whole: bool = True


class Session(Content, frozen=True, kw_only=True, tag="session"):
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


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """A whole memory."""

    layout: LayoutName
    files: tuple[File, ...]


class Items(msgspec.Struct, frozen=True, kw_only=True):
    """Documents and sessions."""

    items: tuple[Document | Session, ...]


class _Hit(Content, frozen=True, kw_only=True):
    document: str


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """What a search found; it is for reading and is not taken into a memory."""

    query: str
    hits: tuple[_Hit, ...]


Parcel = Memory | Items | Search
_KINDS: dict[str, type[Memory] | type[Items] | type[Search]] = {"memory": Memory, "items": Items, "search": Search}
_T = TypeVar("_T")


def read(path: Path) -> Parcel:
    """The export in the file at `path`; BrokenFileError says what is wrong with it and where."""
    data = file_bytes(path).removeprefix(b"\xef\xbb\xbf")
    head = _decoded(path, data, _Head)
    if head.schema != SCHEMA:
        raise BrokenFileError(f"{path}: schema: not an export of recall-tui", hint="see: recall-tui export --help")
    if head.version != VERSION:
        hint = "update recall-tui" if head.version > VERSION else "export it again"
        raise RecallError(f"{path}: version: {head.version} is not known here, only {VERSION} is", hint=hint)
    kind = _KINDS.get(head.content)
    if kind is None:
        raise BrokenFileError(f"{path}: content: {head.content!r} is not known", hint=", ".join(_KINDS))
    parcel = _decoded(path, data, kind)
    match parcel:
        case Memory():
            _check(path, "files", parcel.files)
        case Items():
            _check(path, "items", parcel.items)
        case Search():
            _check(path, "hits", parcel.hits)
    _check_lines(path, data, head.lines)
    return parcel


def file_bytes(path: Path) -> bytes:
    """What a regular file holds; NotFoundError or UsageError where there is none."""
    if not path.exists():
        raise NotFoundError(f"there is no file {path}")
    if not path.is_file():
        raise UsageError(f"{path} is no regular file", hint="name a file that export wrote, or a Markdown file")
    return files.read(path, files.MAX_ARCHIVE_BYTES)


def _decoded(path: Path, data: bytes, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        words = str(error)
        found = _AT.search(words)
        place = f"{found['place']}: " if found else ""
        raise BrokenFileError(f"{path}: {place}{_AT.sub('', words)}", hint=_EXPORT_AGAIN) from None
    except (msgspec.DecodeError, ValueError) as error:
        found = _BYTE.search(str(error))
        line = data.count(b"\n", 0, int(found[1]) if found else len(data)) + 1
        raise BrokenFileError(f"{path}:{line}: {error}", hint=_EXPORT_AGAIN) from None
    except RecursionError:
        raise BrokenFileError(f"{path}: it is nested too deep", hint=_EXPORT_AGAIN) from None


def _check_lines(path: Path, data: bytes, marks: tuple[str, ...]) -> None:
    """BrokenFileError for the first line that is another, which also tells of one that is gone or came in between."""
    lines = data.split(b"\n")
    for place, mark in enumerate(marks):
        if mark_of(lines[place] if place < len(lines) else b"") != mark:
            raise BrokenFileError(f"{path}:{place + 1}: the line is not the one that was written", hint=_EXPORT_AGAIN)
    if marks and len(lines) > len(marks) + 2:
        raise BrokenFileError(f"{path}:{len(marks) + 2}: there are more lines than were written", hint=_EXPORT_AGAIN)


def _check(path: Path, name: str, contents: tuple[Content, ...]) -> None:
    for place, content in enumerate(contents):
        if trouble := content.trouble():
            called = getattr(content, "path", "") or getattr(content, "document", "")
            raise BrokenFileError(f"{path}: {name}[{place}] ({called}): {trouble}", hint=_EXPORT_AGAIN)
