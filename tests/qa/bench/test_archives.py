"""The made-up archives are such as the program writes, can be indexed, and are the same again."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.archives import index_file
from recall_tui.storage.archives.body import parse_body
from recall_tui.storage.archives.file import parse_tags, read_body, read_entry, read_summary
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import tree
from tests.qa.bench import archives, corpus

FILES = 4


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _written(tmp_path_factory.mktemp("bench") / "agent", seed=1)


def _written(root: Path, seed: int) -> Path:
    told: list[int] = []
    size = archives.write(root, FILES, seed, corpus.made_up_language(1), told.append)
    assert told == list(range(1, FILES + 1))
    assert size == sum(path.stat().st_size for path in (root / "memory" / "conversations").iterdir())
    return root


@pytest.mark.long
def test_the_same_seed_makes_the_same_archives_and_another_one_others(root: Path, tmp_path: Path) -> None:
    assert tree(_written(tmp_path / "again", seed=1)) == tree(root)
    assert tree(_written(tmp_path / "other", seed=2)) != tree(root)


def test_every_archive_reads_back_as_one_that_the_program_wrote(root: Path) -> None:
    rows = index_file.parse_rows((root / "memory" / "ARCHIVE.md").read_text())
    files = sorted((root / "memory" / "conversations").iterdir())
    assert [row.number for row in rows] == list(range(1, FILES + 1)) and len(files) == FILES
    for row, path in zip(rows, files, strict=True):
        entry, text = read_entry(path), path.read_text()
        assert entry is not None and (entry.number, entry.session_id) == (row.number, row.session_id)
        assert entry.date is not None and entry.messages == row.messages > 0
        kinds = [message.kind for message in parse_body(text)]
        assert {"prompt", "reply", "thought", "tool_call", "tool_result"} == set(kinds)
        assert read_summary(text) and parse_tags(text).tools and read_body(text).startswith("---\n\n### User")


def test_they_are_about_as_large_as_their_number_promises(root: Path) -> None:
    size = sum(path.stat().st_size for path in (root / "memory" / "conversations").iterdir())
    assert 0.5 < size / (FILES * archives.BYTES_OF_FILE) < 2


def test_all_of_them_can_be_found(root: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    environment = Environment(home=tmp_path / "home", cwd=tmp_path, env={"RECALL_STATE": str(tmp_path / "state")})
    bench = Workbench.open(root, layout="entity", environment=environment, now=lambda: NOON)
    assert bench.sync().added == FILES
    answer = bench.search("the error in the test", sync=False)
    assert {hit.kind for hit in answer.hits} == {"conversation"} and answer.total == FILES


def test_a_large_memory_must_be_searched_faster_than_it_is_read() -> None:
    assert archives.budgets(1e8)[archives.RATIO] == 6.0
    assert archives.budgets(2e9)[archives.RATIO] < 1.0
