"""A damaged file of the state is survived as the registry says, and every file that is written is in the registry."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.state.registry import ENTRIES, StateEntry, find_entry
from tests.cli.conftest import Recall
from tests.makers import bench_at, transcript

pytestmark = pytest.mark.long

FILES = [
    one for one in ENTRIES if one.path.startswith("<memory>/") and one.on_damage and not set(one.path[8:]) & set("*/<")
]


@pytest.mark.parametrize("entry", FILES, ids=lambda one: one.path)
def test_commands_go_on_beside_a_damaged_file(environment: Environment, recall: Recall, entry: StateEntry) -> None:
    bench = bench_at(environment)
    root = f"--root={bench.store.root}"
    assert recall(root, "remember", "Deploys are on Tuesdays").code == 0
    path = bench.store.state / entry.path.removeprefix("<memory>/")
    path.write_bytes(b"\xff\x00{damaged")
    for line in (("status",), ("remember", "Reviews are on Mondays"), ("search", "Deploys"), ("list",)):
        assert recall(root, *line).code == 0, line
    archived = recall(root, "archive", transcript(environment, 1, [("user", "Why?"), ("assistant", "The cache.")]))
    if entry.on_damage == "stops":
        assert archived.code == 1 and path.name in archived.err
    else:
        assert archived.code == 0 and "Deploys" in bench.layout.memory_file.read_text()


def test_every_file_that_a_life_leaves_is_in_the_registry(environment: Environment, recall: Recall) -> None:
    bench = bench_at(environment)
    root = f"--root={bench.store.root}"
    talk = [("user", "Which cache?"), ("assistant", "We decided to use Valkey, because Redis changed its licence.")]
    for line in (
        ("remember", "Deploys are on Tuesdays"),
        ("archive", transcript(environment, 1, talk)),
        ("dream",),
        ("undo",),
        ("search", "Valkey"),
    ):
        assert recall(root, *line).code in (0, 1)
    written = [path.relative_to(bench.store.state) for path in bench.store.state.rglob("*") if path.is_file()]
    assert [name for name in map(Path.as_posix, written) if find_entry(name) is None] == []
    assert len(written) > 5
