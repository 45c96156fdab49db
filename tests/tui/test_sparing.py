"""What was freed goes back to the system."""

from __future__ import annotations

import sys

import pytest

from recall_tui.tui import sparing
from tests.trust.holding import held

BLOCKS, BYTES = 3_000, 20_000


@pytest.mark.skipif(sys.platform != "linux", reason="other systems give back what was freed by themselves")
def test_freed_memory_is_given_back() -> None:
    blocks = [bytes([1]) * BYTES for _ in range(BLOCKS)]
    # What lies above them keeps the heap from shrinking by itself.
    above = [bytes([2]) * BYTES for _ in range(4)]
    del blocks
    before = held().own_kb
    sparing.give_back()
    assert before - held().own_kb > BLOCKS * BYTES // 1024 // 2
    assert above
