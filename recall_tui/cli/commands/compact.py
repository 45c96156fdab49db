"""`compact`: weeks of days, months of weeks and wisdom of months; by a model where there is one.

What is done when it is stopped stays, and the next run goes on from there.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.output import one_line
from recall_tui.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recall_tui.cli.progress import ProgressLine
    from recall_tui.features.consolidation.compact import CompactResult, Level
    from recall_tui.features.consolidation.period_model import PeriodWriter
    from recall_tui.storage.documents.period_page import PeriodKind
    from recall_tui.storage.state.proposals import Proposal

_UNIT_NAMES = {"weekly": "weeks", "monthly": "months"}


@command()
@click.argument("what", type=click.Choice(["weekly", "monthly", "wisdom", "all", "memory"]), default="all")
@click.option("--agent", metavar="MODEL", help="the model for this run: a provider, or provider/model; off: none")
@click.option("--dry-run", is_flag=True, help="preview the change without making it; no model is asked")
@click.option("--yes", is_flag=True, help="make the change now instead of proposing it")
@click.option("--edited", is_flag=True, help="with --yes: also replace pages that were written or edited by hand")
@click.option(
    "--compression", type=click.FloatRange(0.01, 1), hidden=True, help="the fraction of the days' text to keep"
)
@click.option("--max-wisdom", type=click.IntRange(1, 200), hidden=True, help="maximum entries of WISDOM.md in this run")
def compact(
    run: CommandContext,
    what: str,
    agent: str | None,
    dry_run: bool,
    yes: bool,
    edited: bool,
    compression: float | None,
    max_wisdom: int | None,
) -> int | None:
    """Summarize days into weeks, weeks into months and months into wisdom; `memory` runs `distill --apply all`.

    A week waits for late entries until seven days after its end, unless you run `compact weekly`.
    """
    from recall_tui.cli.model_option import with_provider

    bench = with_provider(_with_max_entries(run.open(), max_wisdom), agent)
    if what == "memory":
        from recall_tui.cli.commands.distill import apply_suggestions

        apply_suggestions(run, bench, None, None, dry_run=dry_run)
        return None
    level: Level = what  # type: ignore[assignment]
    if dry_run:
        # Without --yes a page that somebody edited is proposed anew.
        _print_preview(run, bench, level, compression, edited=edited or not yes)
        code = None
    else:
        code = _CompactRun(run, bench, level, compression, is_now=yes, edited=edited).made()
    _note_memory_budget(run, bench)
    return code


def _note_memory_budget(run: CommandContext, bench: Workbench) -> None:
    """Name the command for a MEMORY.md over its budget; no other compaction changes it."""
    from recall_tui.storage.documents.memory_file import read_memory

    percent = read_memory(bench.store).budget(bench.config).percent
    if percent > 100:
        run.out.note(f"MEMORY.md is over its budget ({percent} %); run: recall-tui compact memory")


def _with_max_entries(bench: Workbench, most: int | None) -> Workbench:
    """The workbench with so many entries of wisdom at most."""

    from recall_tui.config import env_name

    if most is None:
        return bench
    store = bench.store
    environment = store.environment._replace(env={**store.environment.env, env_name("wisdom.max_entries"): str(most)})
    return Workbench(store._replace(environment=environment), bench.why)


def _print_preview(run: CommandContext, bench: Workbench, level: Level, share: float | None, *, edited: bool) -> None:
    """Show the change that comes without asking a model."""
    from recall_tui.features.consolidation.compact import compact as compacting
    from recall_tui.features.curation.review import document_plan
    from recall_tui.llm.client import ModelClient

    plan = bench.preview(compacting, level, with_edited=edited, share=share or 0.0)
    run.show(document_plan(bench.store, plan))
    if plan.edits and ModelClient(bench.store).is_offered("dream"):
        run.out.note("a preview asks no model; pages that it would write are shown without one")


class _CompactRun:
    """One run: looked at, kept as it goes on, and then written or left in review."""

    def __init__(
        self, run: CommandContext, bench: Workbench, level: Level, share: float | None, *, is_now: bool, edited: bool
    ) -> None:
        from recall_tui.features.consolidation.compact import CompactionWriter

        self._run, self._bench, self._level = run, bench, level
        self._share, self._is_now, self._edited = share or 0.0, is_now, edited
        self._stopped: Callable[[], bool] = lambda: False
        self._teller = self._asked()
        self._keeper = CompactionWriter(bench.store, self._teller, only_asked=is_now)

    def _asked(self) -> PeriodWriter | None:
        """Who asks the model, when there is one."""
        from recall_tui.cli.model_option import has_model

        if not has_model(self._run, self._bench.store, "dream"):
            return None
        from recall_tui.features.consolidation.period_model import PeriodWriter

        return PeriodWriter(self._bench.store, lambda: self._stopped())

    def made(self) -> int | None:
        """Compact; KeyboardInterrupt, with what became of it, after Ctrl-C."""
        from recall_tui.cli.sigint import catch_interrupt

        with catch_interrupt() as self._stopped:
            found = self._looked_at()
            is_stopped = self._stopped()
        if self._teller:
            for note in self._teller.notes:
                self._run.out.note(one_line(note))
        code = self._written(found, is_stopped) if self._is_now else None
        if not self._is_now:
            self._proposed()
        if is_stopped:
            words = f"recall-tui compact {self._level}{' --yes' if self._is_now else ''}"
            done = len(found.behind)
            raise KeyboardInterrupt(f"interrupted after {done} pages; finished pages are kept. Continue with: {words}")
        return code

    def _looked_at(self) -> CompactResult:
        from recall_tui.features.consolidation.compact import page_writer, preview_compaction
        from recall_tui.features.consolidation.periods import CompactionHooks

        store = self._bench.store
        ask = self._teller.write if self._teller else lambda task: None
        meters: dict[str, ProgressLine | None] = {}
        with ExitStack() as stack:

            def progress(span: PeriodKind, done: int, total: int) -> None:
                if span not in meters:
                    stack.close()
                    told = self._run.out.progress("compacting", self._run.stopwatch, _UNIT_NAMES[span])
                    meters[span] = stack.enter_context(told)
                if meter := meters[span]:
                    meter(done, total)

            watch = CompactionHooks(progress, self._keeper, lambda: self._stopped(), page_writer(store, ask=ask))
            watch = watch._replace(share=self._share) if self._share else watch
            found = preview_compaction(store, self._level, watch, self._teller)
        self._keeper.keep_wisdom(found.wisdom)
        return found

    def _written(self, found: CompactResult, is_stopped: bool) -> int | None:
        """Make the change now."""
        from recall_tui.features.consolidation import compact as compacting

        run, bench = self._run, self._bench
        seen = compacting.plan_compaction(bench.store, found, with_edited=self._edited)
        for note in seen.notes:
            run.out.note(one_line(note))
        if is_stopped:
            entry = bench.apply(lambda store: compacting.plan_compaction(store, found, with_edited=self._edited))
        else:
            entry = bench.apply(
                compacting.compact, self._level, with_edited=self._edited, found=found, share=self._share
            )
        code = run.report(entry, nothing=seen.title)
        made = set(entry.paths) if entry else set()
        left = [
            one for one in self._keeper.put if not made & {bench.store.root / change.path for change in one.changes}
        ]
        if waiting := self._left(left):
            run.out.note(f"{_pending_label(waiting)} in review: recall-tui review")
        return code

    def _proposed(self) -> None:
        """Tell what waits in review."""
        run = self._run
        put = self._left(self._keeper.put)
        if run.json:
            rows = [{"id": one.id, "kind": one.kind, "subject": one.subject, "title": one.title} for one in put]
            run.out.document({"proposals": rows})
            return
        for one in put:
            run.out.line(f"{one.id}  {one_line(one.title)}")
        if put:
            run.out.note(f"{_pending_label(put)} in review: recall-tui review, or at once: recall-tui compact --yes")
        elif not self._keeper.put:
            run.out.note("nothing to compact: every page is up to date, or was decided on")

    def _left(self, made: Sequence[Proposal]) -> tuple[Proposal, ...]:
        """What waits, each subject once and as it was put last."""
        from recall_tui.cli.review_notice import apply_automatic

        return apply_automatic(self._run, self._bench, list({(one.kind, one.subject): one for one in made}.values()))


def _pending_label(waiting: Sequence[Proposal]) -> str:
    return f"{len(waiting)} wait{'s' if len(waiting) == 1 else ''}"
