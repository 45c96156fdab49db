"""Caring for a memory: `doctor` and `config`.

A fix is a plan that is shown; an edit of the settings keeps the file's comments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import click

from recall_tui.cli.checklist import print_checklist, print_servers, servers_as_json
from recall_tui.cli.click_ext import CliGroup, CommandContext, command, dry_run_option
from recall_tui.cli.output import format_size, one_line
from recall_tui.config import is_secret, render_value
from recall_tui.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from recall_tui.config import Config
    from recall_tui.domain import Plan, Problem
    from recall_tui.index.maintenance.verify import VerifyResult
    from recall_tui.setting_schema import Setting
    from recall_tui.storage.memory_context import Store
    from recall_tui.workbench import Workbench


_MAX_FIX_ROUNDS = 4
"""What a fix brings in may show what the next one mends."""


@command()
@click.argument("words", nargs=-1, metavar="[DAY [FILE]...]")
@click.option("--fix", "is_fix", is_flag=True, help="show the repairs, and make them")
@click.option("--drop-rows", is_flag=True, help="with --fix: also remove rows of ARCHIVE.md whose archive is missing")
@click.option("--dry-run", is_flag=True, help="with --fix or --restore: preview only")
@click.option(
    "--deep",
    is_flag=True,
    help="verify the index against every file, and unpack the newest backup",
)
@click.option("--restore", "is_restore", is_flag=True, help="list the daily backups; with DAY, restore its files")
@click.option("--yes", is_flag=True, help="with --restore: skip the confirmation; --fix asks nothing")
def doctor(
    run: CommandContext,
    words: tuple[str, ...],
    is_fix: bool,
    drop_rows: bool,
    dry_run: bool,
    deep: bool,
    is_restore: bool,
    yes: bool,
) -> int | None:
    """Check files, numbers, rows, recent sessions, backups and the index; exit 1 when a problem remains.

    With --restore: list the backups and their differences from now; DAY (2026-03-06, yesterday, newest) restores all
    its files, or the FILEs and folders named. The change is shown first, and `undo` reverts it.
    """
    from recall_tui.features.health import doctor as checking
    from recall_tui.storage import trust

    if is_restore and (is_fix or deep):
        raise UsageError("--restore goes alone", hint="see: recall-tui doctor --restore")
    if is_restore:
        from recall_tui.cli.commands.restore import restore

        return restore(run, words, is_dry=dry_run, is_sure=yes)
    if words or (yes and not is_fix):
        raise UsageError("a day, a file and --yes go with --restore", hint="see: recall-tui doctor --restore")
    if drop_rows and not is_fix:
        raise UsageError("--drop-rows goes with --fix", hint="see: recall-tui doctor --help")
    bench = run.open(takes_strays=True)
    proof = _verify_index(run, bench) if deep else None
    # Of a memory of others nothing is started.
    agents = () if trust.of_others(bench.store) else bench.agents.with_last_calls(bench.agents.statuses())
    check = partial(bench.check, proof, unpacks=deep or is_fix, agents=agents)
    problems = check()
    if is_fix and dry_run:
        plan = bench.preview(checking.plan_fixes)
        run.show(plan if plan.edits or not drop_rows else bench.preview(checking.drop_rows))
        return None
    changes: list[str] = []
    if is_fix and any(not one.is_note for one in problems):
        changes = _apply_fixes(run, bench)
    if drop_rows:
        changes += _apply_fix(run, bench, checking.drop_rows)
    left = check() if changes else problems
    report = bench.health()
    if run.json:
        facts: dict[str, object] = {"checks": report.facts.get("checks", []), **servers_as_json(bench, agents)}
        facts |= {} if proof is None else {"index": _verification_as_json(proof)}
        run.out.document({"problems": [_problem_as_json(bench, one) for one in left], "done": changes, **facts})
    else:
        print_checklist(run, report)
        print_servers(run, bench, agents)
        _print_problems(run, left, changes)
    if proof is not None:
        run.out.note(_verification_label(proof))
    return 1 if any(not one.is_note for one in left) else None


def _verify_index(run: CommandContext, bench: Workbench) -> VerifyResult:
    from recall_tui.index.maintenance.verify import verify_index

    with run.out.progress("reading again", run.stopwatch) as progress:
        return verify_index(bench.index, bench.store, progress)


def _verification_as_json(proof: VerifyResult) -> dict[str, object]:
    """What a proof looked at and found, as `--json` prints it."""
    return {
        "on_disk": proof.on_disk.count,
        "sources": proof.coverage.sources,
        "batches": proof.batches,
        "passages": proof.coverage.passages,
        "read_again": proof.read_again,
        "bytes_read": proof.bytes_read,
        "not_indexed": proof.on_disk.new,
        "stale": proof.on_disk.stale,
        "lost": [{"path": gap.path, "reason": gap.reason} for gap in proof.lost],
        "altered": [{"path": gap.path, "reason": gap.reason} for gap in proof.altered],
        "strays": proof.strays,
        "failures": [{"path": one.path, "line": one.failed_line, "reason": one.failed} for one in proof.failures],
        "faults": [{"path": path, "line": one.line, "reason": one.reason} for path, one in proof.faults],
    }


def _verification_label(proof: VerifyResult) -> str:
    compared = f"{proof.on_disk.count} sources and {proof.batches} batches compared"
    return f"{compared}, {proof.read_again} sources ({format_size(proof.bytes_read)}) read again"


def _apply_fixes(run: CommandContext, bench: Workbench) -> list[str]:
    """Mend what can be mended; return what was done, in words."""
    from recall_tui.features.health import backup_problems
    from recall_tui.features.health import doctor as checking
    from recall_tui.storage.state import tombstones

    done = [f"set aside: {words}" for words in bench.journal.recover()]
    if swept := checking.remove_leftovers(bench.store):
        done.append(f"Removed what killed processes left: {swept} file{'s' * (swept != 1)}")
    for _ in range(_MAX_FIX_ROUNDS):
        if not (mended := _apply_fix(run, bench, checking.plan_fixes)):
            break
        done += mended
    if tombstones.read_tombstones(bench.store.state).open:
        cleared = bench.eraser.finish_forgetting()
        done += [f"left: {words}" for words in cleared.left] or ["Cleared remains of forgotten items"]
    if words := backup_problems.repair_backups(bench.store, bench.journal):
        done.append(words)
    return done


def _apply_fix(run: CommandContext, bench: Workbench, verb: Callable[[Store], Plan]) -> list[str]:
    """Show what the verb changes, and change it; what was done, in words."""
    seen = bench.preview(verb)
    if seen.edits and not run.json:
        run.out.patch(run.diff(seen))
    entry = bench.store.commit(verb, expected=seen)
    return [] if entry is None else [entry.title, *seen.notes]


def _print_problems(run: CommandContext, problems: tuple[Problem, ...], changes: list[str]) -> None:
    for change in changes:
        run.out.note(one_line(change))
    for one in problems:
        sign = run.out.style("·", fg="cyan") if one.is_note else run.out.style("▲", fg="yellow")
        run.out.line(f"{sign} {one.kind:<9} {run.out.style(one_line(one.message))}")
    if all(one.is_note for one in problems):
        run.out.line("no problem found in files, numbers, rows, recent sessions, backups and index")
    elif any(one.is_fixable for one in problems) and not changes:
        run.out.note("to fix what can be fixed: recall-tui doctor --fix")


def _problem_as_json(bench: Workbench, one: Problem) -> dict[str, object]:
    path = None if one.path is None else bench.store.relative(one.path)
    return {
        "kind": one.kind,
        "message": one.message,
        "path": path,
        "is_fixable": one.is_fixable,
        "is_note": one.is_note,
    }


@click.group(cls=CliGroup, invoke_without_command=True)
@click.pass_context
def config(ctx: click.Context) -> None:
    """Show and change the settings of a memory (default: show)."""
    if ctx.invoked_subcommand is None:
        _print_settings(ctx.obj)


@config.command()
@click.pass_obj
def show(run: CommandContext) -> None:
    """Print every setting with its value and its origin."""
    _print_settings(run)


@config.command()
@click.argument("key")
@click.pass_obj
def get(run: CommandContext, key: str) -> None:
    """Print the value of KEY; an empty line if it is unset."""
    config = _open_memory(run).config
    value = config.get(key)
    if run.json:
        run.out.document({"key": key, "value": value, "origin": config.origin(key)})
    else:
        run.out.line(one_line(render_value(value)))


@config.command("set")
@click.argument("key")
@click.argument("value")
@click.option("--entity-root", hidden=True, help="the memory's folder, like --root")
@dry_run_option
@click.pass_obj
def set_(run: CommandContext, key: str, value: str, entity_root: str | None, dry_run: bool) -> int | None:
    """Set KEY to VALUE in the memory's file; separate list items with commas."""
    from recall_tui.cli.setting_names import check_app_names
    from recall_tui.features.setup.configure import set_value

    bench = _open_memory(run, entity_root)
    check_app_names(key, value)
    if dry_run:
        run.show_title(bench.preview(set_value, key, value))
        return None
    with _keep_trust(run, bench):
        return run.report(bench.apply(set_value, key, value), nothing=f"{key} is {value} already")


