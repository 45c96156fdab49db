"""A session's summary in layout project: `_memory/conversations/<session-id>.md`.

The user may read and edit the text. Our metadata is in one comment at its end, with a hash of the text, so that a
summary that somebody else wrote or changed is never taken for ours. The page is committed with the project, so that no
path of one machine stands in it: folders are relative to the project's, and transcripts are named by their files alone.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from recall_tui.domain import ArchiveEntry, SessionDigest, Tags
from recall_tui.storage.archives.file import entry_from_values, frontmatter_values
from recall_tui.storage.archives.parts import corrected_keys, mark_values
from recall_tui.storage.files.atomic import content_digest as digest_text
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.quoting import FenceTracker, comment_json, quote_line, unquote_line
from recall_tui.text.cut import one_line, shorten
from recall_tui.text.lazy_pattern import lazy_pattern

_NOTE_START = "<!-- recall: "
_NOTE_END = " -->"
_SAFE_NAME = lazy_pattern(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_UNSAFE_CHARS = lazy_pattern(r"[^A-Za-z0-9_-]+")
_POINT = lazy_pattern(r"[-*] +(?:\*\*)?([^:*`]{1,40}?)(?::\*\*|\*\*:|:) +(.+)")
_LABEL_PREFIX = lazy_pattern(
    r"^(?:decisions?|action items?|next steps?|remaining|to-?do|follow[- ]?ups?)\s?[:–—-]\s*(?=\S)", re.I
)
"""A sentence's own label, redundant after a label that says the same."""
_MAX_NAME_CHARS = 80
_MAX_TITLE_CHARS = 80
_PLACEHOLDER_LABEL = "Status"
_MESSAGE_COUNT = lazy_pattern(r"\d+ messages(?: in [\w<>~ ]{1,20})?")
_BASE = "_memory"
_HASH_DIGITS = 16
"""Hex digits of the hash that detects edits."""


def file_name(session_id: str) -> str:
    """Return the summary's file name: the session id, or its safe characters and a hash."""
    if _SAFE_NAME.fullmatch(session_id):
        return f"{session_id}.md"
    safe = _UNSAFE_CHARS.sub("-", session_id).strip("-")[:_MAX_NAME_CHARS] or "session"
    return f"{safe}-{digest_text(session_id)[:12]}.md"


def render_summary(entry: ArchiveEntry, digest: SessionDigest, before: str = "") -> str:
    """Render the summary as markdown; `before` is the text of the one it replaces."""
    # Only reading a summary is a part of commands that are started often.
    from recall_tui.text.classify.sentence_labels import is_undecided_choice

    labelled = [("Decision", _LABEL_PREFIX.sub("", decision)) for decision in digest.tags.decisions]
    for action in digest.tags.actions:
        label = "Open question" if is_undecided_choice(action) else "Next step"
        labelled.append((label, _LABEL_PREFIX.sub("", action)))
    labelled += digest.points
    if not labelled:
        labelled = [(_PLACEHOLDER_LABEL, f"{entry.messages} messages" + f" in {entry.duration}" * bool(entry.duration))]
    title = shorten(one_line(entry.title), _MAX_TITLE_CHARS) or f"Session {one_line(entry.session_id)}"
    text = f"# {title}\n\n## Context\n\n{quote_line(digest.summary) or quote_line(title)}\n\n## Tracking Points\n\n"
    text += "".join(f"- {one_line(label)}: {one_line(words)}\n" for label, words in labelled if words.strip())
    if digest.tags.files:
        text += "\n## Related Files/Artifacts\n\n" + "".join(f"- {one_line(file)}\n" for file in digest.tags.files)
    return with_checksum(text, entry, before)


def is_placeholder(label: str, words: str) -> bool:
    """Return whether a point is the placeholder that gives only the session's length."""
    return label == _PLACEHOLDER_LABEL and _MESSAGE_COUNT.fullmatch(words) is not None


def with_checksum(text: str, entry: ArchiveEntry, before: str = "") -> str:
    """Return the text of a summary with our metadata comment below it.

    Values in the comment of the summary `before` that differ from what we wrote last stay.
    """
    text = text.rstrip("\n") + "\n"
    facts = _portable_values(frontmatter_values(entry), entry.path) | {"hash": _text_hash(text)}
    there = _split_note(before)[1] or {}
    kept = corrected_keys(there)
    if "written" in facts:
        facts["written"] = mark_values(facts, there, kept)
    facts = {key: there.get(key, value) if key in kept else value for key, value in facts.items()}
    facts = {key: value for key, value in facts.items() if key not in kept or key in there}
    return f"{text}\n{_NOTE_START}{comment_json(facts)}{_NOTE_END}\n"


def _portable_values(facts: dict[str, object], path: Path) -> dict[str, object]:
    """Return the values of a page at `path` without what holds on one machine alone."""
    root, cwd, named = _project_root(path), facts.get("cwd"), facts.get("transcripts")
    if root is None:
        return facts
    found = dict(facts)
    if isinstance(cwd, str) and cwd:
        shared = os.path.commonpath((root, cwd)) if Path(cwd).is_absolute() else ""
        # A way over the top of the file system would name every folder on it.
        if shared.strip(os.sep):
            found["cwd"] = os.path.relpath(cwd, root)
        else:
            del found["cwd"]
    if isinstance(named, list):
        found["transcripts"] = list(dict.fromkeys(Path(str(one)).name for one in named))
    return found


