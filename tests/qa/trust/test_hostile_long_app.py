"""The app reads, searches and copies a line beyond all measure whole, and takes no more for it than its length."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import tmux
from tests.qa.trust import long_app
from tests.qa.trust.long_app import Step, Walk, outrageous

MILLION = 1 << 20


@pytest.mark.long
def test_each_kind_of_document_is_read_and_copied_whole(tmp_path: Path) -> None:
    walk = long_app.measured(100_000, tmp_path)
    assert walk.wrong == []
    assert {step.name for step in walk.steps} >= {f"{kind}: copy" for kind in long_app.KINDS}


def test_what_grows_with_the_square_is_found_and_what_a_busy_machine_does_is_not() -> None:
    small = Walk([Step("open", 1.0, 100.0)])
    assert outrageous(small, Walk([Step("open", 20.0, 1_000.0)]), 10) == []
    assert outrageous(small, Walk([Step("open", 100.0, 1_000.0)]), 10) == [
        "open: 1.0 s, 100.0 MB, then 100.0 s, 1000.0 MB"
    ]
    assert len(outrageous(small, Walk([Step("open", 1.0, 10_000.0)]), 10)) == 1
    assert outrageous(small, Walk([Step("open", 1.0, 100.0)], ["it is not shown"]), 10) == ["it is not shown"]


@pytest.mark.soak
def test_it_takes_no_more_than_its_length_and_a_real_terminal_shows_it(tmp_path: Path) -> None:
    small, large = (long_app.measured(size, tmp_path / str(size)) for size in (MILLION, 10 * MILLION))
    assert outrageous(small, large, 10) == []
    if tmux.is_installed():
        assert long_app.shown_in_terminal(tmp_path / str(10 * MILLION)) == []
