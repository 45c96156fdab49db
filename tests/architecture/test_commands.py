"""The COMMANDS table tells the truth about the commands it names."""

from __future__ import annotations

import importlib

import click
import pytest

from recall_tui.cli.command_table import COMMANDS, GROUPS
from recall_tui.cli.program import program


@pytest.mark.parametrize("name", COMMANDS)
def test_a_row_names_a_command_that_exists(name: str) -> None:
    module, _, function = COMMANDS[name].target.partition(":")
    assert isinstance(getattr(importlib.import_module(module), function), click.Command)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_row_helps(name: str) -> None:
    row = COMMANDS[name]
    assert row.help and not row.help.endswith(".") and "\n" not in row.help
    assert row.group in GROUPS


def test_no_group_is_empty() -> None:
    assert {row.group for row in COMMANDS.values()} == set(GROUPS)


COMMON = {"--root", "--dir", "--layout", "--json", "--quiet", "--verbose", "--no-color"}


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_every_command_explains_itself_and_takes_the_global_options(name: str) -> None:
    for one in _with_children(name):
        assert one.help, one.name
        assert {word for param in one.params for word in param.opts} >= COMMON, one.name
        for param in one.params:
            if isinstance(param, click.Option):
                assert param.help, f"{one.name} {param.opts}"


def _with_children(name: str) -> list[click.Command]:
    if not name:
        return [program]
    one = program.get_command(click.Context(program, info_name="recall-tui"), name)
    assert one is not None
    return [one, *one.commands.values()] if isinstance(one, click.Group) else [one]
