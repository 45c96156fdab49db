"""Keeping MEMORY.md good: `distill`, `compact`, `remember`.

Without --apply nothing changes; what changes is one entry of the journal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from recall_tui.cli.click_ext import CliCommand, CommandContext, command, dry_run_option
from recall_tui.cli.model_option import has_model
from recall_tui.cli.output import one_line
from recall_tui.cli.sigint import catch_interrupt
from recall_tui.domain import SkippedResult
from recall_tui.errors import NotFoundError, UsageError
from recall_tui.memory import bound

if TYPE_CHECKING:
    from pathlib import Path

    from recall_tui.domain import Actor, Plan, Suggestion
    from recall_tui.storage.memory_context import Store
    from recall_tui.workbench import Workbench

ALL = "all"


class VariadicCommand(CliCommand):
    """A command whose `--apply` takes every number that follows it: `--apply 1 3 4`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `--apply 1 3 4` as `--apply 1 --apply 3 --apply 4`."""
        read: list[str] = []
        is_after = False
        for word in args:
            if is_after and word.isdigit() and read[-1] != "--apply":
                read.append("--apply")
            is_after = word == "--apply" or (is_after and (word.isdigit() or word.replace(",", "").isdigit()))
            read.append(word)
        return super().parse_args(ctx, read)


@command(cls=VariadicCommand)
@click.argument("root", required=False)
@click.option("--apply", "wanted", multiple=True, metavar="N…|all", help="apply these suggestions; all: every safe one")
@click.option("--to", "target", metavar="FILE", help="the topic file for extractions")
@click.option("--dry-run", is_flag=True, help="preview the change without making it")
def distill(run: CommandContext, root: str | None, wanted: tuple[str, ...], target: str | None, dry_run: bool) -> None:
    """Suggest edits that bring MEMORY.md under its budget.

    Extractions, empty sections and template comments are safe; merges and deletions need their number.
    """
    numbers = _parse_numbers(wanted)
    bench = run.open(root)
    if not wanted and not dry_run and target is None:
        _print_suggestions(run, bench)
        return
    apply_suggestions(run, bench, numbers, target, dry_run=dry_run or not wanted)


@command()
@click.argument("words", nargs=-1, metavar="TEXT...|[SESSION|TRANSCRIPT]")
@click.option("--topic", metavar="T", help="add to this topic file instead of MEMORY.md")
@click.option("--session-end", is_flag=True, help="add a session's lessons to the log of its day")
@dry_run_option
def remember(
    run: CommandContext, words: tuple[str, ...], topic: str | None, session_end: bool, dry_run: bool
) -> int | None:
    """Add a line to MEMORY.md, or to a topic file.

    With --session-end: add the lessons of an ended session, named by its id, its transcript, or hook JSON on stdin.
    Without a model they are quotations; many sessions have none.
    """
    if session_end:
        if topic is not None or len(words) > 1:
            raise UsageError("--session-end takes one session", hint="recall-tui remember --session-end 0a1b2c3d")
        return remember_session(run, words[0] if words else "", dry_run=dry_run)
    from recall_tui.features.curation.remember import remember as remembering

    text = " ".join(words)
    if not text.strip():
        raise UsageError("there is nothing to remember", hint='recall-tui remember "we deploy on Fridays"')
    bench = run.open()
    if dry_run:
        run.show(bench.preview(remembering, text, topic))
        return None
    plans: list[Plan] = []

    def verb(store: Store) -> Plan:
        plans.append(remembering(store, text, topic))
        return plans[-1]

    verb.__name__ = "remember"
    run.report(bench.apply(verb), nothing=plans[-1].title)
    for note in plans[-1].notes:
        run.out.note(one_line(note))
    return None


def _parse_numbers(wanted: Sequence[str]) -> tuple[int, ...] | None:
    """The numbers that were named; None for every safe one."""
    words = [word for words in wanted for word in words.replace(",", " ").split()]
    if not words or words == [ALL]:
        return None
    if not all(word.isdigit() for word in words):
        raise UsageError(f"--apply {' '.join(words)}: not understood", hint="numbers, such as 1 3, or: all")
    return tuple(int(word) for word in words)


def apply_suggestions(
    run: CommandContext, bench: Workbench, numbers: Sequence[int] | None, target: str | None, *, dry_run: bool
) -> None:
    """Make the changes that distill suggests: those with the numbers, with None every safe one."""
    from recall_tui.features.curation import distill

    seen = bench.preview(distill.plan_suggestions, numbers, target)
    if dry_run:
        run.show(seen)
        return
    entry = bench.apply(distill.plan_suggestions, numbers, target)
    run.report(entry, nothing=seen.title)
    facts = seen.facts
    if entry is not None:
        lines = f"{facts['lines_before']} → {facts['lines_after']} lines"
        run.out.note(f"MEMORY.md: {lines}, {facts['percent_before']} → {facts['percent_after']} %")
    for note in seen.notes:
        run.out.note(one_line(note))


def _print_suggestions(run: CommandContext, bench: Workbench) -> None:
    from recall_tui.features.curation.distill import suggestions
    from recall_tui.storage.documents import memory_file

    memory = memory_file.read_memory(bench.store)
    if memory.is_missing:
        raise NotFoundError(f"{memory.path} does not exist", hint="run: recall-tui init")
    found = suggestions(bench.store, memory)
    budget = memory.budget(bench.config)
    if run.json:
        facts = {"lines": budget.lines, "max_lines": budget.max_lines, "percent": budget.percent}
        run.out.document({**facts, "suggestions": [_suggestion_as_json(one) for one in found]})
        return
    run.out.line(f"MEMORY.md: {budget.lines}/{budget.max_lines} lines, {budget.percent} %")
    if not found:
        run.out.note("MEMORY.md is within budget")
        return
    rows = [(one.number, one.kind, one.title, _change_label(one), f"-{one.saves}", _safety_label(one)) for one in found]
    run.out.table(("n", "what", "where", "why", "lines", "safe"), rows, right=(0, 4))
    run.out.note("apply with: recall-tui distill --apply N…   (or all: the safe ones; --dry-run shows the change)")


def _change_label(one: Suggestion) -> str:
    return f"{one.reason} → {one.target}" if one.target else one.reason


def _safety_label(one: Suggestion) -> str:
    return "yes" if one.is_safe else "look"


def _suggestion_as_json(one: Suggestion) -> dict[str, Any]:
    return {
        "number": one.number,
        "kind": one.kind,
        "title": one.title,
        "reason": one.reason,
        "lines": one.lines,
        "saves": one.saves,
        "is_safe": one.is_safe,
        "target": one.target or None,
    }


def remember_session(run: CommandContext, reference: str, *, dry_run: bool) -> int | None:
    """Write what was learned in the session, if anything was; 1 when its transcript cannot be read."""
    from recall_tui.cli.commands.archive import transcript_from_stdin
    from recall_tui.features.capture import lessons

    by: Actor = "person" if reference else "hook"
    path = transcript_from_stdin(run) if not reference else None
    bench = run.open()
    path = path or _get_transcript(run, bench, reference)
    with_model = not dry_run and has_model(run, bench.store, "summary")
    with catch_interrupt() as is_pressed:
        found = lessons.extract_lessons(bench.store, path, with_model=with_model, is_cancelled=is_pressed)
    if isinstance(found, SkippedResult):
        run.report(None, nothing=found.reason)
        return 1 if found.faults else None
    if found.trouble:
        run.out.note(one_line(f"in the session's own words, without a model: {found.trouble}"))
    seen = bench.preview(lessons.plan_lessons, found)
    if dry_run:
        run.show(seen)
        return None
    return run.report(bench.store.commit(bound(lessons.plan_lessons, found), by=by), nothing=seen.title)


def _get_transcript(run: CommandContext, bench: Workbench, reference: str) -> Path:
    """The transcript of that path, or of the session with that id."""
    from recall_tui.index.sources.transcripts import find_transcript

    path = run.environment.cwd / reference
    try:
        return path if path.is_file() else find_transcript(bench.store, reference)
    except OSError:
        raise NotFoundError(f"no session or transcript called {reference!r}") from None
