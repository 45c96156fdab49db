"""The paths of a memory by its design, and detection of the design of a folder.

Finding a memory never creates or changes anything.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.config import read_table
from recall_tui.environment import Environment
from recall_tui.errors import ConfigError, NotFoundError, UsageError
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from recall_tui.domain import LayoutName
    from recall_tui.storage.layouts import Design

CONFIG_NAME = ".recall-echo.toml"
JSON_CONFIG_NAME = ".recall-echo.json"
LAYOUT_NAMES: tuple[LayoutName, ...] = ("entity", "user", "project", "hierarchical", "claude-project")
LAYOUTS_HINT = f"{', '.join(LAYOUT_NAMES)}; the meaning of each: recall-tui init --help"
_RULES_PATH = "rules/recall-echo.md"
"""A file that recall-echo writes beside a memory."""
_HOME_MARKS: tuple[tuple[str, LayoutName], ...] = (
    *((name, "user") for name in ("memories", "conversations", "EPHEMERAL.md", "ARCHIVE.md")),
    *((name, "entity") for name in ("memory/EPHEMERAL.md", "memory/ARCHIVE.md")),
    *((name, "user") for name in ("memory/MEMORY.md", _RULES_PATH)),
)
"""Marks of a memory in the agent's home; the last generation of recall-echo keeps all of it in `memory/` there, too."""
DOCUMENT_FOLDERS = frozenset(("memory", "_memory", "memories", "conversations"))
"""Folders in a root that hold documents, in any design."""
_OUR_MARK = "\n<!-- recall-tui "
_USER_ARCHIVES = (("memories", "archive-log-*.md"), ("conversations", "conversation-*.md"))
"""Folders in the root of a user memory, and the archives in them."""
_DAY = lazy_pattern(r"\d{4}-\d{2}-\d{2}\.md")


class ArchiveLocation(NamedTuple):
    """A folder of numbered archives and the prefix of its files."""

    folder: Path
    prefix: str
    """`conversation` or `archive-log`; a file is `<prefix>-<number>.md`."""


class Layout(NamedTuple):
    """The paths of a memory."""

    design: Design
    root: Path
    base: Path
    """The folder of most documents: `memory/`, `_memory/`, or the root itself."""
    memory_file: Path
    topics: Path
    """The folder of topic files; MEMORY.md lies in it where the design puts them side by side."""
    window: Path
    rows: Path
    """The archive index, ARCHIVE.md."""
    archives: tuple[ArchiveLocation, ...]
    """The folders to read archives from; a new memory writes to the first. Empty: the design has none."""
    summaries: Path | None
    """The folder of `<session-id>.md` summaries that take the place of archives; None: the design has none."""
    days: Path
    weekly: Path
    monthly: Path
    wiki: Path
    wisdom: Path
    dreams: Path
    identity: Path
    master: Path
    config: Path
    follows_links: bool = False
    """Links that lead out of the memory are the user's own; see `storage.files.symlinks`."""
    owns_files: bool = False
    """Its fixed documents, at the design's paths, may be such links."""
    owns_places: bool = False
    """Its documents may lie wherever `.recall-echo.json` says."""
    astray: tuple[tuple[str, str], ...] = ()
    """Unconfirmed paths in that file: the setting and its target."""
    owns_folders: bool = False
    """Folders of the memory may be such links as a whole."""

    @property
    def name(self) -> LayoutName:
        """The design's name, as commands and settings write it."""
        return self.design.name

    @property
    def has_archive_files(self) -> bool:
        """Archives are files, possibly only summaries; without them an index row represents a session."""
        return bool(self.archives) or self.summaries is not None

    def fixed_files(self) -> tuple[Path, ...]:
        """Return the files that a topic file may never be."""
        return (self.memory_file, self.window, self.rows, self.wisdom, self.dreams, self.identity, self.master)

    def folders(self) -> tuple[Path, ...]:
        """Return the folders that `init` creates."""
        made = [self.base]
        made += [place.folder for place in self.archives[:1]]
        if self.summaries:
            made.append(self.summaries)
        if self.topics not in made:
            made.append(self.topics)
        return tuple(dict.fromkeys(made))


