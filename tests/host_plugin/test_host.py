"""A host program finds the memory, loads it, and keeps its sessions, many at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from recall_tui import __version__
from recall_tui.environment import Environment
from recall_tui.features.health.doctor import run_checks
from recall_tui.workbench import Workbench

pytestmark = pytest.mark.long

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
def env(environment: Environment, tmp_path: Path) -> dict[str, str]:
    """The environment of a host, with the package installed as its pyproject says."""
    table = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    installed = tmp_path / "site" / "recall_tui-0.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: recall-tui\nVersion: 0\n", encoding="utf-8")
    groups = (
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
        for group, points in table["entry-points"].items()
    )
    (installed / "entry_points.txt").write_text("\n".join(groups), encoding="utf-8")
    own = {name: value for name, value in os.environ.items() if name not in ("RECALL_ECHO_HOME", "CLAUDE_CONFIG_DIR")}
    return {**own, **environment.env, "PYTHONPATH": os.pathsep.join((str(installed.parent), str(CHECKOUT)))}


def said(program: list[str], env: dict[str, str], cwd: Path) -> str:
    """What a program prints that must end well and say nothing on stderr."""
    line = [sys.executable, "-P", *program]
    done = subprocess.run(line, env=env, cwd=cwd, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_host_finds_loads_and_drives_the_memory(env: dict[str, str], environment: Environment) -> None:
    seen: dict[str, Any] = json.loads(
        said([str(Path(__file__).with_name("host.py")), str(environment.cwd)], env, environment.home)
    )
    assert seen["points"] == ["memory"]
    assert (seen["meta"]["name"], seen["meta"]["version"]) == ("recall-tui", __version__)
    assert seen["roles"] == ["Memory"] and seen["offers"] == [[], [], []]
    assert [prompt["key"] for prompt in seen["prompts"]] == ["root"]
    assert seen["before"]["level"] == "Down" and "missing" in seen["before"]["reason"]
    assert seen["after"] == {"level": "Healthy", "reason": ""}
    assert sorted(seen["checkpoints"]) == list(range(1, 17))
    assert seen["archives"] == seen["checkpoints"] == seen["again"]
    assert seen["asked"] == 32 and seen["asked_again"] == 0 and seen["secrets_in_questions"] == 0
    assert seen["same"] == [17] * 16
    assert seen["opened_on_loop"] == [] and seen["ticks"] > 1
    bench = Workbench.open(environment.cwd, environment=environment)
    entries = bench.archive.entries()
    assert [entry.number for entry in entries] == list(range(1, 18)) == [row.number for row in bench.rows]
    assert {(entry.source, entry.messages, entry.agent, entry.project) for entry in entries} == {
        ("session", 4, "host", "app")
    }
    assert {entry.topics for entry in entries} == {("host",)}
    assert len(bench.window.entries) == 5
    assert {entry.summary for entry in bench.window.entries} == {"The validator fails."}
    assert run_checks(bench.store) == ()
    texts = [path.read_text(encoding="utf-8") for path in environment.cwd.rglob("*.md")]
    assert not any("sk-ant-api03-a1B2" in text for text in texts)
    pages = [path.read_text(encoding="utf-8") for path in environment.cwd.rglob("conversation-*.md")]
    assert len(pages) == 17 and all("\nThe validator fails.\n" in page for page in pages)
    assert any("[redacted:" in text and "[image]\n\nMend it" in text for text in texts)
    assert list(bench.store.spool.iterdir()) == []
    hit = bench.search("why does page 7 crash").hits[0]
    assert hit.document.startswith("memory/conversations/conversation-")


def test_the_example_of_the_documentation_works(env: dict[str, str], environment: Environment) -> None:
    page = (CHECKOUT / "docs" / "python.md").read_text(encoding="utf-8").split("## As a plugin of a host program")[1]
    example = page.split("```python\n")[1].split("```")[0]
    empty = environment.home / "empty"
    empty.mkdir()
    answer = said(["-c", example], env, empty)
    assert answer == "1\nHealth(level='Healthy', reason='')\n"
    assert answer.splitlines()[1] in page
