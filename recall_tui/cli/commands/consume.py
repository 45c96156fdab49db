"""`consume`: the window on stdout, for whoever starts the next session; only --clear empties it."""

from __future__ import annotations

import click

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.window_output import print_window


@command()
@click.argument("root", required=False)
@click.option("--clear/--no-clear", help="clear them afterwards, if all was printed (default: keep them)")
@click.option(
    "--markers/--no-markers",
    "markers",
    default=None,
    help="wrap it in markers of quoted memory (default: only if it came with a repository)",
)
@click.option(
    "--max-chars", type=click.IntRange(1), metavar="N", help="print at most N characters: whole lines, the newest ones"
)
@click.option("--dry-run", is_flag=True, help="with --clear: print without clearing")
def consume(
    run: CommandContext, root: str | None, clear: bool, markers: bool | None, max_chars: int | None, dry_run: bool
) -> int | None:
    """Print the exact text of EPHEMERAL.md, the recent sessions; nothing if it is empty. Only --clear changes it."""
    return print_window(run, root, clear=clear, markers=markers, max_chars=max_chars, dry_run=dry_run)
