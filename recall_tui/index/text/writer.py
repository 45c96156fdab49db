"""Puts passages into the text index and takes them out, shelf by shelf.

Readers see nothing of a change before `commit`. Only one writer may be open, under the writer's lock.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.index.text import partitions, schema
from recall_tui.index.text.passage import SPEECH, TOOLS, WHOLE

if TYPE_CHECKING:
    import tantivy

    from recall_tui.index.text.tantivy_documents import DocumentFields

MEGABYTE = 1_000_000
_HEAP_BYTES = {SPEECH: 25 * MEGABYTE, TOOLS: 27 * MEGABYTE, WHOLE: 20 * MEGABYTE}
"""What each shelf gathers at most before it writes a segment.

Twice as much is no faster. It took 40 MB more throughout, and in a history of 4 GB another 50 while the largest
segments, twice as large then, were merged on two shelves at once. With the engine's least, 15 MB, whole stretches fill
it one by one, and the segments of one or two are merged over and over: a third of all work of a first build.
"""


class PassageWriter:
    """Changes the shelves in `folder`, or only those of `anew`, which are made beside the old ones."""

    def __init__(self, folder: Path, *, anew: Mapping[str, Path] | None = None) -> None:
        self._folder = folder
        self._places = partitions.partition_paths(folder) if anew is None else dict(anew)
        self._is_anew = anew is not None
        self._opened: dict[str, tantivy.IndexWriter] = {}
        self._schema: tantivy.Schema | None = None
        self.handed = 0
        """Characters handed over since the last commit, more or less."""

    def makes(self, shelf: str) -> bool:
        """Whether the shelf is one of those that this writer changes."""
        return shelf in self._places

    def _writer(self, shelf: str) -> tantivy.IndexWriter:
        """Opened at the shelf's first change: most refreshes have none."""
        if shelf not in self._opened:
            use_single_arena()
            partitions.drop_orphan_deletes(self._places[shelf])
            self._opened[shelf] = partitions.open_partition(self._places[shelf]).writer(_HEAP_BYTES[shelf], 1)
        return self._opened[shelf]

    def add(self, shelf: str, document: DocumentFields, chars: int) -> None:
        """Put a passage of so many characters on a shelf."""
        if shelf not in self._places:
            return
        import tantivy

        if self._schema is None:
            self._schema = schema.build_schema()
        self.handed += chars
        made = tantivy.Document.from_dict({**document.common, **document.own}, self._schema)
        with partitions.translate_errors(self._folder, is_writing=True):
            self._writer(shelf).add_document(made)

    def remove_batch(self, batch: str) -> None:
        """Take out the passages that are replaced together."""
        self._remove("batch", batch)

    def remove(self, key: str) -> None:
        """Take out every passage of the source."""
        self._remove("key", key)

    def remove_memory(self, memory: str) -> None:
        """Take out every passage of the memory."""
        self._remove("memory", memory)

    def _remove(self, field: str, value: str) -> None:
        if self._is_anew:
            return
        with partitions.translate_errors(self._folder, is_writing=True):
            for shelf in self._places:
                self._writer(shelf).delete_documents_by_term(field, value)

    def commit(self) -> None:
        """Let readers see what was changed on all shelves."""
        self.handed = 0
        if not self._opened:
            return
        from concurrent.futures import ThreadPoolExecutor

        with partitions.translate_errors(self._folder, is_writing=True), ThreadPoolExecutor(len(self._opened)) as pool:
            for done in [pool.submit(writer.commit) for writer in self._opened.values()]:
                done.result()
        trim_heap()
        self._make_private()

    def close(self) -> None:
        """Wait for the merging of small files to end; the writer is of no use after."""
        with partitions.translate_errors(self._folder, is_writing=True):
            for writer in self._opened.values():
                writer.wait_merging_threads()
        self._make_private()

    def _make_private(self) -> None:
        for shelf in self._opened:
            partitions.make_private(self._places[shelf])


_M_ARENA_MAX = -8
"""mallopt(3): how many heaps the C library may make for threads."""
_M_MMAP_THRESHOLD = -3
"""mallopt(3): from how many bytes on a block is asked from the system, and goes back to it when it is freed."""
_MMAP_THRESHOLD_BYTES = 128 * 1024
"""What glibc begins with. Left alone it goes up to the largest block that was ever freed, at most 32 MB."""


@cache
def use_single_arena() -> None:
    """Keep threads that begin from now on from having a heap each, and large blocks out of it.

    Threads that have a heap already keep it, so who wants one heap asks before its threads begin.

    Passages are made in one thread and freed in others, and glibc's heaps do not give back what was freed elsewhere: a
    history of 400 MB took 405 MB so, and takes 127 MB from one heap, in less time. An app whose threads each had one
    kept up to 100 MB in them. Large blocks leave holes that small ones settle in: 20 MB that were used lay scattered
    over a heap of 90 after some minutes, and lie in 21 where large ones stay out, for no time that could be measured.
    """
    _call_libc("mallopt", _M_ARENA_MAX, 1)
    _call_libc("mallopt", _M_MMAP_THRESHOLD, _MMAP_THRESHOLD_BYTES)


def trim_heap() -> None:
    """Return to the system every page that is free, wherever in the heap it lies; it takes milliseconds.

    By itself a heap shrinks at its end alone: while a history of 4 GB was indexed, 50 MB of 70 lay free below it.
    """
    _call_libc("malloc_trim", 0)


def _call_libc(function: str, *values: int) -> None:
    """Call a function of the C library, if it has one of that name."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            getattr(ctypes.CDLL(None), function)(*values)
