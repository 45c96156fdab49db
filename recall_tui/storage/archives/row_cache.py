"""The rows of ARCHIVE.md as they are known while many are added.

It always says what `index_file.parse` says of the same text; of a text that only grew, what was added is read.
"""

from __future__ import annotations

import math
from collections import Counter

from recall_tui.domain import ArchiveEntry, IndexRow
from recall_tui.storage.archives import index_file
from recall_tui.storage.files.atomic import decode


class IndexedRows:
    """What was read of ARCHIVE.md last."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._data = b""
        self.text = ""
        self.count = 0
        self.highest = 0
        """Of the numbers that rows have."""
        self._of_session: dict[str, list[tuple[int, int]]] = {}
        self._numbers: set[int] = set()
        self._newer: set[int] = set()
        self._topics: Counter[str] = Counter()
        self._is_open = False

    def read(self, data: bytes) -> list[int] | None:
        """Take the file's bytes in; the numbers of the rows that were added to them, None when they are others."""
        if data == self._data:
            return []
        has_grown = data.startswith(self._data) and self._data[-1:] in (b"", b"\n")
        if not has_grown:
            self._begin()
        added = decode(data[len(self._data) :])
        rows = index_file.parse_rows(added)
        for row in rows:
            self._take(row)
        self._is_open = index_file.ends_in_table(added, self._is_open)
        self._data = data
        self.text += added
        return [row.number for row in rows] if has_grown else None

    def _take(self, row: IndexRow) -> None:
        self.count += 1
        self.highest = max(self.highest, row.number)
        self._numbers.add(row.number)
        if not row.trigger:
            self._newer.add(row.number)
        if row.session_id:
            self._of_session.setdefault(row.session_id, []).append((row.number, row.messages))
        self._topics.update(row.topics)

    def of_session(self, session_id: str) -> list[tuple[int, int]]:
        """Number and messages of each row of the session, in the order of the file."""
        return self._of_session.get(session_id, [])

    def has(self, number: int) -> bool:
        """Whether a row has the number."""
        return number in self._numbers

    def is_newer(self, number: int) -> bool:
        """Whether a row of the newer generations has the number."""
        return number in self._newer

    def added(self, text: str, entry: ArchiveEntry, was: ArchiveEntry | None = None) -> str:
        """`archive_index.add_row`, which need not look through a text that was read and ends with its table."""
        if text == self.text and self._is_open and not self.has(entry.number):
            return text + index_file.render_row(entry)
        return index_file.add_row(text, entry, was)

    def rarity(self, topic: str) -> float:
        """How telling a topic is: the inverse document frequency over the archive, ln((N + 1) / (n + 1)) + 1."""
        return math.log((self.count + 1) / (self._topics[topic] + 1)) + 1
