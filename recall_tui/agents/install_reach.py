"""In words, before an installation: which sessions it reaches, in which files, and whose place it takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from recall_tui.agents.default_site import default_scope, project_folder
from recall_tui.agents.instructions import is_capture_enabled
from recall_tui.agents.target import Site, Target
from recall_tui.domain import Create, Edit
from recall_tui.environment import shorten_path
from recall_tui.errors import UsageError
from recall_tui.storage.memory_context import Store


def describe_reach(store: Store, target: Target, site: Site, edits: Sequence[Edit], other: Path | None) -> list[str]:
    """Return a sentence each on the sessions, the files with their whole paths, and the memory that goes.

    `other` is the memory that the agent has at the site now.
    """
    home = site.environment.home
    found = [_sessions(store, target, site)]
    if other is not None:
        whose = "these sessions" if site.scope == "project" else "your sessions"
        old = shorten_path(other, home)
        found.append(
            f"It takes the place of the memory in {old}: {whose} no longer reach that one, until it is installed again"
        )
    found += _files(site, [one for one in edits if not one.path.is_relative_to(store.state)])
    return found


def _sessions(store: Store, target: Target, site: Site) -> str:
    gains = "are told of this memory, and can search it"
    if target.has_hooks:
        gains = "receive what they need of this memory" + (", and are kept in it" if is_capture_enabled(site) else "")
    if site.scope == "project":
        project = shorten_path(site.project, site.environment.home)
        here = f"Installs into {target.title}, in {project} alone: sessions there {gains}"
        return f"{here}; sessions of other projects do not" if target.has_hooks else here
    every = f"Installs into {target.title}, in every project: all your sessions {gains}"
    if default_scope(store) == "user":
        return every
    try:
        project = shorten_path(project_folder(store), site.environment.home)
    except UsageError:
        project = "one project"
    return f"{every}, although it is the memory of {project}; for that alone: --scope project"


def _files(site: Site, edits: Sequence[Edit]) -> Iterator[str]:
    """Yield the files that are changed, then those that are made."""
    made = [one for one in edits if isinstance(one, Create)]
    changed = [one for one in edits if one not in made]
    for word, those in (("It changes", changed), ("It creates", made)):
        names = [shorten_path(one.path, site.environment.home) for one in those]
        if names:
            yield f"{word} {', '.join(names)}"
