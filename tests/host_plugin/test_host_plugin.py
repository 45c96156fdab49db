"""The plugin's own promises: whose root it takes, what a model may do to it, and that nobody's silence is archived."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from recall_tui import host_plugin
from recall_tui.domain import Problem
from recall_tui.environment import Environment
from recall_tui.errors import NotFoundError, UsageError
from recall_tui.features.capture.model_summary import ANSWER_TOKENS
from recall_tui.host_plugin import create
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.workbench import Workbench
from tests.makers import bench_at, tree

TALK: list[dict[str, Any]] = [
    {"role": "user", "content": "Why does the login page crash?"},
    {"role": "assistant", "content": "The validator fails on an empty form."},
]
MORE = [
    *TALK,
    {"role": "user", "content": "Mend it"},
    {"role": "assistant", "content": "The validator accepts an empty form again; released as 1.2."},
]
TOLD = {"session_id": "login"}


def faults(bench: Workbench) -> list[Problem]:
    """What is wrong with the memory; it was set up by another clock, of which there are notes."""
    return [problem for problem in bench.check() if not problem.is_note]


@pytest.fixture(autouse=True)
def machine(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process as a host would run it, on this test's machine alone."""
    for name, value in environment.env.items():
        monkeypatch.setenv(name, value)
    for name in ("RECALL_ECHO_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(environment.cwd)


async def test_the_configs_root_wins_over_the_contexts(environment: Environment, tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    for config, context, root in (
        ({"root": str(mine)}, {"root": theirs}, mine),
        ({"entity_root": mine}, SimpleNamespace(entity_root=theirs), mine),
        ({}, SimpleNamespace(entity_root=str(theirs)), theirs),
        (None, {"root": theirs}, theirs),
    ):
        assert (await create(config, context)).bench.layout.root == root
    assert not mine.exists() and not theirs.exists()


async def test_without_a_root_it_is_the_memory_that_commands_find(environment: Environment) -> None:
    with pytest.raises(NotFoundError):
        await create()
    bench_at(environment)
    assert (await create()).bench.layout.root == environment.cwd


async def test_a_root_that_is_no_folder_is_an_error(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for root in (tmp_path / "file", 7):
        with pytest.raises(UsageError):
            await create({"root": root})
    plugin = await create({"root": tmp_path / "nowhere" / "inner"})
    with pytest.raises(NotFoundError):
        await plugin.archive_session(TALK, TOLD)
    assert not (tmp_path / "nowhere").exists()


async def test_a_folder_without_a_memory_gets_one_with_its_first_session(environment: Environment) -> None:
    plugin = await create({"root": environment.cwd})
    assert (await plugin.health()).level == "Down"
    assert await plugin.archive_session([], TOLD) == 0
    assert tree(environment.cwd) == {}
    assert await plugin.archive_session(TALK, TOLD) == 1
    assert await plugin.health() == host_plugin.Health("Healthy")
    (environment.cwd / "memory" / "MEMORY.md").unlink()
    health = await plugin.health()
    assert health.level == "Degraded" and "MEMORY.md is missing" in health.reason


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [{"role": "system", "content": "You are helpful."}],
        [{"role": "user", "content": "   "}, {"role": "user", "content": None}],
        [{"role": "assistant", "content": "Hello, how can I help?"}],
        ["user", 7, None, object(), {"role": 4}, {"content": "whose?"}],
    ],
)
async def test_nobody_spoke(environment: Environment, messages: list[object]) -> None:
    plugin = await create({"root": bench_at(environment).layout.root})
    before = tree(environment.cwd)
    assert await plugin.archive_session(messages, TOLD) == 0
    assert await plugin.create_checkpoint(messages) == 0
    assert tree(environment.cwd) == before


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
async def test_a_session_is_one_archive_in_every_layout(environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    plugin = await create({"root": bench.layout.root})
    first = await plugin.create_checkpoint(TALK, TOLD)
    assert first == 1 and bench.window.entries == ()
    last = await plugin.archive_session(MORE, TOLD)
    assert last == (2 if name == "user" else 1)
    before = tree(bench.layout.root)
    for messages in (MORE, TALK, MORE[2:]):
        assert await plugin.archive_session(messages, TOLD) == last
    assert tree(bench.layout.root) == before
    assert {row.session_id for row in bench.rows} == {"login"} and len(bench.rows) == last
    assert "accepts an empty form again" in bench.layout.window.read_text()
    assert (await plugin.health()).level == "Healthy" and faults(plugin.bench) == []


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
async def test_one_session_from_many_tasks_at_once_is_one_archive(environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    plugin = await create({"root": bench.layout.root})
    tasks = [plugin.archive_session(MORE if number % 2 else TALK, TOLD) for number in range(16)]
    numbers = set(await asyncio.gather(*tasks))
    assert numbers <= {1, 2} and await plugin.archive_session(MORE, TOLD) == max(numbers)
    assert len(bench.rows) == (max(numbers) if name == "user" else 1) and faults(plugin.bench) == []


async def test_a_session_without_an_id_is_known_by_what_was_said(environment: Environment) -> None:
    plugin = await create({"root": bench_at(environment).layout.root})
    assert [await plugin.archive_session(one) for one in (TALK, TALK, MORE, TALK)] == [1, 1, 2, 1]


class Asked:
    """A model that is asked without await, by its method."""

    def __init__(self, answer: str) -> None:
        self.answer, self.tokens = answer, 0

    def complete(self, question: str, *, max_tokens: int) -> str:
        assert "User: Why does the login page crash?" in question
        self.tokens = max_tokens
        return self.answer


async def test_the_contexts_model_says_what_the_session_was(environment: Environment) -> None:
    summary = "On an empty form the login page crashes, as the validator fails."
    model = Asked(json.dumps({"summary": summary, "topics": ["Forms"], "decisions": ["The validator fails."]}))
    plugin = await create({"root": bench_at(environment).layout.root}, {"model": model})
    assert await plugin.archive_session(TALK, TOLD) == 1
    text = plugin.bench.archive.get(1).path.read_text()
    assert f"## Summary\n\n{summary}" in text
    assert "- The validator fails." in text
    assert plugin.bench.rows[0].topics == ("forms",) and model.tokens == ANSWER_TOKENS
    assert plugin.bench.window.entries[0].summary == summary


async def _raising(question: str) -> str:
    raise RuntimeError("out of credit")


async def _hanging(question: str) -> str:
    await asyncio.Event().wait()
    return ""


@pytest.mark.parametrize("model", [_raising, _hanging, lambda question: "I cannot do that", lambda question: 7, 7])
async def test_a_model_that_fails_leaves_the_session_its_own_words(
    environment: Environment, model: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(host_plugin, "MODEL_TIMEOUT_SECONDS", 0.05)
    plugin = await create({"root": bench_at(environment).layout.root}, {"model": model})
    assert await plugin.archive_session(TALK, TOLD) == 1
    assert (
        plugin.bench.window.entries[0].summary
        == "Why does the login page crash? → The validator fails on an empty form."
    )
    assert capsys.readouterr() == ("", "")


async def test_a_task_that_is_cancelled_has_its_session_archived_whole_or_not(environment: Environment) -> None:
    plugin = await create({"root": bench_at(environment).layout.root})
    task = asyncio.create_task(plugin.archive_session(TALK, TOLD))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await plugin.archive_session(TALK, TOLD) == 1
    assert faults(plugin.bench) == [] and len(plugin.bench.rows) == 1


async def test_a_session_that_was_forgotten_stays_out(environment: Environment) -> None:
    bench = bench_at(environment)
    plugin = await create({"root": bench.layout.root})
    await plugin.archive_session(TALK, TOLD)
    bench.eraser.forget("login")
    assert await plugin.archive_session(MORE, TOLD) == 0
    assert Workbench.open(environment.cwd, environment=environment).rows == ()


async def test_what_an_agents_transcript_told_is_left_as_it_is(environment: Environment) -> None:
    from tests.makers import session_id_of, transcript

    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, [("user", "Why does it crash?"), ("assistant", "The validator fails.")]))
    before = tree(environment.cwd)
    plugin = await create({"root": bench.layout.root})
    assert await plugin.archive_session(TALK, {"session_id": session_id_of(1)}) == 1
    assert tree(environment.cwd) == before


async def test_a_session_of_another_project_stays_out_of_a_projects_memory(
    environment: Environment, tmp_path: Path
) -> None:
    (environment.cwd / "pyproject.toml").write_text("")
    bench_at(environment)
    plugin = await create({"root": environment.cwd})
    assert await plugin.archive_session(TALK, {"session_id": "other", "cwd": str(tmp_path / "other")}) == 0
    assert await plugin.create_checkpoint(TALK, {"session_id": "other", "cwd": str(tmp_path / "other")}) == 0
    assert await plugin.archive_session(TALK, {"session_id": "own", "cwd": str(environment.cwd / "src")}) == 1
    assert await plugin.archive_session(MORE, {"session_id": "the host's own"}) == 2
