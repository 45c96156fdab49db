"""A person who types every line of the pages, from the first to the last, on a machine of their own.

Everything is the real program in a real terminal, which is answered `y`; a line that fails is named with what it said.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.makers import Turn, records, session_id_of, write_files, write_transcript
from tests.readme import CHECKOUT, Typed, everything_typed

NOT_TYPED: Mapping[str, str] = {
    "make demo": "installs from the package registry; its target is looked up",
    "make test": "this is it; its target is looked up",
    "pipx install .": "installs from the package registry; the wheel is installed by row_supply",
    "pip install 'recall-tui[semantic]'": "installs from the package registry; the extra is looked up",
    "pip install 'recall-tui[llm]'": "installs from the package registry; the extra is looked up",
    "pip install 'recall-tui[llm,semantic]'": "installs from the package registry; the extra is looked up",
    "recall-tui mcp": "answers lines on stdin until they end; a test of its own starts it",
    "recall-tui config set": "a name in a sentence; whole lines with it are typed",
}
"""Lines that are not typed here, each with the reason; `python tests/qa/bench/…` is looked up too."""
CODES: Mapping[str, int] = {}
"""Lines that end with another code than 0."""
PATIENCE_SECONDS = 120
SUMMARISED = "5c6a2f1e-0000-4000-8000-000000000001"
_SESSIONS = 15
_QUIET_SECONDS = 1.0
"""After so long without a change the app is taken to have painted itself."""
_ROWS_AND_COLUMNS = struct.pack("HHHH", 40, 120, 0, 0)
_PAGE = """\
# Tokens in Redis

## Context

The login page lost its session.

## Tracking Points

- Decision: refresh tokens live in Redis, because they must be revocable.
"""
_PROJECT = "A master page for a project"


@dataclass(frozen=True, slots=True)
class Said:
    """What came of one line."""

    line: str
    code: int
    text: str


@dataclass(frozen=True, slots=True)
class Person:
    """A home with agents in it, two folders to work in, and the program on PATH."""

    home: Path

    @property
    def env(self) -> dict[str, str]:
        """The whole environment of a process."""
        return {
            "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(CHECKOUT),
            "HOME": str(self.home),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "CLAUDE_CODE_SESSION_ID": SUMMARISED,
        }

    @property
    def state(self) -> Path:
        """Where the program keeps what is no memory."""
        return self.home / ".local" / "state" / "recall-tui"

    def folder(self, heading: str) -> Path:
        """The folder that a section of the page is typed in."""
        return self.home / ("project" if heading == _PROJECT else "agent")

    def types(self, one: Typed) -> Said:
        """Type the line and answer what is asked."""
        is_app = one.line in ("recall-tui", "recall-tui demo")
        code, text = _in_terminal(
            one.line, self.folder(one.heading), self.env, b"q" if is_app else b"y\ny\ny\n", is_app
        )
        return Said(one.line, code, text)

    def runs(self, line: str, heading: str = "") -> None:
        """Do what a section takes for granted; it must succeed."""
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=self.folder(heading),
            env=self.env,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, f"{line}: {done.stderr}"


def begun(home: Path) -> Person:
    """A person with sessions of the last days, and the files that the pages' lines name."""
    one = Person(home)
    program = f'#!/bin/sh\nexec "{sys.executable}" -P -m recall_tui "$@"\n'
    days = {f"agent/memory/days/2026-03-0{day}.md": _day(day) for day in range(2, 9)}
    files = {"bin/recall-tui": program, "bin/claude": "#!/bin/sh\nexit 0\n", ".codex/AGENTS.md": "# Mine\n"}
    write_files(home, {**files, **days, "agent/page.md": _PAGE, "agent/notes.md": "# Notes\n\nStaging moved.\n"})
    write_files(home, {"agent/2026-03-06.md": "# 2026-03-06\n\n## 18:00\n\nThe laptop has the new keys.\n"})
    for name in ("recall-tui", "claude"):
        (home / "bin" / name).chmod(0o755)
    for folder in ("project", "copy", "models/all-MiniLM-L6-v2"):
        (home / folder).mkdir(parents=True)
    _transcripts(one)
    return one


