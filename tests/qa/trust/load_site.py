"""A history of years and the steps that are measured on it, each in processes of its own.

What was measured is kept beside the history with the commit it was measured at, so that steps can be run apart and at
different times; those of another commit are measured again, from an empty memory on.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.storage.files.lock import acquire
from tests.qa.bench import app, corpus, hooks, scale
from tests.qa.bench.bench_site import Site, counter, say
from tests.qa.bench.corpus import Language
from tests.qa.bench.measure import Ran, fail, percentile, run, size_of
from tests.qa.trust.table import commit

LONG = 10_000
"""Messages that two of the transcripts have more than the others."""
QUESTIONS = 12
SHORT = 3
"""How often a command that takes seconds is run."""
STEPS = "steps.json"
SEED = 1


@dataclass(frozen=True, slots=True)
class Measured:
    """What a step took."""

    cpu: float
    """Seconds of processors, or milliseconds of them where the step is one question or key."""
    wall: float
    own_mb: float = 0.0
    """The most memory it held, without mapped files; 0 where it is not looked at."""
    facts: dict[str, float | int | str] | None = None
    """What it said of itself."""


@dataclass
class Load:
    """One size of the history."""

    folder: Path
    sources: int
    messages: int

    @cached_property
    def site(self) -> Site:
        self.folder.mkdir(parents=True, exist_ok=True)
        return Site(self.folder.resolve(), SEED, {})

    @cached_property
    def commit(self) -> str:
        """What is measured, as it was when this was begun."""
        return commit()

    @cached_property
    def language(self) -> Language:
        return corpus.language(SEED, os.environ)

    def measured(self, name: str, turn: str = "") -> Measured:
        """What the step takes, or took if it was measured at this commit; `turn` tells one time from another."""
        found = self._stored()
        if name + turn not in found:
            say(f"{self.sources:,} sessions: {name}{turn}")
            found[name + turn] = STEPS_IN_ORDER[name](self)
            self._store(found)
        return found[name + turn]

    def make(self) -> None:
        """Make the history unless it is there."""
        long = min(LONG, self.messages // 20)
        recipe = {
            "messages": self.messages,
            "sources": self.sources,
            "seed": SEED,
            "words": len(self.language.words),
            "long": long,
        }

        def write() -> int:
            tell = counter(self.sources, "transcripts")
            corpus.write(self.site.home, self.messages - 2 * long, self.sources, SEED, self.language, tell)
            for path in self.transcripts()[:2]:
                corpus.grow(path, long, SEED, self.language)
            return size_of(self.site.home)

        if not self._stored():
            shutil.rmtree(self.site.root, ignore_errors=True)
            self.site.make(recipe, self.site.home, write)
            self.run("init", str(self.site.root), "--no-install", "--layout", "entity")

    def _stored(self) -> dict[str, Measured]:
        path = self.folder / STEPS
        kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        of_this = kept.get("commit") == self.commit and kept.get("sources") == self.sources
        return {name: Measured(**one) for name, one in kept["steps"].items()} if of_this else {}

    def _store(self, found: dict[str, Measured]) -> None:
        steps = {
            name: {"cpu": one.cpu, "wall": one.wall, "own_mb": one.own_mb, "facts": one.facts}
            for name, one in found.items()
        }
        kept = {"commit": self.commit, "sources": self.sources, "steps": steps}
        (self.folder / STEPS).write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")

    def transcripts(self) -> list[Path]:
        """Every transcript there is."""
        return sorted(self.site.home.rglob("*.jsonl"))

    def run(self, *words: str, stdin: str = "") -> Ran:
        """A command of the program, which must end well."""
        done = run(self.site.command(*words), self.site.env, self.folder, stdin)
        fail(words[0], done)
        return done


def between(one: Measured, other: Measured) -> Measured:
    """The middle of two times that the same was measured."""
    cpu, wall, own = ((getattr(one, name) + getattr(other, name)) / 2 for name in ("cpu", "wall", "own_mb"))
    return Measured(cpu, wall, own, one.facts)


def _of(done: Ran, facts: dict[str, float | int | str] | None = None) -> Measured:
    return Measured(done.cpu, done.seconds, done.own_mb, facts)


def _command(*words: str, times: int = 1) -> Callable[[Load], Measured]:
    """A command; of several runs the middle one, for what takes seconds depends on what the system has at hand."""
    return lambda load: _of(_middle([load.run(*words) for _ in range(times)]))


def _middle(ran: Sequence[Ran]) -> Ran:
    return sorted(ran, key=lambda one: one.cpu)[len(ran) // 2]


def _archive(load: Load) -> Measured:
    """Every session into an empty memory."""
    for folder in (load.site.root, load.folder / "state"):
        shutil.rmtree(folder, ignore_errors=True)
    load.run("init", str(load.site.root), "--no-install", "--layout", "entity")
    done = load.run("archive", "--all-unarchived", "--quiet")
    made = len(list((load.site.root / "memory" / "conversations").glob("*.md")))
    return _of(done, {"archives": made, "bytes": size_of(load.site.home)})


def _sync(load: Load) -> Measured:
    """Everything into an empty index."""
    shutil.rmtree(load.folder / "state" / "index", ignore_errors=True)
    done = load.run("sync", "--json")
    told = json.loads(done.out)
    return _of(done, {name: told[name] for name in ("passages", "added", "failed")})


def _one_more(load: Load) -> Measured:
    """A sync after one session went on and another began; both are taken back."""
    path = load.transcripts()[2]
    size = path.stat().st_size
    corpus.grow(path, scale.GROWN, SEED, load.language)
    new = corpus.write_one(load.site.home, load.sources, 10 * scale.GROWN, SEED, load.language)
    done = load.run("sync", "--json")
    told = json.loads(done.out)
    os.truncate(path, size)
    new.unlink()
    load.run("sync")
    return _of(done, {name: told[name] for name in ("passages", "added", "changed")})


def _asked(load: Load) -> Measured:
    """Questions to an index that is open."""
    times = scale.times_in_process(load.site, load.language, time.process_time)
    return Measured(percentile(times, 0.95), 0.0, facts={"p50": percentile(times, 0.5)})


def _asked_as_process(load: Load) -> Measured:
    """Questions as whole processes."""
    asked = scale.questions(load.language, SEED + 1, 1)
    load.run("search", "--ranked", "--no-sync", asked[0])
    ran = [load.run("search", "--ranked", "--no-sync", question) for question in asked]
    cpu, wall = ([getattr(one, name) for one in ran] for name in ("cpu", "seconds"))
    facts: dict[str, float | int | str] = {"p50": percentile(cpu, 0.5) * 1000}
    return Measured(percentile(cpu, 0.95), percentile(wall, 0.95), max(one.own_mb for one in ran), facts)


def _app(what: str, told_as: str) -> Callable[[Load], Measured]:
    def step(load: Load) -> Measured:
        told, done = app.process(what, load.site.root, load.site.home, load.folder)
        return _of(done, {name: value for name, value in told.items() if name.startswith(told_as)})

    return step


def _hook(load: Load) -> Measured:
    """What an agent waits for when a session starts, while nothing else is begun."""
    environment = Environment(load.site.home, load.folder, load.site.env)
    said = hooks.calls("start", iter(load.transcripts()[2:3]), iter(()), load.folder)
    with acquire(environment.of_memory(load.site.root) / "catch-up.lock", "load", 5.0):
        ran = [load.run("hook", stdin=said) for _ in range(5)]
    return _of(_middle(ran))


STEPS_IN_ORDER: dict[str, Callable[[Load], Measured]] = {
    "archive": _archive,
    "archive, nothing new": _command("archive", "--all-unarchived", "--quiet", times=SHORT),
    "sync": _sync,
    "sync, nothing new": _command("sync", times=SHORT),
    "sync, one more": _one_more,
    "build": _command("index"),
    "search": _asked,
    "search, process": _asked_as_process,
    "app, painted": _app("paint", "first paint"),
    "app, usable": _app("usable", "usable"),
    "app, typing": _app("typing", "key to ranked"),
    "doctor": _command("doctor", times=SHORT),
    "doctor --deep": _command("doctor", "--deep", times=SHORT),
    "status": _command("status", times=SHORT),
    "hook": _hook,
}
"""What is measured, in an order in which each finds what it needs."""


def sizes(folder: Path, sources: int, messages: int, times: int) -> Sequence[Load]:
    """The history at a part of its size, and whole."""
    return [Load(folder / f"{size}", size, messages * size // sources) for size in (sources // times, sources)]
