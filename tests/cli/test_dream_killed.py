"""A dream that is killed at any moment is gone on with: nothing half, nothing lost, nothing asked or told twice."""

from __future__ import annotations

import json
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.features.dreaming import dream
from recall_tui.features.dreaming.state import FOLDER, dream_lock
from recall_tui.llm.usage_ledger import UsageLedger
from recall_tui.memory import Memory
from recall_tui.storage.documents.wiki_page import WikiPage, parse_wiki_page
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from tests.conftest import NOON
from tests.features.dreaming.dream_samples import story
from tests.models import FakeModel
from tests.processes import Machine, ended, killing

IMPORTS = "from recall_tui.features.dreaming import dream\nfrom recall_tui.memory import Memory"
MOMENTS = (
    ("dream.dream_state.save_file", 1, "before"),
    ("dream.dream_state.save_file", 1, "after"),
    ("dream.dream_state.save_state", 1, "after"),
    ("dream.dream_state.save_state", 2, "after"),
    ("dream.proposals.save", 1, "before"),
    ("dream.proposals.save", 1, "after"),
    ("dream.proposals.save", 2, "before"),
    ("dream.dream_state.save_file", 2, "after"),
    ("dream.dream_state.save_state", 4, "before"),
    ("dream.dream_state.save_state", 4, "after"),
    ("dream.dream_state.save_file", 3, "after"),
    ("Memory.commit", 1, "before"),
    ("Memory.commit", 1, "after"),
    ("dream.dream_state.save_state", 5, "after"),
)
"""Of an undisturbed dream: candidates put; two signals and the wisdom kept; two proposals put; the other candidates,
the analyses and the state put away; the diary, and that it is told."""
CLAIM = {"text": "Anna Berg wants invoices by mail.", "lines": [1, 2, 3, 4, 5]}
ANSWER = {
    "operations": [
        {"op": "create", "slug": "anna-berg", "category": "entity", "name": "Anna Berg", "claims": [CLAIM]},
        {
            "op": "create",
            "slug": "rate-limit",
            "category": "concept",
            "name": "Rate limit",
            "claims": [{"text": "The rate limit of the api is 250 requests.", "lines": [1, 2, 3, 4, 5, 6, 7, 8]}],
        },
    ]
}
_SLOW = """
import pathlib, sys, time
here = pathlib.Path({folder!r})
asked = sys.stdin.read()
count = len(list(here.glob("asked-*.txt")))
(here / f"asked-{{count:03d}}.txt").write_text(asked)
if count >= {answers}:
    time.sleep(600)
print({answer!r})
"""


@pytest.fixture
def memory(environment: Environment) -> Store:
    root = environment.cwd / "agent"
    (root / "memory").mkdir(parents=True)
    store = Memory(make_layout(root, "hierarchical"), environment, lambda: NOON)
    story(store)
    return store


def machine(memory: Store, model: FakeModel) -> Machine:
    env = {**memory.environment.env, **model.env, "RECALL_LLM_CONCURRENCY": "1"}
    return Machine(memory.environment._replace(env=env), memory.root)


def is_whole(memory: Store, model: FakeModel) -> None:
    """Everything that a dream comes to is there, once."""
    assert {one.subject for one in proposals.list_open(memory)} >= {"anna-berg", "rate-limit"}
    for one in proposals.list_all(memory):
        for change in one.changes:
            assert change.path.endswith(".md") and isinstance(parse_wiki_page(change.text or "", one.subject), WikiPage)
    assert memory.layout.dreams.read_text().count("Candidates examined: 2") == 1
    assert memory.layout.dreams.read_text().count("\n## ") == 1 and not memory.layout.wiki.exists()
    for path in (memory.state / FOLDER).iterdir():
        json.loads(path.read_bytes())
    now = dream.dream_status(memory)
    assert (now.waiting, now.analysed) == (0, 0) and now.last_run is not None
    about = [prompt.split("\n<signal ")[1].split("\n")[1] for prompt in model.asked if "\n<signal " in prompt]
    assert sorted(Counter(about).values()) == [1, 1], "no signal is asked about twice"
    assert [call.outcome for call in UsageLedger(memory.state).calls()] == ["answered"] * len(model.asked)


