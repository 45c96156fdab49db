"""Shelves that are made anew beside the old ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from recall_tui.errors import BrokenFileError
from recall_tui.index.text import partitions
from recall_tui.index.text.partitions import PARTITIONS


def test_what_was_condemned_meanwhile_is_not_taken_over(tmp_path: Path) -> None:
    folder = tmp_path / "passages"
    partitions.create_index(folder, print)
    partitions.begin_rebuild(folder, PARTITIONS)
    partitions.mark_corrupt(folder)
    with pytest.raises(BrokenFileError) as refused:
        partitions.finish_rebuild(folder, PARTITIONS)
    assert refused.value.hint == "run: recall-tui sync"


@pytest.mark.parametrize(
    "use",
    [
        partitions.partition_paths,
        partitions.remove_obsolete,
        partitions.crowded_partitions,
        partitions.partitions_with_deleted,
    ],
)
def test_no_shelf_is_guessed_at_or_removed_when_the_mark_cannot_be_read(
    use: Callable[[Path], object], tmp_path: Path
) -> None:
    folder = tmp_path / "passages"
    partitions.create_index(folder, print)
    partitions.begin_rebuild(folder, PARTITIONS)
    partitions.finish_rebuild(folder, PARTITIONS)
    mark = folder / partitions.FORMAT_FILE
    mark.rename(tmp_path / "mark")
    mark.mkdir()
    before = sorted(folder.rglob("*"))
    with pytest.raises(BrokenFileError) as refused:
        use(folder)
    assert refused.value.hint == "run: recall-tui sync"
    assert sorted(folder.rglob("*")) == before
