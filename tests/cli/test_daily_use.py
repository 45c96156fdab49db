"""Items of the published designs as somebody meets them who uses one every day."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.cli.test_older_memories import SECOND, TALK, THIRD
from tests.conftest import NOON
from tests.makers import Turn, bench_at, session_id_of, transcript, write_files


@pytest.mark.parametrize("files", [SECOND, THIRD], ids=["second", "last"])
@pytest.mark.parametrize("way", ["hook", "batch"])
def test_a_memory_of_an_older_generation_in_the_agents_home_captures_every_project(
    recall: Recall, environment: Environment, files: dict[str, str], way: str
) -> None:
    root = environment.claude
    write_files(root, files)
    settings = next(name for name in files if name.endswith(".toml"))
    (root / settings).write_text('[llm]\nprovider = "claude-code"\n\n[pipeline]\nauto_sync = false\n')
    path = transcript(environment, 1, TALK)
    told = {"session_id": session_id_of(1), "transcript_path": str(path), "cwd": "/home/u/api"}
    words = ("archive-session",) if way == "hook" else ("archive", "--all-unarchived")
    assert recall(*words, stdin=json.dumps({**told, "hook_event_name": "SessionEnd"})).code == 0
    assert session_id_of(1) in recall("show", "2").out


CREATED: list[Turn] = [
    ("user", "Add a createTestApp helper with options in snake case"),
    ("assistant", "createTestApp takes port_number and seed_data; it lives in src/testing.ts."),
]


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_a_short_question_about_a_name_is_answered(recall: Recall, environment: Environment, layout: str) -> None:
    bench = bench_at(environment, layout)
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    start = NOON - timedelta(days=9)
    transcript(environment, 1, CREATED, start=start, cwd=cwd)
    for number in range(2, 40):
        talk: list[Turn] = [("user", f"Where is part {number}?"), ("assistant", f"Part {number} is on shelf {number}.")]
        transcript(environment, number, talk, start=start, cwd=cwd)
    recall(root, "sync")
    told = {"hook_event_name": "UserPromptSubmit", "session_id": session_id_of(90), "cwd": cwd}
    for prompt in ("where does createTestApp live?", "what does createTestApp take?"):
        said = recall("hook", root, stdin=json.dumps({**told, "prompt": prompt, "session_id": prompt}))
        assert "it lives in src/testing.ts" in said.out, prompt
    asked = json.dumps({**told, "prompt": "where does createTestApp keep its certificates?"})
    assert not recall("hook", root, stdin=asked).out


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
@pytest.mark.parametrize("end", [", find out why", ", can you look into it?", " - check why", " and tell me what it is"])
def test_what_somebody_only_wants_to_be_found_out_is_no_answer(
    recall: Recall, environment: Environment, layout: str, end: str
) -> None:
    bench = bench_at(environment, layout)
    talk: list[Turn] = [
        ("user", f"The login test is flaky on the build machine{end}"),
        ("assistant", "The login test was flaky because the cookie banner covers its button."),
    ]
    recall(root := f"--root={bench.store.root}", "archive", transcript(environment, 1, talk))
    said = recall(root, "recall", "why was the login test flaky", "--json").json["extracts"]
    assert "because the cookie banner" in said[0]["text"], said
