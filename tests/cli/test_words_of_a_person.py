"""Whatever is written anew, what a person put into it stays: lines at any place, and a word in a line of ours."""

from __future__ import annotations

import random
from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.workbench import Workbench
from tests.cli.conftest import Recall
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript

TALK = [
    ("user", "Fix the token refresh race in the auth module"),
    ("Edit", "/home/u/api/src/token_refresh.py"),
    ("assistant", "We decided to use a lock around the refresh. Next step: write a test for expiry."),
    ("user", "Good, and keep the old endpoint for a month"),
    ("assistant", "The old endpoint stays. We decided to keep Redis for the session cache."),
]
MORE = [
    ("user", "Now release 1.2.3 to staging"),
    ("assistant", "We decided to release 1.2.3 on Friday. Next step: watch the error rate."),
]
FENCES = ("---", "```", "~~~", "<", "#", "|--", "| #")


def days(bench: Workbench) -> None:
    """Two weeks of days that are over."""
    for number in range(9, 21):
        path = bench.layout.days / f"2026-02-{number:02d}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"# 2026-02-{number:02d}\n\n## Work\n\n- We decided to move service {number} to Redis, since it was slow.\n"
            f"- Fixed the timeout of service {number}; the limit is now {number * 10} seconds.\n",
            encoding="utf-8",
        )


def world(recall: Recall, bench: Workbench, round_: int) -> None:
    """What goes on in a memory: sessions, days, weeks, pages, a synthesis, a dream."""
    environment, root = bench.store.environment, f"--root={bench.store.root}"
    if bench.layout.name != "project":
        path = bench.layout.days / f"2026-02-{10 + round_}.md"
        if bench.layout.name != "claude-project":
            path.write_text(path.read_text() + f"\n- Learned in round {round_} that the cache must be warm.\n")
    for number in range(1, 4 + round_):
        turns = [*TALK, *MORE * (round_ if number % 2 else 0)]
        recall(root, "archive", transcript(environment, number, turns, start=NOON - timedelta(hours=10 - number)))
    if bench.layout.name in ("entity", "user", "hierarchical"):
        for what in ("weekly", "monthly", "wisdom", "all"):
            recall(root, "compact", what, "--yes")
    told = ("--category", "reference", "--where", "the heap", "--when", "always")
    recall(root, "wiki", "stub", f"redis-{round_}", *told, "--description", f"A store of values, part {round_}")
    for source in ("memory/MEMORY.md:1", f"memory/days/2026-02-{10 + round_}.md:1"):
        recall(
            root, "wiki", "append", "redis-0", "--source", source, "--body", f"Redis holds sessions {source} {round_}."
        )
    recall(root, "wiki", "knowledge-map")
    recall(root, "wiki", "rebuild", "redis-0", "--yes")
    recall(root, "summarize", session_id_of(1), "--yes")
    recall(root, "synthesize", "--yes")
    recall(root, "dream")
    recall(root, "remember", "--session-end", session_id_of(2))
    recall(root, "log", f"moved staging in round {round_}")
    recall(root, "doctor", "--fix")
    recall(root, "sync")


def with_notes(text: str, name: str, chance: random.Random) -> tuple[str, list[str]]:
    """The text with lines of a person between its own, and a word changed in one of them."""
    lines = text.split("\n")
    start = 0
    if lines[0] == "---":
        start = lines.index("---", 1) + 1
    marks = []
    ours = [at for at in range(start, len(lines)) if len(lines[at].split()) > 3 and not lines[at].startswith(FENCES)]
    if ours:
        at = chance.choice(ours)
        marks.append(f"CHANGED{name}")
        words = lines[at].split(" ")
        words[len(words) // 2] += f" {marks[-1]}"
        lines[at] = " ".join(words)
    for place in ("START", "BETWEEN", "END"):
        free = [at for at in range(start, len(lines)) if not lines[at].strip()] or [len(lines)]
        at = {"START": free[0], "END": len(lines)}.get(place, chance.choice(free))
        marks.append(f"{place}{name}")
        lines[at:at] = ["", f"A line of mine: {marks[-1]} is true.", ""]
    return "\n".join(lines) + "\n", marks


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_what_a_person_wrote_stays(recall: Recall, environment: Environment, name: str, seed: int) -> None:
    bench = bench_at(environment, name)
    if name in ("entity", "user", "hierarchical"):
        days(bench)
    world(recall, bench, 0)
    chance = random.Random(seed)
    marks: dict[str, Path] = {}
    for number, path in enumerate(sorted(bench.store.root.rglob("*.md"))):
        if "wiki-log" in path.name:
            continue
        text, new = with_notes(path.read_text(encoding="utf-8"), f"{number}x", chance)
        path.write_text(text, encoding="utf-8")
        marks |= dict.fromkeys(new, path)
    for round_ in (1, 2):
        world(recall, bench, round_)
    every = {path: path.read_text(encoding="utf-8") for path in bench.store.root.rglob("*.md")}
    if name == "user":
        # What was written over its one summary was put into an archive of its own before another took its place.
        every[bench.layout.window] = "".join(every.values())
    lost = {
        mark: str(path.relative_to(bench.store.root)) for mark, path in marks.items() if mark not in every.get(path, "")
    }
    assert lost == {}
