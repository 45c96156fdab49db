"""Keep session data out of the commits of a repository around the memory.

The memory's own folder gets a `.gitignore`, even without a repository; for files beside that folder, lines are added to
the repository's private list (`.git/info/exclude`). An existing `.gitignore` stays unchanged; unless it is exactly ours
it may come from the repository, so the private list gets lines for the folder's content too. A `.gitignore` that
includes something takes precedence over the private list; then the nearest one gets the lines at its end, which
override all others. The same happens without a private list. Git commits tracked files whatever is ignored: no session
is archived into those until the user allows it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from recall_tui.domain import Append, Create, Edit, Plan
from recall_tui.errors import RecallError
from recall_tui.git_repository import tracked_files
from recall_tui.storage import trust
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.layout import Layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.project_root import EnclosingProject, find_work_tree, is_owned
from recall_tui.storage.tracked_files import (
    COPY_ENDS,
    DAY_GLOB,
    GITIGNORE_SYSTEMS,
    MAX_BYTES,
    PRIVATE_PATTERNS,
    exclude_file,
    exclude_lines,
    file_kind,
    ignore_line,
    label_files,
    locate,
    parse_lines,
    private_paths,
    published,
    read_limited,
    tracked_private,
    untrack_command,
)

FILE_NAME = ".gitignore"
_MARK = "# recall-tui: private files of the memory in"
_EXCLUDE_ALL = """\
# Written by recall-tui: text from sessions is private and stays out of commits. You may edit this file.
*
# To commit the curated files, remove the # from these lines:
#!.gitignore
#!MEMORY.md
"""
_EXCLUDE_PRIVATE = """\
# Written by recall-tui: text from sessions is private and stays out of commits. You may edit this file.
# {why}
/.*
!/.gitignore
.recall-*
*.saved-*
*.lock
/EPHEMERAL.md
/ARCHIVE.md
/DREAMS.md
/days/
/sessions/
/weekly/
/monthly/
/[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].md
"""
_EXCLUDE_SESSIONS = """\
/conversations/
/master.md
/WISDOM.md
"""
_CURATED_NOTE = "Curated files, such as MEMORY.md, are already committed here and will continue to be."
_SHARED_NOTE = "Summaries, the master and curated files are meant to be committed, for everyone with the repository."
_CURATED_NAMES = (FILE_NAME, "MEMORY.md", "topics", "wiki")
_OVERRIDE_HEADER = "# recall-tui: what sessions leave is private; .git/info/exclude says how to let a part of it in"


def _besides(*names: str) -> str:
    return "".join(f"/{name}{end}\n" for name in names for end in COPY_ENDS)


_PROJECT_IGNORE = _EXCLUDE_PRIVATE.format(why=_SHARED_NOTE) + _besides("EPHEMERAL", "ARCHIVE", "DREAMS")
_OTHER_IGNORE = (
    _EXCLUDE_PRIVATE.format(why=_CURATED_NOTE)
    + _EXCLUDE_SESSIONS
    + _besides("EPHEMERAL", "ARCHIVE", "DREAMS", "master", "WISDOM")
)
SHARED_NOTICE = (
    "_memory/ is meant to be committed: everyone with the repository can read what it says about sessions; "
    "only the window, logs and lists stay out of commits"
)
"""Notice about a project's memory, shown before sessions are recorded in it."""


class GitExclusion(NamedTuple):
    """The exclusion of a memory from the commits of the surrounding repository."""

    around: EnclosingProject
    edits: tuple[Edit, ...]
    """The edits still missing for it."""
    open: tuple[str, ...] = ()
    """Private files that nothing excludes."""
    letting_in: tuple[str, ...] = ()
    """`.gitignore` files that may include them and cannot be edited: too long, or not writable."""