class LocatedMemory(NamedTuple):
    """A memory, and why it was chosen."""

    layout: Layout
    why: str


def make_layout(root: Path, name: LayoutName) -> Layout:
    """Return the paths that the layout `name` has in the folder `root`."""
    design = find_design(name)
    memory = root / design.base
    beside_window = root if design.has_window_at_root else memory
    beside_wisdom = root if design.has_wisdom_at_root else memory
    older = [one for one in design.older_archives if (root / one[0]).is_dir()]
    return Layout(
        design=design,
        root=root,
        base=memory,
        memory_file=memory / "MEMORY.md",
        topics=memory / design.topics,
        window=beside_window / "EPHEMERAL.md",
        rows=beside_window / "ARCHIVE.md",
        archives=tuple(ArchiveLocation(root / folder, prefix) for folder, prefix in (*design.archives, *older)),
        summaries=memory / design.summaries if design.summaries else None,
        days=memory / design.days,
        weekly=memory / "weekly",
        monthly=memory / "monthly",
        wiki=memory / "wiki",
        wisdom=beside_wisdom / "WISDOM.md",
        dreams=beside_wisdom / "DREAMS.md",
        identity=beside_wisdom / "IDENTITY.md",
        master=memory / "master.md",
        config=beside_window / CONFIG_NAME,
    )


def find_design(name: LayoutName) -> Design:
    """Return the design of that name; its module is loaded on first use."""
    module = import_module(f"recall_tui.storage.layouts.{name.replace('-', '_')}")
    design: Design = module.DESIGN
    return design


def detect_layout(folder: Path) -> tuple[LayoutName, str] | None:
    """Detect which layout `folder` is the root of, and by which mark; None when it holds no memory.

    The first match wins.
    """
    for config in (folder / "_memory" / CONFIG_NAME, folder / "memory" / CONFIG_NAME):
        if name := _recorded_layout(config):
            return name, f"layout in {config}"
    for config in (folder / CONFIG_NAME, folder / JSON_CONFIG_NAME):
        # Other designs keep their settings among the documents: such a folder is not a root.
        if (name := _recorded_layout(config)) and find_design(name).has_window_at_root:
            return name, f"layout in {config}"
    memory = folder / "memory"
    if (folder / "_memory").is_dir():
        return "project", "it holds _memory/"
    if (
        folder.parent.name == "projects"
        and folder.parent.parent.name == ".claude"
        and (memory.is_dir() or _any_exists(folder.glob("*.jsonl")))
    ):
        return "claude-project", "a project folder of Claude Code"
    if folder.name == ".claude":
        for mark, design in _HOME_MARKS:
            if (folder / mark).exists() and not (mark == _RULES_PATH and _is_own_rules(folder / mark)):
                return design, f"a .claude folder with {mark}"
    if _named_paths(folder):
        return "user", f"places in {folder / JSON_CONFIG_NAME}"
    for mark in ("conversations", "EPHEMERAL.md", "ARCHIVE.md"):
        if (memory / mark).exists():
            return "entity", f"it holds memory/{mark}"
    if mark := _find_user_mark(folder):
        return "user", f"it holds {mark} beside memory/MEMORY.md"
    for mark in ("memory/weekly", "memory/monthly", "memory/wiki", "WISDOM.md", "DREAMS.md"):
        if (folder / mark).exists():
            return "hierarchical", f"it holds {mark}"
    if memory.is_dir() and any(_DAY.fullmatch(path.name) for path in memory.glob("????-??-??.md")):
        return "hierarchical", "it holds day logs in memory/"
    if (memory / "MEMORY.md").is_file():
        return "entity", "it holds memory/MEMORY.md"
    return None


