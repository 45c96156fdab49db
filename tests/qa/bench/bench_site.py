"""Where a bench has its made-up person and memory, and the table of what it measured beside its budgets.

A folder that is kept is used again only for the same recipe; nothing that a person put there is ever removed.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.generate import table
from tests.qa.bench.measure import BARE, PROGRAM, Ran, fail, heading, percentile, process_env, run, seconds_of, size_of

RECIPE = "recipe.json"
NOMINAL_BARE = 0.008
"""Seconds of a bare interpreter on the machine that the budgets in seconds and milliseconds were written for."""
PACED = 7
"""Bare interpreters whose median tells how fast the machine is just now."""


@dataclass(slots=True)
class Site:
    """Where it all lies, and what was measured."""

    folder: Path
    seed: int
    budgets: Mapping[str, float]
    """The most that a number may be, by what it is called."""
    rows: list[tuple[str, ...]] = field(default_factory=list)
    is_over: bool = False
    timed: frozenset[str] = frozenset()
    """Budgets of time: on a machine that is slower they are as much longer as its bare interpreter is."""
    slowness: float = 1.0
    """How much longer a bare interpreter takes just now than where the budgets were written."""

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def root(self) -> Path:
        return self.folder / "agent"

    @property
    def env(self) -> dict[str, str]:
        return process_env(self.home, self.folder)

    def command(self, *words: str) -> list[str]:
        """The program's command on the memory."""
        return [*PROGRAM, "--root", str(self.root), *words]

    def sync(self) -> Ran:
        """Bring the index up to date in a process."""
        done = run(self.command("sync", "--json"), self.env, self.folder)
        fail("sync", done)
        return done

    def pace(self) -> None:
        """Look how fast the machine is just now."""
        bare = statistics.median(seconds_of(BARE, self.env, self.folder) for _ in range(PACED))
        self.slowness = bare / NOMINAL_BARE
        self.note("bare interpreter", bare, f"{bare * 1000:.1f} ms")

    def note(self, what: str, value: float, shown: str) -> None:
        """Keep a number, and say whether it is within its budget when it has one."""
        budget = self.budgets.get(what)
        if what in self.timed:
            value /= self.slowness
            shown += f" (at 8 ms: {value:.3g})"
        verdict = "" if budget is None else "ok" if value <= budget else "over"
        self.is_over = self.is_over or verdict == "over"
        self.rows.append((what, shown, "" if budget is None else f"{budget:g}", verdict))

    def note_percentiles(self, what: str, values: Sequence[float], unit: str) -> None:
        """Keep the median and what all but a twentieth stay below."""
        for name, share in (("p50", 0.5), ("p95", 0.95)):
            value = percentile(values, share)
            self.note(f"{what}, {name}", value, f"{value:.1f} {unit}")

    def make(self, recipe: Mapping[str, object], folder: Path, write: Callable[[], int]) -> None:
        """Let `write` fill the folder unless it holds the same already, and set up the memory; an old index goes."""
        kept = self.folder / RECIPE
        if not (kept.is_file() and json.loads(kept.read_text(encoding="utf-8")) == recipe):
            if any(self.folder.iterdir()) and not kept.is_file():
                sys.exit(f"{self.folder} holds something else; name a new folder")
            kept.write_text("{}", encoding="utf-8")
            shutil.rmtree(folder, ignore_errors=True)
            start = time.perf_counter()
            size = write()
            say(f"{size / 1e6:.0f} MB made in {time.perf_counter() - start:.0f} s")
        shutil.rmtree(self.folder / "state", ignore_errors=True)
        self.home.mkdir(exist_ok=True)
        (self.root / "memory").mkdir(parents=True, exist_ok=True)
        (self.root / "memory" / ".recall-echo.toml").write_text('layout = "entity"\n', encoding="utf-8")
        kept.write_text(json.dumps(recipe), encoding="utf-8")

    def build(self) -> None:
        """The first sync: its time, its memory, and what lies on disk after it."""
        seconds_of(self.command("--version"), self.env, self.folder)  # compiles the modules
        self.pace()
        done = self.sync()
        facts = json.loads(done.out)
        self.note("index build", done.seconds, f"{done.seconds:.1f} s")
        mapped = f"; {done.peak_mb:.0f} with the pages of mapped files"
        self.note("peak memory", done.own_mb, f"{done.own_mb:.0f} MB{mapped}")
        self.note("passages written", facts["passages"], f"{facts['passages']:,}")
        self.note("sources read", facts["added"], f"{facts['added']:,} ({facts['failed']} failed)")
        state = self.folder / "state"
        for part in sorted((state / "index").iterdir()):
            self.note(f"on disk: index/{part.name}", 0, f"{size_of(part) / 1e6:.1f} MB")
        if kept := size_of(state / "kept"):
            self.note("on disk: kept/", 0, f"{kept / 1e6:.1f} MB")

    def print(self, what: str) -> None:
        """Print the table under when and of what it was made."""
        rows = table(("what", "measured", "budget", ""), self.rows)
        print(heading(), f"{what}, {os.cpu_count()} cores", rows, sep="\n\n")


def say(text: str) -> None:
    """Tell whoever waits."""
    print(text, file=sys.stderr, flush=True)


def counter(total: int, what: str) -> Callable[[int], None]:
    """What tells, ten times in all, how many of them are made."""

    def tell(done: int) -> None:
        if done % max(1, total // 10) == 0:
            say(f"{done} of {total} {what} made")

    return tell
