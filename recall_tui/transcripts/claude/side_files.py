"""Files that Claude Code keeps beside its transcripts: plans, todo lists, and the history of typed prompts.

`plans/<name>.md`, `todos/<session>-agent-<agent>.json` and the lines of `history.jsonl` in Claude Code's folder. Only
regular files of bounded size are opened, and no link is followed; entries of another form are passed over.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from recall_tui import files
from recall_tui.environment import Environment, claude_project_name
from recall_tui.text.cut import one_line, shorten
from recall_tui.transcripts.claude.metadata import parse_time_or_milliseconds
from recall_tui.transcripts.claude.records import decode_value, first_text, parse_object
from recall_tui.transcripts.jsonl import complete_lines

SideKind = Literal["plan", "todo", "history"]
HISTORY_FILE = "history.jsonl"
MAX_FILE_BYTES = 8 << 20
"""A plan or todo list; longer ones are refused."""
MAX_FILES = 20_000
"""Plans, and todo lists; those beyond, by name, are passed over."""
MAX_PROMPT_CHARS = 100_000
"""A prompt of the history is cut here."""
_MAX_TITLE_CHARS = 200
_AGENT_INFIX = "-agent-"
_HEADING = re.compile(r"^# +(\S.*)", re.MULTILINE)
_BARE_COMMAND = re.compile(r"/\S+")
"""A command such as `/clear`, which says nothing."""
_FOLDERS: tuple[tuple[SideKind, str, str], ...] = (("plan", "plans", ".md"), ("todo", "todos", ".json"))


class SideFile(NamedTuple):
    """A file that was found and not yet read."""

    kind: SideKind
    path: Path
    size: int
    mtime_ns: int

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.path.stem

    @property
    def session(self) -> str:
        """The session that a todo list's name bears; empty for a plan, whose name is not a session's."""
        return self.name.partition(_AGENT_INFIX)[0] if self.kind == "todo" else ""


class TypedPrompt(NamedTuple):
    """A prompt of the history."""

    at: datetime | None
    text: str


@dataclass(frozen=True, slots=True)
class PromptGroup:
    """The prompts of one session; of older ones, whose entries name no session, those of a project on one day."""

    name: str
    """The session, or the day and the project."""
    session: str
    folder: str
    """The project's folder."""
    prompts: tuple[TypedPrompt, ...]

    @property
    def title(self) -> str:
        """The first prompt on one line."""
        return shorten(one_line(self.prompts[0].text[: 4 * _MAX_TITLE_CHARS]), _MAX_TITLE_CHARS)


def history_path(environment: Environment) -> Path:
    """Return the path of the history."""
    return environment.claude / HISTORY_FILE


def list_side_files(environment: Environment) -> Iterator[SideFile]:
    """Yield every plan and every todo list by name."""
    for kind, folder, suffix in _FOLDERS:
        try:
            with os.scandir(environment.claude / folder) as entries:
                found = [one for one in entries if one.name.endswith(suffix) and one.is_file(follow_symlinks=False)]
        except OSError:
            continue
        for entry in sorted(found, key=lambda one: one.name)[:MAX_FILES]:
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            yield SideFile(kind, Path(entry.path), status.st_size, status.st_mtime_ns)


def side_file(environment: Environment, path: Path) -> SideFile | None:
    """Return the plan or todo list at `path`; None when it is neither."""
    for kind, folder, suffix in _FOLDERS:
        if (path.parent, path.suffix) == (environment.claude / folder, suffix):
            try:
                status = path.lstat()
            except (OSError, ValueError):
                return None
            is_file = stat.S_ISREG(status.st_mode)
            return SideFile(kind, path, status.st_size, status.st_mtime_ns) if is_file else None
    return None


def read_side_file(file: SideFile) -> tuple[str, str]:
    """Return the title and the text of a plan, or of a todo list with a line for each item.

    A list without items has no text. OSError or ValueError for what cannot be read.
    """
    data = files.read_file(file.path, MAX_FILE_BYTES, beneath=file.path.parent)
    if file.kind == "plan":
        text = data.decode("utf-8", "replace")
        heading = _HEADING.search(text)
        return shorten(one_line(heading[1]) if heading else file.name, _MAX_TITLE_CHARS), text
    items = [line for item in _todo_items(data) if (line := _todo_line(item))]
    count = len(items)
    return f"Todo list ({count} item{'s' * (count != 1)})", "".join(f"{line}\n" for line in items)


def read_history(path: Path) -> list[PromptGroup]:
    """Read the history, its groups in the order in which they begin; RecallError when it cannot be read."""
    groups: dict[str, PromptGroup] = {}
    prompts: dict[str, list[TypedPrompt]] = {}
    for _, line in complete_lines(path):
        record, _ = parse_object(line)
        text = first_text(record, "display", "text").strip()
        if record is None or not text or _BARE_COMMAND.fullmatch(text):
            continue
        at = parse_time_or_milliseconds(record.get("timestamp"))
        session, folder = one_line(first_text(record, "sessionId", "session_id")), first_text(record, "project", "cwd")
        name = session or f"{at.date().isoformat() if at else 'undated'}{claude_project_name(folder)}"
        groups.setdefault(name, PromptGroup(name, session, folder, ()))
        prompts.setdefault(name, []).append(TypedPrompt(at, text[:MAX_PROMPT_CHARS]))
    return [
        PromptGroup(one.name, one.session, one.folder, tuple(sorted(prompts[name], key=_time_of)))
        for name, one in groups.items()
    ]


def render_prompts(group: PromptGroup) -> tuple[str, list[int]]:
    """Return the group as a page, and the line at which each prompt begins in it, from 1."""
    lines = [f"# {group.title}", ""]
    starts: list[int] = []
    for prompt in group.prompts:
        when = prompt.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC") if prompt.at else "undated"
        lines += [f"## {when}", ""]
        starts.append(len(lines) + 1)
        lines += [*prompt.text.split("\n"), ""]
    return "\n".join(lines), starts


def _time_of(prompt: TypedPrompt) -> datetime:
    return prompt.at or datetime.min.replace(tzinfo=UTC)


def _todo_items(data: bytes) -> list[Any]:
    value = decode_value(msgspec.Raw(data)) if data.strip() else []
    if not isinstance(value, list):
        raise ValueError("it is no list of todos")
    return value


def _todo_line(item: object) -> str:
    """An item as `[status] content (activeForm)`; empty when it has no content."""
    content, form = one_line(first_text(item, "content")), one_line(first_text(item, "activeForm"))
    if not content:
        return ""
    status = one_line(first_text(item, "status")) or "pending"
    return f"[{status}] {content}" + (f" ({form})" if form and form != content else "")
