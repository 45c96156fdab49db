"""Logs of Qwen Code, Droid, Copilot CLI, pi and Kimi Code, made up: each with all that its agent can say."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Record = dict[str, Any]
SESSION = "5e551000-0000-4000-8000-000000000001"
CWD = "/home/u/api"


def at(minute: int) -> str:
    """A time on the morning of all these sessions."""
    return f"2026-03-06T09:{minute:02}:00.000Z"


def lines(records: Iterable[Record]) -> str:
    """The records as a file."""
    return "".join(json.dumps(record) + "\n" for record in records)


def written(path: Path, records: Iterable[Record]) -> Path:
    """Write the records as a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(lines(records), encoding="utf-8")
    return path


def uuid(number: int) -> str:
    """The id of a record."""
    return f"00000000-0000-4000-8000-{number:012}"


def qwen(number: int, kind: str, *parts: Record, parent: int | None = -1, **more: Any) -> Record:
    """A record of Qwen Code, which follows the one numbered before unless another parent is given."""
    before = number - 1 if parent == -1 else parent
    message = {"message": {"role": "user" if kind == "user" else "model", "parts": list(parts)}} if parts else {}
    return {
        "uuid": uuid(number),
        "parentUuid": uuid(before) if before else None,
        "sessionId": SESSION,
        "timestamp": at(number),
        "type": kind,
        "cwd": CWD,
        "version": "0.24.4",
        "gitBranch": "main",
        **message,
        **more,
    }


QWEN = [
    qwen(1, "user", {"text": "why does it fail?"}, provenance="real_user"),
    qwen(2, "assistant", {"text": "Let me see.", "thought": True}, {"text": "Looking."}, model="qwen-x"),
    qwen(3, "assistant", {"functionCall": {"id": "t1", "name": "read_file", "args": {"file_path": "/a.py"}}}),
    qwen(4, "tool_result", {"functionResponse": {"id": "t1", "name": "read_file", "response": {"output": "x = 1"}}}),
    qwen(5, "user", {"text": "<task-notification>done</task-notification>"}, subtype="notification"),
    qwen(6, "user", {"text": "and now?"}, subtype="mid_turn_user_message", provenance="real_user"),
    qwen(7, "system", subtype="custom_title", systemPayload={"customTitle": "The failure"}),
    qwen(
        8,
        "system",
        subtype="chat_compression",
        systemPayload={"compressedHistory": [{"role": "user", "parts": [{"text": "<state_snapshot>It failed."}]}]},
    ),
]


def droid(number: int, role: str, content: Any, **more: Any) -> Record:
    """A message of Droid."""
    return {
        "type": "message",
        "id": uuid(number),
        "parentId": uuid(number - 1),
        "timestamp": at(number),
        "message": {"role": role, "content": content, "modelId": "droid-x", **more},
    }


def droid_start(session: str = SESSION, **more: Any) -> Record:
    """The first record of Droid's session."""
    return {"type": "session_start", "id": session, "title": "Why it fails", "version": 2, "cwd": CWD, **more}


DROID = [
    droid_start(),
    droid(1, "user", [{"type": "text", "text": "Today is Friday."}], visibility="llm_only"),
    droid(2, "user", [{"type": "text", "text": "<system-reminder>x</system-reminder>"}]),
    droid(3, "user", [{"type": "text", "text": "why does it fail?"}, {"type": "image", "source": {}}]),
    droid(
        4,
        "assistant",
        [
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "Looking."},
            {"type": "tool_use", "id": "t1", "name": "Execute", "input": {"command": "make"}},
        ],
    ),
    droid(5, "user", [{"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": "no rule"}]),
    {"type": "compaction_state", "id": uuid(6), "timestamp": at(6), "summaryText": "It failed."},
    {"type": "agent_turn_outcome", "reason": "completed"},
]


def copilot(number: int, kind: str, agent: str = "", **data: Any) -> Record:
    """An event of Copilot CLI, with an agent that of a sub-agent."""
    side = {"agentId": agent} if agent else {}
    return {
        "type": kind,
        "data": data,
        "id": uuid(number),
        "parentId": uuid(number - 1),
        "timestamp": at(number),
    } | side


def copilot_start(**more: Any) -> Record:
    """The first event of Copilot CLI's session."""
    told = {"version": 1, "producer": "copilot-agent", "copilotVersion": "1.0.102", "selectedModel": "gpt-x"}
    context = {"cwd": CWD, "branch": "main"}
    return copilot(1, "session.start", sessionId=SESSION, startTime=at(0), context=context, **(told | more))


COPILOT = [
    copilot_start(),
    copilot(2, "user.message", content="why does it fail?", transformedContent="<x/>why does it fail?"),
    copilot(3, "user.message", content="Custom instructions from AGENTS.md", source="instruction-discovery"),
    copilot(4, "assistant.reasoning", content="hm"),
    copilot(
        5,
        "assistant.message",
        messageId="m1",
        content="Looking.",
        reasoningText="hm",
        toolRequests=[{"toolCallId": "t1", "name": "task", "arguments": {"prompt": "look"}}],
    ),
    copilot(6, "tool.execution_start", toolCallId="t1", toolName="task", arguments={"prompt": "look"}),
    copilot(7, "user.message", "a1", content="look", source=f"agent-{SESSION}"),
    copilot(8, "assistant.message", "a1", messageId="m2", content="I looked.", model="gpt-mini", toolRequests=[]),
    copilot(9, "tool.execution_complete", toolCallId="t1", success=False, error={"message": "no rule"}),
    copilot(10, "session.context_changed", cwd=CWD, branch="fix"),
    copilot(11, "session.compaction_complete", summaryContent="It failed."),
]


