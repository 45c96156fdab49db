"""The program as processes of its own, on a test's own machine: started, watched and killed.

Nothing of the caller's own memory or settings reaches them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from recall_tui.environment import Environment
from tests.opening import heard

CHECKOUT = Path(__file__).resolve().parents[1]
_KILL = """
import os, signal
from itertools import count
inner, calls = {target}, count(1)
def outer(*given, **named):
    is_it = next(calls) == {call}
    if is_it and "{when}" == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    result = inner(*given, **named)
    if is_it:
        os.kill(os.getpid(), signal.SIGKILL)
    return result
{target} = outer
"""
_MAIN = "from recall_tui.cli.main import main; main()"
_AT = """
from datetime import datetime
from recall_tui.cli import main as program
assert program._local_now().tzinfo
program._local_now = lambda: datetime.fromisoformat("{}")
"""


def killing(imports: str, target: str, call: int, when: str) -> str:
    """Statements that end the process before or after it calls the function `target` for the n-th time."""
    return f"{imports}\n{_KILL.format(target=target, call=call, when=when)}"


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that has ended."""

    code: int
    """Negative for the signal that killed it."""
    out: bytes
    err: str

    @property
    def json(self) -> Any:
        """Stdout, which must be one JSON document."""
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Machine:
    """Where processes run: the person's places, and the memory they work on."""

    environment: Environment
    root: Path
    now: datetime | None = None
    """Where the clock of commands stands; without one it is the computer's, which may pass midnight between two."""

    @property
    def env(self) -> Mapping[str, str]:
        """The whole environment of a process."""
        return {"PATH": os.environ["PATH"], **heard(self.environment), **self.environment.env}

    def start(self, *words: str, before: str = "") -> subprocess.Popen[bytes]:
        """Start the program with these words, after the statements `before`."""
        clock = _AT.format(self.now.isoformat()) if self.now else ""
        line = [sys.executable, "-P", "-c", f"{clock}\n{before}\n{_MAIN}", "--root", str(self.root), *words]
        pipe = subprocess.PIPE
        return subprocess.Popen(line, env=self.env, cwd=self.environment.cwd, stdin=pipe, stdout=pipe, stderr=pipe)

    def run(self, *words: str, before: str = "", stdin: bytes = b"") -> Ended:
        """Run the program to its end."""
        return ended(self.start(*words, before=before), stdin)


def ended(process: subprocess.Popen[bytes], stdin: bytes = b"") -> Ended:
    """Wait for the end of a process; a traceback is a failure of the test."""
    out, err = process.communicate(stdin)
    said = err.decode("utf-8", "replace")
    assert "Traceback" not in said and "panicked" not in said, said
    return Ended(process.returncode, out, said)
