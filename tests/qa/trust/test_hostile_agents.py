"""Sessions of every agent that mean no good: in commands, in the app and in answers to an agent."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.transcripts.registry import discover_all
from recall_tui.workbench import Workbench
from tests.makers import bench_at
from tests.qa.trust import hostile
from tests.qa.trust.calling import called
from tests.qa.trust.hostile_agents import AGENTS, HARMS, harmed, spoiled_home
from tests.qa.trust.hostile_memory import WORD
from tests.qa.trust.hostile_screens import SIZE, drawn
from tests.qa.trust.hostile_text import harmful
from tests.transcripts.agent_samples import NEEDS_SAMPLES
from tests.tui.conftest import app_on, still_app  # noqa: F401
from tests.tui.piloting import AppMaker, pressed, search, settled, toasts

pytestmark = [NEEDS_SAMPLES, pytest.mark.long]
CHECKOUT = Path(__file__).resolve().parents[3]
SECONDS = 300
"""After which somebody waits for a pipe."""


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """Whoever waits for what never comes is called back."""
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)


def with_sessions(environment: Environment, agent: str, text: str) -> Workbench:
    """A memory on a machine with the agent's sample, in which each text ends in `text`."""
    worked_in = spoiled_home(agent, environment.home, environment.cwd, text)
    return bench_at(environment._replace(cwd=worked_in), root=worked_in)


@pytest.mark.parametrize("agent", AGENTS)
async def test_no_text_of_a_session_steers_a_terminal(
    environment: Environment,
    app_on: AppMaker,  # noqa: F811
    agent: str,
) -> None:
    bench = with_sessions(environment, agent, hostile.flat())
    found = harmful(bench, ("sync",))
    ids = [file.session_id for file in discover_all(bench.store.environment)]
    assert ids
    shown = 0
    for words in (("archive", "--all-unarchived"), ("list", "all"), ("search", WORD), ("status",), ("agents",)):
        found += harmful(bench, words)
    for id in ids:
        for words in (("show", id), ("archive", "--session", id), ("summarize", id, "--dry-run")):
            found += harmful(bench, words)
        shown += called(bench.store.environment, "show", id).out.count(WORD)
    assert shown
    app = app_on(bench)
    async with app.run_test(size=SIZE) as pilot:
        for keys in (("2",), ("down",), ("enter",), ("end",), ("y",), ("Y",), ("escape",), ("1",)):
            await pressed(pilot, *keys)
            found += [f"{keys}: {one}" for one in hostile.escapes(drawn(app))]
        await search(pilot, WORD)
        for key in ("down", "w", "escape", "enter", "end", "escape"):
            await pressed(pilot, key)
            found += [f"{key}: {one}" for one in hostile.escapes(drawn(app))]
        await settled(pilot)
        assert WORD in drawn(app)
        found += [one for said in toasts(app) for one in hostile.escapes(said)]
        found += hostile.escapes(f"{app.title} {app.sub_title}")
    assert app._exception is None
    assert found == []
    answers = asked(bench, [("search", {"query": WORD}), *(("read", {"ref": id}) for id in ids), ("recall", {})])
    assert WORD in "".join(answers)
    assert [one for answer in answers for one in hostile.escapes(answer)] == []


def asked(bench: Workbench, calls: list[tuple[str, dict[str, str]]]) -> list[str]:
    """What the server answers to an agent's calls."""
    start = {"method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}}
    requests = [{"method": "tools/call", "params": {"name": name, "arguments": given}} for name, given in calls]
    numbered = [{"jsonrpc": "2.0", "id": number} | one for number, one in enumerate((start, *requests))]
    environment = bench.store.environment
    done = subprocess.run(
        [sys.executable, "-m", "recall_tui", "--root", str(bench.layout.root), "mcp"],
        input="".join(json.dumps(one) + "\n" for one in numbered).encode(),
        cwd=environment.cwd,
        env={**environment.env, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    results = [json.loads(line)["result"] for line in done.stdout.splitlines()[1:]]
    assert len(results) == len(calls)
    return [one["content"][0]["text"] for one in results]


@pytest.mark.parametrize(
    ("agent", "harm"),
    [
        pytest.param(agent, harm, marks=() if (row + column) % len(HARMS) == 0 else pytest.mark.soak)
        for row, agent in enumerate(AGENTS)
        for column, harm in enumerate(HARMS)
    ],
)
async def test_no_file_of_a_session_keeps_anybody_waiting(
    environment: Environment,
    app_on: AppMaker,  # noqa: F811
    agent: str,
    harm: str,
) -> None:
    bench = with_sessions(environment, agent, "")
    if (len(agent) + len(harm)) % 2:
        called(bench.store.environment, "sync")
    assert list(harmed(agent, environment.home, harm))
    app = app_on(bench)
    async with app.run_test(size=SIZE) as pilot:
        await pressed(pilot, "2", "down", "enter", "end", "y", "escape", "6", "1")
        await search(pilot, WORD)
        await pressed(pilot, "down", "enter", "end", "escape")
    assert app._exception is None
    for words in (("sync",), ("archive", "--all-unarchived"), ("list", "all"), ("search", WORD), ("doctor",)):
        assert harmful(bench, words) == []
