"""Aider's histories: each run is a session, and what is the person's is told from what only looks so."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recall_tui.domain import Conversation, SkippedResult
from recall_tui.environment import Environment, agent_folder
from recall_tui.transcripts.registry import discover_all, read_transcript
from tests.makers import records, session_id_of, write_transcript

HEADING = "# aider chat started at 2026-03-06 10:00:00\n\n> Aider v0.86.2\n> Main model: m-1 with diff edit format\n\n"


@pytest.fixture(autouse=True)
def used(environment: Environment) -> None:
    """Aider was used on this machine."""
    agent_folder(environment, "aider").mkdir()


@pytest.fixture
def project(environment: Environment) -> Path:
    return environment.cwd


def write(project: Path, text: str, inputs: str = "") -> Path:
    path = project / ".aider.chat.history.md"
    path.write_text(text)
    if inputs:
        (project / ".aider.input.history").write_text(inputs)
    return path


def sessions(environment: Environment) -> list[Conversation]:
    found = [read_transcript(file.path) for file in discover_all(environment)]
    assert all(isinstance(one, Conversation) for one in found), found
    return [one for one in found if isinstance(one, Conversation)]


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in conversation.messages()]


def test_each_run_is_a_session_of_the_folder(environment: Environment, project: Path) -> None:
    later = "\n# aider chat started at 2026-03-06 11:00:00\n\n#### bye  \n\nBye.\n"
    write(project, f"{HEADING}#### hello  \n#### there  \n\nHi.\n\n> Tokens: 5 sent.\n{later}")
    first, second = sessions(environment)
    assert said(first) == [("prompt", "hello\nthere"), ("reply", "Hi.")]
    assert said(second) == [("prompt", "bye"), ("reply", "Bye.")]
    assert (first.head.agent, first.head.cwd, first.head.model) == ("aider", str(project), "m-1")
    assert first.head.version == "0.86.2" and first.head.session_id != second.head.session_id
    started = first.head.started_at
    assert started is not None and started.astimezone().replace(tzinfo=None) == datetime(2026, 3, 6, 10)


def test_a_run_is_as_it_was_when_another_began(environment: Environment, project: Path) -> None:
    path = write(project, f"{HEADING}#### hello\n\nHi.\n")
    os.utime(path, (1_772_800_000, 1_772_800_000))
    (before,) = discover_all(environment)
    with path.open("a") as file:
        file.write("\n# aider chat started at 2026-03-06 11:00:00\n\n#### bye\n\nBye.\n")
    first, second = discover_all(environment)
    assert first.path == before.path and second.modified > first.modified
    with path.open("a") as file:
        file.write("#### again\n")
    assert discover_all(environment)[0] == first


def test_marks_in_a_fence_are_the_answers(environment: Environment, project: Path) -> None:
    write(project, f"{HEADING}#### show it\n\n```md\n#### a heading\n> a quote\n```\n\nDone.\n")
    (found,) = sessions(environment)
    assert said(found) == [("prompt", "show it"), ("reply", "```md\n#### a heading\n> a quote\n```\n\nDone.")]


def test_the_inputs_give_the_times_and_tell_a_prompt_behind_an_open_fence(
    environment: Environment, project: Path
) -> None:
    inputs = "\n# 2026-03-06 10:00:02.500000\n+show it\n\n# 2026-03-06 10:00:02.600000\n+show it\n"
    inputs += "\n# 2026-03-06 10:05:00.000000\n+and\n+more\n\n# 2026-03-06 12:00:00.000000\n+later\n"
    write(project, f"{HEADING}#### show it\n\n```py\nbroken off\n\n#### and\n#### more\n\nYes.\n", inputs)
    (found,) = sessions(environment)
    messages = list(found.messages())
    assert [one.text for one in messages] == ["show it", "```py\nbroken off", "and\nmore", "Yes."]
    local = [one.at.astimezone().replace(tzinfo=None) for one in messages if one.at]
    assert local[0] == local[1] == datetime(2026, 3, 6, 10, 0, 2, 500000)
    assert local[2] == local[3] == datetime(2026, 3, 6, 10, 5)
    assert messages[0].at is not None and messages[0].at.tzinfo is UTC


def test_histories_are_found_in_the_projects_that_other_agents_name(environment: Environment, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    write(elsewhere, f"{HEADING}#### hello\n\nHi.\n")
    assert discover_all(environment) == []
    path = environment.claude / "projects" / "-elsewhere" / f"{session_id_of(1)}.jsonl"
    lines = records(session_id_of(1), [("user", "hi"), ("assistant", "ho")])
    write_transcript(path, [one | {"cwd": str(elsewhere)} for one in lines])
    assert [file.agent for file in discover_all(environment)].count("aider") == 1


def test_the_history_that_is_named_and_the_one_above_are_found(environment: Environment, tmp_path: Path) -> None:
    write(tmp_path, f"{HEADING}#### hello\n\nHi.\n")
    own = tmp_path / "own.md"
    own.write_text(f"{HEADING}#### bye\n\nBye.\n")
    named = environment._replace(env={**environment.env, "AIDER_CHAT_HISTORY_FILE": str(own)})
    assert len(discover_all(environment)) == 1 and len(discover_all(named)) == 2


def test_a_history_itself_is_no_transcript() -> None:
    path = Path(__file__).resolve().parents[1] / "fixtures" / "transcripts" / "aider" / "history.md"
    assert read_transcript(path) == SkippedResult("a history of 1 run: name one, as history.md#ID")


def test_nothing_is_looked_for_where_aider_was_never_used(environment: Environment, project: Path) -> None:
    write(project, f"{HEADING}#### hello\n\nHi.\n")
    agent_folder(environment, "aider").rmdir()
    assert discover_all(environment) == []
