"""The marks of what was forgotten cannot be read or written: said, and nothing goes half or comes back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.files.temporary_files import TOMBSTONE_FOLDER
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.storage.state.tombstones import OBSTACLE_HINT
from tests.cli.conftest import Recall
from tests.features.erasure.erasure_samples import OTHER, TALK, WORD
from tests.makers import bench_at, session_id_of, transcript, tree
from tests.processes import Machine


def as_file(folder: Path, elsewhere: Path) -> None:
    folder.write_text("in the way\n")


def as_link_out(folder: Path, elsewhere: Path) -> None:
    elsewhere.mkdir()
    folder.symlink_to(elsewhere)


def as_broken_link(folder: Path, elsewhere: Path) -> None:
    folder.symlink_to(elsewhere)


@pytest.mark.long
@pytest.mark.parametrize("obstacle", [as_file, as_link_out, as_broken_link])
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_forget_refuses_before_it_changes_anything(
    recall: Recall, environment: Environment, tmp_path: Path, layout: str, obstacle: Callable[[Path, Path], None]
) -> None:
    bench = bench_at(environment, layout)
    bench.capture(transcript(environment, 1, TALK))
    root, folder = f"--root={bench.store.root}", bench.layout.base / TOMBSTONE_FOLDER
    obstacle(folder, tmp_path / "elsewhere")
    before = tree(bench.store.root), tree(bench.store.state)
    for words in (("forget", "1", "--yes"), ("forget", session_id_of(1), "--dry-run"), ("forget", "--undo", "1")):
        said = recall(root, *words)
        assert said.code != 0 and str(folder) in said.err and OBSTACLE_HINT in said.err, words
        assert (tree(bench.store.root), tree(bench.store.state)) == before
    assert str(folder) in recall(root, "doctor").out
    said = recall(root, "status")
    assert str(folder) in said.out + said.err
    folder.unlink()
    assert recall(root, "forget", session_id_of(1), "--yes").code == 0
    assert list(folder.iterdir())


@pytest.mark.long
@pytest.mark.parametrize("obstacle", [as_file, as_link_out])
def test_what_was_forgotten_does_not_come_back_through_it(
    recall: Recall, environment: Environment, tmp_path: Path, obstacle: Callable[[Path, Path], None]
) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    bench.capture(path)
    assert recall("forget", "1", "--yes").code == 0
    folder = bench.layout.base / TOMBSTONE_FOLDER
    folder.rename(tmp_path / "aside")
    obstacle(folder, tmp_path / "elsewhere")
    # Another state folder knows nothing of what was forgotten.
    env = {**environment.env, "RECALL_STATE": str(tmp_path / "other"), "HOME": str(environment.home)}
    machine = Machine(environment._replace(env=env), environment.cwd)
    said = machine.run("archive", str(path))
    assert said.code != 0 and str(folder) in said.err
    machine.run("archive", "--all-unarchived")
    event = f'{{"hook_event_name": "SessionEnd", "session_id": "{session_id_of(1)}", "transcript_path": "{path}"}}'
    assert machine.run("hook", stdin=event.encode()).code == 0
    for words in (("sync",), ("search", WORD), ("status",), ("consume",), ("list",), ("doctor",)):
        assert "Traceback" not in machine.run(*words).err
    assert WORD not in machine.run("search", WORD).out.decode()
    assert not [name for name, data in tree(environment.cwd).items() if WORD.encode() in data]
    folder.unlink()
    (tmp_path / "aside").rename(folder)
    assert machine.run("archive", str(transcript(environment, 2, OTHER))).code == 0
