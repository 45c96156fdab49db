"""What an archive and a summary keep of a session: each of a list, an answer, a decision with a secret in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.makers import Turn, bench_at, session_id_of, transcript, write_files

PARTS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta")
TOKEN = "ghp_" + "A1b2C3d4E5" * 4
LISTS: list[Turn] = [
    ("user", "Settle the open parts"),
    (
        "assistant",
        "\n".join(
            (
                *(f"Decision: we chose option {one} for part {one}." for one in PARTS),
                *(f"Next step: finish item {one}." for one in PARTS),
            )
        ),
    ),
]


def kept_text(recall: Recall, environment: Environment, layout: str, session: Path) -> str:
    """What the layout keeps of a session: its archive above the turns and its tags, or its summary."""
    root = bench_at(environment, layout).store.root
    if layout == "project":
        assert recall(f"--root={root}", "summarize", session.stem, "--yes").code == 0
        return (root / "_memory/conversations" / f"{session.stem}.md").read_text()
    assert recall(f"--root={root}", "archive", session).code == 0
    text: str = recall(f"--root={root}", "show", "1").out
    return text[: text.index("### ")] + text[text.index("## Tags") :] if "### " in text else text


@pytest.mark.parametrize("layout", ["entity", "user", "project", "hierarchical"])
def test_decisions_and_steps_that_name_other_things_are_all_kept(
    recall: Recall, environment: Environment, layout: str
) -> None:
    text = kept_text(recall, environment, layout, transcript(environment, 1, LISTS))
    for part in PARTS:
        assert f"we chose option {part} for part {part}." in text
        assert f"finish item {part}." in text


def test_a_decision_that_is_said_twice_is_kept_once(recall: Recall, environment: Environment) -> None:
    turns: list[Turn] = [
        ("user", "Choose a cache"),
        ("assistant", "Decision: we use Redis for the cache because of its TTLs."),
        ("user", "And write it down"),
        ("assistant", "Decision: use Redis for the cache, because of its TTLs."),
    ]
    text = kept_text(recall, environment, "project", transcript(environment, 1, turns))
    assert text.partition("## Tracking Points")[2].partition("<!--")[0].count("Redis") == 1


@pytest.mark.parametrize("layout", ["entity", "project"])
def test_a_decision_that_names_a_token_stands_with_the_token_masked(
    recall: Recall, environment: Environment, layout: str
) -> None:
    turns: list[Turn] = [
        ("user", "Choose a vault"),
        ("assistant", f"Decision: use Vault with token {TOKEN} because it is safe.\n\nPattern: rotate weekly."),
    ]
    text = kept_text(recall, environment, layout, transcript(environment, 1, turns))
    tail = text[text.index("## T") :]
    assert "use Vault with token [redacted:github-token] because it is safe." in tail and TOKEN not in text


def gemini_session(environment: Environment) -> Path:
    """A session of Gemini CLI that answers one question, and names the call that it made with the answer."""
    call = {
        "id": "t",
        "name": "read_file",
        "args": {"absolute_path": "/home/u/api/config/giraffe.yaml"},
        "result": [{"functionResponse": {"id": "t", "name": "read_file", "response": {"output": "port: 8181"}}}],
        "status": "success",
        "timestamp": "2026-03-01T10:04:00Z",
    }
    answer = "The giraffe server uses port 8181, set in config/giraffe.yaml."
    said = {
        "sessionId": session_id_of(8),
        "projectHash": "abc",
        "startTime": "2026-03-01T10:00:00Z",
        "lastUpdated": "2026-03-01T10:05:00Z",
        "messages": [
            {"id": "1", "timestamp": "2026-03-01T10:00:00Z", "type": "user", "content": "Which port do we use?"},
            {"id": "2", "timestamp": "2026-03-01T10:05:00Z", "type": "gemini", "content": answer, "toolCalls": [call]},
        ],
    }
    name = "tmp/abc/chats/session-2026-03-01T10-00-aaaa1111.json"
    write_files(environment.home / ".gemini", {name: json.dumps(said)})
    return environment.home / ".gemini" / name


@pytest.mark.parametrize("layout", ["entity", "user", "hierarchical"])
def test_the_answer_to_a_question_stands_in_the_window(recall: Recall, environment: Environment, layout: str) -> None:
    bench = bench_at(environment, layout)
    root = bench.store.root
    assert recall(f"--root={root}", "archive", gemini_session(environment)).code == 0
    assert "Which port do we use? → The giraffe server uses port 8181" in bench.layout.window.read_text()
    code: list[Turn] = [
        ("user", "Why does the zebra exporter drop the last row?"),
        ("Read", "src/zebra.py"),
        ("assistant", "The loop ended one row early; I changed range(n-1) to range(n) in src/zebra.py."),
    ]
    assert recall(f"--root={root}", "archive", transcript(environment, 2, code)).code == 0
    assert "The loop ended one row early; I changed range(n-1)" in bench.layout.window.read_text()


def test_an_announcement_is_no_answer(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "entity")
    turns: list[Turn] = [("user", "Which port do we use?"), ("assistant", "Let me look it up."), ("Read", "a.yaml")]
    assert recall(f"--root={bench.store.root}", "archive", transcript(environment, 1, turns)).code == 0
    window = bench.layout.window.read_text()
    assert "Which port do we use?" in window and "look it up" not in window
