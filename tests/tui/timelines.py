"""A memory with a past, and what a test reads off the timeline."""

from __future__ import annotations

from datetime import date, timedelta

from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.first_run import demo
from recall_tui.tui.screens.timeline.labels import node_line
from recall_tui.tui.screens.timeline.screen import TimelineScreen
from recall_tui.workbench import Workbench
from tests.makers import transcript
from tests.tui.piloting import settled, typed

TODAY = date(2026, 3, 6)
WEEKLY = """---
type: weekly
period: 2026-W10
pointers: [memory/days/2026-03-05.md, memory/days/2026-03-01.md]
salience:
  memory/days/2026-03-05.md: 0.62
---
# Week 2026-W10

- The refresh race is fixed (conversations/conversation-014.md:17-30), as on [day:2026-03-03].
"""


def with_a_past(sample: Workbench) -> Workbench:
    """The sample memory with a day log, a weekly and a monthly page, and sessions of a year and a half before."""
    layout = sample.layout
    for folder, name, text in (
        (layout.days, "2026-03-05.md", "## 2026-03-05\n\nThe staging keys moved.\n"),
        (layout.weekly, "2026-W10.md", WEEKLY),
        (layout.monthly, "2026-02.md", "# 2026-02\n\nAll about events.\n"),
    ):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for number, days in ((1, 560), (2, 558)):
        talk = [("user", f"Question {number}?"), ("assistant", "An answer.")]
        transcript(sample.store.environment, number, talk, start=demo.DEMO_NOW - timedelta(days=days))
    return sample


def screen_of(app: RecallApp) -> TimelineScreen:
    """The timeline."""
    assert isinstance(app.screen, TimelineScreen)
    return app.screen


def rows_of(app: RecallApp) -> list[str]:
    """The rows of the tree as they are drawn."""
    return [node_line(node, 76, TODAY).plain.rstrip() for node in screen_of(app).time_tree.items]


def row_of(app: RecallApp) -> str:
    """The row under the cursor of the tree."""
    tree = screen_of(app).time_tree
    return rows_of(app)[tree.cursor].strip()


def where(app: RecallApp) -> str:
    """What the map says that it stands on."""
    return str(screen_of(app).heat.border_subtitle)


def shown(app: RecallApp) -> str:
    """What stands beside the tree."""
    return screen_of(app).evidence.view.document.text


async def opened(pilot, *keys: str) -> None:
    """Open the screen, wait until everything is known, and press keys."""
    await settled(pilot)
    for key in ("3", *keys):
        await pilot.press(key)
        await settled(pilot)


async def gone_to(pilot, words: str) -> None:
    """Type a date and go there."""
    await pilot.press("g")
    await settled(pilot)
    await typed(pilot, words)
    await settled(pilot)
    await pilot.press("enter")
    await settled(pilot)
