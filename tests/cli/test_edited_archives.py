"""An archive that somebody edited is found, shown and forgotten by its session like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.features.capture.note_samples import TALK, Way, below_a_note, with_two_heads, without_session
from tests.makers import bench_at, transcript


@pytest.mark.long
@pytest.mark.parametrize("way", [below_a_note, without_session, with_two_heads], ids=lambda way: way.__name__)
def test_an_archive_that_was_edited_is_found_and_forgotten_by_its_session(
    environment: Environment, recall: Recall, way: Way
) -> None:
    bench = bench_at(environment)
    source = transcript(environment, 1, TALK)
    path = Path(bench.capture(source).archive)
    path.write_text(way(path.read_text()))
    source.unlink()
    assert "6379" in recall("show", source.stem).out
    assert "port" in recall("search", "--ranked", "which port").out
    assert recall("forget", source.stem, stdin="y\n").code == 0
    assert not path.exists() and "6379" not in "".join(one.read_text() for one in environment.cwd.rglob("*.md"))
