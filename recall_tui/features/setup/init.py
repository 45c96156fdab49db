"""Setting up a memory: the folders and files of its layout, every existing file kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal, TypedDict

from recall_tui.domain import Create, Edit, LayoutName, Plan
from recall_tui.environment import Environment, expand_home
from recall_tui.errors import UsageError
from recall_tui.index.project_scope import captures_all_projects
from recall_tui.resources import read_template
from recall_tui.storage.archives import index_file
from recall_tui.storage.config_file import layout_edit
from recall_tui.storage.existing_memory import expect_none_replaced, memory_place
from recall_tui.storage.git_exclusion import plan_exclusion
from recall_tui.storage.layout import (
    LAYOUT_NAMES,
    LAYOUTS_HINT,
    Layout,
    find_claude_project,
    find_design,
    find_enclosing,
    open_layout,
    root_for,
)
from recall_tui.storage.memory_context import Store
from recall_tui.storage.project_root import expect_agent_home
from recall_tui.transcripts.edge_lines import has_sessions_in


def choose_layout(
    environment: Environment, root: Path | None, name: str | None, *, is_for_claude: bool = False
) -> Layout:
    """Where and in which layout a new memory goes.

    Without a root: `RECALL_ECHO_HOME`, else the memory that one stands in, else the agent's home when it exists or the
    memory `is_for_claude`, else here, in a project at its top. A folder that holds a memory, or lies in one, keeps its
    layout; else a `.claude` folder becomes `user`, a project folder inside it `claude-project`, any other `entity`.
    Layout `user` is for an agent's home alone, and is never made in a project; `claude-project` of a project's folder
    goes to Claude Code's.

    Raises MemoryExistsError when a layout is named and the memory that is there has another.
    """
    if name is not None and name not in LAYOUT_NAMES:
        raise UsageError(f"unknown layout: {name}", hint=LAYOUTS_HINT)
    is_for_home = name is not None and find_design(name).is_of_agent_home
    folder = memory_place(environment.cwd, environment.home)
    if root is not None:
        folder = environment.cwd / expand_home(root, environment.home)
    elif home := environment.memory:
        folder = environment.cwd / home
    elif is_for_home or (
        name is None and not is_in_memory(environment) and (is_for_claude or environment.claude.is_dir())
    ):
        folder = environment.claude
    folder = folder.absolute()
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file", hint="name a folder")
    around = find_enclosing(folder)
    if name is None and (found := around or find_claude_project(environment, folder, folder)):
        return open_layout(found[0], found[1][0], environment.home)
    folder = around[0] if around else folder
    is_home = is_for_home or (name is None and (folder.name == ".claude" or folder == environment.claude))
    if is_home:
        expect_agent_home(environment, folder)
    if is_home or name is not None:
        design: LayoutName = "user" if is_home or name is None else name
        layout = open_layout(root_for(environment, folder, design), design, environment.home)
        expect_none_replaced(environment, folder, layout)
        return layout
    if folder.parent.name == "projects" and folder.parent.parent.name == ".claude":
        return open_layout(folder, "claude-project", environment.home)
    return open_layout(folder, "entity", environment.home)


def is_in_memory(environment: Environment) -> bool:
    """Return whether the current folder is part of a memory, or a project with one in Claude Code's folder."""
    return bool(find_enclosing(environment.cwd) or find_claude_project(environment, environment.cwd, environment.cwd))


_PROJECT_SETTING = """
[transcripts]
# Sessions were held in this folder before: it takes those alone. "all": those of every project on this machine.
projects = "here"
"""


EXPLANATION_FILE = "ARCHITECTURE.md"
"""Tells whoever opens a new memory's folder what it is; without it a memory is none the worse."""


def initial_files(layout: Layout) -> dict[Path, str]:
    """The files that a new memory starts with, and their text."""
    return {
        layout.memory_file: read_template("memory/MEMORY.md"),
        layout.window: "",
        layout.rows: index_file.render_header(),
    }


def _has_sessions(store: Store) -> bool:
    """Whether the folder of a memory that would take everything is one that sessions were held in, and no home."""
    real = store.root.resolve()
    if (
        not captures_all_projects(store)
        or not store.layout.design.includes_every_project
        or store.environment.home.resolve().is_relative_to(real)
    ):
        return False
    return any(has_sessions_in(folder, store.environment) for folder in dict.fromkeys((store.root, real)))


def make_folders(store: Store) -> None:
    """Make the folders of the memory's layout, and write down before that whether it came from elsewhere."""
    from recall_tui.storage.files.atomic import make_folder
    from recall_tui.storage.trust import note_origin

    note_origin(store, is_made=True)
    for folder in store.layout.folders():
        make_folder(folder)


class InitFacts(TypedDict):
    """Facts of a plan that sets a memory up; files are relative to the root."""

    layout: str
    root: str
    created: list[str]
    projects: Literal["here", "all"]
    """Projects whose sessions it takes."""
    kept: list[str]


def plan_init(store: Store) -> Plan[InitFacts]:
    """Make what is missing.

    In a folder that sessions were held in a new memory takes those alone, and its settings say so.
    """
    files = initial_files(store.layout)
    explanation = store.layout.base / EXPLANATION_FILE
    if store.layout.design.explains_itself and (explanation.exists() or not any(path.exists() for path in files)):
        files[explanation] = read_template("memory/ARCHITECTURE.md")
    created = [path for path in files if not path.exists()]
    edits: list[Edit] = [Create(path, files[path]) for path in created]
    is_here = False
    if layout := layout_edit(store):
        if isinstance(layout, Create) and len(created) == len(files) and _has_sessions(store):
            is_here, layout = True, replace(layout, text=layout.text + _PROJECT_SETTING)
        edits.append(layout)
        created.append(layout.path)
    kept_out = plan_exclusion(store).edits
    edits += kept_out
    created += [edit.path for edit in kept_out if isinstance(edit, Create)]
    facts: InitFacts = {
        "layout": store.layout.name,
        "root": str(store.root),
        "created": [store.relative(path) for path in created],
        "projects": "here" if is_here or not captures_all_projects(store) else "all",
        "kept": [store.relative(path) for path in (*files, store.layout.config) if path not in created],
    }
    return Plan(f"Set up a memory in {store.root} (layout {store.layout.name})", tuple(edits), facts=facts)
