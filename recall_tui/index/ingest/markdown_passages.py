"""Cuts a markdown file into passages: sections of curated and derived text, turns of archives.

Every line with something on it is in exactly one passage, and passages come in the order of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path

from recall_tui.domain import MessageKind, Section, WindowEntry
from recall_tui.domain.documents import NOTE_KINDS
from recall_tui.index.text.passage import MARKUP, PLAIN, PROMPT, REPLY, TOOL, DocumentHead, Passage, labelled_lines
from recall_tui.storage.archives.body import parse_body
from recall_tui.storage.archives.parts import frontmatter_at
from recall_tui.storage.documents import window_file
from recall_tui.storage.documents.period_files import midpoint
from recall_tui.storage.documents.window_blocks import UNKNOWN_TIME
from recall_tui.storage.markdown.frontmatter import read_time, split_frontmatter
from recall_tui.storage.markdown.outline import parse_sections
from recall_tui.text.cut import split_text
from recall_tui.text.lazy_pattern import lazy_pattern

_LABELS: dict[MessageKind, str] = {"prompt": PROMPT, "command": PROMPT, "reply": REPLY, "plan": REPLY}
"""What a message counts as; thoughts, compacted history and all of a sub-agent weigh no more than what tools say."""
_SPEECH_KINDS = frozenset(_LABELS)
_STRUCTURE_LINES = frozenset(("---", "### User", "### Assistant", "#### Plan", "</details>"))
_NOTE = lazy_pattern(r"\*[^*]*\*")
_LONE_RETURN = lazy_pattern(r"\r(?!\n)")
TARGET_CHARS = 900
"""Short turns that follow each other are one passage up to here: a turn alone lacks the words of its question."""
MAX_CHARS = 2000
"""A passage is never longer; where one line is, it is cut between words."""
_DAY = lazy_pattern(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)")
_MONTH = lazy_pattern(r"(?<!\d)(\d{4}-\d{2})(?!\d)")
_TOOL_NAME = lazy_pattern(r"\*\*(?:Tool: )?([A-Za-z][\w.-]*)\*\*")
_PATH = lazy_pattern(r"[\w.~@+-]*(?:/[\w.@+-]+)+|\b[\w-]+\.[A-Za-z]{1,6}\b")
_TAG_LINE = lazy_pattern(r"\*\*(Files|Tools)\*\*:(.*)")


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines that belong together: a turn, a section."""

    start: int
    labels: str
    role: str = ""
    heading: str = ""
    at: datetime | None = None
    """When its first message was said."""


_LabelledText = tuple[int, str, str]
"""Number of the line in the file, its label, and its text or a piece of it."""


def markdown_passages(path: Path, text: str, kind: str) -> Iterator[Passage]:
    """The passages of the file at `path`, whose text is given."""
    values, body = split_frontmatter(text)
    if kind == "conversation" and not values:
        values, _ = split_frontmatter(text[frontmatter_at(text) :])
    first = text.count("\n") - body.count("\n")
    del text  # Of a long archive every copy counts.
    lines = body.split("\n")
    outline = parse_sections(body)
    head = _head(path, values, outline, kind)
    if kind == "conversation" and (blocks := _archive_blocks(body, lines)):
        yield from _turn_blocks(head, lines, blocks, first)
        return
    entries = window_file.parse_window(body).entries if kind == "window" else ()
    label_of = {"daily": _label_of_daily, "memory": _label_of_memory}.get(kind, lambda _: PLAIN)
    for block in _sections(lines, outline, label_of):
        for passage in _split_blocks(head, lines, [block], first):
            yield _window_section(passage, entries)


