"""A memory into which texts that mean no good were planted wherever foreign text comes in.

What is planted is on disk as somebody else would have left it there: nothing of it went through this program.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.setting_schema import SCHEMA
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import DocumentChange, Proposal
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of
from tests.session_recall import Recalled

DAYS = ("2026-02-23", "2026-02-24", "2026-03-03", "2026-03-05")
POINTERS = ["../../../../etc/passwd", "/etc/passwd", "memory/../../x.md", "\x1b]0;x\x07.md", "memory/2026-03-03.md", ""]
ENDED = "2026-03-05T10:00:00Z"
WORD = "zebrafish"
"""A word that stands in everything that is planted, so that a search finds it."""


def planted(environment: Environment, text: str, name: LayoutName = "entity", root: Path | None = None) -> Workbench:
    """A memory of the layout with `text` in every place that a memory and the logs of agents have."""
    bench = bench_at(environment, name, root)
    text = f"{WORD} {text}"
    flat = text.replace("\n", " ")
    _documents(bench, text, flat)
    _pages(bench, text, flat)
    _archives(bench, text, flat)
    claude(environment, 1, text)
    codex(environment, text)
    gemini(environment, text)
    old_sessions(environment, text)
    _propose(bench, text)
    return bench


def old_sessions(environment: Environment, text: str) -> None:
    """The database of session recall with the text in each of its columns."""
    text = text.encode("utf-8", "replace").decode()
    with Recalled(environment.session_index, later=True) as made:
        made.session(session_id_of(5), text, f"{text}.jsonl", text).session(
            "../../outside", text, "../../outside.jsonl"
        )
        for session in (session_id_of(5), "../../outside"):
            made.row(session, "user", text).row(session, text, text, tool=text, files=text)
            made.row(session, "assistant", text, tool=text, files=json.dumps([text, "../../etc/passwd"]))
        made.note("summary", session_id_of(5), text, text)


def settings(bench: Workbench, text: str) -> None:
    """A settings file with the text in each setting, in the names of shared wikis and servers, and as a key."""
    flat = text.encode("utf-8", "replace").decode().replace("\n", " ").replace("\x7f", "")
    tables: dict[str, list[str]] = {"keys": [f"search = {_toml(flat)}", f"{_toml(flat)} = {_toml(flat)}"]}
    for setting in SCHEMA:
        table, _, name = setting.key.rpartition(".")
        wild = [flat, f"{flat} = /x", f"team ({flat}) = {flat}"]
        value = wild if setting.kind in ("texts", "pairs") else flat
        if setting.key != "layout":
            tables.setdefault(table, []).append(f"{name} = {_toml(value)}")
    own = "\n".join(tables.pop("", ()))
    parts = "".join(f"\n[{table}]\n" + "\n".join(rows) + "\n" for table, rows in tables.items())
    put(bench.layout.config, f'layout = "{bench.layout.name}"\n{own}\n{parts}')


def _toml(value: str | list[str]) -> str:
    """The value as TOML, which knows no halves of characters."""
    return json.dumps(value, ensure_ascii=False)


def put(path: Path, text: str) -> Path:
    """Write a file as another program would, bytes that are no text among them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


def head(**values: Any) -> str:
    """Frontmatter with the values in JSON, which YAML reads with its escapes."""
    return "---\n" + "".join(f"{key}: {json.dumps(value)}\n" for key, value in values.items()) + "---\n"


def _documents(bench: Workbench, text: str, flat: str) -> None:
    layout = bench.layout
    items = f"- {flat}\n- [2026-03-05] {flat} (conversation-001.md)\n"
    put(layout.memory_file, f"# Memory\n\n## {flat}\n\n{text}\n\n{items}\n## Preferences\n\n" + items * 3)
    put(layout.topics / "topic.md", f"# {flat}\n\n{text}\n")
    put(layout.identity, f"---\nname: {json.dumps(flat)}\n---\n# {flat}\n\n**Name**: {flat}\n\n{text}\n")
    put(layout.master, head(title=flat, sources=POINTERS) + f"# {flat}\n\n## {flat}\n\n### {flat}\n\n{items}{text}\n")
    put(layout.dreams, head(type=flat) + f"# {flat}\n\n## 2026-03-05 {flat}\n\n{text}\n")
    put(layout.wisdom, f"# Wisdom\n\n## {flat}\n\n{items}\n{text}\n")
    for day in DAYS:
        entry = f"### 09:14 {flat}\n\n{text}\n\n- [ ] {flat}\n"
        put(layout.days / f"{day}.md", head(type="daily", date=day, title=flat, tags=[flat]) + f"# {day}\n\n{entry}")
    if layout.name == "project":
        put(layout.root / "_docs" / "notes.md", f"# {flat}\n\n{text}\n")


