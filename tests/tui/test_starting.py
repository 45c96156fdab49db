"""The app starts without a pause for garbage, and collects it from the first paint on."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest

from recall_tui.tui.app import RecallApp
from recall_tui.tui.runtime import textual_repairs
from tests.tui.piloting import settled


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    """Leaves things as they were."""
    turn = sys.getswitchinterval()
    yield
    sys.setswitchinterval(turn)
    gc.unfreeze()
    gc.enable()


async def test_garbage_waits_for_the_first_paint(demo_app: RecallApp) -> None:
    textual_repairs.begin_startup()
    assert not gc.isenabled() and sys.getswitchinterval() == pytest.approx(textual_repairs.SWITCH_INTERVAL_SECONDS)
    async with demo_app.run_test() as pilot:
        await settled(pilot)
        assert gc.isenabled() and gc.get_freeze_count()


def test_nothing_is_frozen_where_nothing_was_held() -> None:
    textual_repairs.end_startup()
    assert gc.isenabled() and not gc.get_freeze_count()
