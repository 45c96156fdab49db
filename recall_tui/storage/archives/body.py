"""The conversation inside an archive: written as markdown message by message, and parsed from every generation.

A message is in memory only while it is written, and no message text can pass for another turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Literal, TextIO

from recall_tui.domain import Message, MessageKind, ToolCall
from recall_tui.storage.markdown.frontmatter import read_time
from recall_tui.storage.markdown.quoting import FenceRanges, code_span, fence_text, normalize_lines, quote, unquote
from recall_tui.text.cut import one_line, shorten
from recall_tui.text.lazy_pattern import lazy_pattern

MAX_RESULT_CHARS = 2000
"""The most characters of a tool result to archive."""
MAX_TARGET_CHARS = 200
"""The most characters of a tool's target."""
_MAX_SCANNED_CHARS = 16_000
"""Characters of a result to redact before it is cut: a secret that begins in the archived part ends within these."""

Role = Literal["user", "assistant"]
_ROLE_OF_KIND: dict[MessageKind, Role] = {
    "prompt": "user",
    "command": "user",
    "reply": "assistant",
    "thought": "assistant",
    "tool_call": "assistant",
    "plan": "assistant",
}
_MAIN_HEADINGS: dict[Role, str] = {"user": "---\n\n### User", "assistant": "---\n\n### Assistant"}
_SUBAGENT_HEADINGS: dict[Role, str] = {"user": "#### Task", "assistant": "#### Sub-agent"}
_HEADINGS: dict[str, Role] = {
    "### User": "user",
    "### Assistant": "assistant",
    "#### Task": "user",
    "#### Sub-agent": "assistant",
}
_PLAN_HEADING = "#### Plan"
_SUBAGENT_LABEL = "Sub-agent"
_EARLIER_LABEL = "Earlier in this session"
_MAX_SUBAGENT_DEPTH = 16
"""Sub-agents nested deeper are parsed as text."""
_DETAILS_KINDS: dict[str, MessageKind] = {
    "Result": "tool_result",
    "Error": "tool_result",
    "Thought": "thought",
    _EARLIER_LABEL: "compact_summary",
}
_DETAILS_LINE = lazy_pattern(r"<details>\s*<summary>(.*?)</summary>\s*", re.IGNORECASE)
_TITLE = lazy_pattern(r"# (?:Conversation|Archive Log)\b.*")
_NOTE = lazy_pattern(r"\*(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d UTC)?(?P<off> ?\(rewound\))?\*")
_TOOL = lazy_pattern(r"> \*\*(?P<name>.+?)\*\*:?(?: (?P<target>`.*))?")
_CODE_SPAN = lazy_pattern(r"(`+)(.*)\1")
_LEGACY_TOOL = lazy_pattern(r"\*\*Tool: ?(?P<name>.+?)\*\*:?\s*(?P<target>.*)")
LEGACY_RESULT = lazy_pattern(
    r"\*\*(?:Tool )?(?:Result|Output|Error)(?P<error> \(error\))?:?\*\*:?(?: \(error\):?)?", re.IGNORECASE
)
"""The label of a tool result in the first generation; the fence below it is the result."""


def write_body(messages: Iterable[Message], out: TextIO, clean: Callable[[str], str] = str) -> None:
    """Write the messages to `out`; `clean` is applied to every text before it is quoted or cut."""

    def quoted(text: str) -> object:
        lines = text.removesuffix("\n").split("\n")
        return out.write("".join(f"> {line}\n" if line else ">\n" for line in lines))

    main = _Writer(out.write, clean, _MAIN_HEADINGS)
    for is_side, group in groupby(messages, key=lambda message: message.is_sidechain):
        if not is_side:
            main.write_all(group)
            continue
        out.write(f"<details><summary>{_SUBAGENT_LABEL}</summary>\n\n")
        _Writer(quoted, clean, _SUBAGENT_HEADINGS).write_all(group)
        out.write("\n</details>\n\n")


def message_block(message: Message, clean: Callable[[str], str] = str) -> tuple[Role | None, str]:
    """Return a message's speaker and its text below the speaker's heading; empty text for one that is not written."""
    found: list[str] = []
    writer = _Writer(found.append, clean, _SUBAGENT_HEADINGS if message.is_sidechain else _MAIN_HEADINGS)
    role = _ROLE_OF_KIND.get(message.kind)
    if role:
        writer.goes_on(role, message)
    writer.write_all([message])
    return role, "".join(found)


