"""The context of a command's call: its environment, its global options and its output."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING

from recall_tui.cli.output import Output, one_line
from recall_tui.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from recall_tui.domain import JournalEntry, Plan
    from recall_tui.environment import Environment
    from recall_tui.workbench import Workbench


class CommandContext:
    """A call of the program: its environment, its global options and its output."""

    def __init__(self, edge: Callable[[], Environment], now: Callable[[], datetime], *, has_color: bool) -> None:
        self._edge = edge
        self.now = now
        self.has_color = has_color
        self.stopwatch = perf_counter
        """A clock in seconds, for estimates of the remaining time."""
        self.root: str | None = None
        self.layout: str | None = None
        self.json = False
        self.quiet = False
        self.verbose = False
        self.memory_root: Path | None = None
        """The root of the memory in use; paths inside it are printed relative to it."""
        self._environment: Environment | None = None

    @property
    def environment(self) -> Environment:
        """Return the environment, read on first use."""
        if self._environment is None:
            self._environment = self._edge()
        return self._environment

    @property
    def out(self) -> Output:
        """Return the output with this call's options."""
        return Output(quiet=self.quiet, verbose=self.verbose, color=self.has_color)

    def folder(self, root: str | None = None) -> Path | None:
        """Return the absolute path of the folder given as an argument, else by --root; None when neither was given."""
        named = root if root is not None else self.root
        return None if named is None else self.path(named, "--root" if root is None else "")

    def path(self, named: str, source: str = "") -> Path:
        """Return the absolute path of a file or folder; RecallError for the home of an unknown user."""
        from recall_tui.environment import expand_home
        from recall_tui.files import normalize_path

        return normalize_path(self.environment.cwd / expand_home(named, self.environment.home, source))

    def open(self, root: str | None = None, *, takes_strays: bool = False) -> Workbench:
        """Open the memory to work on, and print each warning about its settings once."""

        from recall_tui.workbench import Workbench, clean_up

        named = self.folder(root)
        bench = Workbench.open(
            named, layout=self.layout, environment=self.environment, now=self.now, takes_strays=takes_strays
        )
        self.memory_root = bench.store.root
        told = lambda: self.out.progress("backing up", self.stopwatch, "files")  # noqa: E731 - one expression
        bench = Workbench(bench.store._replace(backup_progress=told), bench.why)
        for warning in bench.config.warnings:
            self.out.warn(warning)
        return clean_up(bench)

    def since(self, words: str | None) -> datetime | None:
        """Return the start of a time expression such as `2d` or `2026-03`; UsageError for an invalid one."""
        return self._moment(words, "parse_since")

    def until(self, words: str | None) -> datetime | None:
        """Return the exclusive end of a time expression; UsageError for an invalid one."""
        return self._moment(words, "parse_until")

    def _moment(self, words: str | None, reader: str) -> datetime | None:
        if words is None:
            return None
        from recall_tui.text import dates

        moment: datetime | None = getattr(dates, reader)(words, self.now())
        if moment is None:
            from recall_tui.search.time.interpret import moments_of

            moment = moments_of(words, self.now())[reader == "parse_until"]
        if moment is None:
            raise UsageError(
                f"{words!r} is not a time",
                hint="such as 12h, 2d, 1w, today, yesterday, last month, 2026-03, 2026-03-06",
            )
        return moment

    def show(self, plan: Plan) -> None:
        """Print a plan that is not applied: its diff and notes."""
        patch = self.diff(plan)
        if self.json:
            self.out.document({"title": plan.title, "diff": patch, "notes": plan.notes, "facts": plan.facts})
            return
        self.out.patch(patch)
        for note in plan.notes:
            if note not in plan.title:
                self.out.note(note)
        self.out.note(f"{plan.title} (not done: --dry-run)" if plan.edits else f"nothing to do: {plan.title}")

    def diff(self, plan: Plan) -> str:
        """Render the plan as a diff whose files are named relative to the memory, others from the home folder on."""
        from recall_tui.storage.journal.plan_diff import plan_as_diff

        return plan_as_diff(plan, self.memory_root, self.environment.home)

    def show_title(self, plan: Plan) -> None:
        """Print the title of a plan that is not applied, for a change whose files must not be shown."""
        if self.json:
            self.out.document({"title": plan.title, "notes": plan.notes, "dry_run": True})
        else:
            self.out.note(one_line(f"{plan.title} (not done: --dry-run)"))

    def report_missing(self, error: NotFoundError, name: str) -> int:
        """Print with --json that nothing is called `name`, and return the exit code; else the error goes on."""
        if not self.json:
            raise error
        self.out.document({"error": error.message, "file": name, "hint": error.hint or None})
        return error.exit_code

    def report(self, entry: JournalEntry | None, *, nothing: str) -> int | None:
        """Print the applied change, or `nothing` when there was none."""
        if self.json:
            self.out.document({"change": None if entry is None else change_as_json(entry), "message": nothing})
        elif entry is None:
            self.out.note(one_line(nothing))
        else:
            self.out.line(one_line(entry.title))
            self.out.detail("undo with: recall-tui undo")
        return None


def change_as_json(entry: JournalEntry) -> dict[str, object]:
    """Return a change as `--json` prints it."""
    return {
        "id": entry.id,
        "title": entry.title,
        "at": entry.at,
        "stamp": entry.stamp,
        "by": entry.by,
        "paths": entry.paths,
        "undoes": entry.undoes or None,
        "is_undone": entry.is_undone,
        "is_done": entry.is_done,
        "no_way_back": entry.no_way_back or None,
        "took_words": entry.took_words or None,
        "notes": entry.notes,
    }
