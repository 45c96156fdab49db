"""How the index holds out under years of work: built, asked, brought up to date, each beside its budget.

The history is made up and the same for the same seed; every process is the program as a person starts it. Nothing is
asserted unless --check is given: a machine's speed is no property of the code.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from recall_tui.environment import Environment
from recall_tui.workbench import Workbench
from tests.qa.bench import corpus
from tests.qa.bench.bench_site import Site, counter, say
from tests.qa.bench.corpus import Language
from tests.qa.bench.measure import BARE, percentile, seconds_of, size_of

LENGTHS = range(1, 13)
"""Words of a question."""
IN_PROCESS, AS_PROCESS = 20, 3
"""Questions of each length."""
REPEATS = 3
GROWN = 8
"""Messages that a session gains before it is synced again."""
BUDGETS = {
    "index build": 20.0,
    "peak memory": 400.0,
    "search, process, p95": 9.0,
    "search, in process, p95": 12.0,
    "sync, nothing new": 0.2,
    "sync, one grown transcript": 0.15,
}
"""Seconds, MB, multiples of the bare interpreter, milliseconds; for 350,000 messages in 2,000 sources on two cores."""
TIMED = frozenset(("index build", "search, in process, p95", "sync, nothing new", "sync, one grown transcript"))


def make(site: Site, messages: int, sources: int, language: Language) -> None:
    """Make the history unless the folder holds the same one, and an empty memory; an old index goes."""
    recipe = {"messages": messages, "sources": sources, "seed": site.seed, "words": len(language.words)}
    tell = counter(sources, "transcripts")
    site.make(recipe, site.home, lambda: corpus.write(site.home, messages, sources, site.seed, language, tell))


def questions(language: Language, seed: int, each: int) -> list[str]:
    """`each` questions of every length, in words of letters alone that are as common as in the history."""
    chance = random.Random(f"{seed} questions")
    words = [word for word in chance.choices(language.words, cum_weights=language.weights, k=20_000) if word.isalpha()]
    return [" ".join(chance.sample(words, length)) for length in LENGTHS for _ in range(each)]


def ask_in_process(site: Site, language: Language) -> None:
    """Questions to an index that is open, as the app asks them."""
    site.pace()
    site.note_percentiles("search, in process", times_in_process(site, language), "ms")


def times_in_process(site: Site, language: Language, clock: Callable[[], float] = time.perf_counter) -> list[float]:
    """The milliseconds of each question to an index that is open."""
    environment = Environment(site.home, site.folder, site.env)
    bench = Workbench.open(site.root, environment=environment)
    asked = questions(language, site.seed, IN_PROCESS)
    bench.search(asked[0], sync=False)
    times = []
    for question in asked:
        start = clock()
        bench.search(question, sync=False)
        times.append((clock() - start) * 1000)
    return times


def ask_as_process(site: Site, language: Language) -> None:
    """Questions as whole processes, each beside a bare interpreter, and beside ripgrep when there is one."""
    ripgrep = shutil.which("rg")
    bare, ours, theirs = list[float](), list[float](), list[float]()
    asked = questions(language, site.seed + 1, AS_PROCESS)
    seconds_of(site.command("search", "--ranked", "--no-sync", asked[0]), site.env, site.folder)
    for question in asked:
        bare.append(seconds_of(BARE, site.env, site.folder))
        ours.append(seconds_of(site.command("search", "--ranked", "--no-sync", question), site.env, site.folder))
        if ripgrep:
            theirs.append(seconds_of(grep(ripgrep, question, site.home), site.env, site.folder))
    yardstick = statistics.median(bare)
    ratios = [seconds / yardstick for seconds in ours]
    site.note("bare interpreter", 0, f"{yardstick * 1000:.1f} ms")
    for name, share in (("p50", 0.5), ("p95", 0.95)):
        ratio, seconds = percentile(ratios, share), percentile(ours, share)
        site.note(f"search, process, {name}", ratio, f"{ratio:.1f} × ({seconds * 1000:.0f} ms)")
    if theirs:
        site.note_percentiles("ripgrep, any word, process", [seconds * 1000 for seconds in theirs], "ms")
    else:
        site.note("ripgrep", 0, "not installed")


def grep(program: str, question: str, folder: Path) -> list[str]:
    """What a person without an index types: the lines that hold any of the words."""
    words = [part for word in question.split() for part in ("-e", re.escape(word))]
    return [program, "--no-ignore", "--hidden", "--count", "--ignore-case", *words, str(folder)]


def bring_up_to_date(site: Site, language: Language) -> None:
    """A sync with nothing new, and one after a session went on; what was appended is taken back."""
    site.pace()
    idle = statistics.median(site.sync().seconds for _ in range(REPEATS))
    site.note("sync, nothing new", idle, f"{idle:.2f} s")
    times, sizes = list[float](), dict[Path, int]()
    for path in sorted(site.home.rglob("*.jsonl"))[:REPEATS]:
        sizes[path] = path.stat().st_size
        corpus.grow(path, GROWN, site.seed, language)
        done = site.sync()
        times.append(done.seconds)
        if not json.loads(done.out)["passages"]:
            say(f"{path} grew and nothing was indexed")
    for path, size in sizes.items():
        os.truncate(path, size)
    grown = statistics.median(times)
    site.note("sync, one grown transcript", grown, f"{grown:.2f} s")


def main() -> int:
    """Print the table; with --check return 1 when something is over its budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=350_000, help="messages in all (350,000)")
    parser.add_argument("--sources", type=int, default=2_000, help="transcripts (2,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="make it there, leave it, and use it again next time")
    parser.add_argument("--check", action="store_true", help="fail when a budget is exceeded")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        site = Site(folder.resolve(), options.seed, BUDGETS, timed=TIMED)
        language = corpus.language(options.seed, os.environ)
        make(site, options.messages, options.sources, language)
        say("building the index")
        site.build()
        site.note("transcripts", 0, f"{size_of(site.home) / 1e6:.1f} MB")
        say("asking")
        ask_as_process(site, language)
        ask_in_process(site, language)
        say("bringing it up to date")
        bring_up_to_date(site, language)
    site.print(f"{options.messages:,} messages in {options.sources:,} transcripts")
    return 1 if site.is_over and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
