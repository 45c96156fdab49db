"""The hits of the last search, so that `@3` names the third.

Only their places are stored, no text and no query. Forgetting anything removes the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain.documents import SourceRef
from recall_tui.errors import NotFoundError
from recall_tui.storage.files import atomic

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

LAST_SEARCH_FILE = "last-search.json"
MAX_HITS = 500
_REFERENCE = re.compile(r"@([1-9]\d{0,4})", re.ASCII)


class FoundHit(NamedTuple):
    """The place of a hit."""

    document: str
    lines: tuple[int, int]
    session_id: str = ""
    passage: str = ""
    """The passage's id; empty when only the lines are known."""

    @property
    def source(self) -> str:
        """Document and lines, such as `memory/MEMORY.md:12-20`."""
        return str(SourceRef(self.document, *self.lines))


def save_hits(store: Store, hits: Iterable[FoundHit]) -> None:
    """Store the hits of a search, best first, in place of the ones before."""
    rows = [list(hit) for hit, _ in zip(hits, range(MAX_HITS), strict=False)]
    atomic.write_json(_path(store), {"hits": rows})


def find_hit(store: Store, reference: str) -> FoundHit | None:
    """Return the hit that `@N` names; None for any other reference, NotFoundError when the last search had none."""
    named = _REFERENCE.fullmatch(reference.strip())
    if named is None:
        return None
    hits = _read_hits(store)
    if not hits:
        raise NotFoundError("no search has numbered its hits yet", hint="run: recall-tui search WORDS")
    if int(named[1]) > len(hits):
        raise NotFoundError(f"the last search has no hit {reference}", hint=f"it has @1 to @{len(hits)}")
    return hits[int(named[1]) - 1]


def forget_hits(store: Store) -> None:
    """Remove the hits; call under the memory's lock."""
    if (path := _path(store)).exists():
        atomic.delete_file(path)


def _read_hits(store: Store) -> tuple[FoundHit, ...]:
    told = atomic.read_json(_path(store))
    rows = told.get("hits") if isinstance(told, dict) else None
    try:
        return tuple(_parse_hit(row) for row in rows) if isinstance(rows, list) else ()
    except (TypeError, ValueError):
        return ()


def _parse_hit(row: list[object]) -> FoundHit:
    document, lines, session_id, passage = row
    if not (isinstance(document, str) and isinstance(session_id, str) and isinstance(passage, str)):
        raise TypeError("not a hit")
    if not (isinstance(lines, list) and len(lines) == 2 and all(isinstance(line, int) for line in lines)):
        raise TypeError("not a hit")
    return FoundHit(document, (lines[0], lines[1]), session_id, passage)


def _path(store: Store) -> Path:
    return store.state / LAST_SEARCH_FILE
