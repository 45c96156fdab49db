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

from recall_tui.domain import Answer, Hit
from recall_tui.errors import ConflictError, NotFoundError, RecallError, UsageError
from recall_tui.features.documents.excerpt import Excerpt
from recall_tui.features.transfer.items import Out, Tally, out_of, outs_of_memory, search_out
from recall_tui.storage.files.atomic import digest_of, encode, made_whole
from recall_tui.storage.inventory import LeftOut, holds
from recall_tui.storage.memory_context import Store

Form = Literal["md", "html", "json"]
_FORMS: dict[str, Form] = {
    ".md": "md",
    ".markdown": "md",
    ".html": "html",
    ".htm": "html",
    ".json": "json",
}

Render = Callable[[Form, Tally], Iterator[str]]
"""Makes the text of an export piece by piece, and counts what is in it."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A file that was written."""

    path: Path
    form: Form
    items: int
    """Documents, sessions, hits or files in it."""
    masked: int
    """Secrets that stayed behind."""
    sha256: str
    bytes: int
    left_out: tuple[LeftOut, ...] = ()


def form_of(path: Path) -> Form:
    """The form that a file's ending asks for; UsageError when it tells none."""
    form = _FORMS.get(path.suffix.lower())
    if form is None:
        raise UsageError(f"the ending of {path.name} tells no format", hint="--format md, html or json")
    return form


def of_parts(store: Store, parts: Sequence[Excerpt]) -> Render:
    """Documents and sessions, in their order."""

    def render(form: Form, tally: Tally) -> Iterator[str]:
        outs = (out_of(store, part) for part in parts)
        title = "" if len(parts) == 1 else f"{len(parts)} documents"
        return _outs(store, outs, form, tally, title, is_one=len(parts) == 1)

    return render


def of_memory(store: Store) -> Render:
    """The whole memory: in JSON every file, exactly; else every document, to be read."""

    def render(form: Form, tally: Tally) -> Iterator[str]:
        if form == "json":
            from recall_tui.features.transfer import json_format as export_json

            return export_json.of_memory(store, tally, store.now())
        return _outs(store, outs_of_memory(store, tally), form, tally, f"Memory of {store.root.name}", is_one=False)

    return render


def of_search(store: Store, answer: Answer, text_of: Callable[[Hit], str]) -> Render:
    """The hits of a search in their order, each with its passage; NotFoundError when there are none."""
    if not answer.hits:
        raise NotFoundError(f"nothing found for {answer.query!r}", hint="fewer words, or fewer filters")
    found = search_out(answer, text_of)

    def render(form: Form, tally: Tally) -> Iterator[str]:
        from recall_tui.features.transfer import html_page as export_html
        from recall_tui.features.transfer import json_format as export_json
        from recall_tui.features.transfer import markdown as export_markdown

        tally.items, tally.masked = len(found.hits), found.masked
        module = {"md": export_markdown, "html": export_html, "json": export_json}[form]
        pieces: Iterator[str] = module.of_search(found, store.now())
        return pieces

    return render


def write(store: Store, render: Render, to: Path, form: Form | None = None, *, is_forced: bool = False) -> Exported:
    """Write the export to the file `to`, whole or not at all, and read it back.

    The ending says the form unless `form` does. ConflictError when there is a file already and it is not forced;
    UsageError for a place where no file can be, and for one inside the memory.
    """
    path = outside(store, to, is_forced=is_forced)
    form = form or form_of(to)
    tally = Tally()
    total, count = hashlib.sha256(), 0
    try:
        with made_whole(path, is_new=not is_forced) as file:
            for piece in render(form, tally):
                data = encode(piece)
                file.write(data)
                total.update(data)
                count += len(data)
            if not tally.items:
                raise NotFoundError("there is nothing to export")
    except FileExistsError:
        raise _taken(to) from None
    _verify(path, form, total.hexdigest())
    return Exported(path, form, tally.items, tally.masked, total.hexdigest(), count, tuple(tally.left_out))


def _outs(store: Store, outs: Iterator[Out], form: Form, tally: Tally, title: str, *, is_one: bool) -> Iterator[str]:
    from recall_tui.features.transfer import html_page as export_html
    from recall_tui.features.transfer import json_format as export_json
    from recall_tui.features.transfer import markdown as export_markdown

    if form == "md":
        return export_markdown.of_outs(outs, tally, is_one=is_one)
    if form == "html":
        return export_html.of_outs(outs, tally, title)
    return export_json.of_outs(outs, tally, store.now())


def outside(store: Store, to: Path, *, is_forced: bool) -> Path:
    """Where a file that leaves the memory goes, links followed.

    UsageError for a place where no file can be, and for one inside the memory; ConflictError for a file that is there
    already and not forced.
    """
    path = Path(os.path.realpath(to))
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {path.parent}", hint="make it, or name another")
    if path.is_dir():
        raise UsageError(f"{to} is a folder", hint=f"name a file, such as {to / 'memory.json'}")
    if holds(store.layout, path):
        raise UsageError(f"{to} lies inside the memory, where it would be taken for a part of it", hint="another place")
    if not os.path.lexists(to) and not path.exists():
        return path
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        raise UsageError(f"{to} is no regular file", hint="without --to it goes to stdout")
    if not is_forced:
        raise _taken(to)
    return path


def _taken(to: Path) -> ConflictError:
    return ConflictError(f"{to} is there already; nothing was written", hint="--force writes over it")


def _verify(path: Path, form: Form, digest: str) -> None:
    """Read the file back: its bytes, and in JSON every digest in it."""
    if digest_of(path) != digest:
        raise RecallError(f"{path} does not read back as it was written", hint="is the disk failing? export it again")
    if form == "json":
        from recall_tui.features.transfer.bundle import read

        read(path)
