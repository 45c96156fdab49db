"""`doctor --restore`: the days that were backed up, and files brought back from one of them.

It also opens a memory of which nothing is left but its backups.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recall_tui.cli.output import one_line
from recall_tui.errors import UsageError
from recall_tui.memory import bound

if TYPE_CHECKING:
    from datetime import date

    from recall_tui.cli.click_ext import CommandContext
    from recall_tui.features.health.restore import BackupComparison
    from recall_tui.workbench import Workbench

_EXIT_DECLINED = 1
"""The exit code when a person says no, and when something could not be restored."""


def restore(run: CommandContext, words: Sequence[str], *, is_dry: bool, is_sure: bool) -> int | None:
    """List the days, or bring back the files of the first word's day."""
    bench = _open_memory(run)
    return _restore_files(run, bench, words[0], words[1:], is_dry, is_sure) if words else _print_backups(run, bench)


def _open_memory(run: CommandContext) -> Workbench:
    from recall_tui.features.health.restore import find_in_backups
    from recall_tui.workbench import Workbench

    folder = run.folder()
    if folder is None and (home := run.environment.memory):
        folder = run.environment.cwd / home
    found = find_in_backups(run.environment, folder) if run.layout is None else None
    if found is None:
        return run.open()
    run.memory_root = found.layout.root
    return Workbench.at(found, run.environment, run.now)


def _print_backups(run: CommandContext, bench: Workbench) -> int | None:
    from recall_tui.features.health.restore import compare_backups
    from recall_tui.storage.files.trusted_clock import CLOCK_TOLERANCE

    days = list(compare_backups(bench.store))
    if run.json:
        run.out.document({"root": bench.store.root, "days": [_backup_as_json(one) for one in days]})
    elif not days:
        run.out.note("there is no backup yet; one is made with the first change of a day")
    else:
        ahead = (run.now() + CLOCK_TOLERANCE).date()
        rows = (_backup_row(one, ahead) for one in days)
        run.out.table(("day", "files", "changed since", "gone since", ""), rows, right=(1, 2, 3))
        run.out.note("to bring files back: recall-tui doctor --restore DAY [FILE]...")
    return None if days else 1


def _backup_row(one: BackupComparison, ahead: date) -> tuple[object, ...]:
    """A row; the days stand in the order in which they were backed up, and one beyond `ahead` is none of the past."""
    if one.backup is None:
        return one.day, "", "", "", "cannot be read"
    said = [f"{len(one.damaged)} cannot be given back"] if one.damaged else []
    said += ["the clock was ahead"] if one.day > ahead else []
    return one.day, len(one.backup.files), len(one.changed), len(one.missing), "; ".join(said)


def _backup_as_json(one: BackupComparison) -> dict[str, object]:
    left_out = one.backup.left_out if one.backup else ()
    return {
        "day": one.day.isoformat(),
        "at": one.backup.at if one.backup else None,
        "layout": one.backup.layout if one.backup else None,
        "files": len(one.backup.files) if one.backup else 0,
        "bytes": sum(file.size for file in one.backup.files) if one.backup else 0,
        "is_readable": one.backup is not None,
        "changed": one.changed,
        "missing": one.missing,
        "damaged": one.damaged,
        "left_out": [{"path": file.path, "reason": file.reason} for file in left_out],
    }


def _restore_files(
    run: CommandContext, bench: Workbench, word: str, names: Sequence[str], is_dry: bool, is_sure: bool
) -> int | None:
    from recall_tui.features.health.restore import parse_day, restore

    bench.journal.recover()
    day = parse_day(bench.store, word)
    seen = bench.preview(restore, day, names)
    code = _EXIT_DECLINED if seen.facts["left"] else None
    if is_dry:
        run.show(seen)
        return code
    if seen.edits and not is_sure:
        if run.json:
            raise UsageError(
                "--json cannot ask for confirmation", hint="say --yes, or --dry-run to see what would come"
            )
        run.out.patch(run.diff(seen))
        if not run.out.asked(f"{seen.title.replace('Restored', 'Restore', 1)}?"):
            run.out.note("nothing was done")
            return _EXIT_DECLINED
    run.report(bench.store.commit(bound(restore, day, names), expected=seen), nothing=seen.title)
    for note in seen.notes if not run.json else ():
        run.out.note(one_line(note))
    return code
