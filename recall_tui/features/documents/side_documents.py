"""Claude Code's plans, todo lists and typed prompts as documents: found by path or name, shown without secrets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.errors import BrokenFileError, RecallError
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state.tombstones import read_all

if TYPE_CHECKING:
    from recall_tui.transcripts.claude.side_files import SideFile


class SideReference(NamedTuple):
    """A plan, a todo list or a group of typed prompts that is on disk."""

    path: Path
    name: str
    """What it is called, and forgotten, by."""
    session: str = ""
    """The session that its name bears."""
    file: SideFile | None = None
    """None for typed prompts."""


class SideDocument(NamedTuple):
    """Its text as it is shown."""

    path: Path
    title: str
    text: str
    kind: str


def find_side_reference(store: Store, reference: str) -> SideReference | None:
    """Find what a path, as hits name it, or the name of a plan or todo list stands for."""
    folder = store.environment.claude
    if "\0" in reference or not folder.is_dir():
        return None
    if reference.startswith("~/"):
        reference = f"{store.environment.home}/{reference[2:]}"
    history = f"{folder}/history.jsonl/"
    if reference.startswith(history):
        path = Path(history.rstrip("/"))
        return SideReference(path, reference.removeprefix(history)) if path.is_file() else None
    from recall_tui.transcripts.claude.side_files import side_file

    places = [Path(reference)] if "/" in reference else []
    if not places:
        places = [folder / "plans" / f"{reference.removesuffix('.md')}.md"]
        places += [folder / "todos" / f"{reference.removesuffix('.json')}.json"]
    found = next((file for path in places if (file := side_file(store.environment, path))), None)
    return SideReference(found.path, found.name, found.session, found) if found else None


def find_side_document(store: Store, reference: str) -> SideDocument | None:
    """Read what the reference stands for; None when there is nothing, or it or its session was forgotten."""
    found = find_side_reference(store, reference)
    if found is None or read_all(store).of_session(found.name, *filter(None, (found.session,))):
        return None
    from recall_tui.index.ingest.markdown_files import redact_lines
    from recall_tui.text.secrets.redact import redact

    title, text, kind = _read(found)
    return SideDocument(found.path, redact(title), redact_lines(text), kind) if text else None


def _read(found: SideReference) -> tuple[str, str, str]:
    """Title, text and kind; no text when there is no such group."""
    from recall_tui.transcripts.claude.side_files import read_history, read_side_file, render_prompts

    if found.file is None:
        group = next((one for one in read_history(found.path) if one.name == found.name), None)
        return (group.title, render_prompts(group)[0], "history") if group else ("", "", "")
    try:
        return (*read_side_file(found.file), found.file.kind)
    except RecallError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        raise BrokenFileError(
            f"{found.path} cannot be read: {error}", hint=f"check it with: ls -l {found.path}"
        ) from error
