"""A real terminal that a test can type into and look at: tmux, with a server of its own."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path

PATIENCE = 60.0
"""Seconds that something may take to appear on a busy machine."""
_NUMBERS = count(1)
_CONFIG = """set -g status off
set -g escape-time 0
set -g default-terminal tmux-256color
set -g remain-on-exit on
set -g automatic-rename off
set -g allow-rename on
set -s set-clipboard on
"""
"""A terminal that does whatever it is told to: also what a person would rather forbid."""
_STATE = (
    *("pane_title", "window_name", "alternate_on", "cursor_flag", "insert_flag", "keypad_cursor_flag", "keypad_flag"),
    *("mouse_any_flag", "mouse_button_flag", "mouse_standard_flag", "mouse_sgr_flag", "mouse_utf8_flag", "origin_flag"),
    *("wrap_flag", "scroll_region_upper", "scroll_region_lower", "pane_tabs"),
)


def is_installed() -> bool:
    """Whether there is a tmux."""
    return shutil.which("tmux") is not None


class Terminal:
    """One program in a terminal of one size; close it at the end."""

    def __init__(self, folder: Path, command: Sequence[str], env: Mapping[str, str], size: tuple[int, int]) -> None:
        self.folder = folder
        """Where what belongs to the terminal lies."""
        # A server that was told to end still holds its socket for a moment.
        self._socket = folder / f"t{next(_NUMBERS)}.sock"
        config = folder / "tmux.conf"
        config.write_text(_CONFIG, encoding="ascii")
        self._base = ("tmux", "-u", "-S", str(self._socket), "-f", str(config))
        columns, rows = map(str, size)
        self._ended = folder / "ended"
        self._ended.unlink(missing_ok=True)
        # tmux does not always hear that its child has ended; the shell between them writes down how.
        script = '"$@"; echo $? > "$0.new"; mv "$0.new" "$0"'
        shell = ["sh", "-c", script, str(self._ended), *command]
        line = [*self._base, "new-session", "-d", "-x", columns, "-y", rows, *shell]
        # Who asks for the size believes these before the terminal.
        own = {name: value for name, value in env.items() if name not in ("COLUMNS", "LINES")}
        subprocess.run(line, env=own, cwd=folder, check=True)

    def _ask(self, *words: str) -> str:
        done = subprocess.run([*self._base, *words], capture_output=True, text=True, encoding="utf-8", check=True)
        return done.stdout

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names for them."""
        self._ask("send-keys", *keys)

    def type(self, text: str) -> None:
        """Type a text as it is."""
        self._ask("send-keys", "-l", text)

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        self._ask("resize-window", "-x", str(columns), "-y", str(rows))

    @property
    def lines(self) -> list[str]:
        """What is on the screen, without blanks at the ends of lines."""
        return [line.rstrip() for line in self._ask("capture-pane", "-p").splitlines()]

    @property
    def title(self) -> str:
        """What the program calls the terminal."""
        return self._ask("display-message", "-p", "#{pane_title}").strip()

    @property
    def state(self) -> dict[str, str]:
        """What can be told of the terminal that a program can change: its title, its modes."""
        told = self._ask("display-message", "-p", "\n".join(f"#{{{name}}}" for name in _STATE))
        return dict(zip(_STATE, told.split("\n"), strict=False))

    @property
    def buffers(self) -> list[str]:
        """What was put on the clipboard, the newest first."""
        names = self._ask("list-buffers", "-F", "#{buffer_name}").splitlines()
        return [self._ask("show-buffer", "-b", name) for name in names]

    def record(self, path: Path) -> None:
        """Write every byte that the program sends from now on into a file."""
        self._ask("pipe-pane", f"cat >> {shlex.quote(str(path))}")

    @property
    def group(self) -> int:
        """The process group of the program and of what it starts."""
        return int(self._ask("display-message", "-p", "#{pane_pid}"))

    @property
    def exit_code(self) -> int | None:
        """How the program ended, from 128 on by a signal; None while it runs."""
        return int(self._ended.read_text(encoding="ascii")) if self._ended.exists() else None

    @property
    def running(self) -> list[str]:
        """The states of the processes of the group that have not ended, whoever has to hear of it."""
        return [one[0] for one in self._processes() if one[0] not in "ZX"]

    @property
    def work(self) -> tuple[int, bool]:
        """The ticks of the clock that the group has worked so far, and whether it is at work right now."""
        found = list(self._processes())
        return sum(int(tick) for one in found for tick in one[11:13]), any(one[0] in "RD" for one in found)

    def _processes(self) -> Iterator[list[str]]:
        """What the system says of each process of the group, from its state on."""
        own = str(self.group)
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                told = path.read_text(errors="replace").rpartition(") ")[2].split()
            except OSError:
                continue
            if told[2:3] == [own]:
                yield told

    def wait(self, is_so: Callable[[], bool], patience: float = PATIENCE) -> bool:
        """Wait until something is so; False when it does not become so in so many seconds."""
        end = time.monotonic() + patience
        while not is_so():
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def shows(self, *lines: str) -> list[str]:
        """Wait for a screen of exactly these lines; the screen as it was at last."""
        self.wait(lambda: self.lines == list(lines))
        return self.lines

    def wait_for(self, text: str) -> str:
        """Wait until the screen holds a text; the screen as it was at last."""
        self.wait(lambda: text in "\n".join(self.lines))
        return "\n".join(self.lines)

    def close(self) -> None:
        """End the program and the server."""
        subprocess.run([*self._base, "kill-server"], capture_output=True, check=False)
