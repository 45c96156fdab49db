"""Second copies of what is forgotten, and archives of the window's own text: they lose the same as what they are of.

A copy that a person may have made goes only when it says itself that it is of the session; else it is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from recall_tui.domain import ArchiveEntry
from recall_tui.storage.archives.conflicted_copies import ConflictedCopy
from recall_tui.storage.archives.file import parse_number
from recall_tui.storage.documents import window_file
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.layout import Layout
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from recall_tui.storage.second_copies import second_copies, session_of

_HEAD = re.compile(r"\s*# (?:Conversation|Archive Log) \d+[^\S\n]*(?:\n\s*|\Z)")
"""The title of an archive, above the text that it holds."""
_BLANK = " \t\r\n-"


@dataclass(frozen=True)
class Copies:
    """The second copies in a memory, looked up once for all that is forgotten in one change."""

    layout: Layout

    @cached_property
    def all(self) -> tuple[ConflictedCopy, ...]:
        """Every copy that there is."""
        return second_copies(self.layout)

    @cached_property
    def sessions(self) -> Mapping[Path, str]:
        """Of which session a copy of an archive or of a summary is; only those that say it."""
        found = ((copy.path, session_of(self.layout, copy)) for copy in self.all)
        return {path: session for path, session in found if session}

    def of(self, originals: Iterable[Path]) -> tuple[Path, ...]:
        """The copies of these files."""
        wanted = set(originals)
        return tuple(copy.path for copy in self.all if copy.of in wanted)

    def within(self, folders: Iterable[Path]) -> tuple[Path, ...]:
        """The copies of files in these folders."""
        wanted = set(folders)
        return tuple(copy.path for copy in self.all if copy.of.parent in wanted)

    def going(self, sessions: Iterable[str], originals: Iterable[Path]) -> Iterator[Path]:
        """The copies that go with the sessions, and with files that go."""
        ids, gone = set(sessions), set(originals)
        for copy in self.all:
            session = self.sessions.get(copy.path, "")
            if session in ids if session else copy.of in gone and (copy.is_certain or copy.is_leftover):
                yield copy.path

    def maybe(self, originals: Iterable[Path]) -> Iterator[tuple[Path, Path]]:
        """What may be a copy of one of these and stays, for a person may have called it so; each with the file."""
        gone = set(originals)
        for copy in self.all:
            if copy.of in gone and not (copy.is_certain or copy.is_leftover or copy.path in self.sessions):
                yield copy.path, copy.of


def remove_from_window(text: str, sessions: Iterable[str]) -> str:
    """EPHEMERAL.md, or an archive of it, without what we wrote of the sessions; empty when nothing else was in it."""
    body = split_frontmatter(text)[1]
    below = body[found.end() :] if (found := _HEAD.match(body)) else body
    head, less = text[: len(text) - len(below)], window_file.forget_session(below, tuple(sessions))
    if less == below:
        return text
    return head + less if not head or less.strip(_BLANK) else ""


def of_window(entries: Iterable[ArchiveEntry], copies: Copies, sessions: Iterable[str]) -> Iterator[tuple[Path, str]]:
    """The archives of the window's own text that tell of the sessions, and copies, each with what of it may stay."""
    ids = tuple(sessions)
    nameless = [entry.path for entry in entries if not entry.session_id]
    beside = (one.path for one in copies.all if parse_number(one.of.name) and one.path not in copies.sessions)
    for path in dict.fromkeys((*nameless, *beside)):
        if path.is_file() and (less := remove_from_window(text := read_text(path), ids)) != text:
            yield path, less
