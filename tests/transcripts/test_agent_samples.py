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
from recall_tui.transcripts.registry import all_readers, discover_all, own_reader, read_transcript
from tests.transcripts.agent_samples import (
    NEEDS_SAMPLES,
    READ,
    copied_home,
    expected,
    main_sessions,
    sample_file,
)

pytestmark = NEEDS_SAMPLES
SESSIONS = [(agent, one) for agent in READ for one in main_sessions(agent)]
IDS = [f"{agent}-{one['id'][:8]}" for agent, one in SESSIONS]


def read(counted: dict[str, Any]) -> Conversation:
    found = read_transcript(sample_file(counted))
    assert isinstance(found, Conversation), found
    return found


def counts(messages: list[Message]) -> dict[str, Any]:
    """The same counts as in the table, of messages of one speaker."""
    said = {kind: [one for one in messages if one.kind == kind] for kind in ("prompt", "reply", "thought")}
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
        "last_reply": said["reply"][-1].text,
        "start": min(times, default=None),
        "end": max(times, default=None),
    }


def wanted(counted: dict[str, Any]) -> dict[str, Any]:
    names = ("user_prompts", "assistant_replies", "thoughts", "tool_calls", "tool_names", "tool_results")
    times = {name: datetime.fromisoformat(counted[name]) for name in ("start", "end")}
    return {name: counted[name] for name in (*names, "tool_errors", "first_prompt", "last_reply")} | times


@pytest.mark.parametrize(("agent", "counted"), SESSIONS, ids=IDS)
def test_a_session_is_read_as_it_was_counted(agent: str, counted: dict[str, Any]) -> None:
    found = read(counted)
    assert counts([one for one in found.messages() if not one.is_sidechain]) == wanted(counted)
    head = found.head
    assert (head.agent, head.session_id) == (agent, counted["id"])
    assert (head.prompts, head.replies) == (counted["user_prompts"], counted["assistant_replies"])
    assert (head.branch, head.model, head.title) == (counted["branch"], counted["model"], counted["title"])
    assert head.version in (counted["agent_version"], "")
    # Gemini CLI tells the folder in a file that is not in the sample.
    assert head.cwd == ("" if agent == "gemini" else counted["cwd"])
    # Bodies of Claude Code's requests were left out in the samples, and are of another type now.
    assert agent == "claude" or head.fault_count == 0


@pytest.mark.parametrize(("agent", "counted"), SESSIONS, ids=IDS)
def test_its_sub_agents_are_read_with_it(agent: str, counted: dict[str, Any]) -> None:
    aside = [one for one in read(counted).messages() if one.is_sidechain]
    subs = [one for one in expected(agent)["sessions"] if one["parent"] == counted["id"]]
    assert bool(aside) == bool(subs) and len(subs) <= 1
    for sub in subs:
        assert counts(aside) == wanted(sub)


@pytest.mark.parametrize(("agent", "counted"), SESSIONS, ids=IDS)
def test_nothing_injected_is_taken_for_a_persons_words(agent: str, counted: dict[str, Any]) -> None:
    said = [one.text for one in read(counted).messages() if one.kind == "prompt" and not one.is_sidechain]
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
    environment = Environment(copied_home(agent, tmp_path), tmp_path, {})
    found = {file.session_id: file for file in discover_all(environment)}
    assert {file.agent for file in found.values()} == {agent}
    assert {main["id"] for main in main_sessions(agent)} <= found.keys()
    for counted in main_sessions(agent):
        (file,) = own_reader(agent).find_session(environment, counted["id"])
        assert file == found[counted["id"]]
        if agent != "gemini":
            assert own_reader(agent).read_folder(file.path) == counted["cwd"]


@pytest.mark.parametrize(("agent", "counted"), SESSIONS, ids=IDS)
def test_only_its_own_reader_claims_a_session(agent: str, counted: dict[str, Any]) -> None:
    path = sample_file(counted)
    head = path.read_bytes()
    assert [reader.agent for reader in all_readers() if reader.claims(path, head)] == [agent]
