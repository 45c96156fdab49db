"""The options of a search: one per query filter, and those of the published designs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from recall_tui.errors import UsageError

if TYPE_CHECKING:
    from recall_tui.cli.click_ext import CommandContext
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
        "--recency-depth", type=click.IntRange(0), default=2, metavar="N", help="number of newest weeks at the end (2)"
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


def add_search_options(function: Any) -> Any:
    """Add the search options to a command."""
    for option in reversed(_SEARCH_OPTIONS):
        function = option(function)
    return function


def pop_options(given: dict[str, Any], filters: Filters) -> tuple[Filters, SearchOptions]:
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
