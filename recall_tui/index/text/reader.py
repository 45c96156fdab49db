"""Looks passages up in the text index, over its three shelves.

A reader sees one commit whole for as long as it is used, never waits for whoever writes, and never changes anything.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from recall_tui.index.text import partitions, schema, stored_passage
from recall_tui.index.text.passage import SPEECH, TRANSCRIPTS_KEY, VISIBLE_PARTITIONS
from recall_tui.index.text.stored_passage import StoredPassage

if TYPE_CHECKING:
    import tantivy

    from recall_tui.domain import SessionLabel

__all__ = ["PassageAddress", "PassageReader", "StoredPassage"]

ScoredAddresses = list[tuple[float, "PassageAddress"]]
"""Tantivy's score and where the passage stands, best first."""


class PassageAddress(NamedTuple):
    """Where a passage stands, good with the reader that gave it."""

    shelf: str
    segment: int
    doc: int


def _passage_address(address: PassageAddress) -> tantivy.DocAddress:
    from tantivy import DocAddress

    return DocAddress(address.segment, address.doc)


class PassageReader:
    """Looks passages up in the commit that was the last when it was made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.edition = partitions.read_version(folder)
        places = partitions.partition_paths(folder, self.edition)
        self._commits = partitions.commit_ids(places.values())
        with self._guarded():
            self._indexes = {shelf: partitions.open_partition(place) for shelf, place in places.items()}
            self._searchers = {shelf: index.searcher() for shelf, index in self._indexes.items()}
        self.schema = self._indexes[SPEECH].schema
        self.memo: dict[tuple[str, str], str] = {}
        """What was worked out from this commit and takes its time, by what it is and of what."""
        self.labels: dict[str, SessionLabel] = {}
        """The labels of sessions that were worked out from this commit; see `search.session_labels`."""
        self._places = places

    def _guarded(self) -> AbstractContextManager[None]:
        return partitions.translate_errors(self.folder, self.edition)

    def renewed(self) -> PassageReader:
        """A reader of what was committed since; whoever still uses this one goes on seeing what it saw."""
        commits = partitions.commit_ids(self._places.values())
        if commits == self._commits:
            return self
        newer = copy.copy(self)
        newer._commits = commits
        newer.memo, newer.labels = {}, {}
        with self._guarded():
            for index in self._indexes.values():
                index.reload()
            newer._searchers = {shelf: index.searcher() for shelf, index in self._indexes.items()}
        return newer

    def _searcher(self, shelf: str) -> tantivy.Searcher:
        """One view of the shelf, always the same."""
        return self._searchers[shelf]

    def top(self, query: tantivy.Query, limit: int, shelf: str = SPEECH) -> ScoredAddresses:
        """The best passages of a shelf for the query."""
        with self._guarded():
            hits = self._searcher(shelf).search(query, limit, count=False).hits
        return [(score, PassageAddress(shelf, place.segment_ord, place.doc)) for score, place in hits]

    def top_of_each(self, sought: Mapping[str, tuple[tantivy.Query, int]]) -> dict[str, ScoredAddresses]:
        """The best passages of several shelves, each with its query and limit, looked for at the same time."""
        found: dict[str, ScoredAddresses] = {}
        troubles: list[BaseException] = []

        def look(shelf: str) -> None:
            try:
                found[shelf] = self.top(*sought[shelf], shelf)
            except BaseException as error:
                troubles.append(error)

        first, *others = sought
        threads = [Thread(target=look, args=(shelf,)) for shelf in others]
        for thread in threads:
            thread.start()
        look(first)
        for thread in threads:
            thread.join()
        if troubles:
            raise troubles[0]
        return found

    def newest(self, query: tantivy.Query | None, limit: int) -> list[PassageAddress]:
        """The passages that the query matches, or all, newest first; those without a date come last."""
        from tantivy import Query

        query = query or Query.all_query()
        found: list[tuple[float, PassageAddress]] = []
        with self._guarded():
            for shelf in VISIBLE_PARTITIONS:
                hits = self._searcher(shelf).search(query, limit, count=False, order_by_field="date").hits
                for at, place in hits:
                    moment = float("-inf") if at is None else at
                    found.append((moment, PassageAddress(shelf, place.segment_ord, place.doc)))
        return [address for _, address in sorted(found, key=lambda one: -one[0])[:limit]]

    def oldest(self, query: tantivy.Query, limit: int) -> list[PassageAddress]:
        """The passages of speech that the query matches and that were said first, in order."""
        from tantivy import Order

        searcher = self._searcher(SPEECH)
        with self._guarded():
            hits = searcher.search(query, limit, count=False, order_by_field="date", order=Order.Asc).hits
        return [PassageAddress(SPEECH, place.segment_ord, place.doc) for _, place in hits]

    def count(self, query: tantivy.Query, shelf: str | None = None) -> int:
        """How many passages the query matches in the shelf, or in all but `whole`; deleted ones are not counted."""
        with self._guarded():
            searchers = [self._searcher(name) for name in ((shelf,) if shelf else VISIBLE_PARTITIONS)]
            found = [one.search(query, 1, count=True) for one in searchers]
        return sum(int(one.count or 0) for one in found)  # type: ignore[attr-defined, misc]

    def count_of_memory(self, memory: str, shelf: str | None = None) -> int:
        """How many passages of the memory are stored."""
        return self.count(self.term("memory", memory), shelf)

    def frequency(self, field: str, term: str) -> int:
        """How many passages hold the term in the field, of all memories, deleted ones among them: for a quick look."""
        with self._guarded():
            return sum(self._searcher(shelf).doc_freq(field, term) for shelf in VISIBLE_PARTITIONS)

    def term(self, field: str, value: str) -> tantivy.Query:
        """The query for one term of a field."""
        import tantivy

        return tantivy.Query.term_query(self.schema, field, value)

    def counted(self, number: int) -> tantivy.Query:
        """The query for what is counted with one session or source."""
        import tantivy

        return tantivy.Query.term_query(self.schema, schema.COUNT_FIELD, number)

    def within(self, memory: str, projects: tuple[str, ...] | None = None) -> tantivy.Query:
        """What a memory may see, without a say in the order: its own documents, and transcripts.

        With `projects` (keys of `transcripts.project`) only the conversations that belong to one of them.
        """
        from tantivy import Occur, Query

        own = self.term("memory", memory)
        either = [(Occur.Should, own), (Occur.Should, self.term("memory", TRANSCRIPTS_KEY))]
        parts = [(Occur.Must, Query.boolean_query(either))]
        if projects is not None:
            # A long stretch has the kind of its document as its role.
            said = [(Occur.MustNot, self.term(field, "conversation")) for field in ("kind", "role")]
            curated = [(Occur.Must, own), *said]
            here = [(Occur.Should, self.term("project", project)) for project in projects]
            parts.append((Occur.Must, Query.boolean_query([*here, (Occur.Should, Query.boolean_query(curated))])))
        return Query.const_score_query(Query.boolean_query(parts), 0.0)

    def summed(self, query: tantivy.Query, sums: Mapping[str, object], shelf: str = SPEECH) -> dict[str, Any]:
        """What the passages of a shelf that the query matches come to, in the words of Tantivy's aggregations."""
        with self._guarded():
            return dict(self._searcher(shelf).aggregate(query, dict(sums)))

    def dictionary(self, field: str, prefix: str, within: tantivy.Query | None, limit: int) -> list[tuple[str, int]]:
        """Terms of the field that begin with `prefix`, with the passages of `within` that hold them, most first."""
        counts: dict[str, int] = {}
        with self._guarded():
            for shelf in VISIBLE_PARTITIONS:
                for term, count in self._searcher(shelf).terms_with_prefix(field, prefix, within, limit):
                    counts[term] = counts.get(term, 0) + count
        found = [pair for pair in counts.items() if pair[1]]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:limit]

    def batch_counts(self, *among: str) -> dict[str, int]:
        """How many passages of each batch there are on these shelves together; deleted ones are not counted."""
        import tantivy

        counts: dict[str, int] = {}
        with self._guarded():
            for shelf in among:
                for batch, count in self._searcher(shelf).terms_with_prefix("batch", "", tantivy.Query.all_query()):
                    counts[batch] = counts.get(batch, 0) + count
        return {batch: count for batch, count in counts.items() if count}

    def stored(self, address: PassageAddress) -> StoredPassage:
        """The passage at the address."""
        with self._guarded():
            return stored_passage.from_document(self._document(address))

    def document(self, address: PassageAddress) -> str:
        """What the document is called that the passage, or the stretch, is of."""
        with self._guarded():
            return str(self._document(address).get_first("document"))

    def counted_with(self, addresses: list[PassageAddress]) -> list[int]:
        """What each of the passages is counted with, its session or else its source; see `index.text.schema`."""
        return [int(value or 0) for value in self._values(schema.COUNT_FIELD, addresses)]

    def _document(self, address: PassageAddress) -> tantivy.Document:
        return self._searcher(address.shelf).doc(_passage_address(address))

    def dates(self, addresses: list[PassageAddress]) -> list[datetime | None]:
        """When each of the passages was said or written, in UTC."""
        from datetime import UTC

        moments = self._values("date", addresses)
        return [None if at is None else datetime.fromtimestamp(at, UTC) for at in moments]

    def _values(self, field: str, addresses: list[PassageAddress]) -> list[float | None]:
        """The number that each passage has in a fast field."""
        from tantivy import DocAddress

        found: dict[PassageAddress, float | None] = {}
        with self._guarded():
            for shelf in {address.shelf for address in addresses}:
                own = [address for address in addresses if address.shelf == shelf]
                places = [DocAddress(segment, doc) for _, segment, doc in own]
                found.update(zip(own, self._searcher(shelf).fast_field_values(field, places), strict=True))
        return [found[address] for address in addresses]

    def by_id(self, memory: str, identifier: str) -> StoredPassage | None:
        """The passage of this id that the memory may see."""
        import tantivy

        must = tantivy.Occur.Must
        parts = [(must, self.within(memory)), (must, self.term("id", identifier))]
        query = tantivy.Query.boolean_query(parts)
        found = next((hits for shelf in VISIBLE_PARTITIONS if (hits := self.top(query, 1, shelf))), None)
        return self.stored(found[0][1]) if found else None

    def of_batch(self, batch: str, most: int, among: Sequence[str] = VISIBLE_PARTITIONS) -> Iterator[StoredPassage]:
        """The passages that are replaced together, or those of them on these shelves, in their order."""
        query = self.term("batch", batch)
        found = [self.stored(at) for shelf in among for _, at in self.top(query, most, shelf)]
        yield from sorted(found, key=lambda one: one.number)
