"""The transcripts of a session's sub-agents.

They lie in `<session>/subagents/` beside the session's file; older versions put them beside it, as `agent-*.jsonl` with
the session's id inside. Links to other folders are not followed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.errors import RecallError
from recall_tui.transcripts.discovery import transcript_stem
from recall_tui.transcripts.jsonl import read_head

if TYPE_CHECKING:
    from recall_tui.transcripts.reader import FileState

_PEEK_BYTES = 64 * 2**10


def is_subagent_file(path: Path | os.DirEntry[str]) -> bool:
    """Whether a file bears the name of a sub-agent's transcript."""
    return path.name.startswith("agent-") and path.name.removesuffix(".zst").endswith(".jsonl")


def subagent_files(path: Path, session_id: str) -> tuple[Path, ...]:
    """The transcripts of the sub-agents of the session whose own is at `path`, in the order of their names."""
    inside = _files_inside(f"{path.parent}/{transcript_stem(path)}/subagents")
    try:
        beside = _files_beside(str(path.parent), path.parent.stat().st_mtime_ns).get(session_id, ())
    except OSError:
        return tuple(inside)
    return (*inside, *(file for file in beside if file != path))


def each_subagent_files(paths: Iterable[Path]) -> Iterator[tuple[Path, ...]]:
    """Yield the same for each of thousands of paths, by its name; a folder is listed once for those that lie in it.

    Paths of one folder must follow one another.
    """
    # Making a `Path` costs more than the look at the disk.
    for folder, sessions in groupby(paths, lambda path: str(path).rpartition("/")[0]):
        folders, beside = _list_project(folder)
        for path in sessions:
            name = transcript_stem(path)
            inside = _files_inside(f"{folder}/{name}/subagents") if name in folders else []
            yield (*inside, *(file for file in beside.get(name, ()) if file != path))


def each_state(projects: Path) -> Iterator[FileState]:
    """Yield the state of every file named like a transcript in the projects' folders, and of those of sub-agents."""
    for project in _scan(str(projects)):
        for entry in _scan(project.path):
            if entry.name.endswith(".jsonl"):
                yield _state(entry)
            else:
                yield from _states_inside(f"{entry.path}/subagents")


def _states_inside(folder: str) -> Iterator[FileState]:
    for entry in _scan(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _states_inside(entry.path)
        elif is_subagent_file(entry):
            yield _state(entry)


def _scan(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _state(entry: os.DirEntry[str]) -> FileState:
    try:
        status = entry.stat()
    except OSError:
        return entry.path, -1, 0
    return entry.path, status.st_size, status.st_mtime_ns


def _list_project(folder: str) -> tuple[frozenset[str], Mapping[str, tuple[Path, ...]]]:
    """The names of the folders in a project's folder, and the sub-agents' files in it by session."""
    try:
        modified = os.stat(folder).st_mtime_ns  # noqa: PTH116
        with os.scandir(folder) as entries:
            return frozenset(one.name for one in entries if one.is_dir()), _files_beside(folder, modified)
    except OSError:
        return frozenset(), {}


def _files_inside(folder: str) -> list[Path]:
    found: list[Path] = []
    for parent, _, names in os.walk(folder, followlinks=False):
        found += (file for name in names if is_subagent_file(file := Path(parent, name)) and file.is_file())
    return sorted(found)


@lru_cache(maxsize=8)
def _files_beside(folder: str, modified: int) -> Mapping[str, tuple[Path, ...]]:
    """The sub-agents' files in a folder by session; read once per state of the folder, which may hold thousands."""
    found: dict[str, tuple[Path, ...]] = {}
    for file in sorted(Path(folder).glob("agent-*.jsonl")):
        if session := _session_in(file):
            found[session] = (*found.get(session, ()), file)
    return found


def _session_in(file: Path) -> str:
    """The session's id in the first record that names one."""
    try:
        lines = read_head(file, _PEEK_BYTES).splitlines()
    except RecallError:
        return ""
    for line in lines:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and isinstance(session := record.get("sessionId"), str):
            return session
    return ""