@config.command()
@click.argument("key")
@dry_run_option
@click.pass_obj
def unset(run: CommandContext, key: str, dry_run: bool) -> int | None:
    """Remove KEY from the memory's file, so that its default applies."""
    from recall_tui.features.setup.configure import unset as unsetting

    bench = _open_memory(run)
    if dry_run:
        run.show_title(bench.preview(unsetting, key))
        return None
    with _keep_trust(run, bench):
        return run.report(bench.apply(unsetting, key), nothing=f"{key} is not set in the file")


@config.command("trust")
@click.option("--dry-run", is_flag=True, help="show the values without confirming them")
@click.option("--yes", is_flag=True, help="skip the confirmation")
@click.pass_obj
def trust_(run: CommandContext, dry_run: bool, yes: bool) -> int | None:
    """Confirm settings that reach outside the memory: models, links, folders, its account, files tracked by git.

    Values are shown quoted, with spaces and invisible characters made visible.
    """
    from recall_tui.cli.commands.forget import EXIT_DECLINED, is_confirmed
    from recall_tui.setting_schema import find_rule
    from recall_tui.storage import tracked_files, trust

    bench = _open_memory(run)
    published = list(tracked_files.find_published(bench.store))
    commits = [one.repository for one in published]
    names = [name for one in published for name in one.names]
    told = trust.unconfirmed(bench.store) | dict.fromkeys(names, "may be committed, as all that sessions leave")
    is_new = bool(told) and not trust.is_confirmed(bench.store, commits=commits)
    if not run.json:
        for key, value in told.items():
            run.out.line(f"{one_line(key)} = {'(hidden)' if is_secret(key) else repr(value)}")
            if rule := find_rule(key):
                run.out.note(f"  it {rule.does}")
    if is_new and not dry_run:
        if not yes and not is_confirmed(run, "This came with the memory. Let all of it take effect on this machine?"):
            return EXIT_DECLINED
        trust.confirm(bench.store, commits=commits)
    if run.json:
        run.out.document({"trusted": list(told), "changed": is_new and not dry_run})
    elif not is_new:
        run.out.note("there is nothing to confirm")
    else:
        run.out.note("nothing was confirmed" if dry_run else "confirmed on this machine")
    return None


