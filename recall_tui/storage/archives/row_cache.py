"""A cache of the rows of ARCHIVE.md while many are added.

Its answers equal those of `index_file.parse_rows` for the same text; of a text that only grew, only the new part is
parsed.
"""

from __future__ import annotations

import math
from collections import Counter

from recall_tui.domain import ArchiveEntry, IndexRow
from recall_tui.storage.archives import index_file
from recall_tui.storage.files.atomic import decode


class IndexedRows:
    """The rows of ARCHIVE.md at the last read."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._data = b""
        self.text = ""
        self.count = 0
        self.highest = 0
        """The highest number of a row."""
        self._of_session: dict[str, list[tuple[int, int]]] = {}
        self._numbers: set[int] = set()
        self._newer: set[int] = set()
        self._topics: Counter[str] = Counter()
        self._is_open = False

    def read(self, data: bytes) -> list[int] | None:
        """Update from the file's bytes; return the numbers of appended rows, or None when earlier bytes changed."""
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
        """Return number and message count of each row of the session, in file order."""
        return self._of_session.get(session_id, [])

    def has(self, number: int) -> bool:
        return number in self._numbers

    def is_newer(self, number: int) -> bool:
        """Return whether a row of a newer generation has the number."""
        return number in self._newer

    def added(self, text: str, entry: ArchiveEntry, was: ArchiveEntry | None = None) -> str:
        """Add a row as `index_file.add_row` does, but without scanning an unchanged text that ends with its table."""
        if text == self.text and self._is_open and entry.number > self.highest:
            return text + index_file.render_row(entry)
        return index_file.add_row(text, entry, was)

    def rarity(self, topic: str) -> float:
        """Return a topic's inverse document frequency over the archive, ln((N + 1) / (n + 1)) + 1."""
        return math.log((self.count + 1) / (self._topics[topic] + 1)) + 1
