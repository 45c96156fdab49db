"""A session that ends leaves its archive, whatever the window looks like and however much is in it."""

from __future__ import annotations

import json

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.documents import window_file
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import bench_at, session_id_of, transcript

pytestmark = pytest.mark.long

TALK = [("user", "Which cache shall the gateway use?"), ("assistant", "We decided to use Redis.")]
ENTRY = "## Session s{n} — 2026-01-01 10:00:00 UTC\n**Summary**: a\n"


def ended(recall: Recall, environment: Environment, name: str, window: str) -> tuple[str, bool]:
    """The window after a session ended, and whether the session is in the index of archives."""
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    if name == "project":
        assert recall(root, "config", "set", "capture.auto", "true").code == 0
    bench.layout.window.write_text(window, encoding="utf-8")
    cwd = "/home/u/api" if name == "claude-project" else str(environment.cwd)
    event = {
        "hook_event_name": "SessionEnd",
        "session_id": session_id_of(1),
        "transcript_path": str(transcript(environment, 1, TALK, cwd=cwd)),
        "cwd": str(bench.store.root),
        "reason": "exit",
    }
    assert recall(root, "hook", stdin=json.dumps(event)).code == 0
    return bench.layout.window.read_text(encoding="utf-8"), session_id_of(1) in bench.layout.rows.read_text()


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_session_is_archived_beside_a_window_of_twelve_thousand_entries(
    recall: Recall, environment: Environment, name: str
) -> None:
    text, is_archived = ended(recall, environment, name, "".join(ENTRY.replace("{n}", str(n)) for n in range(12_500)))
    assert is_archived
    left = [entry.session_id for entry in window_file.parse_window(text).entries]
    assert len(left) == 5 and left[-1] == session_id_of(1)


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_window_that_is_far_too_large_is_left_as_it_is(recall: Recall, environment: Environment, name: str) -> None:
    window = ENTRY.replace("{n}", "1") + "words " * 400_000
    assert ended(recall, environment, name, window) == (window, True)


@pytest.mark.parametrize("size", [17 << 20, 300 << 20])
@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_an_index_of_archives_that_is_far_too_large_is_left_as_it_is(
    recall: Recall, environment: Environment, name: str, size: int
) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    rows = bench.layout.rows
    with rows.open("r+b") as file:
        file.truncate(size)
    said = recall(root, "archive", transcript(environment, 1, TALK))
    assert said.code == 0 and f"{bench.store.relative(rows)} was left out: it is too large" in said.out
    assert rows.stat().st_size == size
    assert any(b"Redis" in path.read_bytes() for path in bench.store.root.rglob("*.md") if path != rows) or (
        name == "claude-project" and list(environment.kept.rglob("*.zst"))
    )
    assert recall(root, "archive", transcript(environment, 1, TALK)).code == 0
    assert "ARCHIVE.md cannot be read: is too large" in recall(root, "doctor").out
    assert "ARCHIVE.md is over 16 MB and is not read" in recall(root, "status").out
    listed = recall(root, "list")
    assert listed.code == 0 or "is too large" in listed.err
    rows.write_text("")
    assert recall(root, "doctor", "--fix").code in (0, 1)
    assert name == "claude-project" or session_id_of(1) in rows.read_text()