def find_headings(lines: list[str]) -> Iterator[tuple[int, int, Role | None]]:
    """Yield each change of speaker: the line of the heading (or of the rule above it), the line after it, the role.

    The role is None for a folded sub-agent; then the second line follows the fold. Lines are counted from 0.
    """
    code, rule, at = FenceRanges(lines), -1, 0
    while at < len(lines):
        line = _strip_end(lines[at])
        if line in ("### User", "### Assistant"):
            yield rule if rule >= 0 else at, at + 1, _HEADINGS[line]
        elif (found := _DETAILS_LINE.fullmatch(line)) and found[1] == _SUBAGENT_LABEL:
            end = at + 1
            while end < len(lines) and _strip_end(lines[end]) != "</details>":
                end += 1
            if end < len(lines):
                yield at, end + 1, None
                at = end + 1
                continue
        rule = at if line == "---" else rule if not line else -1
        at = code.after(at)


class _Writer:
    """A writer for the messages of one chain, with a heading wherever the speaker changes."""

    def __init__(self, write: Callable[[str], object], clean: Callable[[str], str], headings: dict[Role, str]) -> None:
        self._write = write
        self._clean = clean
        self._headings = headings
        self._speaker: tuple[Role, bool] | None = None

    def goes_on(self, role: Role, message: Message) -> None:
        """Set the message's speaker as the last one."""
        self._speaker = (role, message.is_off_chain)

    def write_all(self, messages: Iterable[Message]) -> None:
        for message in messages:
            if message.text.strip() or message.kind == "tool_call":
                self._message(message)

    def _message(self, message: Message) -> None:
        if role := _ROLE_OF_KIND.get(message.kind):
            self._heading(role, message)
        match message.kind:
            case "tool_call":
                self._write(f"> {self._tool(message)}\n\n")
            case "tool_result":
                self._details("Error" if message.is_error else "Result", self._result(message.text))
            case "thought":
                self._details("Thought", self._text(message))
            case "compact_summary":
                self._details(_EARLIER_LABEL, self._text(message))
            case "plan":
                self._write(f"{_PLAN_HEADING}\n\n{self._text(message)}\n")
                self._speaker = None
            case _:
                self._write(f"{self._text(message)}\n")

    def _heading(self, role: Role, message: Message) -> None:
        speaker = (role, message.is_off_chain)
        if speaker == self._speaker:
            return
        self._speaker = speaker
        at = message.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC") if message.at else ""
        note = f"{at} (rewound)".strip() if message.is_off_chain else at
        self._write(f"{self._headings[role]}\n\n" + (f"*{note}*\n\n" if note else ""))

    def _details(self, label: str, content: str) -> None:
        self._write(f"<details><summary>{label}</summary>\n\n{content}\n</details>\n\n")

    def _plain(self, text: str) -> str:
        return normalize_lines(self._clean(text))

    def _text(self, message: Message) -> str:
        return quote(_trim(self._plain(message.text))) + "\n"

    def _tool(self, message: Message) -> str:
        name, target = (message.tool.name, message.tool.target) if message.tool else ("", message.text)
        name = re.sub(r"[\\*]", r"\\\g<0>", one_line(self._plain(name)) or "tool")
        target = shorten(one_line(self._plain(target)), MAX_TARGET_CHARS)
        return f"**{name}** {code_span(target)}" if target else f"**{name}**"

    def _result(self, text: str) -> str:
        cleaned = self._plain(text[:_MAX_SCANNED_CHARS]).strip("\n")
        note = f"\n*cut: {MAX_RESULT_CHARS:,} of {len(text):,} characters*\n" if len(cleaned) > MAX_RESULT_CHARS else ""
        return fence_text(cleaned[:MAX_RESULT_CHARS]) + note


def parse_body(text: str) -> Iterator[Message]:
    """Yield the messages of an archive of any generation; text before its title and after its tags is skipped."""
    lines, start, tags = _find_bounds(text)
    lines = [*lines[start:tags], ""]
    if any(_strip_end(line) in _HEADINGS or _DETAILS_LINE.fullmatch(line) for line in lines):
        yield from _Reader(lines, offset=start).messages()


