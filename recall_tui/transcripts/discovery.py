"""Where the agents keep their transcripts.

Only names and sizes are looked at, and of Gemini CLI's files, whose names cut the session's id, the first bytes; what
cannot be entered is passed over.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from recall_tui import files
from recall_tui.environment import Environment
from recall_tui.errors import RecallError, UsageError
from recall_tui.transcripts.claude.subagents import transcript_stem
from recall_tui.transcripts.reader import TranscriptFile

MIN_PREFIX_CHARS = 4
"""Characters of a session's id that must be given at least."""


CODEX_FOLDERS = ("sessions", "archived_sessions")
CHATS_FOLDER = "chats"
"""The folder of a project's chats."""
_ROLLOUT = re.compile(r"rollout-(?:\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-)?(.+?)\.jsonl(?:\.zst)?")
_CHAT = re.compile(r"session-.+\.jsonl?")
_CHAT_SESSION = re.compile(rb'"sessionId"\s*:\s*"([^"\\]+)"')
_CHAT_ID_CHARS = 8
"""Characters of a session's id that the name of its chat bears."""
_PEEK_BYTES = 4096
_MAX_PATH_BYTES = 4096
_EPOCH = datetime.fromtimestamp(0, UTC)
Listing = Callable[[Path], list[Path]]
"""Says what a folder of transcripts holds, or a part of it."""


def agent_folders(environment: Environment) -> tuple[Path, ...]:
    """The folders in which the agents keep their transcripts."""
    return (
        environment.claude / "projects",
        *(environment.codex / name for name in CODEX_FOLDERS),
        environment.gemini / "tmp",
    )


def unreadable_files(environment: Environment) -> Iterator[TranscriptFile]:
    """What bears the name of a transcript and cannot be one: a folder, a link that leads nowhere."""
    for agent, paths, session_of in (
        ("claude", _claude_paths(environment, _non_files), transcript_stem),
        ("codex", _codex_paths(environment, _non_files), rollout_session_id),
        ("gemini", _gemini_paths(environment, _non_files), transcript_stem),
    ):
        for path in paths:
            if is_unreadable(path):
                yield TranscriptFile(path, session_of(path), agent, _EPOCH, 0)


def is_unreadable(path: Path) -> bool:
    """Whether a folder or a link that leads nowhere stands where a file is expected."""
    try:
        return path.is_dir() or (path.is_symlink() and not path.exists())
    except OSError:
        return True


def claude_transcripts(environment: Environment) -> Iterator[TranscriptFile]:
    """Yield every main transcript `<claude>/projects/*/*.jsonl`, oldest first, those of one moment by name."""
    yield from agent_files("claude", _claude_paths(environment, _entries))


def _claude_paths(environment: Environment, listed: Listing) -> Iterator[Path]:
    paths = (path for folder in _entries(environment.claude / "projects") for path in listed(folder))
    return (path for path in paths if _is_main(path))


def _is_main(path: Path) -> bool:
    return path.suffix == ".jsonl" and not path.name.startswith("agent-")


def codex_transcripts(environment: Environment) -> Iterator[TranscriptFile]:
    """Yield every rollout under `<codex>/sessions/*/*/*/` and `<codex>/archived_sessions/`, oldest first.

    Of a rollout that is there both plain and compressed, the plain one.
    """
    yield from agent_files("codex", _codex_paths(environment, _entries))


def _codex_paths(environment: Environment, listed: Listing) -> Iterator[Path]:
    days = [environment.codex / "sessions"]
    for _ in ("year", "month", "day"):
        days = [*days, *(inner for folder in days for inner in _entries(folder) if inner.name.isdecimal())]
    folders = dict.fromkeys([*days, environment.codex / "archived_sessions"])
    paths = (path for folder in folders for path in prefer_uncompressed(listed(folder)))
    return (path for path in paths if _ROLLOUT.fullmatch(path.name))


def gemini_transcripts(environment: Environment) -> Iterator[TranscriptFile]:
    """Yield every chat `<gemini>/tmp/*/chats/session-*.json` or `.jsonl`, oldest first.

    What we asked it ourselves is none: it keeps every session, and those calls are made in our state folder.
    """
    yield from agent_files("gemini", _gemini_paths(environment, _entries))


def _gemini_paths(environment: Environment, listed: Listing) -> Iterator[Path]:
    projects = (
        folder for folder in _entries(environment.gemini / "tmp") if not is_own_call_folder(folder, environment)
    )
    paths = (path for folder in projects for path in listed(folder / CHATS_FOLDER))
    return (path for path in paths if _CHAT.fullmatch(path.name))


def is_own_call_folder(project: Path, environment: Environment) -> bool:
    """Whether a project of Gemini CLI's is one of the folders in which this program asks models."""
    root = project_root(project)
    return bool(root) and Path(root).is_relative_to(environment.state.resolve())


