"""A line beyond all measure takes no more than its length: in time, in memory, and nothing of it is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.paths import Places
from tests import tmux
from tests.trust import long_app
from tests.trust.long_lines import at_work, outrageous


@pytest.mark.parametrize("size", [200_000, pytest.param(10 << 20, marks=pytest.mark.soak)])
def test_every_command_works_on_it_in_bounded_time_and_memory(places: Places, size: int) -> None:
    assert [why for took in at_work(places, size) if (why := outrageous(took, size))] == []


@pytest.mark.parametrize("size", [30_000, pytest.param(1 << 20, marks=pytest.mark.soak)])
def test_the_app_reads_and_copies_it_whole_and_takes_no_more_than_its_length(tmp_path: Path, size: int) -> None:
    small, large = (long_app.measured(one, tmp_path / str(one)) for one in (size, 10 * size))
    assert long_app.outrageous(small, large, 10) == []
    assert {step.name for step in large.steps} >= {f"{kind}: copy" for kind in long_app.KINDS}
    if tmux.is_installed():
        assert long_app.shown_in_terminal(tmp_path / str(10 * size)) == []
