"""The readers of transcripts that there are, and the one way to read and to find a file.

A file is read by the first reader that claims it; one that no reader claims is skipped with its reason, never an error.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, groupby, repeat
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.environment import agent_folders as folders_of_agent
from recall_tui.environment import editor_folders
from recall_tui.errors import RecallError
from recall_tui.git_repository import is_folder
from recall_tui.transcripts.discovery import newest_session_files, sort_by_time, transcript_stem
from recall_tui.transcripts.reader import FileState, Reader, TranscriptFile

if TYPE_CHECKING:
    from recall_tui.domain import Conversation, SkippedResult
    from recall_tui.environment import Environment
    from recall_tui.transcripts.folder_reader import FolderReader

ENTRY_POINTS = "recall_tui.readers"
"""The group under which other packages offer readers: classes or functions that make one without arguments."""


_PACKAGE = "recall_tui.transcripts"
_BUILT_IN = {
    "claude": f"{_PACKAGE}.claude.reader:ClaudeReader",
    "codex": f"{_PACKAGE}.codex.reader:CodexReader",
    "gemini": f"{_PACKAGE}.gemini.reader:GeminiReader",
    "qwen": f"{_PACKAGE}.qwen.reader:QwenReader",
    "droid": f"{_PACKAGE}.droid.reader:DroidReader",
    "copilot": f"{_PACKAGE}.copilot.reader:CopilotReader",
    "pi": f"{_PACKAGE}.pi.reader:PiReader",
    "kimi": f"{_PACKAGE}.kimi.reader:KimiReader",
    "opencode": f"{_PACKAGE}.opencode.reader:OpenCodeReader",
    "kilo": f"{_PACKAGE}.opencode.reader:KiloReader",
    "cline": f"{_PACKAGE}.cline.reader:ClineReader",
    "continue": f"{_PACKAGE}.continue_dev.reader:ContinueReader",
    "aider": f"{_PACKAGE}.aider.reader:AiderReader",
    "goose": f"{_PACKAGE}.goose.reader:GooseReader",
    "cursor": f"{_PACKAGE}.cursor.reader:CursorReader",
    "vscode": f"{_PACKAGE}.vscode.reader:VSCodeReader",
    "cline-editor": f"{_PACKAGE}.editor_tasks.reader:ClineTaskReader",
    "roo": f"{_PACKAGE}.editor_tasks.reader:RooReader",
    "kilo-editor": f"{_PACKAGE}.editor_tasks.reader:KiloTaskReader",
}
"""`module:class`, in the order in which agents are shown."""


def own_readers() -> tuple[FolderReader, ...]:
    """Return our own readers."""
    return tuple(map(own_reader, _BUILT_IN))


@cache
def own_reader(agent: str) -> FolderReader:
    """Return the reader of an agent; KeyError when there is none of our own."""
    module, _, name = _BUILT_IN[agent].partition(":")
    reader: FolderReader = getattr(importlib.import_module(module), name)()
    return reader


def present_readers(environment: Environment) -> Iterator[FolderReader]:
    """Yield our own readers of the agents that have a folder on this machine; no other is loaded."""
    # Many agents look into many editors, most of which are not there.
    editors = tuple(filter(is_folder, editor_folders(environment)))
    folders = {agent: folders_of_agent(environment, agent, editors) for agent in _BUILT_IN}
    return (own_reader(agent) for agent, places in folders.items() if any(map(is_folder, places)))


def project_folders(environment: Environment, *, without: str) -> dict[str, None]:
    """Return the folders in which sessions of the agents on this machine, but for one, were begun lately."""
    readers = (reader for reader in present_readers(environment) if reader.agent != without)
    return dict.fromkeys(folder for reader in readers for folder in reader.project_folders(environment) if folder)


def find_reader(agent: str) -> FolderReader | None:
    """Return the reader of an agent; None when there is none of our own."""
    return own_reader(agent) if agent in _BUILT_IN else None


def agent_label(agent: str) -> str:
    """Return an agent's name as a person knows it; the given one when there is no reader of it."""
    reader = find_reader(agent)
    return reader.label if reader else agent


def companion_files(path: Path, agent: str = "") -> tuple[Path, ...]:
    """Return the other files that the session in a transcript of an agent, by default by its name, is read from."""
    reader = find_reader(agent) if agent else reader_by_name(path)
    return reader.companions(path) if reader else ()


def each_companion_files(files: Iterable[TranscriptFile]) -> Iterator[tuple[Path, ...]]:
    """Yield the same for each file that was found; cheap for thousands if those of one folder follow one another."""
    for agent, found in groupby(files, attrgetter("agent")):
        reader, paths = find_reader(agent), [file.path for file in found]
        yield from reader.each_companions(paths) if reader else repeat((), len(paths))


