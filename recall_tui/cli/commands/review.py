"""What wants to change and waits for a person: `review`.

Nothing applies itself but the kinds that the setting `review.auto` names; what is accepted or dismissed here is taken
back by `undo`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from recall_tui.cli.click_ext import CliGroup, CommandContext
from recall_tui.cli.output import one_line
from recall_tui.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recall_tui.domain import Plan
    from recall_tui.features.curation.review import OpenProposal
    from recall_tui.workbench import Workbench

_dry_option = click.option("--dry-run", is_flag=True, help="preview the change without making it")


@click.group(cls=CliGroup, invoke_without_command=True)
@click.pass_context
def review(ctx: click.Context) -> None:
    """List, show, accept or dismiss proposals (default: list)."""
    if ctx.invoked_subcommand is None:
        _print_list(ctx.obj, is_all=False)


@review.command("list")
@click.option("--all", "is_all", is_flag=True, help="include accepted and dismissed proposals")
@click.pass_obj
def list_(run: CommandContext, is_all: bool) -> None:
    """List the open proposals, newest first."""
    _print_list(run, is_all=is_all)


@review.command()
@click.argument("reference", metavar="ID")
@click.pass_obj
def show(run: CommandContext, reference: str) -> None:
    """Print a proposal's changes, reasons and sources."""
    from recall_tui.features.curation import review as reviewing
    from recall_tui.storage.state import proposals

    bench = run.open()
    one = reviewing.get_proposal(bench.store, reference)
    patch = run.diff(proposals.preview_plan(bench.store, one.proposal))
    if run.json:
        run.out.document({**_proposal_as_json(one), "diff": patch})
        return
    _print_proposal(run, bench, one)
    run.out.line()
    run.out.patch(patch)
    if not one.why_not:
        run.out.note(f"accept it with: recall-tui review accept {one.proposal.id}")
    way = "keep the copy, and have it wait no more" if one.copy else "never propose it again"
    run.out.note(f"{way}: recall-tui review dismiss {one.proposal.id}")


@review.command()
@click.argument("references", nargs=-1, metavar="[ID]...")
@click.option("--safe", is_flag=True, help="accept every proposal that loses nothing")
@click.option("--only", multiple=True, metavar="PATH", help="only this document of the proposal; repeatable")
@_dry_option
@click.pass_obj
def accept(run: CommandContext, references: tuple[str, ...], safe: bool, only: tuple[str, ...], dry_run: bool) -> None:
    """Apply proposals as one change."""
    from recall_tui.features.curation import review as reviewing

    if safe == bool(references) or (safe and only):
        raise UsageError("name proposals, or say --safe", hint="see: recall-tui review list")
    bench = run.open()
    if safe:
        _apply_decision(run, bench, bench.preview(reviewing.accept_safe), dry_run, reviewing.accept_safe)
        return
    words = (references, only or None)
    _apply_decision(run, bench, bench.preview(reviewing.accept, *words), dry_run, reviewing.accept, *words)


@review.command()
@click.argument("references", nargs=-1, required=True, metavar="ID...")
@_dry_option
@click.pass_obj
def dismiss(run: CommandContext, references: tuple[str, ...], dry_run: bool) -> None:
    """Dismiss proposals; the same ones are not proposed again."""
    from recall_tui.features.curation import review as reviewing

    bench = run.open()
    _apply_decision(run, bench, bench.preview(reviewing.dismiss, references), dry_run, reviewing.dismiss, references)


@review.command()
@click.argument("references", nargs=-1, required=True, metavar="ID...")
@_dry_option
@click.pass_obj
def restore(run: CommandContext, references: tuple[str, ...], dry_run: bool) -> None:
    """Reopen dismissed proposals."""
    from recall_tui.features.curation import review as reviewing

    bench = run.open()
    _apply_decision(run, bench, bench.preview(reviewing.restore, references), dry_run, reviewing.restore, references)


def _apply_decision(run: CommandContext, bench: Workbench, seen: Plan, dry_run: bool, verb: Any, *words: Any) -> None:
    from recall_tui.features.curation.review import document_plan

    if dry_run:
        run.show(document_plan(bench.store, seen))
        return
    run.report(bench.apply(verb, *words), nothing=seen.title)
    for note in seen.notes:
        run.out.note(one_line(note))


def _print_list(run: CommandContext, *, is_all: bool) -> None:
    from recall_tui.features.curation import review as reviewing
    from recall_tui.text.dates import relative_time

    bench = run.open()
    found = list(reviewing.open_proposals(bench.store))
    if is_all:
        found += [reviewing.inspect_proposal(bench.store, one) for one in reviewing.closed_proposals(bench.store)]
    if run.json:
        run.out.document({"proposals": [_proposal_as_json(one) for one in found]})
        return
    if not found:
        run.out.note(f"{reviewing.EMPTY_MESSAGE} {reviewing.SOURCES_MESSAGE}")
        return
    now = bench.store.now()
    rows = [
        (
            one.proposal.id,
            one.proposal.kind,
            relative_time(one.proposal.made_at, now) if one.proposal.made_at else "",
            _state_label(one),
            one.proposal.title,
        )
        for one in found
    ]
    run.out.table(("id", "kind", "made", "state", "what"), rows)
    run.out.note("look with: recall-tui review show ID (or: accept ID, accept --safe, dismiss ID)")


def _state_label(one: OpenProposal) -> str:
    if one.proposal.fate != "open":
        return "applied itself" if one.proposal.is_by_itself else one.proposal.fate
    if one.why_not:
        return "stale" if one.stale else "stuck"
    return "safe" if one.proposal.is_safe else "look"


def _print_proposal(run: CommandContext, bench: Workbench, one: OpenProposal) -> None:
    from recall_tui.text.dates import relative_time

    told = one.proposal
    made = f", {relative_time(told.made_at, bench.store.now())}" if told.made_at else ""
    run.out.line(run.out.style(one_line(told.title), bold=True))
    run.out.line(run.out.style(f"{told.id}  {one_line(told.kind)}{made}, {_state_label(one)}"))
    run.out.line(run.out.style(one_line(told.why)))
    _print_lines(run, "from", told.evidence)
    _print_lines(run, "document", [f"{document.path} ({document.state})" for document in one.documents])
    if one.why_not:
        run.out.warn(one_line(one.why_not))


def _print_lines(run: CommandContext, head: str, lines: Sequence[str]) -> None:
    for line in lines:
        run.out.line(run.out.style(f"{head:<8}  {one_line(line)}"))


def _proposal_as_json(one: OpenProposal) -> dict[str, object]:
    told = one.proposal
    return {
        "id": told.id,
        "kind": told.kind,
        "subject": told.subject,
        "title": told.title,
        "why": told.why,
        "evidence": told.evidence,
        "is_safe": told.is_safe,
        "is_stale": bool(one.stale),
        "made_at": told.made_at,
        "fate": told.fate,
        "is_by_itself": told.is_by_itself,
        "documents": [{"path": document.path, "state": document.state} for document in one.documents],
        "copy": None if one.copy is None else {"of": one.copy.of.name, "own_lines": one.copy.own_lines},
    }
