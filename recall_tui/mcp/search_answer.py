"""`search`: the best passages for a question, those of this project first, each with a ref."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from recall_tui.domain.documents import SESSION_KINDS
from recall_tui.mcp import quotations
from recall_tui.mcp.tools import DEFAULT_HITS, MAX_HITS, SEARCH_TOKENS, Arguments
from recall_tui.text.framing import QuotedBlock, frame_quotes, sanitize_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recall_tui.domain import Hit, SearchResult
    from recall_tui.search.query import Filters
    from recall_tui.workbench import Workbench

_KINDS: dict[str, tuple[str, ...]] = {
    "session": tuple(sorted(SESSION_KINDS)),
    "memory": ("memory", "topic", "typed", "wisdom", "window"),
    "wiki": ("wiki",),
    "day": ("daily", "weekly", "monthly"),
}
_OWN_SHARE = 2 / 3
"""The share of the places that belongs to this project when it has enough hits."""
_MAX_RANKED = 200
_FRAME_CHARS = 600
_MAX_QUERY_CHARS = 80


def search_answer(bench: Workbench, given: Arguments) -> str:
    """Return the answer of `search`; UsageError for a filter that is not understood."""
    query, limit = given.required("query"), given.number("limit", DEFAULT_HITS, 1, MAX_HITS)
    digest = hashlib.blake2b(query.encode("utf-8", "replace"), digest_size=6).hexdigest()
    cursor = quotations.read_cursor(given.text("after"))
    is_stale = bool(given.text("after")) and cursor.get("q") != digest
    offset = 0 if is_stale else min(quotations.cursor_offset(cursor), _MAX_RANKED)
    currency = quotations.update_index(bench)
    result = _ranked(bench, query, given, min(offset + limit + 1, _MAX_RANKED))
    asking = quotations.session_that_asks(bench)
    hits = [hit for hit in result.hits if not asking or hit.session_id != asking][offset:]
    searched = f"{result.searched.get('passages', 0):,} passages in {result.searched.get('sources', 0):,} sources"
    words = sanitize_line(query, _MAX_QUERY_CHARS)
    if not hits:
        more = "no more hits" if offset else "nothing by these words, stems or spellings"
        return f'0 of {searched} for "{words}"; {more} ({currency})'
    shown = hits[:limit]
    first = f'{len(shown)} of {max(result.total, offset + len(hits))} for "{words}"'
    facts = [result.rung, currency, *(["the cursor was of another question"] if is_stale else []), *result.notes]
    room = SEARCH_TOKENS * quotations.CHARS_PER_TOKEN - _FRAME_CHARS
    quotes = [_quote(number, hit) for number, hit in enumerate(shown, offset + 1)]
    framed = frame_quotes(quotes, limit=max(120, room // len(quotes) - 120), most=room + _FRAME_CHARS)
    rest = {"o": offset + limit, "q": digest}
    cursors = [f'more: after="{quotations.make_cursor(rest)}"'] if len(hits) > limit else []
    reference = quotations.hit_reference(shown[0])
    tail = "   ".join((*cursors, f'open one: read(ref="{reference}")'))
    return f"{first} ({'; '.join(map(sanitize_line, facts))})\n{framed}\n{tail}"


def _ranked(bench: Workbench, query: str, given: Arguments, count: int) -> SearchResult:
    from recall_tui.search.query import parse_filters
    from recall_tui.search.session_labels import with_labels

    options = {name: value for name in ("file", "project", "since", "until") if (value := given.text(name))}
    filters = parse_filters(options, bench.store.now())
    filters = filters._replace(kinds=_KINDS.get(given.text("kind"), ()))
    result = bench.search(query, limit=count + 1, sync=False, filters=filters)
    if not filters.project:
        result = result._replace(hits=tuple(_own_first(result.hits, _own_hits(bench, query, filters, count), count)))
    return with_labels(bench.index, bench.store, result)


def _own_hits(bench: Workbench, query: str, filters: Filters, count: int) -> tuple[Hit, ...]:
    folder = str(bench.store.environment.cwd)
    own = bench.search(query, limit=count, sync=False, filters=filters._replace(project=folder))
    return own.hits


def _own_first(hits: Iterable[Hit], own: tuple[Hit, ...], count: int) -> Iterable[Hit]:
    """Return both, with this project's own in the first places up to its share."""
    first = own[: round(count * _OWN_SHARE)]
    known = {hit.id for hit in first}
    return (*first, *(hit for hit in hits if hit.id not in known))


def _quote(number: int, hit: Hit) -> QuotedBlock:
    validity = hit.why.get("validity", {})
    until = validity.get("until", "")
    held = f" · held until {until}" + (f", then: {validity['by']}" if validity.get("by") else "") if until else ""
    place = f"[{number}] {quotations.hit_reference(hit)} · {hit.kind}{f' · {hit.project}' if hit.project else ''}{held}"
    text = f"{hit.heading}: {hit.snippet}" if hit.heading and hit.heading not in hit.snippet else hit.snippet
    return QuotedBlock(text, hit.title, quotations.day_of(hit.date), place)
