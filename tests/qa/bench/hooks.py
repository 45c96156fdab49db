"""How long an agent waits for each of its hooks, beside the bare interpreter in the same run.

Asked of the history that `scale.py --keep DIR` made, which is only read: the memory that hooks write into is a new one.
Nothing is asserted unless --check is given: a machine's speed is no property of the code.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from itertools import cycle
from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.storage.files.lock import acquire
from tests.generate import table
from tests.qa.bench.measure import BARE, PROGRAM, heading, percentile, process_env

BUDGETS = {"start": 10.0, "prompt": 10.0, "stop": 10.0, "pre-compact": 40.0, "end": 40.0}
"""Whole processes, as multiples of the bare interpreter."""
WARM_UP = 2
QUESTIONS = (
    "why does the retry in the upload service give up after the third attempt?",
    "where did we put the migration that renames the column `created_at`, and what was decided about it?",
    "the test_parser_handles_empty_input test fails with a ValueError again, what was the cause last time?",
)
EVENTS = {
    "start": {"hook_event_name": "SessionStart", "source": "startup"},
    "prompt": {"hook_event_name": "UserPromptSubmit"},
    "stop": {"hook_event_name": "Stop", "stop_hook_active": False},
    "pre-compact": {"hook_event_name": "PreCompact", "trigger": "auto"},
    "end": {"hook_event_name": "SessionEnd", "reason": "prompt_input_exit"},
}


def calls(name: str, transcripts: Iterator[Path], questions: Iterator[str], cwd: Path) -> str:
    """What an agent says to the hook: of another session at each call."""
    path = next(transcripts)
    said = {"session_id": path.stem, "transcript_path": str(path), "cwd": str(cwd), **EVENTS[name]}
    return json.dumps(said | ({"prompt": next(questions)} if name == "prompt" else {}))


def once(line: list[str], env: Mapping[str, str], cwd: Path, said: str) -> float:
    """The seconds of one call; it must have ended well and quietly."""
    start = time.perf_counter()
    done = subprocess.run(line, env=dict(env), cwd=cwd, input=said.encode(), capture_output=True)
    seconds = time.perf_counter() - start
    if done.returncode or done.stderr:
        sys.exit(f"{line}: {done.returncode} {done.stderr.decode()}")
    return seconds


def measured(site: Path, folder: Path, runs: int) -> dict[str, list[float]]:
    """The seconds of each kind of call; they take turns, so that a busy moment hits all of them."""
    root, state = folder / "agent", folder / "state"
    (root / "memory").mkdir(parents=True)
    (root / "memory" / ".recall-echo.toml").write_text('layout = "entity"\n', encoding="utf-8")
    state.mkdir()
    (state / "index").symlink_to(site / "state" / "index")
    env = process_env(site / "home", folder)
    transcripts = cycle(sorted((site / "home").rglob("*.jsonl"), key=lambda path: path.stat().st_size)[:1500:7])
    questions = cycle(QUESTIONS)
    times: dict[str, list[float]] = {"bare": [], **{name: [] for name in BUDGETS}}
    environment = Environment(site / "home", folder, env)
    # Whoever holds this lock keeps hooks from starting a process of their own.
    with acquire(environment.of_memory(root) / "catch-up.lock", "bench", 5.0):
        for turn in range(runs + WARM_UP):
            for name, values in times.items():
                said = "" if name == "bare" else calls(name, transcripts, questions, folder)
                line = list(BARE) if name == "bare" else [*PROGRAM, "hook", "--root", str(root)]
                seconds = once(line, env, folder, said)
                if turn >= WARM_UP:
                    values.append(seconds)
    return times


def main() -> int:
    """Print the table; with --check return 1 when a hook is over its budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path, metavar="DIR", help="what scale.py --keep DIR made")
    parser.add_argument("--runs", type=int, default=21, help="calls of each event")
    parser.add_argument("--check", action="store_true", help="fail when a budget is exceeded")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        times = measured(options.site.resolve(), Path(folder), max(options.runs, 5))
    bare = statistics.median(times.pop("bare"))
    rows, is_over = [], False
    for name, values in times.items():
        ratio = statistics.median(values) / bare
        worst = percentile(values, 0.95) / bare
        verdict = "ok" if ratio <= BUDGETS[name] else "over"
        is_over = is_over or verdict == "over"
        shown = f"{statistics.median(values) * 1000:.0f} ms"
        rows.append((name, shown, f"{ratio:.1f} ×", f"{worst:.1f} ×", f"{BUDGETS[name]:g} ×", verdict))
    print(heading(), f"bare interpreter: {bare * 1000:.1f} ms, {os.cpu_count()} cores", sep="\n\n", end="\n\n")
    print(table(("hook", "median", "ratio", "p95", "budget", ""), rows))
    return 1 if is_over and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
