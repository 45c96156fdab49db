"""The stream of days: what is written down."""

from __future__ import annotations

import click

from recall_tui import files
from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.errors import NotFoundError, UsageError


@command()
@click.argument("words", nargs=-1, metavar="[ENTRY]...")
@click.option("--file", "source", metavar="F", help="the entry from this file, or from stdin with -")
def log(run: CommandContext, words: tuple[str, ...], source: str | None) -> int | None:
    """Add an entry to the log of today."""
    from recall_tui.features.curation.remember import plan_log_entry

    if bool(words) == bool(source):
        raise UsageError("either an entry or a file", hint='recall-tui log "…", or: recall-tui log --file F')
    bench = run.open()
    text = " ".join(words) if source is None else _read_text(run, source)
    return run.report(bench.apply(plan_log_entry, text), nothing="nothing was logged")


def _read_text(run: CommandContext, source: str) -> str:
    if source == "-":
        import sys

        return files.read_all(sys.stdin.buffer).decode("utf-8", "surrogateescape")
    path = run.places.cwd / source
    try:
        return files.read_user_file(path).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise NotFoundError(f"{path}: {error.strerror}", hint="name a file that can be read") from None
