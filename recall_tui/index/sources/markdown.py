"""Which files of a memory are searched, and as what.

Finding them opens none of them, and each file is named once.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from recall_tui.storage.documents.note_files import all_notes
from recall_tui.storage.documents.period_files import day_folders
from recall_tui.storage.documents.period_files import page_kind as dated_kind
from recall_tui.storage.files.symlinks import is_file, link_check
from recall_tui.storage.layout import Layout
from recall_tui.storage.scopes import list_scopes, scope_layout

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store
    from recall_tui.transcripts.reader import TranscriptFile

_T = TypeVar("_T")


class MarkdownSource(NamedTuple):
    """A file that is searched."""

    place: str
    """Its path; there may be tens of thousands, and a `Path` takes five times as much memory."""
    kind: str
    """memory, topic, window, conversation, daily, weekly, monthly, wiki, wisdom, master, summary, typed or insight."""
    is_astray: bool = False
    """A link that is not followed brings it in from outside of the memory: it is named, and not read."""

    @property
    def path(self) -> Path:
        """Where it is."""
        return Path(self.place)


def markdown_sources(layout: Layout) -> Iterator[MarkdownSource]:
    """Every markdown file of the memory that is evidence or tells of it; indexes and reports of runs are neither."""
    return (source for source in with_unreadable(layout) if not source.is_astray)


def with_unreadable(layout: Layout) -> Iterator[MarkdownSource]:
    """The same, and what bears the name of one and may not be read, so that it is not passed over in silence."""
    seen = {str(layout.rows), str(layout.dreams)}
    is_shut = link_check(layout)
    for one in (layout, *(scope_layout(layout, name) for name in list_scopes(layout))):
        for path, kind in _candidates(one):
            if (place := str(path)) not in seen:
                seen.add(place)
                yield MarkdownSource(place, kind, is_shut(path))


def shared_wiki_sources(store: Store) -> Iterator[MarkdownSource]:
    """The pages of the wikis that others share with this memory; a link that leads out of such a folder is astray."""
    if not store.config.get("wiki.shared"):
        return
    from recall_tui.storage.documents.shared_wikis import list_wikis
    from recall_tui.storage.files.symlinks import shared_link_check

    for wiki in (one for one in list_wikis(store) if one.is_shared):
        is_shut = shared_link_check(wiki.folder)
        for path in _files(wiki.folder):
            if path.name != "index.md":
                yield MarkdownSource(str(path), "wiki", is_shut(path))


def transcript_sources(store: Store) -> list[TranscriptFile]:
    """Every transcript that the memory works with, oldest first, then what stands in the place of an agent's own."""
    from recall_tui.index.sources.transcripts import list_transcripts
    from recall_tui.transcripts.registry import unreadable_files

    found = list_transcripts(store)
    known = {(file.agent, file.session_id) for file in found}
    return [
        *found,
        *(file for file in unreadable_files(store.environment) if (file.agent, file.session_id) not in known),
    ]


def drain(found: list[_T]) -> Iterator[_T]:
    """One after the other, and none is held once it was given: there may be tens of thousands."""
    found.reverse()
    while found:
        yield found.pop()


def source_key(memory: str, document: str) -> str:
    """What a source's passages are filed under, the same in every index that is ever made of it."""
    return hashlib.blake2b(f"{memory}\0{document}".encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()


def project_key(folder: str) -> str:
    """What the project that a folder belongs to is filed under; empty when that is not known."""
    if not folder:
        return ""
    from recall_tui.transcripts.project import project_of

    return project_of(folder).key


def _candidates(layout: Layout) -> Iterator[tuple[Path, str]]:
    for path, kind in (
        (layout.memory_file, "memory"),
        (layout.identity, "memory"),
        (layout.window, "window"),
        (layout.wisdom, "wisdom"),
        (layout.master, "master"),
    ):
        if _is_present(path):
            yield path, kind
    for place in layout.archives:
        named = re.compile(re.escape(place.prefix) + r"-\d+\.md")
        for path in _files(place.folder):
            if named.fullmatch(path.name) or _is_copy(place.prefix, path.name):
                yield path, "conversation"
    if layout.summaries:
        yield from ((path, "summary") for path in _files(layout.summaries))
    for folder in day_folders(layout):
        yield from ((path, kind) for path in _files(folder) if (kind := dated_kind(path)))
    for folder, kind in ((layout.weekly, "weekly"), (layout.monthly, "monthly"), (layout.wiki, "wiki")):
        # The list of a wiki's pages says nothing that they do not say themselves.
        yield from ((path, kind) for path in _files(folder) if path != layout.wiki / "index.md")
    # What dreams found to contradict each other is found with all else that they found.
    yield from ((path, "insight" if kind == "contradiction" else kind) for path, kind in all_notes(layout))
    yield from ((path, "topic") for path in _files(layout.topics))


def _is_copy(prefix: str, name: str) -> bool:
    """Whether a sync service left the file beside an archive: it may hold what nothing else does."""
    if not name.startswith(prefix):
        return False
    from recall_tui.storage.archives.conflicted_copies import copied_archive_name

    return copied_archive_name(name).startswith(prefix)


def _files(folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if _is_document(entry.name) and _is_present(entry)]
    except (FileNotFoundError, NotADirectoryError):
        return
    yield from (folder / name for name in sorted(names))


def _is_present(place: Path | os.DirEntry[str]) -> bool:
    """Whether a file is there, or what cannot be read in its place; reading a pipe would wait for ever."""
    if is_file(place):
        return True
    from recall_tui.transcripts.discovery import is_unreadable

    return is_unreadable(Path(place))


def _is_document(name: str) -> bool:
    return name.endswith(".md") and not name.startswith(".")
