"""A timer whose moment is over fires, and the app goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import CHECKOUT

LONGEST = 120.0
"""Seconds after which a process that stands still is ended."""
_PROGRAM = """
import asyncio, sys
from pathlib import Path
from time import time
from textual.notifications import Notification
from textual.widgets._toast import Toast, ToastHolder, ToastRack
from recall_tui.tui.screens.first_run import demo
from recall_tui.tui.app import RecallApp
from recall_tui.workbench import Workbench

async def main():
    copy = demo.create_demo(Path(sys.argv[1]))
    app = RecallApp(Workbench.open(copy.root, environment=copy.environment, now=demo.demo_now), copy.environment)
    async with app.run_test(notifications=True) as pilot:
        late = Notification("late", timeout=5.0, raised_at=time() - 5.0 - float(sys.argv[2]))
        await app.screen.get_child_by_type(ToastRack).mount(ToastHolder(Toast(late)))
        while app.screen.query(Toast):
            await pilot.pause(0.01)

asyncio.run(main())
print("the app goes on")
"""


@pytest.mark.long
@pytest.mark.parametrize("seconds", ["0", "0.0001", "6"])
def test_a_toast_whose_time_was_over_before_it_was_shown_goes(tmp_path: Path, seconds: str) -> None:
    line = [sys.executable, "-c", _PROGRAM, str(tmp_path / "sample"), seconds]
    done = subprocess.run(line, cwd=CHECKOUT, capture_output=True, text=True, timeout=LONGEST)
    assert done.stdout.endswith("the app goes on\n"), done.stderr
