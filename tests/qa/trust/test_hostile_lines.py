"""A line beyond all measure takes no more than its length: in time, in memory, and nothing of it is lost."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from tests.qa.trust.long_lines import at_work, outrageous

pytestmark = pytest.mark.long


@pytest.mark.parametrize("size", [200_000, pytest.param(10 << 20, marks=pytest.mark.soak)])
def test_every_command_works_on_it_in_bounded_time_and_memory(environment: Environment, size: int) -> None:
    assert [why for took in at_work(environment, size) if (why := outrageous(took, size))] == []
