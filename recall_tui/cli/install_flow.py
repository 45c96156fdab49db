"""What `install`, `uninstall` and `init` share: a plan for an agent is shown, asked about, and made.

Nothing is written before a person said yes, or --yes did; what a person changed is asked about by itself.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from recall_tui.cli.click_ext import Run, as_json
from recall_tui.cli.commands.forget import DECLINED, confirmed
from recall_tui.cli.output import one_line

if TYPE_CHECKING:
    from recall_tui.agents.target import Scope, Target
    from recall_tui.domain import JournalEntry, Plan
    from recall_tui.workbench import Workbench


class Outcome(NamedTuple):
    """What became of one agent."""

    plan: Plan
    entry: JournalEntry | None
    """None when there was nothing to do, and when nothing was done."""
    code: int = 0

    def as_json(self) -> dict[str, object]:
        """It as `--json` prints it."""
        from recall_tui.storage.journal.plan_diff import diff

        change = None if self.entry is None else as_json(self.entry)
        # What was made is no difference any more.
        patch = diff(self.plan) if self.entry is None else ""
        return {"title": self.plan.title, **self.plan.facts, "notes": self.plan.notes, "diff": patch, "change": change}


class How(NamedTuple):
    """How it is to be done."""

    dry_run: bool = False
    yes: bool = False


def put_in(run: Run, bench: Workbench, target: Target, scope: Scope | None, how: How) -> Outcome:
    """Install into one agent."""
    seen = bench.agents.install_plan(target, scope)
    over: frozenset[Path] = frozenset()
    changed = [Path(path) for path in cast("list[str]", seen.facts["changed"])]
    if changed and not (how.dry_run or how.yes or run.json):
        over = frozenset(path for path in changed if _may_go(run, bench, target, scope, path))
        seen = bench.agents.install_plan(target, scope, over=over)
    if not _is_wanted(run, bench, seen, f"Install this into {target.title}?", how):
        return Outcome(seen, None, DECLINED if seen.edits and not how.dry_run else 0)
    return Outcome(seen, bench.agents.install(target, scope, over=over, seen=seen))


def take_out(run: Run, bench: Workbench, target: Target, scope: Scope | None, how: How) -> Outcome:
    """Uninstall from one agent."""
    seen = bench.agents.uninstall_plan(target, scope)
    if not _is_wanted(run, bench, seen, f"Take this out of {target.title}?", how):
        return Outcome(seen, None, DECLINED if seen.edits and not how.dry_run else 0)
    return Outcome(seen, bench.agents.uninstall(target, scope, seen=seen))


def report(run: Run, outcome: Outcome) -> None:
    """Say in words what became of it."""
    if outcome.entry is not None:
        run.out.line(one_line(outcome.entry.title))
        run.out.detail("take it back with: recall-tui undo")
    elif not outcome.code:
        run.out.note(one_line(outcome.plan.title + (" (not done: --dry-run)" if outcome.plan.edits else "")))


def _is_wanted(run: Run, bench: Workbench, seen: Plan, question: str, how: How) -> bool:
    """Show the plan, and ask unless that is settled."""
    if not run.json and (how.dry_run or not how.yes):
        _show(run, bench, seen)
    elif not run.json:
        _note(run, seen)
    if how.dry_run or not seen.edits:
        return False
    return how.yes or confirmed(run, question)


def _may_go(run: Run, bench: Workbench, target: Target, scope: Scope | None, path: Path) -> bool:
    """Whether a file that a person changed is to be replaced; what that would do is shown."""
    seen = bench.agents.install_plan(target, scope, over=[path])
    _show(run, bench, replace(seen, edits=tuple(edit for edit in seen.edits if edit.path == path), notes=()))
    return run.out.asked(one_line(f"{path} was changed, or written by others. Replace it? A copy is kept."))


def _show(run: Run, bench: Workbench, seen: Plan) -> None:
    """The plan as a diff; copies that are kept of files are only named."""
    from recall_tui.storage.journal.plan_diff import diff

    shown = tuple(edit for edit in seen.edits if not edit.path.is_relative_to(bench.store.state))
    run.out.patch(diff(replace(seen, edits=shown)))
    _note(run, seen)
    for edit in seen.edits:
        if edit not in shown:
            run.out.note(one_line(f"a copy of what is there now: {edit.path}"))


def _note(run: Run, seen: Plan) -> None:
    for note in seen.notes:
        run.out.note(one_line(note))
