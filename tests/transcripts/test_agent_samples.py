"""What real agents wrote is read as it was counted by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from recall_tui.domain import Conversation, Message
from recall_tui.environment import Environment
from recall_tui.transcripts.jsonl import read_head
from recall_tui.transcripts.reader import TranscriptFile
from recall_tui.transcripts.registry import all_readers, discover_all, own_reader, read_transcript
from tests.transcripts.agent_samples import (
    NEEDS_SAMPLES,
    READ,
    WORKED_IN,
    copied_home,
    expected,
    is_alone,
    main_sessions,
    sample_file,
)

pytestmark = NEEDS_SAMPLES
LOGS = [(agent, one) for agent in READ for one in main_sessions(agent) if is_alone(one)]
SESSIONS = [(agent, one) for agent in READ for one in main_sessions(agent)]
IDS, LOG_IDS = ([f"{agent}-{one['id'][-12:]}" for agent, one in found] for found in (SESSIONS, LOGS))


def found_files(agent: str, home: Path) -> dict[str, TranscriptFile]:
    """The transcripts of an agent in a home with its sample, by the session."""
    environment = Environment(copied_home(agent, home), home / WORKED_IN, {})
    files = {file.session_id: file for file in discover_all(environment)}
    # Aider gives a run no id; the one in the sample is its time.
    return {next(iter(main_sessions(agent)))["id"]: file for file in files.values()} if agent == "aider" else files


def read(agent: str, counted: dict[str, Any], home: Path) -> Conversation:
    found = read_transcript(found_files(agent, home)[counted["id"]].path)
    assert isinstance(found, Conversation), found
    return found


def counts(messages: list[Message]) -> dict[str, Any]:
    """The same counts as in the table, of messages of one speaker."""
    standing = [one for one in messages if not one.is_off_chain]
    said = {kind: [one for one in standing if one.kind == kind] for kind in ("prompt", "reply", "thought")}
    calls = [one.tool.name for one in messages if one.kind == "tool_call" and one.tool]
    results = [one for one in messages if one.kind == "tool_result"]
    times = [one.at for one in messages if one.at]
    return {
        "user_prompts": len(said["prompt"]),
        "assistant_replies": len({one.message_id for one in said["reply"]}),
        "thoughts": len(said["thought"]),
        "tool_calls": len(calls),
        "tool_names": calls,
        "tool_results": len(results),
        "tool_errors": sum(one.is_error for one in results),
        "first_prompt": said["prompt"][0].text,
        "last_reply": said["reply"][-1].text if said["reply"] else "",
        "start": min(times, default=None),
        "end": max(times, default=None),
    }


def wanted(counted: dict[str, Any]) -> dict[str, Any]:
    names = ("user_prompts", "assistant_replies", "thoughts", "tool_calls", "tool_names", "tool_results")
    times = {name: datetime.fromisoformat(counted[name]) if counted[name] else None for name in ("start", "end")}
    return {name: counted[name] for name in (*names, "tool_errors", "first_prompt", "last_reply")} | times


@pytest.mark.parametrize(("agent", "counted"), SESSIONS, ids=IDS)
def test_a_session_is_read_as_it_was_counted(agent: str, counted: dict[str, Any], tmp_path: Path) -> None:
    found = read(agent, counted, tmp_path)
    told = counts([one for one in found.messages() if not one.is_sidechain])
    if agent == "aider":
        # The times are in the history of inputs, which was not counted.
        told |= {"start": None, "end": None}
    assert told == wanted(counted)
    head = found.head
    assert head.agent == agent and (head.session_id == counted["id"] or agent == "aider")
    assert (head.prompts, head.replies) == (counted["user_prompts"], counted["assistant_replies"])
    title = "" if counted["title"] == "Untitled Session" else counted["title"]
    assert (head.branch, head.model, head.title) == (counted["branch"], counted["model"], title)
    assert head.version in (counted["agent_version"], "")
    assert head.tokens == counted["tokens_in"] + counted["tokens_out"]
    assert head.cwd == folder(agent, counted, tmp_path)
    # Bodies of Claude Code's requests were left out in the samples, and are of another type now.
    assert agent == "claude" or head.fault_count == 0


def folder(agent: str, counted: dict[str, Any], home: Path) -> str:
    """Where a session was held; Gemini CLI tells it in a file that is not in the sample."""
    told = {"gemini": "", "aider": str(home / WORKED_IN)}
    return told.get(agent, str(counted["cwd"]))


@pytest.mark.parametrize(("agent", "counted"), SESSIONS, ids=IDS)
def test_its_sub_agents_are_read_with_it(agent: str, counted: dict[str, Any], tmp_path: Path) -> None:
    aside = [one for one in read(agent, counted, tmp_path).messages() if one.is_sidechain]
    subs = [one for one in expected(agent)["sessions"] if one["parent"] == counted["id"]]
    assert bool(aside) == bool(subs) and len(subs) <= 1
    for sub in subs:
        assert counts(aside) == wanted(sub)


@pytest.mark.parametrize(("agent", "counted"), LOGS, ids=LOG_IDS)
def test_nothing_injected_is_taken_for_a_persons_words(agent: str, counted: dict[str, Any], tmp_path: Path) -> None:
    messages = read(agent, counted, tmp_path).messages()
    said = [one.text for one in messages if one.kind == "prompt" and not one.is_sidechain]
    injected = [text for text in user_records(sample_file(counted)) if not any(one in text for one in said)]
    assert len(injected) == counted["injected_user_records"]


def user_records(path: Path) -> Iterator[str]:
    """The text of each record that bears the person's name and is no answer of a tool."""
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record.get("type") in ("agent.message.appended", "turn.prompt", "event_msg", "tool_result"):
            continue
        message = next((one for name in ("message", "payload") if isinstance(one := record.get(name), dict)), record)
        if record.get("type") == "user.message" and "agentId" not in record:
            yield record["data"]["content"]
        elif record.get("type") == "user" and "message" not in record:
            yield json.dumps(record["content"])
        elif message.get("role") == "user":
            content = message.get("parts", message.get("content"))
            if "tool_use_id" not in json.dumps(content):
                yield content if isinstance(content, str) else "\n".join(str(part.get("text")) for part in content)


@pytest.mark.parametrize("agent", READ)
def test_every_session_is_found_in_its_agents_folder(agent: str, tmp_path: Path) -> None:
    found = found_files(agent, tmp_path)
    environment = Environment(tmp_path, tmp_path / WORKED_IN, {})
    assert {file.agent for file in found.values()} == {agent}
    assert {main["id"] for main in main_sessions(agent)} <= found.keys()
    for counted in main_sessions(agent):
        (file,) = own_reader(agent).find_session(environment, found[counted["id"]].session_id)
        assert file == found[counted["id"]]
        assert own_reader(agent).read_folder(file.path) == folder(agent, counted, tmp_path)


@pytest.mark.parametrize(("agent", "counted"), SESSIONS, ids=IDS)
def test_only_its_own_reader_claims_a_session(agent: str, counted: dict[str, Any], tmp_path: Path) -> None:
    path = found_files(agent, tmp_path)[counted["id"]].path
    head = read_head(path)
    assert [reader.agent for reader in all_readers() if reader.claims(path, head)] == [agent]
