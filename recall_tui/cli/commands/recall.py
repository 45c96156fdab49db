"""`recall`: what this memory knows about a question, with its sources: a model's answer, or the passages themselves.

Without a model, or when it fails, the passages that were found are the answer, in their own words. Without a question
it prints what the next session is given: the master in layout project, elsewhere what a hook would hand over.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.commands.synthesize import print_master, scoped_workbench
from recall_tui.cli.model_option import has_model
from recall_tui.cli.output import one_line
from recall_tui.cli.ranked_search import log_search, note_found, number_hits
from recall_tui.cli.sync import try_sync_index
from recall_tui.features.context.passages import RecallPassage, answering_hits, select_passages
from recall_tui.features.documents.excerpt import look_up_passage, passage_text
from recall_tui.workbench import Workbench

_EVIDENCE_FACTOR = 3
"""Passages that a model is shown for each that is printed: of one session there may be several."""

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from recall_tui.domain import Hit, SearchResult
    from recall_tui.features.context.answer import RecallAnswer
_SPARE_FACTOR = 2
"""Times as many hits are looked at as are printed: a question is no answer."""
_SCOPE_FACTOR = 20
"""Times as many hits are looked at when only those of a scope are wanted."""


@command()
@click.argument("words", nargs=-1, metavar="[QUERY]...")
@click.option("--raw", is_flag=True, help="print hits like search; no model is asked")
@click.option("-s", "--since", metavar="WHEN", help="only text since then, such as 1w")
@click.option("-p", "--project", metavar="P", help="only this project, by name")
@click.option("-n", "--limit", type=click.IntRange(1), default=5, metavar="N", help="maximum passages (5)")
@click.option("--tokens", type=click.IntRange(50), default=1500, metavar="N", help="maximum tokens (1500)")
@click.option("--timeout", type=click.FloatRange(0.1), metavar="S", help="maximum seconds for a model")
@click.option("--no-sync", is_flag=True, help="do not update the index first")
@click.option("--scope", metavar="NAME", help="limit to a part of the project: a folder in _memory/")
def recall(
    run: CommandContext,
    words: tuple[str, ...],
    raw: bool,
    since: str | None,
    project: str | None,
    limit: int,
    tokens: int,
    timeout: float | None,
    no_sync: bool,
    scope: str | None,
) -> int | None:
    """Answer a question from memory, with the source of each claim; without one, print the next session's context.

    A configured model answers, and Ctrl-C stops it; otherwise the best passages are printed.
    """
    bench = run.open()
    inside = scoped_workbench(bench, scope)
    query = " ".join(words)
    if not query.strip():
        return _print_context(run, inside)
    from recall_tui.search.query import parse_filters
    from recall_tui.search.session_labels import with_labels

    given = {"since": since, "project": project}
    filters = parse_filters({name: value for name, value in given.items() if value is not None}, run.now())
    rest = "" if no_sync else try_sync_index(run, bench)
    most = (_SCOPE_FACTOR if scope else 1 if raw else _SPARE_FACTOR) * limit
    answer = with_labels(bench.index, bench.store, bench.search(query, limit=most, sync=False, filters=filters))
    log_search(bench, answer)
    hits = _hits_in_scope(bench, inside, answer.hits)
    if not raw:
        look_up = look_up_passage(bench.store, bench.index)
        hits = tuple(islice(answering_hits(hits, look_up), limit))
        if len(hits) < limit:
            wide = bench.search(query, limit=most * _EVIDENCE_FACTOR, passages=True, sync=False, filters=filters)
            more = with_labels(bench.index, bench.store, wide)
            others = _hits_in_scope(bench, inside, more.hits)
            hits = tuple(islice(answering_hits((*hits, *others), look_up), limit))
    hits = hits[:limit]
    found = select_passages(hits, lambda hit: "" if raw else passage_text(bench.store, bench.index, hit), tokens)
    said = None
    if found and not raw and has_model(run, bench.store, "synthesis"):
        more = bench.search(query, limit=most * _EVIDENCE_FACTOR, passages=True, sync=False, filters=filters)
        known = {hit.id: hit for hit in (*hits, *_hits_in_scope(bench, inside, more.hits)[: limit * _EVIDENCE_FACTOR])}
        evidence = select_passages(
            tuple(known.values()), lambda hit: passage_text(bench.store, bench.index, hit), tokens
        )
        if said := _ask_model(run, bench, query, evidence, timeout):
            found = evidence
    return _print_result(run, bench, answer, said, found, rest)


def _print_result(
    run: CommandContext,
    bench: Workbench,
    answer: SearchResult,
    said: RecallAnswer | None,
    found: Sequence[RecallPassage],
    rest: str,
) -> int | None:
    """Print what was found, and say in how much; 1 when nothing was. `rest` is what is not indexed yet, in words."""
    from recall_tui.cli.hit_lines import matched_words
    from recall_tui.storage.state.last_search import FoundHit

    if run.json:
        run.out.document(_answer_as_json(answer.query, said, found))
    elif said and said.claims:
        _print_answer(run, said, found)
    elif not said:
        _print_passages(run, found, matched_words(answer.hits))
    if not run.json:
        number_hits(bench, (FoundHit(one.document, one.lines, one.session_id) for one in found))
    if said and not said.claims:
        run.out.note(f"nothing relevant, says the model, in the {len(found)} best passages; --raw prints them")
        return 1
    documents = len({one.document for one in found})
    many = f"{len(found)} passage{'' if len(found) == 1 else 's'}"
    count = f"{many} of {documents} document{'' if documents == 1 else 's'}," if found else ""
    note_found(run, bench, answer, count, rest)
    return None if found else 1


def _ask_model(
    run: CommandContext, bench: Workbench, query: str, found: Sequence[RecallPassage], timeout: float | None
) -> RecallAnswer | None:
    """What a model says to it; None when it has no answer, which is said in a line."""
    from recall_tui.cli.sigint import catch_interrupt
    from recall_tui.features.context import answer
    from recall_tui.llm.model import Failure

    run.out.note("asking the model; Ctrl-C prints the passages without it")
    until = None if timeout is None else run.stopwatch() + timeout
    with catch_interrupt() as is_pressed:

        def is_over() -> bool:
            return is_pressed() or (until is not None and run.stopwatch() > until)

        said = answer.answer_question(bench.store, query, found, is_cancelled=is_over)
        if isinstance(said, Failure):
            is_late = is_over() and not is_pressed()
            why = f"no answer within {timeout:g} seconds" if is_late else said.reason
            run.out.note(one_line(f"the passages without a model's answer: {why}"))
            return None
    if said.dropped:
        run.out.detail(f"{said.dropped} claims that the passages do not hold are left out")
    return said


def _print_answer(run: CommandContext, said: RecallAnswer, found: Sequence[RecallPassage]) -> None:
    """Print the claims, and where what they cite is from."""
    for claim in said.claims:
        run.out.line(f"- {run.out.style(one_line(claim.cited))}")
    run.out.line()
    for number in sorted({number for claim in said.claims for number in claim.evidence}):
        run.out.line(f"[{number}] {run.out.style(one_line(found[number - 1].citation))}")


def _print_passages(run: CommandContext, found: Sequence[RecallPassage], words: Collection[str]) -> None:
    """Print the passages as they were said, each with where it is from."""
    from recall_tui.cli.hit_lines import print_text, print_title
    from recall_tui.text.session_line import SEPARATOR, session_facts

    for place, one in enumerate(found, 1):
        facts = session_facts(one.label, run.now()) if one.label is not None else ""
        print_title(run.out, place, one.title or one.document, facts and SEPARATOR + facts)
        print_text(run.out, one.text, words)
        run.out.line(f"     — {one_line(one.citation)}\n")


def _answer_as_json(query: str, said: RecallAnswer | None, found: Sequence[RecallPassage]) -> dict[str, object]:
    """The answer as `--json` prints it; claims name their passages by place in `extracts`, from 1."""
    claims = [{"text": claim.text, "evidence": claim.evidence} for claim in said.claims] if said else []
    return {
        "query": query,
        "synthesis": said.text or None if said else None,
        "claims": claims,
        "is_irrelevant": bool(said and said.is_irrelevant),
        "extracts": [_passage_as_json(one) for one in found],
    }


def _hits_in_scope(bench: Workbench, inside: Workbench, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Those of the hits that are of the scope; all of them when there is none."""
    if inside is bench:
        return hits
    folder = f"{bench.store.relative(inside.layout.base)}/"
    return tuple(hit for hit in hits if hit.document.startswith(folder))


def _print_context(run: CommandContext, bench: Workbench) -> int | None:
    """Print the master in layout project, elsewhere what a session that starts now would be given; 1 for nothing."""
    from recall_tui.features.context.session_context import build_context

    if bench.layout.design.starts_from_master:
        return print_master(run, bench)
    given = build_context(bench.store)
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


def _passage_as_json(one: RecallPassage) -> dict[str, object]:
    return {
        "text": one.text,
        "document": one.document,
        "lines": one.lines,
        "title": one.title,
        "date": one.date,
        "session_id": one.session_id,
    }