def pi(id: str, parent: str | None, minute: int, **message: Any) -> Record:
    """A message of pi."""
    return {"type": "message", "id": id, "parentId": parent, "timestamp": at(minute), "message": message}


def pi_start(**more: Any) -> Record:
    """The first entry of pi's session."""
    return {"type": "session", "version": 3, "id": SESSION, "timestamp": at(0), "cwd": CWD, **more}


PI = [
    pi_start(),
    pi("a1", None, 1, role="user", content="why does it fail?"),
    pi(
        "a2",
        "a1",
        2,
        role="assistant",
        model="pi-x",
        content=[
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "Looking."},
            {"type": "toolCall", "id": "t1", "name": "read", "arguments": {"path": "/a.py"}},
        ],
    ),
    pi("a3", "a2", 3, role="toolResult", toolCallId="t1", toolName="read", content="no file", isError=True),
    pi("b1", "a3", 4, role="user", content=[{"type": "text", "text": "the wrong way"}]),
    pi("b2", "b1", 5, role="assistant", content=[{"type": "text", "text": "Wrong."}]),
    {
        "type": "branch_summary",
        "id": "c0",
        "parentId": "a3",
        "timestamp": at(6),
        "summary": "It was wrong.",
        "fromId": "b2",
    },
    pi("c1", "c0", 7, role="user", content="the right way"),
    pi("c2", "c1", 8, role="bashExecution", command="make", output="done"),
    {"type": "custom_message", "id": "c3", "parentId": "c2", "timestamp": at(9), "content": "injected"},
    {"type": "session_info", "id": "c4", "parentId": "c3", "timestamp": at(10), "name": "The failure"},
    {"type": "compaction", "id": "c5", "parentId": "c4", "timestamp": at(11), "summary": "It failed."},
]
_MINUTE_MS = 60_000
_START_MS = 1_772_787_600_000


def kimi(minute: int, kind: str, **more: Any) -> Record:
    """An event of Kimi Code."""
    return {"type": kind, "agentId": "main", **more, "time": _START_MS + minute * _MINUTE_MS}


def kimi_message(minute: int, text: str, origin: str = "user", kind: str = "context.append_message") -> Record:
    """A message in Kimi Code's context."""
    content = [{"type": "text", "text": text}]
    return kimi(minute, kind, message={"role": "user", "content": content, "origin": {"kind": origin}})


def kimi_event(minute: int, kind: str, **event: Any) -> Record:
    """What Kimi Code's agent did in a step."""
    own = {"type": kind, "uuid": uuid(minute), "stepUuid": uuid(100), **event}
    return kimi(minute, "context.append_loop_event", event=own)


KIMI_START: Record = {"type": "metadata", "protocol_version": "1.5", "created_at": _START_MS}
KIMI = [
    KIMI_START,
    kimi(0, "profile.bind", environmentDisclosure={"cwd": CWD}),
    kimi(1, "turn.prompt", input=[{"type": "text", "text": "why does it fail?"}], origin={"kind": "user"}),
    kimi_message(1, "why does it fail?"),
    kimi_message(1, "<system-reminder>x</system-reminder>", "injection"),
    kimi(2, "llm.request", model="kimi-x"),
    kimi_event(2, "content.part", part={"type": "think", "think": "hm"}),
    kimi_event(3, "content.part", part={"type": "text", "text": "Looking."}),
    kimi_event(4, "tool.call", toolCallId="t1", name="Bash", args={"command": "make"}),
    kimi_event(5, "tool.result", toolCallId="t1", result={"output": "no rule", "isError": True}),
    kimi(6, "turn.steer", input=[{"type": "text", "text": "be quick"}], origin={"kind": "user"}),
    kimi_message(6, "be quick"),
    kimi_message(7, "the wrong way"),
    kimi_event(8, "content.part", part={"type": "text", "text": "Wrong."}),
    kimi(9, "context.undo", count=1),
    kimi(10, "context.apply_compaction", summary="It failed.", compactedCount=3),
]
LOGS = {"qwen": QWEN, "droid": DROID, "copilot": COPILOT, "pi": PI, "kimi": KIMI}
PLACES = {
    "qwen": f"projects/-home-u-api/chats/{SESSION}.jsonl",
    "droid": f"sessions/-home-u-api/{SESSION}.jsonl",
    "copilot": f"session-state/{SESSION}/events.jsonl",
    "pi": f"--home-u-api--/2026-03-06T09-00-00-000Z_{SESSION}.jsonl",
    "kimi": f"sessions/wd_api_000000000000/{SESSION}/agents/main/wire.jsonl",
}
"""Where each agent keeps such a log, in its folder."""