def _find_user_mark(folder: Path) -> str:
    """Return the mark of a user memory that lies elsewhere than in the agent's home; empty when there is none."""
    if not (folder / "memory" / "MEMORY.md").is_file():
        return ""
    for place, names in _USER_ARCHIVES:
        if _any_exists((folder / place).glob(names)):
            return f"{place}/"
    # A project may have an ARCHIVE.md of its own.
    return "EPHEMERAL.md" if (folder / "EPHEMERAL.md").is_file() else ""


def open_layout(root: Path, name: LayoutName, home: Path | None = None) -> Layout:
    """Return the layout with the paths that `.recall-echo.json` sets, if the design reads it.

    `{"paths": {"memory": …, "ephemeral": …, "archive": …, "memories": …}}`, each relative to the root, or to the
    person's `home` when it begins with `~`.
    """
    layout = make_layout(root, name)
    if not layout.design.reads_json_settings or not (named := _named_paths(root)):
        return layout
    return _with_paths(layout, named, home or root.parent)


def _named_paths(root: Path) -> Mapping[str, object] | None:
    """Read the paths that a folder's `.recall-echo.json` sets; None when it sets none."""
    config = root / JSON_CONFIG_NAME
    if not config.is_file():
        return None
    try:
        named = read_table(config).get("paths")
    except (ConfigError, OSError):
        return None
    return named if isinstance(named, dict) else None


def _with_paths(layout: Layout, named: Mapping[str, object], home: Path) -> Layout:
    texts = {key: value for key, value in named.items() if isinstance(value, str) and value.strip()}
    given = {
        key: home / value[2:] if value.startswith("~/") else layout.root / value
        for key, value in texts.items()
        if "\0" not in value
    }
    memory = given.get("memory", layout.memory_file)
    archives = layout.archives
    if folder := given.get("memories"):
        archives = (archives[0]._replace(folder=folder), *archives[1:])
    return layout._replace(
        memory_file=memory,
        topics=memory.parent,
        window=given.get("ephemeral", layout.window),
        rows=given.get("archive", layout.rows),
        archives=archives,
    )


def _is_own_rules(rules: Path) -> bool:
    """Return whether the rules file is ours: it is bound to a memory anywhere, and says nothing about the folder."""
    from recall_tui.storage.files.atomic import read_text

    try:
        return _OUR_MARK in read_text(rules)
    except OSError:
        return False


def _any_exists(paths: Iterator[Path]) -> bool:
    return next(paths, None) is not None


def _recorded_layout(config: Path) -> LayoutName | None:
    if not config.is_file():
        return None
    try:
        name = read_table(config).get("layout")
    except (ConfigError, OSError):
        return None
    return name if name in LAYOUT_NAMES else None


def find_memory(environment: Environment, root: Path | None = None, layout: str | None = None) -> LocatedMemory:
    """Find the memory: `root`, else `RECALL_ECHO_HOME`, else upward from the current folder, else the agent's home.

    Anywhere inside a memory is that memory.

    Raises NotFoundError when none of them holds one, unless `layout` names the design for the given root.
    """
    if layout is not None and layout not in LAYOUT_NAMES:
        raise UsageError(f"unknown layout: {layout}", hint=LAYOUTS_HINT)
    given = root if root is not None else environment.memory
    if given is not None:
        source = "RECALL_ECHO_HOME" if root is None else "the given root"
        found = _layout_of_root(environment, environment.cwd / given, source, layout)
        if layout and found.layout.design.is_of_agent_home and not found.layout.config.is_file():
            from recall_tui.storage.project_root import expect_agent_home

            expect_agent_home(environment, found.layout.root)
        return found
    for folder in (environment.cwd, *environment.cwd.parents):
        if match := find_enclosing(folder):
            return _locate(environment, *match, layout, "nearest folder upward")
        if match := find_claude_project(environment, folder, environment.cwd):
            return _locate(environment, *match, layout, f"Claude Code's folder for {folder}")
    if match := find_enclosing(environment.claude):
        return _locate(environment, *match, layout, "the agent's home")
    if layout is not None and not find_design(layout).is_of_agent_home:
        return LocatedMemory(
            open_layout(root_for(environment, environment.cwd, layout), layout, environment.home), "--layout here"
        )
    raise NotFoundError(
        f"no memory found from {environment.cwd} upward, nor in {environment.claude}", hint="run: recall-tui init"
    )


