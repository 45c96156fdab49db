"""An archive file: its frontmatter, summary and tags, in the formats of every generation.

The number of an archive is the one in its file name; anything else may be missing or wrong and is then left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

from recall_tui import files
from recall_tui.domain import ArchiveEntry, SessionDigest, Tags
from recall_tui.errors import name_path
from recall_tui.storage.archives.body import split_archive
from recall_tui.storage.archives.parts import (
    apart,
    begin_of,
    corrected_keys,
    find_frontmatter,
    frontmatter_at,
    head_text_digest,
    mark_values,
    value_digests,
)
from recall_tui.storage.markdown.frontmatter import (
    UnquotedScalar,
    join_frontmatter,
    read_time,
    split_frontmatter,
    write_time,
)
from recall_tui.storage.markdown.frontmatter_edit import others_lines, with_values
from recall_tui.storage.markdown.quoting import normalize_lines, quote_line, unquote_line
from recall_tui.text.cut import one_line, shorten
from recall_tui.text.lazy_pattern import lazy_pattern

LOG_PREFIX = "archive-log"
_MAX_FRONTMATTER_BYTES = 1 << 20
"""Frontmatter that does not end within this many bytes, including text above it, does not count."""
_PEEK_BYTES = 4_096
_MAX_OPENING_LINES, _MAX_OPENING_CHARS = 200, 120
_MARKS = ("#", "<", "---", "```", "*", ">")
"""Beginnings of lines that are headings, notes or what tools said."""
_NAME = lazy_pattern(r"(?:conversation|archive-log)-([0-9]{1,9})\.md")
_BULLET = lazy_pattern(r"[-*] \**(Date|Trigger|Session context)\**:?\**:? *(.+)", re.IGNORECASE)
_LABEL = lazy_pattern(r"\*\*(Project|Decisions|Action Items|Points|Files|Tools)\*\*: ?(.*)", re.IGNORECASE)
_SECTION = lazy_pattern(r"## (.+?)\s*")
_LOG_NUMBER = lazy_pattern(r"(log: *)\d{1,9}(\s*)")
_TITLE = lazy_pattern(r"(# (?:Conversation|Archive Log) )\d{1,9}(.*)", re.DOTALL)
_COMMENT = lazy_pattern(r"^<!--.*?-->[ \t]*$", re.DOTALL | re.MULTILINE)
_COMMENT_END = lazy_pattern(r"-->[ \t]*$", re.MULTILINE)
_COMMA = lazy_pattern(r"(?<!\\), ?")
_TEXT_FIELDS = {
    "session_id": "session_id",
    "duration": "duration",
    "source": "source",
    "title": "title",
    "cwd": "cwd",
    "project": "project",
    "branch": "branch",
    "model": "model",
    "agent": "agent",
    "content_hash": "content_hash",
    "last_uuid": "last_uuid",
    "written": "written",
}
_OF_TURNS = ("content_hash", "transcripts", "last_uuid", "covers", "written")
"""Values that describe the current turns; all other values stay until new ones replace them."""
_STEADY_KEYS = ("cwd", "project", "agent")
_UNMARKED_PARTS = 2
"""Number of checksums after the first in an archive without checksums of values: those of turns and tags."""
_FRONTMATTER_KEYS = frozenset(
    [*_TEXT_FIELDS, "log", "date", "message_count", "topics", "started_at", "ended_at", "transcripts", "covers"]
)
_TRIGGERS = {"checkpoint": "precompact", "session": "session-end"}
"""The published triggers of logs, by the source of an archive."""


def parse_number(name: str) -> int | None:
    """Return the number in an archive's file name; None for any other name."""
    found = _NAME.fullmatch(name)
    return int(found[1]) if found else None


def read_entry(path: Path, session_id: str = "") -> ArchiveEntry | None:
    """Read the head of the archive at `path`, of any generation; None when it is unreadable or has another name.

    `session_id` comes from its index row, for an archive whose own frontmatter has lost the id.
    """
    if parse_number(path.name) is None:
        return None
    try:
        text = _read_beginning(path)
    except OSError:
        return None
    entry = parse_entry(text, path)
    if entry and session_id and not entry.session_id and begin_of(text) is not None:
        return replace(entry, session_id=session_id)
    return entry


