"""What the measuring scripts share: a machine of its own for the program, processes timed and weighed, percentiles.

The program runs as a person runs it, in a process; nothing of the caller's own memory or settings reaches it.
"""

from __future__ import annotations

import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]
BARE = (sys.executable, "-I", "-c", "pass")
"""The bare interpreter, the yardstick of every other process."""
PROGRAM = (sys.executable, "-P", "-c", "from recall_tui.__main__ import main; main()")
"""The program as its installed script starts it."""
_POLL_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Ran:
    """A process that has ended."""

    code: int
    seconds: float
    peak_mb: float
    """The most memory it held, in millions of bytes; mapped files that were touched count."""
    out: str
    err: str
    own_mb: float = 0.0
    """The same without mapped files, which the system takes back when it wants the room; looked at now and then."""
    cpu: float = 0.0
    """Seconds that processors worked for it, in its own code and in the system's; other processes change it little."""


def process_env(home: Path, folder: Path) -> dict[str, str]:
    """The whole environment of the program: `home` is the person's, state and compiled modules lie in `folder`."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TZ") if name in os.environ}
    own = {
        "HOME": home,
        "PYTHONPATH": CHECKOUT,
        "PYTHONPYCACHEPREFIX": folder / "compiled",
        "RECALL_STATE": folder / "state",
    }
    return kept | {name: str(value) for name, value in own.items()}


def run(line: Sequence[str], env: Mapping[str, str], cwd: Path, stdin: str = "") -> Ran:
    """Run a process to its end, whatever it says."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin.encode("utf-8", "surrogateescape"))
        given.seek(0)
        start, worked = time.perf_counter(), _worked()
        process = subprocess.Popen(line, env=dict(env), cwd=cwd, stdin=given, stdout=out, stderr=err)
        peak, own = _watch(process)
        seconds, cpu = time.perf_counter() - start, _worked() - worked
        out.seek(0)
        err.seek(0)
        said = [stream.read().decode("utf-8", "replace") for stream in (out, err)]
    return Ran(process.returncode, seconds, peak / 1e6, said[0], said[1], own / 1e6, cpu)


def _worked() -> float:
    """Seconds of processors that the children that have ended took in all."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _watch(process: subprocess.Popen[bytes]) -> tuple[int, int]:
    """Wait for the end of the process; the most bytes it held, with and without mapped files, 0 when nobody tells."""
    status = Path(f"/proc/{process.pid}/status")
    peak = own = 0
    while True:
        try:
            rows = (line.split() for line in status.read_text().splitlines())
            held = {row[0]: int(row[1]) * 1024 for row in rows if row[0] in ("VmHWM:", "RssAnon:")}
            peak, own = max(peak, held.get("VmHWM:", 0)), max(own, held.get("RssAnon:", 0))
        except OSError:
            pass
        try:
            process.wait(_POLL_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        return peak, own


def seconds_of(line: Sequence[str], env: Mapping[str, str], cwd: Path) -> float:
    """How long a process takes that is too short to be watched; CalledProcessError unless it ends with 0 or 1."""
    start = time.perf_counter()
    done = subprocess.run(line, env=dict(env), cwd=cwd, capture_output=True)
    seconds = time.perf_counter() - start
    if done.returncode not in (0, 1):
        raise subprocess.CalledProcessError(done.returncode, list(line), done.stdout, done.stderr)
    return seconds


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of `values` that is not below the given share of them; 0 when there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files below a folder; 0 when there is nothing."""
    if path.is_file():
        return path.stat().st_size
    return sum(one.stat().st_size for one in path.rglob("*") if one.is_file())


def heading(words: Sequence[str] = sys.argv) -> str:
    """When and how a table was made, as its first line."""
    command = shlex.join(["python", Path(words[0]).name, *words[1:]])
    return f"{datetime.now().astimezone():%Y-%m-%d %H:%M %Z} · `{command}`"


def fail(what: str, ran: Ran) -> None:
    """End the script with what a process said, unless it ended well."""
    if ran.code not in (0, 1):
        sys.exit(f"{what} ended with {ran.code}\n{ran.err.strip()}")
