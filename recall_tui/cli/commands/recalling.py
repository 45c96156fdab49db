"""`recall`: what this memory knows about a question, in its own words and with its sources.

Without a question it prints what the next session is given: the master in layout project, elsewhere what a hook would
hand over.
"""

from __future__ import annotations

import click

from recall_tui.cli.commands.synthesizing import print_master, scoped_bench
from recall_tui.cli.frame import Run, command
from recall_tui.cli.output import one_line
from recall_tui.cli.syncing import synced_if_possible
from recall_tui.lifecycle.excerpt import passage_text
from recall_tui.lifecycle.recall import Extract, extracts
from recall_tui.workbench import Workbench

_IN_SCOPE = 20
"""Times as many hits are looked at when only those of a scope are wanted."""


@command()
@click.argument("words", nargs=-1, metavar="[QUERY]...")
@click.option("--raw", is_flag=True, help="the hits as search --ranked prints them")
@click.option("--since", metavar="WHEN", help="only what was said since, such as 1w")
@click.option("--limit", type=click.IntRange(1), default=5, help="passages at most (5)")
@click.option("--tokens", type=click.IntRange(50), default=1500, help="tokens at most (1500)")
@click.option("--no-sync", is_flag=True, help="search the index as it is")
@click.option("--scope", metavar="NAME", help="of a part of the project: a folder in _memory/")
def recall(
    run: Run,
    words: tuple[str, ...],
    raw: bool,
    since: str | None,
    limit: int,
    tokens: int,
    no_sync: bool,
    scope: str | None,
) -> int | None:
    """Print the passages that answer a question, each with where it is from; without one, what is handed over."""
    bench = run.open()
    inside = scoped_bench(bench, scope)
    query = " ".join(words)
    if not query.strip():
        return _handed_over(run, inside)
    from recall_tui.search.query import filters_from

    filters = filters_from({"since": since} if since else {}, run.now())
    if not no_sync:
        synced_if_possible(run, bench)
    answer = bench.search(query, limit=_IN_SCOPE * limit if scope else limit, sync=False, filters=filters)
    hits = answer.hits
    if scope:
        folder = f"{bench.store.relative(inside.layout.base)}/"
        hits = tuple(hit for hit in hits if hit.document.startswith(folder))[:limit]
    found = extracts(hits, lambda hit: "" if raw else passage_text(bench.store, bench.index, hit), tokens)
    if run.json:
        run.out.document({"query": query, "synthesis": None, "extracts": [_as_json(one) for one in found]})
    for place, one in enumerate(found if not run.json else (), 1):
        run.out.line(run.out.style(f"{place}. {one_line(one.title)}", bold=True))
        for line in one.text.split("\n"):
            run.out.line(f"   {run.out.style(line)}".rstrip())
        run.out.line(f"   — {one_line(one.citation)}\n")
    searched = f"{answer.searched.get('passages', 0)} passages of {answer.searched.get('sources', 0)} sources"
    if not found:
        run.out.note(f"nothing relevant found in {searched} of {bench.layout.root}")
        return 1
    run.out.note(f"{answer.rung}: {len(found)} of {answer.total} in {searched}")
    return None


def _handed_over(run: Run, bench: Workbench) -> int | None:
    """Print the master in layout project, elsewhere what a session that starts now would be given; 1 for nothing."""
    from recall_tui.lifecycle.injection import injection

    if bench.layout.name == "project":
        return print_master(run, bench)
    given = injection(bench.store)
    text, items, tokens = given.text, given.items, given.tokens
    if run.json:
        rows = [
            {"kind": one.kind, "what": one.what, "tokens": one.tokens, "is_given": one.is_given, "why": one.why}
            for one in items
        ]
        run.out.document({"query": "", "text": text, "tokens": tokens, "items": rows})
    elif text:
        run.out.exact(text + "\n")
    if text:
        if items:
            left = sum(not one.is_given for one in items)
            run.out.note(f"about {tokens} tokens" + (f"; {left} left out" if left else ""))
        return None
    run.out.note(items[0].why if items else "nothing is handed over yet; see: recall-tui archive --help")
    return 1


def _as_json(one: Extract) -> dict[str, object]:
    return {
        "text": one.text,
        "document": one.document,
        "lines": one.lines,
        "title": one.title,
        "date": one.date,
        "session_id": one.session_id,
    }