def parse_entry(text: str, path: Path) -> ArchiveEntry | None:
    """Parse the text of an archive, on disk or not, as `read_entry` does."""
    number = parse_number(path.name)
    if number is None:
        return None
    values, body = split_frontmatter(text[frontmatter_at(text) :])
    entry = entry_from_values(values or _parse_bullets(body), path, number)
    return entry if entry.title else replace(entry, opening=_find_opening(body))


def _find_opening(body: str) -> str:
    """Return the first line of the summary, of the first prompt, or of anything else; empty when nothing is said."""
    said: dict[str, str] = {}
    heading = ""
    for line in islice(body.split("\n"), _MAX_OPENING_LINES):
        words = line.strip()
        if words.startswith("#"):
            heading = words.lstrip("#").strip()
        elif words and not words.startswith(_MARKS):
            said.setdefault(heading if heading in ("Summary", "User") else "", words)
    found = said.get("Summary") or said.get("User") or said.get("", "")
    return shorten(one_line(unquote_line(found)), _MAX_OPENING_CHARS)


def _read_beginning(path: Path) -> str:
    """Read the beginning of the file, as far as its head can reach."""
    with name_path(path), files.open_file(path) as file:
        data = file.read(_PEEK_BYTES)
        text = data.decode("utf-8", "surrogateescape")
        if len(data) < _PEEK_BYTES or find_frontmatter(text) is not None or begin_of(text) is not None:
            return text
        return (data + file.read(_MAX_FRONTMATTER_BYTES - len(data))).decode("utf-8", "surrogateescape")


def read_head(path: Path) -> str:
    """Read the archive at `path` up to the end of its frontmatter; empty when it has none."""
    return apart(_read_beginning(path))[0]


def _parse_bullets(text: str) -> dict[str, object]:
    """Parse the bullets of the oldest logs, which were written by hand."""
    found = (_BULLET.fullmatch(line.strip()) for line in text.split("\n")[:40])
    names = {"date": "date", "trigger": "trigger", "session context": "context"}
    return {names[match[1].lower()]: match[2].strip() for match in found if match}


def entry_from_values(values: Mapping[str, object], path: Path, number: int) -> ArchiveEntry:
    """Build an entry from frontmatter values; values of the wrong type are left out."""
    texts = {field: _text(values.get(key)) for key, field in _TEXT_FIELDS.items()}
    started, ended = read_time(values.get("started_at")), read_time(values.get("ended_at"))
    extra = {key: value for key, value in values.items() if key not in _FRONTMATTER_KEYS}
    if path.name.startswith(LOG_PREFIX):
        # Logs call source and title `trigger` and `context`.
        for name, older in (("source", "trigger"), ("title", "context")):
            texts[name] = texts[name] or _text(values.get(older))
            if _text(values.get(older)) in (texts[name], _TRIGGERS.get(texts[name])):
                extra.pop(older, None)
    return ArchiveEntry(
        number=number,
        path=path,
        date=read_time(values.get("date")) or ended,
        messages=_count(values.get("message_count")),
        topics=_texts(values.get("topics")),
        started_at=started,
        ended_at=ended,
        transcripts=_texts(values.get("transcripts")),
        covers=_texts(values.get("covers")),
        extra=extra,
        **texts,
    )


def frontmatter_values(entry: ArchiveEntry) -> dict[str, object]:
    """Return an archive's frontmatter: the published keys in order, then ours, without empty ones."""
    first: dict[str, object] = {"log": entry.number, "date": write_time(entry.date or entry.ended_at)}
    facts: dict[str, object] = {
        "session_id": entry.session_id,
        "message_count": entry.messages,
        "duration": entry.duration,
        "source": entry.source,
    }
    topics: dict[str, object] = {"topics": list(entry.topics)}
    if entry.name.startswith(LOG_PREFIX):
        trigger = UnquotedScalar(_text(entry.extra.get("trigger")) or _TRIGGERS.get(entry.source, entry.source))
        first |= {"trigger": trigger, "context": entry.extra.get("context", entry.title)}
        values = first | topics | facts
    else:
        values = first | facts | topics
    more: dict[str, object] = {
        "started_at": write_time(entry.started_at),
        "ended_at": write_time(entry.ended_at),
        "title": entry.title,
        "cwd": entry.cwd,
        "project": entry.project,
        "branch": entry.branch,
        "model": entry.model,
        "agent": entry.agent,
        "content_hash": entry.content_hash,
        "transcripts": list(entry.transcripts),
        "last_uuid": entry.last_uuid,
        "covers": list(entry.covers),
        "written": entry.written,
    }
    values |= {key: value for key, value in more.items() if value}
    return values | {key: value for key, value in entry.extra.items() if key not in values}


