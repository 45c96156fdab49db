"""`synthesize`: what is new in the summaries, taken into the master; and the master as `recall` prints it.

Nothing is written before a person saw the change and said yes, or --yes did; where nobody looks it waits in review.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import CommandContext, change_as_json, command
from recall_tui.cli.output import one_line
from recall_tui.workbench import Workbench

if TYPE_CHECKING:
    from datetime import datetime

    from recall_tui.domain import Plan
    from recall_tui.features.summaries.synthesize import SynthesisDraft
    from recall_tui.storage.memory_context import Store

_EXIT_DECLINED = 1
"""The exit code when a person says no, and when there is nothing to synthesise."""


@command()
@click.option("--full", is_flag=True, help="rebuild from all summaries, not only new ones")
@click.option("--dry-run", is_flag=True, help="preview the change without making it")
@click.option("--yes", is_flag=True, help="skip the confirmation")
@click.option("--review", "to_review", is_flag=True, help="always put the change into review")
@click.option("--scope", metavar="NAME", help="for a part of the project: a folder in _memory/")
def synthesize(
    run: CommandContext, full: bool, dry_run: bool, yes: bool, to_review: bool, scope: str | None
) -> int | None:
    """Merge new summaries into the project's master page: by theme, with sources, checked against the project.

    Sources are the summaries, `_docs/`, git and the code. Lines and headings that you wrote stay. Without a terminal,
    the change waits in review.
    """
    from recall_tui.features.summaries import synthesize as synthesizing
    from recall_tui.features.summaries.continued_sessions import continued_note

    bench = scoped_workbench(run.open(), scope)
    made = _draft_master(run, bench.store, full=full)
    for broken in made.broken:
        run.out.warn(one_line(str(broken)))
    if note := continued_note(bench.store):
        run.out.note(one_line(note))
    seen = synthesizing.plan_master(bench.store, made)
    if not seen.edits:
        return _print_nothing(run, seen)
    if dry_run:
        _print_plan(run, bench, seen)
        if not run.json:
            run.out.note(one_line(f"{seen.title} (not done: --dry-run)"))
        return None
    if to_review or not (yes or _is_interactive(run)):
        _propose_master(run, bench.store, made)
        return None
    if not yes:
        _print_plan(run, bench, seen)
        if not run.out.asked("Write this?"):
            run.out.note("nothing was done")
            return _EXIT_DECLINED
    _write_master(run, bench, made, seen)
    return None


def _draft_master(run: CommandContext, store: Store, *, full: bool) -> SynthesisDraft:
    """The master as it would be; what is new is told by a model when there is one, until Ctrl-C is pressed."""
    from recall_tui.cli.sigint import catch_interrupt
    from recall_tui.features.summaries import synthesize as synthesizing
    from recall_tui.features.summaries.synthesis_state import count_new_summaries
    from recall_tui.llm.client import ModelClient

    with catch_interrupt() as is_pressed:
        if ModelClient(store).is_offered("synthesis") and (full or count_new_summaries(store)):
            run.out.note("asking the model for the master; Ctrl-C goes on without it")
        return synthesizing.draft_master(store, full=full, is_cancelled=is_pressed)


def scoped_workbench(bench: Workbench, scope: str | None, *, may_be_new: bool = False) -> Workbench:
    """The memory of a scope; without one the memory itself. UsageError for an unknown one, unless it may be new."""
    if not scope:
        return bench

    from recall_tui.storage.scopes import open_existing_scope, open_scope

    opened = (open_scope if may_be_new else open_existing_scope)(bench.store, scope)
    return Workbench(opened, f"{bench.why}; scope {scope}")


def print_master(run: CommandContext, bench: Workbench) -> int | None:
    """Print the master, and beside it how old it is; 1 when nothing was synthesised yet."""
    from recall_tui.features.summaries.synthesis_state import count_new_summaries
    from recall_tui.storage.documents import master_file
    from recall_tui.storage.files.atomic import read_text
    from recall_tui.storage.scopes import scopes_with_master

    text = read_text(bench.layout.master)
    is_empty = master_file.is_placeholder(text)
    shown = "" if is_empty else master_file.strip_note(text)
    day = master_file.find_synthesis_day(text)
    new = count_new_summaries(bench.store)
    if run.json:
        facts = {"last_synthesized": day or None, "new_summaries": new}
        run.out.document({"query": "", "text": shown, "tokens": -(-len(shown) // 4), "items": [], **facts})
    elif shown:
        run.out.text(shown + "\n")
    if is_empty:
        next_step = "recall-tui synthesize" if new else "/summarize, or recall-tui summarize, makes the first summary"
        waiting = f"; {_label_count(new)} wait" + "s" * (new == 1) if new else ""
        if parts := scopes_with_master(bench.layout):
            run.out.note(f"of a part of the project: recall-tui recall --scope {one_line(' or '.join(parts))}")
        record = master_file.find_record(text)
        if record and (read := len(record.summaries)) and not new:
            run.out.note(f"{_label_count(read)} read, and nothing in them is of use later: /summarize says more")
            return _EXIT_DECLINED
        whole = " of the whole project" if parts else ""
        run.out.note(f"nothing{whole} has been synthesised yet{waiting}: {next_step}")
        return _EXIT_DECLINED
    if said := age_label(day, new, run.now()):
        run.out.note(said)
    return None


def age_label(day: str, new: int, now: datetime) -> str:
    """How old the master is and what came since, such as `last synthesised 12 days ago, 3 new summaries since`."""
    from datetime import date

    parts = []
    try:
        days = (now.date() - date.fromisoformat(day)).days
        ago = {0: "today", 1: "yesterday"}.get(days, f"{days} days ago")
        parts.append(f"last synthesised {ago}" if days >= 0 else f"last synthesised on {day}")
    except ValueError:
        parts.append("nothing says when it was synthesised")
    if new:
        parts.append(f"{_label_count(new, 'new ')} since: recall-tui synthesize")
    return ", ".join(parts)


def _label_count(count: int, kind: str = "") -> str:
    return f"{count} {kind}summar{'y' if count == 1 else 'ies'}"


def _is_interactive(run: CommandContext) -> bool:
    """Whether there is a person to ask."""
    return run.out.is_terminal and not run.json and sys.stdin is not None and sys.stdin.isatty()


def _print_plan(run: CommandContext, bench: Workbench, seen: Plan) -> None:
    patch = run.diff(seen)
    if run.json:
        run.out.document({"title": seen.title, "diff": patch, "notes": seen.notes, "facts": seen.facts})
        return
    run.out.patch(patch)
    _print_notes(run, seen)


def _print_notes(run: CommandContext, seen: Plan) -> None:
    for note in seen.notes:
        run.out.note(one_line(note))


def _print_nothing(run: CommandContext, seen: Plan) -> int | None:
    if run.json:
        run.out.document({"change": None, "message": seen.title, "notes": seen.notes, **seen.facts})
    else:
        run.out.note(one_line(seen.title))
        _print_notes(run, seen)
    return None


def _propose_master(run: CommandContext, store: Store, made: SynthesisDraft) -> None:
    from recall_tui.features.summaries.synthesize import propose_master

    proposal = propose_master(store, made)
    message = "it was decided on in review before" if proposal is None else f"it waits in review: {proposal.id}"
    if run.json:
        told = {"change": None, "proposal": proposal.id if proposal else None, "message": message}
        run.out.document({**told, "title": made.title, "notes": made.notes, **made.facts})
        return
    for note in made.notes:
        run.out.note(one_line(note))
    run.out.line(one_line(f"{made.title}: {message}"))
    if proposal is not None:
        run.out.note(f"see and accept it with: recall-tui review show {proposal.id}   (or --yes to write at once)")


def _write_master(run: CommandContext, bench: Workbench, made: SynthesisDraft, seen: Plan) -> None:
    from recall_tui.features.summaries import synthesize as synthesizing

    def synthesis(_: Store) -> Plan:
        return synthesizing.plan_master(bench.store, made)

    entry = bench.store.commit(synthesis, expected=seen)
    synthesizing.record_written(bench.store, made)
    if run.json:
        change = None if entry is None else change_as_json(entry)
        run.out.document({"change": change, "message": seen.title, "notes": seen.notes, **seen.facts})
        return
    _print_notes(run, seen)
    run.report(entry, nothing=seen.title)
