"""A real terminal that shows texts which would steer it, and what of them it was told.

Every planted sequence holds a mark of its own: what reaches the terminal inside of a sequence is told from what this
program writes itself, and what is left of it between sequences is only seen.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.workbench import Workbench
from tests.makers import bench_at
from tests.processes import CHECKOUT
from tests.qa.trust import hostile
from tests.qa.trust.hostile_memory import WORD, planted, put, settings
from tests.tmux import Terminal

MARK = "PWN71"
"""Stands in what is planted as a word."""
NUMBER = "4711"
"""Stands in what is planted where only numbers may; no terminal is so wide, and no colour is so called."""
PLANTED = {
    "clipboard": f"\x1b]52;c;{MARK}==\x07",
    "clipboard, ended otherwise": f"\x1b]52;;{MARK}==\x1b\\",
    "title": f"\x1b]2;{MARK}\x07",
    "icon and title": f"\x1b]0;{MARK}\x1b\\",
    "unfinished title": f"\x1b]2;{MARK} ",
    "name of the window": f"\x1bk{MARK}\x1b\\",
    "link": f"\x1b]8;id={MARK};file:///etc/passwd\x1b\\words\x1b]8;;\x1b\\",
    "palette": f"\x1b]4;1;{MARK}\x07\x1b]10;{MARK}\x07",
    "device control": f"\x1bPtmux;\x1b\x1b]52;c;{MARK}\x07\x1b\\",
    "request": f"\x1bP$q{MARK}\x1b\\\x1bP+q{MARK}\x1b\\",
    "picture": f"\x1b_G{MARK}\x1b\\\x1b^{MARK}\x1b\\\x1bX{MARK}\x1b\\",
    "cursor": f"\x1b[{NUMBER};{NUMBER}H\x1b[{NUMBER}A\x1b[{NUMBER}d",
    "erased": f"\x1b[{NUMBER};2J\x1b[{NUMBER}X\x1b[{NUMBER}L",
    "another screen": f"\x1b[?{NUMBER};1049h\x1b[?{NUMBER};47h",
    "mouse": f"\x1b[?{NUMBER};1000;1002;1003;1006h",
    "no cursor": f"\x1b[?{NUMBER};25l",
    "pasting, focus, wrapping": f"\x1b[?{NUMBER};2004h\x1b[?{NUMBER};1004h\x1b[?{NUMBER};7l",
    "keyboard": f"\x1b[>{NUMBER}u\x1b[>4;{NUMBER}m\x1b=",
    "scrolling": f"\x1b[2;{NUMBER}r\x1b[{NUMBER}S",
    "size and reports": f"\x1b[8;{NUMBER};{NUMBER}t\x1b[{NUMBER}n\x1b[{NUMBER}c",
    "one-byte CSI": f"\x9b{NUMBER};2J\x9b?{NUMBER};1049h",
    "one-byte OSC": f"\x9d2;{MARK}\x9c\x9d52;c;{MARK}\x9c",
    "one-byte DCS and others": f"\x90$q{MARK}\x9c\x9f{MARK}\x9c\x9e{MARK}\x9c\x98{MARK}\x9c\x84\x85\x8d\x8e",
    "characters": f"\x0e{MARK}\x0f\x1b(0{MARK}\x1b(B\x07\x08\x05",
    "one in another": f"\x1b]2;\x1b]2;{MARK}\x07\x07\x1b[\x1b[{NUMBER};{NUMBER}H{NUMBER};1H",
    "one around another": f"\x1b\x1b]0;x\x07]2;{MARK}\x07\x1b\x1b[0m[{NUMBER}J\x1b\x9b0m]2;{MARK}\x07",
    "direction": f"\u202e{MARK}\u202c\u2066{MARK}\u2069\u200f\u061c",
    "no width": f"P\u200bW\u2060N\u200c7\ufeff1 {MARK}\u200d",
}
"""What would change the terminal, by what it would do."""
NAME = f"x\x1b]2;{MARK}\x07y\x1b[?{NUMBER};1049h\x9d52;c;{MARK}==\x9c\u202ez"
"""Of a folder, a page, a topic; nothing of the marks stands outside of the sequences."""
SIZE = (120, 36)
_STRINGS = re.compile(r"\x1b([\]PX^_k])(.*?)(\x07|\x1b\\|(?=\x1b)|\Z)", re.DOTALL)
_CSI = re.compile(r"\x1b\[([0-?]*[ -/]*)([@-~])")
_SHORT = re.compile(r"\x1b[ -/]*[0-~]")
_COPIED = re.compile(rb"\x1b\]52;c;[A-Za-z0-9+/=]+\x07")
_STRAY = re.compile(
    "[\x00-\x06\x07\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_PATIENCES = 10
_QUIET_SECONDS = 0.2
_RESTLESS_SECONDS = 20.0
_LOOK_SECONDS = 0.03


def planted_text() -> str:
    """All of it on one line."""
    return " ".join((*PLANTED.values(), *hostile.flat(hostile.STEERING | hostile.UNSEEN).split(" ")))


def memory(environment: Environment) -> Workbench:
    """A memory with all of it wherever foreign text comes in, the names of files and folders among them."""
    folder = environment.cwd / NAME
    bench = planted(environment, planted_text(), root=folder)
    named = f"# {WORD}\n\n{planted_text()}\n"
    for place in (bench.layout.topics, bench.layout.wiki, bench.layout.days):
        put(place / f"{NAME}.md", named)
    put(bench.layout.archives[0].folder / f"conversation-{NAME}.md", named)
    sessions = environment.claude / "projects"
    (sessions / "-home-u-api").rename(sessions / f"-home-{NAME}")
    return bench


def with_settings(environment: Environment) -> Workbench:
    """A memory whose settings hold all of it."""
    bench = bench_at(environment, root=environment.cwd / NAME)
    settings(bench, planted_text())
    return bench


def obeyed(sent: bytes) -> list[str]:
    """What a terminal was told that this program does not tell it of itself, each with what stands around it."""
    text = sent.decode("utf-8", "surrogateescape")
    found: list[str] = []

    def string(match: re.Match[str]) -> str:
        if MARK in match[0] or hostile.MARK in match[0] or not match[3] or _is_dirty(match[1], match[2]):
            found.append(repr(match[0][:200]))
        return ""

    def control(match: re.Match[str]) -> str:
        if NUMBER in match[1]:
            found.append(repr(match[0]))
        return ""

    left = _SHORT.sub("", _CSI.sub(control, _STRINGS.sub(string, text)))
    found += [repr(left[max(0, one.start() - 40) : one.end() + 20]) for one in _STRAY.finditer(left)]
    return found


def _is_dirty(kind: str, words: str) -> bool:
    """Whether what was copied by a person's own key would steer the terminal that it is pasted into."""
    if kind != "]" or not words.startswith("52;"):
        return False
    try:
        copied = base64.b64decode(words.rpartition(";")[2], validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return True
    return bool(hostile.escapes(copied))


class Watched:
    """A program in a terminal from its first byte on."""

    def __init__(
        self, folder: Path, command: Sequence[str], environment: Environment, size: tuple[int, int] = SIZE
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._sent = folder / "sent"
        self._sent.touch()
        env = {**os.environ, **environment.env, "PYTHONPATH": str(CHECKOUT), "LANG": "C.UTF-8", "EDITOR": "true"}
        self._ended = folder / "over"
        # Of a terminal whose program has ended nothing can be told; so the shell waits at the end, too.
        waiting = (
            "sh",
            "-c",
            'read -r go; "$@"; echo $? > "$0.new"; mv "$0.new" "$0"; read -r end',
            str(self._ended),
            *command,
        )
        self.terminal = Terminal(folder, waiting, env, size)
        self.terminal.record(self._sent)
        self.before = self.terminal.state
        self.terminal.press("Enter")

    @property
    def sent(self) -> bytes:
        """What it sent to the terminal so far."""
        return self._sent.read_bytes()

    def rest(self) -> None:
        """Wait until nothing more comes and nobody works, though not for ever: something may be moving."""
        end = time.monotonic() + _RESTLESS_SECONDS
        before, since = None, time.monotonic()
        while (now := time.monotonic()) < end and now - since < _QUIET_SECONDS:
            ticks, is_at_work = self.terminal.work
            seen = (self._sent.stat().st_size, ticks)
            if seen != before or is_at_work:
                before, since = seen, now
            time.sleep(_LOOK_SECONDS)

    def press(self, *keys: str) -> None:
        """Press keys one after the other, each when what came of the one before was drawn."""
        for key in keys:
            self.terminal.press(key)
            self.rest()

    def end(self, *keys: str) -> int | None:
        """Press the last keys and wait until the program has ended; how it did."""
        self.press(*keys)
        is_over = any(self.terminal.wait(self._ended.exists) for _ in range(_PATIENCES))
        self.rest()
        return int(self._ended.read_text(encoding="ascii")) if is_over else None

    @property
    def wrong(self) -> list[str]:
        """What the terminal was told, and what is other than it was before, as far as planted texts could do that."""
        found = obeyed(self.sent)
        after = self.terminal.state
        found += [f"{name} is {after[name]!r}" for name, was in self.before.items() if after[name] != was]
        copied = self.terminal.buffers
        if len(copied) != len(_COPIED.findall(self.sent)):
            found.append(f"copied {[one[:200] for one in copied]!r}")
        return found + [f"copied {one[:200]!r}" for one in copied if hostile.escapes(one)]

    def steered(self) -> list[str]:
        """The same while the program still has the terminal for its own: its title, and what it copied."""
        title, name = self.terminal.title, self.terminal.state["window_name"]
        found = [f"the title is {title!r}"] if MARK in title or hostile.escapes(title) else []
        return found + ([f"the window is called {name!r}"] if MARK in name else [])


@contextmanager
def watched(folder: Path, command: Sequence[str], environment: Environment) -> Iterator[Watched]:
    """A program in a terminal, which is closed at the end."""
    one = Watched(folder, command, environment)
    try:
        yield one
    finally:
        one.terminal.close()


def calls(folder: Path, bench: Workbench, commands: Iterable[Sequence[str]]) -> tuple[bytes, list[str]]:
    """Call commands one after the other in a terminal; what was sent, and what of it was wrong."""
    import json

    given = json.dumps([[word.replace("{root}", str(bench.layout.root)) for word in words] for words in commands])
    put(folder / "commands.json", given)
    command = [
        sys.executable,
        "-m",
        "tests.qa.trust.terminal_calls",
        str(bench.layout.root),
        str(folder / "commands.json"),
    ]
    with watched(folder, command, bench.store.environment) as one:
        code = one.end()
        wrong = one.wrong + [f"copied {text[:200]!r}" for text in one.terminal.buffers]
        return one.sent, wrong if code == 0 else [*wrong, f"ended with {code}: {one.terminal.lines[-12:]}"]


def walk(
    folder: Path, environment: Environment, rounds: Iterable[Sequence[str]], *words: str
) -> tuple[bytes, list[str]]:
    """Walk through the app in a terminal and leave it; what was sent, and what of it was wrong."""
    command = [sys.executable, "-P", "-m", "recall_tui", *words]
    with watched(folder, command, environment) as one:
        one.terminal.wait(lambda: one.terminal.state["alternate_on"] == "1")
        one.rest()
        wrong: list[str] = []
        for keys in rounds:
            one.press(*keys)
            wrong += one.steered()
        code = one.end("Escape", "Escape", "Escape", "q")
        return one.sent, [*wrong, *one.wrong, *([f"ended with {code}"] if code != 0 else [])]
