"""A memory of any layout with a file of every kind, under names of every kind, and a clock to live by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.features.curation.remember import remember
from recall_tui.storage.layout import Layout, LocatedMemory, make_layout
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import transcript

TALK = [("user", "Fix the token refresh race"), ("assistant", "We use a lock around the refresh now.")]
NAMES = (
    "a b.md",
    "naïve – ü.md",
    "nai\u0308ve.md",
    "日本語.md",
    "-rf.md",
    "$(touch x);`y`.md",
    "[/x] [b].md",
    "\u202eevil.md",
    "new\nline.md",
    "CON.md",
    "con.md",
    "quote\"'.md",
    "back\\slash.md",
    "x" * 240 + ".md",
)
CONTENTS = (
    b"# Notes\r\n\r\n- one\r\n",
    b"no final newline",
    b"caf\xe9 \xff\xfe\x00\n",
    b"",
    "\ufeff# \u202e 😀 \x1b[31m \u2028 日本語\n".encode(),
    b'---\ntitle: [broken\n---\n\n]], "lines": []}\n',
    b'{"sha256": "0"}\n' * 40,
)


@dataclass
class Calendar:
    """A clock that is turned by hand."""

    at: datetime = NOON

    def __call__(self) -> datetime:
        """The time."""
        return self.at

    def next_day(self, days: int = 1) -> date:
        """The day after, or so many days on."""
        self.at += timedelta(days=days)
        return self.at.date()


def hostile_files(layout: Layout) -> Iterator[Path]:
    """Files with odd names at the places where a person, or an agent, keeps files of their own."""
    for folder in (layout.topics, layout.wiki, layout.wiki / "deep" / "er", layout.weekly, layout.monthly):
        yield from (folder / name for name in NAMES)


def lived_in(environment: Environment, name: str, clock: Calendar | None = None, root: Path | None = None) -> Workbench:
    """A memory of the layout `name` with something in every place that it has."""
    clock = clock or Calendar()
    roots = {"user": environment.claude, "claude-project": environment.claude / "projects" / "-home-u-api"}
    layout = make_layout(root or roots.get(name, environment.cwd), name)  # type: ignore[arg-type]
    bench = Workbench.at(LocatedMemory(layout, "made for a trial"), environment, clock)
    bench.initialise()
    for number in (1, 2):
        bench.capture(transcript(environment, number, TALK, start=clock.at - timedelta(days=9 - number)))
    bench.apply(remember, "The staging database is called heron")
    for at, path in enumerate(hostile_files(layout)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(CONTENTS[at % len(CONTENTS)])
    day = clock.at.date().isoformat()
    texts = {
        layout.wisdom: "# Wisdom\n\n- keep\n",
        layout.dreams: "# Dreams\n",
        layout.identity: "# Identity\n\nan agent\n",
        layout.master: "# Master\n",
        layout.days / f"{day}.md": f"# {day}\n\n- a line\n",
        layout.weekly / "2026-W09.md": "# Week\n",
        layout.monthly / "2026-02.md": "# Month\n",
    }
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(text)
    return bench
