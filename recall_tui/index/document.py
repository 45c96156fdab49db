"""Cuts a markdown file into passages: sections of curated and derived text, turns of archives.

Every line with something on it is in exactly one passage, and passages come in the order of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from recall_tui.domain import Section
from recall_tui.index.passage import MARKUP, PLAIN, PROMPT, REPLY, TOOL, DocumentHead, Passage, labelled
from recall_tui.storage.frontmatter import read_time, split
from recall_tui.storage.markdown import sections

AIM_CHARS = 900
"""Short turns that follow each other are one passage up to here: a turn alone lacks the words of its question."""
MOST_CHARS = 2000
"""A passage is never longer; where one line is, it is cut between words."""
_DAY = re.compile(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)")
_MONTH = re.compile(r"(?<!\d)(\d{4}-\d{2})(?!\d)")
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: UTC|Z|[+-]\d{2}:?\d{2})?")
_TOOL_NAME = re.compile(r"\*\*(?:Tool: )?([A-Za-z][\w.-]*)\*\*")
_PATH = re.compile(r"[\w.~@+-]*(?:/[\w.@+-]+)+|\b[\w-]+\.[A-Za-z]{1,6}\b")
_TAG = re.compile(r"\*\*(Files|Tools)\*\*:(.*)")
_WINDOW = re.compile(r"Session (\S+) — ")


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines that belong together: a turn, a section."""

    start: int
    labels: str
    role: str = ""
    heading: str = ""


_Piece = tuple[int, str, str]
"""Number of the line in the file, its label, and its text or a piece of it."""


def passages_of(path: Path, text: str, kind: str) -> Iterator[Passage]:
    """The passages of the file at `path`, whose text is given."""
    values, body = split(text)
    first = text.count("\n") - body.count("\n")
    lines = body.split("\n")
    outline = sections(body)
    head = _head(path, values, outline)
    if kind == "conversation":
        yield from _of_turns(head, lines, outline, first)
        return
    for block in _sections(lines, outline):
        for passage in _cut(head, lines, [block], first):
            yield _dated(passage) if kind == "window" else passage


def _head(path: Path, values: dict[str, object], outline: tuple[Section, ...]) -> DocumentHead:
    def word(*names: str) -> str:
        return next((str(values[name]) for name in names if isinstance(values.get(name), str | int)), "")

    topics = values.get("topics") or values.get("tags") or ()
    top = next((section.title for section in outline if section.level == 1 and section.title), "")
    return DocumentHead(
        title=word("title") or top or path.stem,
        date=next(filter(None, (read_time(values.get(name)) for name in ("ended_at", "date", "updated"))), None)
        or _date_in(path.stem),
        session_id=word("session_id", "session"),
        project=word("project", "cwd"),
        agent=word("agent"),
        branch=word("branch"),
        origin=word("source", "trigger"),
        topics=tuple(str(topic) for topic in topics) if isinstance(topics, list) else (),
    )


def _date_in(name: str) -> datetime | None:
    if found := _DAY.search(name):
        return read_time(found[1])
    if found := _MONTH.search(name):
        return read_time(f"{found[1]}-01")
    return None


def _sections(lines: list[str], outline: tuple[Section, ...]) -> Iterator[_Block]:
    shown = [section for section in outline if section.level <= 3]
    for section, end in zip(shown, [*(later.start for later in shown[1:]), len(lines)], strict=True):
        heading = " › ".join(filter(None, section.path))
        yield _Block(section.start, PLAIN * (end - section.start), heading=heading)


def _of_turns(head: DocumentHead, lines: list[str], outline: tuple[Section, ...], first: int) -> Iterator[Passage]:
    pending: list[_Block] = []
    size = 0
    for block in _turns(lines, outline):
        own = sum(map(len, lines[block.start : block.start + len(block.labels)]))
        if pending and (size + own > AIM_CHARS or block.role != "turn" or pending[-1].role != "turn"):
            yield from _cut(head, lines, pending, first)
            pending, size = [], 0
        pending.append(block)
        size += own
    if pending:
        yield from _cut(head, lines, pending, first)


