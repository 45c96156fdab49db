"""An export as JSON: keys that stay, a version, and the digest of every text; what `import` reads back.

A file that is UTF-8 goes along as its text, exactly; any other as base64.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from datetime import datetime

from recall_tui import __version__
from recall_tui.domain import Message, MessageKind
from recall_tui.features.context.passages import passage_citation
from recall_tui.features.documents.lookup import kind_of
from recall_tui.features.transfer.export_items import (
    ExportCounts,
    ExportedDocument,
    ExportedItem,
    ExportedSearch,
    ExportedSession,
)
from recall_tui.search.to_json import hit_as_json, result_as_json
from recall_tui.storage.config_file import config_path, redact_values
from recall_tui.storage.files.atomic import content_digest, encode, read_text
from recall_tui.storage.inventory import ExcludedFile, list_files
from recall_tui.storage.memory_context import Store
from recall_tui.text.json_text import to_json
from recall_tui.text.secrets.redact import redact_counted

SCHEMA = "recall-tui/export"
VERSION = 1
"""Goes up when a reader of the one before would misunderstand."""
_CHECKSUM_CHARS = 16
_ROLES: dict[MessageKind, str] = {
    "prompt": "user",
    "command": "user",
    "tool_result": "tool",
    "compact_summary": "system",
}


def render_items(outs: Iterable[ExportedItem], tally: ExportCounts, made_at: datetime) -> Iterator[str]:
    """Documents and sessions, one a line."""

    def lines() -> Iterator[str]:
        yield _render_start("items", made_at, {}, "items")
        for place, out in enumerate(tally.counted(outs)):
            values = _session_fields(out) if isinstance(out, ExportedSession) else _document_fields(out)
            yield ("," if place else "") + "\n" + to_json(values)

    return _add_checksums(lines(), tally)


def render_search(found: ExportedSearch, made_at: datetime) -> Iterator[str]:
    """The answer in the keys of `search --json`, each hit with its whole passage and its citation."""

    def lines() -> Iterator[str]:
        answer = {name: value for name, value in result_as_json(found.answer).items() if name != "hits"}
        yield _render_start("search", made_at, answer, "hits")
        for place, (hit, text) in enumerate(found.hits):
            more = {"text": text, "sha256": content_digest(text), "citation": passage_citation(hit)}
            yield ("," if place else "") + "\n" + to_json(hit_as_json(hit) | more)

    return _add_checksums(lines(), ExportCounts(masked=found.masked))


def render_memory(store: Store, tally: ExportCounts, made_at: datetime) -> Iterator[str]:
    """Every file of the memory, one a line, so that `import` gives back the same bytes."""
    return _add_checksums(_render_files(store, tally, made_at), tally)


def _render_files(store: Store, tally: ExportCounts, made_at: datetime) -> Iterator[str]:
    paths, left_out = list_files(store.layout)
    tally.left_out += left_out
    yield _render_start("memory", made_at, {"layout": store.layout.name}, "files")
    for path in paths:
        text, masked = redact_counted(read_text(path))
        if path == config_path(store.layout):
            text, more = redact_values(text, store.config)
            masked += more
        tally.masked += masked
        head = {"path": store.relative(path), "kind": kind_of(store.layout, path)}
        yield ("," if tally.items else "") + "\n" + to_json(head | _content_fields(text, masked))
        tally.items += 1


def _render_start(content: str, made_at: datetime, more: dict[str, object], rows: str) -> str:
    head = {"schema": SCHEMA, "version": VERSION, "content": content, "made_at": made_at}
    head |= {"made_by": f"recall-tui {__version__}", **more}
    return f'{to_json(head)[:-1]}, "{rows}": ['


def _add_checksums(pieces: Iterable[str], tally: ExportCounts) -> Iterator[str]:
    """The pieces of all lines but the last, and that: it says what each line before it has to be."""
    marks: list[str] = []
    line = ""
    for piece in pieces:
        *whole, line = (line + piece).split("\n")
        marks += map(line_checksum, map(encode, whole))
        yield piece
    marks.append(line_checksum(encode(line)))
    end = {"left_out": [_render_excluded(one) for one in tally.left_out], "masked": tally.masked, "lines": marks}
    yield f"\n], {to_json(end)[1:]}\n"


def line_checksum(line: bytes) -> str:
    """What tells whether a line of an export is as it was written."""
    return content_digest(line)[:_CHECKSUM_CHARS]


def _render_excluded(one: ExcludedFile) -> dict[str, object]:
    return {"path": one.path, "reason": one.reason}


def _content_fields(text: str, masked: int) -> dict[str, object]:
    data = encode(text)
    facts: dict[str, object] = {"sha256": content_digest(data), "bytes": len(data), "masked": masked}
    try:
        return facts | {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return facts | {"base64": base64.b64encode(data).decode("ascii")}


def _document_fields(document: ExportedDocument) -> dict[str, object]:
    return {
        "type": "document",
        "title": document.title,
        "path": document.path,
        "kind": document.kind,
        "lines": document.lines,
        "is_whole": document.is_whole,
        **_content_fields(document.text, document.masked),
    }


def _session_fields(session: ExportedSession) -> dict[str, object]:
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
        "messages": [_message_fields(message) for message in session.messages],
        **_content_fields(session.text, session.masked),
    }


def _message_fields(message: Message) -> dict[str, object]:
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
