"""The database of session recall, an older tool that indexed Claude Code's transcripts: what it still holds of them.

Both the first shape of it and later ones are read, row by row, and never written.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

from recall_tui.domain import Conversation, ConversationHead, Message, SkippedResult, ToolCall
from recall_tui.environment import claude_project_name
from recall_tui.errors import BrokenFileError
from recall_tui.text.cut import one_line, shorten
from recall_tui.transcripts.claude.metadata import parse_time_or_milliseconds
from recall_tui.transcripts.claude.project_folder import find_project_folder
from recall_tui.transcripts.claude.records import parse_object
from recall_tui.transcripts.claude.user_text import classify_user_text
from recall_tui.transcripts.conversation_head import HeadBuilder
from recall_tui.transcripts.reader import MessageDraft, tool_call_draft
from recall_tui.transcripts.sqlite_file import open_read_only, translate_errors
from recall_tui.transcripts.tool_calls import build_tool_call, plan_text

MAX_CHARS = 8 * 2**20
"""Characters of a row that are read; no record that a person or an agent wrote is about it."""
MAX_TITLE_CHARS = 200
"""Characters of a title."""
_NO_PROMPT = "No prompt"
"""What Claude Code noted as the first prompt of a session without one."""
_MIN_TIME = datetime.min.replace(tzinfo=UTC)
_REQUIRED_COLUMNS = {"sessions": {"id"}, "messages": {"session_id", "type", "content"}}
"""Without these a database is another's; any other column may be missing."""
_COLUMNS = ("project_path", "title", "jsonl_path", "created_at", "updated_at", "message_count")
_SUMMARY, _FIRST_PROMPT, _PLAN = "summary", "first_prompt", "plan"
_CONTENT_TYPES = (_SUMMARY, _FIRST_PROMPT, _PLAN)
"""Rows of the table `content` that count by themselves; a plan is keyed by the name of its file."""
_SESSION_CONTENT = f"content_type IN ('{_SUMMARY}', '{_FIRST_PROMPT}', '{_PLAN}', 'todo')"
_NOTE_TITLE = 3
_NOTE_PROJECT = 4
"""Places of the title and the project among the facts of a row of `content`."""
_TODO_INFIX = "-agent-"
"""Todo lists bear the session's id with this and another id after it."""
_AFTER_TODO_INFIX = "-agent."


@dataclass(frozen=True, slots=True)
class SessionRecallSession:
    """A session as the database lists it."""

    id: str
    project_path: str = ""
    """The name of the project's folder with every `-` made a `/`."""
    title: str = ""
    jsonl_path: str = ""
    """Its transcript, in the folder of all projects."""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    message_count: int = 0
    """As the database says; `rows` are what it has."""
    rows: int = 0
    is_plan: bool = False
    """Nothing is known of it but a plan: it is one, and `id` is the name of its file."""
    edition: int = 0
    """Another number whenever what the database holds of the session is not what it was."""

    @property
    def folder(self) -> str:
        """The folder that the session worked in, as well as its name can be read."""
        name, slash, _ = self.jsonl_path.partition("/")
        return find_project_folder(name) if slash and name.startswith("-") else _folder_on_disk(self.project_path)


class _Row(NamedTuple):
    """A row of one of the tables, on its way to be messages."""

    place: datetime
    """Where it stands in the order of time."""
    at: datetime | None
    uuid: str
    said: Iterable[MessageDraft]


