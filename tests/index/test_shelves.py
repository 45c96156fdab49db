"""Shelves that are made anew beside the old ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.errors import BrokenFileError
from recall_tui.index import shelves
from recall_tui.index.shelves import SHELVES


def test_what_was_condemned_meanwhile_is_not_taken_over(tmp_path: Path) -> None:
    folder = tmp_path / "passages"
    shelves.create(folder, print)
    shelves.begin_anew(folder, SHELVES)
    shelves.condemn(folder)
    with pytest.raises(BrokenFileError) as refused:
        shelves.take_over(folder, SHELVES)
    assert refused.value.hint == "run: recall-tui sync"