def renumber(text: str, number: int) -> str:
    """Return an archive's text with the number changed in its frontmatter and title, and nothing else."""
    head, _ = apart(text)
    lines = text.split("\n")
    first, last = head.count("\n", 0, frontmatter_at(head)), head.count("\n")
    for at, line in enumerate(lines):
        if first < at < last and _LOG_NUMBER.fullmatch(line):
            lines[at] = _LOG_NUMBER.sub(rf"\g<1>{number}\g<2>", line)
        elif _TITLE.fullmatch(line):
            lines[at] = _TITLE.sub(rf"\g<1>{number:03d}\g<2>", line)
            break
    return "\n".join(lines)


def render_head(entry: ArchiveEntry, digest: SessionDigest) -> str:
    """Render everything above the turns: frontmatter, summary, title; no text in it can pass for file structure."""
    summary = f"## Summary\n\n{quote_line(digest.summary)}\n\n" if digest.summary.strip() else ""
    if entry.name.startswith(LOG_PREFIX):
        sections = (
            _bullet_lines("## Key Details\n", digest.tags.decisions)
            + _bullet_lines("## Action Items\n", digest.tags.actions)
            + _bullet_lines("## Points\n", _render_labels(digest.points))
        )
        body = f"\n# Archive Log {entry.number:03d}\n\n{summary}{sections}"
    else:
        lists = ""
        if summary:
            lists = (
                _bullet_lines("**Decisions**:", digest.tags.decisions)
                + _bullet_lines("**Action Items**:", digest.tags.actions)
                + _bullet_lines("**Points**:", _render_labels(digest.points))
            )
        body = f"\n{summary}{lists}# Conversation {entry.number:03d}\n\n"
    return render_head_with(entry, body)


def render_head_with(entry: ArchiveEntry, words: str, *, are_ours: bool = True) -> str:
    """Render the head with existing text between frontmatter and turns; `are_ours` says if we wrote that text."""
    if entry.written:
        _, *others = entry.written.split(" ")
        mark = head_text_digest(entry.title, entry.topics, words) if are_ours else "-"
        if len(others) == _UNMARKED_PARTS:
            others.append(value_digests(frontmatter_values(entry)))
        entry = replace(entry, written=" ".join((mark, *others)))
    return join_frontmatter(frontmatter_values(entry), words)


def merge_head(head: str, before: str) -> str:
    """Return the new head with other writers' frontmatter of `before`, and the text above it, preserved.

    Lines that cannot stay between the values move below them. A value that differs from what we wrote last stays.
    """
    values, words = split_frontmatter(head)
    at = frontmatter_at(before)
    there, _ = split_frontmatter(before[at:])
    kept = corrected_keys(there)
    if there and len(str(there.get("written", "")).split(" ")) <= _UNMARKED_PARTS + 1:
        # Without checksums, corrections are unknown: keep the values that do not change while a session grows.
        kept = {key for key in _STEADY_KEYS if key in there}
    if "written" in values:
        values["written"] = mark_values(values, there, kept)
    values = {key: there.get(key) if key in kept else value for key, value in values.items()}
    values = {key: value for key, value in values.items() if key not in kept or key in there}
    changed = {key: value for key, value in values.items() if key not in there or there[key] != value}
    gone = [key for key in _OF_TURNS if key not in values]
    made = with_values(before[at:] + words, changed, gone)
    return before[:at] + (made or join_frontmatter(values, others_lines(before[at:]) + words))