class SessionRecallDatabase:
    """The opened database; use it in the thread that opened it and close it after."""

    agent = "claude"

    def __init__(self, path: Path) -> None:
        """Open the database; BrokenFileError when it cannot be read, or is another's."""
        self.path = path
        self._connection = open_read_only(path)
        try:
            self._columns = {name: self._columns_of(name) for name in ("sessions", "messages", "content")}
            self._check()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; conversations can be read no more."""
        self._connection.close()

    def sessions(self) -> list[SessionRecallSession]:
        """Every session, those among them of which only messages or a summary are left, in the order of their ids."""
        columns = self._pick("sessions", *_COLUMNS)
        listed = {_text(id): tuple(row) for id, *row in self._rows(f"SELECT id, {columns} FROM sessions")}
        counts = {_text(id): tuple(facts) for id, *facts in self._rows(self._counting())}
        notes = self._noted()
        told = {id for id, facts in notes.items() if any(kind in _CONTENT_TYPES for kind, *_ in facts)}
        ids = listed.keys() | counts.keys() | told
        return [_session(id, listed.get(id), counts.get(id), notes.get(id)) for id in sorted(ids - {""})]

    def conversation(self, session: SessionRecallSession) -> Conversation | SkippedResult:
        """What was said in a session, as long as the database is open; Skipped when nothing is left of it.

        Reading raises BrokenFileError when the database is damaged.
        """
        title = shorten(session.title or _title(self._notes(session)), MAX_TITLE_CHARS)
        messages = partial(self._messages, session, title)
        tally = HeadBuilder()
        for message in messages():
            tally.hear(message)
        if not tally.has_messages:
            return SkippedResult("no message in it")
        head = ConversationHead(
            session_id=session.id,
            agent=self.agent,
            source=Path(f"{self.path}/{session.id}"),
            started_at=tally.started_at or session.created_at,
            ended_at=tally.ended_at or session.updated_at,
            title=title,
            cwd=session.folder,
            prompts=tally.prompts,
            replies=tally.replies,
            first_uuid=tally.first_uuid,
            last_uuid=tally.last_uuid,
            content_hash=f"{session.edition:016x}",
        )
        return Conversation(head, messages)

    def _columns_of(self, table: str) -> frozenset[str]:
        return frozenset(str(row[1]).lower() for row in self._rows(f"PRAGMA table_info({table})"))

    def _check(self) -> None:
        for table, needed in _REQUIRED_COLUMNS.items():
            if missing := needed - self._columns[table]:
                raise BrokenFileError(
                    f"{self.path} cannot be read: it is no index of sessions, {table} has no {min(missing)}",
                    hint=f"if it is another tool's, name it in {self.path.with_name('.recall-ignore')}",
                )

    def _rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        with translate_errors(self.path):
            yield from self._connection.execute(query, values)

    def _pick(self, table: str, *names: str) -> str:
        """The columns for a query, nothing in the place of those that the table lacks."""
        return ", ".join(name if name in self._columns[table] else "NULL" for name in names)

    def _counting(self) -> str:
        """The query for the rows of each session: how many, and what tells the last of them from another."""
        counted = "SELECT session_id AS id_, count(*) AS rows_, max(rowid) AS last_ FROM messages GROUP BY session_id"
        last = self._pick("messages", "uuid", "timestamp")
        joined = f"({counted}) JOIN messages ON messages.rowid = last_"
        return f"SELECT id_, rows_, last_, {last}, length(content) FROM {joined}"

    def _noted(self) -> dict[str, list[tuple[Any, ...]]]:
        """Kind, number, time, title, project and length of the rows of `content` of each session."""
        found: dict[str, list[tuple[Any, ...]]] = {}
        if not self._has_notes:
            return found
        columns = self._pick("content", "timestamp", "title", "project_path")
        query = (
            f"SELECT source_id, content_type, rowid, {columns}, length(content) FROM content WHERE {_SESSION_CONTENT}"
        )
        for source, *facts in self._rows(query):
            found.setdefault(_text(source).partition(_TODO_INFIX)[0], []).append(tuple(facts))
        return found

    @property
    def _has_notes(self) -> bool:
        return {"source_id", "content_type", "content"} <= self._columns["content"]

    def _notes(self, session: SessionRecallSession) -> list[tuple[datetime | None, str, str]]:
        """Time, kind and text of the summaries, first prompts, plans and todo lists of a session."""
        if not self._has_notes:
            return []
        own = (session.id, f"{session.id}{_TODO_INFIX}", f"{session.id}{_AFTER_TODO_INFIX}")
        query = (
            f"SELECT {self._pick('content', 'timestamp')}, content_type, {_prefix('content')} FROM content"
            f" WHERE {_SESSION_CONTENT} AND (source_id = ? OR source_id >= ? AND source_id < ?) ORDER BY rowid"
        )
        return [
            (parse_time_or_milliseconds(at), _text(kind), _text(text)) for at, kind, text in self._rows(query, *own)
        ]

    def _messages(self, session: SessionRecallSession, title: str) -> Iterator[Message]:
        rows = heapq.merge(self._told(session, title), self._rows_in_time(session), key=lambda row: row.place)
        for line, row in enumerate(rows, 1):
            for one in row.said:
                yield Message(one.kind, one.text, row.at, row.uuid, tool=one.tool, line=line)

    def _rows_in_time(self, session: SessionRecallSession) -> Iterator[_Row]:
        """The rows of `messages` by time; one without a time stands after the one that was put in before it."""
        stamp = self._pick("messages", "timestamp")
        places: list[tuple[datetime, int]] = []
        latest = _MIN_TIME
        for row, at in self._rows(
            f"SELECT rowid, {stamp} FROM messages WHERE session_id = ? ORDER BY rowid", session.id
        ):
            latest = parse_time_or_milliseconds(at) or latest
            places.append((latest, row))
        columns = self._pick("messages", "tool_name", "file_paths", "uuid", "timestamp")
        query = f"SELECT type, {_prefix('content')}, {columns} FROM messages WHERE rowid = ?"
        for place, row in sorted(places):
            for kind, text, tool, files, uuid, at in self._rows(query, row):
                paths = [path for path in map(str.strip, _text(files).split(",")) if path]
                yield _Row(
                    place,
                    parse_time_or_milliseconds(at),
                    _text(uuid),
                    message_drafts(_text(kind), _text(text), _text(tool), paths),
                )

    def _told(self, session: SessionRecallSession, title: str) -> Iterator[_Row]:
        """What the table `content` adds to the messages, by time."""
        notes = [(at or _MIN_TIME, at, kind, text) for at, kind, text in self._notes(session)]
        is_alone, is_silent = not session.rows, True
        for place, at, kind, text in sorted(notes, key=lambda note: note[0]):
            if found := _content_draft(kind, text, title, is_alone=is_alone):
                is_silent = False
                yield _Row(place, at, "", [found])
        if is_alone and is_silent and (told := [note for note in notes if note[2] == _SUMMARY]):
            place, at, _, text = told[-1]  # The title is all that is left of the session.
            yield _Row(place, at, "", [MessageDraft("compact_summary", text)])


def _content_draft(kind: str, text: str, title: str, *, is_alone: bool) -> MessageDraft | None:
    """What a row of `content` says that nothing else does; `is_alone` when the session has no messages."""
    if not text.strip():
        return None
    if kind == _FIRST_PROMPT:
        words = classify_user_text(text) if is_alone and text.strip() != _NO_PROMPT else None
        return MessageDraft(words.kind, words.text) if words else None
    if kind == _SUMMARY:
        return None if one_line(text) == title else MessageDraft("compact_summary", text)
    return MessageDraft("plan", text)


def _title(notes: Iterable[tuple[datetime | None, str, str]]) -> str:
    """The last summary, else the first prompt, on one line."""
    texts = {kind: line for _, kind, text in notes if (line := one_line(text)) and line != _NO_PROMPT}
    if _SUMMARY in texts:
        return texts[_SUMMARY]
    words = classify_user_text(texts.get(_FIRST_PROMPT, ""))
    if words and words.kind == "prompt":
        return words.text
    plan = next((text for _, kind, text in notes if kind == _PLAN), "")
    return one_line(plan.strip().partition("\n")[0].lstrip("# "))


def _session(
    id: str,
    listed: tuple[Any, ...] | None,
    counted: tuple[Any, ...] | None,
    notes: list[tuple[Any, ...]] | None,
) -> SessionRecallSession:
    told = hashlib.blake2b(repr((id, listed, counted, notes)).encode(), digest_size=8).digest()
    project, title, path, created, updated, count = listed or (None,) * len(_COLUMNS)
    is_plan = not (listed or counted) and bool(notes) and {kind for kind, *_ in notes or ()} == {_PLAN}
    if is_plan and notes:
        title = notes[-1][_NOTE_TITLE]
    if not listed:
        project = next((one[_NOTE_PROJECT] for one in notes or () if one[_NOTE_PROJECT]), None)
    return SessionRecallSession(
        id=id,
        project_path=_text(project),
        title=one_line(_text(title)),
        jsonl_path=_text(path),
        created_at=parse_time_or_milliseconds(created),
        updated_at=parse_time_or_milliseconds(updated),
        message_count=count if isinstance(count, int) else 0,
        rows=counted[0] if counted else 0,
        is_plan=is_plan,
        edition=int.from_bytes(told) >> 1,
    )


def _folder_on_disk(path: str) -> str:
    """The folder that a path stands for whose `/` may have been a `-`; the path itself when there is none."""
    if not path.startswith("/") or Path(path).is_dir():
        return path
    found = find_project_folder(claude_project_name(path))
    return found if Path(found).is_dir() else path


def _prefix(column: str) -> str:
    """As much of a column as is read."""
    return f"CASE WHEN length({column}) > {MAX_CHARS} THEN substr({column}, 1, {MAX_CHARS}) ELSE {column} END"


def _text(value: object) -> str:
    """A value as text, whatever the database holds; nothing for null."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


