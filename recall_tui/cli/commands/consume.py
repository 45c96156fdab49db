"""`consume`: the window on stdout, for whoever starts the next session."""

from __future__ import annotations

import click

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.window_output import print_window


@command()
@click.argument("root", required=False)
@click.option("--clear/--no-clear", default=None, help="empty the window afterwards (default: only in layout user)")
@click.option(
    "--markers/--no-markers",
    "markers",
    default=None,
    help="wrap it in markers of quoted memory (default: only if it came with a repository)",
)
@click.option(
    "--max-chars", type=click.IntRange(1), metavar="N", help="print at most N characters: whole lines, the newest ones"
)
def consume(
    run: CommandContext, root: str | None, clear: bool | None, markers: bool | None, max_chars: int | None
) -> int | None:
    """Print the window's exact text; nothing if it is empty."""
    return print_window(run, root, clear=clear, markers=markers, max_chars=max_chars)
