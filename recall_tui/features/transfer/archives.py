"""Archives and summaries that come from elsewhere, put among those of a memory.

A session is never doubled, an archive that is there is never written over unasked, and a number that another session
has is given to none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from recall_tui.domain import ArchiveEntry, IndexRow, SessionDigest
from recall_tui.features.transfer.merge import ImportMerge
from recall_tui.storage.archives import file as archive_file
from recall_tui.storage.archives import index_file, summary_file
from recall_tui.storage.archives.file import parse_number
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.memory_context import Store
from recall_tui.text.cut import one_line
from recall_tui.text.dates import parse_time

MAX_ARCHIVE_NUMBER = 9_999_999
"""Of an archive that comes; those that follow still fit the nine digits of a name."""


class ImportedArchives:
    """What is known of the memory's archives, and of those that were put beside them."""

    def __init__(self, store: Store, merge: ImportMerge, wanted: Iterable[int]) -> None:
        self._layout = store.layout
        self._merge = merge
        self._register = store.register
        self._rows_text = self._register.look(is_exact=True).text
        self._rows = index_file.parse_rows(self._rows_text)
        self._known: dict[str, list[ArchiveEntry]] = {}
        for entry in ArchiveFolder(store.layout).entries():
            self._known.setdefault(one_line(entry.session_id), []).append(entry)
        self._taken = {entry.number for of_session in self._known.values() for entry in of_session}
        self._taken |= {row.number for row in self._rows}
        self._next = max(self._register.next_number() - 1, *self._taken, *wanted, 0) + 1
        self._is_first = not self._taken
        """The memory has no archives and no rows of its own."""
        self._arrived: list[ArchiveEntry] = []
        self._made: set[Path] = set()
        self._given: set[int] = set()
        """Numbers of summaries that came."""
        self._seen: set[str] = set()
        """What came already, told apart by anything but its number."""

    def path_of(self, number: int) -> Path:
        """Where an archive of that number goes in this memory."""
        return self._register.new_path(number)

    def put_archive(self, path: Path, text: str, masked: int, *, is_of_memory: bool = False) -> None:
        """An archive at its path; under a new number when its own is another session's.

        One that comes twice comes in once, unless it did so in a whole memory.
        """
        text = self._merge.cleaned(text)
        entry = archive_file.parse_entry(text, path)
        assert entry is not None
        if self._merge.stays_out(path, entry.session_id):
            return
        if not is_of_memory and archive_file.renumber(text, 0) in self._seen:
            return
        self._seen.add(archive_file.renumber(text, 0))
        known = self._known.get(one_line(entry.session_id), [])
        if any(self._merge.is_same(old.path, archive_file.renumber(text, old.number), masked) for old in known):
            self._merge.same += 1
        elif twin := self._twin(entry, known):
            self._put(twin.path, archive_file.renumber(text, twin.number), masked, archive_file.parse_entry)
        else:
            if entry.number in self._taken or path.exists() or path in self._made:
                path = path.with_name(f"{path.stem.rpartition('-')[0]}-{self._next:03d}.md")
                self._merge.renumbered[entry.path.name] = path.name
                text = archive_file.renumber(text, self._next)
            self._next = max(self._next, (parse_number(path.name) or 0) + 1)
            self._made.add(path)
            self._put(path, text, masked, archive_file.parse_entry)

    def put_summary(self, path: Path, text: str, masked: int) -> None:
        """A session's summary in layout project, whose file is named by its session."""
        entry = summary_file.parse_entry(text, path)
        if entry and self._merge.stays_out(path, entry.session_id):
            return
        if entry and path.exists() and (old := summary_file.read_head(path)):
            text = summary_file.renumber(text, old.number)
        elif entry and entry.number:
            is_free = entry.number <= MAX_ARCHIVE_NUMBER and entry.number not in self._taken | self._given
            number = entry.number if is_free else self._next
            if number != entry.number:
                self._merge.renumbered[f"{path.name} ({entry.number:03d})"] = f"{number:03d}"
                text = summary_file.renumber(text, number)
            self._given.add(number)
            self._next = max(self._next, number + 1)
        self._put(path, text, masked, summary_file.parse_entry)

    def made_archive(self, entry: ArchiveEntry, summary: str, body: str) -> None:
        """An archive, or in layout project a summary, of a session that comes without one."""
        if self._layout.summaries is not None:
            path = self._layout.summaries / summary_file.file_name(entry.session_id)
            numbered = _renumber(entry, path, self._next)
            self.put_summary(path, summary_file.render_summary(numbered, SessionDigest(summary, entry.topics)), 0)
            return
        path = self._register.new_path(self._next)
        head = archive_file.render_head(_renumber(entry, path, self._next), SessionDigest(summary, entry.topics))
        self.put_archive(path, head + body, 0)

    def rows(self, theirs: str | None) -> str | None:
        """ARCHIVE.md with a row for each archive that arrived; None when it stays as it is."""
        text = self._rows_text
        if theirs is not None:
            theirs = index_file.drop_rows(theirs, lambda row: row.session_id in self._merge.forgotten.sessions)
        if theirs is not None and self._is_first and not self._merge.renumbered:
            return theirs if theirs != text else None
        numbers, above = {row.number for row in self._rows}, ""
        for entry in self._arrived:
            row = index_file.render_row(entry)
            if above and entry.number not in numbers and above in text:
                # Finding the place anew for each of thousands would take minutes.
                text = text.replace(above, above + row, 1)
            else:
                text = index_file.add_row(text, entry)
            above = row
        if theirs is not None and not self._layout.has_archive_files:
            text = self._with_rows(text, index_file.parse_rows(theirs))
        return text if text != self._rows_text else None

    def _with_rows(self, text: str, theirs: tuple[IndexRow, ...]) -> str:
        """Rows that stand for no file here, of sessions that have none yet."""
        have = {row.session_id for row in self._rows}
        for row in theirs:
            if row.session_id in have:
                continue
            number = row.number if row.number not in self._taken else self._next
            self._next = max(self._next, number + 1)
            self._taken.add(number)
            entry = ArchiveEntry(
                number,
                Path(f"{number:03d}"),
                row.session_id,
                parse_time(row.date),
                row.messages,
                row.duration,
                topics=row.topics,
            )
            text = index_file.add_row(text, entry)
        return text

    def _twin(self, entry: ArchiveEntry, known: list[ArchiveEntry]) -> ArchiveEntry | None:
        """The archive that stands for the same: of a session the last, where each stretch has its own the same one."""
        if not one_line(entry.session_id):
            return None
        if self._layout.design.logs_each_stretch:
            known = [old for old in known if old.last_uuid == entry.last_uuid]
        return known[-1] if known else None

    def _put(self, path: Path, text: str, masked: int, entry_of: Callable[[str, Path], ArchiveEntry | None]) -> None:
        if self._merge.put(path, text, masked) and (entry := entry_of(text, path)):
            self._arrived.append(entry)


def _renumber(entry: ArchiveEntry, path: Path, number: int) -> ArchiveEntry:
    return replace(entry, path=path, number=number)


def archive_numbers(names: Iterable[str]) -> list[int]:
    """The numbers of the archives among some file names."""
    return [number for name in names if (number := parse_number(name)) is not None]
