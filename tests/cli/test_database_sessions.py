"""Sessions in an agent's database: followed while it is written, kept when they vanish, and never with its tokens."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard

from recall_tui.environment import Environment, agent_folder
from tests.cli.conftest import Recall
from tests.transcripts.opencode_samples import CHILD, SESSION, TOKEN, Store, tool

WORD = "zanzibarquux"
SECRET = "ghp_" + "a1B2c3D4e5" * 4


@pytest.fixture
def store(environment: Environment) -> Iterator[Store]:
    """OpenCode's database, which the agent has open, with a session of the project in the working folder."""
    made = Store(agent_folder(environment, "opencode") / "opencode.db").session(directory=str(environment.cwd))
    made.message(f"where is the {WORD}?")
    made.answer("In the park.", tool("bash", f"export TOKEN={SECRET}", command="env"))
    yield made
    made.close()


@pytest.fixture
def memory(recall: Recall, environment: Environment, request: pytest.FixtureRequest) -> Path:
    """A memory of every project."""
    root = environment.cwd / "agent"
    layout = getattr(request, "param", "entity")
    assert recall("init", root, "--layout", layout, "--yes").code == 0
    return root


def hits(recall: Recall, root: Path, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(recall("--root", root, "search", "--json", *words).out)["hits"]
    return found


def written_files(environment: Environment) -> dict[Path, bytes]:
    """All that this program wrote, copies unpacked."""
    found = {}
    for folder in (environment.cwd, environment.state, environment.home / ".claude"):
        for path in folder.rglob("*"):
            if path.is_file():
                data = path.read_bytes()
                is_packed = path.suffix == ".zst"
                found[path] = zstandard.ZstdDecompressor().decompressobj().decompress(data) if is_packed else data
    return found


@pytest.mark.parametrize("memory", ["entity", "user", "project", "hierarchical", "claude-project"], indirect=True)
def test_tokens_of_the_database_are_nowhere(
    recall: Recall, store: Store, memory: Path, environment: Environment, tmp_path: Path
) -> None:
    root = ("--root", memory)
    recall(*root, "sync")
    recall(*root, "archive", "--all-unarchived", "--all-projects")
    recall(*root, "show", SESSION)
    recall(*root, "export", tmp_path / "out")
    before = recall(*root, "archive", "--all-unarchived", "--all-projects")
    assert "archived " not in before.out
    files = written_files(environment) | {path: path.read_bytes() for path in tmp_path.glob("out*") if path.is_file()}
    assert any(WORD.encode() in data for data in files.values())
    for path, data in files.items():
        assert TOKEN.encode() not in data and SECRET.encode() not in data, path


def test_what_is_only_in_the_log_is_found_and_brings_the_archive_up_to_date(
    recall: Recall, store: Store, memory: Path
) -> None:
    assert recall("--root", memory, "archive", "--session", SESSION).out.startswith("archived")
    assert [hit["session_id"] for hit in hits(recall, memory, WORD)] == [SESSION]
    # The archive was written by the computer's clock.
    store.clock = time.time_ns() // 1_000_000 - 1000
    store.message("and the xylograph?")
    assert [hit["session_id"] for hit in hits(recall, memory, "xylograph")] == [SESSION]
    assert recall("--root", memory, "archive", "--all-unarchived", "--all-projects").out.startswith("updated")
    assert recall("--root", memory, "archive", "--all-unarchived", "--all-projects").out == ""
    assert "xylograph" in recall("--root", memory, "show", SESSION).out


def test_only_the_session_that_changed_is_read_again(recall: Recall, store: Store, memory: Path) -> None:
    store.session(CHILD, "another")
    store.message("hello", session=CHILD)
    recall("--root", memory, "sync")
    assert "0 added, 0 changed" in recall("--root", memory, "sync").out
    store.message("more", session=CHILD)
    assert "0 added, 1 changed" in recall("--root", memory, "sync").out


def test_a_vanished_session_and_a_vanished_database_keep_their_passages(
    recall: Recall, store: Store, memory: Path
) -> None:
    store.session(CHILD, "another")
    store.message("hello xylograph", session=CHILD)
    recall("--root", memory, "sync")
    store.connection.execute("DELETE FROM session WHERE id = ?", (CHILD,))
    assert [hit["session_id"] for hit in hits(recall, memory, "xylograph")] == [CHILD]
    store.close()
    for path in list(store.path.parent.iterdir()):
        path.unlink()
    assert [hit["session_id"] for hit in hits(recall, memory, WORD)] == [SESSION]
    recall("--root", memory, "sync", "--rebuild")
    assert [hit["session_id"] for hit in hits(recall, memory, WORD)] == [SESSION]


def test_a_database_that_is_damaged_later_is_a_fault_and_takes_nothing_away(
    recall: Recall, store: Store, memory: Path
) -> None:
    recall("--root", memory, "sync")
    store.close()
    store.path.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    assert [hit["session_id"] for hit in hits(recall, memory, WORD)] == [SESSION]


def test_a_session_is_shown_by_what_its_hits_are_called_and_forgotten(
    recall: Recall, store: Store, memory: Path
) -> None:
    (hit,) = hits(recall, memory, WORD)
    assert WORD in recall("--root", memory, "show", hit["document"]).out
    recall("--root", memory, "archive", "--session", SESSION)
    said = recall("--root", memory, "forget", hit["document"], "--yes")
    assert said.code == 0 and f"OpenCode's own transcript stays at {store.path}" in said.out + said.err
    assert hits(recall, memory, WORD) == []
    assert recall("--root", memory, "show", hit["document"]).code != 0
    store.message("and now?")
    assert hits(recall, memory, WORD) == []


def test_naming_the_database_in_recall_ignore_ignores_its_sessions(
    recall: Recall, store: Store, memory: Path, environment: Environment
) -> None:
    environment.claude.mkdir(exist_ok=True)
    (environment.claude / ".recall-ignore").write_text(f"{store.path}\n")
    recall("--root", memory, "sync")
    assert hits(recall, memory, WORD) == []


def test_an_object_that_is_half_written_keeps_what_was_known(
    recall: Recall, memory: Path, environment: Environment
) -> None:
    folder = agent_folder(environment, "cline") / "c1"
    folder.mkdir(parents=True)
    text = f'<user_input mode="act">where is the {WORD}?</user_input>'
    whole = {"version": 1, "updated_at": "2026-03-06T10:00:00Z", "sessionId": "c1"}
    whole |= {"messages": [{"id": "1", "role": "user", "content": text, "ts": 1_772_791_200_000}]}
    path = folder / "c1.messages.json"
    path.write_text(json.dumps(whole))
    assert recall("--root", memory, "archive", path).out.startswith("archived")
    assert [hit["session_id"] for hit in hits(recall, memory, WORD)] == ["c1"]
    path.write_text(json.dumps(whole)[:-9])
    assert [hit["session_id"] for hit in hits(recall, memory, WORD)] == ["c1"]
    assert "1 failed" in recall("--root", memory, "sync").out
    said = recall("--root", memory, "archive", path)
    assert said.code != 0 and "cannot be read" in said.err
    path.write_text(json.dumps(whole))
    assert "0 failed" in recall("--root", memory, "sync").out
