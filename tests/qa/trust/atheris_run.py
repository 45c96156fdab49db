"""Very many texts for every parser: `python -m tests.qa.trust.atheris_run [PARSER…]` prints how many each was given.

Every parser gets the same time in a process of its own, and at least `LEAST` texts however slow it is; rounds follow
until all together were given `EXECUTIONS`. Where atheris is installed it chooses the texts by the code that they
reach; else they are the seeds changed at random, and the figures say which it was.

In the folder that FUZZ_KEEP names stay the counts, the texts and what broke a parser, so that a run that was stopped
goes on where it was. A count is taken over only while no file of the package that its parser runs has changed; a
parser that broke begins anew, with the text that broke it first. FUZZ_SECONDS, FUZZ_EXECUTIONS and FUZZ_WORKERS say
otherwise how long, how many and how many at a time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path

from tests.qa.trust.code_reached import is_unchanged
from tests.qa.trust.parsers import PARSERS, named
from tests.qa.trust.parsing import Parser

EXECUTIONS = 1_000_000
"""Over all parsers."""
LEAST = 5_000
"""For each of them, where so many are asked for that each can have them."""
SECONDS = 20
"""Of the processor, for each parser in a round."""
WORKERS = 2
PATIENCE_SECONDS = 6 * 3600
MODULES = {True: "tests.qa.trust.atheris_one", False: "tests.qa.trust.random_one"}
"""What attacks one parser, by whether atheris is there."""
IN_MEMORY = Path("/dev/shm")
"""Where parsers write the files that they read, on systems that have it: a disk would take most of the time."""
CHECKOUT = Path(__file__).resolve().parents[3]


@dataclass
class Figures:
    """What came of it."""

    guided: bool
    """Whether coverage chose the texts."""
    counts: dict[str, int] = field(default_factory=dict)
    """Texts that each parser has read."""
    kept: int = 0
    """How many of them were read in an earlier run of the same code."""
    crashes: list[str] = field(default_factory=list)
    """Parser and error; the text lies beside the parser's counts."""

    @property
    def executions(self) -> int:
        """Of all parsers."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is tried, and where it is kept."""

    folder: Path
    executions: int
    seconds: float
    least: int
    guided: bool


def run(parsers: Sequence[Parser] = PARSERS) -> Figures:
    """Attack the parsers until each has had its share and all together enough."""
    executions = int(os.environ.get("FUZZ_EXECUTIONS", EXECUTIONS))
    seconds = float(os.environ.get("FUZZ_SECONDS", SECONDS))
    with tempfile.TemporaryDirectory(prefix="recall-atheris-") as scratch:
        folder = Path(os.environ.get("FUZZ_KEEP", scratch)).absolute()
        least = min(LEAST, executions // len(PARSERS) + 1)
        return _rounds(parsers, Plan(folder, executions, seconds, least, find_spec("atheris") is not None))


def _rounds(parsers: Sequence[Parser], plan: Plan) -> Figures:
    figures = Figures(plan.guided)
    for parser in parsers:
        figures.counts[parser.name] = _kept(_place(parser, plan))
    figures.kept = figures.executions
    wanted = plan.executions * len(parsers) // len(PARSERS)
    waiting = [parser for parser in parsers if figures.counts[parser.name] < plan.least]
    waiting = waiting or ([] if figures.executions >= wanted else list(parsers))
    while waiting:
        with ThreadPoolExecutor(int(os.environ.get("FUZZ_WORKERS", WORKERS))) as pool:
            for parser, (count, crash) in zip(
                waiting, pool.map(lambda one: _attacked(one, plan), waiting), strict=True
            ):
                figures.counts[parser.name] += count
                figures.crashes += [f"{parser.name}: {crash}"] if crash else []
        is_over = figures.executions >= wanted or figures.crashes
        waiting = [] if is_over else list(parsers)
    return figures


def _place(parser: Parser, plan: Plan) -> Path:
    return plan.folder / parser.name.replace(" ", "-")


def _kept(place: Path) -> int:
    """The texts that were read in an earlier run without harm, by the code that is there now."""
    count = place / "count"
    if count.exists() and is_unchanged(place) and not list(place.glob("crash")):
        return int(count.read_text())
    count.unlink(missing_ok=True)
    return 0


def _attacked(parser: Parser, plan: Plan) -> tuple[int, str]:
    """How many texts the parser was given, and what broke it."""
    place = _place(parser, plan)
    corpus = place / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for text in (path for kind in ("crash-*", "timeout-*", "oom-*") for path in place.glob(kind)):
        text.replace(corpus / text.name)
    least = max(plan.least - _kept(place), 1)
    told = place / "told"
    for left in (told, place / "crash"):
        left.unlink(missing_ok=True)
    where = IN_MEMORY if IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="recall-atheris-", dir=where) as scratch:
        done = subprocess.run(
            [sys.executable, "-m", MODULES[plan.guided], parser.name, str(plan.seconds), str(least), str(place)],
            cwd=CHECKOUT,
            env={**os.environ, "TMPDIR": scratch},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE_SECONDS,
        )
    count = int(told.read_text()) if told.exists() else 0
    (place / "count").write_text(str(_kept(place) + count))
    print(f"{parser.name}: {count}", file=sys.stderr, flush=True)
    if not done.returncode:
        return count, ""
    said = f"{done.stdout}\n{done.stderr}"
    (place / "crash").write_text(said, encoding="utf-8", errors="replace")
    return count, next((line for line in said.splitlines() if "Error" in line), said[-300:]).strip()


if __name__ == "__main__":
    made = run([named(one) for one in sys.argv[1:]] or PARSERS)
    print(json.dumps({**asdict(made), "executions": made.executions}, indent=1))
    sys.exit(1 if made.crashes else 0)