def project_root(project: Path) -> str:
    """The folder that was worked in, as newer versions of Gemini CLI note it beside the folder of chats."""
    noted = project / ".project_root"
    try:
        # Anything but a regular file, such as a pipe, might never end.
        root = (
            files.read_file(noted)[:_MAX_PATH_BYTES].decode("utf-8", "surrogateescape").strip()
            if noted.is_file()
            else ""
        )
    except OSError:
        return ""
    return root if Path(root).is_absolute() else ""


def agent_by_name(path: Path) -> str:
    """The agent whose transcript a file is by its name alone; empty for a name that none gives to one."""
    for agent, is_named in (("codex", _ROLLOUT.fullmatch(path.name)), ("gemini", _CHAT.fullmatch(path.name))):
        if is_named:
            return agent
    return "claude" if _is_main(path) else ""


def rollout_session_id(path: Path) -> str:
    """The session that a rollout's name tells; the whole name without its endings when it is another's."""
    named = _ROLLOUT.fullmatch(path.name)
    return named[1] if named else transcript_stem(path)


def prefer_uncompressed(paths: Iterable[Path]) -> list[Path]:
    """The paths without compressed ones that are there uncompressed too."""
    found = dict.fromkeys(paths)
    return [path for path in found if path.suffix != ".zst" or path.with_suffix("") not in found]


def session_files(environment: Environment, agent: str, session_id: str) -> list[TranscriptFile]:
    """Every file of a session in the folders of its agent, oldest first: it is resumed in other folders now and then.

    Only the names that such a file can have are looked for, so that it costs little whatever else there is.
    """
    if not session_id or "/" in session_id or "\0" in session_id:
        return []
    beginning = session_id[:_CHAT_ID_CHARS]
    match agent:
        case "claude":
            own = (folder / f"{session_id}.jsonl" for folder in _entries(environment.claude / "projects"))
            return agent_files("claude", filter(_is_main, own))
        case "codex":
            paths = _codex_paths(
                environment, lambda folder: [one for one in _entries(folder) if session_id in one.name]
            )
        case "gemini":
            paths = _gemini_paths(
                environment, lambda folder: [one for one in _entries(folder) if beginning in one.name]
            )
        case _:
            return []
    return [file for file in agent_files(agent, paths) if file.session_id == session_id]


def newest_session_files(session_id: str, files: Iterable[TranscriptFile]) -> Path | None:
    """The same among these files, which are given oldest first."""
    known = {file.session_id: file for file in files}
    found = match_session_id(session_id, known)
    return known[found].path if found else None


def match_session_id(session_id: str, ids: Iterable[str]) -> str | None:
    """The one of `ids` that is the session's, or begins with what is given of it; with the errors of `find_session`."""
    wanted = session_id.strip().lower()
    known = {id.lower(): id for id in ids}
    if wanted in known:
        return known[wanted]
    if len(wanted) < MIN_PREFIX_CHARS:
        raise UsageError(
            f"{session_id!r} is too short for a session", hint=f"give at least {MIN_PREFIX_CHARS} characters"
        )
    matches = [id for lowered, id in known.items() if lowered.startswith(wanted)]
    if len(matches) > 1:
        raise RecallError(
            f"{session_id} is the start of several sessions: {', '.join(matches)}", hint="give more characters"
        )
    return matches[0] if matches else None


def agent_files(agent: str, paths: Iterable[Path]) -> list[TranscriptFile]:
    """The agent's regular files among the paths, oldest first; one that is reached by two links counts once.

    Files are told apart by their device and inode.
    """
    session_of = {"claude": transcript_stem, "codex": rollout_session_id, "gemini": _chat_session}[agent]
    found: dict[tuple[int, int], TranscriptFile] = {}
    for path in paths:
        try:
            status = path.stat()
        except OSError:
            continue
        key = (status.st_dev, status.st_ino)
        if stat.S_ISREG(status.st_mode) and key not in found:
            modified = datetime.fromtimestamp(status.st_mtime, UTC)
            found[key] = TranscriptFile(path, session_of(path), agent, modified, status.st_size)
    return sort_by_time(found.values())


def sort_by_time(files: Iterable[TranscriptFile]) -> list[TranscriptFile]:
    """The files by their time, those of one moment by path."""
    return sorted(files, key=lambda file: (file.modified, str(file.path)))


def _chat_session(path: Path) -> str:
    try:
        with files.open_file(path, files.MAX_TRANSCRIPT_BYTES) as file:
            named = _CHAT_SESSION.search(file.read(_PEEK_BYTES))
    except OSError:
        named = None
    return named[1].decode("utf-8", "replace") if named else path.stem


def _entries(folder: Path) -> list[Path]:
    """What a folder holds, links last, so that a file is known by its own place first."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: (entry.is_symlink(), entry.name))
    except OSError:
        return []
    return [Path(entry.path) for entry in found]


def _non_files(folder: Path) -> list[Path]:
    """What a folder holds beside files of its own: to see that takes no look at each of thousands."""
    try:
        with os.scandir(folder) as entries:
            return sorted(Path(entry.path) for entry in entries if not entry.is_file(follow_symlinks=False))
    except OSError:
        return []
