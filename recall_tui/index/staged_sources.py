"""Sources that are collected apart from the catalogue until they replace all of it, in a build from nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from recall_tui.index.catalogue import COLUMNS, LOOK_FACT, each_record, write_records

if TYPE_CHECKING:
    from recall_tui.index.catalogue import Catalogue
    from recall_tui.index.source_record import SourceRecord


class StagedSources:
    """Sources that are set aside on the disk, where nobody else sees them; the system takes them away with the process.

    They lie in a temporary table of the connection.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue, self._connection = catalogue, catalogue.connection
        self._connection.execute(
            f"CREATE TEMP TABLE IF NOT EXISTS staged (id INTEGER PRIMARY KEY, memory_id, {COLUMNS}, UNIQUE (key))"
        )

    def put(self, sources: Iterable[tuple[str, SourceRecord]]) -> None:
        """Set sources aside, each with its memory's id."""
        self._connection.execute("BEGIN")
        write_records(self._connection, "staged", sources)
        self._connection.execute("COMMIT")

    def each(self, memory: str) -> Iterator[SourceRecord]:
        """The memory's sources that were set aside."""
        return each_record(self._connection, "staged", memory)

    def take_over(self) -> None:
        """Have them in the place of every source of every memory."""
        with self._catalogue.change():
            self._catalogue.set_fact(LOOK_FACT, "")
            self._connection.execute("DELETE FROM sources")
            self._connection.execute(
                f"INSERT INTO sources (memory_id, {COLUMNS}) SELECT memory_id, {COLUMNS} FROM staged ORDER BY id"
            )
        self._connection.execute("DELETE FROM staged")
