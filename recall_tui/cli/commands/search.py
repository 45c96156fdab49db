"""`search`: its options, many queries at once, and exact lines."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from recall_tui import files
from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.output import one_line
from recall_tui.cli.ranked_search import (
    DEFAULT_LIMIT,
    DEFAULT_RECENCY_DEPTH,
    SearchCall,
    count_text,
    find_hits,
    search_ranked,
    sync_before,
)
from recall_tui.errors import RecallError, UsageError
from recall_tui.search.to_json import result_as_json

if TYPE_CHECKING:
    from recall_tui.search.line_search import FileLines, LineSearchResult
    from recall_tui.search.query import Filters, SearchOptions


_DEFAULT_CHUNKS, _DEFAULT_TOKENS = 3, 500
_WEIGHT_RANGE = click.FloatRange(0, 10)
_SEARCH_OPTIONS = (
    click.option(
        "--max-chunks", type=click.IntRange(1), metavar="N", help="with --json: include the text of N passages (3)"
    ),
    click.option(
        "--max-tokens", type=click.IntRange(1), metavar="N", help="with --json: maximum tokens of text per hit (500)"
    ),
    click.option(
        "--recency-depth",
        type=click.IntRange(0),
        default=DEFAULT_RECENCY_DEPTH,
        metavar="N",
        help="number of newest weeks at the end (2)",
    ),
    click.option("--typed-memory-boost", type=_WEIGHT_RANGE, metavar="N", help="weight of typed memories' names (1.2)"),
    click.option("--wiki-boost", type=_WEIGHT_RANGE, metavar="N", help="weight of wiki pages (wiki.score_boost)"),
    click.option("--no-wiki-boost", is_flag=True, help="wiki pages weigh as much as evidence"),
    click.option("--wiki-only", is_flag=True, help="only wiki pages"),
    click.option("--no-wiki", is_flag=True, help="no wiki pages"),
)
_FILTER_HELP = {
    "kind": "conversation, prompt, reply, tool, memory, topic, window, wiki, …; several with commas",
    "project": "this project",
    "agent": "this agent, such as claude",
    "session": "the session whose id starts with this",
    "tool": "passages that use this tool",
    "file": "passages that touch this file",
    "branch": "this branch",
    "source": "archives from this source",
    "topic": "archives and pages with this topic",
    "since": "since then: 12h, 2d, 1w, today, yesterday, 2026-03, 2026-03-06",
    "until": "until then, in the same forms",
}


def add_filter_options(function: Any) -> Any:
    """Add the option of each filter to a command."""
    for name, text in reversed(_FILTER_HELP.items()):
        function = click.option(f"--{name}", metavar="VALUE", help=f"only {text}")(function)
    return function


def pop_filters(run: CommandContext, options: dict[str, Any]) -> Filters:
    """Remove the filters from a command's options and parse them; UsageError for an invalid value."""
    from recall_tui.search.query import parse_filters

    given = {name: options.pop(name) for name in _FILTER_HELP}
    return parse_filters({name: value for name, value in given.items() if value is not None}, run.now())


def _add_search_options(function: Any) -> Any:
    """Add the search options to a command."""
    for option in reversed(_SEARCH_OPTIONS):
        function = option(function)
    return function


@command()
@click.argument("words", nargs=-1, metavar="QUERY...")
@click.option("--ranked", is_flag=True, help="accepted for older scripts; -C has no effect with it")
@click.option("--lines", is_flag=True, help="find lines with exactly this text, in every Markdown document")
@click.option("-C", "--context", type=click.IntRange(0), metavar="N", help="with --lines: N lines of context")
@click.option(
    "--limit",
    "--max-results",
    "--results",
    type=click.IntRange(1),
    default=DEFAULT_LIMIT,
    metavar="N",
    help="maximum hits (10)",
)
@click.option("--passages", is_flag=True, help="list every passage instead of one hit per session or document")
@click.option("--explain", is_flag=True, help="show the reasons for each hit")
@click.option("--at", metavar="WHEN", help="the time of the question, for words such as yesterday")
@click.option("--no-sync", is_flag=True, help="do not update the index first")
@click.option("--batch", metavar="FILE|-", help="read one query per line, print one JSON document per line")
@_add_search_options
@add_filter_options
def search(
    run: CommandContext, words: tuple[str, ...], batch: str | None, lines: bool, context: int | None, **given: Any
) -> int | None:
    """Find the best matches in everything indexed; with --lines, lines with exactly this text.

    Filters work inside the query too: kind:memory since:1w "exact words" -without
    """
    is_ranked = given.pop("ranked")
    filters, options = _pop_options(given, pop_filters(run, given))
    at, limit = run.since(given["at"]), given["limit"]
    call = SearchCall(filters, options, at, limit, given["passages"], given["explain"], given["no_sync"])
    query = " ".join(words)
    if batch is not None:
        if query or not run.json or lines:
            raise UsageError("--batch goes with --json and without a QUERY or --lines")
        return _search_batch(run, batch, call)
    if not query.strip():
        raise UsageError("the query is empty", hint='such as: recall-tui search "token refresh"')
    # Scripts of recall-echo name the context in ranked searches, too, where it has no meaning.
    if lines or (context is not None and not is_ranked):
        return _search_lines(run, query, filters, context or 0)
    return search_ranked(run, query, call)


def _pop_options(given: dict[str, Any], filters: Filters) -> tuple[Filters, SearchOptions]:
    """Remove the search options from a command's options and parse them with the filters; UsageError for conflicts."""
    from recall_tui.search.query import TYPED_MEMORY_BOOST, SearchOptions

    chunks, tokens = given.pop("max_chunks"), given.pop("max_tokens")
    typed, boost = given.pop("typed_memory_boost"), given.pop("wiki_boost")
    is_flat, is_only, is_without = (given.pop(name) for name in ("no_wiki_boost", "wiki_only", "no_wiki"))
    if is_only and is_without:
        raise UsageError("--wiki-only and --no-wiki leave nothing to search")
    if is_flat and boost is not None:
        raise UsageError("--wiki-boost and --no-wiki-boost say different things")
    has_text = chunks is not None or tokens is not None
    return filters._replace(kinds=("wiki",)) if is_only else filters, SearchOptions(
        typed_boost=TYPED_MEMORY_BOOST if typed is None else typed,
        wiki_boost=1.0 if is_flat else boost,
        without_wiki=is_without,
        recency_depth=given.pop("recency_depth"),
        max_chunks=(chunks or _DEFAULT_CHUNKS) if has_text else 0,
        max_tokens=tokens or _DEFAULT_TOKENS,
    )


def _search_batch(run: CommandContext, source: str, call: SearchCall) -> int | None:
    """Answer one query a line; a query that fails has its own `error`, and the others are answered."""
    queries = _read_queries(run, source)
    bench = run.open()
    if not call.no_sync and (rest := sync_before(run, bench)):
        run.out.note(rest)
    has_failed = False
    for query in queries:
        try:
            document = result_as_json(find_hits(bench, query, call))
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
    searched = f"{count_text(answer.searched, 'file')} of {bench.layout.root}"
    if not answer.matches:
        run.out.note(f"nothing found in {searched}; without --lines everything indexed is searched")
        return 1
    run.out.note(f"{count_text(answer.matches, 'line')} in {len(answer.files)} of {searched}")
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