def split_archive(text: str) -> tuple[str, str, str]:
    """Split an archive into its head up to the title, its turns and its tags; all with plain line endings.

    A log has its summary below its title, so its head goes up to the first turn.
    """
    lines, start, tags = _find_bounds(text)
    head, body = ("".join(f"{line}\n" for line in part) for part in (lines[:start], lines[start:tags]))
    return head, body, "\n".join(lines[tags:])


def _find_bounds(text: str) -> tuple[list[str], int, int]:
    """Return the lines, and the indexes where the turns and the tags begin."""
    lines = normalize_lines(text).split("\n")
    code = FenceRanges(lines)
    start = next((at + 1 for at, line in enumerate(lines) if _TITLE.fullmatch(line)), 0)
    turn = tags = len(lines)
    at = rule = start
    while at < len(lines):
        line = _strip_end(lines[at])
        if line in _HEADINGS or _DETAILS_LINE.fullmatch(line):
            turn, tags = min(turn, rule), len(lines)
        elif line == "## Tags":
            tags = min(tags, at)
        at = code.after(at)
        if line and line != "---":
            rule = at
    if not start or lines[start - 1].startswith("# Archive Log"):
        start = min(turn, tags)
    return lines, start, tags


@dataclass(frozen=True, slots=True)
class _SpeakerState:
    """The current speaker and the metadata of the turn."""

    kind: MessageKind
    at: datetime | None = None
    is_off: bool = False


@dataclass(frozen=True, slots=True)
class _StructureMatch:
    """A matched element: the line after it, its messages, and the speaker it introduces."""

    following: int
    messages: tuple[Message, ...] = ()
    speech: _SpeakerState | None = None


