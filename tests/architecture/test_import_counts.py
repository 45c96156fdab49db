"""How many modules a command loads: ours, and all, held against a table that only goes down."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import pytest

from tests.architecture.loading import loaded

TABLE = tomllib.loads(Path(__file__).with_name("import_counts.toml").read_text(encoding="utf-8"))
PROMPT = {"hook_event_name": "UserPromptSubmit", "session_id": "abc", "prompt": "why did we choose JWT for the api?"}
START = {"hook_event_name": "SessionStart", "session_id": "abc", "source": "startup"}
COMMANDS: dict[str, tuple[tuple[str, ...], object]] = {
    "help": (("--help",), ""),
    "consume": (("consume", "{root}"), ""),
    "status": (("--root", "{root}", "status"), ""),
    "search": (("--root", "{root}", "search", "--no-sync", "JWT"), ""),
    "search-sync": (("--root", "{root}", "search", "JWT"), ""),
    "search-options": (("--root", "{root}", "search", "--passages", "--no-sync", "JWT"), ""),
    "recall": (("--root", "{root}", "recall", "why JWT?"), ""),
    "hook-prompt": (("--root", "{root}", "hook"), PROMPT),
    "hook-start": (("--root", "{root}", "hook"), START),
}


def counted(tmp_path: Path, root: Path, name: str) -> tuple[int, int]:
    """The package's own modules that the command loads, and all of them."""
    words, told = COMMANDS[name]
    loaded(tmp_path, "--root", str(root), "sync")
    filled = [word.format(root=root) for word in words]
    modules = loaded(tmp_path, *filled, stdin=json.dumps(told) if told else "")
    return sum(one.partition(".")[0] == "recall_tui" for one in modules), len(modules)


def test_every_counted_command_has_a_row() -> None:
    assert TABLE["commands"].keys() == COMMANDS.keys()


@pytest.mark.long
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_loads_no_more_than_it_did(tmp_path: Path, memory: Path, name: str) -> None:
    ours, everything = counted(tmp_path, memory, name)
    row = TABLE["commands"][name]
    assert ours <= row["ours"], f"{name} loads {ours} of our modules"
    if "{}.{}".format(*sys.version_info) == TABLE["python"]:
        assert everything <= row["all"], f"{name} loads {everything} modules"
    assert ours == row["ours"], f"{name} loads fewer by now: write {ours} into the table"
