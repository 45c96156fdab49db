"""One of many who work on the same memory at once: a process that runs one command after the other for a while.

Most run inside of it, some in processes of their own, and of those some are killed while they hold the memory's lock.
What it gave is told as JSON on stdout: `python -m tests.qa.trust.crowd_writer HOME STATE ROOT NUMBER SECONDS`.
"""

from __future__ import annotations

import io
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from datetime import timedelta
from itertools import count
from pathlib import Path

from recall_tui.cli.main import run
from recall_tui.environment import Environment
from recall_tui.workbench import local_now
from tests import hooks
from tests.makers import records, session_id_of, write_transcript
from tests.processes import Machine, killing
from tests.qa.trust.starting import begin

SESSIONS_EACH = 10_000
IMPORTS = """
from recall_tui.storage.journal import commits as journal, record as journal_record
from recall_tui.storage.files import compare_and_swap as swapping
"""
KILLS = (
    ("journal_record.FileChange.of", 1, "after"),
    ("journal_record.FileChange.apply", 1, "before"),
    ("journal_record.FileChange.apply", 1, "after"),
    ("journal_record.FileChange.apply", 2, "after"),
    ("swapping._swap", 1, "before"),
    ("swapping._swap", 1, "after"),
    ("journal.Journal._settle", 1, "before"),
)
"""Where a process is killed: in all of them it holds the lock."""
HELD_OUT = "is in use by"
"""What who waited for the lock in vain is told."""
PAGES = 6
"""Of the wiki, which all write on."""


