"""Shared by `install`, `uninstall` and `init`: show an agent's plan, confirm it, apply it.

Nothing is written before the user or --yes confirms; a file that the user changed is confirmed separately.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from recall_tui.cli.click_ext import CommandContext, change_as_json
from recall_tui.cli.commands.forget import EXIT_DECLINED, is_confirmed
from recall_tui.cli.output import one_line

if TYPE_CHECKING:
    from recall_tui.agents.target import Parts, Scope, Target
    from recall_tui.domain import JournalEntry, Plan
    from recall_tui.workbench import Workbench


_MARKS = {"kept": "~", "left": "~"}
"""Before a piece that stays as it is."""


class InstallResult(NamedTuple):
    """The result for one agent."""

    plan: Plan
    entry: JournalEntry | None
    """None when there was nothing to do or it was not done."""
    code: int = 0

    def as_json(self, run: CommandContext) -> dict[str, object]:
        """Return the result as `--json` prints it."""
        change = None if self.entry is None else change_as_json(self.entry)
        # An applied plan has no remaining difference.
        patch = run.diff(self.plan) if self.entry is None else ""
        return {"title": self.plan.title, **self.plan.facts, "notes": self.plan.notes, "diff": patch, "change": change}


class InstallOptions(NamedTuple):
    """The options of an installation."""

    dry_run: bool = False
    yes: bool = False
    parts: Parts = "all"


def install_with_prompt(
    run: CommandContext, bench: Workbench, target: Target, scope: Scope | None, how: InstallOptions
) -> InstallResult:
    """Install into an agent after confirmation."""
    seen = bench.agents.install_plan(target, scope, parts=how.parts)
    over: frozenset[Path] = frozenset()
    changed = [Path(path) for path in cast("list[str]", seen.facts["changed"])]
    if changed and not (how.dry_run or how.yes or run.json):
        over = frozenset(path for path in changed if _confirm_replace(run, bench, target, scope, path, how.parts))
        seen = bench.agents.install_plan(target, scope, over=over, parts=how.parts)
    if not _confirm_plan(run, bench, seen, f"Install this into {target.title}?", how):
        return InstallResult(seen, None, EXIT_DECLINED if seen.edits and not how.dry_run else 0)
    return InstallResult(seen, bench.agents.install(target, scope, over=over, parts=how.parts, seen=seen))


def uninstall_with_prompt(
    run: CommandContext, bench: Workbench, target: Target, scope: Scope | None, how: InstallOptions
) -> InstallResult:
    """Uninstall from an agent after confirmation."""
    seen = bench.agents.uninstall_plan(target, scope, parts=how.parts)
    if not _confirm_plan(run, bench, seen, f"Take this out of {target.title}?", how):
        return InstallResult(seen, None, EXIT_DECLINED if seen.edits and not how.dry_run else 0)
    return InstallResult(seen, bench.agents.uninstall(target, scope, parts=how.parts, seen=seen))


def print_result(run: CommandContext, outcome: InstallResult) -> None:
    """Print the result."""
    if outcome.entry is not None:
        for piece in cast("list[dict[str, str]]", outcome.plan.facts.get("pieces", [])):
            mark = _MARKS.get(piece["did"], "✓")
            run.out.line(f"{mark} {piece['did']:<9}{one_line(piece['what'] + ' ' + piece['path'])}")
        run.out.line(one_line(outcome.entry.title))
        run.out.detail("undo with: recall-tui undo")
    elif not outcome.code:
        run.out.note(one_line(outcome.plan.title + (" (not done: --dry-run)" if outcome.plan.edits else "")))


def _confirm_plan(run: CommandContext, bench: Workbench, seen: Plan, question: str, how: InstallOptions) -> bool:
    """Show the plan and ask for confirmation unless the options decide."""
    if not run.json and (how.dry_run or not how.yes):
        _print_plan(run, bench, seen)
    elif not run.json:
        _print_reach(run, seen)
        _print_notes(run, seen)
    if how.dry_run or not seen.edits:
        return False
    return how.yes or is_confirmed(run, question)


def _confirm_replace(
    run: CommandContext, bench: Workbench, target: Target, scope: Scope | None, path: Path, parts: Parts
) -> bool:
    """Ask whether to replace a file that the user changed, after showing the change."""
    seen = bench.agents.install_plan(target, scope, over=[path], parts=parts)
    only = tuple(edit for edit in seen.edits if edit.path == path)
    _print_plan(run, bench, replace(seen, edits=only, notes=(), facts={}))
    return run.out.asked(one_line(f"{path} was changed, or written by others. Replace it? A copy is kept."))


def _print_plan(run: CommandContext, bench: Workbench, seen: Plan) -> None:
    """Print the plan as a diff; backup copies are only listed."""
    shown = tuple(edit for edit in seen.edits if not edit.path.is_relative_to(bench.store.state))
    _print_reach(run, seen)
    run.out.patch(run.diff(replace(seen, edits=shown)))
    _print_notes(run, seen)
    for edit in seen.edits:
        if edit not in shown:
            run.out.note(one_line(f"a copy of what is there now: {edit.path}"))


def _print_notes(run: CommandContext, seen: Plan) -> None:
    for note in seen.notes:
        run.out.note(one_line(note))


def _print_reach(run: CommandContext, seen: Plan) -> None:
    """Print which sessions an installation reaches, in which files."""
    for sentence in cast("list[str]", seen.facts.get("about", [])):
        run.out.note(one_line(sentence))
