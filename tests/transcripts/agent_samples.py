"""The samples of what real agents wrote, and what was counted in them by hand."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from recall_tui.transcripts.registry import find_reader

DATA = os.environ.get("RECALL_TEST_DATA")
NEEDS_SAMPLES = pytest.mark.skipif(not DATA, reason="RECALL_TEST_DATA names no folder with samples of agents")
PROJECT = "/home/u/proj"
"""The folder in which all samples were made."""
HOMES = {
    "claude": ".claude",
    "codex": ".codex",
    "gemini": ".gemini",
    "qwen": ".qwen",
    "droid": ".factory",
    "copilot": ".copilot",
    "pi": ".pi",
    "kimi": ".kimi-code",
    "opencode": ".local/share/opencode",
    "kilo": ".local/share/kilo",
    "cline": ".cline",
    "continue": ".continue",
    "aider": ".aider",
}
"""The folder of each agent in a person's home."""
READ = [agent for agent in HOMES if find_reader(agent)]
"""The agents whose sessions are read."""
WORKED_IN = "proj"
"""The folder in the home in which Aider keeps its history."""


def samples() -> Path:
    """The folder of the samples."""
    return Path(DATA or "/nowhere") / "agents"


def expected(agent: str) -> dict[str, Any]:
    """What was counted in the sample of an agent: `sessions`, `totals`."""
    if not DATA:
        return {"sessions": [], "totals": {}}
    table = json.loads((samples() / "expected.json").read_text(encoding="utf-8"))["samples"]
    found: dict[str, Any] = next(one for one in table.values() if one["agent"] == agent)
    return found


def copied_home(agent: str, home: Path, project: str = PROJECT) -> Path:
    """Copy the folder of an agent's sample into a home; its sessions are of the project in that folder."""
    version = next(folder for folder in samples().iterdir() if folder.name.partition("-")[0] == agent)
    place = home / HOMES[agent]
    if (version / f"{agent}.sql").exists():
        place.mkdir(parents=True)
        with closing(sqlite3.connect(place / f"{agent}.db")) as database:
            database.execute("PRAGMA journal_mode=WAL")
            database.executescript((version / f"{agent}.sql").read_text(encoding="utf-8").replace(PROJECT, project))
        return home
    if agent == "aider":
        place.mkdir()
        shutil.copytree(version, home / WORKED_IN, dirs_exist_ok=True)
        return home
    shutil.copytree(version / HOMES[agent], place)
    for path in place.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(PROJECT.encode(), project.encode()))
    return home


def main_sessions(agent: str) -> Iterator[dict[str, Any]]:
    """What was counted in each session of a person."""
    return (one for one in expected(agent)["sessions"] if one["kind"] == "main")


def is_alone(counted: dict[str, Any]) -> bool:
    """Whether a session that was counted has a file of lines, one a record, for itself."""
    return str(counted["file"]).endswith(".jsonl")


def sample_file(counted: dict[str, Any]) -> Path:
    """The transcript of a session that was counted."""
    return samples() / str(counted["file"])
