"""Whose sessions a memory takes, and what of the others claims to be of its project: for a person, in words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from recall_tui.domain import Plan
from recall_tui.environment import shorten_path
from recall_tui.errors import UsageError
from recall_tui.features.capture.session_marker import captures_sessions
from recall_tui.index.project_scope import captures_all_projects, folder_aliases, includes_all_projects, own_folder
from recall_tui.storage import git_exclusion
from recall_tui.storage.memory_context import Store
from recall_tui.storage.project_root import find_memory_project
from recall_tui.storage.state import joined_projects
from recall_tui.transcripts.project import Project, are_copies, project_of

MAX_LISTED_PROJECTS = 5
"""Projects that are named where sessions are counted by project."""


@dataclass(frozen=True, slots=True)
class ProjectClaim:
    """Another folder of which it is said that it is a copy of the memory's project."""

    project: Project
    sessions: int
    """Sessions of it that the memory would take if it were joined."""


def describe_extent(store: Store, *, is_all: bool | None = None, in_app: bool = False) -> tuple[str, ...]:
    """What a memory takes from where, and what of it may be committed, a sentence each.

    `is_all` says whether it will keep the sessions of every project, for a memory that is not made yet. `in_app` names
    the setting instead of the command.
    """
    folder = home_relative(store, memory_project(store).root)
    if captures_all_projects(store) if is_all is None else is_all:
        change = _THIS_PROJECT_SETTING if in_app else f"run: {_THIS_PROJECT_COMMAND}"
        # In the agent's own folder no project is worked on.
        narrower = "" if store.layout.design.is_of_agent_home else f"; to keep only those of {folder}, {change}"
        whose = f"it keeps the sessions of every project on this machine{narrower}"
    else:
        change = _ALL_PROJECTS_SETTING if in_app else f"run: {_ALL_PROJECTS_COMMAND}"
        # A team has no business in the person's other projects.
        wider = "" if store.layout.design.publishes_summaries else f"; to keep all on this machine, {change}"
        whose = f"it keeps only the sessions held in {folder}, of every agent{wider}"
    found = git_exclusion.find_exclusion(store)
    kept = (git_exclusion.describe_exclusion(store, found),) if found else ()
    unasked = (
        ()
        if captures_sessions(store)
        else ("hooks add no session to it; you choose which to add, with A in Health (6) or recall-tui archive",)
    )
    return (whose, *_elsewhere(store), *unasked, *kept)


def _elsewhere(store: Store) -> tuple[str, ...]:
    """How to open a memory in a folder below the top of its project, in a sentence; empty for any other."""
    project = None if store.layout.design.is_of_one_project else find_memory_project(store)
    if project is None or project.top == Path(os.path.realpath(store.root)) or includes_all_projects(store):
        return ()
    top, root = home_relative(store, project.top), home_relative(store, store.root)
    return (f"agents receive it in all of {top}; from outside {root} you open it with: recall-tui --root {root}",)


_THIS_PROJECT_SETTING = "skip the next step with esc, and first set transcripts.projects to `here` in Settings (7)"
_ALL_PROJECTS_SETTING = "set transcripts.projects to `all` in Settings"
_THIS_PROJECT_COMMAND = "recall-tui config set transcripts.projects here"
_ALL_PROJECTS_COMMAND = "recall-tui archive --all-unarchived --all-projects"


def memory_project(store: Store) -> Project:
    """The project that the memory lies in."""
    return project_of(own_folder(store), folder_aliases(store))


def find_claims(store: Store, others: Mapping[str, int]) -> tuple[ProjectClaim, ...]:
    """The folders that say that they have the same origin as the memory's project, most sessions first.

    `others` are the folders that sessions were held in, each with how many; those of which the person said something
    are left out.
    """
    mine, said = memory_project(store), joined_projects.read_joins(store.environment)
    counts: dict[str, int] = {}
    found: dict[str, Project] = {}
    for folder, count in others.items():
        project = project_of(folder)
        if are_copies(project, mine) and not said.is_decided(mine.key, project.key):
            found[project.key] = project
            counts[project.key] = counts.get(project.key, 0) + count
    return tuple(
        ProjectClaim(found[key], count) for key, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    )


