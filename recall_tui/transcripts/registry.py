"""The readers of transcripts that there are, and the one way to read and to find a file.

A file is read by the first reader that claims it; one that no reader claims is skipped with its reason, never an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from recall_tui.domain import Conversation, ReadError, SkippedResult
from recall_tui.environment import Environment
from recall_tui.errors import RecallError
from recall_tui.transcripts.discovery import newest_session_files, sort_by_time
from recall_tui.transcripts.reader import Reader, TranscriptFile

ENTRY_POINTS = "recall_tui.readers"
"""The group under which other packages offer readers: classes or functions that make one without arguments."""


def all_readers(*, extra: bool = False) -> tuple[Reader, ...]:
    """The readers there are; with `extra` those of other packages too, after our own."""
    from recall_tui.transcripts.claude.reader import ClaudeReader
    from recall_tui.transcripts.codex.reader import CodexReader
    from recall_tui.transcripts.gemini.reader import GeminiReader

    own = (ClaudeReader(), CodexReader(), GeminiReader())
    return (*own, *_plugin_readers()) if extra else own


def read_transcript(path: Path, *, extra: bool = False) -> Conversation | SkippedResult:
    """Read a transcript of whatever agent.

    Raises NotFoundError when there is no such file and BrokenFileError when it cannot be read at all.
    """
    from recall_tui.transcripts.format_detection import SUPPORTED_AGENTS, detect_format
    from recall_tui.transcripts.jsonl import read_head

    head = read_head(path)
    if not head.strip():
        return SkippedResult("the file is empty")
    for reader in all_readers(extra=extra):
        if reader.claims(path, head):
            return _with_file_id(reader.read(path), path)
    name = detect_format(path, head)
    if name:
        *first, last = (f"{agent}'s" for agent in SUPPORTED_AGENTS)
        return SkippedResult(f"a transcript of {name}; only {', '.join(first)} and {last} are read")
    reason = "not a transcript that can be recognised"
    return SkippedResult(reason, (ReadError(0, reason),))


def _with_file_id(found: Conversation | SkippedResult, path: Path) -> Conversation | SkippedResult:
    """A conversation whose id says nothing has that of its file: by its id it is known from now on."""
    if isinstance(found, SkippedResult) or found.head.session_id.strip():
        return found
    from recall_tui.transcripts.claude.subagents import transcript_stem

    return replace(found, head=replace(found.head, session_id=transcript_stem(path)))


def _plugin_readers() -> Iterator[Reader]:
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINTS):
        try:
            reader: Reader = point.load()()
        except Exception as error:
            hint = f"fix or remove the package that offers {point.value}"
            raise RecallError(f"the transcript reader {point.name} cannot be loaded: {error}", hint) from error
        yield reader


def discover_all(environment: Environment, *, extra: bool = False) -> list[TranscriptFile]:
    """Every transcript of every agent, oldest first; with `extra` those that other packages can read too."""
    return sort_by_time(file for reader in all_readers(extra=extra) for file in reader.discover(environment))


def find_session(environment: Environment, session_id: str) -> Path | None:
    """The transcript of an agent's session by its id or the start of it; the newest when several folders have it.

    Raises UsageError when the start is too short and RecallError, naming them, when several sessions share it.
    """
    return newest_session_files(session_id, discover_all(environment))
