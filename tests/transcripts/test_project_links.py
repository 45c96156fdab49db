"""Transcripts that lie in a project, which others may have written: no link in one leads out of it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from recall_tui.domain import Conversation
from recall_tui.environment import Environment, agent_folder
from recall_tui.transcripts.registry import discover_all, read_transcript
from recall_tui.transcripts.shared_file import PROJECT_FILE
from tests.makers import records, session_id_of, write_transcript
from tests.qa.trust.calling import called
from tests.transcripts.agent_samples import NEEDS_SAMPLES, READ, copied_home
from tests.transcripts.form_samples import SESSIONS, copied_form

WORD = "xylophone"
CHAT = f"# aider chat started at 2026-03-06 10:00:00\n\n#### the {WORD} of the other client\n\nYes.\n"


@pytest.fixture(params=[".", "team"])
def team(environment: Environment, request: pytest.FixtureRequest) -> Environment:
    """The machine of a person who uses Aider and works in a clone with a memory at its top or below."""
    agent_folder(environment, "aider").mkdir()
    for name in ("objects", "refs"):
        (environment.cwd / ".git" / name).mkdir(parents=True)
    (environment.cwd / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    root = environment.cwd / request.param
    assert called(environment, "init", str(root), "--yes").code == 0
    return environment._replace(env={**environment.env, "RECALL_ECHO_HOME": str(root)})


@pytest.fixture
def private(environment: Environment) -> Path:
    """A folder of the same person that is none of the clone's business."""
    folder = environment.home / "other-client"
    folder.mkdir()
    (folder / PROJECT_FILE).write_text(CHAT)
    write_transcript(folder / "chat.jsonl", records(session_id_of(7), [("user", WORD), ("assistant", WORD)]))
    (folder / "chat.json").write_text(
        f'{{"sessionId": "a", "projectHash": "b", "messages": [{{"content": "{WORD}"}}]}}'
    )
    return folder


def repeated(environment: Environment) -> str:
    """All that the commands that read, archive and find have to say, and what is in the memory and the state after."""
    commands = [("sync",), ("archive", "--all-unarchived"), ("list", "all"), ("search", WORD), ("recall", WORD)]
    said = "".join(called(environment, *words).out for words in commands)
    folders = (*environment.cwd.rglob("memory"), environment.state)
    kept = (path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file())
    return said.replace(f'"{WORD}"', "") + b"".join(kept).decode("utf-8", "replace")


def first_time(environment: Environment) -> datetime | None:
    """When the first thing in the one session was said."""
    (one,) = discover_all(environment)
    found = read_transcript(one.path)
    assert isinstance(found, Conversation)
    return next(iter(found.messages())).at


@pytest.mark.parametrize("target", [PROJECT_FILE, "chat.jsonl", "chat.json"])
def test_a_history_that_is_a_link_out_of_its_project_is_left_alone_and_said_so(
    team: Environment, private: Path, target: str
) -> None:
    (team.cwd / PROJECT_FILE).symlink_to(private / target)
    assert f"the {WORD}" not in (found := repeated(team)) and f"{WORD}\n" not in found
    for path in [file.path for file in discover_all(team)] + [team.cwd / PROJECT_FILE]:
        came = called(team, "archive", str(path))
        assert came.code and "and is not followed" in came.err, came
    told = called(team, "index", "status").out
    assert PROJECT_FILE in told and "is not followed" in told, told


def test_a_history_below_a_link_out_of_the_project_is_one_of_the_folder_it_lies_in(
    team: Environment, private: Path
) -> None:
    (team.cwd / "sub").symlink_to(private)
    lines = records(session_id_of(1), [("user", "hi"), ("assistant", "ho")], cwd=str(team.cwd / "sub"))
    write_transcript(team.claude / "projects" / "-sub" / f"{session_id_of(1)}.jsonl", lines)
    (one,) = (file.path for file in discover_all(team) if file.agent == "aider")
    assert one.parent == private
    called(team, "archive", "--all-unarchived")
    pages = Path(team.env["RECALL_ECHO_HOME"]).rglob("*.md")
    assert not any(WORD in page.read_text() for page in pages)


def test_inputs_that_are_a_link_out_of_the_project_time_nothing(team: Environment, private: Path) -> None:
    (team.cwd / PROJECT_FILE).write_text(CHAT)
    (private / "inputs").write_text(f"\n# 2026-03-06 10:00:07.500000\n+the {WORD} of the other client\n")
    inputs = team.cwd / ".aider.input.history"
    inputs.symlink_to(private / "inputs")
    assert first_time(team) is None
    inputs.unlink()
    inputs.write_bytes((private / "inputs").read_bytes())
    assert (at := first_time(team)) and at.second == 7


def test_links_within_the_project_and_in_the_persons_own_home_are_followed(team: Environment, private: Path) -> None:
    (team.cwd / "chats").mkdir()
    (team.cwd / "chats" / "mine.md").write_text(CHAT)
    (team.cwd / PROJECT_FILE).symlink_to("chats/mine.md")
    own = team.claude / "projects" / "-home-u-api" / f"{session_id_of(7)}.jsonl"
    own.parent.mkdir(parents=True)
    own.symlink_to(private / "chat.jsonl")
    assert {file.agent for file in discover_all(team)} == {"aider", "claude"}
    assert called(team, "sync").code == 0
    assert called(team, "search", WORD, "--json").out.count(WORD) > 2


def test_a_history_that_is_named_is_the_one_that_a_link_leads_to(team: Environment, private: Path) -> None:
    (team.cwd / "chat.md").symlink_to(private / PROJECT_FILE)
    named = team._replace(env={**team.env, "AIDER_CHAT_HISTORY_FILE": "chat.md"})
    (one,) = discover_all(named)
    assert one.path.parent == private


@NEEDS_SAMPLES
def test_of_no_other_agent_anything_is_read_that_lies_in_a_project(team: Environment) -> None:
    for agent in (one for one in READ if one != "aider"):
        copied_home(agent, team.cwd)
    for agent in (one for one in SESSIONS if one not in READ):
        copied_form(agent, team.cwd)
    folders = [path for path in team.cwd.iterdir() if path.name not in ("memory", "team", ".git")]
    assert len(folders) > 8
    for path in folders:
        (team.home / path.name).mkdir(exist_ok=True)
    assert discover_all(team) == []
