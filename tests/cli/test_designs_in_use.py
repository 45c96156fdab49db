"""Answers that scripts and agents of the published designs wait for: exit codes, JSON of errors, lines and keys."""

from __future__ import annotations

import json

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.makers import Turn, bench_at, session_id_of, transcript, write_files

TALK: list[Turn] = [
    ("user", "Why does createTestApp fail with ECONNRESET in src/test_app.ts?"),
    (
        "assistant",
        "The keep-alive agent closes sockets early. We decided to set keepAlive false because the pool reused them.",
    ),
]


@pytest.mark.parametrize("command", ["read", "show"])
def test_what_is_missing_is_told_in_json_to_who_asks_for_json(
    recall: Recall, environment: Environment, command: str
) -> None:
    root = bench_at(environment, "hierarchical").store.root
    said = recall(f"--root={root}", "--json", command, "nosuch.md")
    assert said.code == 1 and said.json["file"] == "nosuch.md" and said.json["error"]
    assert recall(f"--root={root}", command, "nosuch.md").out == ""


def test_distill_without_a_memory_file_is_an_error(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "entity")
    bench.layout.memory_file.unlink(missing_ok=True)
    said = recall(f"--root={bench.store.root}", "distill")
    assert said.code == 1 and "does not exist" in said.err


def test_a_folder_whose_parent_is_mistyped_is_not_made(recall: Recall, environment: Environment) -> None:
    said = recall("init", environment.home / "typo" / "agent", "--yes", "--no-install")
    assert said.code == 1 and "typo does not exist" in said.err
    assert not (environment.home / "typo").exists()
    assert recall("init", environment.home / "agent", "--yes", "--no-install").code == 0


def test_a_promoted_window_is_the_log_of_a_sessions_end(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "user")
    bench.layout.window.write_text("We left the parser open.\n")
    assert recall(f"--root={bench.store.root}", "promote").code == 0
    assert "\ntrigger: session-end\n" in bench.archive.get(1).path.read_text()
    assert "nothing" in recall(f"--root={bench.store.root}", "promote").err


def test_the_line_of_the_session_is_the_published_one(recall: Recall, environment: Environment) -> None:
    root = bench_at(environment, "project").store.root
    event = {"session_id": "7777-x", "transcript_path": "/nope", "cwd": str(root)}
    event |= {"hook_event_name": "SessionStart", "source": "startup"}
    said = recall(f"--root={root}", "hook", stdin=json.dumps(event))
    lines = said.json["hookSpecificOutput"]["additionalContext"].splitlines()
    assert "SESSION_ID: 7777-x" in lines and "The id of this session is 7777-x." in lines


@pytest.mark.parametrize("command", ["status", "dashboard"])
def test_a_memory_file_that_is_nearly_full_is_not_healthy(
    recall: Recall, environment: Environment, command: str
) -> None:
    bench = bench_at(environment, "entity")
    lines = "".join(f"- fact {number}: the value is {number * 7}\n" for number in range(185))
    bench.layout.memory_file.write_text(f"# Memory\n\n## A\n{lines}")
    said = recall(f"--root={bench.store.root}", "--json", command)
    assert said.code == 0 and said.json["health"] == "degraded"
    assert any("nearly full" in reason for reason in said.json["reasons"])


def test_status_fails_while_a_hook_cannot_run(recall: Recall, environment: Environment) -> None:
    environment.claude.mkdir()
    assert recall("init", "--layout", "user", "--yes").code == 0
    assert recall("status").code == 0
    settings = environment.claude / "settings.json"
    table = json.loads(settings.read_text())
    for groups in table["hooks"].values():
        for hook in (hook for group in groups for hook in group["hooks"]):
            hook["command"] = f"/nope/recall-tui hook --root {environment.claude}"
    settings.write_text(json.dumps(table))
    said = recall("status")
    assert said.code == 1 and "degraded" in said.out and "/nope/recall-tui" in said.out
    found = recall("--json", "status")
    assert found.code == 1 and any("/nope/recall-tui" in reason for reason in found.json["reasons"])


def test_only_what_says_a_word_of_the_question_answers_it(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "user")
    assert recall(f"--root={bench.store.root}", "init", bench.store.root, "--yes", "--no-install").code == 0
    transcript(environment, 1, TALK)
    todo = [{"content": "Write the eviction tests", "status": "pending", "activeForm": "Writing the eviction tests"}]
    session = session_id_of(1)
    write_files(environment.claude, {f"todos/{session}-agent-{session}.json": json.dumps(todo)})
    said = recall(f"--root={bench.store.root}", "recall", "createTestApp ECONNRESET")
    assert said.code == 0 and "keepAlive false" in said.out and "eviction" not in said.out
    assert "eviction" in recall(f"--root={bench.store.root}", "recall", "eviction tests").out
    assert recall(f"--root={bench.store.root}", "recall", "how do decisions about this project work").out == ""


def test_the_past_is_answered_from_a_memory_of_one_session(recall: Recall, environment: Environment) -> None:
    root = bench_at(environment, "user").store.root
    path = transcript(environment, 1, TALK)
    assert recall(f"--root={root}", "sync").code == 0

    def asked(prompt: str) -> str:
        event = {"session_id": "fresh-1", "transcript_path": "/x.jsonl", "cwd": "/work", "prompt": prompt}
        event["hook_event_name"] = "UserPromptSubmit"
        return recall(f"--root={root}", "hook", stdin=json.dumps(event)).out

    assert path.stem in asked("what did we decide about keepAlive and the pool")
    assert asked("what did we decide about the colour of the landing page") == ""
    assert asked("please rename the sockets variable in the parser module") == ""
