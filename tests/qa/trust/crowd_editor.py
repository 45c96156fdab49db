"""An editor on a memory that others write to: reads a file, adds a line, and saves by renaming, until its time is up.

It looks whether the file is as it was read right before it saves, as editors do. What it saved is told as JSON on
stdout: `python -m tests.qa.trust.crowd_editor ROOT NAME SECONDS PAUSE PATTERN…`, where no two editors share a file.
"""

from __future__ import annotations

import json
import random
import signal
import sys
import threading
import time
from pathlib import Path

from tests.qa.trust.starting import begin

SECTION_EVERY = 25
"""Lines after which one begins a section of its own."""


def edit(path: Path, line: str) -> bool:
    """Add a line and save; False when the file is not there, or was another when it came to saving."""
    try:
        before, text = path.stat(), path.read_bytes()
    except FileNotFoundError:
        return False
    new = path.with_name(f".{path.name}.swp~")
    new.write_bytes(text.rstrip(b"\n") + b"\n" + line.encode() + b"\n")
    new.chmod(before.st_mode & 0o777)
    try:
        now = path.stat()
    except FileNotFoundError:
        now = None
    if now is None or (before.st_ino, before.st_mtime_ns, before.st_size) != (now.st_ino, now.st_mtime_ns, now.st_size):
        new.unlink()
        return False
    new.replace(path)
    return True


def main(root: str, name: str, seconds: str, pause: str, *patterns: str) -> None:
    """Edit, and tell what was saved where."""
    begin()
    chance, until = random.Random(name), time.monotonic() + float(seconds)
    saved: dict[str, str] = {}
    tries, is_over = 0, threading.Event()
    signal.signal(signal.SIGINT, lambda *_: is_over.set())
    while time.monotonic() < until and not is_over.is_set():
        time.sleep(chance.uniform(0.0, 2 * float(pause)))
        files = sorted(path for pattern in patterns for path in Path(root).glob(pattern))
        if not files:
            continue
        word, path = f"edit{name}x{tries}x", chance.choice(files)
        tries += 1
        head = f"\n## Part {word}\n\n" if not tries % SECTION_EVERY and path.name == "MEMORY.md" else ""
        if edit(path, f"{head}- the line {word}"):
            saved[word] = path.name
    print(json.dumps({"saved": saved, "tries": tries}))


if __name__ == "__main__":
    main(*sys.argv[1:])
