"""Sites to install into, as a test needs them."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import pytest

from recall_tui.agents.target import Scope, Site
from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.storage.layout import make_layout


class SiteMaker(Protocol):
    """Makes a site; the memory is the project's own unless `root` says another."""

    def __call__(self, scope: Scope = "user", layout: LayoutName = "entity", root: Path | None = None) -> Site: ...


@pytest.fixture
def site(environment: Environment) -> SiteMaker:
    """A site on the test's own machine, whose project is the working folder."""

    def make(scope: Scope = "user", layout: LayoutName = "entity", root: Path | None = None) -> Site:
        program = str(environment.home / ".local" / "bin" / "recall-tui")
        return Site(scope, environment.cwd, make_layout(root or environment.cwd, layout), environment, (program,))

    return make
