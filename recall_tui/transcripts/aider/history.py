"""Aider's history of a project: its runs, and the messages of one.

A run begins with a heading that bears its time. Of what follows, lines with `####` are the person's, quoted ones the
program's, and all others the answer's; in a fence, which is the answer's, these marks mean nothing.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from recall_tui import files
from recall_tui.domain import Message
from recall_tui.errors import NotFoundError
from recall_tui.transcripts.claude.user_text import classify_user_text
from recall_tui.transcripts.conversation_head import RecordMetadata
from recall_tui.transcripts.jsonl import MAX_OBJECT_BYTES, numbered_lines
from recall_tui.transcripts.session_lines import Fault, render_session
from recall_tui.transcripts.shared_file import ListedSession

INPUT_FILE = ".aider.input.history"
"""Beside the history: every prompt with its time."""
_MAX_INPUT_BYTES = 64 << 20
_HEADING = re.compile(rb"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*")
_INPUT_TIME = re.compile(r"# (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?)\s*")
_PROMPT, _PROGRAM, _FENCES = "#### ", "> ", ("```", "~~~")
_TOKENS = re.compile(rb"> Tokens: (\d[\d.]*)(k?) sent,.* (\d[\d.]*)(k?) received\b.*")
"""Aider rounds numbers from 1,000 on."""
_VERSION = re.compile(r"> Aider v(\S+)")
_MODEL = re.compile(r"> (?:Main model|Model): (\S+)")
_REPEATED = timedelta(seconds=1)
"""A prompt that is noted again so soon is the same one."""
_MAX_NOTE_BYTES = 200
_DIGEST_DIGITS = 8
_NANOSECONDS = 1_000_000_000


class _Run(NamedTuple):
    """A run in the file."""

    id: str
    started_at: datetime
    ended_at: datetime | None
    """When the next one began."""
    lines: tuple[int, int]
    """The first line after the heading, and the one after the last."""
    size: int
    tokens: int


class _Input(NamedTuple):
    """A prompt as the history of inputs has it."""

    at: datetime
    text: str


def list_sessions(file: Path) -> Mapping[str, ListedSession]:
    """Return the runs in a file by their ids; RecallError when it cannot be read."""
    found = {}
    for run in _runs(file):
        written = run.ended_at.timestamp() * _NANOSECONDS if run.ended_at else file.stat().st_mtime_ns
        found[run.id] = ListedSession(run.id, run.size, int(written), os.path.realpath(file.parent), run.tokens)
    return found


def session_lines(file: Path, session_id: str) -> Iterator[bytes]:
    """Yield the lines of a run; NotFoundError when the file holds it no more."""
    run = next((one for one in _runs(file) if one.id == session_id), None)
    if run is None:
        raise NotFoundError(f"{file} holds no run {session_id}", hint="see: recall-tui list")
    lines, faults = _read_lines(file, run)
    told = RecordMetadata(
        session_id=session_id,
        cwd=os.path.realpath(file.parent),
        model=_first(_MODEL, lines),
        version=_first(_VERSION, lines),
        started_at=run.started_at,
    )
    inputs = [
        one
        for one in _read_inputs(file)
        if run.started_at <= one.at < (run.ended_at or datetime.max.replace(tzinfo=UTC))
    ]
    yield from render_session("aider", told, (*faults, *_messages(run.id, lines, inputs)))


def _runs(file: Path) -> tuple[_Run, ...]:
    try:
        status = file.stat()
    except OSError as error:
        raise NotFoundError(f"there is no history {file}", hint=f"check it with: ls -l {file}") from error
    return _read_runs(file, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=64)
def _read_runs(file: Path, _size: int, _mtime_ns: int) -> tuple[_Run, ...]:
    """The runs of a file in this state; of those that began in one second the last is known by its time."""
    starts: list[tuple[datetime, int, int]] = []
    tokens: list[int] = []
    place = at = 0
    for line in numbered_lines(file):
        heading = _HEADING.fullmatch(line.text)
        if heading and (started := _local_time(heading[1].decode("ascii"))):
            starts.append((started, line.number, place))
            tokens.append(0)
        elif tokens and line.text.startswith(b"> Tokens:") and (told := _TOKENS.match(line.text[:_MAX_NOTE_BYTES])):
            tokens[-1] += _count(told[1], told[2]) + _count(told[3], told[4])
        place += len(line.text) + 1
        at = line.number
    found = []
    for number, (started, line_number, begin) in enumerate(starts):
        following = starts[number + 1] if number + 1 < len(starts) else None
        digest = hashlib.sha256(os.fsencode(file)).hexdigest()[:_DIGEST_DIGITS]
        found.append(
            _Run(
                f"aider-{started.astimezone():%Y%m%d-%H%M%S}-{digest}",
                started,
                following[0] if following else None,
                (line_number + 1, following[1] if following else at + 1),
                (following[2] if following else place) - begin,
                tokens[number],
            )
        )
    return tuple(found)


def _count(digits: bytes, unit: bytes) -> int:
    """A number as the program rounds it; 0 for what is none."""
    try:
        return round(float(digits) * (1000 if unit else 1))
    except (ValueError, OverflowError):
        return 0


def _read_lines(file: Path, run: _Run) -> tuple[list[str], list[Fault]]:
    lines, faults, size = list[str](), list[Fault](), 0
    begin, end = run.lines
    for line in numbered_lines(file):
        if not begin <= line.number < end:
            continue
        size += len(line.text)
        if line.problem and line.problem != "cut last line":
            faults.append(Fault(f"line {line.number}: {line.problem}"))
        elif size > MAX_OBJECT_BYTES:
            return lines, [*faults, Fault(f"what follows line {line.number} is not read: the run is too long")]
        lines.append(line.text.decode("utf-8", "replace").rstrip())
    return lines, faults


def _messages(run_id: str, lines: list[str], inputs: list[_Input]) -> Iterator[Message]:
    """The prompts with the times of their inputs, and the answers, which bear none, with those of their prompts."""
    known = {line for one in inputs for line in one.text.split("\n")}
    at: datetime | None = None
    for number, (kind, text) in enumerate(_blocks(lines, known)):
        uuid = f"{run_id}:{number}"
        if kind != _PROMPT:
            yield Message("reply", text, at, uuid, uuid)
            continue
        at = _take_time(text, inputs) or at
        if words := classify_user_text(text):
            yield Message(words.kind, words.text, at, uuid, uuid)


def _blocks(lines: list[str], known: set[str]) -> Iterator[tuple[str, str]]:
    """The prompts and the answers, in their order; `known` are lines of prompts, wherever they stand."""
    kind, found, fence = "", list[str](), ""
    for line in (*lines, _PROGRAM):
        typed = line.removeprefix(_PROMPT) if line.startswith(_PROMPT) else None
        is_prompt = typed is not None and (not fence or typed.strip() in known)
        is_program = (line.startswith(_PROGRAM) or line == _PROGRAM.strip()) and not fence
        now = _PROMPT if is_prompt else _PROGRAM if is_program else "reply"
        if now != kind:
            if kind not in ("", _PROGRAM) and (text := "\n".join(found).strip()):
                yield kind, text
            kind, found, fence = now, [], ""
        found.append(typed if is_prompt and typed is not None else line)
        if now == "reply" and (mark := line.lstrip()[:3]) in _FENCES:
            fence = "" if fence == mark else fence or mark
    if fence and (text := "\n".join(found[:-1]).strip()):
        yield kind, text


def _take_time(text: str, inputs: list[_Input]) -> datetime | None:
    """When a prompt was typed; what was typed before it is no other's from now on."""
    for place, one in enumerate(inputs):
        if one.text.strip() == text:
            del inputs[: place + 1]
            return one.at
    return None


def _read_inputs(file: Path) -> list[_Input]:
    """The prompts that were typed in the project, each once, as far as their history can be read."""
    try:
        data = files.read_file(file.with_name(INPUT_FILE), _MAX_INPUT_BYTES, beneath=file.parent)
    except OSError:
        return []
    found: list[_Input] = []
    at: datetime | None = None
    typed: list[str] = []
    for line in (*data.decode("utf-8", "replace").split("\n"), "# "):
        if line.startswith("+"):
            typed.append(line[1:].rstrip())
            continue
        if at is not None and typed:
            one = _Input(at, "\n".join(typed))
            is_repeated = bool(found) and found[-1].text == one.text and one.at - found[-1].at < _REPEATED
            found += [] if is_repeated else [one]
        if noted := _INPUT_TIME.fullmatch(line):
            at, typed = _local_time(noted[1]), []
        elif line.startswith("#"):
            at, typed = None, []
    return found


def _first(pattern: re.Pattern[str], lines: list[str]) -> str:
    return next((found[1] for line in lines if (found := pattern.match(line))), "")


def _local_time(text: str) -> datetime | None:
    """A time of this machine's zone, in UTC."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
