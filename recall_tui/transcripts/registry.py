"""The readers of transcripts that there are, and the one way to read and to find a file.

A file is read by the first reader that claims it; one that no reader claims is skipped with its reason, never an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from recall_tui.domain import Conversation, Fault, Skipped
from recall_tui.environment import Places
from recall_tui.errors import RecallError
from recall_tui.transcripts.discovery import newest_of, oldest_first
from recall_tui.transcripts.reader import Reader, TranscriptFile

ENTRY_POINTS = "recall_tui.readers"
"""The group under which other packages offer readers: classes or functions that make one without arguments."""


def readers(*, extra: bool = False) -> tuple[Reader, ...]:
    """The readers there are; with `extra` those of other packages too, after our own."""
    from recall_tui.transcripts.claude.reader import ClaudeCode
    from recall_tui.transcripts.codex.reader import Codex
    from recall_tui.transcripts.gemini.reader import Gemini

    own = (ClaudeCode(), Codex(), Gemini())
    return (*own, *_offered()) if extra else own


def read(path: Path, *, extra: bool = False) -> Conversation | Skipped:
    """Read a transcript of whatever agent.

    Raises NotFoundError when there is no such file and BrokenFileError when it cannot be read at all.
    """
    from recall_tui.transcripts.format_detection import READ, format_of
    from recall_tui.transcripts.jsonl import head_of

    head = head_of(path)
    if not head.strip():
        return Skipped("the file is empty")
    for reader in readers(extra=extra):
        if reader.claims(path, head):
            return _named(reader.read(path), path)
    name = format_of(path, head)
    if name:
        *first, last = (f"{agent}'s" for agent in READ)
        return Skipped(f"a transcript of {name}; only {', '.join(first)} and {last} are read")
    reason = "not a transcript that can be recognised"
    return Skipped(reason, (Fault(0, reason),))


def _named(found: Conversation | Skipped, path: Path) -> Conversation | Skipped:
    """A conversation whose id says nothing has that of its file: by its id it is known from now on."""
    if isinstance(found, Skipped) or found.head.session_id.strip():
        return found
    from recall_tui.transcripts.claude.subagents import stem_of

    return replace(found, head=replace(found.head, session_id=stem_of(path)))


def _offered() -> Iterator[Reader]:
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINTS):
        try:
            reader: Reader = point.load()()
        except Exception as error:
            hint = f"mend or remove the package that offers {point.value}"
            raise RecallError(f"the transcript reader {point.name} cannot be loaded: {error}", hint) from error
        yield reader


def discover_all(places: Places, *, extra: bool = False) -> list[TranscriptFile]:
    """Every transcript of every agent, oldest first; with `extra` those that other packages can read too."""
    return oldest_first(file for reader in readers(extra=extra) for file in reader.discover(places))


def find_session(places: Places, session_id: str) -> Path | None:
    """The transcript of an agent's session by its id or the start of it; the newest when several folders have it.

    Raises UsageError when the start is too short and RecallError, naming them, when several sessions share it.
    """
    return newest_of(session_id, discover_all(places))
