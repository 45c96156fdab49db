"""The transcripts that a memory works with: those in the agents' own folders, and in the further ones that it names.

A session that lies in both is the one of the agent's own folder. Without further folders these are the transcripts of
the machine, the same for every memory. `.recall-ignore` in Claude Code's folder names those that are none of our
business: one glob a line; `#` begins a comment, `~/` is the home folder. A pattern holds for a file and all below it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.errors import NotFoundError
from recall_tui.storage.files.atomic import read_text
from recall_tui.transcripts import discovery, registry

if TYPE_CHECKING:
    from recall_tui.environment import Environment
    from recall_tui.storage.memory_context import Store
    from recall_tui.transcripts.reader import TranscriptFile

SOURCES_SETTING = "transcripts.sources"
IGNORE_FILE = ".recall-ignore"


def list_transcripts(store: Store) -> list[TranscriptFile]:
    """Every transcript that the memory works with, oldest first."""
    own = registry.discover_all(store.environment)
    known = {(file.agent, file.session_id) for file in own}
    further = [file for file in _extra_transcripts(store, own) if (file.agent, file.session_id) not in known]
    return discovery.sort_by_time((*own, *further)) if further else own


def list_all_copies(store: Store) -> list[TranscriptFile]:
    """The same, with the copies in further folders of sessions that an agent has itself."""
    own = registry.discover_all(store.environment)
    return discovery.sort_by_time((*own, *_extra_transcripts(store, own)))


def find_session(store: Store, session_id: str) -> Path | None:
    """The transcript of a session by its id or the start of it; see `transcripts.registry.find_session`."""
    return discovery.newest_session_files(session_id, list_transcripts(store))


def find_transcript(store: Store, session_id: str) -> Path:
    """The same; NotFoundError when there is none."""
    found = find_session(store, session_id)
    if found is None:
        raise NotFoundError(f"no agent has a transcript of session {session_id}")
    return found


def extra_folders(store: Store) -> tuple[Path, ...]:
    """The folders that the setting names, whether they are there or not."""
    named = store.config.get(SOURCES_SETTING)
    texts = map(str, named) if isinstance(named, tuple) else ()
    return tuple(dict.fromkeys(store.named(text) for text in texts if "\0" not in text))


def is_extra(store: Store, path: Path) -> bool:
    """Whether a file lies in one of the further folders and in none of the agents' own."""
    folders = extra_folders(store)
    return bool(folders) and _is_in(path, folders) and not _is_in(path, registry.agent_folders(store.environment))


def _is_in(path: Path, folders: Iterable[Path]) -> bool:
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(os.path.realpath(folder)) for folder in folders)


def source_problems(store: Store, *, is_deep: bool = False) -> Iterator[str]:
    """What of the further folders is passed over, and why; with `is_deep` they are walked through for it."""
    folders = extra_folders(store)
    for folder in folders:
        try:
            with os.scandir(folder):
                pass
        except OSError as error:
            yield f"{SOURCES_SETTING}: {folder} is skipped: {error.strerror or error}"
    if is_deep and folders:
        from recall_tui.transcripts.extra_folders import MAX_FOLDERS, exceeds_folder_limit

        if exceeds_folder_limit(folders, store.environment):
            many = f"{SOURCES_SETTING} names more than {MAX_FOLDERS:,} folders"
            yield f"{many}; the deepest are skipped: name closer ones"


def _extra_transcripts(store: Store, own: list[TranscriptFile]) -> list[TranscriptFile]:
    folders = extra_folders(store)
    if not folders:
        return []
    from recall_tui.transcripts.extra_folders import find_transcripts

    return find_transcripts(folders, store.environment, own)


def ignore_matcher(environment: Environment) -> Callable[[str], bool]:
    """Tell for an absolute path whether the file in Claude Code's folder names it, as it is or inside `projects`."""
    patterns = read_patterns(environment)
    projects = f"{environment.claude}/projects/"

    def is_ignored(path: str) -> bool:
        names = [path, path.removeprefix(projects)]
        folder, slash, name = path.rpartition("/")
        if "#" in name:
            # A session of a file with many: naming the file is naming each of them.
            names.append(f"{folder}{slash}{name.rpartition('#')[0]}")
        return any(fnmatchcase(name, pattern) for pattern in patterns for name in names)

    return is_ignored


def read_patterns(environment: Environment) -> tuple[str, ...]:
    """What the file names, each pattern for itself and for what is in it."""
    found: list[str] = []
    try:
        text = read_text(environment.claude / IGNORE_FILE)
    except OSError:
        return ()
    for line in text.splitlines():
        pattern = line.strip()
        if not pattern or pattern.startswith("#"):
            continue
        if pattern.startswith("~/"):
            pattern = f"{environment.home}/{pattern[2:]}"
        found += (pattern, f"{pattern.rstrip('/')}/*")
    return tuple(found)
