"""Installing into an agent and taking it out again, as plans.

What a person changed is left as it is and named, unless it is said that it may go. A second installation changes
nothing.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from recall_tui.agents.pieces.hook_settings import PredecessorHooks
from recall_tui.agents.target import (
    SERVER_PIECE,
    BoundPiece,
    Parts,
    Piece,
    ReplacingPiece,
    ServerPiece,
    Site,
    State,
    Target,
)
from recall_tui.domain import Create, Delete, Edit, Plan, Replace
from recall_tui.errors import RecallError, UsageError
from recall_tui.files import MAX_SETTINGS_BYTES, OutsideRootError
from recall_tui.storage.files.atomic import content_digest, read_bytes
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.journal.origin import find_origin
from recall_tui.storage.layout import detect_layout
from recall_tui.storage.memory_context import Store

BACKUP_FOLDER = "backups"
"""The folder, in the memory's state, of what files of others held before we first changed them."""
PERSONAL_FILES = frozenset(["CLAUDE.md", "CLAUDE.local.md"])
"""Files that are nobody's but the person's, whatever leads to them."""
_UNOWNED_STATES = (State.ABSENT, State.PREDECESSOR, State.CHANGED)
_ACTIONS = {
    State.ABSENT: "added",
    State.OUTDATED: "updated",
    State.PREDECESSOR: "replaced",
    State.CHANGED: "replaced",
}


@dataclass(slots=True)
class _PlanBuilder:
    """What becomes of the files of one plan."""

    edits: list[Edit] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    pieces: list[dict[str, object]] = field(default_factory=list)
    changed: list[Path] = field(default_factory=list)
    """Files that a person changed, and that were left."""
    machine_files: dict[Path, None] = field(default_factory=dict)
    """Files of a project that name paths of this machine."""
    refused: list[RecallError] = field(default_factory=list)
    """Servers of others that bear the name of ours."""

    def tell(self, piece: Piece, did: str) -> None:
        """Note what becomes of a piece."""
        self.pieces.append({"what": piece.what, "path": str(piece.path), "did": did})


def install_title(target: Target, site: Site) -> str:
    """What the journal calls an installation; by it an uninstallation finds what was there before."""
    where = "for you" if site.scope == "user" else f"in {site.project}"
    return f"Installed into {target.title} {where}"


def plan_install(
    store: Store, target: Target, site: Site, over: Collection[Path] = frozenset(), parts: Parts = "all"
) -> Plan:
    """Put the memory's rules, hooks and server into the agent; files in `over` are replaced although they were changed.

    The facts say what becomes of each piece, under `changed` which files were left, and under `about`, a sentence each,
    which sessions it reaches in which files. A server of another that bears
    our name always stays, with a note, or a RecallError when there is nothing else to do. BrokenFileError, and no plan,
    when a file makes no sense.
    """
    from recall_tui.agents.install_reach import describe_reach

    _check_site(target, site)
    draft = _PlanBuilder()
    every = select_parts(target, pieces_with_predecessors(target, site), parts)
    other = find_other_memory(every, site)
    for path, pieces in _group_by_file(every):
        _install_pieces(draft, store, site, path, pieces, over)
    if draft.refused and not draft.edits:
        raise draft.refused[0]
    if draft.machine_files:
        from recall_tui.storage.machine_files import plan_exclusion

        edits, notes = plan_exclusion(site.project, site.environment, draft.machine_files)
        draft.edits += edits
        draft.notes += notes
    if site.scope == "project":
        from recall_tui.storage.machine_files import describe_commits

        written = [edit.path for edit in draft.edits if edit.path.resolve() not in draft.machine_files]
        draft.notes += describe_commits(site.project, site.environment, written)
    draft.notes += [f"{error.message}; {error.hint}" for error in draft.refused]
    facts = {
        **_plan_details(target, site, draft),
        "changed": [str(path) for path in draft.changed],
        "about": describe_reach(store, target, site, draft.edits, other) if draft.edits else [],
    }
    title = install_title(target, site) if draft.edits else f"nothing to do: {target.title} has it already"
    return Plan(title, tuple(draft.edits), tuple(draft.notes), facts)


def select_parts(target: Target, pieces: Iterable[Piece], parts: Parts) -> tuple[Piece, ...]:
    """Return the chosen pieces; UsageError for the server of an agent that takes none."""
    if parts == "all":
        return tuple(pieces)
    chosen = tuple(piece for piece in pieces if (piece.what == SERVER_PIECE) == (parts == "server"))
    if not chosen and parts == "server":
        raise UsageError(f"{target.title} takes no MCP server", hint="say it without --mcp")
    return chosen


