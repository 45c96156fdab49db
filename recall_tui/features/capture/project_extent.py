"""Whose sessions a memory takes, and what of the others claims to be of its project: for a person, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from recall_tui.domain import Plan
from recall_tui.errors import UsageError
from recall_tui.features.capture.session_marker import captures
from recall_tui.index.project_scope import aliases_of, captures_all
from recall_tui.storage import git_exclusion as ignoring
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import joined_projects as joins
from recall_tui.transcripts.project import Project, claims, identity


@dataclass(frozen=True, slots=True)
class Claim:
    """Another folder of which it is said that it is a copy of the memory's project."""

    project: Project
    sessions: int
    """Sessions of it that the memory would take if it were joined."""


def words(store: Store, *, is_all: bool | None = None) -> tuple[str, ...]:
    """What a memory takes from where, and what of it may be committed, a sentence each.

    `is_all` says whether it will take the sessions of every project, for a memory that is not made yet.
    """
    folder = shown(store, own_project(store).root)
    if captures_all(store) if is_all is None else is_all:
        whose = f"it takes the sessions of every project on this machine; those of {folder} alone with: {_ONLY_HERE}"
    else:
        whose = f"it takes the sessions held in {folder} alone, of every agent; more with: {_EVERYBODY}"
    found = ignoring.keeping(store)
    kept = (ignoring.told(store, found),) if found else ()
    unasked = () if captures(store) else ("hooks write nothing into it unasked; sessions are archived by command",)
    return (whose, *unasked, *kept)


_ONLY_HERE = "recall-tui config set transcripts.projects here"
_EVERYBODY = "recall-tui archive --all-unarchived --all-projects"


def own_project(store: Store) -> Project:
    """The project that the memory lies in."""
    return identity(store.root, aliases_of(store))


def claiming(store: Store, others: Mapping[str, int]) -> tuple[Claim, ...]:
    """The folders that say that they have the same origin as the memory's project, most sessions first.

    `others` are the folders that sessions were held in, each with how many; those of which the person said something
    are left out.
    """
    mine, said = own_project(store), joins.read(store.places)
    counts: dict[str, int] = {}
    found: dict[str, Project] = {}
    for folder, count in others.items():
        project = identity(folder)
        if claims(project, mine) and not said.is_decided(mine.key, project.key):
            found[project.key] = project
            counts[project.key] = counts.get(project.key, 0) + count
    return tuple(
        Claim(found[key], count) for key, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    )


def join(store: Store, folder: Path, *, is_apart: bool = False) -> Plan:
    """The change by which the project of a folder is this memory's too, or with `is_apart` a project of its own."""
    mine, other = own_project(store).key, identity(folder).key
    if mine == other:
        raise UsageError(f"{folder} is in this memory's project already", hint="name another folder")
    return joins.part(store.places, mine, other) if is_apart else joins.join(store.places, mine, other)


def joined(store: Store) -> Iterable[str]:
    """The other folders that are this memory's project."""
    mine = own_project(store).key
    return sorted(joins.read(store.places).with_key(mine) - {mine})


def shown(store: Store, path: Path | str) -> str:
    """A path as a person writes it: from the home folder on with `~`."""
    home = store.places.home
    if Path(path) == home:
        return "~"
    return f"~/{Path(path).relative_to(home).as_posix()}" if Path(path).is_relative_to(home) else str(path)