def all_readers(*, extra: bool = False) -> tuple[Reader, ...]:
    """Return our own readers, with `extra` those of other packages after them."""
    return (*own_readers(), *_plugin_readers()) if extra else own_readers()


def reader_by_name(path: Path) -> FolderReader | None:
    """Return the reader of the agent that names its transcripts so; None when no agent does."""
    return next((reader for reader in _by_breadth() if reader.is_named(path)), None)


def _by_breadth() -> list[FolderReader]:
    """Return our readers with Claude Code's last: its names and marks are so broad that they fit others', too."""
    return sorted(own_readers(), key=lambda reader: reader.is_broad)


def detect_agent(path: Path, head: bytes) -> str:
    """Return the name, as a person knows it, of the agent that wrote a file; empty when its first bytes do not tell."""
    from recall_tui.transcripts.format_detection import detect_format

    return detect_format(path, head, [reader.marks for reader in _by_breadth()])


def session_id_by_name(path: Path) -> str:
    """Return the id of a session by the name of its transcript."""
    reader = reader_by_name(path)
    return reader.session_id(path) if reader else transcript_stem(path)


def session_files(environment: Environment, agent: str, session_id: str) -> list[TranscriptFile]:
    """Return every file of a session in the folders of its agent, oldest first.

    Only the names that such a file can have are looked for, so that it costs little whatever else is there.
    """
    if not session_id or "/" in session_id or "\0" in session_id or agent not in _BUILT_IN:
        return []
    return own_reader(agent).find_session(environment, session_id)


def agent_folders(environment: Environment) -> tuple[Path, ...]:
    """Return the folders in which the agents keep their transcripts."""
    return tuple(folder for reader in present_readers(environment) for folder in reader.folders(environment))


def file_states(environment: Environment) -> Iterator[FileState]:
    """Yield the state of every file that sessions on this machine are read from; see `FolderReader.file_states`."""
    return chain.from_iterable(reader.file_states(environment) for reader in present_readers(environment))


def unreadable_files(environment: Environment) -> Iterator[TranscriptFile]:
    """Yield what is named like a transcript and cannot be one: a folder, a broken link."""
    for reader in present_readers(environment):
        yield from reader.find_unreadable(environment)


def read_transcript(path: Path, *, extra: bool = False) -> Conversation | SkippedResult:
    """Read a transcript of whatever agent.

    Raises NotFoundError when there is no such file and BrokenFileError when it cannot be read at all.
    """
    from recall_tui.domain import ReadError, SkippedResult
    from recall_tui.transcripts.jsonl import read_head
    from recall_tui.transcripts.shared_file import skip_shared_file

    head = read_head(path)
    if not head.strip():
        return SkippedResult("the file is empty")
    if (shared := skip_shared_file(path, head)) is not None:
        return shared
    name = detect_agent(path, head)
    own = (reader for reader in own_readers() if reader.label == name)
    others = (reader for reader in _plugin_readers() if reader.claims(path, head)) if extra else ()
    for reader in chain[Reader](own, others):
        return _with_file_id(reader.read(path), path)
    if name:
        return SkippedResult(f"a transcript of {name}, which has no reader here")
    reason = "not a transcript that can be recognised"
    return SkippedResult(reason, (ReadError(0, reason),))


def _with_file_id(found: Conversation | SkippedResult, path: Path) -> Conversation | SkippedResult:
    """A conversation whose id says nothing has that of its file: by its id it is known from now on."""
    from dataclasses import replace

    from recall_tui.domain import SkippedResult

    if isinstance(found, SkippedResult) or found.head.session_id.strip():
        return found
    return replace(found, head=replace(found.head, session_id=transcript_stem(path)))


def _plugin_readers() -> Iterator[Reader]:
    from recall_tui.installed_plugins import installed_plugins

    for point in installed_plugins(ENTRY_POINTS):
        try:
            reader: Reader = point.load()()
        except Exception as error:
            hint = f"fix or remove the package that offers {point.value}"
            raise RecallError(f"the transcript reader {point.name} cannot be loaded: {error}", hint) from error
        yield reader


def discover_all(environment: Environment, *, extra: bool = False) -> list[TranscriptFile]:
    """Every transcript of every agent, oldest first; with `extra` those that other packages can read too."""
    others = _plugin_readers() if extra else ()
    readers = chain[Reader](present_readers(environment), others)
    return sort_by_time(file for reader in readers for file in reader.discover(environment))


def find_session(environment: Environment, session_id: str) -> Path | None:
    """The transcript of an agent's session by its id or the start of it; the newest when several folders have it.

    Raises UsageError when the start is too short and RecallError, naming them, when several sessions share it.
    """
    return newest_session_files(session_id, discover_all(environment))