def prepare(person: Person, heading: str) -> None:
    """What a section's reader has done before."""
    if heading == _PROJECT:
        person.runs("recall-tui init . --layout project --no-install --yes", heading)
        person.runs("recall-tui summarize --text ../agent/page.md --yes", heading)
        memory = person.home / "project" / "_memory"
        for page in (memory / "conversations").glob("*.md"):
            write_files(memory / "frontend" / "conversations", {page.name: page.read_text(encoding="utf-8")})
    if heading == "Wiki":
        person.runs("recall-tui wiki stub refresh-tokens --category concept", heading)
    if heading == "Which sessions belong here":
        for folder in ("old-laptop", "backup/codex-sessions"):
            (person.home / folder).mkdir(parents=True)
    if heading == "Forget a session, and verify it":
        person.runs("recall-tui config unset embeddings.provider && recall-tui config unset embeddings.path")
    if heading == "Taking it with you":
        person.runs("recall-tui --root ~/copy init ~/copy --no-install --yes")


def _day(day: int) -> str:
    return (
        f"# 2026-03-0{day}\n\n## 10:00\n\nWe decided that refresh tokens live in Redis, because they can be revoked."
        f" The deploy of day {day} took {day} minutes; see api/session_{day}.py and [[no-such-page]].\n"
    )


def _transcripts(person: Person) -> None:
    now = datetime.now(UTC).replace(microsecond=0)
    for number in range(_SESSIONS):
        own = SUMMARISED if number == _SESSIONS - 1 else session_id_of(number)
        turns: list[Turn] = [
            ("user", f"why did we pick jwt for service {number}, and how does the token refresh go?"),
            (
                "assistant",
                f"We picked JWT since service {number} must not ask for a session; refresh tokens are in Redis.",
            ),
            ("Edit", f"/src/api/auth_{number}.py"),
            ("assistant", "The middleware is done, and its tests pass."),
        ]
        for cwd in (person.home / "agent", person.home / "project"):
            if number == _SESSIONS - 1 or cwd.name == "agent":
                folder = str(cwd).replace("/", "-").replace(".", "-").replace("_", "-")
                path = person.home / ".claude" / "projects" / folder / f"{own}.jsonl"
                start = now - timedelta(days=_SESSIONS - number, hours=1) / 2
                write_transcript(path, records(own, turns, start=start, cwd=str(cwd)))


def _in_terminal(line: str, cwd: Path, env: Mapping[str, str], answer: bytes, is_app: bool) -> tuple[int, str]:
    """The exit code of a line in a terminal, and what was seen there; the app gets its key once it has painted."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, _ROWS_AND_COLUMNS)
    process = subprocess.Popen(
        ["bash", "-e", "-o", "pipefail", "-c", line],
        cwd=cwd, env=dict(env), stdin=side, stdout=side, stderr=side, start_new_session=True,
    )  # fmt: skip
    os.close(side)
    if not is_app:
        os.write(main, answer)
    seen, end, heard = b"", time.monotonic() + PATIENCE_SECONDS, 0.0
    while time.monotonic() < end:
        if select.select([main], [], [], 0.2)[0]:
            try:
                part = os.read(main, 65536)
            except OSError:
                break
            seen, heard = seen + part, time.monotonic()
        elif is_app and b"Commands" in seen and time.monotonic() - heard > _QUIET_SECONDS:
            heard = time.monotonic()
            os.write(main, answer)
    else:
        process.kill()
    os.close(main)
    return process.wait(), seen.decode("utf-8", "replace")


def typed_in_turn(person: Person) -> list[Said]:
    """What came of every line that can be typed, in the order of the pages."""
    said: list[Said] = []
    heading = ""
    for one in everything_typed():
        if one.line in NOT_TYPED or one.words[0] in ("python", "make"):
            continue
        if one.heading != heading:
            heading = one.heading
            prepare(person, heading)
        said.append(person.types(one))
    return said
