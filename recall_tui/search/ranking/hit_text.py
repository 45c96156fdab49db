"""What is given beside the hits when it is asked for: their text, and the newest weeks where there is room.

Neither changes the order of the hits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recall_tui.domain import Hit
from recall_tui.search import filters as constraint
from recall_tui.storage.documents import period_files
from recall_tui.text.cut import shorten, strip_controls

if TYPE_CHECKING:
    from recall_tui.search.bound_query import BoundQuery
    from recall_tui.search.ranking.fusion import SearchCandidate

CHARS_PER_TOKEN = 4
RECENT_RUNG = "recent"
"""The rung of a page that is offered for being new alone."""


def with_text(question: BoundQuery, hit: Hit, candidate: SearchCandidate) -> Hit:
    """The hit with the text of its document's best passages, the shown one first, as much as is wanted of it."""
    reader, options = question.reader, question.options
    addresses = [address for _, address in (*candidate.passages, *candidate.near)]
    shown = reader.by_id(question.memory, hit.id)
    passages = {hit.id: shown} if shown else {}
    for address in addresses:
        if len(passages) >= options.max_chunks:
            break
        passage = reader.stored(address)
        if passage.document == hit.document and not passage.is_metadata:
            passages.setdefault(passage.id, passage)
    chunks: list[tuple[tuple[int, int], str]] = []
    room = options.max_tokens * CHARS_PER_TOKEN
    for passage in passages.values():
        if text := shorten(strip_controls(passage.body).strip(), room):
            chunks.append((passage.lines, text))
            room -= len(text)
    return hit._replace(chunks=tuple(chunks))


def newest_weeks(question: BoundQuery, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The newest weekly pages that are no hits: what one may go on reading, worth nothing as an answer."""
    reader, store = question.reader, question.store
    shown = {hit.document for hit in hits}
    found = []
    pages = sorted(period_files.list_weeklies(store.layout).items(), reverse=True)
    for _, path in pages[: question.options.recency_depth]:
        own = [reader.term("memory", question.memory), reader.term("document", store.relative(path))]
        for _, address in reader.top(constraint.unscored(constraint.all_of(own)), 1):
            page = reader.stored(address)
            if page.document not in shown:
                said = shorten(" ".join(strip_controls(page.body).split()), 200)
                kind: Hit = Hit(
                    page.id,
                    page.document,
                    page.kind,
                    "summary",
                    page.title,
                    0.0,
                    said,
                    page.lines,
                    why={"rung": RECENT_RUNG},
                )
                found.append(kind._replace(date=page.date, heading=page.heading))
    return tuple(found)
