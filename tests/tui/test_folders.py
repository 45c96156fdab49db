"""Folders are completed as a shell does, and nothing in them is taken for more than a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.tui.screens.first_run.folder_name_modal import (
    complete_folder,
    describe_folder,
    matching_folders,
    parse_folder,
)


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    """A home with some folders and a file."""
    for name in ("home/Projects", "home/private", "home/.hidden", "home/work/api", "home/work/web", "home/a\nb"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "home" / "prose.md").touch()
    return Environment(home=tmp_path / "home", cwd=tmp_path / "home" / "work", env={})


def test_what_is_typed_means_a_folder(environment: Environment) -> None:
    assert parse_folder("~", environment) == environment.home
    assert parse_folder("~/work", environment) == environment.home / "work"
    assert parse_folder("../private", environment) == environment.home / "private"
    assert parse_folder("/etc/", environment) == Path("/etc")
    assert parse_folder("api", environment) == environment.cwd / "api"


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("~/pri", "~/private/"),
        ("~/pro", "~/Projects/"),
        ("~/.h", "~/.hidden/"),
        ("a", "api/"),
        ("~/pros", ""),
        ("~/", ""),
        ("", ""),
        ("~/nowhere/x", ""),
        ("~/work/../wo", "~/work/../work/"),
        ("\0", ""),
    ],
)
def test_the_last_part_is_completed(environment: Environment, text: str, whole: str) -> None:
    assert complete_folder(text, environment) == whole


def test_folders_are_listed_by_name_without_hidden_and_unprintable_ones(environment: Environment) -> None:
    assert matching_folders("~/", environment) == ("private", "Projects", "work")
    assert matching_folders("~/p", environment) == ("private", "Projects")


@pytest.mark.parametrize(("text", "sign"), [("~/prose.md", "▲"), ("~/nowhere", "▲"), ("~/work", "○"), ("", "→")])
def test_what_is_there_is_said(environment: Environment, text: str, sign: str) -> None:
    assert describe_folder(text, environment).startswith(sign)