@config.command("join")
@click.argument("folder", required=False)
@click.option("--not", "is_apart", is_flag=True, help="treat it as a project of its own, and do not ask again")
@dry_run_option
@click.pass_obj
def join_(run: CommandContext, folder: str | None, is_apart: bool, dry_run: bool) -> int | None:
    """Treat FOLDER, such as another clone, as this memory's project too; without FOLDER: list joined folders.

    This is stored on this machine and applies to the memories of both folders.
    """
    from recall_tui.features.capture import project_extent

    bench = _open_memory(run)
    if folder is None:
        folders = list(project_extent.joined_folders(bench.store))
        if run.json:
            run.out.document({"joined": folders})
            return None
        for one in folders:
            run.out.line(run.out.style(one_line(one)))
        return None
    path = run.path(folder)
    seen = bench.preview(project_extent.plan_join, path, is_apart=is_apart)
    if dry_run:
        run.show(seen)
        return None
    return run.report(bench.apply(project_extent.plan_join, path, is_apart=is_apart), nothing=seen.title)


@config.command()
@click.pass_obj
def path(run: CommandContext) -> None:
    """Print the path of this memory's settings file."""
    bench = _open_memory(run)
    place = bench.config.path or bench.layout.config
    if run.json:
        run.out.document({"path": place, "exists": place.is_file()})
    else:
        run.out.line(run.out.style(str(place)))


