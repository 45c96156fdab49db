"""Where a memory of layout user may be made: an agent's home or a folder that is named, and no project."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from recall_tui.errors import UsageError
from recall_tui.features.setup.init import choose_layout


def test_a_named_folder_outside_of_any_project_may_be_one(environment: Environment) -> None:
    copy = environment.cwd / "copy-of-home"
    copy.mkdir()
    assert choose_layout(environment, copy, "user").root == copy


@pytest.mark.parametrize("where", ["here", "home", "project", "below a project"])
def test_here_the_home_and_a_project_are_none(environment: Environment, where: str) -> None:
    project = environment.cwd / "api"
    (project / ".git").mkdir(parents=True)
    below = project / "docs"
    below.mkdir()
    folder = {"here": environment.cwd, "home": environment.home, "project": project, "below a project": below}[where]
    with pytest.raises(UsageError, match="layout user is in the agent's home"):
        choose_layout(environment, folder, "user")
