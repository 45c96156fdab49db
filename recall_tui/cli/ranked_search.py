"""A ranked search on the command line: the index brought up to date, the hits printed, and what was searched.

A search without hits says what was searched. Nothing here needs click, which takes as long to load as the search.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.cli.output import one_line
from recall_tui.search.to_json import result_as_json

if TYPE_CHECKING:
    from datetime import datetime

    from recall_tui.cli.context import CommandContext
    from recall_tui.domain import SearchResult
    from recall_tui.search.query import Filters, SearchOptions
    from recall_tui.storage.state.last_search import FoundHit
    from recall_tui.workbench import Workbench

DEFAULT_LIMIT = 10
DEFAULT_RECENCY_DEPTH = 2
"""Newest weekly pages that are offered at the end."""


class SearchCall(NamedTuple):
    """The options of one call of `search`."""

    filters: Filters
    options: SearchOptions
    at: datetime | None = None
    """The time of the question; None for now."""
    limit: int = DEFAULT_LIMIT
    passages: bool = False
    explain: bool = False
    no_sync: bool = False


def search_plainly(run: CommandContext, query: str, *, limit: int = DEFAULT_LIMIT, no_sync: bool = False) -> int:
    """Run `search QUERY` without filters or further options, and return the exit code."""
    from recall_tui.search.query import Filters, SearchOptions

    options = SearchOptions(recency_depth=DEFAULT_RECENCY_DEPTH)
    return search_ranked(run, query, SearchCall(Filters(), options, limit=limit, no_sync=no_sync)) or 0


def search_ranked(run: CommandContext, query: str, call: SearchCall) -> int | None:
    """Print the hits of a query and return the exit code: 1 when nothing was found."""
    bench = run.open()
    rest = "" if call.no_sync else sync_before(run, bench)
    answer = find_hits(bench, query, call)
    log_search(bench, answer)
    if run.json:
        run.out.document(result_as_json(answer))
    else:
        _print_hits(run, bench, answer, is_explained=call.explain)
    for note in answer.notes:
        run.out.note(one_line(note))
    found = f"{len(answer.hits)} of {count_text(answer.total, 'hit')}" if answer.hits else ""
    note_found(run, bench, answer, found, rest)
    if _has_joined(run, bench, answer):
        return search_ranked(run, query, call._replace(no_sync=True))
    return None if answer.hits else 1


def _has_joined(run: CommandContext, bench: Workbench, answer: SearchResult) -> bool:
    """Return whether the person joined a folder that claims to be of the project, so that more can be found.

    Where nobody can be asked it is said when nothing was found.
    """
    from recall_tui.index.project_scope import includes_all_projects

    if run.json or includes_all_projects(bench.store) or (answer.hits and not run.out.can_ask):
        return False
    from recall_tui.cli.project_questions import offer_join

    return offer_join(run, bench, bench.index.session_counts())


def sync_before(run: CommandContext, bench: Workbench) -> str:
    """Bring the index up to date; return what is not indexed yet, in words, or an empty string."""
    from recall_tui.cli.sync import try_sync_index

    return try_sync_index(run, bench)


def note_found(run: CommandContext, bench: Workbench, answer: SearchResult, found: str, rest: str) -> None:
    """Say what was found in how much, or that nothing was, and what is not indexed yet (`rest`)."""
    passages, sources = (answer.searched.get(name, 0) for name in ("passages", "sources"))
    searched = f"{count_text(passages, 'passage')} of {count_text(sources, 'source')}"
    if found:
        run.out.note(f"{answer.rung}: {found} in {searched}, {answer.took_ms:.0f} ms")
        if rest:
            run.out.note(rest)
    elif rest:
        run.out.note(f"nothing found yet: {rest}")
    elif not passages:
        run.out.note(f"nothing is indexed for {bench.layout.root}; see: recall-tui index status")
    else:
        run.out.note(f"nothing found in {searched}; the memory: {bench.layout.root}")


def log_search(bench: Workbench, answer: SearchResult) -> None:
    """Keep the question for dreaming, when that is on; a log that cannot be written is no trouble of a search."""
    if bench.config.get("dream.enabled"):
        from recall_tui.storage.state import search_log

        with suppress(OSError):
            search_log.log_search(bench.store, answer)


def _print_hits(run: CommandContext, bench: Workbench, answer: SearchResult, *, is_explained: bool) -> None:
    from recall_tui.cli.hit_lines import print_hit
    from recall_tui.storage.state.last_search import FoundHit

    for place, hit in enumerate(answer.hits, 1):
        print_hit(run.out, place, hit, run.now(), is_explained=is_explained)
    number_hits(bench, (FoundHit(hit.document, hit.lines, hit.session_id, hit.id) for hit in answer.hits))


def number_hits(bench: Workbench, hits: Iterable[FoundHit]) -> None:
    """Let `@1`, `@2`, … name these hits; if they cannot be stored, the search has still answered."""
    from recall_tui.storage.state import last_search

    with suppress(OSError):
        last_search.save_hits(bench.store, hits)


def find_hits(bench: Workbench, query: str, call: SearchCall) -> SearchResult:
    """Return the hits of a query with the labels of their sessions; the index is searched as it is."""
    from recall_tui.search.session_labels import with_labels

    found = bench.search(
        query,
        limit=call.limit,
        passages=call.passages,
        sync=False,
        filters=call.filters,
        at=call.at,
        options=call.options,
    )
    return with_labels(bench.index, bench.store, found)


def count_text(number: int, one: str) -> str:
    """Return a number with its noun, such as `1,204 passages`."""
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"
