"""How a session is gone on with in the agent that held it.

The command is a list of words, never a line for a shell, and what cannot be gone on with has a reason for a person.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from recall_tui.domain import Skipped
from recall_tui.errors import RecallError
from recall_tui.features.documents.lookup import Document
from recall_tui.index.sources.transcripts import transcripts
from recall_tui.storage.archives.file import read_entry
from recall_tui.storage.memory_context import Store
from recall_tui.transcripts.discovery import project_root
from recall_tui.transcripts.jsonl import head_of
from recall_tui.transcripts.registry import find_session

_ID = re.compile(r"[A-Za-z0-9][\w.-]*")
"""What may be handed to a program as a session: no option, no path."""
_NAMES = {"claude": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI"}
_WORDS: Mapping[str, Callable[[str], list[str]]] = {
    "claude": lambda id: ["--resume", id],
    "codex": lambda id: ["resume", id],
    "gemini": lambda id: ["--resume", id],
}


@dataclass(frozen=True, slots=True)
class Session:
    """Whose session a document is of, and where it was held."""

    agent: str
    id: str
    cwd: str


@dataclass(frozen=True, slots=True)
class Resuming:
    """How a session is gone on with."""

    agent: str
    """As a person calls it."""
    words: tuple[str, ...]
    """The program, in full, and its arguments."""
    folder: Path
    """Where it is to be run."""


def resuming(store: Store, document: Document) -> Resuming | Skipped:
    """How the session of a document is gone on with, or why it cannot be."""
    session = _session_of(document)
    if session is None:
        return Skipped("this document is no session")
    if session.agent not in _WORDS or not _ID.fullmatch(session.id):
        return Skipped("it is not known which agent held this session")
    name = _NAMES[session.agent]
    program = store.places.program(session.agent)
    if program is None:
        return Skipped(f"{name} is not installed: no `{session.agent}` on PATH")
    if not session.cwd:
        return Skipped("it is not known in which folder this session was held")
    folder = Path(session.cwd)
    if not folder.is_absolute() or not folder.is_dir():
        return Skipped(f"the folder of this session is gone: {folder}")
    transcript = _transcript_of(store, session.id)
    if transcript is None:
        if _lies_further(store, session.id):
            return Skipped(f"the transcript of this session is in a further folder, where {name} does not look for it")
        return Skipped(f"{name} has deleted the transcript of this session")
    if not _was_held_in(session, transcript):
        return Skipped(f"the transcript of this session does not name its folder: {folder}")
    return Resuming(name, (program, *_WORDS[session.agent](session.id)), folder)


def _session_of(document: Document) -> Session | None:
    if document.head is not None:
        return Session(document.head.agent, document.head.session_id, document.head.cwd)
    entry = read_entry(document.path)
    if entry is None or not entry.session_id:
        return None
    # Archives of before there were other agents do not name theirs.
    return Session(entry.agent or "claude", entry.session_id, entry.cwd)


def _transcript_of(store: Store, session_id: str) -> Path | None:
    try:
        return find_session(store.places, session_id)
    except RecallError:
        return None


def _was_held_in(session: Session, transcript: Path) -> bool:
    """Whether the agent's own transcript names the folder: an archive may be of somebody else's making."""
    if session.agent == "gemini":
        return project_root(transcript.parent.parent) == session.cwd
    try:
        head = head_of(transcript)
    except RecallError:
        return False
    return any(
        json.dumps(session.cwd, ensure_ascii=plain).encode("utf-8", "replace") in head for plain in (False, True)
    )


def _lies_further(store: Store, session_id: str) -> bool:
    return any(file.session_id == session_id for file in transcripts(store))
