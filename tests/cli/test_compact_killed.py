"""A compaction that is killed at any moment leaves whole pages, and the next one comes to what none would have lost."""

from __future__ import annotations

import random
import shutil
import signal
import time
from datetime import date
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.memory import Memory
from recall_tui.storage.documents.period_page import iso_week, month_containing, parse_period_page
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from tests.conftest import NOON
from tests.days import write_days
from tests.makers import tree
from tests.models import FakeModel
from tests.processes import Machine, ended, killing

pytestmark = pytest.mark.long

IMPORTS = """
from recall_tui.features.consolidation import compact as compacting, wiki_candidates as memory_candidates
from recall_tui.storage.files import atomic
from recall_tui.storage.journal import commits as journal, record as journal_record
from recall_tui.storage.state import proposals
"""
ANSWER = {
    "outcomes": [{"text": "The race in src/auth was fixed.", "sources": [2]}],
    "memories": [{"name": "Anna Berg", "category": "entity", "description": "", "lede": "", "sources": [3]}],
}
Moment = tuple[str, int, str]
PROPOSING: tuple[Moment, ...] = (
    ("memory_candidates.propose_pages", 2, "after"),
    ("proposals._write", 2, "before"),
    ("proposals._write", 3, "after"),
    ("atomic.delete_file", 1, "after"),
    ("compacting.propose_wisdom", 1, "before"),
)
WRITING: tuple[Moment, ...] = (
    ("journal.Journal._make", 1, "before"),
    ("journal_record.FileChange.of", 3, "after"),
    ("journal_record.FileChange.apply", 1, "before"),
    ("journal_record.FileChange.apply", 4, "after"),
    ("journal.Journal._settle", 1, "before"),
    ("journal.Journal._make", 1, "after"),
)
RUNS = {"review": ((), PROPOSING), "yes": (("--yes",), (*PROPOSING[:3], *WRITING)), "auto": ((), WRITING)}
LONGEST_SECONDS = 2.5
KILLS = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory of five weeks, nothing of it compacted, and a model."""
    folder = tmp_path_factory.mktemp("weeks")
    root = folder / "work" / "agent"
    (root / "memory").mkdir(parents=True)
    (folder / "home").mkdir()
    environment = Environment(folder / "home", folder / "work", {})
    days = write_days(Memory(make_layout(root, "hierarchical"), environment, lambda: NOON), date(2026, 1, 5), 35)
    days[8].write_text(days[8].read_text() + "\nLesson: never run migrations on a Friday, it takes 4 hours.\n")
    FakeModel(folder / "model", ANSWER)
    return folder


def machine_in(folder: Path, template: Path, run: str) -> Machine:
    """A copy of the memory on a machine of its own."""
    shutil.copytree(template / "work", folder / "work", dirs_exist_ok=True)
    home = folder / "home"
    home.mkdir(exist_ok=True)
    model = FakeModel(folder / "model", ANSWER)
    env = {"RECALL_STATE": str(folder / "state"), "HOME": str(home), **model.env}
    if run == "auto":
        env["RECALL_REVIEW_AUTO"] = "weekly,monthly,wisdom,wiki"
    return Machine(Environment(home, folder / "work", env), folder / "work" / "agent", now=NOON)


@pytest.fixture(scope="module")
def whole(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What each kind of run comes to when nobody stops it."""
    found: dict[str, object] = {}
    for run, (words, _) in RUNS.items():
        machine = machine_in(tmp_path_factory.mktemp(run), folder, run)
        assert machine.run("compact", *words).code == 0
        found[run] = outcome(machine)
    return found


def store_of(machine: Machine) -> Store:
    return Memory(make_layout(machine.root, "hierarchical"), machine.environment, lambda: NOON)


def outcome(machine: Machine) -> object:
    """The memory's files, and what waits or was decided."""
    store = store_of(machine)
    assert Journal(store.state, store.now).recover() == ()
    told = sorted(
        (one.kind, one.subject, one.fate, *(change.text or "" for change in one.changes)) for one in left(store)
    )
    return tree(machine.root), told


def left(store: Store) -> list[proposals.Proposal]:
    return [*proposals.list_open(store), *(one for one in proposals.list_all(store) if one.fate != "open")]


def is_sound(machine: Machine) -> bool:
    """Every page that is there is whole, and every proposal can be read."""
    store = store_of(machine)
    folder = store.state / proposals.PROPOSALS_FOLDER
    files = [path for path in folder.glob("*.json") if not path.name.endswith(".fate.json")] if folder.is_dir() else []
    weeks = [parse_period_page(path.read_text(), iso_week(NOON.date())) for path in store.layout.weekly.glob("*.md")]
    months = [
        parse_period_page(path.read_text(), month_containing(NOON.date())) for path in store.layout.monthly.glob("*.md")
    ]
    return len(files) == len(proposals.list_all(store)) and not any(page.is_edited for page in (*weeks, *months))


@pytest.mark.parametrize(
    ("run", "moment"),
    [
        pytest.param(run, one, id=f"{run} {' '.join(map(str, one))}", marks=[pytest.mark.soak] if place % 2 else [])
        for run, (_, moments) in RUNS.items()
        for place, one in enumerate(moments)
    ],
)
def test_the_next_run_completes_it(
    run: str, moment: Moment, folder: Path, whole: dict[str, object], tmp_path: Path
) -> None:
    machine = machine_in(tmp_path, folder, run)
    words = ("compact", *RUNS[run][0])
    assert machine.run(*words, before=killing(IMPORTS, *moment)).code == -signal.SIGKILL
    assert is_sound(machine)
    assert machine.run(*words).code == 0
    assert outcome(machine) == whole[run]


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 4))])
def test_kills_at_any_moment_lose_nothing(
    run: str, seed: int, folder: Path, whole: dict[str, object], tmp_path: Path
) -> None:
    machine, chance = machine_in(tmp_path, folder, run), random.Random(f"{run} {seed}")
    words = ("compact", *RUNS[run][0])
    for _ in range(KILLS):
        process = machine.start(*words)
        time.sleep(chance.uniform(0.1, LONGEST_SECONDS))
        process.kill()
        assert ended(process).code in (0, -signal.SIGKILL)
        assert is_sound(machine)
    assert machine.run(*words).code == 0
    assert outcome(machine) == whole[run]
