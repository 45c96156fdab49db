"""How long the commands that agents wait for take to start, beside the bare interpreter in the same run.

Nothing is asserted unless --check is given: a machine's speed is no property of the code.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]
BARE = "python -I -c pass"
BUDGETS = {"consume": 5.0, "--help": 4.5}
"""Whole processes, as multiples of the bare interpreter."""


def commands(root: Path) -> dict[str, list[str]]:
    """What is measured, by name; the memory for `consume` is made in `root`."""
    memory = root / "memory"
    memory.mkdir()
    (memory / "MEMORY.md").write_text("# Memory\n", encoding="utf-8")
    (memory / ".recall-echo.toml").write_text('layout = "entity"\n', encoding="utf-8")
    (memory / "EPHEMERAL.md").write_text("A window with something in it.\n", encoding="utf-8")
    ours = [sys.executable, "-P", "-c", "from recall_tui.__main__ import main; main()"]
    return {
        BARE: [sys.executable, "-I", "-c", "pass"],
        "import click": [sys.executable, "-I", "-c", "import click"],
        "--help": [*ours, "--help"],
        "consume": [*ours, "consume", str(root)],
    }


def process_env(folder: Path) -> dict[str, str]:
    """The environment of the runs: compiled modules are kept, as in an installed package, but not in the checkout."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    own = {"PYTHONPATH": CHECKOUT, "PYTHONPYCACHEPREFIX": folder / "compiled", "RECALL_STATE": folder / "state"}
    return env | {name: str(value) for name, value in own.items()}


def measure(lines: Mapping[str, Sequence[str]], runs: int, env: Mapping[str, str]) -> dict[str, float]:
    """The median seconds of each command; the commands take turns, so that a busy moment hits all of them."""
    times: dict[str, list[float]] = {name: [] for name in lines}
    for turn in range(runs + 1):
        for name, line in lines.items():
            start = time.perf_counter()
            subprocess.run(line, env=env, check=True, capture_output=True)
            if turn:
                times[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def main() -> int:
    """Print the table; with --check return 1 when a command is over its budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=21, help="runs of each command (at least 15)")
    parser.add_argument("--check", action="store_true", help="fail when a budget is exceeded")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        env = process_env(Path(folder))
        root = Path(folder) / "agent"
        root.mkdir()
        medians = measure(commands(root), max(options.runs, 15), env)
    is_over = False
    print(f"{'command':<20}{'median':>10}{'ratio':>8}{'budget':>8}")
    for name, seconds in medians.items():
        ratio, budget = seconds / medians[BARE], BUDGETS.get(name)
        verdict = "" if budget is None else "  ok" if ratio <= budget else "  over"
        is_over = is_over or verdict == "  over"
        print(f"{name:<20}{seconds * 1000:>7.1f} ms{ratio:>8.2f}{budget or '':>8}{verdict}")
    return 1 if is_over and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
