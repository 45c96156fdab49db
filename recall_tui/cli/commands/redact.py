"""Secrets that are stored already: `redact`.

What a secret is never reaches a terminal, a file or a pipe; where it is and of what kind does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import Run, as_json, command
from recall_tui.cli.commands.forget import DECLINED, confirmed
from recall_tui.cli.output import one_line

if TYPE_CHECKING:
    from recall_tui.domain import Plan
    from recall_tui.features.erasure.redact import Secret
    from recall_tui.workbench import Workbench


@command()
@click.option("--check", "is_check", is_flag=True, help="only say where secrets are; exit 1 when there are any")
@click.option("--dry-run", is_flag=True, help="show what would change, and do nothing")
@click.option("--yes", is_flag=True, help="do not ask")
def redact(run: Run, is_check: bool, dry_run: bool, yes: bool) -> int | None:
    """Put [redacted:kind] in place of every secret that is stored: in the memory's files, in retained copies, in what
    earlier changes hold, in other state and in the index. It cannot be taken back."""
    from recall_tui.features.erasure import redact as redacting
    from recall_tui.storage.files.staging import discard

    bench = run.open()
    if is_check:
        return _check(run, bench)
    bench.journal.recover()
    found = list(bench.eraser.secrets())
    if not found:
        if not dry_run:
            # What a killed one left is in the bytes of files, where nothing finds it.
            bench.eraser.redact()
        _nothing(run)
        return None
    seen = bench.preview(redacting.redact)
    try:
        if dry_run or not yes:
            _show(run, bench, seen, found)
        if dry_run:
            return None
        if not yes and not confirmed(run, f"Redact {_count(len(found))}? It cannot be taken back."):
            return DECLINED
        with run.out.progress("clearing the index", run.stopwatch) as progress:
            entry, cleared = bench.eraser.redact(seen=seen, progress=progress)
    finally:
        discard(seen)
    left = [*cleared.left, *(f"{one.place}:{one.line}" for one in bench.eraser.secrets())]
    if run.json:
        change = None if entry is None else as_json(entry)
        secrets = [redacting.as_json(one) for one in found]
        run.out.document({"change": change, "secrets": secrets, "count": len(found), "left": left})
    else:
        run.out.line(f"Redacted {_count(len(found))}")
        run.out.note("what was a secret may have been read by others: change it where it is used")
        for words in left:
            run.out.warn(one_line(f"not redacted yet: {words}; run this again"))
    return 1 if left else None


def _check(run: Run, bench: Workbench) -> int | None:
    from recall_tui.features.erasure.redact import as_json as secret_as_json

    found = list(bench.eraser.secrets())
    if run.json:
        run.out.document({"secrets": [secret_as_json(one) for one in found], "count": len(found)})
    elif found:
        _list(run, found)
        run.out.note(f"{_count(len(found))}; take them out with: recall-tui redact")
    else:
        _nothing(run)
    return 1 if found else None


def _nothing(run: Run) -> None:
    if run.json:
        run.out.document({"change": None, "secrets": [], "count": 0, "left": []})
    else:
        run.out.line("no secret is stored")


def _list(run: Run, found: list[Secret]) -> None:
    for one in found:
        place = one_line(f"{one.place}:{one.line}")
        where = "" if one.where == "memory" else f"  (in the {one.where})"
        run.out.line(f"{run.out.style(place)}  {one.kind}{where}")


def _show(run: Run, bench: Workbench, seen: Plan, found: list[Secret]) -> None:
    from recall_tui.features.erasure.redact import as_json as secret_as_json
    from recall_tui.features.erasure.redact import masked_diff

    patch = masked_diff(seen, bench.store.root)
    if run.json:
        secrets = [secret_as_json(one) for one in found]
        run.out.document({"title": seen.title, "diff": patch, "secrets": secrets, "count": len(found)})
        return
    run.out.patch(patch)
    _list(run, [one for one in found if one.where != "memory"])


def _count(number: int) -> str:
    return f"{number} secret{'s' * (number != 1)}"
