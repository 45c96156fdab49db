"""The real program in a real terminal, used without rest while everything around it changes, and what it holds then.

What is judged is the middle of many looks: one look may come while the app is at work.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from statistics import median

from recall_tui.workbench import Workbench
from tests import hooks
from tests.processes import CHECKOUT, Machine
from tests.qa.trust import standing
from tests.qa.trust.churn import WORDS, Churn
from tests.qa.trust.holding import Held, children, held, written
from tests.tmux import Terminal

SIZES = ((120, 36), (80, 24), (160, 50), (60, 20))
LOOK_SECONDS = 10.0
STEP_SECONDS = 1.2
"""Between two things that happen around the app."""
KEY_SECONDS = 0.15
REST_SECONDS = 15.0
"""In which an app that is left alone comes to rest."""
STANDS = "stands.txt"
"""Of the terminal's folder: where the app says where it stands."""
ANSWER_SECONDS = 10.0
"""In which it can, unless it stands in C."""
SILENT_SECONDS = 60.0
"""After which an app that draws nothing, whatever is pressed, has come to a stop."""
AWAY = ("Escape", "Escape", "Escape", "1")
"""Out of whatever is open."""
ROUNDS_AT_SIZE = 6
"""After which the terminal takes the next size: what is held depends on it, so every stretch has to see them all."""
Keys = tuple[str, ...]
ROUNDS: tuple[Keys, ...] = (
    ("1", "Tab", "Down", "Down", "Enter", "]", "t", "f", "WORD", "Enter", "n", "N", "Escape", "Escape"),
    ("1", "Down", "PPage", "Enter", "End", "[", "t", "Home", "Escape", "NPage", "Space", "*", "Escape"),
    ("1", "/", "WORD", "WORD", "Down", "Down", "Enter", "Escape", "Enter", "Escape", "y"),
    ("1", "C-r", "Down", "Escape", "/", "WORD", "C-u", "WORD", "Tab", "Down", "Escape"),
    ("2", "Down", "Down", "e", "u", "m", "Down", "E", "Escape", "x", "u", "U", "u"),
    (
        "3",
        "Down",
        "Left",
        "Tab",
        "Down",
        "l",
        "h",
        "l",
        "Down",
        "Down",
        "Enter",
        "Escape",
        "g",
        "Escape",
        "c",
        "Escape",
    ),
    ("4", "Down", "Down", "Enter", "Tab", "Enter", "b", "l", "l", "n", "Escape", "R", "Escape"),
    ("5", "Down", "Escape", "5", "r", "Tab"),
    ("6", "Tab", "Tab", "Down", "f", "Escape", "p", "Escape", "r"),
    ("7", "Down", "Down", "Enter", "Escape", "/", "WORD", "Escape"),
    ("?", "Down", "Escape", "C-o", "Escape", "C-p", "WORD", "Escape", "C-t", "Down", "Escape", "r", "u", "U"),
    ("1", "2", "3", "4", "5", "6", "7", "6", "5", "4", "3", "2", "1", "r", "1", "7", "2", "6"),
)
"""What is pressed, screen by screen; WORD is typed letter by letter."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the app held, and when."""

    second: float
    """Since the first look."""
    held: Held


@dataclass(slots=True)
class Soaked:
    """What came of it."""

    looks: list[Look] = field(default_factory=list)
    rested: Held | None = None
    """At rest, before."""
    rested_after: Held | None = None
    """At rest, after."""
    keys: int = 0
    resizes: int = 0
    done: dict[str, int] = field(default_factory=dict)
    """What happened around the app."""
    exit_code: int | None = None
    left: set[int] = field(default_factory=set)
    """The processes that did not end with it."""
    archives: int = 0

    def middle(self, name: str, begin: float, end: float) -> float:
        """The median of a figure over the looks from one second to another."""
        return median(getattr(look.held, name) for look in self.looks if begin <= look.second <= end)

    def growth(self, name: str, warm: float, span: float) -> float:
        """By what part a figure grew: from `span` seconds after the warm-up to the last `span`."""
        last = self.looks[-1].second
        before = self.middle(name, warm, warm + span)
        return self.middle(name, last - span, last) / before - 1 if before else 0.0


