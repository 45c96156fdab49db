"""A session's summary in layout project: `_memory/conversations/<session-id>.md`.

The text is a person's to read and edit; what we know beside it stands in one comment at its end, with a hash of the
text, so that a summary that somebody wrote or changed is never taken for ours.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from recall_tui.domain import ArchiveEntry, Digest, Tags
from recall_tui.storage.archives.file import from_values, to_values
from recall_tui.storage.files.atomic import digest as digest_text
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.quoting import Fence, comment_json, quote_line, unquote_line
from recall_tui.text.cut import cut, one_line

_MARK = "<!-- recall: "
_END = " -->"
_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_POINT = re.compile(r"[-*] +(?:\*\*)?([^:*`]{1,40}?)(?::\*\*|\*\*:|:) +(.+)")
_LED = re.compile(r"^(?:decisions?|action items?|next steps?|remaining|to-?do|follow[- ]?ups?)\s?[:–—-]\s*(?=\S)", re.I)
"""What a sentence calls itself, when the label before it says the same."""
_LONGEST_NAME = 80
_LONGEST_TITLE = 80
"""Characters."""
_STAND_IN = "Status"
_LENGTH = re.compile(r"\d+ messages(?: in [\w<>~ ]{1,20})?")
_HASH = 16
"""Hex digits of the hash that tells whether a text was edited."""


def file_name(session_id: str) -> str:
    """The summary's file name: the session id itself, or what is safe of it and a hash."""
    if _SAFE.fullmatch(session_id):
        return f"{session_id}.md"
    safe = _UNSAFE.sub("-", session_id).strip("-")[:_LONGEST_NAME] or "session"
    return f"{safe}-{digest_text(session_id)[:12]}.md"


def render(entry: ArchiveEntry, digest: Digest) -> str:
    """The summary as markdown."""
    labelled = [("Decision", _LED.sub("", decision)) for decision in digest.tags.decisions]
    labelled += [("Next step", _LED.sub("", action)) for action in digest.tags.actions]
    labelled += digest.points
    if not labelled:
        labelled = [(_STAND_IN, f"{entry.messages} messages" + f" in {entry.duration}" * bool(entry.duration))]
    title = cut(one_line(entry.title), _LONGEST_TITLE) or f"Session {one_line(entry.session_id)}"
    text = f"# {title}\n\n## Context\n\n{quote_line(digest.summary) or quote_line(title)}\n\n## Tracking Points\n\n"
    text += "".join(f"- {one_line(label)}: {one_line(words)}\n" for label, words in labelled if words.strip())
    if digest.tags.files:
        text += "\n## Related Files/Artifacts\n\n" + "".join(f"- {one_line(file)}\n" for file in digest.tags.files)
    return sealed(text, entry)


def is_stand_in(label: str, words: str) -> bool:
    """Whether a point says nothing but how long the session was, since there was no other."""
    return label == _STAND_IN and _LENGTH.fullmatch(words) is not None


def sealed(text: str, entry: ArchiveEntry) -> str:
    """The text of a summary with what we know of its session in a comment below it."""
    text = text.rstrip("\n") + "\n"
    facts = to_values(entry) | {"hash": _hash(text)}
    return f"{text}\n{_MARK}{comment_json(facts)}{_END}\n"


def body_of(text: str) -> str:
    """The text of a summary as a person reads it, without our comment."""
    return _split(text)[0].rstrip("\n") + "\n"


def read(path: Path) -> ArchiveEntry | None:
    """The head of the summary at `path`; of one that somebody else wrote, its title and the session its name tells."""
    try:
        return entry_of(read_text(path), path)
    except OSError:
        return None


def entry_of(text: str, path: Path) -> ArchiveEntry | None:
    """The same for a summary that holds `text`, there or not yet."""
    if not text.strip():
        return None
    body, facts = _split(text)
    values = dict(facts) if facts else {}
    values.pop("hash", None)
    values.setdefault("session_id", path.stem)
    number = values.get("log")
    values["title"] = _title(body) or values.get("title", "")
    return from_values(values, path, number if isinstance(number, int) and number > 0 else 0)


