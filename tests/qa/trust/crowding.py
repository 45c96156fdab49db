"""Writers, editors and an app on one memory at the same time, and what is left when they are done.

All of them are processes of their own. A process that has not ended long after its time is a deadlock.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from recall_tui.cli.main import run
from recall_tui.environment import Environment
from recall_tui.errors import LockedError
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.files.lock import acquire
from recall_tui.storage.layout import LocatedMemory, make_layout
from recall_tui.workbench import Workbench, local_now
from tests import hooks
from tests.processes import Machine
from tests.qa.trust.starting import let_go

GRACE_SECONDS = 240.0
"""For who waits for the lock when the time is up, and then for what it waited for."""
EDIT_SECONDS = 0.04
"""Between two lines of an editor, on the average."""
EDITORS = (("one", "memory/MEMORY.md", "memory/wiki/page-[0-2].md"), ("two", "memory/EPHEMERAL.md", "memory/topic-*.md",
           "memory/wiki/page-[3-5].md"))  # fmt: skip
"""Who edits what."""
TEMPORARY = ("*.tmp", "*.old", "*.new", "*.pending.json", "*.swp~")


@dataclass(slots=True)
class Crowd:
    """What came of it."""

    writers: list[dict[str, Any]] = field(default_factory=list)
    editors: list[dict[str, Any]] = field(default_factory=list)
    keys: int = 0
    """Pressed in the app."""
    troubles: list[str] = field(default_factory=list)
    deadlocked: int = 0
    orphans: int = 0
    locked: list[str] = field(default_factory=list)
    """Locks that nobody let go."""
    problems: list[str] = field(default_factory=list)
    """What doctor found at once."""
    problems_left: list[str] = field(default_factory=list)
    """What it found when it had mended."""
    late: int = 0
    """Sessions that a hook could not capture at once, for the memory was in use."""
    lost_sessions: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    lost_edits: list[str] = field(default_factory=list)
    moved_edits: int = 0
    """Lines of an editor that the program took out of the memory again, knowing them; the journal has them."""
    lost_words: list[str] = field(default_factory=list)
    """Told to the memory, and no longer in it nor in its journal."""
    temporary: list[str] = field(default_factory=list)
    kept_beside: int = 0
    """Saves that were kept beside the file, for another came in the same moment."""

    @property
    def verbs(self) -> Counter[str]:
        """How often each verb was run."""
        return sum((Counter(one["verbs"]) for one in self.writers), Counter())

    def total(self, name: str) -> int:
        """The sum of a figure of the writers."""
        return sum(one[name] for one in self.writers)

    @property
    def saved(self) -> int:
        """The lines that editors saved."""
        return sum(len(one["saved"]) for one in self.editors)

    @property
    def is_whole(self) -> bool:
        """Whether nothing was lost, nobody hung and nothing was left behind."""
        bad = (self.troubles, self.locked, self.problems_left, self.lost_sessions, self.doubled, self.lost_edits)
        return not any((*bad, self.lost_words, self.temporary, self.deadlocked, self.orphans, self.total("held_out")))


def memory(folder: Path) -> Workbench:
    """A memory with something in each place that is edited."""
    home = folder / "home"
    root = home / "agent"
    root.mkdir(parents=True)
    environment = Environment(home, root, {"RECALL_STATE": str(folder / "state"), "HOME": str(home)})
    bench = Workbench.at(LocatedMemory(make_layout(root, "entity"), "made"), environment, local_now)
    bench.initialise()
    sections = "".join(f"## Part {n}\n\n" + f"- what is known of {n}\n" * 34 + "\n" for n in range(6))
    bench.layout.memory_file.write_text(f"# Memory\n\n{sections}", encoding="utf-8")
    bench.layout.wiki.mkdir()
    for number in range(6):
        (bench.layout.topics / f"topic-{number}.md").write_text(f"# Topic {number}\n\n- a note\n", encoding="utf-8")
        page = f"---\nname: Page {number}\ncategory: concept\nslug: page-{number}\n---\n# Page {number}\n\nIt is so.\n"
        (bench.layout.wiki / f"page-{number}.md").write_text(page, encoding="utf-8")
    return bench


def crowded(bench: Workbench, writers: int, seconds: float) -> Crowd:
    """Let them all at the memory, wait for their ends, and look what is left."""
    crowd, machine = Crowd(), Machine(bench.store.environment, bench.layout.root)
    home, state, root = (
        str(bench.store.environment.home),
        bench.store.environment.env["RECALL_STATE"],
        str(bench.layout.root),
    )
    for_time = str(seconds)
    running = [_start(machine, "crowd_writer", home, state, root, str(one), for_time) for one in range(writers)]
    editing = [
        _start(machine, "crowd_editor", root, name, for_time, str(EDIT_SECONDS), *files) for name, *files in EDITORS
    ]
    app = _start(machine, "crowd_app", home, state, root, for_time)
    let_go([*running, *editing, app])
    until = time.monotonic() + seconds + GRACE_SECONDS
    crowd.writers = [told for one in running if (told := _ended(one, until, crowd))]
    crowd.editors = [told for one in editing if (told := _ended(one, until, crowd))]
    crowd.keys = _ended(app, until, crowd).get("keys", 0)
    crowd.troubles += [trouble for one in crowd.writers for trouble in one["troubles"]]
    crowd.orphans = len(hooks.settled(machine))
    _look(bench, crowd)
    return crowd


def _start(machine: Machine, module: str, *words: str) -> subprocess.Popen[bytes]:
    line = [sys.executable, "-P", "-m", f"tests.qa.trust.{module}", *words]
    return subprocess.Popen(
        line, cwd=machine.environment.cwd, env=machine.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip


def _ended(process: subprocess.Popen[bytes], until: float, crowd: Crowd) -> dict[str, Any]:
    """What a process told at its end; nothing when it had to be ended."""
    try:
        out, err = process.communicate(timeout=max(until - time.monotonic(), 1.0))
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        crowd.deadlocked += 1
        return {}
    if process.returncode or not out:
        crowd.troubles.append(f"{process.args}: exit {process.returncode}: {err.decode()[-2000:]}")
        return {}
    told: dict[str, Any] = json.loads(out.splitlines()[-1])
    return told


def _look(bench: Workbench, crowd: Crowd) -> None:
    """Everything that must be so when all have ended."""
    state = bench.store.environment.state
    for lock in sorted(path for path in state.rglob("*") if path.name == "lock" or path.suffix == ".lock"):
        try:
            with acquire(lock, "look", 0.0):
                pass
        except LockedError:
            crowd.locked.append(str(lock))
    crowd.problems = _doctor(bench)
    before = Counter(entry.session_id for entry in bench.archive.entries())
    _run(bench, "catch-up")
    _run(bench, "archive", "--all-unarchived")
    _run(bench, "doctor", "--fix")
    crowd.problems_left = _doctor(bench)
    _look_at_sessions(bench, crowd, before)
    _look_at_words(bench, crowd)
    for folder in (bench.layout.root, state):
        found = {path for pattern in TEMPORARY for path in folder.rglob(pattern)}
        crowd.temporary += sorted(map(str, found))


def _look_at_sessions(bench: Workbench, crowd: Crowd, before: Counter[str]) -> None:
    entries = bench.archive.entries()
    found = Counter(entry.session_id for entry in entries)
    texts = {entry.session_id: read_text(entry.path) for entry in entries}
    rows = Counter(row.session_id for row in bench.rows)
    for name in ("given", "tried"):
        for own, words in ((own, words) for one in crowd.writers for own, words in one[name].items()):
            if not found[own] or any(word not in texts[own] for word in words) or rows[own] != 1:
                crowd.lost_sessions.append(own)
            crowd.late += name == "given" and not before[own]
            if found[own] > 1:
                crowd.doubled.append(own)


def _look_at_words(bench: Workbench, crowd: Crowd) -> None:
    files = [path for path in bench.layout.root.rglob("*") if path.is_file()]
    there = "\n".join(read_text(path) for path in files)
    crowd.kept_beside = sum(".saved-" in path.name for path in files)
    journal = "\n".join(text for _, _, text in bench.journal.contents())
    for word in (word for one in crowd.editors for word in one["saved"]):
        if word not in there:
            crowd.moved_edits += word in journal
            crowd.lost_edits += [] if word in journal else [word]
    for word in (word for one in crowd.writers for word in one["told"]):
        if word not in there and word not in journal:
            crowd.lost_words.append(word)


def _doctor(bench: Workbench) -> list[str]:
    out = _run(bench, "doctor", "--json")
    return [json.dumps(one) for one in json.loads(out)["problems"]]


def _run(bench: Workbench, *words: str) -> str:
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()), suppress(SystemExit):
        run([*words, "--root", str(bench.layout.root)], environment=bench.store.environment, now=local_now)
    return out.getvalue()


def told(crowd: Crowd) -> str:
    """All that came of it, for a person who looks for the reason."""
    lines = [
        f"{len(crowd.writers)} writers: {dict(crowd.verbs)}",
        f"slowest {max(one['slowest'] for one in crowd.writers)}",
    ]
    lines += [f"{name}: {getattr(crowd, name)}" for name in Crowd.__slots__ if name not in ("writers", "editors")]
    lines += [f"edits: {crowd.saved} of {sum(one['tries'] for one in crowd.editors)} tries"]
    return "\n".join(lines)