def find_exclusion(store: Store) -> GitExclusion | None:
    """Return the memory's exclusion from commits; None outside any repository."""
    layout = store.layout
    around = find_work_tree(layout.root, store.environment)
    if around is None:
        return None
    if around.system not in GITIGNORE_SYSTEMS:
        return GitExclusion(around, (), (f"{store.relative(layout.base)}/",))
    file = layout.base / FILE_NAME
    is_there = os.path.lexists(file)
    edits: list[Edit] = [] if is_there else [Create(file, _text(layout, around))]
    wanted = _root_paths(layout)
    if is_there and not _is_ours(file, layout):
        patterns = [layout.base / name for name in PRIVATE_PATTERNS if name != DAY_GLOB or layout.days == layout.base]
        private = private_paths(layout)
        wanted += [path for path in (*private, *_copies(private), layout.config, *patterns) if path not in wanted]
    if not wanted:
        return GitExclusion(around, tuple(edits))
    let_in = _included_by_person(around, layout, wanted)
    real = Path(os.path.realpath(layout.root))
    header = f"{_MARK} {relative_name(around, real)}; put # before a line to let it in"
    names = [relative_name(around, locate(real, layout, path)) for path in wanted]
    listed = private_list_lines(around, names, header)
    closed = [path for path in wanted if path not in let_in]
    overruled, letting_in = _override_edits(around.top, layout, closed, is_listed=listed is not None)
    by = dict.fromkeys(relative_name(around, file) for file in letting_in.values())
    return GitExclusion(
        around, (*edits, *(listed or ()), *overruled), tuple(map(store.relative, letting_in)), tuple(by)
    )


def plan_exclusion(store: Store) -> Plan:
    """Plan the edits that exclude private files from commits."""
    found = find_exclusion(store)
    edits = found.edits if found else beforehand(store)
    top = found.around.top if found else store.root
    if not edits:
        return Plan("Nothing is to be kept out of commits")
    return Plan(f"Excluded private files from the commits of {top}", edits)


def beforehand(store: Store) -> tuple[Edit, ...]:
    """Return the edits that exclude the memory from a repository created later; none in an agent's home."""
    layout = store.layout
    is_users = is_owned(store) or (layout.design.is_of_agent_home and trust.includes_every_project(store))
    if is_users or find_work_tree(layout.root, store.environment):
        return ()
    file = layout.base / FILE_NAME
    edits: list[Edit] = [] if os.path.lexists(file) else [Create(file, _text(layout, None))]
    beside = [path for path in _root_paths(layout) if path.is_relative_to(layout.root)]
    return (*edits, *_override_edits(layout.root, layout, beside, is_listed=False)[0])


def describe_exclusion(store: Store, found: GitExclusion) -> str:
    """Describe the memory's exclusion from commits, for the user."""
    where = f"the {found.around.system} repository {found.around.top}"
    if found.letting_in:
        return f"this memory is in {where}, and {blocking_reason(found)}"
    if found.open:
        return f"this memory is in {where}, and nothing keeps {', '.join(found.open)} out of its commits"
    if published := tracked_private(store):
        return f"this memory is in {where}, which commits text written into {label_files(published)}"
    return f"this memory is in {where}: {_describe_commits(store, found)}"


def _describe_commits(store: Store, found: GitExclusion) -> str:
    """Describe what git would commit of the memory, by the ignore files on disk and those still to be written."""
    layout, around = store.layout, found.around
    base = store.relative(layout.base)
    real = Path(os.path.realpath(layout.root))
    if tracked_files(around.top, locate(real, layout, layout.base), around.git):
        is_closed, let_in = False, tuple[str, ...]()
    elif rule := find_rule_above(around, locate(real, layout, layout.base)):
        return f"a line of {rule} keeps all of {base}/ out of its commits, MEMORY.md too"
    else:
        file = layout.base / FILE_NAME
        planned = (edit.text for edit in found.edits if isinstance(edit, Create) and edit.path == file)
        is_closed, let_in = _read_rules(next(planned, None) or read_limited(file))
    if is_closed and let_in:
        return f"of {base}/, only {', '.join(let_in)} can be committed; {base}/{FILE_NAME} keeps out the rest"
    if is_closed:
        return f"{base}/{FILE_NAME} keeps all of it out of its commits, MEMORY.md too, and says how to commit that"
    if layout.design.publishes_summaries:
        return SHARED_NOTICE
    return f"MEMORY.md and topic files can be committed; {base}/{FILE_NAME} keeps out what comes from sessions"


