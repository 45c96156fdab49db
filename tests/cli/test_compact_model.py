"""`compact` with a model: asked once, seen while it goes on, and stopped by Ctrl-C without losing what is done."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from recall_tui.storage.trust import confirm
from tests.conftest import NOON
from tests.days import write_days
from tests.models import FakeModel
from tests.processes import CHECKOUT
from tests.terminal import read_to_end

Recall = Any
ANSWER = {
    "outcomes": [{"text": "The race in src/auth was fixed.", "sources": [2]}],
    "memories": [{"name": "Anna Berg", "category": "entity", "description": "", "lede": "", "sources": [3]}],
    "trajectory": [{"text": "Everything took 4711 minutes.", "sources": [1]}],
    "entries": [{"text": "Everything took 4711 minutes.", "sources": [1]}],
}
SLOWLY = "import time; time.sleep(0.4)\n"
PATIENCE_SECONDS = 60.0


@pytest.fixture
def model(tmp_path: Path) -> FakeModel:
    return FakeModel(tmp_path / "model", ANSWER)


@pytest.fixture
def environment(environment: Environment, model: FakeModel) -> Environment:
    """A machine with the model in its environment."""
    return Environment(environment.home, environment.cwd, {**environment.env, **model.env})


@pytest.fixture
def memory(environment: Environment) -> Store:
    """Nine weeks of days in layout hierarchical."""
    root = environment.cwd / "agent"
    (root / "memory").mkdir(parents=True)
    store = Memory(make_layout(root, "hierarchical"), environment, lambda: NOON)
    days = write_days(store, date(2026, 1, 1), 60)
    days[8].write_text(days[8].read_text() + "\nLesson: never run migrations on a Friday, it takes 4 hours.\n")
    return store


def pages(store: Store) -> dict[str, str]:
    found = [path for folder in (store.layout.weekly, store.layout.monthly) for path in folder.glob("*.md")]
    return {path.name: path.read_text() for path in [*found, store.layout.wisdom] if path.is_file()}


@pytest.mark.long
def test_each_page_is_asked_for_once_until_it_is_decided_on(recall: Recall, memory: Store, model: FakeModel) -> None:
    assert recall("compact", "weekly", "--root", memory.root).code == 0
    asked, waiting = len(model.asked), proposals.list_open(memory)
    assert asked == 9 and {one.kind for one in waiting} == {"weekly", "wiki"}
    assert recall("compact", "weekly", "--root", memory.root).code == 0
    assert (len(model.asked), proposals.list_open(memory)) == (asked, waiting)
    weeks = [one.id for one in waiting if one.kind == "weekly"]
    assert recall("review", "accept", *weeks, "--root", memory.root).code == 0
    assert "nothing to compact" in recall("compact", "weekly", "--root", memory.root).err
    assert len(model.asked) == asked


@pytest.mark.long
def test_told_yes_it_writes_what_was_told_and_leaves_no_page_in_review(
    recall: Recall, memory: Store, model: FakeModel
) -> None:
    said = recall("compact", "--yes", "--root", memory.root)
    made, asked = pages(memory), len(model.asked)
    assert said.code == 0 and 'made_by: "command/' in made["2026-W02.md"] and "4711" not in "".join(made.values())
    assert {one.kind for one in proposals.list_open(memory)} == {"wiki"} and "in review" in said.err
    again = recall("compact", "--yes", "--root", memory.root)
    assert "up to date" in again.err and pages(memory) == made and len(model.asked) == asked
    assert recall("undo", "--root", memory.root).code == 0 and pages(memory) == {}
    assert "weekly" in {one.kind for one in proposals.list_open(memory)}, "what was asked for waits again"


@pytest.mark.long
def test_a_page_that_is_deleted_is_made_again_as_it_was_told(recall: Recall, memory: Store, model: FakeModel) -> None:
    recall("compact", "--yes", "--root", memory.root)
    made, asked = pages(memory), len(model.asked)
    for path in (memory.layout.weekly / "2026-W03.md", memory.layout.monthly / "2026-01.md", memory.layout.wisdom):
        path.unlink()
        recall("compact", "--root", memory.root)
        (one,) = [one for one in proposals.list_open(memory) if one.kind != "wiki"]
        assert recall("review", "accept", one.id, "--root", memory.root).code == 0
        assert (pages(memory), len(model.asked)) == (made, asked)


@pytest.mark.long
def test_a_provider_is_named_for_one_run(recall: Recall, memory: Store, model: FakeModel) -> None:
    recall("compact", "weekly", "--agent", "off", "--root", memory.root)
    assert model.asked == []
    wrong = recall("compact", "weekly", "--agent", "clod", "--root", memory.root)
    assert wrong.code == 2 and "claude" in wrong.err
    recall("compact", "weekly", "--agent", "command", "--root", memory.root)
    assert len(model.asked) == 9


def test_a_dry_run_asks_nobody(recall: Recall, memory: Store, model: FakeModel) -> None:
    said = recall("compact", "--dry-run", "--root", memory.root)
    assert "+# Week 2026-W05" in said.out and "asks no model" in said.err
    assert model.asked == [] and proposals.list_open(memory) == () and pages(memory) == {}


@pytest.mark.long
def test_a_model_that_fails_is_said_in_one_line(recall: Recall, memory: Store, model: FakeModel) -> None:
    model.answers("no JSON")
    said = recall("compact", "--yes", "--root", memory.root)
    assert said.code == 0 and said.err.count("without a model") == 1
    assert 'made_by: "extract"' in pages(memory)["2026-W02.md"]


@pytest.mark.long
def test_what_the_settings_name_applies_itself(recall: Recall, memory: Store) -> None:
    memory.layout.config.write_text('[review]\nauto = ["weekly", "wiki"]\n')
    assert "review.auto" in recall("compact", "--dry-run", "--root", memory.root).err
    assert confirm(memory)
    said = recall("compact", "--root", memory.root)
    assert "Applied automatically" in said.err and "undo" in said.err
    assert "2026-W05.md" in pages(memory) and (memory.layout.wiki / "anna-berg.md").is_file()
    assert (memory.layout.wiki / "index.md").is_file()
    assert {one.kind for one in proposals.list_open(memory)} <= {"monthly", "wisdom"}
    number = said.err.split("recall-tui undo ")[1].split(")")[0]
    assert recall("undo", number, "--root", memory.root).code == 0 and pages(memory) == {}


def test_less_of_the_days_is_taken_when_it_is_asked_for(recall: Recall, memory: Store) -> None:
    day = memory.layout.days / "2026-01-05.md"
    day.write_text("".join(f"- Released version {number}.0 of the billing service to all.\n" for number in range(200)))
    small = recall("compact", "weekly", "--agent", "off", "--compression", "0.01", "--dry-run", "--root", memory.root)
    large = recall("compact", "weekly", "--agent", "off", "--compression", "0.9", "--dry-run", "--root", memory.root)
    assert len(small.out) < len(large.out)


def slow(memory: Store, model: FakeModel, *words: str, **streams: Any) -> subprocess.Popen[bytes]:
    """The program with a model that takes its time."""
    program = model.folder / "model.py"
    program.write_text(SLOWLY + program.read_text())
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(CHECKOUT), "TERM": "xterm-256color", **memory.environment.env}
    line = [sys.executable, "-P", "-m", "recall_tui", "--root", str(memory.root), *words]
    return subprocess.Popen(line, env=env, cwd=memory.environment.cwd, **streams)


@pytest.mark.long
def test_a_person_sees_how_far_it_is_and_a_log_does_not(memory: Store, model: FakeModel) -> None:
    main, side = pty.openpty()
    process = slow(memory, model, "compact", "weekly", stdout=subprocess.DEVNULL, stderr=side)
    os.close(side)
    seen = read_to_end(main)
    assert process.wait() == 0 and "of 9 weeks" in seen and "compacting" in seen
    quiet = slow(memory, model, "compact", "monthly", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _, err = quiet.communicate(timeout=PATIENCE_SECONDS)
    assert b"compacting" not in err


@pytest.mark.long
@pytest.mark.parametrize("words", [("compact",), ("compact", "--yes")])
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(
    memory: Store, model: FakeModel, words: tuple[str, ...]
) -> None:
    process = slow(memory, model, *words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until = time.monotonic() + PATIENCE_SECONDS
    while len(model.asked) < 3 and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE_SECONDS)
    said = err.decode()
    assert (
        process.returncode == 130
        and "interrupted after" in said
        and f"compact all{' --yes' if '--yes' in words else ''}" in said
    )
    assert "Traceback" not in said and "without a model" not in said
    if "--yes" in words:
        assert 2 <= len(pages(memory)) < 9
    else:
        kept = [one for one in proposals.list_open(memory) if one.kind == "weekly"]
        assert 2 <= len(kept) < 9 and all("command/" in one.why for one in kept)