def _project_root(path: Path) -> Path | None:
    """Return the folder of the project that a page belongs to; None for a page that lies in no project memory."""
    return next((folder.parent for folder in path.parents if folder.name == _BASE and path.is_absolute()), None)


def strip_note(text: str) -> str:
    """Return a summary without our comment and with one line end."""
    return _split_note(text)[0].rstrip("\n") + "\n"


def read_head(path: Path) -> ArchiveEntry | None:
    """Read the summary's head at `path`; one by another author yields its title and the session id in its name."""
    try:
        return parse_entry(read_text(path), path)
    except OSError:
        return None


def parse_entry(text: str, path: Path) -> ArchiveEntry | None:
    """Parse the text of a summary, on disk or not, as `read_head` does."""
    if not text.strip():
        return None
    body, facts = _split_note(text)
    values = dict(facts) if facts else {}
    values.pop("hash", None)
    values.setdefault("session_id", path.stem)
    number = values.get("log")
    values["title"] = _find_title(body) or values.get("title", "")
    if isinstance(cwd := values.get("cwd"), str) and cwd and (root := _project_root(path)):
        values["cwd"] = os.path.normpath(root / cwd)
    return entry_from_values(values, path, number if isinstance(number, int) and number > 0 else 0)


def renumber(text: str, number: int) -> str:
    """Return the summary's text with another number in our comment; unchanged when it has none."""
    body, facts = _split_note(text)
    if facts is None or "log" not in facts:
        return text
    rest = text.rstrip()
    return f"{body}\n{_NOTE_START}{comment_json(facts | {'log': number})}{_NOTE_END}{text[len(rest) :]}"


def is_ours_unedited(text: str) -> bool:
    """Return whether we wrote the summary and nobody has changed its text since."""
    body, facts = _split_note(text)
    return facts is not None and facts.get("hash") == _text_hash(body)


def refresh_checksum(text: str) -> str:
    """Return our summary, whose text we changed, with its hash updated."""
    body, facts = _split_note(text)
    return (
        text
        if facts is None
        else f"{body}\n{_NOTE_START}{comment_json(facts | {'hash': _text_hash(body)})}{_NOTE_END}\n"
    )


def readable_text(text: str) -> str:
    """Return the summary without our comment."""
    return _split_note(text)[0]


def parse_context(text: str) -> str:
    """Return the text under `## Context`, on one line."""
    return unquote_line(one_line(" ".join(section_lines(text, "context"))))


def parse_points(text: str) -> tuple[tuple[str, str], ...]:
    """Return the labelled tracking points, such as ("Decision", "Use Redis")."""
    found = (_POINT.fullmatch(line.strip()) for line in section_lines(text, "tracking points"))
    return tuple((match[1].strip(), match[2].strip()) for match in found if match)


def parse_digest(text: str) -> SessionDigest:
    """Parse a summary by any author."""
    decisions, actions, points = [], [], []
    for label, words in parse_points(text):
        match label.lower():
            case "decision":
                decisions.append(words)
            case "next step" | "action" | "action item":
                actions.append(words)
            case _:
                points.append((label, words))
    files = (line.strip()[2:].strip() for line in section_lines(text, "related files/artifacts"))
    tags = Tags(decisions=tuple(decisions), actions=tuple(actions), files=tuple(filter(None, files)))
    return SessionDigest(parse_context(text), tags=tags, points=tuple(points), title=_find_title(_split_note(text)[0]))


def missing_parts(text: str) -> tuple[str, ...]:
    """Return the parts that a summary lacks: its title, context or tracking points."""
    found = (
        ("title (# …)", _find_title(text)),
        ("## Context", " ".join(section_lines(text, "context")).strip()),
        ("## Tracking Points", " ".join(section_lines(text, "tracking points")).strip()),
    )
    return tuple(name for name, words in found if not words)


def section_lines(text: str, title: str) -> list[str]:
    """Return the lines below the heading `title` (any case), up to the next of its level, without our comment."""
    lines: list[str] = []
    is_open, fence = False, FenceTracker()
    for line in _split_note(text)[0].splitlines():
        if fence.holds(line) or not line.startswith(("# ", "## ")):
            lines += [line] if is_open else []
        else:
            is_open = line.lstrip("#").strip().lower() == title
    return lines


def _split_note(text: str) -> tuple[str, dict[str, object] | None]:
    """Split off our comment; None for the comment when there is none.

    Text below the comment counts as text above it.
    """
    start = text.rfind(f"\n{_NOTE_START}")
    while start >= 0:
        end = text.find("\n", start + 1)
        line = text[start + 1 : end if end >= 0 else len(text)].rstrip()
        below = text[end:] if end >= 0 else ""
        if line.endswith(_NOTE_END) and (facts := _note_fields(line)) is not None:
            return text[:start] + (below if below.strip() else ""), facts
        start = text.rfind(f"\n{_NOTE_START}", 0, start)
    return text, None


def _note_fields(line: str) -> dict[str, object] | None:
    try:
        facts = json.loads(line[len(_NOTE_START) : -len(_NOTE_END)])
    except (ValueError, RecursionError):
        return None
    return facts if isinstance(facts, dict) else None


def _find_title(body: str) -> str:
    fence = FenceTracker()
    for line in body.splitlines():
        if not fence.holds(line) and line.startswith("# "):
            return one_line(line[2:])
    return ""


def _text_hash(text: str) -> str:
    return digest_text(text.replace("\r\n", "\n").strip())[:_HASH_DIGITS]
