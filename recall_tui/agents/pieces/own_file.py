"""A file that is ours alone: rules, a skill, a text to read.

Its last line is a mark with the release and a digest of what stands above it. A file whose text does not fit its mark,
or that has none, is a person's: it is replaced only after a yes, and never taken away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui import __version__
from recall_tui.agents.target import State
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from recall_tui.agents.target import Piece

_HASH_COMMENT_SUFFIXES = frozenset([".yml", ".yaml", ".toml", ".sh", ".py", ".conf"])
_CHECKSUM_MARK = lazy_pattern(r"(?:<!-- |# )recall-tui \S{1,64} ([0-9a-f]{16})(?: -->)?\Z")
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A whole file with our mark at its end."""

    path: Path
    what: str
    body: str
    """The text above the mark; it ends with one newline."""
    find_predecessor: Callable[[str], str] = lambda _: ""
    """The name of the earlier tool that wrote a text without our mark; empty for a person's."""

    def state(self, text: str | None) -> State:
        """Absent (an empty file counts as none), current, outdated (ours and untouched, another text), or changed.

        Line ends are a matter of the machine: a file that only went from LF to CRLF is untouched.
        """
        if text is None or not text.strip():
            return State.ABSENT
        body = unchanged_body(text)
        if body is None:
            return State.PREDECESSOR if self.find_predecessor(text) else State.CHANGED
        return State.CURRENT if body == _normalize(self.body) else State.OUTDATED

    def predecessors(self, text: str | None) -> tuple[str, ...]:
        """The file, when an earlier tool wrote it, with that tool's name."""
        is_there = text is not None and self.state(text) is State.PREDECESSOR
        return (f"the {self.what} of {self.find_predecessor(text or '')}: {self.path}",) if is_there else ()

    def installed(self, text: str | None) -> str:
        """The whole file as it should be, whatever was there; `text` itself when it is that already."""
        if text is not None and self.state(text) is State.CURRENT:
            return text
        return add_checksum(self.body, self.path.suffix)

    def removed(self, text: str) -> str | None:
        """None when the file is ours and untouched: it goes.

        What a person changed or wrote stays as it is. Uninstalling says so and names the file: it may hold words that
        are nowhere else, and the agent goes on reading it until the person deletes it.
        """
        return text if self.state(text) in (State.CHANGED, State.PREDECESSOR) else None


def add_checksum(body: str, suffix: str) -> str:
    """`body` with our mark as its last line, in the comments of files with that suffix (HTML's when unknown)."""
    words = f"recall-tui {__version__} {body_digest(_normalize(body))}"
    comment = f"# {words}" if suffix in _HASH_COMMENT_SUFFIXES else f"<!-- {words} -->"
    return f"{body}\n{comment}\n" if suffix not in _HASH_COMMENT_SUFFIXES else f"{body}{comment}\n"


def unchanged_body(text: str) -> str | None:
    """The body of a file that we wrote and nobody changed since; None for any other."""
    head, _, last = _normalize(text).removesuffix("\n").rpartition("\n")
    mark = _CHECKSUM_MARK.fullmatch(last)
    if mark is None:
        return None
    for body in (f"{head}\n", head):
        if body_digest(body) == mark[1]:
            return body
    return None


def _normalize(text: str) -> str:
    return text.removeprefix(_BOM).replace("\r\n", "\n")


def body_digest(body: str) -> str:
    """What a mark holds of a text whose lines end with LF: the start of its SHA-256."""
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()[:16]


if TYPE_CHECKING:
    _: type[Piece] = OwnFile