def _turns(lines: list[str], outline: tuple[Section, ...]) -> Iterator[_Block]:
    for section, end in zip(outline, [*(later.start for later in outline[1:]), len(lines)], strict=True):
        speaker = {"User": PROMPT, "Assistant": REPLY}.get(section.title, "") if section.level == 3 else ""
        labels = _labels(lines[section.start : end], speaker or PLAIN)
        if speaker or (section.level == 1 and section.title):
            labels = MARKUP + labels[1:]
        role = "turn" if speaker else "summary" if section.title == "Summary" else ""
        yield _Block(section.start, labels, role, section.title if section.level > 1 and not speaker else "")


def _labels(lines: list[str], plain: str) -> str:
    labels, in_details = [], False
    for line in lines:
        stripped = line.strip()
        in_details = in_details or stripped.startswith("<details")
        is_tool = in_details or stripped.startswith(("> **", "**Tool: "))
        labels.append(TOOL if is_tool else MARKUP if stripped == "---" else plain)
        in_details = in_details and not stripped.endswith("</details>")
    return "".join(labels)


def _cut(head: DocumentHead, lines: list[str], blocks: list[_Block], first: int) -> Iterator[Passage]:
    """The passages of blocks that follow each other: one, or as many as `MOST_CHARS` asks for."""
    start, labels = blocks[0].start, "".join(block.labels for block in blocks)
    pending: list[_Piece] = []
    size = 0
    for number, label in enumerate(labels, start):
        for text in _pieces(lines[number]):
            if pending and size + len(text) > MOST_CHARS:
                yield from _passage(head, blocks[0], pending)
                pending, size = [], 0
            pending.append((first + number + 1, label, text))
            size += len(text) + 1
    if pending:
        yield from _passage(head, blocks[0], pending)


def _pieces(line: str) -> Iterator[str]:
    while len(line) > MOST_CHARS:
        cut = line.rfind(" ", MOST_CHARS // 2, MOST_CHARS) + 1 or MOST_CHARS
        yield line[:cut]
        line = line[cut:]
    yield line


def _passage(head: DocumentHead, block: _Block, pieces: list[_Piece]) -> Iterator[Passage]:
    if not any(text.strip() for _, label, text in pieces if label != MARKUP):
        return
    body = "\n".join(text for _, _, text in pieces)
    labels = "".join(label for _, label, _ in pieces)
    named = {PROMPT: "prompt", REPLY: "reply", TOOL: "tool"}
    roles = [named[label] for label in dict.fromkeys(labels) if label in named]
    tools, files = _touched(body, labels)
    yield Passage(
        head=head,
        body=body,
        labels=labels,
        lines=(pieces[0][0], pieces[-1][0]),
        roles=(*roles, "summary") if block.role == "summary" else tuple(roles),
        heading=block.heading,
        session_id=head.session_id,
        date=head.date,
        tools=tools,
        files=files,
    )


def _touched(body: str, labels: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of tools and paths of files that the lines of tools, and the tags of an archive, speak of."""
    tools: list[str] = []
    files: list[str] = []
    for _, line in labelled(body, labels, TOOL):
        if name := _TOOL_NAME.search(line):
            tools.append(name[1])
            files += _PATH.findall(line)
    for _, line in labelled(body, labels, PLAIN):
        if tag := _TAG.match(line):
            (files if tag[1] == "Files" else tools).extend(word.strip(" `\r") for word in tag[2].split(","))
    return tuple(dict.fromkeys(filter(None, tools))), tuple(dict.fromkeys(filter(None, files)))


def _dated(passage: Passage) -> Passage:
    """A section of the window, with the session and the time that its heading tells."""
    session, time = _WINDOW.search(passage.heading), _TIME.search(passage.heading)
    return replace(
        passage,
        session_id=session[1] if session else passage.session_id,
        date=read_time(time[0]) if time else passage.date,
    )