def _pages(bench: Workbench, text: str, flat: str) -> None:
    layout = bench.layout
    for folder, period in ((layout.weekly, "2026-W09"), (layout.monthly, "2026-02")):
        values = {"type": flat, "period": flat, "pointers": POINTERS, "salience": dict.fromkeys(POINTERS, 0.2)}
        put(folder / f"{period}.md", head(**values, made_by=flat) + f"# {flat}\n\n{text}\n")
    values = {
        "name": flat, "description": flat, "category": "concept", "slug": "../../outside", "created": flat,
        "updated": flat, "sources": [*POINTERS, flat, {"uri": flat, "summary": flat}], "related": [*POINTERS, flat],
        "confidence": flat, "contradicts": [flat, "../x"], "grounding": {flat: flat},
        "supersedes": [{"source": flat, "fact": flat, "supersededOn": flat}],
    }  # fmt: skip
    links = "[[../../etc/passwd]] [[evil|" + flat.replace("]", "").replace("[", "") + "]] [[wiki:x]]"
    put(layout.wiki / "evil.md", head(**values) + f"\n# {flat}\n\n{text}\n\n{links}\n")
    put(layout.wiki / "moved.md", head(**values | {"redirect_to": "../../outside"}) + text)
    put(layout.wiki / "broken.md", f"---\nname: [{flat}\n---\n{text}")
    put(layout.wiki / "index.md", f"# {flat}\n\n{text}\n")


def _archives(bench: Workbench, text: str, flat: str) -> None:
    layout = bench.layout
    values = {
        "log": 1, "date": ENDED, "session_id": session_id_of(7), "title": flat, "source": flat, "project": flat,
        "branch": flat, "model": flat, "agent": flat, "topics": [flat, flat], "tags": [flat], "summary": flat,
        "tools": {flat: 3}, "files": [flat, "../../etc/passwd"],
    }  # fmt: skip
    cell = flat.replace("|", "\\|")
    put(
        layout.rows,
        "# Conversation Archive\n\n| # | Date | Session | Topics | Messages | Duration |\n|---|---|---|---|---|---|\n"
        f"| 001 | {cell} | {cell} | {cell}, {cell} | 3 | {cell} |\n",
    )
    put(
        layout.window,
        f"## Session {flat} — 2026-03-05 09:14:03 UTC\n**Duration**: ~{flat} | **Messages**: 3 | "
        f"**Archive**: ../../../etc/passwd\n**Summary**: {flat}\n\n{text}\n",
    )
    body = (
        f"\n# Conversation 001\n\n## Summary\n\n{text}\n\n---\n\n### User\n\n{text}\n\n---\n\n### Assistant\n\n{text}\n"
    )
    for place in layout.archives[:1]:
        put(place.folder / f"{place.prefix}-001.md", head(**values) + body)
    if layout.summaries is not None:
        put(layout.summaries / f"{session_id_of(7)}.md", head(**values) + body)


