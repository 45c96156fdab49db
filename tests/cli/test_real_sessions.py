"""Real transcripts of real agents, from the first command to the last: archived, counted, found, handed over."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.makers import bench_at, tree

pytestmark = pytest.mark.long

NOISE = ("<local-command", "<command-", "<bash-", "<system-reminder>", "[Request interrupted", "Caveat:", "<task-")


def rows_of(path: Path) -> list[dict[str, Any]]:
    found = []
    for line in path.read_bytes().splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            found.append(row)
    return found


def replies_in(paths: list[Path]) -> set[str]:
    """The agent's messages with text, told apart by message id: counted without the project's reader."""
    ids = set()
    for path in paths:
        for place, row in enumerate(rows_of(path)):
            message = row.get("message")
            if row.get("type") != "assistant" or row.get("isSidechain") or not isinstance(message, dict):
                continue
            content = message.get("content")
            blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
            if any(block.get("type") == "text" and block.get("text", "").strip() for block in blocks):
                ids.add(message.get("id") or row.get("uuid") or f"{path}:{place}")
    return ids


@pytest.fixture(scope="module")
def transcripts(test_data: Path) -> list[Path]:
    return sorted((test_data / "transcripts").glob("*/*.jsonl"))


def test_every_real_transcript_is_archived_once_or_skipped_with_a_reason(
    recall: Recall, environment: Environment, transcripts: list[Path]
) -> None:
    bench = bench_at(environment)
    said = recall("--json", "archive", *map(str, transcripts))
    results = said.json["captured"]
    assert len(results) == len(transcripts)
    by_session: dict[str, list[Path]] = defaultdict(list)
    for result in results:
        assert result["status"] in ("archived", "updated", "unchanged", "skipped")
        if result["status"] == "skipped":
            assert result["reason"]
        else:
            by_session[result["session_id"]].append(Path(result["transcript"]))
    entries = {entry.session_id: entry for entry in bench.archive.entries()}
    assert set(entries) == set(by_session) and len(entries) >= 40
    for session, paths in by_session.items():
        text = entries[session].path.read_text()
        if entries[session].agent != "claude":
            continue
        replies = len(replies_in(paths))
        prompts = entries[session].messages - replies
        assert 0 <= prompts <= sum(row.get("type") == "user" for path in paths for row in rows_of(path)), session
        assert replies <= entries[session].messages
        assert entries[session].date is not None
        assert not text.partition("## Summary")[2].lstrip().startswith(NOISE), session
    before = tree(bench.store.root)
    again = recall("--json", "archive", *map(str, transcripts)).json["captured"]
    assert {result["status"] for result in again} == {"unchanged", "skipped"}
    assert tree(bench.store.root) == before
    assert recall("doctor").code == 0
    window = recall("consume").out
    assert window.count("## Session ") == 5
    hits = recall("--json", "search", "--ranked", "login page crashes on an empty form").json["hits"]
    assert "login page crashes" in hits[0]["snippet"].lower() or "login page crashes" in hits[0]["title"].lower()
    assert recall("search", "validator").code == 0
    for entry in entries.values():
        assert recall("show", entry.name).code == 0
