"""A block between two marker comments in a Markdown file that belongs to others, too.

Taking it out again gives the file as it was, byte for byte. The first marker says what was put before the block to set
it apart, and which targets it is there for: two of them share one block, and it goes with the last.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recall_tui import __version__
from recall_tui.agents.pieces.own_file import body_digest
from recall_tui.agents.target import State
from recall_tui.errors import BrokenFileError, RecallError
from recall_tui.storage.markdown.outline import line_ending
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from recall_tui.agents.target import Piece

_MARKER = lazy_pattern(r"^[ \t]*<!-- recall-tui (begin|end)\b[^\n]*?-->[ \t]*\r?$", re.M)
_BEGIN = lazy_pattern(r"<!-- recall-tui begin (\S+) ([0-9a-f]{16}) gap=(new|[012]) for=([a-z0-9_,-]+) -->")
_END = "<!-- recall-tui end -->"
_NEW_FILE_GAP = "new"
"""The gap of a block whose file was not there before."""
_ENDS_LINE = lazy_pattern(r"\n\Z")
_ENDS_BLANK = lazy_pattern(r"(?:\A|\n)\r?\n\Z")


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """Our part of a shared file."""

    path: Path
    what: str
    body: str
    """The text between the markers; it ends with one newline."""
    owner: str
    """The name of the target that it is there for."""
    limit: int = 0
    """Characters of the whole file that its agent reads; 0 for all of them."""

    def state(self, text: str | None) -> State:
        """Absent also when the block is there for other targets alone; changed when a person wrote between the markers.

        BrokenFileError when a marker is alone, twice or in the wrong order.
        """
        found = _find_block(text or "", self.path)
        if found is None:
            return State.ABSENT
        if not found.is_untouched:
            return State.CHANGED
        if self.owner not in found.owners:
            return State.ABSENT
        return State.CURRENT if found.body == self.body else State.OUTDATED

    def installed(self, text: str | None) -> str:
        """The text with the block where it was, else at the end after one blank line, in the file's own line ends.

        RecallError when that is more than the agent reads: it would cut the block, and say nothing.
        """
        if text is not None and self.state(text) is State.CURRENT:
            return text
        result = self._put_into(text)
        if self.limit and len(result) > self.limit:
            raise RecallError(
                f"{self.path} would have {len(result)} characters, of which the agent reads {self.limit}",
                hint="shorten the file, then install again",
            )
        return result

    def _put_into(self, text: str | None) -> str:
        found = _find_block(text or "", self.path)
        if text is None:
            return _render_block(self.body, _NEW_FILE_GAP, (self.owner,))
        if found is None:
            newline = line_ending(text)
            block = _render_block(self.body, str(_missing_newlines(text)), (self.owner,))
            return text + newline * _missing_newlines(text) + block.replace("\n", newline)
        owners = tuple(sorted({*found.owners, self.owner}))
        block = _render_block(self.body, found.gap, owners).replace("\n", found.newline)
        return text[: found.start] + block + text[found.end :]

    def removed(self, text: str) -> str | None:
        """The text without the block, and without what set it apart; None when the file was made for it.

        While it is there for another target it stays, without the name of this one. What a person wrote between the
        markers stays as well.
        """
        found = _find_block(text, self.path)
        if found is None or not found.is_untouched or self.owner not in found.owners:
            return text
        if others := tuple(name for name in found.owners if name != self.owner):
            block = _render_block(found.body, found.gap, others).replace("\n", found.newline)
            return text[: found.start] + block + text[found.end :]
        before, after = text[: found.start], text[found.end :]
        rest = _join_around(before, after, 0 if found.gap == _NEW_FILE_GAP else int(found.gap), found.newline)
        return None if found.gap == _NEW_FILE_GAP and not rest.strip() else rest


class _BlockMatch(NamedTuple):
    """The block in a file."""

    start: int
    end: int
    """Past the line end of the second marker."""
    body: str
    """With LF as its line ends."""
    digest: str
    gap: str
    owners: tuple[str, ...]
    newline: str

    @property
    def is_untouched(self) -> bool:
        return body_digest(self.body) == self.digest


def _find_block(text: str, path: Path) -> _BlockMatch | None:
    """The block in `text`; None when it has none."""
    markers = list(_MARKER.finditer(text))
    if not markers:
        return None
    kinds = [marker[1] for marker in markers]
    if kinds != ["begin", "end"]:
        lone = next((at for at, kind in enumerate(kinds) if kind != ("begin", "end")[at % 2]), None)
        if lone is None and len(kinds) % 2 == 0:
            raise _broken_error(path, text, markers[2].start(), "a second block of recall-tui")
        at = len(kinds) - 1 if lone is None else lone
        raise _broken_error(
            path, text, markers[at].start(), f"a marker of recall-tui ({kinds[at]}) without its other half"
        )
    begin, end = markers
    head = _BEGIN.fullmatch(begin[0].strip())
    if head is None:
        raise _broken_error(path, text, begin.start(), "the first marker of recall-tui was changed")
    newline = "\r\n" if begin[0].endswith("\r") else "\n"
    stop = end.end() + 1 if text[end.end() : end.end() + 1] == "\n" else end.end()
    body = text[begin.end() + 1 : end.start()].replace("\r\n", "\n")
    return _BlockMatch(begin.start(), stop, body, head[2], head[3], tuple(head[4].split(",")), newline)


def _broken_error(path: Path, text: str, at: int, what: str) -> BrokenFileError:
    line = text.count("\n", 0, at) + 1
    return BrokenFileError(
        f"{path}, line {line}: {what}", hint="delete the rest of the block by hand, then install again"
    )


def _render_block(body: str, gap: str, owners: tuple[str, ...]) -> str:
    head = f"<!-- recall-tui begin {__version__} {body_digest(body)} gap={gap} for={','.join(owners)} -->"
    return f"{head}\n{body}{_END}\n"


def _missing_newlines(text: str) -> int:
    """How many line ends `text` needs so that what comes next stands after a blank line."""
    if not text or _ENDS_BLANK.search(text):
        return 0
    return 1 if _ENDS_LINE.search(text) else 2


def _join_around(before: str, after: str, gap: int, newline: str) -> str:
    """What stood before and after the block, as if it had never been there; never two lines in one."""
    if after:
        if after.startswith(("\n", "\r\n")) and _ENDS_BLANK.search(before):
            before = before.removesuffix(newline)
        return before + after
    for _ in range(gap):
        before = before.removesuffix(newline)
    return before


if TYPE_CHECKING:
    _: type[Piece] = MarkedBlock
