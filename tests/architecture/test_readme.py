"""The README's tables are those of the code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from recall_tui.cli.table import COMMANDS
from recall_tui.config import SCHEMA

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.mark.long
def test_the_generated_blocks_are_fresh() -> None:
    line = [sys.executable, str(CHECKOUT / "tests" / "generate.py"), "--check"]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("block", ["commands", "keys", "settings"])
def test_the_readme_has_each_block(block: str) -> None:
    text = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    begin, end = f"<!-- begin: {block} -->", f"<!-- end: {block} -->"
    assert text.count(begin) == text.count(end) == 1


def test_every_command_and_every_setting_is_documented() -> None:
    text = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    missing = [name for name in COMMANDS if f"| `{name}" not in text]
    missing += [one.key for one in SCHEMA if f"| `{one.key}` |" not in text]
    assert missing == []
