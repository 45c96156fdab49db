"""The documents of a memory by name and as a list: `read` and `list`.

Nothing here changes anything; what is not there is said with what makes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.output import one_line
from recall_tui.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from recall_tui.features.documents.listing import DocumentRow


@command()
@click.argument("reference", metavar="DATE|WEEK|MONTH|SLUG|FILE")
def read(run: CommandContext, reference: str) -> int | None:
    """Print a day's log, a week, a month, a wiki page (SLUG, or TEAM:SLUG), or any file of the memory.

    Examples: 2026-03-06, 2026-W10, 2026-03, wisdom, dreams, identity; with lines: wisdom:4-8.
    """
    from recall_tui.features.documents.excerpt import find_excerpt
    from recall_tui.features.documents.read import ReadResult, read_by_name
    from recall_tui.storage.documents.conflicts import conflict_note

    bench = run.open()
    try:
        if reference.strip().startswith("@"):
            found = ReadResult(find_excerpt(bench.store, lambda: bench.index, reference))
        else:
            found = read_by_name(bench.store, lambda: bench.index, reference)
    except NotFoundError as error:
        return run.report_missing(error, reference)
    shown = found.excerpt
    document = shown.document
    note = found.note or conflict_note(document.kind, document.text, shown.lines)
    if run.json:
        head = {"path": document.path, "title": document.title, "kind": document.kind}
        run.out.document({**head, "lines": shown.lines, "text": shown.text, "note": note or None})
        return None
    run.out.text(shown.text)
    if note:
        run.out.note(one_line(note))
    return None


@command("list")
@click.argument("kind", required=False)
@click.option("--after", metavar="WHEN", help="only from then on, such as 2d or 2026-03")
@click.option("--before", metavar="WHEN", help="only until then, that day or month included")
def list_documents(run: CommandContext, kind: str | None, after: str | None, before: str | None) -> int | None:
    """List documents, newest first; KIND is sessions, days, weeks, months, topics, wiki, typed, insights, … or all."""
    from recall_tui.cli.document_table import print_documents
    from recall_tui.features.documents.listing import KINDS, all_documents, creation_command, find_kinds

    kinds = frozenset(KINDS) if kind in (None, "all") else find_kinds(kind.lower())
    if not kinds:
        raise UsageError(f"there is no kind {kind!r}", hint=", ".join((*KINDS, "all")))
    since, until = run.since(after), run.until(before)
    bench = run.open()
    titles = None
    if not bench.layout.has_archive_files:
        from recall_tui.index.sources.sessions import indexed_sessions

        titles = {one.session_id: one.title for one in indexed_sessions(bench.index, bench.store)}
    rows = [one for one in all_documents(bench.store, titles) if one.kind in kinds and one.is_within(since, until)]
    if run.json:
        run.out.document({"documents": [_row_as_json(one) for one in rows]})
    elif rows:
        print_documents(run.out, rows, run.now())
    else:
        first = next(name for name in KINDS if name in kinds)
        how = creation_command(first) if since is None and until is None and len(kinds) < len(KINDS) else ""
        named = "" if kind in (None, "all") else f" of kind {kind}"
        run.out.note(f"no documents{named}{how and f'; to make one: {how}'}")
    return None if rows else 1


def _row_as_json(one: DocumentRow) -> dict[str, object]:
    row: dict[str, object] = {"path": one.path, "name": one.name, "kind": one.kind, "date": one.first}
    return row | {"title": one.title, "number": one.number, "session_id": one.session_id, "messages": one.messages}
