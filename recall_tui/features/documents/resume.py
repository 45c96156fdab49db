"""How a session is gone on with in the agent that held it.

The command is a list of words, never a line for a shell, and what cannot be gone on with has a reason for a person.
"""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from recall_tui.domain import SkippedResult
from recall_tui.errors import RecallError
from recall_tui.features.documents.lookup import Document
from recall_tui.index.sources.transcripts import list_transcripts
from recall_tui.storage.archives import summary_file
from recall_tui.storage.archives.file import read_entry
from recall_tui.storage.memory_context import Store
from recall_tui.transcripts.folder_reader import FolderReader
from recall_tui.transcripts.jsonl import read_head
from recall_tui.transcripts.registry import find_reader, session_files

_SESSION_ID = re.compile(r"[A-Za-z0-9][\w.-]*")
"""What may be handed to a program as a session: no option, no path."""


@dataclass(frozen=True, slots=True)
class SessionRef:
    """Whose session a document is of, and where it was held."""

    agent: str
    id: str
    cwd: str


@dataclass(frozen=True, slots=True)
class ResumeCommand:
    """How a session is gone on with."""

    agent: str
    """As a person calls it."""
    words: tuple[str, ...]
    """The program, in full, and its arguments."""
    folder: Path
    """Where it is to be run."""

    @property
    def short_line(self) -> str:
        """The program by its name, and its arguments."""
        return shlex.join((Path(self.words[0]).stem, *self.words[1:]))

    @property
    def shell_line(self) -> str:
        """A line for a shell in any folder; the program is named in full, so that none of another folder is run."""
        return f"cd {shlex.quote(str(self.folder))} && {shlex.join(self.words)}"


def find_resume_command(store: Store, document: Document) -> ResumeCommand | SkippedResult:
    """How the session of a document is gone on with, or why it cannot be."""
    session = _find_session(store, document)
    if session is None:
        if document.kind == "summary":
            return SkippedResult(
                "this page has no transcript beside it; open the session's own transcript to resume it"
            )
        return SkippedResult("this document is not a session")
    reader = find_reader(session.agent)
    if reader is None or not _SESSION_ID.fullmatch(session.id):
        return SkippedResult("the agent of this session is unknown")
    name = reader.label
    if not reader.resume_arguments(session.id):
        return SkippedResult(f"{name} has no command that resumes a session")
    called = reader.program or reader.agent
    program = store.environment.program(called)
    if program is None:
        return SkippedResult(f"{name} is not installed: no `{called}` on PATH")
    if not session.cwd:
        return SkippedResult("the folder of this session is unknown")
    folder = Path(session.cwd)
    if not folder.is_absolute() or not folder.is_dir():
        return SkippedResult(f"the folder of this session is gone: {folder}")
    # Not looked for in the folder that the document names: that may be of somebody else's making, with all in it.
    files = session_files(store.environment, reader.agent, session.id)
    if not files:
        if _has_extra_transcript(store, session.id):
            return SkippedResult(
                f"the transcript of this session is in a further folder, where {name} does not look for it"
            )
        if store.layout.design.publishes_summaries:
            return SkippedResult(f"{name} has no transcript of this session here: it was held on another machine")
        return SkippedResult(f"no transcript of this session is where {name} keeps them")
    if not reader.is_resumable(files[-1].path):
        return SkippedResult(f"{name} resumes this session only in its editor")
    if not _ran_in_folder(reader, session, files[-1].path):
        return SkippedResult(f"the transcript of this session does not name its folder: {folder}")
    return ResumeCommand(name, (program, *reader.resume_arguments(session.id)), folder)


def _find_session(store: Store, document: Document) -> SessionRef | None:
    if document.head is not None:
        return SessionRef(document.head.agent, document.head.session_id, document.head.cwd)
    is_summary = document.path.parent == store.layout.summaries
    entry = summary_file.read_head(document.path) if is_summary else read_entry(document.path)
    if entry is None or not entry.session_id:
        return None
    # Archives of before there were other agents do not name theirs.
    return SessionRef(entry.agent or "claude", entry.session_id, entry.cwd)


def _ran_in_folder(reader: FolderReader, session: SessionRef, transcript: Path) -> bool:
    """Whether the agent's own transcript names the folder: an archive may be of somebody else's making."""
    if reader.read_folder(transcript) == session.cwd:
        return True
    try:
        head = read_head(transcript)
    except RecallError:
        return False
    return any(
        json.dumps(session.cwd, ensure_ascii=plain).encode("utf-8", "replace") in head for plain in (False, True)
    )


def _has_extra_transcript(store: Store, session_id: str) -> bool:
    return any(file.session_id == session_id for file in list_transcripts(store))