class _Reader:
    """A parser for the lines of one chain."""

    def __init__(self, lines: list[str], *, depth: int = 0, offset: int = 0) -> None:
        self._lines = lines
        self._depth = depth
        self._offset = offset
        self._is_unclosed = False
        self._code = FenceRanges(lines)
        self._is_first = self._has_first_tools()
        self._speech: _SpeakerState | None = None
        self._start = 0
        self._end = 0

    def messages(self) -> Iterator[Message]:
        at = 0
        while at < len(self._lines):
            line = _strip_end(self._lines[at])
            found = self._structure(at, line) if line[:1] in ("#", "-", ">", "*", "<") else None
            if found is None:
                at = self._end = self._code.after(at)
                continue
            yield from self._said()
            yield from found.messages
            self._speech = found.speech or self._speech
            at = self._start = self._end = found.following
        yield from self._said()

    def _said(self) -> Iterator[Message]:
        """Yield the text between two structural elements as the speaker's message."""
        start = self._next_words(self._start)
        text = _trim("\n".join(self._lines[start : self._end]))
        if text and self._speech:
            yield self._message(self._speech.kind, start, unquote(text))

    def _message(
        self, kind: MessageKind, at: int, text: str, *, tool: ToolCall | None = None, is_error: bool = False
    ) -> Message:
        speech = self._speech
        return Message(
            kind,
            text,
            at=speech.at if speech else None,
            tool=tool,
            is_error=is_error,
            is_sidechain=self._depth > 0,
            is_off_chain=speech is not None and speech.is_off,
            line=self._offset + at + 1,
        )

    def _structure(self, at: int, line: str) -> _StructureMatch | None:
        """Match the element that begins at `at`; None when the line is text."""
        if role := _HEADINGS.get(line):
            return self._heading(at, "prompt" if role == "user" else "reply")
        if line == "---":
            following = self._next_words(at + 1)
            is_rule = following < len(self._lines) and _strip_end(self._lines[following]) in _HEADINGS
            return _StructureMatch(following) if is_rule else None
        if line == _PLAN_HEADING and self._speech:
            return _StructureMatch(at + 1, speech=replace(self._speech, kind="plan"))
        if found := _TOOL.fullmatch(line):
            name = re.sub(r"\\([\\*])", r"\1", found["name"])
            return _StructureMatch(at + 1, (self._call(at, name, found["target"] or ""),))
        if found := _DETAILS_LINE.fullmatch(line):
            return self._folded(at, found[1])
        return self._first_generation(at, line) if self._is_first else None

    def _heading(self, at: int, kind: MessageKind) -> _StructureMatch:
        following = self._next_words(at + 1)
        note = _NOTE.fullmatch(_strip_end(self._lines[following])) if following < len(self._lines) else None
        if note is None or not (note["time"] or note["off"]):
            return _StructureMatch(at + 1, speech=_SpeakerState(kind))
        return _StructureMatch(following + 1, speech=_SpeakerState(kind, read_time(note["time"]), bool(note["off"])))

    def _folded(self, at: int, label: str) -> _StructureMatch | None:
        """Match a result, a thought, older history or a sub-agent's messages; None for any other fold."""
        kind = _DETAILS_KINDS.get(label)
        is_side = label == _SUBAGENT_LABEL and self._depth < _MAX_SUBAGENT_DEPTH
        if self._is_unclosed or not (kind or is_side):
            return None
        end = at + 1
        while end < len(self._lines) and _strip_end(self._lines[end]) != "</details>":
            end = self._code.after(end)
        if end >= len(self._lines):
            # No fold below is closed either, so do not search again.
            self._is_unclosed = True
            return None
        if kind is None:
            inside = [line.removeprefix(">").removeprefix(" ") for line in self._lines[at + 1 : end]]
            reader = _Reader(inside, depth=self._depth + 1, offset=self._offset + at + 1)
            return _StructureMatch(end + 1, tuple(reader.messages()))
        if kind == "tool_result":
            message = self._message(kind, at, self._fenced(at + 1, end), is_error=label == "Error")
        else:
            message = self._message(kind, at, unquote(_trim("\n".join(self._lines[at + 1 : end]))))
        return _StructureMatch(end + 1, (message,))

    def _first_generation(self, at: int, line: str) -> _StructureMatch | None:
        """Match the first generation's tools: bold lines, and bold labels with a fence for results."""
        following = self._next_words(at + 1)
        if found := _LEGACY_TOOL.fullmatch(line):
            target = found["target"]
            if not target and following < len(self._lines) and self._lines[following].startswith("`"):
                is_span = not self._lines[following].startswith("```")
                at, target = (following, self._lines[following].rstrip()) if is_span else (at, "")
            return _StructureMatch(at + 1, (self._call(at, found["name"], target),))
        found = LEGACY_RESULT.fullmatch(line)
        end = self._code.after(following) if following < len(self._lines) else following
        if found is None or end <= following + 1:
            return None
        is_error = "error" in line.lower()
        return _StructureMatch(
            end, (self._message("tool_result", at, self._fenced(following, end), is_error=is_error),)
        )

    def _call(self, at: int, name: str, target: str) -> Message:
        if span := _CODE_SPAN.fullmatch(target):
            inner = span[2]
            is_padded = inner[:1] == inner[-1:] == " " and inner.strip()
            target = inner[1:-1] if is_padded else inner
        return self._message("tool_call", at, target, tool=ToolCall("", name, target))

    def _has_first_tools(self) -> bool:
        """Return whether tools are bold lines, as in the first generation; later generations quote such lines."""
        at = 0
        while at < len(self._lines):
            if self._lines[at].startswith(("**Tool: ", "<details>")):
                return self._lines[at].startswith("**")
            at = self._code.after(at)
        return False

    def _fenced(self, start: int, end: int) -> str:
        """Return the text of the first fence between two lines, or else all text there."""
        first = self._next_words(start)
        after = self._code.after(first) if first < end else first
        return "\n".join(self._lines[first + 1 : after - 1] if after > first + 1 else self._lines[start:end]).strip(
            "\n"
        )

    def _next_words(self, at: int) -> int:
        """Return the next line that is not blank."""
        while at < len(self._lines) and not self._lines[at].strip():
            at += 1
        return at


def _strip_end(line: str) -> str:
    return line.rstrip(" \t")


def _trim(text: str) -> str:
    """Strip surrounding blank lines; the first line keeps its indentation."""
    text = text.rstrip()
    first = len(text) - len(text.lstrip())
    return text[text.rfind("\n", 0, first) + 1 :]