def _head(path: Path, values: dict[str, object], outline: tuple[Section, ...], kind: str) -> DocumentHead:
    def word(*names: str) -> str:
        return next((str(values[name]) for name in names if isinstance(values.get(name), str | int)), "")

    topics = values.get("topics") or values.get("tags") or ()
    topics = [*map(str, topics)] if isinstance(topics, list) else []
    context = word("context") if kind == "conversation" else ""
    title = word("title") or context or (word("name", "theme") if kind in NOTE_KINDS else "")
    if context != title and context:
        topics.append(context)
    top = next((section.title for section in outline if section.level == 1 and section.title), "")
    return DocumentHead(
        title=title or top or path.stem,
        date=_file_date(path, values, kind),
        session_id=word("session_id", "session"),
        project=word("project", "cwd"),
        agent=word("agent"),
        branch=word("branch"),
        origin=word("source", "trigger"),
        topics=tuple(topics),
        folder=word("cwd"),
    )


def _file_date(path: Path, values: dict[str, object], kind: str) -> datetime | None:
    """When a file's words were said: a page tells of the days it is called by, whenever it was written."""
    if kind in ("weekly", "monthly") and (day := midpoint(path)):
        return read_time(day.isoformat())
    if kind == "insight" and (day := _find_date(path.stem)):
        return day
    noted = (read_time(values.get(name)) for name in ("ended_at", "date", "updated"))
    return next(filter(None, noted), None) or _find_date(path.stem)


def _find_date(name: str) -> datetime | None:
    if found := _DAY.search(name):
        return read_time(found[1])
    if found := _MONTH.search(name):
        return read_time(f"{found[1]}-01")
    return None


def _sections(
    lines: list[str], outline: tuple[Section, ...], label: Callable[[str], str] = lambda _: PLAIN
) -> Iterator[_Block]:
    shown = [section for section in outline if section.level <= 3] or [Section("", 0, 0, len(lines))]
    for section, end in zip(shown, [*(later.start for later in shown[1:]), len(lines)], strict=True):
        heading = " › ".join(filter(None, section.path))
        yield _Block(section.start, "".join(map(label, lines[section.start : end])), heading=heading)


def _label_of_daily(line: str) -> str:
    """The label of a log's line: what it repeats of a session is found in the session itself."""
    from recall_tui.storage.documents.day_logs import point_text

    return TOOL if point_text(line) else PLAIN


def _label_of_memory(line: str) -> str:
    """The label of a line of MEMORY.md: the remarks of a new one say nothing of the memory."""
    return MARKUP if line.startswith("<!--") and line.rstrip() in _template_lines() else PLAIN


@cache
def _template_lines() -> frozenset[str]:
    from recall_tui.resources import read_template

    return frozenset(read_template("memory/MEMORY.md").splitlines())


def _turn_blocks(head: DocumentHead, lines: list[str], blocks: list[_Block], first: int) -> Iterator[Passage]:
    pending: list[_Block] = []
    size = 0
    for block in blocks:
        own = sum(map(len, lines[block.start : block.start + len(block.labels)]))
        if pending and (size + own > TARGET_CHARS or block.role != "turn" or pending[-1].role != "turn"):
            yield from _split_blocks(head, lines, pending, first)
            pending, size = [], 0
        pending.append(block)
        size += own
    if pending:
        yield from _split_blocks(head, lines, pending, first)


def _archive_blocks(body: str, lines: list[str]) -> list[_Block]:
    """The parts of an archive: what stands before the first message, turns, tags; none when it holds no messages."""
    # A lone carriage return ends a line for the reader of archives, and would move its line numbers against ours.
    messages = [replace(message, text="") for message in parse_body(_LONE_RETURN.sub(" ", body))]
    if not messages:
        return []
    tags = next((at for at in range(len(lines) - 1, messages[-1].line - 1, -1) if lines[at].rstrip() == "## Tags"), -1)
    end = tags if tags >= 0 else len(lines)
    starts = [message.line - 1 for message in messages]
    begin = _leading_marks_start(lines, starts[0])
    blocks = list(_sections(lines[:begin], parse_sections("\n".join(lines[:begin])))) if begin else []
    blocks = [_preamble_block(block, lines[block.start]) for block in blocks]
    turn, labels, at = begin, MARKUP * (starts[0] - begin), None
    for message, start, following in zip(messages, starts, [*starts[1:], end], strict=True):
        if message.kind in _SPEECH_KINDS and not message.is_sidechain and labels.strip(MARKUP):
            blocks.append(_Block(turn, labels, "turn", at=at))
            turn, labels, at = start, "", None
        label = TOOL if message.is_sidechain else _LABELS.get(message.kind, TOOL)
        words_end = _leading_marks_start(lines, following) if following < len(lines) else following
        words_end = max(words_end, min(start + 1, following))
        labels += label * (words_end - start) + MARKUP * (following - words_end)
        at = at or message.at
    blocks.append(_Block(turn, labels, "turn", at=at))
    return [*blocks, *([_Block(tags, PLAIN * (len(lines) - tags), heading="Tags")] if tags >= 0 else [])]