_USER_TYPES = frozenset(("user", "human"))
_CALL_TYPES = frozenset(("tool_use", "tool_call"))


def message_drafts(kind: str, text: str, tool: str, files: Sequence[str]) -> Iterator[MessageDraft]:
    """What a row of this type says; `tool` is the last tool that its record called, `files` the paths it was given."""
    if kind == "tool_result":
        if text.strip():
            yield MessageDraft("tool_result", text, _calls_on(files, tool, {})[0] if tool else None)
    elif tool or kind in _CALL_TYPES:
        yield from _text_with_calls(text, tool, files)
    elif kind in _USER_TYPES:
        if words := classify_user_text(text):
            yield MessageDraft(words.kind, words.text)
    elif text.strip() and kind in ("assistant", "thinking"):
        yield MessageDraft("reply" if kind == "assistant" else "thought", text)


def _text_with_calls(text: str, tool: str, files: Sequence[str]) -> Iterator[MessageDraft]:
    """What the agent said, then its calls; only the last of them is known by name."""
    lines = text.split("\n")
    given: list[dict[str, object]] = []
    while lines and (arguments := _arguments(lines[-1])) is not None:
        given.insert(0, arguments)
        lines.pop()
    if given:
        calls = [build_tool_call("", tool if last == len(given) else "", one) for last, one in enumerate(given, 1)]
    else:
        # Arguments that were cut are no JSON any more, and no speech either.
        cut = lines.pop() if lines[-1].startswith("{") else ""
        calls = _calls_on(files, tool, {"": cut} if cut else {})
    if words := "\n".join(lines).strip():
        yield MessageDraft("reply", words)
    for call in calls:
        yield tool_call_draft(call)
        if plan := plan_text(call):
            yield MessageDraft("plan", plan, call)


def _arguments(line: str) -> dict[str, object] | None:
    return parse_object(line.encode())[0] if line.startswith("{") else None


def _calls_on(files: Sequence[str], tool: str, arguments: dict[str, object]) -> list[ToolCall]:
    """The calls of a tool on these files, as far as the row tells; one when it names none."""
    first, *others = files or ("",)
    return [ToolCall("", tool, first, arguments, bool(first)), *(ToolCall("", tool, one, {}, True) for one in others)]