@pytest.mark.long
@pytest.mark.parametrize(("target", "call", "when"), MOMENTS, ids=str)
def test_a_dream_that_is_killed_is_finished_by_the_next(
    memory: Store, tmp_path: Path, target: str, call: int, when: str
) -> None:
    model = FakeModel(tmp_path / "model", ANSWER)
    program = machine(memory, model)
    killed = program.run("dream", before=killing(IMPORTS, target, call, when))
    assert killed.code == -signal.SIGKILL
    again = program.run("dream")
    assert again.code == 0, again.err
    is_whole(memory, model)


@pytest.mark.long
def test_an_analysis_that_is_killed_while_a_model_is_asked_goes_on_where_it_was(memory: Store, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", ANSWER)
    (model.folder / "model.py").write_text(_SLOW.format(folder=str(model.folder), answers=1, answer=json.dumps(ANSWER)))
    program = machine(memory, model)
    process = program.start("dream")
    try:
        while len(model.asked) < 2 or not model.asked[1]:
            assert process.poll() is None
            time.sleep(0.02)
    finally:
        process.kill()
    assert ended(process).code == -signal.SIGKILL
    assert proposals.list_all(memory) == () and dream.dream_status(memory).analysed == 1
    assert [call.outcome for call in UsageLedger(memory.state).calls()] == ["running", "answered"]
    (model.folder / "model.py").write_text(
        _SLOW.format(folder=str(model.folder), answers=99, answer=json.dumps(ANSWER))
    )
    assert program.run("dream").code == 0
    first, cut_short, *rest = model.asked
    assert rest[0] == cut_short and first not in rest, "only what was in the air is asked again"
    assert {one.subject for one in proposals.list_open(memory)} >= {"anna-berg", "rate-limit"}
    assert memory.layout.dreams.read_text().count("Candidates examined: 2") == 1


@pytest.mark.long
def test_the_phases_go_on_across_runs_that_are_killed(memory: Store, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", ANSWER)
    program = machine(memory, model)
    for phase, target in (("gather", "save_file"), ("analyze", "save_state"), ("write", "save_state")):
        before = killing(IMPORTS, f"dream.dream_state.{target}", 1, "before")
        assert program.run("dream", "--phase", phase, before=before).code == -signal.SIGKILL
        assert program.run("dream", "--phase", phase).code == 0
    about = [prompt.split("\n<signal ")[1].split("\n")[1] for prompt in model.asked if "\n<signal " in prompt]
    assert len(set(about)) == 2 and len(about) == 3, "the answer that was killed before it was kept is asked for again"
    assert {one.subject for one in proposals.list_open(memory)} >= {"anna-berg", "rate-limit"}
    assert memory.layout.dreams.read_text().count("\n## ") == 1


@pytest.mark.long
def test_two_dreams_at_one_time_are_one_and_the_other_says_so(memory: Store, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", ANSWER)
    with dream_lock(memory):
        said = machine(memory, model).run("dream")
        assert said.code != 0 and "(dreaming)" in said.err and model.asked == []
        assert machine(memory, model).run("dream", "status").code == 0
    assert machine(memory, model).run("dream").code == 0


@pytest.mark.long
def test_a_dream_that_is_stopped_keeps_what_it_has_and_the_next_looks_into_the_rest(
    memory: Store, tmp_path: Path
) -> None:
    model = FakeModel(tmp_path / "model", ANSWER)
    program = machine(memory, model)
    (model.folder / "model.py").write_text(_SLOW.format(folder=str(model.folder), answers=1, answer=json.dumps(ANSWER)))
    process = program.start("dream")
    while len(model.asked) < 2 or not model.asked[1]:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    said = ended(process)
    assert said.code == 130 and "Continue with: recall-tui dream" in said.err
    assert "without a model" not in said.err and "Candidates examined: 1" in memory.layout.dreams.read_text()
    assert [call.outcome for call in UsageLedger(memory.state).calls()] == ["cancelled", "answered"]
    (model.folder / "model.py").write_text(
        _SLOW.format(folder=str(model.folder), answers=99, answer=json.dumps(ANSWER))
    )
    assert program.run("dream").code == 0
    assert model.asked[0] not in model.asked[1:], "what was answered is not asked again"
    assert {one.subject for one in proposals.list_open(memory)} >= {"anna-berg", "rate-limit"}
