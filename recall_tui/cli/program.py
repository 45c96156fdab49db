"""The program that click runs: every command, its usage errors and the completions of shells."""

from __future__ import annotations

from collections.abc import Sequence

import click

from recall_tui.cli.argv import COMPLETION_VARIABLE, PROGRAM
from recall_tui.cli.click_ext import CommandContext, Program
from recall_tui.cli.output import Output

_QUERY_COMMANDS = ("search", "recall")
"""Commands whose argument may begin with `-`, which excludes a word."""


@click.group(cls=Program, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.pass_context
def program(ctx: click.Context) -> int | None:
    """A memory that lasts for AI coding agents. Without a command: open the app."""
    if ctx.invoked_subcommand is not None:
        return None
    from recall_tui.cli.commands.app import open_app

    return open_app(ctx.obj)


def run_program(words: Sequence[str], this: CommandContext) -> int:
    """Run one command and return its exit code; KeyboardInterrupt when it was interrupted."""
    try:
        with program.make_context(PROGRAM, list(words), obj=this) as ctx:
            result = program.invoke(ctx)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.Abort as stop:
        raise KeyboardInterrupt(str(stop)) from stop
    except click.ClickException as error:
        return _report_usage_error(error, this.out)


def print_completions(this: CommandContext, instruction: str) -> int:
    """Print what a shell asks for, and return the exit code."""
    from click.shell_completion import shell_complete

    return int(shell_complete(program, {"obj": this}, PROGRAM, COMPLETION_VARIABLE, instruction))


def _report_usage_error(error: click.ClickException, out: Output) -> int:
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context is not None else PROGRAM
    hint = f"see: {path} --help"
    if isinstance(error, click.NoSuchOption) and context is not None and context.command.name in _QUERY_COMMANDS:
        hint = f"{hint}; put -- before a query that begins with -, as in: {path} -- -word"
    out.error(error.format_message(), hint)
    return error.exit_code
