"""What every test stands on: a machine of its own, a clock that stands still, and the shared real transcripts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import settings

from recall_tui.environment import Environment
from tests.opening import OPENED, listen, told_file

# How long an example takes is a matter of the machine.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
listen(OPENED.append)
NOON = datetime(2026, 3, 6, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def opened_by_one_function() -> Iterator[None]:
    """Fail where this process opened a file of a memory otherwise than by the one function."""
    OPENED.clear()
    yield
    found, OPENED[:] = OPENED[:], []
    assert found == []


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[Environment]:
    """A home, a working folder and a state folder of this test's alone; what processes there opened is looked at."""
    home, cwd = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    cwd.mkdir()
    made = Environment(home=home, cwd=cwd, env={"RECALL_STATE": str(tmp_path / "state"), "HOME": str(home)})
    yield made
    told = told_file(made)
    assert not told.exists() or told.read_text(encoding="utf-8") == ""


@pytest.fixture
def now() -> Callable[[], datetime]:
    """A clock that always says noon of 6 March 2026, UTC."""
    return lambda: NOON


@pytest.fixture(scope="session")
def test_data() -> Path:
    """The folder of shared real transcripts and retrieval sets; one that is named and missing fails."""
    folder = os.environ.get("RECALL_TEST_DATA")
    if not folder:
        pytest.skip("RECALL_TEST_DATA is unset")
    assert Path(folder).is_dir(), f"RECALL_TEST_DATA names {folder}, which is no folder"
    return Path(folder)