def render_tags(tags: Tags) -> str:
    """Render the tags block at the end of an archive; empty when there are no tags."""
    text = f"**Project**: {one_line(tags.project)}\n\n" if tags.project.strip() else ""
    text += _bullet_lines("**Decisions**:", tags.decisions) + _bullet_lines("**Action Items**:", tags.actions)
    for label, words in (("Files", tags.files), ("Tools", tags.tools)):
        if listed := ", ".join(one_line(word).replace(",", "\\,") for word in words if word.strip()):
            text += f"**{label}**: {listed}\n\n"
    return f"## Tags\n\n{text.rstrip()}\n" if text else ""


def parse_tags(text: str) -> Tags:
    """Parse the tags of an archive of any generation; decisions and actions may be beside its summary instead."""
    head, _, block = split_archive(text)
    _, own = _parse_labels(block.split("\n"))
    _, above = _parse_labels(apart(head)[1].split("\n"))
    first = {**above, **{name: found for name, found in own.items() if found}}

    def listed(name: str) -> tuple[str, ...]:
        return tuple(one for line in own.get(name, ()) for one in _split_commas(line))

    return Tags(
        project=" ".join(own.get("project", ())),
        decisions=tuple(first.get("decisions", ())),
        actions=tuple(first.get("action items", ())),
        files=listed("files"),
        tools=listed("tools"),
    )


def read_summary(text: str) -> str:
    """Return the summary in an archive's head, on one line; empty when there is none."""
    summary, _ = _parse_labels(apart(split_archive(text)[0])[1].split("\n"))
    return summary


def head_digest(text: str) -> SessionDigest:
    """Parse the text in an archive's head into a digest, without the tags at its end."""
    summary, above = _parse_labels(apart(split_archive(text)[0])[1].split("\n"))
    tags = Tags(decisions=tuple(above.get("decisions", ())), actions=tuple(above.get("action items", ())))
    points = (line.partition(": ") for line in above.get("points", ()))
    return SessionDigest(summary, tags=tags, points=tuple((label, words) for label, _, words in points if words))


def read_body(text: str) -> str:
    """Return the turns of an archive unchanged, without its head and tags."""
    return split_archive(text)[1].lstrip("\n")


def _parse_labels(lines: Iterable[str]) -> tuple[str, dict[str, list[str]]]:
    """Return the summary, and the lists below bold labels and headings by name."""
    summary: list[str] = []
    found: dict[str, list[str]] = {}
    name = ""
    for line in _strip_comments("\n".join(lines)).split("\n"):
        stripped = line.strip()
        if label := _LABEL.fullmatch(stripped):
            name = label[1].lower()
            found.setdefault(name, []).extend(_inline_items(name, label[2]))
        elif section := _SECTION.fullmatch(line):
            name = {"key details": "decisions"}.get(section[1].lower(), section[1].lower())
        elif stripped.startswith("# "):
            name = ""
        elif name == "summary" and stripped:
            summary.append(stripped)
        elif name and stripped.startswith(("- ", "* ")):
            found.setdefault(name, []).append(stripped[2:].strip())
    return unquote_line(one_line(" ".join(summary))), found


def _strip_comments(text: str) -> str:
    """Remove comments that have lines to themselves; an unclosed one stays."""
    if "<!--" not in text:
        return text
    end = max((found.end() for found in _COMMENT_END.finditer(text)), default=0)
    return _COMMENT.sub("", text[:end]) + text[end:]


def _inline_items(name: str, words: str) -> list[str]:
    """Split the text on a label's own line: an older format puts all decisions there, separated by semicolons."""
    words = words.strip()
    if not words:
        return []
    return [part.strip() for part in words.split("; ")] if name in ("decisions", "action items") else [words]


def _split_commas(line: str) -> list[str]:
    return [word for part in _COMMA.split(line) if (word := part.replace("\\,", ",").strip().strip("`"))]


def _bullet_lines(label: str, items: Iterable[str]) -> str:
    lines = "".join(f"- {one_line(item)}\n" for item in items if item.strip())
    return f"{label}\n{lines}\n" if lines else ""


def _render_labels(points: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{one_line(label)}: {one_line(words)}" for label, words in points]


def _text(value: object) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(word for part in normalize_lines(value).split(",") if (word := part.strip()))
    return tuple(word for item in value if (word := _text(item))) if isinstance(value, list) else ()


def _count(value: object) -> int:
    if isinstance(value, str) and value.isascii() and value.isdecimal():
        return int(value[:9])
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0