def plan_join(store: Store, folder: Path, *, is_apart: bool = False) -> Plan:
    """The change by which the project of a folder is this memory's too, or with `is_apart` a project of its own."""
    mine, other = memory_project(store).key, project_of(folder).key
    if mine == other:
        raise UsageError(f"{folder} is in this memory's project already", hint="name another folder")
    return (
        joined_projects.plan_part(store.environment, mine, other)
        if is_apart
        else joined_projects.plan_join(store.environment, mine, other)
    )


def joined_folders(store: Store) -> Iterable[str]:
    """The other folders that are this memory's project."""
    mine = memory_project(store).key
    return sorted(joined_projects.read_joins(store.environment).with_key(mine) - {mine})


def sessions_by_project(store: Store, transcripts: Iterable[Path]) -> tuple[tuple[str, int], ...]:
    """Count the transcripts by the project they were held in, most first; the name is empty where none is known.

    A project is named by its root, from the home folder on with `~`. Only the beginning of each file is read.
    """
    from collections import Counter

    from recall_tui.transcripts.edge_lines import session_folder

    aliases = folder_aliases(store)
    folders = Counter(map(session_folder, transcripts))
    counts: Counter[str] = Counter()
    for folder, count in folders.items():
        counts[home_relative(store, project_of(folder, aliases).root) if folder else ""] += count
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def describe_projects(counts: Sequence[tuple[str, int]]) -> str:
    """Render the counts of `sessions_by_project`, such as `12 of ~/api, 3 of ~/web and 2 of 4 other projects`."""
    rows = [f"{count} of {name or 'an unknown project'}" for name, count in counts]
    if len(rows) <= MAX_LISTED_PROJECTS:
        return ", ".join(rows)
    others = counts[MAX_LISTED_PROJECTS:]
    rest = f"{sum(count for _, count in others)} of {len(others)} other projects"
    return f"{', '.join(rows[:MAX_LISTED_PROJECTS])} and {rest}"


def describe_publication(store: Store, transcripts: Sequence[Path]) -> tuple[str, ...]:
    """What archiving would show to a team, a sentence each; empty where nobody else reads the memory."""
    if not transcripts or not git_exclusion.publishes_sessions(store):
        return ()
    count = len(transcripts)
    folder = home_relative(store, store.layout.summaries or store.layout.base)
    pages = f"{count:,} page{'s' * (count != 1)}, one for each session, {'are' if count != 1 else 'is'} written into"
    counts = sessions_by_project(store, transcripts)
    return (f"{pages} {folder}: {describe_projects(counts)}", git_exclusion.SHARED_NOTICE)


def describe_keeping(store: Store) -> str:
    """Return the sentences on what becomes of a session that is kept, and of the conversation itself."""
    from recall_tui.transcripts.claude.project_folder import retention_days

    days = retention_days(store.environment)
    if not store.layout.design.summaries_are_archives:
        return (
            f"Claude Code deletes a session {days} days after its last use. Kept, it becomes a Markdown file with a "
            "summary, with secrets masked, and can be searched."
        )
    return (
        "Kept, a session becomes a Markdown page with its summary, with secrets masked. The conversation itself stays "
        f"with Claude Code, which deletes it {days} days after its last use. Once connected, hooks keep a copy of it "
        "on this machine before that; without them only the summary stays."
    )


def home_relative(store: Store, path: Path | str) -> str:
    """Return the path as a person writes it, from the home folder on with `~` and with its secrets redacted."""
    from recall_tui.text.secrets.redact import redact

    return redact(shorten_path(Path(path), store.environment.home))
