"""Lines beyond all measure in the places that a memory reads, and what each command takes for them.

Every command is a process of its own, so that its time and its memory are its own.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from recall_tui.environment import Environment
from recall_tui.storage.files.lock import acquire
from tests.makers import bench_at, transcript
from tests.processes import CHECKOUT
from tests.qa.bench.measure import run
from tests.qa.trust.hostile_memory import WORD, put

_WORDS = (WORD, "lock", "cache", "src/app.py", "caf\u00e9", "x=1;", "[b]", "**bold**", "https://a.example/c", "`code`")
Words = tuple[str, ...]
ASKED: tuple[Words, ...] = (
    ("sync",), ("status",), ("search", WORD), ("search", "--ranked", f"{WORD} lock"), ("recall", "--raw", WORD),
    ("distill",), ("show", "memory"), ("show", "1"), ("export", "1", "--to", "out.html"), ("doctor",),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Took:
    """What one command took."""

    words: Words
    code: int
    """Negative for the signal that ended it."""
    seconds: float
    """Of the processor."""
    megabytes: int
    """Held at one time."""
    err: str


def line(size: int) -> str:
    """One line of so many characters, the same at each run."""
    return " ".join(random.Random(size).choices(_WORDS, k=size // 5))[:size]


def at_work(environment: Environment, size: int) -> Iterator[Took]:
    """Put such lines into a transcript, MEMORY.md and what hooks are told, and call who reads them."""
    bench = bench_at(environment)
    long = line(size)
    transcript(environment, 1, [("user", f"Fix it {long}"), ("assistant", f"We decided {long}")])
    yield _took(environment, ("archive", "--all-unarchived"))
    (archive,) = bench.layout.archives[0].folder.iterdir()
    assert archive.read_text(encoding="utf-8").count(long.strip()) == 2, "something of the lines is not in the archive"
    put(bench.layout.memory_file, f"# Memory\n\n## Notes\n\n- {long}\n")
    for words in ASKED:
        yield _took(environment, words)
    # No catch-up is begun behind the hooks: it would still be at work when the folder is removed.
    with acquire(bench.store.state / "catch-up.lock", "long lines", 5.0):
        for event in ("UserPromptSubmit", "SessionStart"):
            told = {"hook_event_name": event, "session_id": "new", "prompt": f"how {long}", "cwd": str(environment.cwd)}
            yield _took(environment, ("hook",), json.dumps(told))


def _took(environment: Environment, words: Words, told: str = "") -> Took:
    command = [sys.executable, "-m", "recall_tui", "--root", str(environment.cwd), *words]
    env = {**environment.env, "PYTHONPATH": str(CHECKOUT), "PATH": os.environ["PATH"]}
    # What the system says of a child that has ended counts what its parent held, too.
    ran = run(command, env, environment.cwd, told)
    return Took(words, ran.code, round(ran.cpu, 1), round(ran.peak_mb), ran.err[-2000:])


def outrageous(took: Took, size: int) -> str:
    """Why what a command took is more than its lines are worth; empty when it is not.

    What is bounded grows with the size, so that what grows faster is found at the full one: 8 seconds and 5 more for
    each million characters, on a slow machine, and 150 MB with 50 times what was read.
    """
    if took.code not in (0, 1) or "Traceback" in took.err or "--verbose" in took.err:
        return f"{took.words}: {took.code} {took.err}"
    if took.seconds > 8 + 5 * size / 1e6 or took.megabytes > 150 + 50 * size / 1e6:
        return f"{took.words}: {took.seconds} s, {took.megabytes} MB"
    return ""
