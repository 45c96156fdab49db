"""The app on a clone with links, devices and files with holes: no screen shows what they lead to, and none hangs."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from tests.qa.trust.hostile_files import PRIVATE, Laid, beside, cloned, documents_of
from tests.qa.trust.hostile_screens import SCREENS, SIZE, drawn
from tests.tui.conftest import app_on, still_app  # noqa: F401
from tests.tui.piloting import AppMaker, pressed, search, settled, toasts

pytestmark = pytest.mark.long


@pytest.mark.parametrize("thing", ["link", "zeros", "pipe", "sparse"])
@pytest.mark.parametrize("name", ["entity", "project", "hierarchical"])
async def test_no_screen_shows_what_others_laid(
    environment: Environment,
    tmp_path: Path,
    app_on: AppMaker,  # noqa: F811
    name: LayoutName,
    thing: str,
) -> None:
    bench = cloned(environment, name)
    laid = Laid(tmp_path / "outside")
    for path in (*documents_of(bench.layout), *beside(bench.layout)):
        laid.lay(path, thing)
    app = app_on(bench)
    found: list[str] = []
    async with app.run_test(size=SIZE) as pilot:
        for screen in SCREENS:
            for keys in ((screen,), ("down",), ("enter",), ("escape",)):
                await pressed(pilot, *keys)
                found += [f"{screen} {keys[0]} shows {one}" for one in laid.found_in(drawn(app).encode())]
        await pressed(pilot, "1")
        await search(pilot, PRIVATE)
        for key in ("down", "enter", "y", "escape"):
            await pressed(pilot, key)
        await settled(pilot)
        found += [f"a note says {one}" for said in toasts(app) for one in laid.found_in(said.encode())]
        found += list(laid.found_in(app.clipboard.encode()))
    assert app._exception is None
    assert found == []
