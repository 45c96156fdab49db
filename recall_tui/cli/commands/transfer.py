"""Out of a memory and into one: `export` and `import`.

An export changes nothing of the memory; an import is a plan that is shown first and can be taken back.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from recall_tui.cli.click_ext import Run, as_json, command
from recall_tui.cli.output import one_line, size
from recall_tui.cli.search_options import filter_options, filters_in
from recall_tui.errors import NotFoundError, RecallError, UsageError

if TYPE_CHECKING:
    from recall_tui.domain import Answer, JournalEntry, Plan
    from recall_tui.features.transfer.export import Exported, Form, Render
    from recall_tui.features.transfer.importer import Incoming
    from recall_tui.workbench import Workbench

_SHOWN_CHARACTERS = 40_000
"""Of new files that are shown line by line; of the rest the names are."""
_DECLINED = 1
"""The exit code when a person says no."""
_CONFLICT = 3
"""The exit code when something was left as it is because it is another here."""


@command()
@click.argument("references", nargs=-1, metavar="[ID|PATH]...")
@click.option("--search", "query", metavar="QUERY", help="the hits of a ranked search, with their passages")
@click.option("--all", "is_all", is_flag=True, help="the whole memory")
@click.option("--to", metavar="FILE", help="into this file, and not to stdout")
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "html", "json"]),
    help="the format; else the ending of --to says it, and without either it is md",
)
@click.option("--force", is_flag=True, help="write over a file that is there already")
@click.option("--limit", type=click.IntRange(1), default=10, help="with --search: hits at most (10)")
@click.option("--passages", is_flag=True, help="with --search: every passage, not one hit for each session")
@click.option("--no-sync", is_flag=True, help="with --search: search the index as it is")
@filter_options
def export(
    run: Run,
    references: tuple[str, ...],
    query: str | None,
    is_all: bool,
    to: str | None,
    form: Form | None,
    force: bool,
    **options: Any,
) -> None:
    """Write documents, sessions, the hits of a search or the whole memory, to be read or taken elsewhere.

    A document is called as `show` takes it, with lines too (14:40-58); several go into one file. Secrets are masked.
    The whole memory as JSON holds every file, exactly, and `import` gives it back; it needs --to.
    """
    if (bool(references), query is not None, is_all).count(True) != 1:
        raise UsageError("say what to export", hint="ID|PATH…, or --search QUERY, or --all")
    if is_all and to is None:
        raise UsageError("the whole memory goes into a file", hint="--to memory.json")
    filters = filters_in(run, options)
    if filters and query is None:
        raise UsageError("filters go with --search QUERY")
    bench = run.open()
    if query is not None:
        if not options["no_sync"]:
            from recall_tui.cli.sync import synced_if_possible

            synced_if_possible(run, bench)
        limit, passages = options["limit"], options["passages"]
        answer = bench.search(query, limit=limit, passages=passages, sync=False, filters=filters)
        render = _of_search(bench, answer)
    elif is_all:
        from recall_tui.features.transfer.export import of_memory

        render = of_memory(bench.store)
    else:
        render = _of_references(bench, references)
    if to is None:
        _print(run, render, form)
    else:
        _write(run, bench, render, run.path(to, "--to"), form, is_forced=force)


def _of_search(bench: Workbench, answer: Answer) -> Render:
    from recall_tui.features.documents.excerpt import passage_text
    from recall_tui.features.transfer.export import of_search

    return of_search(bench.store, answer, lambda hit: passage_text(bench.store, bench.index, hit))


def _of_references(bench: Workbench, references: tuple[str, ...]) -> Render:
    from recall_tui.features.documents.excerpt import excerpt
    from recall_tui.features.transfer.export import of_parts

    return of_parts(bench.store, [excerpt(bench.store, lambda: bench.index, one) for one in references])


def _print(run: Run, render: Render, form: Form | None) -> None:
    from recall_tui.features.transfer.items import Tally

    if run.json and form not in (None, "json"):
        raise UsageError(f"--json and --format {form} ask for two things", hint="one of them, or --to FILE")
    tally = Tally()
    for piece in render(form or ("json" if run.json else "md"), tally):
        run.out.exact(piece)
    _say_masked(run, tally.masked)


def _write(run: Run, bench: Workbench, render: Render, to: Path, form: Form | None, *, is_forced: bool) -> None:
    from recall_tui.features.transfer.export import write

    done = write(bench.store, render, to, form, is_forced=is_forced)
    for one in done.left_out:
        run.out.note(one_line(f"left out: {one.path}: {one.reason}"))
    if run.json:
        run.out.document(_as_json(done))
    else:
        parts = f"{done.items} part{'s' * (done.items != 1)}, {size(done.bytes)}, verified"
        run.out.line(f"{run.out.style(one_line(str(done.path)))}  ({parts})")
    _say_masked(run, done.masked)


def _as_json(done: Exported) -> dict[str, object]:
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


def _say_masked(run: Run, masked: int) -> None:
    if masked:
        from recall_tui.features.transfer.labels import masked_words

        run.out.note(masked_words(masked))


@command("import")
@click.argument("file")
@click.option("--theirs", is_flag=True, help="where a file is another here, take the one that comes")
@click.option("--dry-run", is_flag=True, help="show what would come in, and do nothing")
@click.option("--yes", is_flag=True, help="do not ask")
def import_file(run: Run, file: str, theirs: bool, dry_run: bool, yes: bool) -> int | None:
    """Take in FILE: a memory, sessions or documents that export wrote as JSON, or Markdown as a topic file.

    New files come in, the same ones are passed over, and one that is another here is left as it is, and said (exit 3).
    A whole memory also goes into an empty folder: --root FOLDER.
    """
    from recall_tui.features.transfer import importer as importing

    incoming = importing.read(run.path(file))
    bench = _bench(run, incoming)
    verb = importing.take_in
    seen = bench.preview(verb, incoming, takes_theirs=theirs)
    code = _CONFLICT if seen.facts["conflicts"] else None
    if dry_run:
        _dry(run, bench, seen)
        return code
    if seen.edits and not yes:
        if run.json:
            raise UsageError("with --json nobody can be asked", hint="say --yes, or --dry-run to see what would come")
        _show(run, bench, seen)
        if not run.out.asked("Take this in?"):
            run.out.note("nothing was done")
            return _DECLINED
    entry = bench.apply(verb, incoming, takes_theirs=theirs, seen=seen)
    if broken := importing.verify(seen):
        raise RecallError(f"{broken[0]} does not read back as it was written", hint="take it back: recall-tui undo")
    _report(run, seen, entry)
    return code


def _bench(run: Run, incoming: Incoming) -> Workbench:
    """The memory to take it into; a folder that was named and holds none becomes one for a whole memory."""
    from recall_tui.features.setup.init import layout_for
    from recall_tui.storage.layout import Found, detect
    from recall_tui.workbench import Workbench

    folder = run.folder()
    if folder is None and incoming.layout:
        try:
            return run.open()
        except NotFoundError as error:
            raise NotFoundError(
                error.message, hint="name a folder for it: recall-tui --root FOLDER import FILE"
            ) from None
    if folder is None or not incoming.layout or run.layout is not None or detect(folder) is not None:
        return run.open()
    layout = layout_for(run.places, folder, incoming.layout)
    return Workbench.at(Found(layout, "import"), run.places, run.now)


def _dry(run: Run, bench: Workbench, plan: Plan) -> None:
    if run.json:
        run.show(plan)
        return
    _show(run, bench, plan)
    run.out.note(one_line(f"{plan.title} (not done: --dry-run)" if plan.edits else f"nothing to do: {plan.title}"))


def _show(run: Run, bench: Workbench, plan: Plan) -> None:
    """What would change, as a diff; of very much that is new only the names."""
    from dataclasses import replace

    from recall_tui.domain import Create
    from recall_tui.storage.journal.plan_diff import diff

    room = _SHOWN_CHARACTERS
    for edit in plan.edits:
        if isinstance(edit, Create):
            room -= len(edit.text)
            if room < 0:
                name = bench.store.relative(edit.path)
                run.out.line(run.out.style(one_line(f"+ {name}  ({len(edit.text.splitlines())} lines)"), fg="green"))
                continue
        run.out.patch(diff(replace(plan, edits=(edit,)), bench.store.root))
    for note in plan.notes:
        run.out.note(one_line(note))


def _report(run: Run, plan: Plan, entry: JournalEntry | None) -> None:
    if run.json:
        change = None if entry is None else as_json(entry)
        run.out.document({"change": change, "message": plan.title, "notes": plan.notes, **plan.facts})
        return
    same = cast("int", plan.facts["same"])
    already = f"  ({same} the same already)" if same else ""
    if entry is None:
        run.out.note(one_line(plan.title) + already)
    else:
        run.out.line(run.out.style(one_line(entry.title)) + already)
        run.out.detail("take it back with: recall-tui undo")
    for note in plan.notes:
        run.out.note(one_line(note))
