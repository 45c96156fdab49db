"""Every stored format, and every answer as JSON, keeps the shape that it has.

Shapes stand in tests/fixtures/formats/. A change that is meant is written there with `RECALL_WRITE_FORMATS=1 python -m
pytest tests/cli/test_stored_formats.py`, and needs a way for what is stored on people's machines already.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.state import app_state, hint_log, job_queue, saved_searches, server_log
from recall_tui.storage.state.app_state import AppState
from recall_tui.storage.state.job_queue import Job
from recall_tui.workbench import Workbench
from tests.cli.conftest import Recall
from tests.conftest import NOON
from tests.hooks import said
from tests.makers import bench_at, session_id_of, transcript
from tests.models import FakeModel

FORMATS = Path(__file__).resolve().parents[1] / "fixtures" / "formats"
TALK = [
    ("user", "why do the tokens expire after an hour?"),
    ("assistant", "Because a stolen one must not last. Decided: refresh tokens live for a week."),
    ("Edit", "/home/u/api/auth/tokens.py"),
    ("user", "Remember: never log a token. TODO: rotate the staging keys."),
    ("assistant", "Done. The root cause was a clock that was ahead by two minutes."),
]
WRITING = (
    "remember --topic keys Rotate_them_weekly", "config set dream.enabled true", "log Decided_to_release_on_Thursdays",
    "distill --apply all", "compact all", "sync", "wiki stub release-train --category concept", "dream",
    "review accept --safe", "compact weekly --yes", "compact monthly --yes", "search --ranked tokens",
    "forget {session} --yes",
    "config set llm.provider openai", "config unset llm.provider", "install claude --yes",
)  # fmt: skip
READING = (
    "status", "dashboard", "list all", "list", "search --ranked tokens", "search --lines tokens", "recall tokens",
    "doctor",
    "distill", "undo --list", "review list --all", "agents", "agents --log", "config show", "ledger --calls",
    "dream status", "index status", "wiki list", "wiki lint", "wiki targets", "wiki status", "show 1", "redact --check",
    "read 2026-03-06", "export 1",
)  # fmt: skip
"""Commands whose answers with `--json` others rely on."""
_IDENTIFIER = re.compile(r"(?![0-9a-f]{8,}$)[A-Za-z_][A-Za-z0-9_-]{0,40}")
_NUMBERS = re.compile(r"[0-9a-f]{8,}|\d+")


def shape(value: object) -> object:
    """The names and types of a JSON value, without what it holds; keys that are data are one `*`."""
    if isinstance(value, dict):
        if not all(_IDENTIFIER.fullmatch(key) for key in value) or len(value) > 60:
            return {"*": _merged(map(shape, value.values()))}
        return {key: shape(one) for key, one in sorted(value.items())}
    if isinstance(value, list):
        return [_merged(map(shape, value))] if value else []
    return "null" if value is None else type(value).__name__


def _merged(shapes: Iterable[object]) -> object:
    """One shape for many values: every key that one of them has, every type that a key has."""
    found = list(shapes)
    tables = [one for one in found if isinstance(one, dict)]
    if tables and len(tables) == len(found):
        keys = sorted({key for one in tables for key in one})
        return {key: _merged(one[key] for one in tables if key in one) for key in keys}
    lists = [one for one in found if isinstance(one, list)]
    if lists and len(lists) == len(found):
        inner = [row for one in lists for row in one]
        return [_merged(inner)] if inner else []
    names = sorted({json.dumps(one, sort_keys=True) if not isinstance(one, str) else one for one in found})
    return "|".join(names)


@pytest.fixture
def lived(recall: Recall, environment: Environment, tmp_path: Path) -> Workbench:
    """A memory in which everything that is stored was written once."""
    model = FakeModel(tmp_path / "model", "TITLE: Tokens expire\nThey expire after an hour.")
    bench = bench_at(environment, "hierarchical")
    root = ("--root", bench.store.root)
    for number in range(14):
        start = NOON - timedelta(days=1 + number)
        recall("archive", transcript(environment, number, TALK, start=start), *root)
    summaries = environment.cwd / "shared"
    bench_at(environment, "project", summaries)
    for words in WRITING:
        answer = recall(*words.format(session=session_id_of(2)).split(), *root)
        assert answer.code == 0, f"{words}: {answer.err}"
    recall("archive", transcript(environment, 7, TALK), "--root", summaries)
    recall("summarize", session_id_of(7), "--yes", "--root", summaries)
    recall("synthesize", "--yes", "--root", summaries)
    recall("hook", *root, stdin=json.dumps(said("Stop", session_id_of(5), transcript(environment, 5, TALK))))
    job_queue.save(bench.store.state, Job("lessons", session_id_of(5), Path("/tmp/x.jsonl"), 1_772_800_000.0, 1))
    hint_log.add_hints(bench.store, session_id_of(5), ["memory/keys.md"], bench.store.now())
    saved_searches.update(bench.store, lambda known: known.with_asked("tokens").with_saved("auth", "why tokens"))
    app_state.write_state(bench.store, AppState("home", "archive", {"home/archive": "conversation-001"}))
    environment.env.update(model.env) if isinstance(environment.env, dict) else None
    recall("recall", "why do tokens expire", *root)
    with bench.store.layout.memory_file.open("a", encoding="utf-8") as file:
        file.write("\n## Billing\n\n" + "".join(f"- rule {number}\n" for number in range(60)))
    (bench.store.root / "memory" / "conversations" / "conversation-003.md").unlink(missing_ok=True)
    return bench


def stored(bench: Workbench) -> dict[str, object]:
    """The shape of each file that lies in the state or carries metadata in the memories, by its name."""
    state = bench.store.environment.state
    found: dict[str, list[object]] = {}
    for path in sorted(state.rglob("*")):
        if (
            path.is_file()
            and path.suffix != ".lock"
            and path.name != "lock"
            and "passages" not in path.parts
            and (held := _shape_of(path)) is not None
        ):
            found.setdefault(_name(path.relative_to(state)), []).append(held)
    for path in sorted(bench.store.environment.cwd.rglob("*.md")):
        if keys := _metadata(path.read_text(encoding="utf-8")):
            found.setdefault(
                f"memory: {_NUMBERS.sub('#', path.parent.name)}/{_NUMBERS.sub('#', path.name)}", []
            ).append(keys)
    return {name: _merged(shapes) for name, shapes in sorted(found.items())}


def _name(path: Path) -> str:
    top, *rest = path.parts
    parts = [_NUMBERS.sub("#", part) for part in rest]
    return "/".join([top if top in ("index", "kept") or not rest else "<memory>", *parts])


def _shape_of(path: Path) -> object:
    data = path.read_bytes()
    if data.startswith(b"SQLite format 3\0"):
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            rows = database.execute("select name, sql from sqlite_master where sql is not null order by name")
            return {name: re.sub(r"\s+", " ", sql) for name, sql in rows}
    if path.suffix == ".backup":
        import zstandard

        data = zstandard.ZstdDecompressor().decompressobj().decompress(data.partition(b"\n")[2])
    for texts in ([data], data.splitlines()):
        try:
            return _merged([shape(json.loads(text)) for text in texts])
        except ValueError:
            continue
    return None


def _metadata(text: str) -> list[object]:
    """Keys of the frontmatter, headings of level two, and comments with their numbers and words taken out."""
    head = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    keys = re.findall(r"^([A-Za-z_]+):", head[1], re.MULTILINE) if head else []
    comments = [
        re.sub(r"[0-9a-f]{6,}|\d+|\"[^\"]*\"", "#", one)[:80] for one in re.findall(r"<!--.*?-->", text, re.DOTALL)
    ]
    return ["|".join(dict.fromkeys([*keys, *comments]))] if keys or comments else []


def agree(name: str, found: dict[str, object]) -> None:
    """Hold what was found against the file of the fixtures."""
    path = FORMATS / name
    if os.environ.get("RECALL_WRITE_FORMATS"):
        path.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    assert found == json.loads(path.read_text(encoding="utf-8"))


def test_what_is_stored_has_the_shape_that_it_always_had(lived: Workbench) -> None:
    found = stored(lived)
    agree("shapes.json", found)
    assert len(found) > 25


@pytest.mark.long
def test_answers_as_json_have_the_keys_that_they_always_had(lived: Workbench, recall: Recall) -> None:
    found: dict[str, object] = {}
    for client in ("claude-code", "a client that belongs to no agent"):
        server_log.record_call(lived.store, client)
        server_log.record_error(lived.store, client, "read", "it broke")
    for words in READING:
        answer = recall("--json", *words.split(), "--root", lived.store.root)
        assert answer.out, f"{words}: {answer.err}"
        found[words] = shape(answer.json)
    agree("json_keys.json", found)
