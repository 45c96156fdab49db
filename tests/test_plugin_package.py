"""A package of others that uses every entry point and the Python interface goes on to work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from tests.makers import bench_at, transcript
from tests.processes import CHECKOUT

PLUGIN = Path(__file__).parent / "fixtures" / "plugin"
TALK = [("user", "why do the tokens expire after an hour?"), ("assistant", "Because a stolen token must not last.")]


@pytest.fixture
def root(environment: Environment) -> Path:
    """A memory with one archived session, on a machine that has the toy agent."""
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK))
    toy = environment.home / ".toy"
    toy.mkdir()
    (toy / "monday.log").write_text("#toy\nwhich colour is the shed?\nThe shed is vermilion.\n")
    return bench.store.root


def python(environment: Environment, program: str, *words: str, **env: str) -> str:
    """Run Python with the package installed; its stdout."""
    whole = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{CHECKOUT}:{PLUGIN}", **environment.env, **env}
    line = [sys.executable, "-P", "-c", program, *words]
    done = subprocess.run(line, env=whole, cwd=environment.cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def recall(environment: Environment, *words: str, **env: str) -> Any:
    """Run the program with `--json`."""
    return json.loads(python(environment, "from recall_tui.__main__ import main; main()", "--json", *words, **env))


@pytest.mark.long
def test_its_agent_is_listed_installed_and_taken_out(root: Path, environment: Environment) -> None:
    names = [one["name"] for one in recall(environment, "agents", "--root", str(root))["agents"]]
    assert "toy" in names
    rules = environment.home / ".toy" / "rules.md"
    recall(environment, "install", "toy", "--yes", "--root", str(root))
    assert rules.read_text().startswith("Ask recall-tui before you ask again.\n")
    recall(environment, "uninstall", "toy", "--yes", "--root", str(root))
    assert not rules.exists()


def test_its_reader_reads(root: Path, environment: Environment) -> None:
    program = """
import sys
from pathlib import Path
from recall_tui.transcripts.registry import read_transcript, all_readers
found = read_transcript(Path(sys.argv[1]), extra=True)
last = [one.agent for one in all_readers(extra=True)][-1]
print(found.head.agent, [message.text for message in found.messages()], last)
"""
    said = python(environment, program, str(environment.home / ".toy" / "monday.log"))
    assert said == "toy ['which colour is the shed?', 'The shed is vermilion.'] toy\n"


@pytest.mark.long
def test_its_model_is_asked_and_counted(root: Path, environment: Environment) -> None:
    env = {"RECALL_LLM_PROVIDER": "toy", "RECALL_LLM_MODEL": "mute"}
    recall(environment, "sync", "--root", str(root))
    answer = recall(environment, "recall", "why do tokens expire", "--root", str(root), **env)
    assert answer["extracts"]
    (call,) = recall(environment, "ledger", "--calls", "--root", str(root), **env)["calls"]
    assert call["model"] == "toy/mute"


@pytest.mark.long
def test_its_vectors_are_made(root: Path, environment: Environment) -> None:
    env = {"RECALL_EMBEDDINGS_PROVIDER": "toy", "RECALL_EMBEDDINGS_MODEL": "lengths"}
    recall(environment, "sync", "--root", str(root), **env)
    found = recall(environment, "search", "--ranked", "stolen token", "--root", str(root), **env)
    assert found["hits"]
    assert list((environment.state / "index" / "vectors").rglob("*"))


@pytest.mark.long
def test_its_host_plugin_and_the_python_interface_work(root: Path, environment: Environment) -> None:
    program = """
import asyncio, sys
from importlib.metadata import entry_points
import toy_recall
async def main():
    create = entry_points(group="recall_tui.host_plugins")["toy"].load()
    memory = await create({"root": sys.argv[1]}, context={"model": None})
    talk = [{"role": "user", "content": "Which paint is dry?"}, {"role": "assistant", "content": "Vermilion is dry."}]
    print(await memory.archive_session(talk, {"session_id": "paint", "cwd": "/home/u/api"}))
    print((await memory.health()).level, memory.bench.store.root.name)
asyncio.run(main())
print(toy_recall.first_hit(sys.argv[1], "stolen token")[1])
"""
    lines = python(environment, program, str(root)).splitlines()
    assert lines[:2] == ["2", f"Healthy {root.name}"] and lines[2].endswith(".jsonl"), lines
    assert (root / "one.html").is_file()


def test_what_a_plugin_is_made_of_is_in_one_module_and_the_former_names_work() -> None:
    from recall_tui import api, domain
    from recall_tui.llm import model

    assert [name for name in api.__all__ if not hasattr(api, name)] == []
    assert domain.Skipped is api.SkippedResult and domain.Answer is api.SearchResult  # type: ignore[attr-defined]
    assert model.estimated is api.estimate_usage and model.never is api.never_cancelled
