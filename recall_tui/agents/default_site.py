"""Where a memory is installed when nobody says more: the scope, and the project's folder."""

from __future__ import annotations

from pathlib import Path

from recall_tui.agents.target import Scope, Site
from recall_tui.environment import Environment
from recall_tui.errors import UsageError
from recall_tui.index.project_scope import claude_project_folder, includes_all_projects, own_folder
from recall_tui.storage.layout import find_enclosing, project_top
from recall_tui.storage.memory_context import Store
from recall_tui.storage.project_root import find_memory_project


def default_scope(store: Store) -> Scope:
    """The project, where the memory is one project's; else the person.

    What is installed for the person is handed to sessions in every project.
    """
    if store.layout.design.is_of_one_project:
        return "project"
    is_home = own_folder(store) in (store.environment.home, store.environment.claude)
    is_users = is_home or store.layout.design.is_of_agent_home or includes_all_projects(store)
    return "user" if is_users else "project"


def default_site(store: Store, command: tuple[str, ...], scope: Scope | None = None) -> Site:
    """The site of the memory; UsageError for a project that is the home folder, or that nobody knows."""
    scope = scope or default_scope(store)
    project = store.root if scope == "user" else project_folder(store)
    if scope == "project" and project in (store.environment.home, store.environment.claude):
        whose = "home folder" if project == store.environment.home else "agent's home"
        raise UsageError(f"{project} is the {whose} and no project", hint="say: --scope user, or go to the project")
    return Site(scope, project, store.layout, store.environment, command)


def project_folder(store: Store) -> Path:
    """The folder of the project: the memory's own, else the work tree that one stands in, else where one stands."""
    layout, environment = store.layout, store.environment
    if layout.design.is_of_project:
        return layout.root
    if layout.design.is_of_claude_project:
        return _claude_project(layout.root, environment)
    if default_scope(store) == "project":
        around = find_memory_project(store)
        return around.top if around else layout.root
    # Among a memory's documents one is in the folder that holds it.
    within = find_enclosing(environment.cwd)
    here = within[0] if within else environment.cwd
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)


def _claude_project(root: Path, environment: Environment) -> Path:
    """The project that Claude Code's folder is for; its name is lossy, so that a real folder has to fit it."""
    for folder in (environment.cwd, *environment.cwd.parents):
        if _is_claude_folder_for(root, folder, environment):
            return folder
    from recall_tui.transcripts.edge_lines import session_folder

    for transcript in sorted(root.glob("*.jsonl"), reverse=True):
        begun_in = session_folder(transcript)
        if begun_in and _is_claude_folder_for(root, Path(begun_in), environment) and Path(begun_in).is_dir():
            return Path(begun_in)
    if found := claude_project_folder(root):
        return found
    raise UsageError(f"it is not known which project {root} is for", hint="go to the project's folder")


def _is_claude_folder_for(root: Path, folder: Path, environment: Environment) -> bool:
    """Whether a folder is the project, or the top of another work tree of it."""
    is_linked = (folder / ".git").is_file()
    return root.name in (
        environment.claude_project(folder).name,
        environment.claude_project(project_top(environment, folder)).name if is_linked else "",
    )
