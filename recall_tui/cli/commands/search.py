"""Finding: `search`, ranked and in lines.

Whoever finds nothing is told what was searched.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from recall_tui import files
from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.output import one_line
from recall_tui.cli.search_options import add_filter_options, add_search_options, pop_filters, pop_options
from recall_tui.errors import RecallError, UsageError
from recall_tui.search.to_json import result_as_json

if TYPE_CHECKING:
    from recall_tui.domain import SearchResult
    from recall_tui.search.line_search import FileLines, LineSearchResult
    from recall_tui.search.query import Filters
    from recall_tui.storage.state.last_search import FoundHit
    from recall_tui.workbench import Workbench


@command()
@click.argument("words", nargs=-1, metavar="QUERY...")
@click.option("--ranked", is_flag=True, help="accepted for older scripts; has no effect")
@click.option("--lines", is_flag=True, help="find lines with exactly this text, in every Markdown document")
@click.option("-C", "--context", type=click.IntRange(0), metavar="N", help="with --lines: N lines of context")
@click.option("--limit", "--max-results", "--results", type=click.IntRange(1), default=10, help="maximum hits (10)")
@click.option("--passages", is_flag=True, help="list every passage instead of one hit per session or document")
@click.option("--explain", is_flag=True, help="show the reasons for each hit")
@click.option("--at", metavar="WHEN", help="the time of the question, for words such as yesterday")
@click.option("--no-sync", is_flag=True, help="do not update the index first")
@click.option("--batch", metavar="FILE|-", help="read one query per line, print one JSON document per line")
@add_search_options
@add_filter_options
def search(run: CommandContext, words: tuple[str, ...], batch: str | None, **options: Any) -> int | None:
    """Find the best matches in everything indexed; with --lines, lines with exactly this text.

    Filters work inside the query too: kind:memory since:1w "exact words" -without
    """
    filters, options["options"] = pop_options(options, pop_filters(run, options))
    options["at"] = run.since(options["at"])
    query = " ".join(words)
    if batch is not None:
        if query or not run.json or options["lines"]:
            raise UsageError("--batch goes with --json and without a QUERY or --lines")
        return _search_batch(run, batch, filters, options)
    if not query.strip():
        raise UsageError("the query is empty", hint='such as: recall-tui search "token refresh"')
    if options["lines"] or options["context"] is not None:
        return _search_lines(run, query, filters, options["context"] or 0)
    return _search_ranked(run, query, filters, options)


def _search_ranked(run: CommandContext, query: str, filters: Filters, options: Mapping[str, Any]) -> int | None:
    bench = run.open()
    rest = "" if options["no_sync"] else _sync_index(run, bench)
    answer = _run_search(bench, query, filters, options)
    log_search(bench, answer)
    if run.json:
        run.out.document(result_as_json(answer))
    else:
        _print_hits(run, bench, answer, is_explained=options["explain"])
    for note in answer.notes:
        run.out.note(one_line(note))
    found = f"{len(answer.hits)} of {answer.total}" if answer.hits else ""
    note_found(run, bench, answer, found, rest)
    if _has_joined(run, bench, answer):
        return _search_ranked(run, query, filters, {**options, "no_sync": True})
    return None if answer.hits else 1


def _has_joined(run: CommandContext, bench: Workbench, answer: SearchResult) -> bool:
    """Whether the person joined a folder that claims to be of the project, so that more can be found.

    Where nobody can be asked it is said when nothing was found.
    """
    from recall_tui.index.project_scope import includes_all_projects

    if run.json or includes_all_projects(bench.store) or (answer.hits and not run.out.can_ask):
        return False
    from recall_tui.cli.project_questions import offer_join

    return offer_join(run, bench, bench.index.session_counts())


def _sync_index(run: CommandContext, bench: Workbench) -> str:
    from recall_tui.cli.sync import try_sync_index

    return try_sync_index(run, bench)


def note_found(run: CommandContext, bench: Workbench, answer: SearchResult, found: str, rest: str) -> None:
    """Say what was found in how much, or that nothing was, and what is not indexed yet (`rest`)."""
    passages, sources = (answer.searched.get(name, 0) for name in ("passages", "sources"))
    searched = f"{_count(passages, 'passage')} of {_count(sources, 'source')}"
    if found:
        run.out.note(f"{answer.rung}: {found} in {searched}, {answer.took_ms:.0f} ms")
        if rest:
            run.out.note(rest)
    elif rest:
        run.out.note(f"nothing found yet: {rest}")
    elif not passages:
        run.out.note(f"nothing is indexed for {bench.layout.root}; see: recall-tui index status")
    else:
        run.out.note(f"nothing found for {bench.layout.root} in {searched}")


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


def _run_search(bench: Workbench, query: str, filters: Filters, options: Mapping[str, Any]) -> SearchResult:
    from recall_tui.search.session_labels import with_labels

    limit, is_single = options["limit"], options["passages"]
    more = {"filters": filters, "at": options["at"], "options": options["options"]}
    found = bench.search(query, limit=limit, passages=is_single, sync=False, **more)
    return with_labels(bench.index, bench.store, found)


def _search_batch(run: CommandContext, source: str, filters: Filters, options: Mapping[str, Any]) -> int | None:
    """Answer one query a line; a query that fails has its own `error`, and the others are answered."""
    queries = _read_queries(run, source)
    bench = run.open()
    if not options["no_sync"] and (rest := _sync_index(run, bench)):
        run.out.note(rest)
    has_failed = False
    for query in queries:
        try:
            document = result_as_json(_run_search(bench, query, filters, options))
        except RecallError as error:
            has_failed = True
            document = {"query": query, "error": error.message, "hits": []}
        run.out.row(document)
    return 1 if has_failed else None


def _read_queries(run: CommandContext, source: str) -> Iterator[str]:
    """The lines of the file, or of stdin, without their ends; a UsageError when there is no such file."""
    if source == "-":
        return map(_decode_query, sys.stdin.buffer)
    path = run.path(source, "--batch")
    if not path.is_file():
        raise UsageError(f"{path} is not a file", hint="--batch FILE, or - for stdin")
    return map(_decode_query, io.BytesIO(files.read_user_file(path)))


def _decode_query(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r\n")


def _search_lines(run: CommandContext, query: str, filters: Filters, context: int) -> int | None:
    from recall_tui.search.line_search import search_lines
    from recall_tui.search.query import parse_query

    bench = run.open()
    asked = parse_query(query, run.now())
    needle = " ".join(asked.words) if asked.filters else query
    answer = search_lines(bench.store, needle, context, filters.over(asked.filters))
    if run.json:
        run.out.document(_lines_as_json(query, answer))
    else:
        for place, file in enumerate(answer.files):
            _print_file(run, file, is_first=place == 0)
    for failure in answer.failed:
        run.out.warn(one_line(failure))
    searched = f"{_count(answer.searched, 'file')} of {bench.layout.root}"
    if not answer.matches:
        run.out.note(f"nothing found in {searched}; without --lines everything indexed is searched")
        return 1
    run.out.note(f"{_count(answer.matches, 'line')} in {len(answer.files)} of {searched}")
    return None


def _print_file(run: CommandContext, file: FileLines, *, is_first: bool) -> None:
    """The file's name, then its lines; `:` after the number marks a match, `-` a line around one."""
    from recall_tui.cli.hit_lines import highlight

    out = run.out
    if not is_first:
        out.line()
    out.line(out.style(one_line(file.document), bold=True))
    before = 0
    for row in file.rows:
        if before and row.number > before + 1:
            out.line(out.style("  --", dim=True))
        before = row.number
        if row.is_hit:
            out.line(f"{row.number:>4}: {highlight(out, row.text, row.spans)}")
        else:
            out.line(out.style(f"{row.number:>4}- {row.text}", dim=True))


def _lines_as_json(query: str, answer: LineSearchResult) -> dict[str, object]:
    files = [
        {
            "document": file.document,
            "lines": [
                {"line": row.number, "text": row.text, "is_hit": row.is_hit, "spans": row.spans} for row in file.rows
            ],
        }
        for file in answer.files
    ]
    facts = {"matches": answer.matches, "searched": answer.searched, "failed": answer.failed}
    return {"query": query, **facts, "files": files}


def _count(number: int, one: str) -> str:
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"
