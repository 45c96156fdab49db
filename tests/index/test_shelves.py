"""Shelves that are made anew beside the old ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from recall_tui.errors import BrokenFileError
from recall_tui.index.ingest import compaction as copying
from recall_tui.index.text import partitions as shelves
from recall_tui.index.text.partitions import PARTITIONS


def test_what_was_condemned_meanwhile_is_not_taken_over(tmp_path: Path) -> None:
    folder = tmp_path / "passages"
    shelves.create_index(folder, print)
    shelves.begin_rebuild(folder, PARTITIONS)
    shelves.mark_corrupt(folder)
    with pytest.raises(BrokenFileError) as refused:
        shelves.finish_rebuild(folder, PARTITIONS)
    assert refused.value.hint == "run: recall-tui sync"


@pytest.mark.parametrize(
    "use",
    [shelves.partition_paths, shelves.remove_obsolete, copying.crowded_partitions, copying.partitions_with_deleted],
)
def test_no_shelf_is_guessed_at_or_removed_when_the_mark_cannot_be_read(
    use: Callable[[Path], object], tmp_path: Path
) -> None:
    folder = tmp_path / "passages"
    shelves.create_index(folder, print)
    shelves.begin_rebuild(folder, PARTITIONS)
    shelves.finish_rebuild(folder, PARTITIONS)
    mark = folder / shelves.FORMAT_FILE
    mark.rename(tmp_path / "mark")
    mark.mkdir()
    before = sorted(folder.rglob("*"))
    with pytest.raises(BrokenFileError) as refused:
        use(folder)
    assert refused.value.hint == "run: recall-tui sync"
    assert sorted(folder.rglob("*")) == before