def soak(bench: Workbench, folder: Path, seconds: float, warm: float, seed: str) -> Soaked:
    """Open the app, use it for so many seconds, the warm-up among them, and leave it."""
    soaked = Soaked(archives=len(bench.rows))
    terminal = opened(bench, folder)
    try:
        _use(terminal, Churn(bench, seed), soaked, seconds, warm, random.Random(seed))
        _away(terminal, soaked)
        terminal.press("q")
        terminal.wait(lambda: terminal.exit_code is not None)
        soaked.exit_code = terminal.exit_code
        if soaked.exit_code is None:
            print(stands(terminal))
        soaked.left = {
            one for one in hooks.settled(Machine(bench.store.environment, bench.layout.root)) if _is_own(one)
        }
    except AssertionError:
        print(told(soaked.looks))
        raise
    finally:
        terminal.close()
    return soaked


def opened(bench: Workbench, folder: Path) -> Terminal:
    """The program on the memory, when it shows itself."""
    env = {
        **os.environ,
        **bench.store.environment.env,
        "PYTHONPATH": str(CHECKOUT),
        "LANG": "C.UTF-8",
        "EDITOR": "true",
    }
    python = [sys.executable, "-X", "faulthandler", "-P", "-m", "tests.qa.trust.standing", str(folder / STANDS)]
    terminal = Terminal(folder, [*python, "--root", str(bench.layout.root)], env, SIZES[0])
    assert "MEMORY.md" in terminal.wait_for("MEMORY.md")
    return terminal


def process_of(terminal: Terminal) -> int:
    """The program's process, which the terminal's shell started."""
    (own,) = children(terminal.group)
    return own


def _is_own(process: int) -> bool:
    """Whether it is one of the program, not the terminal that it was started in."""
    try:
        command = (Path("/proc") / str(process) / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return b"tmux" not in command[0] and command[0] != b"sh"


def stands(terminal: Terminal) -> str:
    """Where each thread and task of an app stands that answers nothing; the app ends with it."""
    process, path = process_of(terminal), terminal.folder / STANDS
    os.kill(process, standing.SIGNAL)
    if not terminal.wait(path.exists, ANSWER_SECONDS):
        terminal.record(path)
    os.kill(process, signal.SIGABRT)
    terminal.wait(lambda: terminal.exit_code is not None)
    return path.read_text(encoding="utf-8", errors="replace")


def _use(terminal: Terminal, churn: Churn, soaked: Soaked, seconds: float, warm: float, chance: random.Random) -> None:
    process, begun = process_of(terminal), time.monotonic()
    looked = stepped = heard = begun
    said = 0
    moves = _moves(chance)
    while (now := time.monotonic()) - begun < seconds:
        assert terminal.exit_code is None, "\n".join(terminal.lines)
        if now - begun >= warm and soaked.rested is None:
            _away(terminal, soaked)
            soaked.rested = held(process)
        if now - looked >= LOOK_SECONDS:
            looked = now
            soaked.looks.append(Look(now - begun, held(process)))
            before, said = said, written(process)
            heard = now if said != before else heard
            assert now - heard < SILENT_SECONDS, stands(terminal)
        if now - stepped >= STEP_SECONDS:
            stepped = now
            churn.step()
        move = next(moves)
        if isinstance(move, tuple):
            terminal.resize(*move)
            soaked.resizes += 1
            continue
        terminal.press(move)
        soaked.keys += 1
        time.sleep(KEY_SECONDS)
    _away(terminal, soaked)
    soaked.rested_after = held(process)
    soaked.done = churn.done


def _moves(chance: random.Random) -> Iterator[str | tuple[int, int]]:
    """What is pressed, without end: rounds one after the other, each from where nothing is open; and sizes taken."""
    sizes, numbers = cycle(SIZES), count(1)
    while True:
        for keys in chance.sample(ROUNDS, len(ROUNDS)):
            if next(numbers) % ROUNDS_AT_SIZE == 0:
                yield next(sizes)
            yield from AWAY
            for key in keys:
                yield from chance.choice(WORDS) if key == "WORD" else (key,)


def _away(terminal: Terminal, soaked: Soaked) -> None:
    """Back to the first screen, and leave the app alone until it is at rest."""
    for key in (*AWAY, *AWAY):
        terminal.press(key)
        soaked.keys += 1
        time.sleep(KEY_SECONDS)
    time.sleep(REST_SECONDS)


def told(looks: Sequence[Look]) -> str:
    """The looks as a table, for a person who wants to know where it grew."""
    lines = ["second   rss   pss   own  files threads children watches gone-maps"]
    for look in looks:
        one = look.held
        sizes = " ".join(f"{size // 1024:5}" for size in (one.rss_kb, one.pss_kb, one.own_kb))
        counts = f"{one.descriptors:5} {one.threads:7} {one.children:8} {one.watches:7} {one.gone_maps:9}"
        lines.append(f"{look.second:6.0f} {sizes} {counts}")
    return "\n".join(lines)
