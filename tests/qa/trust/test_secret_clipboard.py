"""The app on a memory full of secrets: whatever key copies, and whatever is selected, none reaches the clipboard."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

import pytest
from textual.actions import SkipAction

from recall_tui.environment import Environment
from recall_tui.tui.app import RecallApp
from recall_tui.workbench import Workbench
from tests.makers import bench_at, transcript
from tests.qa.trust.leaks import Leaks
from tests.qa.trust.planted import SPLIT, Plant, plants
from tests.tui.conftest import app_on, still_app  # noqa: F401
from tests.tui.piloting import AppMaker, pressed, search, settled

pytestmark = pytest.mark.long

SIZE = (120, 36)
SCREENS = tuple("1234567")
PLANTS = [
    plant for plant in plants() if plant.carrier in ("prompt", "reply-fenced", "environment-dump", "numbered-lines")
]
_OSC_52 = re.compile(r"\x1b\]52;c;([A-Za-z0-9+/=]*)(?:\a|\x1b\\\\)")


def by_hand(environment: Environment) -> Workbench:
    """A memory in which a person wrote the plants into every kind of document."""
    bench = bench_at(environment)
    bench.capture(
        transcript(environment, 1, [("user", "Help me with the shop"), ("assistant", "We decided on the shop.")])
    )
    layout = bench.layout
    parts = [PLANTS[at::6] for at in range(6)]
    pages = (layout.memory_file, layout.topics / "shop.md", layout.wiki / "shop.md", layout.days / "2026-03-06.md")
    for path, some in zip((*pages, layout.wisdom), parts, strict=False):
        path.parent.mkdir(parents=True, exist_ok=True)
        head = '---\nname: "Shop"\ndescription: "x"\ntype: "wiki"\ncategory: "project"\n---\n\n'
        path.write_text((head if path.parent == layout.wiki else "") + f"# Shop\n\n{_told(some)}\n", encoding="utf-8")
    path = layout.archives[0].folder / "conversation-001.md"
    path.write_text(f"{path.read_text()}\n{_told(parts[5])}\n", encoding="utf-8")
    return bench


def _told(some: list[Plant]) -> str:
    return "\n\n".join(f"## Part {at}\n\n{plant.text.replace(SPLIT, chr(10))}" for at, plant in enumerate(some))


def copies(app: RecallApp) -> Iterator[str]:
    """Select each widget of the screen, copy it, and give what is on the clipboard then."""
    for widget in app.screen.query("*"):
        app.screen.clear_selection()
        widget.text_select_all()
        try:
            app.screen.action_copy_text()
        except SkipAction:
            continue
        yield app.clipboard
    app.screen.clear_selection()


async def test_no_secret_reaches_the_clipboard(
    environment: Environment,
    app_on: AppMaker,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = by_hand(environment)
    bench.sync()
    app = app_on(bench)
    written: list[str] = []
    told: list[str] = []
    async with app.run_test(size=SIZE) as pilot:
        assert app._driver is not None
        monkeypatch.setattr(app._driver, "write", written.append)
        for screen in SCREENS:
            for keys in ((screen,), ("y",), ("down",), ("y",), ("enter",), ("y",), ("end",), ("y",), ("escape",)):
                await pressed(pilot, *keys)
                told.append(app.clipboard)
            told += copies(app)
        await pressed(pilot, "1")
        await search(pilot, "settings deployed shop")
        for key in ("down", "y", "down", "y", "enter", "y", "n", "y", "end", "y"):
            await pressed(pilot, key)
            told.append(app.clipboard)
        told += copies(app)
        await settled(pilot)
    sent = [base64.b64decode(one).decode() for text in written for one in _OSC_52.findall(text)]
    assert len(sent) >= 20 and app.clipboard in sent
    leaks = Leaks(PLANTS)
    for place, text in enumerate((*told, *sent)):
        leaks.look(f"copy {place}", text)
    assert leaks.found == []
    assert any("[redacted:" in text for text in sent)
