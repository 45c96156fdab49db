"""Programs that write into a memory's files and know nothing of it, each the way that many do.

A process of its own takes one line of JSON after the other: `{"kind": …, "path": …, "word": …, "delays": […]}`, writes
the word into the file, and answers with the word when its close succeeded, or with an empty one when it gave up:
`python -m tests.qa.trust.other_program`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

TRIES = 40
LONG_AGO = 1_500_000_000.0


def appended(path: Path, word: str, delays: Iterator[float]) -> bool:
    """`{ echo …; sleep …; echo …; } >> FILE`."""
    script = 'exec 3>>"$1" || exit 1; sleep $2; printf "%s\\n" "- the line $4" >&3; sleep $3; exec 3>&-'
    words = ("sh", "-c", script, "sh", str(path), str(next(delays)), str(next(delays)), word)
    return subprocess.run(words, check=False, capture_output=True).returncode == 0


def printed(path: Path, word: str, delays: Iterator[float]) -> bool:
    """`tool > FILE`, of a tool that prints what the file holds and a line more."""
    text = _read_and_look(path)
    if text is None:
        return False
    descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC)
    time.sleep(next(delays))
    script = 'cat; sleep $1; printf "%s\\n" "- the line $2"'
    words = ("sh", "-c", script, "sh", str(next(delays)), word)
    with os.fdopen(descriptor, "wb") as file:
        return subprocess.run(words, check=False, input=_ended(text), stdout=file).returncode == 0


def typed(path: Path, word: str, delays: Iterator[float]) -> bool:
    """An editor that opens the file, empties it and writes it in pieces."""
    text = _read_and_look(path)
    if text is None:
        return False
    text = _ended(text) + f"- the line {word}\n".encode()
    with path.open("r+b", buffering=0) as file:
        file.truncate()
        for at in range(0, len(text), max(len(text) // 3, 1)):
            time.sleep(next(delays))
            file.write(text[at : at + max(len(text) // 3, 1)])
    return True


def edited(path: Path, word: str, delays: Iterator[float]) -> bool:
    """An agent's tool that reads the whole file, replaces a string and writes the whole file in place."""
    text = _read_and_look(path, next(delays))
    if text is None:
        return False
    lines = _ended(text).splitlines(keepends=True)
    lines.insert(max(len(lines) // 2, min(len(lines), 1)), f"- the line {word}\n".encode())
    with path.open("wb") as file:
        file.write(b"".join(lines))
        time.sleep(next(delays))
    return True


def streamed(path: Path, word: str, _delays: Iterator[float]) -> bool:
    """`sed -i`: a new file beside it takes its place, whatever became of the old one since it was read."""
    text = _read_and_look(path)
    if not text:
        return False
    # GNU sed reads, writes and renames within a moment; what it read is looked at again, as by whoever calls it twice.
    words = ("sed", "-i", "-e", f"$a - the line {word}", "-e", "$w /dev/stdout", str(path))
    done = subprocess.run(words, check=False, capture_output=True)
    # A file that was emptied before sed read it has no last line to write after.
    return done.returncode == 0 and bool(done.stdout)


def synced(path: Path, word: str, delays: Iterator[float]) -> bool:
    """A client that brings a version from elsewhere: a file beside it takes its place, with a time in the past."""
    for _ in range(TRIES):
        before = _look(path)
        text = path.read_bytes() if before else b""
        beside = path.with_name(f".sync-{word}~")
        beside.write_bytes(_ended(text) + f"- the line {word}\n".encode())
        os.utime(beside, (LONG_AGO, LONG_AGO))
        time.sleep(next(delays))
        if before and _look(path) == before:
            beside.replace(path)
            return True
        beside.unlink()
    return False


KINDS: dict[str, Callable[[Path, str, Iterator[float]], bool]] = {
    "shell >>": appended,
    "shell >": printed,
    "editor in place": typed,
    "agent's edit": edited,
    "sed -i": streamed,
    "sync client": synced,
}


def _read_and_look(path: Path, pause: float = 0.0) -> bytes | None:
    """The file as it stays for a moment: whoever sees that it changed since it was read reads it again."""
    for _ in range(TRIES):
        before = _look(path)
        if before is None:
            return None
        text = path.read_bytes()
        time.sleep(pause)
        if text and _look(path) == before:
            return text
        time.sleep(0.005)
    return None


def _look(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _ended(text: bytes) -> bytes:
    return text if not text or text.endswith(b"\n") else text + b"\n"


def main() -> None:
    """Write what comes in."""
    for line in sys.stdin:
        told = json.loads(line)
        delays = iter(told["delays"])
        try:
            done = KINDS[told["kind"]](Path(told["path"]), told["word"], delays)
        except FileNotFoundError:
            done = False
        print(json.dumps(told["word"] if done else ""), flush=True)


if __name__ == "__main__":
    main()
