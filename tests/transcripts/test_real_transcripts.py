"""Real transcripts, counted a second time by a plain reading of their JSON that shares nothing with the package."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from recall_tui.domain import Conversation, SkippedResult
from recall_tui.transcripts.registry import read_transcript

WRITTEN_BY_THE_MACHINE = re.compile(
    r"<(local-command-|session-start-hook|tick>|goal>|task-notification|bash-(input|std)|system-reminder>)"
    r"|\[Request interrupted by user|Stop hook feedback:|This session is being continued from"
    r"|Caveat: The messages below|<command-(name|message|args)>"
)
PUT_AROUND_PROMPTS = re.compile(r"<(system-reminder|ide_opened_file|ide_selection)>.*?</\1>\s*", re.DOTALL)


def plain_records(path: Path) -> list[dict[str, Any]]:
    found, seen = [], set()
    for line in path.read_bytes().split(b"\n"):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if not isinstance(record, dict) or record.get("type") not in ("user", "assistant"):
            continue
        message = record.get("message")
        if not isinstance(message, dict) or not message.get("content") or record.get("uuid") in seen:
            continue
        seen |= {record["uuid"]} if record.get("uuid") else set()
        found.append(record)
    return found


def blocks_of(record: dict[str, Any]) -> list[dict[str, Any]]:
    content = record["message"]["content"]
    if isinstance(content, str):
        content = [content]
    return [{"type": "text", "text": block} if isinstance(block, str) else block for block in content]


def is_prompt(record: dict[str, Any]) -> bool:
    if record["type"] != "user" or record.get("isMeta") or record.get("isCompactSummary"):
        return False
    for block in blocks_of(record):
        if block["type"] in ("image", "document"):
            return True
        words = block.get("text", "").strip() if block["type"] == "text" else ""
        while match := PUT_AROUND_PROMPTS.match(words):
            words = words[match.end() :]
        if words and not WRITTEN_BY_THE_MACHINE.match(words):
            return True
    return False


def plain_count(records: list[dict[str, Any]]) -> dict[str, int]:
    main = [record for record in records if not record.get("isSidechain")]
    agents = [record for record in main if record["type"] == "assistant"]
    replies = {
        record["message"].get("id") or record.get("uuid") or number
        for number, record in enumerate(agents)
        if any(block["type"] == "text" and block["text"].strip() for block in blocks_of(record))
    }
    kinds = Counter(block["type"] for record in records for block in blocks_of(record))
    return {
        "prompts": sum(map(is_prompt, main)),
        "replies": len(replies),
        "tool_call": kinds["tool_use"],
        "tool_result": kinds["tool_result"],
        "compact_summary": sum(bool(record.get("isCompactSummary")) for record in records),
        "thought": sum(bool(block.get("thinking", "").strip()) for record in records for block in blocks_of(record)),
        "sidechain": len({record["uuid"] for record in records if record.get("isSidechain")}),
    }


def our_count(conversation: Conversation) -> dict[str, int]:
    messages = list(conversation.messages())
    kinds = Counter(message.kind for message in messages)
    return {
        "prompts": conversation.head.prompts,
        "replies": conversation.head.replies,
        **{kind: kinds[kind] for kind in ("tool_call", "tool_result", "compact_summary", "thought")},
        "sidechain": len({message.uuid for message in messages if message.is_sidechain}),
    }


def is_claude_codes(records: list[dict[str, Any]]) -> bool:
    is_session = any(not record.get("isSidechain") for record in records)
    return is_session and not str(records[0].get("sessionId")).startswith("session-5de7")


def test_every_real_transcript_counts_as_a_plain_reading_does(test_data: Path) -> None:
    files = sorted((test_data / "transcripts").glob("*/*.jsonl"))
    assert len(files) > 50
    for path in files:
        records, found = plain_records(path), read_transcript(path)
        if isinstance(found, Conversation) and found.head.agent != "claude":
            continue
        if not records or not is_claude_codes(records):
            assert isinstance(found, SkippedResult), path
            continue
        assert isinstance(found, Conversation), (path, found)
        assert our_count(found) == plain_count(records), path


def plain_codex_count(path: Path) -> dict[str, int]:
    items = [json.loads(line).get("payload", {}) for line in path.read_text(encoding="utf-8").splitlines()]
    kinds = Counter(item.get("role") or item.get("type") for item in items)
    return {"prompts": kinds["user"], "replies": kinds["assistant"], "tool_result": kinds["function_call_output"]}


def plain_gemini_count(path: Path) -> dict[str, int]:
    messages = json.loads(path.read_bytes())["messages"]
    return {
        "prompts": sum(m["type"] == "user" and not m["content"].startswith("System:") for m in messages),
        "replies": sum(m["type"] == "gemini" and bool(m["content"]) for m in messages),
        "tool_result": sum(len(m.get("toolCalls", [])) for m in messages),
    }


def plain_copilot_count(path: Path) -> dict[str, int]:
    events = list(map(json.loads, path.read_text(encoding="utf-8").splitlines()))
    kinds = Counter(event["type"] for event in events if "source" not in event["data"])
    replies = sum(event["type"] == "assistant.message" and bool(event["data"]["content"]) for event in events)
    return {"prompts": kinds["user.message"], "replies": replies, "tool_result": kinds["tool.execution_complete"]}


def plain_pi_count(path: Path) -> dict[str, int]:
    records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    messages = [record["message"] for record in records if record["type"] == "message"]
    kinds = Counter(message["role"] for message in messages)
    replies = sum(
        message["role"] == "assistant" and any(block["type"] == "text" for block in message["content"])
        for message in messages
    )
    return {"prompts": kinds["user"], "replies": replies, "tool_result": kinds["toolResult"]}


PLAIN_COUNTS = {
    "codex": plain_codex_count,
    "gemini": plain_gemini_count,
    "copilot": plain_copilot_count,
    "pi": plain_pi_count,
}


def test_real_transcripts_of_other_agents_count_as_a_plain_reading_does(test_data: Path) -> None:
    seen: Counter[str] = Counter()
    for path in sorted((test_data / "transcripts").glob("*/*.jsonl")):
        found = read_transcript(path)
        if not isinstance(found, Conversation) or found.head.agent == "claude":
            continue
        if path.name.endswith("pi-session.jsonl"):  # Made by hand, with a broken line.
            assert found.head.fault_count == 1
            continue
        plain = PLAIN_COUNTS[found.head.agent](path)
        counted = our_count(found)
        assert {name: counted[name] for name in plain} == plain, path
        assert found.head.fault_count == 0
        assert all(message.tool for message in found.messages() if message.kind == "tool_result")
        seen[found.head.agent] += 1
    assert seen == {"codex": 2, "gemini": 2, "copilot": 1, "pi": 1}


@pytest.mark.long
@pytest.mark.parametrize("home", ["agent-dev", "locomo-dev"])
def test_a_whole_home_is_read_without_a_fault(test_data: Path, home: str) -> None:
    files = sorted((test_data / home / "home" / ".claude" / "projects").glob("*/*.jsonl"))
    assert len(files) > 100
    for path in files:
        found = read_transcript(path)
        assert isinstance(found, Conversation), (path, found)
        assert found.head.fault_count == 0, path
        assert found.head.session_id == path.stem
        assert our_count(found) == plain_count(plain_records(path)), path


def test_hardly_anything_of_real_conversations_is_off_the_chain(test_data: Path) -> None:
    total = off = answered = 0
    for path in sorted((test_data / "transcripts").glob("entireio-cli/*.jsonl")):
        if isinstance(found := read_transcript(path), Conversation):
            for message in found.messages():
                total += 1
                off += message.is_off_chain
                answered += message.kind == "tool_result" and message.tool is not None
    assert total > 3000
    assert answered > 900
    assert off / total < 0.01