def plan_uninstall(store: Store, target: Target, site: Site, parts: Parts = "all") -> Plan:
    """Take exactly ours out of the agent: byte for byte what was there before, where nothing else changed since.

    What is there for another memory stays.
    """
    _check_site(target, site)
    draft = _PlanBuilder()
    every = select_parts(target, target.pieces(site), parts)
    if other := find_other_memory(every, site):
        draft.notes.append(
            f"what is in {target.title} is for the memory in {other}: recall-tui uninstall --root {other}"
        )
        every = ()
    for path, pieces in _group_by_file(every):
        _uninstall_pieces(draft, store, site, install_title(target, site), path, pieces)
    if unbound := list(_find_unbound(draft.edits, target, site)):
        from recall_tui.storage.machine_files import plan_inclusion

        draft.edits += plan_inclusion(site.project, site.environment, unbound)
    where = "for you" if site.scope == "user" else f"in {site.project}"
    title = f"Uninstalled from {target.title} {where}" if draft.edits else f"nothing of it is in {target.title} {where}"
    return Plan(title, tuple(draft.edits), tuple(draft.notes), _plan_details(target, site, draft))


def find_other_memory(pieces: Collection[Piece], site: Site) -> Path | None:
    """The memory that the hooks there are for when it is another one, and still there."""
    for piece in pieces:
        for root in piece.roots(read_target(piece.path, site)) if isinstance(piece, BoundPiece) else ():
            if os.path.realpath(root) != os.path.realpath(site.layout.root) and detect_layout(root):
                return root
    return None


def pieces_with_predecessors(target: Target, site: Site) -> tuple[Piece, ...]:
    """Return the pieces of an installation, and other settings files that hold hooks of earlier tools."""
    every = target.pieces(site)
    settings: Callable[[Site], tuple[Path, ...]] = getattr(target, "settings", lambda _: ())
    others = [PredecessorHooks(path, "", ()) for path in settings(site) if all(path != one.path for one in every)]
    return (*every, *(one for one in others if one.predecessors(read_target(one.path, site))))


def find_predecessors(piece: Piece, text: str | None) -> tuple[str, ...]:
    """Describe what earlier tools left in the piece's file."""
    return piece.predecessors(text) if isinstance(piece, ReplacingPiece) else ()


def _check_site(target: Target, site: Site) -> None:
    if site.scope not in target.scopes:
        raise UsageError(
            f"{target.title} has no {site.scope} scope", hint=f"say: --scope {' or --scope '.join(target.scopes)}"
        )


def _group_by_file(pieces: Collection[Piece]) -> Iterator[tuple[Path, list[Piece]]]:
    """The pieces of each file, of one that two names lead to as well."""
    files: dict[str, list[Piece]] = {}
    for piece in pieces:
        files.setdefault(os.path.realpath(piece.path), []).append(piece)
    for together in files.values():
        yield together[0].path, together


def _install_pieces(
    draft: _PlanBuilder, store: Store, site: Site, path: Path, pieces: list[Piece], over: Collection[Path]
) -> None:
    real = resolve_target(path, site)
    if real.name in PERSONAL_FILES:
        draft.notes.append(f"{path} is a link to {real}, which belongs to the user; it is left unchanged")
        return
    before = text = read_target(path, site)
    is_first = True
    for piece in pieces:
        state = piece.state(text)
        is_first = is_first and (state in _UNOWNED_STATES or bool(find_predecessors(piece, text)))
        if state is State.CURRENT:
            draft.tell(piece, "kept")
        elif state is State.CHANGED and isinstance(piece, ServerPiece):
            draft.tell(piece, "left")
            draft.refused.append(piece.conflict(text or ""))
        elif state is State.CHANGED and path not in over:
            draft.tell(piece, "left")
            draft.changed.append(path)
            draft.notes.append(f"{path} was edited or written by others; it is left unchanged")
        else:
            draft.tell(piece, _ACTIONS[state])
            draft.notes += [f"{one}, is replaced; a copy is kept" for one in find_predecessors(piece, text)]
            text = piece.installed(text)
            if site.scope == "project" and isinstance(piece, BoundPiece):
                draft.machine_files[real] = None
    if text is None or text == before:
        return
    if before is None:
        draft.edits.append(Create(real, text, is_private=site.scope == "user", owns_folders=True))
        return
    require_writable(path)
    if is_first and before.strip() and (backup := backup_edit(store, path, before)):
        draft.edits.append(backup)
    draft.edits.append(Replace(path, content_digest(before), text))


