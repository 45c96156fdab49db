"""Out of a memory and into one: `export` and `import`.

An export changes nothing of the memory; an import is a plan that is shown first and can be taken back.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from recall_tui.cli.click_ext import CommandContext, change_as_json, command
from recall_tui.cli.commands.search import add_filter_options, pop_filters
from recall_tui.cli.output import format_size, one_line
from recall_tui.errors import NotFoundError, RecallError, UsageError
from recall_tui.memory import bound

if TYPE_CHECKING:
    from recall_tui.domain import JournalEntry, Plan, SearchResult
    from recall_tui.features.transfer.export import ExportFormat, ExportResult, RenderExport
    from recall_tui.features.transfer.importer import ImportFacts, ImportFile
    from recall_tui.workbench import Workbench

_MAX_PREVIEW_CHARS = 40_000
"""Of new files that are shown line by line; of the rest the names are."""
_EXIT_DECLINED = 1
"""The exit code when a person says no."""
_EXIT_CONFLICT = 3
"""The exit code when something was left as it is because it is another here."""


@command()
@click.argument("references", nargs=-1, metavar="[ID|PATH]...")
@click.option("--search", "query", metavar="QUERY", help="export the hits of a ranked search, with their passages")
@click.option("--all", "is_all", is_flag=True, help="export the whole memory")
@click.option("--to", metavar="FILE", help="write to this file instead of stdout")
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "html", "json"]),
    help="the format (default: by the suffix of --to, else md)",
)
@click.option("--force", is_flag=True, help="overwrite an existing file")
@click.option("--limit", type=click.IntRange(1), default=10, metavar="N", help="with --search: maximum hits (10)")
@click.option("--passages", is_flag=True, help="with --search: every passage instead of one hit per session")
@click.option("--no-sync", is_flag=True, help="with --search: do not update the index first")
@add_filter_options
def export_rows(
    run: CommandContext,
    references: tuple[str, ...],
    query: str | None,
    is_all: bool,
    to: str | None,
    form: ExportFormat | None,
    force: bool,
    **options: Any,
) -> None:
    """Export documents, sessions, search hits or the whole memory.

    Name documents as for `show`, with lines if needed (14:40-58); several go into one file. Secrets are masked. The
    whole memory as JSON contains every file exactly, and `import` restores it; it needs --to.
    """
    if (bool(references), query is not None, is_all).count(True) != 1:
        raise UsageError("say what to export", hint="ID|PATH…, or --search QUERY, or --all")
    if is_all and to is None:
        raise UsageError("the whole memory goes into a file", hint="--to memory.json")
    filters = pop_filters(run, options)
    if filters and query is None:
        raise UsageError("filters go with --search QUERY")
    bench = run.open()
    if query is not None:
        from recall_tui.search.session_labels import with_labels

        if not options["no_sync"]:
            from recall_tui.cli.sync import try_sync_index

            if rest := try_sync_index(run, bench):
                run.out.note(rest)
        limit, passages = options["limit"], options["passages"]
        answer = bench.search(query, limit=limit, passages=passages, sync=False, filters=filters)
        answer = with_labels(bench.index, bench.store, answer)
        render = _search_export(bench, answer)
    elif is_all:
        from recall_tui.features.transfer.export import memory_renderer

        render = memory_renderer(bench.store)
    else:
        render = _reference_export(bench, references)
    if to is None:
        _print_export(run, render, form)
    else:
        _write_export(run, bench, render, run.path(to, "--to"), form, is_forced=force)


def _search_export(bench: Workbench, answer: SearchResult) -> RenderExport:
    from recall_tui.features.documents.excerpt import passage_text
    from recall_tui.features.transfer.export import search_renderer

    return search_renderer(bench.store, answer, lambda hit: passage_text(bench.store, bench.index, hit))


def _reference_export(bench: Workbench, references: tuple[str, ...]) -> RenderExport:
    from recall_tui.features.documents.excerpt import find_excerpt
    from recall_tui.features.transfer.export import parts_renderer

    return parts_renderer(bench.store, [find_excerpt(bench.store, lambda: bench.index, one) for one in references])


def _print_export(run: CommandContext, render: RenderExport, form: ExportFormat | None) -> None:
    from recall_tui.features.transfer.export_items import ExportCounts

    if run.json and form not in (None, "json"):
        raise UsageError(f"--json and --format {form} ask for two things", hint="one of them, or --to FILE")
    tally = ExportCounts()
    for piece in render(form or ("json" if run.json else "md"), tally):
        run.out.exact(piece)
    _note_masked(run, tally.masked)


def _write_export(
    run: CommandContext, bench: Workbench, render: RenderExport, to: Path, form: ExportFormat | None, *, is_forced: bool
) -> None:
    from recall_tui.features.transfer.export import write_export

    done = write_export(bench.store, render, to, form, is_forced=is_forced)
    for one in done.left_out:
        run.out.note(one_line(f"left out: {one.path}: {one.reason}"))
    if run.json:
        run.out.document(_export_as_json(done))
    else:
        parts = f"{done.items} part{'s' * (done.items != 1)}, {format_size(done.bytes)}, verified"
        run.out.line(f"{run.out.style(one_line(str(done.path)))}  ({parts})")
    _note_masked(run, done.masked)


def _export_as_json(done: ExportResult) -> dict[str, object]:
    return {
        "file": done.path,
        "format": done.form,
        "items": done.items,
        "bytes": done.bytes,
        "sha256": done.sha256,
        "masked": done.masked,
        "left_out": [{"path": one.path, "reason": one.reason} for one in done.left_out],
        "verified": True,
    }


def _note_masked(run: CommandContext, masked: int) -> None:
    if masked:
        from recall_tui.features.transfer.export_items import masked_label

        run.out.note(masked_label(masked))


@command("import")
@click.argument("file")
@click.option("--theirs", is_flag=True, help="replace files that differ here with the imported ones")
@click.option("--dry-run", is_flag=True, help="preview the import without making it")
@click.option("--yes", is_flag=True, help="skip the confirmation")
def import_file(run: CommandContext, file: str, theirs: bool, dry_run: bool, yes: bool) -> int | None:
    """Import FILE: a memory, sessions or documents exported as JSON, a log of a day, or a Markdown file as a topic.

    New files are added, identical ones skipped, and files that differ here are left alone and reported (exit 3).
    A whole memory can also be imported into an empty folder: --root FOLDER; one of layout
    claude-project goes to Claude Code's folder for the project FOLDER.
    """
    from recall_tui.features.transfer import importer as importing

    incoming = importing.load_import(run.path(file))
    bench = _import_target(run, incoming)
    run.memory_root = bench.store.root
    verb = importing.import_bundle
    seen = bench.preview(verb, incoming, takes_theirs=theirs)
    code = _EXIT_CONFLICT if seen.facts["conflicts"] else None
    if dry_run:
        _print_dry_run(run, bench, seen)
        return code
    if seen.edits and not yes:
        if run.json:
            raise UsageError(
                "--json cannot ask for confirmation", hint="say --yes, or --dry-run to see what would come"
            )
        _print_plan(run, bench, seen)
        if not run.out.asked("Take this in?"):
            run.out.note("nothing was done")
            return _EXIT_DECLINED
    entry = bench.store.commit(bound(verb, incoming, takes_theirs=theirs), expected=seen)
    if broken := importing.find_unverified(seen):
        raise RecallError(f"{broken[0]} does not read back as it was written", hint="undo with: recall-tui undo")
    _print_result(run, seen, entry)
    return code


def _import_target(run: CommandContext, incoming: ImportFile) -> Workbench:
    """The memory to take it into; a folder that was named and holds none becomes one for a whole memory."""
    from recall_tui.features.setup.init import choose_layout
    from recall_tui.storage.layout import LocatedMemory, detect_layout
    from recall_tui.workbench import Workbench

    folder = run.folder()
    if folder is None and incoming.layout:
        try:
            return run.open()
        except NotFoundError as error:
            raise NotFoundError(
                error.message, hint="name a folder for it: recall-tui --root FOLDER import FILE"
            ) from None
    if folder is None or not incoming.layout or run.layout is not None or detect_layout(folder) is not None:
        return run.open()
    layout = choose_layout(run.environment, folder, incoming.layout)
    if layout.root != folder:
        run.out.note(
            one_line(
                f"layout {incoming.layout} is stored in Claude Code's folder for the project {folder}: {layout.root};"
                f" nothing is written to {folder}"
            )
        )
    return Workbench.at(LocatedMemory(layout, "import"), run.environment, run.now)


def _print_dry_run(run: CommandContext, bench: Workbench, plan: Plan[ImportFacts]) -> None:
    if run.json:
        run.show(plan)
        return
    _print_plan(run, bench, plan)
    run.out.note(one_line(f"{plan.title} (not done: --dry-run)" if plan.edits else f"nothing to do: {plan.title}"))


def _print_plan(run: CommandContext, bench: Workbench, plan: Plan[ImportFacts]) -> None:
    """What would change, as a diff; of very much that is new only the names."""
    from dataclasses import replace

    from recall_tui.domain import Create

    room = _MAX_PREVIEW_CHARS
    for edit in plan.edits:
        if isinstance(edit, Create):
            room -= len(edit.text)
            if room < 0:
                name = bench.store.relative(edit.path)
                run.out.line(run.out.style(one_line(f"+ {name}  ({len(edit.text.splitlines())} lines)"), fg="green"))
                continue
        run.out.patch(run.diff(replace(plan, edits=(edit,))))
    for note in plan.notes:
        run.out.note(one_line(note))


def _print_result(run: CommandContext, plan: Plan[ImportFacts], entry: JournalEntry | None) -> None:
    if run.json:
        change = None if entry is None else change_as_json(entry)
        run.out.document({"change": change, "message": plan.title, "notes": plan.notes, **plan.facts})
        return
    same = plan.facts["same"]
    already = f"  ({same} the same already)" if same else ""
    if entry is None:
        run.out.note(one_line(plan.title) + already)
    else:
        run.out.line(run.out.style(one_line(entry.title)) + already)
        run.out.detail("undo with: recall-tui undo")
    for note in plan.notes:
        run.out.note(one_line(note))
