"""A project's folder is called as a person calls it."""

from __future__ import annotations

import pytest

from recall_tui.text.folder_name import path_name
from recall_tui.text.session_line import project_name


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/home/u/api", "api"),
        ("/home/u/api/", "api"),
        ("/home/u/cli/.worktrees/4", "cli"),
        ("/home/u/cli/.claude/worktrees/fix-login", "cli"),
        ("/home/u/cli/.worktrees/u/ent-108-summaries/cmd", "cli"),
        ("/home/u/worktrees/api/2", "api"),
        ("/Users/u/worktrees/api", "api"),
        ("/srv/2", "srv"),
        ("C:\\work\\shop\\", "shop"),
        ("shop", "shop"),
        ("2", "2"),
        ("/", ""),
        ("", ""),
    ],
)
def test_the_name_of_a_path(path: str, name: str) -> None:
    assert path_name(path) == name
    assert project_name(path) == name