def backup_edit(store: Store, path: Path, text: str) -> Create | None:
    """A copy of the file as it is; None when there is one already, and of what we wrote ourselves."""
    newest = next(Journal(store.state, store.now).changes_of(path), None)
    if newest is not None and newest[1].now == content_digest(text):
        return None
    copy = store.state / BACKUP_FOLDER / f"{path.stem}-{content_digest(text)[:12]}{path.suffix}"
    return None if copy.exists() else Create(copy, text)


def _uninstall_pieces(
    draft: _PlanBuilder, store: Store, site: Site, title: str, path: Path, pieces: list[Piece]
) -> None:
    before = read_target(path, site)
    if before is None:
        return
    text: str | None = before
    for piece in pieces:
        if text is None:
            break
        state = piece.state(text)
        if state in (State.ABSENT, State.PREDECESSOR):
            continue
        left = piece.removed(text)
        draft.tell(piece, "left" if left == text else "removed")
        if left == text:
            draft.notes.append(f"{path} was edited or written by others; it is left unchanged")
        text = left
    if text == before:
        return
    journal = Journal(store.state, store.now)
    # Journals of earlier versions say it in their words.
    was = find_origin(journal, title, path) or find_origin(journal, title.replace(" for you", " for the person"), path)
    if was is not None and all(piece.state(was.text) in _UNOWNED_STATES for piece in pieces):
        text = was.text
    require_writable(path)
    if text is not None:
        draft.edits.append(Replace(path, content_digest(before), text))
        return
    real = resolve_target(path, site)
    made = (change.folders for _, change in journal.changes_of(real) if change.kind == "create")
    draft.edits.append(Delete(real, content_digest(before), next(made, ())))


def _find_unbound(edits: Iterable[Edit], target: Target, site: Site) -> Iterator[Path]:
    """Yield the files of the project that no longer name paths of this machine once the edits are made."""
    if site.scope != "project":
        return
    pieces = [piece for piece in target.pieces(site) if isinstance(piece, BoundPiece)]
    for edit in edits:
        text = edit.text if isinstance(edit, Replace) else None
        here = [piece for piece in pieces if os.path.realpath(piece.path) == os.path.realpath(edit.path)]
        if here and not any(piece.roots(text) for piece in here):
            yield edit.path


def require_writable(path: Path) -> None:
    """A file that its owner made read-only is not written around."""
    if not path.stat().st_mode & 0o222:
        raise RecallError(f"{path} is read-only", hint="make it writable, then do it again; nothing was changed")


def _plan_details(target: Target, site: Site, draft: _PlanBuilder) -> dict[str, object]:
    return {"agent": target.name, "scope": site.scope, "pieces": draft.pieces}


_LINK_HINT = "remove the link, then do it again"


def resolve_target(path: Path, site: Site) -> Path:
    """The file that is made, changed or removed; RecallError when a link leads where it must not."""
    real = Path(os.path.realpath(path))
    if site.scope == "project":
        project = Path(os.path.realpath(site.project))
        if not real.is_relative_to(project):
            raise _link_error(path, real, f"points outside {project}")
    elif path.is_symlink():
        _require_own(path, real, site.environment.home)
    return real if path.is_symlink() else path


def read_target(path: Path, site: Site) -> str | None:
    """The file's text with its line ends; None when there is no such file."""
    resolve_target(path, site)
    try:
        data = read_bytes(path, MAX_SETTINGS_BYTES, beneath=site.project if site.scope == "project" else None)
    except OutsideRootError as error:
        raise RecallError(f"{path} {error.strerror}", hint=_LINK_HINT) from None
    return None if data is None else data.decode("utf-8", "surrogateescape")


def _require_own(path: Path, real: Path, home: Path) -> None:
    try:
        status = real.stat()
    except OSError:
        if not real.is_relative_to(Path(os.path.realpath(home))):
            raise _link_error(path, real, "points to nothing, outside the home folder") from None
        return
    if not stat.S_ISREG(status.st_mode):
        raise _link_error(path, real, "points to something other than a file")
    if status.st_uid != os.geteuid():
        raise _link_error(path, real, "points to another account's file")


def _link_error(path: Path, real: Path, why: str) -> RecallError:
    return RecallError(f"{path} is a link to {real}, which {why}: nothing is read or written there", hint=_LINK_HINT)
