"""Items of the published designs as somebody meets them who uses one every day."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.workbench import Workbench
from tests.cli.conftest import Recall, Stand
from tests.cli.test_older_memories import SECOND, TALK, THIRD
from tests.makers import bench_at, session_id_of, transcript, write_files


@pytest.mark.parametrize("files", [SECOND, THIRD], ids=["second", "last"])
@pytest.mark.parametrize("way", ["hook", "batch"])
def test_a_memory_of_an_older_generation_in_the_agents_home_captures_every_project(
    recall: Recall, environment: Environment, files: dict[str, str], way: str
) -> None:
    root = environment.claude
    write_files(root, files)
    settings = next(name for name in files if name.endswith(".toml"))
    (root / settings).write_text('[llm]\nprovider = "claude-code"\n\n[pipeline]\nauto_sync = false\n')
    path = transcript(environment, 1, TALK)
    told = {"session_id": session_id_of(1), "transcript_path": str(path), "cwd": "/home/u/api"}
    words = ("archive-session",) if way == "hook" else ("archive", "--all-unarchived")
    assert recall(*words, stdin=json.dumps({**told, "hook_event_name": "SessionEnd"})).code == 0
    assert session_id_of(1) in recall("show", "2").out
