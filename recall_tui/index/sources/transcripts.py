"""The transcripts that a memory works with: those in the agents' own folders, and in the further ones that it names.

A session that lies in both is the one of the agent's own folder. Without further folders these are the transcripts of
the machine, the same for every memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.errors import NotFoundError
from recall_tui.transcripts import discovery, registry

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store
    from recall_tui.transcripts.reader import TranscriptFile

SOURCES_SETTING = "transcripts.sources"


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
