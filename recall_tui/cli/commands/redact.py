"""Secrets that are stored already: `redact`.

What a secret is never reaches a terminal, a file or a pipe; where it is and of what kind does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import CommandContext, change_as_json, command
from recall_tui.cli.commands.forget import EXIT_DECLINED, is_confirmed
from recall_tui.cli.output import one_line

if TYPE_CHECKING:
    from recall_tui.domain import Plan
    from recall_tui.features.erasure.redact import StoredSecret
    from recall_tui.workbench import Workbench


@command()
@click.option("--check", "is_check", is_flag=True, help="only list the secrets; exit 1 if there are any")
@click.option("--dry-run", is_flag=True, help="preview the change without making it")
@click.option("--yes", is_flag=True, help="skip the confirmation")
def redact(run: CommandContext, is_check: bool, dry_run: bool, yes: bool) -> int | None:
    """Replace every stored secret with [redacted:kind].

    This covers the memory's files, retained copies, earlier changes, other state and the index. It cannot be undone."""
    from recall_tui.features.erasure import redact as redacting
    from recall_tui.storage.files.staging import discard

    bench = run.open()
    if is_check:
        return _check_secrets(run, bench)
    bench.journal.recover()
    found = list(bench.eraser.secrets())
    if not found:
        if not dry_run:
            # What a killed one left is in the bytes of files, where nothing finds it.
            bench.eraser.redact()
        _print_nothing(run)
        return None
    seen = bench.preview(redacting.redact)
    try:
        if dry_run or not yes:
            _print_plan(run, bench, seen, found)
        if dry_run:
            return None
        if not yes and not is_confirmed(run, f"Redact {_label_count(len(found))}? It cannot be undone."):
            return EXIT_DECLINED
        with run.out.progress("clearing the index", run.stopwatch) as progress:
            entry, cleared = bench.eraser.redact(seen=seen, progress=progress)
    finally:
        discard(seen)
    remaining = list(bench.eraser.secrets())
    binary = list(dict.fromkeys(one.place for one in remaining if not one.is_text))
    left = [*cleared.left, *(f"{one.place}:{one.line}" for one in remaining if one.is_text)]
    if run.json:
        change = None if entry is None else change_as_json(entry)
        secrets = [redacting.secret_as_json(one) for one in found]
        run.out.document({"change": change, "secrets": secrets, "count": len(found), "left": [*left, *binary]})
    else:
        run.out.line(f"Redacted {_label_count(sum(one.is_text for one in found))}")
        run.out.note("these secrets may have been read by others: change them where they are used")
        for words in left:
            run.out.warn(one_line(f"not redacted yet: {words}; run this again"))
        for place in binary:
            run.out.warn(
                one_line(
                    f"{place} contains a secret and is not a text file; delete it, or close the editor that wrote it"
                )
            )
    return 1 if left or binary else None


def _check_secrets(run: CommandContext, bench: Workbench) -> int | None:
    from recall_tui.features.erasure.redact import secret_as_json

    found = list(bench.eraser.secrets())
    if run.json:
        run.out.document({"secrets": [secret_as_json(one) for one in found], "count": len(found)})
    elif found:
        _print_secrets(run, found)
        run.out.note(f"{_label_count(len(found))}; take them out with: recall-tui redact")
    else:
        _print_nothing(run)
    return 1 if found else None


def _print_nothing(run: CommandContext) -> None:
    if run.json:
        run.out.document({"change": None, "secrets": [], "count": 0, "left": []})
    else:
        run.out.line("no secret is stored")


def _print_secrets(run: CommandContext, found: list[StoredSecret]) -> None:
    for one in found:
        place = one_line(f"{one.place}:{one.line}" if one.is_text else f"{one.place} (no text; delete it yourself)")
        where = "" if one.where == "memory" else f"  (in the {one.where})"
        run.out.line(f"{run.out.style(place)}  {one.kind}{where}")


def _print_plan(run: CommandContext, bench: Workbench, seen: Plan, found: list[StoredSecret]) -> None:
    from recall_tui.features.erasure.redact import masked_diff, secret_as_json

    patch = masked_diff(seen, bench.store.root, run.environment.home)
    if run.json:
        secrets = [secret_as_json(one) for one in found]
        run.out.document({"title": seen.title, "diff": patch, "secrets": secrets, "count": len(found)})
        return
    run.out.patch(patch)
    _print_secrets(run, [one for one in found if one.where != "memory" or not one.is_text])


def _label_count(number: int) -> str:
    return f"{number} secret{'s' * (number != 1)}"
