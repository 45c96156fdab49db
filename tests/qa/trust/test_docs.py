"""What the pages say is so: their commands run, and nothing in them is missing in the code, nor the other way round."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import click
import pytest

from recall_tui.cli.command_table import COMMANDS
from recall_tui.config import env_name
from recall_tui.setting_schema import SCHEMA
from tests.qa.trust import documented
from tests.qa.trust.readme_life import CODES, NOT_TYPED, begun, typed_in_turn
from tests.readme import CHECKOUT, PAGES, everything_typed, text_of


@pytest.mark.long
def test_every_command_of_the_pages_runs_and_leaves_no_file_that_is_not_described(tmp_path: Path) -> None:
    person = begun(tmp_path / "home")
    said = typed_in_turn(person)
    wrong = [f"{one.line} → {one.code}: {one.text[-300:]}" for one in said if one.code != CODES.get(one.line, 0)]
    assert not wrong and not [one.line for one in said if "Traceback" in one.text]
    assert len(said) > 30
    assert documented.undescribed(person.state) == []


def test_what_is_not_typed_stands_in_a_page_and_is_looked_up() -> None:
    lines = {one.line for one in everything_typed()}
    assert set(NOT_TYPED) <= lines and set(CODES) <= lines
    assert documented.lost_targets() == []


def test_every_flag_in_the_pages_is_one_of_a_command() -> None:
    told = documented.flags_told()
    assert told - documented.flags() - documented.FOREIGN_FLAGS == set()
    assert told >= documented.FOREIGN_FLAGS


@pytest.mark.parametrize("name", COMMANDS)
def test_the_usage_of_a_command_names_options_that_it_has(name: str) -> None:
    module, _, function = COMMANDS[name].target.partition(":")
    one = getattr(importlib.import_module(module), function)
    assert isinstance(one, click.Command)
    assert set(re.findall(r"--[a-z][a-z-]+", COMMANDS[name].usage)) <= documented.flags_of(one) | {"--root"}


@pytest.mark.long
def test_every_variable_that_is_read_or_set_is_documented_and_no_other() -> None:
    told = documented.variables_told()
    assert told == documented.variables()
    of_settings = {env_name(one.key) for one in SCHEMA}
    named = {name for page in PAGES for name in re.findall(r"`(RECALL_[A-Z_]+)`", text_of(page))}
    assert named - told - of_settings == {"RECALL_TEST_DATA"} & named


def test_the_exit_codes_are_those_of_the_errors() -> None:
    assert documented.exit_codes_told() == documented.exit_codes()


def test_what_lies_in_the_state_folder_is_named_in_the_code() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (CHECKOUT / "recall_tui").rglob("*.py"))
    assert [name for name in documented.state_names() if f'"{name}' not in source and f'{name}"' not in source] == []


@pytest.mark.long
def test_a_file_of_the_state_that_the_code_names_is_described() -> None:
    patterns = [one.rpartition("*")[0] if one.endswith("*") else one for one in documented.state_patterns()]
    told = {part for one in patterns for part in one.split("/")}
    found = documented.state_constants()
    assert {name: module for name, module in found.items() if name not in told | documented.ELSEWHERE} == {}
    assert len(found) > 10 and found.keys() >= documented.ELSEWHERE


def test_every_entry_point_group_in_the_pages_is_read() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (CHECKOUT / "recall_tui").rglob("*.py"))
    groups = set(re.findall(r"\brecall_tui\.(?:models|embedders|host_plugins)\b", text_of("docs/python.md")))
    assert groups and all(f'"{one}"' in source or one.endswith("host_plugins") for one in groups)