def _preamble_block(block: _Block, heading: str) -> _Block:
    """A section above the first turn; an archive's own title is a mark, and its summary a role."""
    labels = MARKUP + block.labels[1:] if heading.startswith("# ") else block.labels
    return replace(block, labels=labels, role="summary" if block.heading.endswith("Summary") else "")


def _leading_marks_start(lines: list[str], at: int) -> int:
    """Where the blank lines and marks that lead to line `at` begin."""
    while at > 0 and (not (line := lines[at - 1].strip()) or line in _STRUCTURE_LINES or _NOTE.fullmatch(line)):
        at -= 1
    return at


def _split_blocks(head: DocumentHead, lines: list[str], blocks: list[_Block], first: int) -> Iterator[Passage]:
    """The passages of blocks that follow each other: one, or as many as `MAX_CHARS` asks for."""
    start, labels = blocks[0].start, "".join(block.labels for block in blocks)
    pending: list[_LabelledText] = []
    size = 0
    for number, label in enumerate(labels, start):
        for text in split_text(lines[number], MAX_CHARS):
            if pending and size + len(text) > MAX_CHARS:
                yield from _passage(head, blocks[0], pending)
                pending, size = [], 0
            pending.append((first + number + 1, label, text))
            size += len(text) + 1
    if pending:
        yield from _passage(head, blocks[0], pending)


def _passage(head: DocumentHead, block: _Block, parts: list[_LabelledText]) -> Iterator[Passage]:
    if not any(text.strip() for _, label, text in parts if label != MARKUP):
        return
    body = "\n".join(text for _, _, text in parts)
    labels = "".join(label for _, label, _ in parts)
    named = {PROMPT: "prompt", REPLY: "reply", TOOL: "tool"}
    roles = [named[label] for label in dict.fromkeys(labels) if label in named]
    tools, files = _tools_and_paths(body, labels)
    yield Passage(
        head=head,
        body=body,
        labels=labels,
        lines=(parts[0][0], parts[-1][0]),
        roles=(*roles, "summary") if block.role == "summary" else tuple(roles),
        heading=block.heading,
        session_id=head.session_id,
        date=block.at or head.date,
        tools=tools,
        files=files,
        is_turn=block.role == "turn",
    )


def _tools_and_paths(body: str, labels: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of tools and paths of files that the lines of tools, and the tags of an archive, speak of."""
    tools: list[str] = []
    files: list[str] = []
    for _, line in labelled_lines(body, labels, TOOL):
        if name := _TOOL_NAME.search(line):
            tools.append(name[1])
            files += _PATH.findall(line)
    for _, line in labelled_lines(body, labels, PLAIN):
        if tag := _TAG_LINE.match(line):
            (files if tag[1] == "Files" else tools).extend(word.strip(" `\r") for word in tag[2].split(","))
    return tuple(dict.fromkeys(filter(None, tools))), tuple(dict.fromkeys(filter(None, files)))


def _window_section(passage: Passage, entries: tuple[WindowEntry, ...]) -> Passage:
    """A section of the window, with the session and the time of the entry that it is."""
    for entry in entries:
        if passage.heading.split(" › ")[-1].startswith(f"Session {entry.session_id} "):
            at = entry.ended_at if entry.ended_at != UNKNOWN_TIME else None
            return passage._replace(session_id=entry.session_id, date=at)
    return passage
