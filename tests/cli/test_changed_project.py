"""`synthesize` notices that the project changed though no session was summarised since."""

from __future__ import annotations

import json

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.makers import Turn, bench_at, session_id_of, transcript, write_files

TALK: list[Turn] = [
    ("user", "How does the basket service run?"),
    (
        "assistant",
        "We decided to keep the handlers in `src/basket.js`, because they share a pool.\n\n"
        "We decided on port 8080 for the service, because the proxy expects it.\n\n"
        "We decided to use the package `valkey-glide` for the queue, because Redis changed its licence.",
    ),
]
MANIFEST = {"name": "basket", "dependencies": {"valkey-glide": "1"}, "scripts": {"start": "node src/basket.js"}}


@pytest.fixture
def master(recall: Recall, environment: Environment) -> None:
    """A project with a master that fits it."""
    bench_at(environment, "project")
    files = {"src/basket.js": "", "src/a.js": "", "Dockerfile": "FROM node\nEXPOSE 8080\n"}
    write_files(environment.cwd, files | {"package.json": json.dumps(MANIFEST)})
    transcript(environment, 1, TALK, cwd=str(environment.cwd))
    assert recall("summarize", session_id_of(1), "--yes").code == 0
    recall("synthesize", "--yes")
    assert "(check:" not in recall("recall").out


@pytest.mark.usefixtures("master")
@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        (
            "package.json",
            json.dumps(MANIFEST | {"dependencies": {"bullmq": "5"}}),
            "dependency valkey-glide is not there",
        ),
        ("Dockerfile", "FROM node\nEXPOSE 9090\n", "port 8080 is not there"),
        ("src/basket.js", None, "src/basket.js is not there"),
        ("src/pool.py", "", ""),
    ],
)
def test_a_change_of_the_project_is_synthesised(
    recall: Recall, environment: Environment, file: str, text: str | None, told: str
) -> None:
    before = recall("recall").out
    said = recall("synthesize", "--yes")
    assert said.code in (0, 1) and "nothing new" in said.out + said.err
    if text is None:
        (environment.cwd / file).unlink()
    else:
        write_files(environment.cwd, {file: text})
    said = recall("synthesize", "--yes")
    assert said.code == 0 and "the project as it is now" in said.out + said.err, said
    after = recall("recall").out
    assert (f"(check: {told})" in after) if told else (after != before and "Python (1 file)" in after)
    assert "nothing new" in (said := recall("synthesize", "--yes")).out + said.err


@pytest.mark.usefixtures("master")
def test_another_day_is_no_change(recall: Recall, environment: Environment) -> None:
    page = environment.cwd / "_memory/master.md"
    page.write_text(page.read_text(encoding="utf-8").replace("2026-03-06", "2026-03-01"), encoding="utf-8")
    said = recall("synthesize", "--yes")
    assert "nothing new" in said.out + said.err
