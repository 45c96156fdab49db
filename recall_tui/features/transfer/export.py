"""Out of a memory: documents, sessions, a search's hits or the whole memory, as Markdown, HTML or JSON.

Nothing of the memory changes, secrets stay behind, and a file that is written is whole, private, new unless its
replacement was asked for, and read back before it is called verified.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from recall_tui.domain import Hit, SearchResult
from recall_tui.errors import ConflictError, NotFoundError, RecallError, UsageError
from recall_tui.features.documents.excerpt import Excerpt
from recall_tui.features.transfer.export_items import (
    ExportCounts,
    ExportedItem,
    export_item,
    export_memory,
    export_search,
    without_thoughts,
)
from recall_tui.storage.files.atomic import complete_write, encode, file_digest
from recall_tui.storage.inventory import ExcludedFile, is_memory_path
from recall_tui.storage.memory_context import Store

ExportFormat = Literal["md", "html", "json"]
_FORMATS: dict[str, ExportFormat] = {
    ".md": "md",
    ".markdown": "md",
    ".html": "html",
    ".htm": "html",
    ".json": "json",
}

RenderExport = Callable[[ExportFormat, ExportCounts], Iterator[str]]
"""Makes the text of an export piece by piece, and counts what is in it."""


@dataclass(frozen=True, slots=True)
class ExportResult:
    """A file that was written."""

    path: Path
    form: ExportFormat
    items: int
    """Documents, sessions, hits or files in it."""
    masked: int
    """Secrets that stayed behind."""
    sha256: str
    bytes: int
    left_out: tuple[ExcludedFile, ...] = ()


def format_for(path: Path) -> ExportFormat:
    """The form that a file's ending asks for; UsageError when it tells none."""
    form = _FORMATS.get(path.suffix.lower())
    if form is None:
        raise UsageError(f"the ending of {path.name} tells no format", hint="--format md, html or json")
    return form


def parts_renderer(store: Store, parts: Sequence[Excerpt], *, has_thoughts: bool = True) -> RenderExport:
    """Documents and sessions, in their order; without what agents thought unless it `has_thoughts`."""

    def render(form: ExportFormat, tally: ExportCounts) -> Iterator[str]:
        outs: Iterator[ExportedItem] = (export_item(store, part) for part in parts)
        outs = outs if has_thoughts else map(without_thoughts, outs)
        title = "" if len(parts) == 1 else f"{len(parts)} documents"
        return _render_items(store, outs, form, tally, title, is_one=len(parts) == 1)

    return render


def memory_renderer(store: Store) -> RenderExport:
    """The whole memory: in JSON every file, exactly; else every document, to be read."""

    def render(form: ExportFormat, tally: ExportCounts) -> Iterator[str]:
        if form == "json":
            from recall_tui.features.transfer import json_format

            return json_format.render_memory(store, tally, store.now())
        return _render_items(
            store, export_memory(store, tally), form, tally, f"Memory of {store.root.name}", is_one=False
        )

    return render


def search_renderer(store: Store, answer: SearchResult, text_of: Callable[[Hit], str]) -> RenderExport:
    """The hits of a search in their order, each with its passage; NotFoundError when there are none."""
    if not answer.hits:
        raise NotFoundError(f"nothing found for {answer.query!r}", hint="fewer words, or fewer filters")
    found = export_search(answer, text_of)

    def render(form: ExportFormat, tally: ExportCounts) -> Iterator[str]:
        from recall_tui.features.transfer import html_page, json_format
        from recall_tui.features.transfer import markdown as export_markdown

        tally.items, tally.masked = len(found.hits), found.masked
        renderers = {
            "md": export_markdown.render_search,
            "html": html_page.render_search,
            "json": json_format.render_search,
        }
        return renderers[form](found, store.now())

    return render


def write_export(
    store: Store, render: RenderExport, to: Path, form: ExportFormat | None = None, *, is_forced: bool = False
) -> ExportResult:
    """Write the export to the file `to`, whole or not at all, and read it back.

    The ending says the form unless `form` does. ConflictError when there is a file already and it is not forced;
    UsageError for a place where no file can be, and for one inside the memory.
    """
    path = target_outside(store, to, is_forced=is_forced)
    form = form or format_for(to)
    tally = ExportCounts()
    total, count = hashlib.sha256(), 0
    try:
        with complete_write(path, is_new=not is_forced) as file:
            for piece in render(form, tally):
                data = encode(piece)
                file.write(data)
                total.update(data)
                count += len(data)
            if not tally.items:
                raise NotFoundError("there is nothing to export")
    except FileExistsError:
        raise _exists_error(to) from None
    _verify_file(path, form, total.hexdigest())
    return ExportResult(path, form, tally.items, tally.masked, total.hexdigest(), count, tuple(tally.left_out))


def _render_items(
    store: Store, outs: Iterator[ExportedItem], form: ExportFormat, tally: ExportCounts, title: str, *, is_one: bool
) -> Iterator[str]:
    from recall_tui.features.transfer import html_page, json_format
    from recall_tui.features.transfer import markdown as export_markdown

    if form == "md":
        return export_markdown.render_items(outs, tally, is_one=is_one)
    if form == "html":
        return html_page.render_items(outs, tally, title)
    return json_format.render_items(outs, tally, store.now())


def target_outside(store: Store, to: Path, *, is_forced: bool) -> Path:
    """Where a file that leaves the memory goes, links followed.

    UsageError for a place where no file can be, and for one inside the memory; ConflictError for a file that is there
    already and not forced.
    """
    path = Path(os.path.realpath(to))
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {path.parent}", hint="make it, or name another")
    if path.is_dir():
        raise UsageError(f"{to} is a folder", hint=f"name a file, such as {to / 'memory.json'}")
    if is_memory_path(store.layout, path):
        raise UsageError(f"{to} lies inside the memory, where it would be taken for a part of it", hint="another place")
    if not os.path.lexists(to) and not path.exists():
        return path
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        raise UsageError(f"{to} is no regular file", hint="without --to it goes to stdout")
    if not is_forced:
        raise _exists_error(to)
    return path


def _exists_error(to: Path) -> ConflictError:
    return ConflictError(f"{to} already exists; nothing was written", hint="--force writes over it")


def _verify_file(path: Path, form: ExportFormat, digest: str) -> None:
    """Read the file back: its bytes, and in JSON every digest in it."""
    if file_digest(path) != digest:
        raise RecallError(f"{path} does not read back as it was written", hint="is the disk failing? export it again")
    if form == "json":
        from recall_tui.features.transfer.bundle import load_bundle

        load_bundle(path)
