"""Keep settings that name paths of this machine out of the commits of the repository around them.

Only files that are not tracked get a line in the repository's private list (`.git/info/exclude`).
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from recall_tui.domain import Delete, Edit, Replace
from recall_tui.environment import Environment
from recall_tui.git_repository import tracked_files
from recall_tui.storage import git_exclusion
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.project_root import EnclosingProject, find_work_tree
from recall_tui.storage.tracked_files import GITIGNORE_SYSTEMS, exclude_file, ignore_line, parse_lines

HEADER = "# recall-tui: settings of agents that name paths of this machine; put # before a line to let it in"


def plan_exclusion(
    project: Path, environment: Environment, files: Collection[Path]
) -> tuple[tuple[Edit, ...], tuple[str, ...]]:
    """Return the edits that keep these files of the project out of commits, and notes for the user."""
    around = find_work_tree(project, environment)
    if around is None or not files:
        return (), ()
    names = {file: git_exclusion.relative_name(around, Path(os.path.realpath(file))) for file in files}
    tracked = {name for name in names.values() if tracked_files(around.top, around.top / name, around.git)}
    notes = [
        f"{file} names paths of this machine, and git tracks it: keep the change out of commits"
        for file, name in names.items()
        if name in tracked
    ]
    wanted = {file: name for file, name in names.items() if name not in tracked}
    let_in = [file for file, name in wanted.items() if _is_let_in(around, name)]
    listed = None
    if around.system in GITIGNORE_SYSTEMS:
        listed = git_exclusion.private_list_lines(around, list(wanted.values()), HEADER)
    open_ = list(wanted) if listed is None else let_in
    notes += [f"{file} names paths of this machine: keep it out of the repository" for file in open_]
    if listed and (closed := [name for file, name in wanted.items() if file not in open_]):
        which = "they name" if len(closed) > 1 else "it names"
        notes.append(f"git keeps {', '.join(closed)} out of commits, for {which} paths of this machine")
    return listed or (), tuple(notes)


def describe_commits(project: Path, environment: Environment, files: Collection[Path]) -> tuple[str, ...]:
    """Return a note on the files of a project that git would commit; none where it commits none of them."""
    around = find_work_tree(project, environment)
    if around is None:
        return ()
    names = sorted(
        git_exclusion.relative_name(around, file)
        for file in {Path(os.path.realpath(file)) for file in files}
        if file.is_relative_to(os.path.realpath(project))
        and not file.is_relative_to(around.top / ".git")
        and not git_exclusion.find_rule_above(around, file)
    )
    which = "them" if len(names) > 1 else "it"
    told = f"{around.system} would commit {', '.join(names)}: agents that read {which} are led to this memory"
    return (f"{told}, so share {which} only with those who have it",) if names else ()


def plan_inclusion(project: Path, environment: Environment, files: Collection[Path]) -> Iterator[Edit]:
    """Yield the edit that takes the lines of these files out of the private list again."""
    around = find_work_tree(project, environment)
    list_file = exclude_file(around) if around is not None else None
    if around is None or list_file is None or not list_file.is_file():
        return
    gone = {ignore_line(git_exclusion.relative_name(around, Path(os.path.realpath(file)))) for file in files}
    before = read_text(list_file)
    kept: list[str] = []
    is_ours = False
    for line in before.splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        is_ours = bare == HEADER or (is_ours and bare.removeprefix("#").startswith("/"))
        if not (is_ours and bare.removeprefix("#") in gone):
            kept.append(line)
    below = [*kept[1:], ""] if kept else []
    after = "".join(
        line
        for line, next_line in zip(kept, below, strict=True)
        if line.rstrip("\r\n") != HEADER or next_line.startswith(("/", "#/"))
    )
    if after == before:
        return
    yield Replace(list_file, content_digest(before), after) if after else Delete(list_file, content_digest(before))


def _is_let_in(around: EnclosingProject, name: str) -> bool:
    """Return whether a `.gitignore` around the file may take precedence over the private list."""
    above = [around.top / folder / git_exclusion.FILE_NAME for folder in Path(name).parents]
    if not any(file.is_file() and git_exclusion.may_include(file) for file in above):
        return False
    return ignore_line(name) not in {line for file in above if file.is_file() for line in _lines(file)}


def _lines(file: Path) -> list[str]:
    return parse_lines(read_text(file))
