"""The frame of every command: global options, the call's context and the lookup in the command table.

A command's module is imported when it is called, never to list it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from recall_tui.cli.command_table import COMMANDS, DAILY, GROUPS, HIDDEN_COMMANDS, CommandInfo
from recall_tui.cli.output import Output, one_line
from recall_tui.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from click.shell_completion import CompletionItem

    from recall_tui.domain import JournalEntry, Plan
    from recall_tui.environment import Environment
    from recall_tui.workbench import Workbench

_SHARED_PREFIX = "shared_"
"""Prefix of the global options' parameter names, so that a command may have its own `root`."""


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
        from dataclasses import replace

        from recall_tui.workbench import Workbench, clean_up

        named = self.folder(root)
        bench = Workbench.open(
            named, layout=self.layout, environment=self.environment, now=self.now, takes_strays=takes_strays
        )
        told = lambda: self.out.progress("backing up", self.stopwatch, "files")  # noqa: E731 - one expression
        bench = replace(bench, store=replace(bench.store, backup_progress=told))
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
            raise UsageError(
                f"{words!r} is not a time", hint="such as 12h, 2d, 1w, today, yesterday, 2026-03, 2026-03-06"
            )
        return moment

    def show(self, plan: Plan) -> None:
        """Print a plan that is not applied: its diff and notes."""
        from recall_tui.storage.journal.plan_diff import plan_as_diff

        patch = plan_as_diff(plan)
        if self.json:
            self.out.document({"title": plan.title, "diff": patch, "notes": plan.notes, "facts": plan.facts})
            return
        self.out.patch(patch)
        for note in plan.notes:
            if note not in plan.title:
                self.out.note(note)
        self.out.note(f"{plan.title} (not done: --dry-run)" if plan.edits else f"nothing to do: {plan.title}")

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


def _store_option(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    """Return a callback that stores a given option's value in the context."""

    def note(ctx: click.Context, _param: click.Parameter, value: Any) -> None:
        if value and ctx.obj is not None:
            setattr(ctx.obj, name, value)

    return note


def _disable_color(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and ctx.obj is not None:
        ctx.obj.has_color = False


def _print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from recall_tui import __version__

        Output().line(f"recall-tui {__version__}")
        ctx.exit()


def global_options() -> list[click.Parameter]:
    """Return the options accepted before and after every command; a later one wins."""

    def option(name: str, *names: str, **more: Any) -> click.Option:
        return click.Option((_SHARED_PREFIX + name, *names), expose_value=False, **more)

    return [
        option("root", "--root", "--dir", metavar="PATH", callback=_store_option("root"), help="the memory's folder"),
        option(
            "layout",
            "--layout",
            metavar="NAME",
            callback=_store_option("layout"),
            help="treat the folder as this layout",
        ),
        option(
            "json", "--json", is_flag=True, callback=_store_option("json"), help="print one JSON document on stdout"
        ),
        option(
            "quiet", "--quiet", is_flag=True, callback=_store_option("quiet"), help="no progress messages on stderr"
        ),
        option(
            "verbose", "--verbose", is_flag=True, callback=_store_option("verbose"), help="more messages; tracebacks"
        ),
        option("no_color", "--no-color", is_flag=True, callback=_disable_color, help="no colour (also: NO_COLOR)"),
        option("version", "--version", is_flag=True, callback=_print_version, is_eager=True, help="print the version"),
    ]


class CliCommand(click.Command):
    """A command that also takes the global options and lists them separately."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.extend(global_options())

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's own options, then the global ones."""
        _write_options(self, ctx, formatter)


class CliGroup(click.Group):
    """A command with subcommands, such as `config`; it also takes the global options."""

    command_class = CliCommand

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.extend(global_options())

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the group's own options, its commands, then the global options."""
        self.format_commands(ctx, formatter)
        _write_options(self, ctx, formatter)


class Program(click.Group):
    """The top-level program; its commands are the rows of the table."""

    def __init__(self, *args: Any, table: Mapping[str, CommandInfo] = COMMANDS, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.extend(global_options())
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the table's order."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of `cmd_name` and return its command; None when the table has no such name."""
        row = self.table.get(cmd_name) or HIDDEN_COMMANDS.get(cmd_name)
        if row is None:
            return None
        import importlib

        module, _, function = row.target.partition(":")
        command = getattr(importlib.import_module(module), function)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve the command named by the first word; a usage error suggests the closest name."""
        if args[0] in self.table or args[0] in HIDDEN_COMMANDS or ctx.resilient_parsing or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        import difflib

        near = difflib.get_close_matches(args[0], self.table, n=1)
        advice = f" Did you mean {near[0]}?" if near else ""
        raise click.UsageError(f"There is no command {one_line(args[0])!r}.{advice}", ctx=ctx)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the daily commands so that they fit a terminal of 80×24."""
        self.format_usage(ctx, formatter)
        formatter.write(f"Without a command: open the app. Every command: {ctx.info_name} help --all\n")
        width = max(len(name) for names in DAILY.values() for name in names)
        for group, names in DAILY.items():
            formatter.write(f"{group}:\n")
            with formatter.indentation():
                formatter.write_dl([(f"{name:{width}}", self.table[name].help) for name in names if name in self.table])
        formatter.write("Options of every command: --root PATH, --layout NAME, --json, --quiet,\n")
        formatter.write("--verbose, --no-color, --version, --help\n")

    def all_commands_help(self, ctx: click.Context) -> str:
        """Return the help with every command."""
        formatter = ctx.make_formatter()
        super().format_help(ctx, formatter)
        return formatter.getvalue().rstrip("\n")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command table by group."""
        for group in GROUPS:
            rows = [(name, row.help) for name, row in self.table.items() if row.group == group]
            if rows:
                with formatter.section(group):
                    formatter.write_dl(rows)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands first, then the options."""
        self.format_commands(ctx, formatter)
        _write_options(self, ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the first word from the table, and options as any command does."""
        from click.shell_completion import CompletionItem

        rows = [CompletionItem(name, help=row.help) for name, row in self.table.items() if name.startswith(incomplete)]
        return [*rows, *click.Command.shell_complete(self, ctx, incomplete)]


def command(name: str | None = None, **settings: Any) -> Callable[[Callable[..., int | None]], CliCommand]:
    """Make a function a command: its first argument is the CommandContext, its result the exit code (None: 0)."""
    settings.setdefault("cls", CliCommand)

    def wrap(function: Callable[..., int | None]) -> CliCommand:
        make: Callable[[Any], CliCommand] = click.command(name, **settings)
        return make(click.pass_obj(function))

    return wrap


def _write_options(one: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    own: list[tuple[str, str]] = []
    everywhere: list[tuple[str, str]] = []
    for param in one.get_params(ctx):
        record = param.get_help_record(ctx)
        if record is None or isinstance(param, click.Argument):
            continue
        (everywhere if (param.name or "").startswith(_SHARED_PREFIX) or "--help" in param.opts else own).append(record)
    if own:
        with formatter.section("Options"):
            formatter.write_dl(own)
    with formatter.section("Before or after every command"):
        formatter.write_dl(everywhere)
