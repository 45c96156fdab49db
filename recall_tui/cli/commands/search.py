"""Finding: `search`, ranked and in lines.

Whoever finds nothing is told what was searched.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from recall_tui import files
from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.output import one_line
from recall_tui.cli.search_options import add_filter_options, add_search_options, pop_filters, pop_options
from recall_tui.domain.documents import SourceRef
from recall_tui.errors import RecallError, UsageError
from recall_tui.search.to_json import result_as_json

if TYPE_CHECKING:
    from recall_tui.domain import Hit, SearchResult
    from recall_tui.search.line_search import FileLine, FileLines, LineSearchResult
    from recall_tui.search.query import Filters
    from recall_tui.workbench import Workbench


@command()
@click.argument("words", nargs=-1, metavar="QUERY...")
@click.option("--ranked", is_flag=True, help="rank everything indexed, best first (the default)")
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
        raise UsageError("the query is empty", hint='a query is missing, such as: recall-tui search "token refresh"')
    if options["ranked"] and options["lines"]:
        raise UsageError("--ranked and --lines are two kinds of search")
    if options["lines"] or (options["context"] is not None and not options["ranked"]):
        return _search_lines(run, query, filters, options["context"] or 0)
    return _search_ranked(run, query, filters, options)


def _search_ranked(run: CommandContext, query: str, filters: Filters, options: Mapping[str, Any]) -> int | None:
    bench = run.open()
    if not options["no_sync"]:
        _sync_index(run, bench)
    answer = _run_search(bench, query, filters, options)
    log_search(bench, answer)
    if run.json:
        run.out.document(result_as_json(answer))
    else:
        for place, hit in enumerate(answer.hits, 1):
            _print_hit(run, place, hit, is_explained=options["explain"])
    for note in answer.notes:
        run.out.note(one_line(note))
    searched = f"{answer.searched.get('passages', 0)} passages of {answer.searched.get('sources', 0)} sources"
    if answer.hits:
        run.out.note(f"{answer.rung}: {len(answer.hits)} of {answer.total} in {searched}, {answer.took_ms:.0f} ms")
    else:
        run.out.note(f"nothing found in {searched} of {bench.layout.root}")
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


def _sync_index(run: CommandContext, bench: Workbench) -> None:
    from recall_tui.cli.sync import try_sync_index

    try_sync_index(run, bench)


def log_search(bench: Workbench, answer: SearchResult) -> None:
    """Keep the question for dreaming, when that is on; a log that cannot be written is no trouble of a search."""
    if bench.config.get("dream.enabled"):
        from recall_tui.storage.state import search_log

        with suppress(OSError):
            search_log.log_search(bench.store, answer)


def _run_search(bench: Workbench, query: str, filters: Filters, options: Mapping[str, Any]) -> SearchResult:
    from recall_tui.search.ranking.titles import with_titles

    limit, is_single = options["limit"], options["passages"]
    more = {"filters": filters, "at": options["at"], "options": options["options"]}
    found = bench.search(query, limit=limit, passages=is_single, sync=False, **more)
    return with_titles(bench.index, found)


def _print_hit(run: CommandContext, place: int, hit: Hit, *, is_explained: bool) -> None:
    out = run.out
    where = str(SourceRef(one_line(hit.document), *hit.lines))
    date = f"{hit.date:%Y-%m-%d}  " if hit.date else ""
    out.line(f"{place:>3}. {out.style(one_line(hit.title), bold=True)}  {date}{hit.kind}  {hit.score:.2f}")
    out.line(f"     {out.style(where, fg='cyan')}" + (f"  {out.style(one_line(hit.heading))}" if hit.heading else ""))
    out.line(f"     {out.style(one_line(hit.snippet))}")
    if "validity" in hit.why:
        from recall_tui.search.ranking.claim_validity import validity_text

        out.line(f"     {out.style(validity_text(hit.why), dim=True)}")
    if is_explained:
        why = " · ".join(f"{name.replace('_', ' ')} {_reason_text(value)}" for name, value in hit.why.items() if value)
        out.line(f"     {out.style('why: ' + one_line(why), dim=True)}")
        out.line(f"     {out.style('id: ' + one_line(hit.id), dim=True)}")


def _reason_text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_reason_text(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_reason_text(part) for part in value)
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _search_batch(run: CommandContext, source: str, filters: Filters, options: Mapping[str, Any]) -> int | None:
    """Answer one query a line; a query that fails has its own `error`, and the others are answered."""
    queries = _read_queries(run, source)
    bench = run.open()
    if not options["no_sync"]:
        _sync_index(run, bench)
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
    searched = f"{answer.searched} files of {bench.layout.root}"
    if not answer.matches:
        run.out.note(f"nothing found in {searched}; without --lines everything indexed is searched")
        return 1
    run.out.note(f"{answer.matches} lines in {len(answer.files)} of {searched}")
    return None


def _print_file(run: CommandContext, file: FileLines, *, is_first: bool) -> None:
    """The file's name, then its lines; `:` after the number marks a match, `-` a line around one."""
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
            out.line(f"{row.number:>4}: {_highlight(run, row)}")
        else:
            out.line(out.style(f"{row.number:>4}- {row.text}", dim=True))


def _highlight(run: CommandContext, row: FileLine) -> str:
    """The line with what was looked for lit."""
    pieces, at = [], 0
    for start, end in row.spans:
        pieces += [run.out.style(row.text[at:start]), run.out.style(row.text[start:end], fg="yellow", bold=True)]
        at = end
    return "".join([*pieces, run.out.style(row.text[at:])])


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
