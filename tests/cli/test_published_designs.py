"""The designs' own examples work: their commands, what their hooks are sent, their formulas and defaults.

What they are is in `tests/fixtures/designs/`, one file for each design; what of a design works, and where this program
does otherwise on purpose, is in `docs/published-designs.md`, and every test that this page names is there.
"""

from __future__ import annotations

import ast
import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from recall_tui.config import get_setting
from recall_tui.environment import Environment
from recall_tui.features.context.prompt_filter import skip_reason
from recall_tui.search.query import KINDS
from recall_tui.text.classify.keywords import find_topics
from recall_tui.text.dates import duration_text, parse_since
from tests.cli.conftest import Recall
from tests.conftest import NOON
from tests.makers import Turn, bench_at, session_id_of, transcript, write_files

CHECKOUT = Path(__file__).parents[2]
FOLDER = CHECKOUT / "tests/fixtures/designs"
DESIGNS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
PAGE = CHECKOUT / "docs/published-designs.md"
NAMED_TEST = re.compile(r"`(tests/[\w/.]+\.py)::(test_\w+)`")
TALK: list[Turn] = [
    ("user", "Fix the token refresh race in the auth module"),
    ("assistant", "We decided to use a lock around the refresh. Next step: write a test for expiry."),
]


def made(environment: Environment, design: dict[str, Any]) -> Path:
    """A memory with the example files of a design."""
    root = bench_at(environment, design["layout"]).store.root
    write_files(root, design["files"])
    return root


@pytest.mark.long
@pytest.mark.parametrize("name", DESIGNS)
def test_every_published_command_works(
    recall: Recall, environment: Environment, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    root = made(environment, DESIGNS[name])
    monkeypatch.chdir(root)
    for command in DESIGNS[name]["commands"]:
        said = recall(f"--root={root}", *command["words"])
        codes = command.get("code", 0)
        assert said.code in (codes if isinstance(codes, list) else [codes]), (command, said)
        assert command.get("says", "").lower() in (said.out + said.err).lower(), (command, said)


@pytest.mark.parametrize("name", [name for name in DESIGNS if "hooks" in DESIGNS[name]])
def test_every_published_hook_is_answered(recall: Recall, environment: Environment, name: str) -> None:
    root = made(environment, DESIGNS[name])
    path = transcript(environment, 1, TALK, cwd=str(root))
    for event in DESIGNS[name]["hooks"]:
        payload = event | {"session_id": session_id_of(1), "transcript_path": str(path), "cwd": str(root)}
        said = recall(f"--root={root}", "hook", stdin=json.dumps(payload))
        assert said.code == 0 and not said.err, (event, said)
        if event["hook_event_name"] == "SessionStart":
            assert session_id_of(1) in said.json["hookSpecificOutput"]["additionalContext"]
        elif said.out:
            assert said.json["hookSpecificOutput"]["hookEventName"] == event["hook_event_name"]


@pytest.mark.parametrize(("begin", "end", "words"), DESIGNS["recall-echo"]["durations"])
def test_durations_are_the_published_ones(begin: str, end: str, words: str) -> None:
    assert duration_text(datetime.fromisoformat(begin), datetime.fromisoformat(end)) == words


@pytest.mark.parametrize("case", DESIGNS["recall-echo"]["topics"])
def test_topics_are_the_published_ones(case: dict[str, list[str]]) -> None:
    found = find_topics(case["prompts"], case["files"])
    assert list(found) == case.get("topics", list(found))
    assert set(case.get("holds", ())) <= set(found) and not set(case.get("never", ())) & set(found)


def test_defaults_are_the_published_ones() -> None:
    for design in DESIGNS.values():
        for key, value in design.get("defaults", {}).items():
            assert get_setting(key).default == value, key


def test_times_and_kinds_are_the_published_ones() -> None:
    design = DESIGNS["session-recall"]
    assert all(parse_since(words, NOON) for words in design["since"])
    assert not any(parse_since(words, NOON) for words in design["no_since"])
    assert set(design["kinds"]) <= KINDS


@pytest.mark.parametrize("prompt", DESIGNS["session-recall"]["silent_prompts"])
def test_prompts_that_ask_nothing_are_left_alone(prompt: str) -> None:
    assert skip_reason(prompt)


def test_a_master_has_the_published_parts(recall: Recall, environment: Environment) -> None:
    design = DESIGNS["project-memory"]
    root = made(environment, design)
    recall(f"--root={root}", "synthesize", "--yes")
    text = (root / "_memory/master.md").read_text(encoding="utf-8")
    assert all(part in text for part in design["master"]), text


def test_the_page_names_tests_that_there_are() -> None:
    named = NAMED_TEST.findall(PAGE.read_text(encoding="utf-8"))
    assert len({name for _, name in named}) >= 45
    for file in {file for file, _ in named}:
        tree = ast.parse((CHECKOUT / file).read_text(encoding="utf-8"))
        there = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
        assert {name for path, name in named if path == file} <= there, file
