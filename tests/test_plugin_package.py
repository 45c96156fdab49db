"""A package of others that uses every entry point and the Python interface goes on to work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Places
from tests.makers import bench_at, transcript
from tests.processes import CHECKOUT

PLUGIN = Path(__file__).parent / "fixtures" / "plugin"
TALK = [("user", "why do the tokens expire after an hour?"), ("assistant", "Because a stolen token must not last.")]


@pytest.fixture
def root(places: Places) -> Path:
    """A memory with one archived session, on a machine that has the toy agent."""
    bench = bench_at(places)
    bench.capture(transcript(places, 1, TALK))
    toy = places.home / ".toy"
    toy.mkdir()
    (toy / "monday.log").write_text("#toy\nwhich colour is the shed?\nThe shed is vermilion.\n")
    return bench.store.root


def python(places: Places, program: str, *words: str, **env: str) -> str:
    """Run Python with the package installed; its stdout."""
    whole = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{CHECKOUT}:{PLUGIN}", **places.env, **env}
    line = [sys.executable, "-P", "-c", program, *words]
    done = subprocess.run(line, env=whole, cwd=places.cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def recall(places: Places, *words: str, **env: str) -> Any:
    """Run the program with `--json`."""
    return json.loads(python(places, "from recall_tui.__main__ import main; main()", "--json", *words, **env))


def test_its_agent_is_listed_installed_and_taken_out(root: Path, places: Places) -> None:
    names = [one["name"] for one in recall(places, "agents", "--root", str(root))["agents"]]
    assert "toy" in names
    rules = places.home / ".toy" / "rules.md"
    recall(places, "install", "toy", "--yes", "--root", str(root))
    assert rules.read_text().startswith("Ask recall-tui before you ask again.\n")
    recall(places, "uninstall", "toy", "--yes", "--root", str(root))
    assert not rules.exists()


def test_its_reader_reads(root: Path, places: Places) -> None:
    program = """
import sys
from pathlib import Path
from recall_tui.transcripts.registry import read_transcript, all_readers
found = read_transcript(Path(sys.argv[1]), extra=True)
last = [one.agent for one in all_readers(extra=True)][-1]
print(found.head.agent, [message.text for message in found.messages()], last)
"""
    said = python(places, program, str(places.home / ".toy" / "monday.log"))
    assert said == "toy ['which colour is the shed?', 'The shed is vermilion.'] toy\n"


def test_its_model_is_asked_and_counted(root: Path, places: Places) -> None:
    env = {"RECALL_LLM_PROVIDER": "toy", "RECALL_LLM_MODEL": "mute"}
    recall(places, "sync", "--root", str(root))
    answer = recall(places, "recall", "why do tokens expire", "--root", str(root), **env)
    assert answer["extracts"]
    (call,) = recall(places, "ledger", "--calls", "--root", str(root), **env)["calls"]
    assert call["model"] == "toy/mute"


def test_its_vectors_are_made(root: Path, places: Places) -> None:
    env = {"RECALL_EMBEDDINGS_PROVIDER": "toy", "RECALL_EMBEDDINGS_MODEL": "lengths"}
    recall(places, "sync", "--root", str(root), **env)
    found = recall(places, "search", "--ranked", "stolen token", "--root", str(root), **env)
    assert found["hits"]
    assert list((places.state / "index" / "vectors").rglob("*"))


def test_its_host_plugin_and_the_python_interface_work(root: Path, places: Places) -> None:
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
    lines = python(places, program, str(root)).splitlines()
    assert lines == ["2", f"Healthy {root.name}", "memory/conversations/conversation-001.md"]
    assert (root / "one.html").is_file()


def test_what_a_plugin_is_made_of_is_in_one_module_and_the_former_names_work() -> None:
    from recall_tui import api, domain
    from recall_tui.llm import model

    assert [name for name in api.__all__ if not hasattr(api, name)] == []
    assert domain.Skipped is api.SkippedResult and domain.Answer is api.SearchResult  # type: ignore[attr-defined]
    assert model.estimated is api.estimate_usage and model.never is api.never_cancelled
