"""The fixtures of a memory to index, and of a history whose index nothing disturbed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.index.contents import places_at
from tests.memories import archive, index, store
from tests.processes import Machine
from tests.qa.bench import corpus

__all__ = ["archive", "history", "index", "machine", "store"]

MESSAGES, SOURCES = 600, 12


@pytest.fixture(scope="session")
def history(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A person's transcripts and a memory, with an index that nothing disturbed."""
    folder = tmp_path_factory.mktemp("history")
    corpus.write(folder / "home", MESSAGES, SOURCES, 1, corpus.made_up_language(1), lambda _: None)
    memory = folder / "agent" / "memory"
    (memory / "conversations").mkdir(parents=True)
    (memory / "MEMORY.md").write_text("# Memory\n\n## Deploys\n\nStaging deploys on Fridays.\n")
    made = Machine(places_at(folder, folder / "undisturbed"), folder / "agent")
    assert made.run("sync").code == 0
    return made


@pytest.fixture
def machine(history: Machine, tmp_path: Path) -> Machine:
    """The same person and memory with an index of this test's own."""
    return replace(history, environment=places_at(history.environment.cwd, tmp_path / "state"))