def _layout_of_root(environment: Environment, folder: Path, source: str, layout: LayoutName | None) -> LocatedMemory:
    folder = folder.absolute()
    for place in (folder, Path(os.path.realpath(folder))):
        if match := find_enclosing(place) or find_claude_project(environment, place, place):
            return _locate(environment, *match, layout, source)
    if layout is not None:
        root = root_for(environment, folder, layout)
        return LocatedMemory(open_layout(root, layout, environment.home), f"{source} with --layout")
    raise NotFoundError(f"{folder} holds no memory", hint=f"run: recall-tui init {folder}")


def find_enclosing(folder: Path) -> tuple[Path, tuple[LayoutName, str]] | None:
    """Find the memory that `folder` is the root of or lies inside, with its layout and the mark it is known by.

    Everything among a memory's documents is part of it, except a memory in a work tree of its own.
    """
    match = detect_layout(folder)
    found = (folder, match) if match else _find_default_root(folder)
    for outer in folder.parents:
        place = found[0] if found else folder
        inside = place.relative_to(outer).parts
        if inside[0] not in DOCUMENT_FOLDERS or not (above := detect_layout(outer)):
            continue
        if found and len(inside) > 1 and (place / ".git").exists():
            continue
        layout = open_layout(outer, above[0])
        if any(place.is_relative_to(one) for one in (layout.base, *(one.folder for one in layout.archives))):
            found = outer, above
    return found


def _find_default_root(folder: Path) -> tuple[Path, tuple[LayoutName, str]] | None:
    """Find the memory in `folder/memory`, where the commands of hierarchical recall keep it unless told otherwise."""
    root = folder / "memory"
    match = detect_layout(root) if (root / "memory").is_dir() else None
    return (root, match) if match and match[0] == "hierarchical" else None


def find_claude_project(
    environment: Environment, folder: Path, within: Path
) -> tuple[Path, tuple[LayoutName, str]] | None:
    """Find the memory in Claude Code's folder for the project at `folder`; None when there is none.

    It serves every folder `within` the project, except a repository nested in it. Transcripts and Claude Code's own
    MEMORY.md do not make a memory.
    """
    project = Path(os.path.realpath(folder))
    inner = Path(os.path.realpath(within))
    while inner != project and inner != inner.parent:
        if (inner / ".git").exists():
            return None
        inner = inner.parent
    if (project / ".git").is_file():
        project = project_top(environment, project)
    root = environment.claude_project(project)
    if not ((root / "memory" / CONFIG_NAME).is_file() or (root / "memory" / "sessions").is_dir()):
        return None
    match = detect_layout(root)
    return (root, match) if match and find_design(match[0]).is_of_claude_project else None


def root_for(environment: Environment, folder: Path, layout: LayoutName) -> Path:
    """Return the root of a new memory: `folder`, or Claude Code's folder for that project."""
    if not find_design(layout).is_of_claude_project or folder.parent == environment.claude / "projects":
        return folder
    if folder.parent.name == "projects" and folder.parent.parent.name == ".claude":
        return folder
    return environment.claude_project(project_top(environment, folder))


def project_top(environment: Environment, folder: Path) -> Path:
    """Return the main work tree of the folder's repository, as capture identifies projects; else the folder."""
    from recall_tui.git_repository import find_repository

    real = Path(os.path.realpath(folder))
    found = find_repository(real, Path(os.path.realpath(environment.home)))
    return found.root if found else real


def _locate(
    environment: Environment, folder: Path, match: tuple[LayoutName, str], layout: LayoutName | None, source: str
) -> LocatedMemory:
    name, mark = match
    if layout is not None and layout != name:
        made = open_layout(folder, layout, environment.home)
        return LocatedMemory(made, f"{source}; --layout {layout} over {name}")
    return LocatedMemory(open_layout(folder, name, environment.home), f"{source}; {mark}")
