"""A session under the cursor is summarised: the summary is shown, saved on a yes, and taken back by a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.text_modal import PlanModal
from recall_tui.workbench import Workbench
from tests.makers import bench_at, session_id_of, transcript
from tests.models import FakeModel
from tests.tui.piloting import AppMaker, pressed, settled, toasts

WIDE = (120, 36)
TALK = [
    ("user", "Why do walruses sleep?"),
    ("assistant", "We decided to let them rest, for a tired walrus must not swim."),
]
SAID = {"title": "Walrus sleep", "summary": "Walruses sleep to rest.", "topics": ["walrus"]}


def words_of(app: RecallApp) -> str:
    assert isinstance(app.screen, PlanModal)
    return str(app.screen.query_one("#said Static").content)  # type: ignore[attr-defined]


def project(environment: Environment) -> tuple[Workbench, Path]:
    bench = bench_at(environment, "project")
    bench.capture(transcript(environment, 1, TALK, cwd=str(environment.cwd)))
    assert bench.layout.summaries is not None
    return bench, bench.layout.summaries / f"{session_id_of(1)}.md"


@pytest.mark.long
async def test_the_summary_is_shown_saved_on_a_yes_and_taken_back(environment: Environment, app_on: AppMaker) -> None:
    model = FakeModel(environment.home / "model", SAID)
    bench, page = project(environment)
    environment.env.update(model.env)  # type: ignore[attr-defined]
    before = page.read_bytes()
    app = app_on(Workbench.open(bench.store.root, environment=environment, now=bench.store.now))
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "s")
        shown = words_of(app)
        assert "+# Walrus sleep" in shown and "the first summary makes the first _memory/master.md" in shown
        await pressed(pilot, "escape")
        assert page.read_bytes() == before and not bench.layout.master.exists()
        await pressed(pilot, "s", "enter")
        assert "Walruses sleep to rest." in page.read_text() and bench.layout.master.exists()
        assert toasts(app)[-1].startswith("Summarised Walrus sleep   u undo")
        await pressed(pilot, "u")
        assert page.read_bytes() == before and not bench.layout.master.exists()


async def test_what_a_person_wrote_is_said_before_it_is_replaced(environment: Environment, app_on: AppMaker) -> None:
    bench, page = project(environment)
    page.write_text("# Mine\n\n## Context\n\nMy own words.\n")
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "s")
        assert words_of(app).startswith("▲ a person wrote or changed it") and "-My own words." in words_of(app)


async def test_a_summary_that_says_so_already_is_not_shown(environment: Environment, app_on: AppMaker) -> None:
    bench, _ = project(environment)
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "s")
        assert not isinstance(app.screen, PlanModal)
        assert "its summary says this already" in toasts(app)[-1]
        await settled(pilot)