def claude(environment: Environment, number: int, text: str, session: str = "", **fields: Any) -> Path:
    """A transcript of Claude Code with the text in each of its fields."""
    own = session or session_id_of(number)
    base = {
        "sessionId": own, "timestamp": ENDED, "cwd": f"/home/u/{text}", "gitBranch": text, "version": text,
        "isSidechain": False, "userType": text, "slug": text, **fields,
    }  # fmt: skip
    blocks = [
        {"type": "thinking", "thinking": text},
        {"type": "text", "text": text},
        {"type": "tool_use", "id": "t1", "name": text, "input": {"file_path": text, "command": text, text: text}},
        {"type": "tool_use", "id": "t2", "name": "Edit", "input": {"file_path": f"/x/{text}", "old_string": text}},
        {"type": "tool_use", "id": "t3", "name": "TodoWrite", "input": {"todos": [{"content": text, "status": text}]}},
    ]
    result = [
        {"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": [{"type": "text", "text": text}]}
    ]
    command = f"<command-name>{text}</command-name><command-args>{text}</command-args>"
    rows = [
        {"type": "summary", "summary": text, "leafUuid": "u4"},
        {"type": "custom-title", "customTitle": text, "sessionId": own},
        base | {"type": "user", "uuid": "u1", "message": {"role": "user", "content": text}},
        base | {
            "type": "assistant", "uuid": "u2", "parentUuid": "u1",
            "message": {"role": "assistant", "id": text, "model": text, "content": blocks},
        },
        base | {"type": "user", "uuid": "u3", "parentUuid": "u2", "message": {"role": "user", "content": result}},
        base | {
            "type": "user", "uuid": "u4", "parentUuid": "u3",
            "message": {"role": "user", "content": command},
        },
    ]  # fmt: skip
    folder = environment.claude / "projects" / "-home-u-api"
    return put(folder / f"{session_id_of(number)}.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


def codex(environment: Environment, text: str, session: str = "019cbf9e-3c80-7000-8000-000000000001") -> Path:
    """A rollout of Codex with the text in each of its fields."""
    meta = {"id": session, "cwd": f"/{text}", "cli_version": text, "git": {"branch": text, "repository_url": text}}
    call = {"type": "function_call", "name": text, "call_id": "c1", "arguments": json.dumps({"path": text, text: text})}
    rows = [
        ("session_meta", meta),
        ("turn_context", {"turn_id": "1", "model": text, "cwd": text}),
        ("response_item", {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}),
        ("response_item", {"type": "reasoning", "summary": [{"type": "summary_text", "text": text}]}),
        ("response_item", call),
        ("response_item", {"type": "function_call_output", "call_id": "c1", "output": text}),
        ("response_item", {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}),
    ]
    lines = [json.dumps({"timestamp": ENDED, "type": kind, "payload": payload}) for kind, payload in rows]
    folder = environment.codex / "sessions" / "2026" / "03" / "05"
    name = "019cbf9e-3c80-7000-8000-000000000001"
    return put(folder / f"rollout-2026-03-05T09-00-00-{name}.jsonl", "\n".join(lines) + "\n")


def gemini(environment: Environment, text: str, session: str = "9e310000-0000-4000-8000-000000000001") -> Path:
    """A chat of Gemini CLI with the text in each of its fields."""
    answer = [{"functionResponse": {"id": "t1", "name": text, "response": {"output": text}}}]
    tool = {"id": "t1", "name": text, "args": {"file_path": text, text: text}, "result": answer, "status": text}
    rows = [
        {"sessionId": session, "projectHash": text, "startTime": ENDED, "summary": text, "directories": [text]},
        {"id": "m1", "timestamp": ENDED, "type": "user", "content": text},
        {
            "id": "m2", "timestamp": ENDED, "type": "gemini", "content": text, "model": text, "toolCalls": [tool],
            "thoughts": [{"subject": text, "description": text}],
        },
    ]  # fmt: skip
    folder = environment.gemini / "tmp" / "00ff" / "chats"
    return put(folder / "session-2026-03-05T09-00-9e310000.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


def _propose(bench: Workbench, text: str) -> None:
    memory = bench.store.relative(bench.layout.memory_file)
    changes = (
        DocumentChange(memory, text, "0" * 64),
        DocumentChange("../../outside.md", text),
        DocumentChange("/etc/outside.md", None),
    )
    evidence = (text, f"{memory}:1-3", "../../etc/passwd:1-3")
    for kind in ("wiki", text):
        proposals.save(bench.store, Proposal(kind, text, text, text, changes, evidence, is_safe=True, made_at=NOON))
