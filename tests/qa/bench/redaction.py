"""The speed of redaction over real transcripts, in one process on one core.

    RECALL_TEST_DATA=… python -m tests.qa.bench.redaction

Every text is looked at once, as it comes; the processor's time is counted, and the best of a few processes is told.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from recall_tui.text.secrets.redact import find_secrets
from tests.qa.trust import clean

PROCESSES = 3


def texts(folder: Path) -> list[str]:
    """Every text in the transcripts, as it was said."""
    return list(clean.said_in(folder))


def lines(folder: Path) -> list[str]:
    """Every line of the transcripts, as retained copies hold them."""
    return list(_lines(folder))


def _lines(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.jsonl")):
        yield from path.read_text(encoding="utf-8", errors="surrogateescape").splitlines()


def measure(kind: str, folder: Path) -> tuple[float, float]:
    """The megabytes that were looked through and the seconds that it took."""
    found = lines(folder) if kind == "lines" else texts(folder)
    size = sum(len(one.encode("utf-8", "surrogatepass")) for one in found) / 1e6
    begun = time.process_time()
    for one in found:
        find_secrets(one)
    return size, time.process_time() - begun


def main() -> None:
    """Print what was measured, each kind in processes of its own."""
    folder = Path(os.environ["RECALL_TEST_DATA"]) / "transcripts"
    if len(sys.argv) > 1:
        print(*measure(sys.argv[1], folder))
        return
    for kind in ("texts", "lines"):
        command = [sys.executable, "-m", "tests.qa.bench.redaction", kind]
        runs = [
            tuple(map(float, subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()))
            for _ in range(PROCESSES)
        ]
        size, seconds = min(runs, key=lambda run: run[1])
        print(f"{kind:8} {size:6.1f} MB  {size / seconds:6.1f} MB/s")


if __name__ == "__main__":
    main()
