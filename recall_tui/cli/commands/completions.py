"""`completions`: what a shell needs to complete our commands.

Nothing is installed; the text goes to stdout, for the person's own start-up file.
"""

from __future__ import annotations

import click

from recall_tui.cli.argv import COMPLETION_VARIABLE, PROGRAM
from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.program import program


@command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completions(run: CommandContext, shell: str) -> None:
    """Print the completion of SHELL, for example: recall-tui completions zsh > ~/.zfunc/_recall-tui"""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    made = kind(program, {}, PROGRAM, COMPLETION_VARIABLE)
    # `source` would start bash, only to warn of versions before 4.4.
    run.out.line((made.source_template % made.source_vars()).rstrip("\n"))
