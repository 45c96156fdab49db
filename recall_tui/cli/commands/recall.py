"""`recall`: what this memory knows about a question, with its sources: a model's answer, or the passages themselves.

Without a model, or when it fails, the passages that were found are the answer, in their own words. Without a question
it prints what the next session is given: the master in layout project, elsewhere what a hook would hand over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import Run, command
from recall_tui.cli.commands.search import noted
from recall_tui.cli.commands.synthesize import print_master, scoped_bench
from recall_tui.cli.model_option import is_offered
from recall_tui.cli.output import one_line
from recall_tui.cli.sync import synced_if_possible
from recall_tui.features.context.passages import Extract, extracts
from recall_tui.features.documents.excerpt import passage_text
from recall_tui.workbench import Workbench

_EVIDENCE = 3
"""Passages that a model is shown for each that is printed: of one session there may be several."""

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recall_tui.domain import Answer, Hit
    from recall_tui.features.context.answer import Answered
_IN_SCOPE = 20
"""Times as many hits are looked at when only those of a scope are wanted."""


@command()
@click.argument("words", nargs=-1, metavar="[QUERY]...")
@click.option("--raw", is_flag=True, help="the hits as search --ranked prints them; no model is asked")
@click.option("--since", metavar="WHEN", help="only what was said since, such as 1w")
@click.option("--limit", type=click.IntRange(1), default=5, help="passages at most (5)")
@click.option("--tokens", type=click.IntRange(50), default=1500, help="tokens at most (1500)")
@click.option("--timeout", type=click.FloatRange(0.1), metavar="S", help="seconds that a model may take at most")
@click.option("--no-sync", is_flag=True, help="search the index as it is")
@click.option("--scope", metavar="NAME", help="of a part of the project: a folder in _memory/")
def recall(
    run: Run,
    words: tuple[str, ...],
    raw: bool,
    since: str | None,
    limit: int,
    tokens: int,
    timeout: float | None,
    no_sync: bool,
    scope: str | None,
) -> int | None:
    """Answer a question from memory, each claim with where it is from; without one, print what is handed over.

    A model answers when one is configured, and Ctrl-C stops it; without an answer of it, the passages are printed.
    """
    bench = run.open()
    inside = scoped_bench(bench, scope)
    query = " ".join(words)
    if not query.strip():
        return _handed_over(run, inside)
    from recall_tui.search.query import filters_from
    from recall_tui.search.ranking.titles import titled

    filters = filters_from({"since": since} if since else {}, run.now())
    if not no_sync:
        synced_if_possible(run, bench)
    most = _IN_SCOPE * limit if scope else limit
    answer = titled(bench.index, bench.search(query, limit=most, sync=False, filters=filters))
    noted(bench, answer)
    hits = _inside(bench, inside, answer.hits)[:limit]
    found = extracts(hits, lambda hit: "" if raw else passage_text(bench.store, bench.index, hit), tokens)
    said = None
    if found and not raw and is_offered(run, bench.store, "synthesis"):
        more = bench.search(query, limit=most * _EVIDENCE, passages=True, sync=False, filters=filters)
        known = {hit.id: hit for hit in (*hits, *_inside(bench, inside, more.hits)[: limit * _EVIDENCE])}
        evidence = extracts(tuple(known.values()), lambda hit: passage_text(bench.store, bench.index, hit), tokens)
        if said := _answered(run, bench, query, evidence, timeout):
            found = evidence
    return _told(run, bench, answer, said, found)


def _told(run: Run, bench: Workbench, answer: Answer, said: Answered | None, found: Sequence[Extract]) -> int | None:
    """Print what was found, and say in how much; 1 when nothing was."""
    if run.json:
        run.out.document(_document(answer.query, said, found))
    elif said and said.claims:
        _print_answer(run, said, found)
    elif not said:
        _print_extracts(run, found)
    searched = f"{answer.searched.get('passages', 0)} passages of {answer.searched.get('sources', 0)} sources"
    if not found:
        run.out.note(f"nothing relevant found in {searched} of {bench.layout.root}")
        return 1
    if said and not said.claims:
        run.out.note(f"nothing relevant, says the model, in the {len(found)} best passages; --raw prints them")
        return 1
    run.out.note(f"{answer.rung}: {len(found)} of {answer.total} in {searched}")
    return None


def _answered(
    run: Run, bench: Workbench, query: str, found: Sequence[Extract], timeout: float | None
) -> Answered | None:
    """What a model says to it; None when it has no answer, which is said in a line."""
    from recall_tui.cli.sigint import stoppable
    from recall_tui.features.context import answer as answering
    from recall_tui.llm.model import Failure

    run.out.note("asking the model; Ctrl-C prints the passages without it")
    until = None if timeout is None else run.stopwatch() + timeout
    with stoppable() as is_pressed:

        def is_over() -> bool:
            return is_pressed() or (until is not None and run.stopwatch() > until)

        said = answering.answered(bench.store, query, found, is_cancelled=is_over)
        if isinstance(said, Failure):
            is_late = is_over() and not is_pressed()
            why = f"no answer within {timeout:g} seconds" if is_late else said.reason
            run.out.note(one_line(f"the passages without a model's answer: {why}"))
            return None
    if said.dropped:
        run.out.detail(f"{said.dropped} claims that the passages do not hold are left out")
    return said


def _print_answer(run: Run, said: Answered, found: Sequence[Extract]) -> None:
    """Print the claims, and where what they cite is from."""
    for claim in said.claims:
        run.out.line(f"- {run.out.style(one_line(claim.cited))}")
    run.out.line()
    for number in sorted({number for claim in said.claims for number in claim.evidence}):
        run.out.line(f"[{number}] {run.out.style(one_line(found[number - 1].citation))}")


def _print_extracts(run: Run, found: Sequence[Extract]) -> None:
    """Print the passages as they were said, each with where it is from."""
    for place, one in enumerate(found, 1):
        run.out.line(run.out.style(f"{place}. {one_line(one.title)}", bold=True))
        for line in one.text.split("\n"):
            run.out.line(f"   {run.out.style(line)}".rstrip())
        run.out.line(f"   — {one_line(one.citation)}\n")


def _document(query: str, said: Answered | None, found: Sequence[Extract]) -> dict[str, object]:
    """The answer as `--json` prints it; claims name their passages by place in `extracts`, from 1."""
    claims = [{"text": claim.text, "evidence": claim.evidence} for claim in said.claims] if said else []
    return {
        "query": query,
        "synthesis": said.text or None if said else None,
        "claims": claims,
        "is_irrelevant": bool(said and said.is_irrelevant),
        "extracts": [_as_json(one) for one in found],
    }


def _inside(bench: Workbench, inside: Workbench, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Those of the hits that are of the scope; all of them when there is none."""
    if inside is bench:
        return hits
    folder = f"{bench.store.relative(inside.layout.base)}/"
    return tuple(hit for hit in hits if hit.document.startswith(folder))


def _handed_over(run: Run, bench: Workbench) -> int | None:
    """Print the master in layout project, elsewhere what a session that starts now would be given; 1 for nothing."""
    from recall_tui.features.context.session_context import injection

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
        run.out.text(text + "\n")
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
