"""What goes on around an open app: sessions that come, grow and go, hooks that write, files that an editor saves.

All of it is on a memory of its own, made of the shared real transcripts where there are any. As much goes as comes:
what an app holds more of in the end is not more that there is to hold.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.storage.layout import LocatedMemory, make_layout
from recall_tui.workbench import Workbench, local_now
from tests import hooks
from tests.makers import records, session_id_of, write_transcript
from tests.processes import Machine

WORDS = (
    "token",
    "refresh",
    "race",
    "parser",
    "cache",
    "lock",
    "index",
    "window",
    "archive",
    "session",
    "deploy",
    "test",
)
MADE = 60
"""Sessions that are made when there are no real ones."""
FIRST_NEW = 10_000
"""The number of the first session that comes while the app is open."""
STAYING = 8
"""Of the sessions that came: the last ones, which grow."""


def world(folder: Path, most: int | None = None) -> Workbench:
    """A memory that holds the real sessions, at most so many, with their transcripts beside it; its clock runs."""
    home = folder / "home"
    root = home / "agent"
    root.mkdir(parents=True)
    environment = Environment(home, root, {"RECALL_STATE": str(folder / "state"), "HOME": str(home)})
    bench = Workbench.at(LocatedMemory(make_layout(root, "entity"), "made"), environment, local_now)
    bench.initialise()
    _transcripts(environment, most)
    for path in sorted((environment.claude / "projects").rglob("*.jsonl")):
        bench.capture(path)
    topics = "".join(f"## Topic {n}\n\n" + "".join(f"- {' '.join(WORDS)} {n}.{m}\n" for m in range(20)) + "\n"
                     for n in range(9))  # fmt: skip
    bench.layout.memory_file.write_text(f"# Memory\n\n{topics}", encoding="utf-8")
    for number in range(12):
        page = (
            f"---\nname: Page {number}\ncategory: concept\n---\n# Page {number}\n\nSee [[page-{(number + 1) % 12}]].\n"
        )
        path = bench.layout.wiki / f"page-{number}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(page, encoding="utf-8")
    bench.sync()
    return bench


def _transcripts(environment: Environment, most: int | None) -> None:
    folder = os.environ.get("RECALL_TEST_DATA")
    real = sorted(Path(folder).rglob("*.jsonl")) if folder else []
    for path in [path for path in real if path.name != "queries.jsonl"][:most]:
        target = environment.claude / "projects" / path.parent.name / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    for number in range(0 if real else min(MADE, most or MADE)):
        _session(environment, number, 20, random.Random(number))


def _session(environment: Environment, number: int, turns: int, chance: random.Random) -> Path:
    own = session_id_of(number)
    said = [("assistant" if turn % 2 else "user", " ".join(chance.choices(WORDS, k=20))) for turn in range(turns)]
    start = local_now() - timedelta(minutes=turns)
    path = environment.claude / "projects" / "-home-u-api" / f"{own}.jsonl"
    return write_transcript(path, records(own, said, start=start))


class Churn:
    """Does one thing at a time, as often as it is asked to."""

    def __init__(self, bench: Workbench, seed: str) -> None:
        self.bench = bench
        self.machine = Machine(bench.store.environment, bench.layout.root)
        self.done: dict[str, int] = {}
        self._chance = random.Random(seed)
        self._numbers = count(FIRST_NEW)
        self._open: list[Path] = []
        self._does: dict[str, tuple[Callable[[], object], int]] = {
            "sessions begun": (self._begin, 2),
            "sessions grown": (self._grow, 8),
            "hooks called": (self._hook, 3),
            "files saved": (self._save, 6),
            "files remade": (self._remake, 2),
        }

    def step(self) -> None:
        """Do one of what there is to do."""
        names = list(self._does)
        (name,) = self._chance.choices(names, [self._does[one][1] for one in names])
        self._does[name][0]()
        self.done[name] = self.done.get(name, 0) + 1

    def _begin(self) -> None:
        self._open.append(_session(self.bench.store.environment, next(self._numbers), 4, self._chance))
        while len(self._open) > STAYING:
            self._end(self._open.pop(0))

    def _end(self, path: Path) -> None:
        """The person has the memory forget the session, and the agent clears its transcript away."""
        forgotten = self.machine.run("forget", path.stem, "--yes", "--json")
        assert forgotten.code == 0, forgotten
        path.unlink()
        self.done["sessions forgotten"] = self.done.get("sessions forgotten", 0) + 1

    def _one(self) -> Path:
        if not self._open:
            self._begin()
        return self._chance.choice(self._open)

    def _grow(self) -> None:
        path = self._one()
        with path.open("a", encoding="utf-8") as file:
            for row in records(path.stem, [("user", " ".join(self._chance.choices(WORDS, k=8)))],
                               start=local_now(), seed=str(self._chance.random())):  # fmt: skip
                file.write(json.dumps(row) + "\n")

    def _hook(self) -> None:
        path = self._one()
        event = self._chance.choice(("SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd"))
        more = {"prompt": "what of the token refresh"} if event == "UserPromptSubmit" else {}
        answered = hooks.called(self.machine, hooks.said(event, path.stem, path, cwd="/home/u/api", **more))
        assert answered.is_sound(), answered

    def _save(self) -> None:
        """Another program's line at the end of a file, in the place of the one it put there before."""
        layout = self.bench.layout
        path = self._chance.choice([layout.memory_file, *sorted(layout.wiki.glob("page-*.md"))])
        text = path.read_text(encoding="utf-8").partition("\nsaved ")[0]
        path.write_text(f"{text}\nsaved {self._chance.random()}\n", encoding="utf-8")

    def _remake(self) -> None:
        """A topic file that comes and goes, and with it what the folder's watcher knows."""
        path = self.bench.layout.topics / "scratch.md"
        if path.exists():
            path.unlink()
        else:
            path.write_text("# Scratch\n\n- a note\n", encoding="utf-8")
