"""A wiki with something of every kind, and what a test reads off its screen."""

from __future__ import annotations

from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.wiki.screen import WikiScreen
from recall_tui.workbench import Workbench
from tests.tui.hostile import NASTY
from tests.tui.piloting import settled

BROKEN = "\nIt has no category, so it is no page; the words are there.\n"


def write(bench: Workbench, slug: str, body: str, head: str = "") -> None:
    """A page of the memory's wiki as a person or an agent writes it."""
    bench.layout.wiki.mkdir(parents=True, exist_ok=True)
    name = head or f"name: {slug}\ndescription: about {slug}\ncategory: concept\nsources: [a.md, b.md]\n"
    path = bench.layout.wiki / f"{slug}.md"
    path.write_text(f"---\n{name}---\n{body}", encoding="utf-8", errors="replace")


def hostile_wiki(bench: Workbench) -> Workbench:
    """The memory with pages that mean no good."""
    quoted = NASTY.encode("utf-8", "replace").decode().replace('"', "").replace("\\", "").replace("'", "")
    clean = "".join(one for one in quoted if one.isprintable())
    head = (
        f"name: '{clean}'\ndescription: '{clean}'\ncategory: entity\nsources: ['{clean}', ../../../etc/passwd]\n"
        f"supersedes:\n  - {{source: '{clean[:40]}', fact: '{clean}', supersededOn: 2026-13-45}}\n"
    )
    links = f"[[a|[/x]{NASTY}]] [[../../etc/passwd]] [[]] [[b\x1b[31m]] [x](javascript:y)"
    body = f"\n{NASTY}\n\n{links}\n\n- [[a|**]] `[[c]]`\n"
    write(bench, "evil", body, head)
    write(bench, "broken", NASTY, "name: x\n")
    (bench.layout.wiki / "bytes.md").write_bytes(b"---\ncategory: concept\n---\n\xff\xfe [[evil]]\x00\n")
    return bench


def screen_of(app: RecallApp) -> WikiScreen:
    """The wiki."""
    assert isinstance(app.screen, WikiScreen)
    return app.screen


def rows_of(app: RecallApp) -> list[str]:
    """The rows of the list that is shown."""
    screen = screen_of(app)
    rows = screen.findings if screen.is_linting else screen.pages
    return [" ".join(rows.draw(item, 60).plain.split()) for item in rows.items]  # type: ignore[arg-type]


def text_of(app: RecallApp) -> str:
    """The page that is read, as its source."""
    return screen_of(app).view.document.text


def slug_of(app: RecallApp) -> str:
    """The slug of the page that is read."""
    shown = screen_of(app).shown
    return shown[1] if shown else ""


async def opened(pilot, *keys: str) -> None:
    """Open the screen and press keys."""
    await settled(pilot)
    for key in ("4", *keys):
        await pilot.press(key)
        await settled(pilot)
