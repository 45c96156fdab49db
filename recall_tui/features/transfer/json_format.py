"""An export as JSON: keys that stay, a version, and the digest of every text; what `import` reads back.

A file that is UTF-8 goes along as its text, exactly; any other as base64.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from datetime import datetime

from recall_tui import __version__
from recall_tui.domain import Message, MessageKind
from recall_tui.features.context.passages import citation
from recall_tui.features.documents.lookup import kind_of
from recall_tui.features.transfer.items import DocumentOut, Out, SearchOut, SessionOut, Tally
from recall_tui.search.to_json import as_json, hit_json
from recall_tui.storage.config_file import path_of, without_secrets
from recall_tui.storage.files.atomic import digest, encode, read_text
from recall_tui.storage.inventory import LeftOut, memory_files
from recall_tui.storage.memory_context import Store
from recall_tui.text.json_text import to_json
from recall_tui.text.secrets.redact import redacted

SCHEMA = "recall-tui/export"
VERSION = 1
"""Goes up when a reader of the one before would misunderstand."""
_MARK_DIGITS = 16
_ROLES: dict[MessageKind, str] = {
    "prompt": "user",
    "command": "user",
    "tool_result": "tool",
    "compact_summary": "system",
}


def of_outs(outs: Iterable[Out], tally: Tally, made_at: datetime) -> Iterator[str]:
    """Documents and sessions, one a line."""

    def lines() -> Iterator[str]:
        yield _start("items", made_at, {}, "items")
        for place, out in enumerate(tally.counted(outs)):
            values = _session(out) if isinstance(out, SessionOut) else _document(out)
            yield ("," if place else "") + "\n" + to_json(values)

    return _sealed(lines(), tally)


def of_search(found: SearchOut, made_at: datetime) -> Iterator[str]:
    """The answer in the keys of `search --ranked --json`, each hit with its whole passage and its citation."""

    def lines() -> Iterator[str]:
        answer = {name: value for name, value in as_json(found.answer).items() if name != "hits"}
        yield _start("search", made_at, answer, "hits")
        for place, (hit, text) in enumerate(found.hits):
            more = {"text": text, "sha256": digest(text), "citation": citation(hit)}
            yield ("," if place else "") + "\n" + to_json(hit_json(hit) | more)

    return _sealed(lines(), Tally(masked=found.masked))


def of_memory(store: Store, tally: Tally, made_at: datetime) -> Iterator[str]:
    """Every file of the memory, one a line, so that `import` gives back the same bytes."""
    return _sealed(_files(store, tally, made_at), tally)


def _files(store: Store, tally: Tally, made_at: datetime) -> Iterator[str]:
    paths, left_out = memory_files(store.layout)
    tally.left_out += left_out
    yield _start("memory", made_at, {"layout": store.layout.name}, "files")
    for path in paths:
        text, masked = redacted(read_text(path))
        if path == path_of(store.layout):
            text, more = without_secrets(text, store.config)
            masked += more
        tally.masked += masked
        head = {"path": store.relative(path), "kind": kind_of(store.layout, path)}
        yield ("," if tally.items else "") + "\n" + to_json(head | _content(text, masked))
        tally.items += 1


def _start(content: str, made_at: datetime, more: dict[str, object], rows: str) -> str:
    head = {"schema": SCHEMA, "version": VERSION, "content": content, "made_at": made_at}
    head |= {"made_by": f"recall-tui {__version__}", **more}
    return f'{to_json(head)[:-1]}, "{rows}": ['


def _sealed(pieces: Iterable[str], tally: Tally) -> Iterator[str]:
    """The pieces of all lines but the last, and that: it says what each line before it has to be."""
    marks: list[str] = []
    line = ""
    for piece in pieces:
        *whole, line = (line + piece).split("\n")
        marks += map(mark_of, map(encode, whole))
        yield piece
    marks.append(mark_of(encode(line)))
    end = {"left_out": [_left_out(one) for one in tally.left_out], "masked": tally.masked, "lines": marks}
    yield f"\n], {to_json(end)[1:]}\n"


def mark_of(line: bytes) -> str:
    """What tells whether a line of an export is as it was written."""
    return digest(line)[:_MARK_DIGITS]


def _left_out(one: LeftOut) -> dict[str, object]:
    return {"path": one.path, "reason": one.reason}


def _content(text: str, masked: int) -> dict[str, object]:
    data = encode(text)
    facts: dict[str, object] = {"sha256": digest(data), "bytes": len(data), "masked": masked}
    try:
        return facts | {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return facts | {"base64": base64.b64encode(data).decode("ascii")}


def _document(document: DocumentOut) -> dict[str, object]:
    return {
        "type": "document",
        "title": document.title,
        "path": document.path,
        "kind": document.kind,
        "lines": document.lines,
        "is_whole": document.is_whole,
        **_content(document.text, document.masked),
    }


def _session(session: SessionOut) -> dict[str, object]:
    return {
        "type": "session",
        "title": session.title,
        "path": session.path,
        "archive": session.archive,
        "session_id": session.session_id,
        "agent": session.agent,
        "project": session.project,
        "branch": session.branch,
        "model": session.model,
        "started_at": session.started_at,
        "ended_at": session.ended_at,
        "summary": session.summary,
        "topics": session.topics,
        "messages": [_message(message) for message in session.messages],
        **_content(session.text, session.masked),
    }


def _message(message: Message) -> dict[str, object]:
    tool = None
    if message.tool is not None:
        tool = {"name": message.tool.name, "target": message.tool.target}
    return {
        "role": _ROLES.get(message.kind, "assistant"),
        "kind": message.kind,
        "at": message.at,
        "text": message.text,
        "tool": tool,
        "is_error": message.is_error,
        "is_sidechain": message.is_sidechain,
        "is_rewound": message.is_off_chain,
    }