@contextmanager
def _keep_trust(run: CommandContext, bench: Workbench) -> Iterator[None]:
    from recall_tui.storage import trust

    with trust.confirmed_after(bench.store):
        yield
    if not trust.is_trusted(bench.store):
        run.out.warn("settings of models, links and folders are not confirmed; see: recall-tui config trust")
    else:
        _warn_about_vectors(run, bench)
        _warn_about_folders(run, bench)


def _warn_about_vectors(run: CommandContext, bench: Workbench) -> None:
    """Say why there will be no vectors, when the settings ask for some."""
    from recall_tui.llm.embedders.selection import configuration_error

    if why := configuration_error(bench.store):
        run.out.warn(one_line(why.words))


def _warn_about_folders(run: CommandContext, bench: Workbench) -> None:
    """Say which of the additional folders of transcripts are passed over."""
    from recall_tui.index.sources.transcripts import source_problems

    for told in source_problems(bench.store):
        run.out.warn(one_line(told))


def _open_memory(run: CommandContext, root: str | None = None) -> Workbench:
    return run.open(root, takes_strays=True)


def _print_settings(run: CommandContext) -> None:
    """Print the schema with the values in force; what is wrong with the file fails here, and only here."""
    from recall_tui.setting_schema import SCHEMA
    from recall_tui.storage.unconfirmed_settings import describe_unconfirmed

    bench = _open_memory(run)
    config = bench.config
    known = {one.key for one in SCHEMA}
    rows = [_setting_row(config, one) for one in SCHEMA]
    rows += [_extra_row(config, key) for key in sorted(config.values) if key not in known]
    if run.json:
        run.out.document({"path": config.path, "settings": rows, "warnings": config.warnings})
    else:
        waiting = describe_unconfirmed(bench.store)
        origins = {key: f"{config.origin(key)}, unconfirmed" for key in waiting if key not in config.refused}
        cells = [
            (row["key"], render_value(row["value"]), origins.get(str(row["key"]), row["origin"]), row["help"])
            for row in rows
        ]
        run.out.table(("setting", "value", "from", "what it is"), cells)
        for key in origins:
            run.out.warn(one_line(waiting[key]))
    _warn_about_vectors(run, bench)
    _warn_about_folders(run, bench)
    if config.warnings:
        raise ConfigError(
            f"{len(config.warnings)} of the settings cannot be used", hint="fix or unset them, or: config trust"
        )


def _setting_row(config: Config, one: Setting) -> dict[str, object]:
    return {"key": one.key, "value": config.get(one.key), "origin": config.origin(one.key), "help": one.help}


def _extra_row(config: Config, key: str) -> dict[str, object]:
    value = "(hidden)" if is_secret(key) else config.get(key)
    return {"key": key, "value": value, "origin": config.origin(key), "help": ""}