def _read_rules(text: str) -> tuple[bool, tuple[str, ...]]:
    """Return whether a `.gitignore` excludes everything beside it, and the names that it lets in again."""
    lines = [line.strip() for line in parse_lines(text)]
    last = max((place for place, line in enumerate(lines) if line in ("*", "/*", "**")), default=None)
    if last is None:
        return False, ()
    names = (line.strip("!/ ") for line in lines[last:] if line.startswith("!"))
    return True, tuple(name for name in names if name not in (FILE_NAME, "*", "**"))


def find_rule_above(around: EnclosingProject, base: Path) -> str:
    """Return the name of the ignore file outside the memory whose last matching line excludes it; empty for none."""
    rules = [(".git/info/exclude", around.top, exclude_lines(around))]
    rules += [
        (relative_name(around, folder / FILE_NAME), folder, parse_lines(read_limited(folder / FILE_NAME)))
        for folder in reversed(base.parents)
        if folder.is_relative_to(around.top) and file_kind(folder / FILE_NAME) == stat.S_IFREG
    ]
    found = ""
    for name, folder, lines in rules:
        parts = base.relative_to(folder).parts if base.is_relative_to(folder) else ()
        paths = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
        for line in lines:
            pattern = line.strip().removeprefix("!").rstrip("/")
            candidates = paths if "/" in pattern else parts
            if pattern and any(fnmatchcase(one, pattern.lstrip("/")) for one in candidates):
                found = "" if line.startswith("!") else name
    return found


def publishes_sessions(store: Store) -> bool:
    """Return whether what is written of a session lands in a folder that the repository around it commits."""
    return store.layout.design.publishes_summaries and find_work_tree(store.root, store.environment) is not None


def require_exclusion(store: Store) -> None:
    """Raise RecallError when captured data may be committed by the repository."""
    found = find_exclusion(store)
    if found is not None and found.letting_in:
        raise RecallError(blocking_reason(found), hint="shorten it, make it writable, or move it away")
    if names := published(store):
        raise RecallError(
            f"no session is archived, because git commits text written into {label_files(names)}; to stop it: "
            f"{untrack_command(store)}; or, if it is meant to be committed: {trust.confirming(store)}"
        )


def blocking_reason(found: GitExclusion) -> str:
    """Return why no session is archived: `.gitignore` files that may include it in commits."""
    files = ", ".join(found.letting_in)
    return f"no session is archived, for {files} may let it into commits and cannot be added to"


def relative_name(around: EnclosingProject, path: Path) -> str:
    """Return the path relative to the repository's top; absolute when it lies elsewhere."""
    return path.relative_to(around.top).as_posix() if path.is_relative_to(around.top) else str(path)


def _text(layout: Layout, around: EnclosingProject | None) -> str:
    if layout.design.publishes_summaries:
        return _PROJECT_IGNORE
    real = Path(os.path.realpath(layout.root))
    base = locate(real, layout, layout.base)
    is_known = around is not None and tracked_files(around.top, base, around.git)
    return _OTHER_IGNORE if is_known else _EXCLUDE_ALL


def _is_ours(file: Path, layout: Layout) -> bool:
    """Return whether the file is exactly what we write for this layout; a link is not, since git does not follow it."""
    own = _PROJECT_IGNORE if layout.design.publishes_summaries else _OTHER_IGNORE
    return file_kind(file) == stat.S_IFREG and read_limited(file) in (_EXCLUDE_ALL, own)


def _root_paths(layout: Layout) -> list[Path]:
    """Return the paths of session data in the root, beside the memory's own folder."""
    folders = [place.folder for place in layout.archives]
    files = (layout.window, layout.rows, layout.wisdom, layout.dreams)
    return [path for path in (*files, *_copies(files), *folders) if not path.is_relative_to(layout.base)]


