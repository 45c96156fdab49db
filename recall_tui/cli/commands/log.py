"""The stream of days: what is written down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recall_tui import files
from recall_tui.cli.click_ext import CommandContext, change_as_json, command, dry_run_option
from recall_tui.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from recall_tui.domain import Plan
    from recall_tui.storage.memory_context import Store


@command()
@click.argument("words", nargs=-1, metavar="[ENTRY]...")
@click.option("--file", "source", metavar="F", help="read the entry from this file; -: from stdin")
@dry_run_option
def log(run: CommandContext, words: tuple[str, ...], source: str | None, dry_run: bool) -> int | None:
    """Add an entry to today's log."""
    from recall_tui.features.curation.remember import plan_log_entry

    if bool(words) == bool(source):
        raise UsageError(
            "either an entry or a file",
            hint='recall-tui log "…", or: recall-tui log --file F; the changes so far: recall-tui journal',
        )
    bench = run.open()
    text = " ".join(words) if source is None else _read_text(run, source)
    if dry_run:
        run.show(bench.preview(plan_log_entry, text))
        return None
    plans: list[Plan] = []

    def verb(store: Store) -> Plan:
        plans.append(plan_log_entry(store, text))
        return plans[-1]

    entry = bench.apply(verb)
    if run.json:
        run.out.document({**plans[-1].facts, "change": None if entry is None else change_as_json(entry)})
        return None
    return run.report(entry, nothing="nothing was logged")


def _read_text(run: CommandContext, source: str) -> str:
    if source == "-":
        import sys

        return files.read_all(sys.stdin.buffer).decode("utf-8", "surrogateescape")
    path = run.environment.cwd / source
    try:
        return files.read_user_file(path).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise NotFoundError(f"{path}: {error.strerror}", hint="name a file that can be read") from None