def renumbered(text: str, number: int) -> str:
    """The summary's text with another number in our comment; as it was when it has none."""
    body, facts = _split(text)
    if facts is None or "log" not in facts:
        return text
    rest = text.rstrip()
    return f"{body}\n{_MARK}{comment_json(facts | {'log': number})}{_END}{text[len(rest) :]}"


def is_ours_unedited(text: str) -> bool:
    """Whether we wrote the summary and nobody has changed its text since."""
    body, facts = _split(text)
    return facts is not None and facts.get("hash") == _hash(body)


def resealed(text: str) -> str:
    """A summary of ours whose text we changed, with the hash by which it is known that nobody else did."""
    body, facts = _split(text)
    return text if facts is None else f"{body}\n{_MARK}{comment_json(facts | {'hash': _hash(body)})}{_END}\n"


def words_of(text: str) -> str:
    """What a person reads of the summary: all but our comment."""
    return _split(text)[0]


def context_of(text: str) -> str:
    """What stands under `## Context`, on one line."""
    return unquote_line(one_line(" ".join(lines_below(text, "context"))))


def points_of(text: str) -> tuple[tuple[str, str], ...]:
    """The labelled tracking points, such as ("Decision", "Use Redis")."""
    found = (_POINT.fullmatch(line.strip()) for line in lines_below(text, "tracking points"))
    return tuple((match[1].strip(), match[2].strip()) for match in found if match)


def digest_of(text: str) -> Digest:
    """What a summary says, whoever wrote it."""
    decisions, actions, points = [], [], []
    for label, words in points_of(text):
        match label.lower():
            case "decision":
                decisions.append(words)
            case "next step" | "action" | "action item":
                actions.append(words)
            case _:
                points.append((label, words))
    files = (line.strip()[2:].strip() for line in lines_below(text, "related files/artifacts"))
    tags = Tags(decisions=tuple(decisions), actions=tuple(actions), files=tuple(filter(None, files)))
    return Digest(context_of(text), tags=tags, points=tuple(points), title=_title(_split(text)[0]))


def missing_in(text: str) -> tuple[str, ...]:
    """Which parts of the shape of a summary a text has not: its title, its context, its tracking points."""
    found = (
        ("a title (# …)", _title(text)),
        ("## Context", " ".join(lines_below(text, "context")).strip()),
        ("## Tracking Points", " ".join(lines_below(text, "tracking points")).strip()),
    )
    return tuple(name for name, words in found if not words)


def lines_below(text: str, title: str) -> list[str]:
    """The lines below the heading `title`, case ignored, up to the next of its level; our comment is none of them."""
    lines: list[str] = []
    is_open, fence = False, Fence()
    for line in _split(text)[0].splitlines():
        if fence.holds(line) or not line.startswith(("# ", "## ")):
            lines += [line] if is_open else []
        else:
            is_open = line.lstrip("#").strip().lower() == title
    return lines


def _split(text: str) -> tuple[str, dict[str, object] | None]:
    """The text without our comment, and what the comment says; None when there is none.

    What somebody wrote below the comment is text like that above it.
    """
    start = text.rfind(f"\n{_MARK}")
    while start >= 0:
        end = text.find("\n", start + 1)
        line = text[start + 1 : end if end >= 0 else len(text)].rstrip()
        below = text[end:] if end >= 0 else ""
        if line.endswith(_END) and (facts := _facts(line)) is not None:
            return text[:start] + (below if below.strip() else ""), facts
        start = text.rfind(f"\n{_MARK}", 0, start)
    return text, None


def _facts(line: str) -> dict[str, object] | None:
    try:
        facts = json.loads(line[len(_MARK) : -len(_END)])
    except (ValueError, RecursionError):
        return None
    return facts if isinstance(facts, dict) else None


def _title(body: str) -> str:
    fence = Fence()
    for line in body.splitlines():
        if not fence.holds(line) and line.startswith("# "):
            return one_line(line[2:])
    return ""


def _hash(text: str) -> str:
    return digest_text(text.replace("\r\n", "\n").strip())[:_HASH]