def _copies(paths: Iterable[Path]) -> list[Path]:
    """Return patterns for second copies of the markdown files among these."""
    return [path.with_name(path.stem + end) for path in paths if path.suffix == ".md" for end in COPY_ENDS]


def _override_edits(
    top: Path, layout: Layout, wanted: list[Path], *, is_listed: bool
) -> tuple[list[Edit], dict[Path, Path]]:
    """Return edits that add overriding lines to `.gitignore` files, and the paths left open with their blocking file.

    The last matching line decides, and a deeper file takes precedence over those above; nothing inside an excluded
    folder can be included again. Without a private list, all lines go to the nearest file, or to a new one in the root.
    """
    real = Path(os.path.realpath(layout.root))
    lines: dict[Path, list[str]] = {}
    open_: dict[Path, Path] = {}
    for path in wanted:
        place = locate(real, layout, path)
        above = [folder / FILE_NAME for folder in place.parents if folder.is_relative_to(top)]
        files = [file for file in above if file_kind(file) == stat.S_IFREG]
        if is_listed and not any(map(may_include, files)):
            continue
        nearest = files[0] if files else real / FILE_NAME
        line = ignore_line(os.path.relpath(place, nearest.parent))
        if "\n" in line or line.startswith("/../") or not _can_be_added_to(nearest):
            open_[path] = nearest
        elif line not in _lines_after_negation(read_limited(nearest)):
            lines.setdefault(nearest, []).append(line)
    return [_append_lines(file, read_limited(file), [_OVERRIDE_HEADER, *added]) for file, added in lines.items()], open_


def _can_be_added_to(file: Path) -> bool:
    if not file_kind(file):
        return not file.parent.exists() or os.access(file.parent, os.W_OK)
    return file_kind(file) == stat.S_IFREG and not _is_too_long(file) and os.access(file, os.W_OK)


def may_include(file: Path) -> bool:
    """Return whether a line of the file includes more than curated files; True for a file too long to read."""
    lines = parse_lines(read_limited(file))
    return _is_too_long(file) or any(line[:1] == "!" and line.strip("!/ ") not in _CURATED_NAMES for line in lines)


def _is_too_long(file: Path) -> bool:
    return file.lstat().st_size > MAX_BYTES


def _lines_after_negation(text: str) -> list[str]:
    """Return the lines after the last one that includes something."""
    lines = parse_lines(text)
    return lines[max((place for place, line in enumerate(lines, 1) if line.startswith("!")), default=0) :]


def _included_by_person(around: EnclosingProject, layout: Layout, wanted: list[Path]) -> list[Path]:
    """Return the paths that the user allows into commits: their lines in the private list are commented with `#`."""
    known, real = set(exclude_lines(around)), Path(os.path.realpath(layout.root))
    return [path for path in wanted if "#" + ignore_line(relative_name(around, locate(real, layout, path))) in known]


def _append_lines(file: Path, text: str, lines: list[str]) -> Edit:
    """Return the edit that appends the lines to the file, or creates it."""
    added = "\n".join((*lines, ""))
    if not file_kind(file):
        return Create(file, added)
    return Append(file, added if not text or text.endswith("\n") else f"\n{added}")


def private_list_lines(around: EnclosingProject, names: list[str], header: str) -> tuple[Edit, ...] | None:
    """Return the edits that add these paths, relative to the top, to the private list; None when it cannot be edited.

    The header precedes the added lines. A line that the user commented with `#` is not added again.
    """
    file = exclude_file(around)
    if file is None or any(name.startswith("/") or "\n" in name for name in names):
        return None
    info = file.parent
    if file_kind(info) not in (0, stat.S_IFDIR) or file_kind(file) not in (0, stat.S_IFREG):
        return None
    if not os.access(next(path for path in (file, info, info.parent) if file_kind(path)), os.W_OK):
        return None
    text = read_text(file) if file_kind(file) else ""
    known = set(parse_lines(text))
    missing = [line for line in map(ignore_line, names) if line not in known and f"#{line}" not in known]
    return (_append_lines(file, text, [header, *missing]),) if missing else ()
