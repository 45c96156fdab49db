"""The frame of every command: global options and the lookup in the command table.

A command's module is imported when it is called, never to list it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from recall_tui.cli.command_table import COMMANDS, DAILY, FAMILIAR_WORDS, GROUPS, HIDDEN_COMMANDS, CommandInfo
from recall_tui.cli.context import CommandContext as CommandContext
from recall_tui.cli.context import change_as_json as change_as_json
from recall_tui.cli.output import Output, one_line

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_SHARED_PREFIX = "shared_"
"""Prefix of the global options' parameter names, so that a command may have its own `root`."""


dry_run_option: Callable[[Any], Any] = click.option(
    "--dry-run", is_flag=True, help="preview the change without making it"
)


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
        option("no_color", "--no-color", is_flag=True, callback=_disable_color, help="no color (also: NO_COLOR)"),
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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each subcommand with its whole first sentence, which click would cut."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, " ".join((one.help or "").split("\n\n")[0].split())) for name, one in found if one]
        with formatter.section("Commands"):
            formatter.write_dl([(name, text[:1].lower() + text[1:].rstrip(".")) for name, text in rows])


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

        familiar = FAMILIAR_WORDS.get(args[0].lower())
        near = [familiar] if familiar else difflib.get_close_matches(args[0], self.table, n=1)
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
            rows = [(name, row.help) for name, row in self.table.items() if row.group == group and not row.same_as]
            if rows:
                with formatter.section(group):
                    formatter.write_dl(rows)
        if others := [(name, f"the same as {row.same_as}") for name, row in self.table.items() if row.same_as]:
            with formatter.section("Other names"):
                formatter.write_dl(others)

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
        if "--help" in param.opts:
            everywhere.append((record[0], "print this help"))
        else:
            (everywhere if (param.name or "").startswith(_SHARED_PREFIX) else own).append(record)
    if own:
        with formatter.section("Options"):
            formatter.write_dl(own)
    with formatter.section("Before or after every command"):
        formatter.write_dl(everywhere)
