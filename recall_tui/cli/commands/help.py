"""`help`: the help of a command, or of all of them."""

from __future__ import annotations

import click

from recall_tui.cli.click_ext import CommandContext, Program, command
from recall_tui.cli.output import one_line
from recall_tui.errors import UsageError


@command("help")
@click.argument("names", nargs=-1, metavar="[COMMAND]...")
@click.option("--all", "is_all", is_flag=True, help="list every command")
def help_command(run: CommandContext, names: tuple[str, ...], is_all: bool) -> None:
    """Show the help of COMMAND, such as: help search, help config set."""
    context = click.get_current_context().parent
    assert context is not None
    program = context.command
    assert isinstance(program, Program)
    if is_all:
        run.out.line(program.all_commands_help(context))
        return
    for name in names:
        group = context.command
        below = group.get_command(context, name) if isinstance(group, click.Group) else None
        if below is None:
            raise UsageError(f"there is no command {one_line(' '.join(names))!r}", hint="recall-tui help --all")
        context = click.Context(below, info_name=name, parent=context)
    run.out.line(context.get_help())