class Writer:
    """Works on a memory, and keeps what it gave to it."""

    def __init__(self, machine: Machine, number: int) -> None:
        self.machine = machine
        self.number = number
        self.verbs: Counter[str] = Counter()
        self.given: dict[str, list[str]] = {}
        """What was said in the sessions that were archived, or that a hook was told of."""
        self.tried: dict[str, list[str]] = {}
        """The same of sessions whose process was killed."""
        self.told: list[str] = []
        """What was to be remembered."""
        self.troubles: list[str] = []
        self.kills = self.starts = self.held_out = 0
        self.slowest = 0.0
        self._chance = random.Random(f"writer {number}")
        self._count = count(number * SESSIONS_EACH)
        self._does: dict[str, tuple[Callable[[], object], int]] = {
            "archive": (self._archive, 5),
            "hook": (self._hook, 5),
            "hook process": (self._hook_process, 1),
            "killed": (self._killed, 1),
            "process": (self._process, 1),
            "remember": (self._remember, 5),
            "undo": (self._undo, 2),
            "wiki": (self._wiki, 3),
            **{name: (lambda words=words: self._call(*words), weight) for name, words, weight in SIMPLE},
        }

    def warm_up(self) -> None:
        """Import what the commands need, before the time runs."""
        for words in (("sync",), ("search", "--ranked", "matter"), ("doctor",), ("distill",), ("config", "show")):
            self._call(*words)

    def work(self, seconds: float) -> None:
        """Another task is running until the time is up."""
        until = time.monotonic() + seconds
        names = list(self._does)
        weights = [self._does[name][1] for name in names]
        while time.monotonic() < until:
            (name,) = self._chance.choices(names, weights)
            begun = time.monotonic()
            self._does[name][0]()
            self.slowest = max(self.slowest, time.monotonic() - begun)
            self.verbs[name] += 1

    def _call(self, *words: str, stdin: bytes = b"") -> int:
        """Run a command inside this process."""
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
        line = ["--verbose", *words] if words[0] != "hook" else list(words)
        with redirect_stdout(out), redirect_stderr(err):
            code = run([*line, "--root", str(self.machine.root)], environment=self.machine.environment, now=local_now)
        out.seek(0)
        err.seek(0)
        self.said = out.read()
        self._look(words, code, err.read())
        return code

    def _look(self, words: tuple[str, ...], code: int, said: str) -> None:
        """A failure that nobody foresaw is a trouble; so is a wait in vain."""
        if HELD_OUT in said:
            self.held_out += 1
        if "Traceback" in said or "panicked" in said or code not in (0, 1, 3):
            self.troubles.append(f"{' '.join(words)[:100]}: exit {code}: {said[-600:]}")

    def _session(self) -> tuple[Path, str, list[str]]:
        """A transcript of a session of its own."""
        number = next(self._count)
        own, turns = session_id_of(number), self._chance.randint(2, 12)
        words = [f"word{number}x{turn}" for turn in range(turns)]
        said = [("assistant" if turn % 2 else "user", f"the {word} of the matter") for turn, word in enumerate(words)]
        start = local_now() - timedelta(minutes=turns)
        path = self.machine.environment.claude / "projects" / "-home-u-api" / f"{own}.jsonl"
        return write_transcript(path, records(own, said, start=start)), own, words

    def _archive(self) -> None:
        path, own, words = self._session()
        if self._call("archive", str(path)) == 0:
            self.given[own] = words

    def _hook(self) -> None:
        path, own, words = self._session()
        for event in self._chance.choice((("SessionEnd",), ("PreCompact", "SessionEnd"))):
            told = hooks.said(event, own, path, cwd="/home/u/api")
            self._call("hook", stdin=json.dumps(told).encode())
        self.given[own] = words

    def _hook_process(self) -> None:
        path, own, words = self._session()
        answered = hooks.called(self.machine, hooks.said("SessionEnd", own, path, cwd="/home/u/api"))
        self.starts += 1
        if not answered.is_sound():
            self.troubles.append(f"hook: {answered}")
        self.given[own] = words

    def _process(self) -> None:
        path, own, words = self._session()
        process = self.machine.start("archive", str(path))
        self.starts += 1
        _, err = process.communicate()
        self._look(("archive", "process"), process.returncode, err.decode())
        if process.returncode == 0:
            self.given[own] = words

    def _killed(self) -> None:
        path, own, words = self._session()
        target, call, when = self._chance.choice(KILLS)
        process = self.machine.start("archive", str(path), before=killing(IMPORTS, target, call, when))
        process.communicate()
        self.starts += 1
        self.kills += process.returncode < 0
        self.tried[own] = words

    def _remember(self) -> None:
        word = f"told{self.number}x{len(self.told)}"
        topic = ("--topic", f"topic-{self._chance.randrange(4)}") if self._chance.random() < 0.6 else ()
        if self._call("remember", f"The matter is called {word}", *topic) == 0:
            self.told.append(word)

    def _undo(self) -> None:
        """Take back what it had remembered itself, if that is not long ago."""
        self._call("undo", "--list", "--json")
        rows = json.loads(self.said or "[]")
        rows = rows if isinstance(rows, list) else next(iter(rows.values()))
        own = [row["id"] for row in rows if f"told{self.number}x" in json.dumps(row)]
        self._call("undo", str(own[0])) if own else self._call("undo", "1000000")

    def _wiki(self) -> None:
        slug = f"page-{self._chance.randrange(PAGES)}"
        word = f"told{self.number}x{len(self.told)}"
        if self._call("wiki", "append", slug, "--source", "MEMORY.md", "--body", f"It says {word}.") == 0:
            self.told.append(word)


SIMPLE: tuple[tuple[str, tuple[str, ...], int], ...] = (
    ("sync", ("sync",), 2),
    ("search", ("search", "--ranked", "matter", "--no-sync"), 2),
    ("consume", ("consume",), 1),
    ("status", ("status",), 1),
    ("distill", ("distill", "--apply", "all"), 1),
    ("compact", ("compact", "weekly", "--yes"), 1),
    ("log", ("log", "what happened today"), 2),
    ("doctor", ("doctor", "--fix"), 1),
    ("config", ("config", "set", "search.sigma_days", "31"), 1),
    ("summarize", ("summarize", "1", "--yes"), 1),
    ("knowledge map", ("wiki", "knowledge-map"), 1),
    ("catch up", ("catch-up",), 1),
    ("review", ("review", "list"), 1),
)
"""Those that are told nothing of their own; `catch-up` also lets go of what is older than keep.days."""


def main(home: str, state: str, root: str, number: str, seconds: str) -> None:
    """Work, and tell what was given."""
    environment = Environment(Path(home), Path(root), {"RECALL_STATE": state, "HOME": home})
    writer = Writer(Machine(environment, Path(root)), int(number))
    writer.warm_up()
    begin()
    writer.work(float(seconds))
    names = ("verbs", "given", "tried", "told", "troubles", "kills", "starts", "held_out", "slowest")
    print(json.dumps({name: getattr(writer, name) for name in names}))


if __name__ == "__main__":
    main(*sys.argv[1:])
