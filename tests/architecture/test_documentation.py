"""The tables in the documentation are those of the code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from recall_tui.cli.command_table import COMMANDS
from recall_tui.setting_schema import OPEN_TABLES, PATH_RULES, SCHEMA, Setting
from recall_tui.storage import trust
from tests import generate

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.mark.long
def test_the_generated_blocks_are_fresh() -> None:
    line = [sys.executable, str(CHECKOUT / "tests" / "generate.py"), "--check"]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("page", "block"),
    [
        ("docs/commands", "commands"),
        ("docs/commands", "options"),
        ("docs/keys", "keys"),
        ("docs/settings", "settings"),
        ("SECURITY", "reach"),
        ("SECURITY", "state"),
        ("SECURITY", "trust"),
    ],
)
def test_the_page_has_each_block(page: str, block: str) -> None:
    text = (CHECKOUT / f"{page}.md").read_text(encoding="utf-8")
    begin, end = f"<!-- begin: {block} -->", f"<!-- end: {block} -->"
    assert text.count(begin) == text.count(end) == 1


def test_every_command_and_every_setting_is_documented() -> None:
    commands, settings = (
        (CHECKOUT / "docs" / name).read_text(encoding="utf-8") for name in ("commands.md", "settings.md")
    )
    missing = [name for name in COMMANDS if f"| `{name}" not in commands]
    missing += [one.key for one in SCHEMA if f"| `{one.key}` |" not in settings]
    assert missing == []


def test_what_each_setting_may_do_is_documented() -> None:
    assert generate.reach() in (CHECKOUT / "SECURITY.md").read_text(encoding="utf-8"), "run: make docs"
    rows = generate.reach().splitlines()
    named = [*(one.key for one in SCHEMA), *(f"{table}.…" for table in OPEN_TABLES), *PATH_RULES]
    assert [key for key in named if sum(f"`{key}`" in row for row in rows) != 1] == []


def test_no_setting_can_be_written_without_the_word_what_it_may_do() -> None:
    with pytest.raises(TypeError, match="reach"):
        Setting("a.b", "", "what it is")  # type: ignore[call-arg]
    assert all(one.reach.does for one in SCHEMA)
    meant = {key.partition(".")[0] if key.partition(".")[0] in OPEN_TABLES else key for key in trust.INTENT_CHECKS}
    told = {one.key for one in SCHEMA if one.reach.only} | set(OPEN_TABLES) | {"memory.follow_links"}
    assert meant == told, "the values that need a word are told and asked for alike"
