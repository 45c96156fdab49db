"""Sessions that their agent rewrites as a whole: Cline's, and Continue's."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from recall_tui.domain import Conversation, SkippedResult
from recall_tui.environment import Environment, agent_folder
from recall_tui.errors import BrokenFileError
from recall_tui.features.capture.session_reader import copied_lines
from recall_tui.storage.archives import retained
from recall_tui.transcripts import jsonl, whole_file
from recall_tui.transcripts.registry import companion_files, discover_all, own_reader, read_transcript

UUID = "484800b5-67ab-4dce-83db-385253caf782"
MS = 1_772_791_200_000


def opened(path: Path) -> Conversation:
    found = read_transcript(path)
    assert isinstance(found, Conversation), found
    return found


def said(path: Path) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in opened(path).messages()]


def cline(
    environment: Environment, *messages: dict[str, Any], name: str = "c1", indent: int | None = None, **header: Any
) -> Path:
    folder = agent_folder(environment, "cline") / "c1"
    folder.mkdir(parents=True, exist_ok=True)
    told = [{"id": f"{name}-{number}", "ts": MS + number} | one for number, one in enumerate(messages)]
    whole = {"version": 1, "updated_at": "x", "agent": "lead", "sessionId": name, "origin": {"version": "3"}}
    path = folder / f"{name}.messages.json"
    path.write_text(json.dumps(whole | {"messages": told}, indent=indent))
    if name == "c1":
        about = {"version": 1, "session_id": "c1", "cwd": "/home/u/proj", "started_at": "2026-03-06T10:00:00Z"}
        (folder / "c1.json").write_text(
            json.dumps(about | {"metadata": {"title": "The cache"}} | header, indent=indent)
        )
    return path


def user(*blocks: Any) -> dict[str, Any]:
    return {
        "role": "user",
        "content": [{"type": "text", "text": one} if isinstance(one, str) else one for one in blocks],
    }


def agent(*blocks: Any) -> dict[str, Any]:
    return user(*blocks) | {"role": "assistant", "modelInfo": {"id": "m-1"}}


CALL = {"type": "tool_use", "id": "t1", "name": "run_commands", "input": {"command": "ls"}}


def result(content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": "t1", "content": content} | more


@pytest.mark.parametrize("indent", [None, 1])
def test_clines_messages_are_read_in_their_order(environment: Environment, indent: int | None) -> None:
    path = cline(
        environment,
        user(
            '<user_input mode="act">what is here?</user_input>', {"type": "file", "path": "a.py", "content": "secret"}
        ),
        agent({"type": "thinking", "thinking": "I look."}, "Looking.", CALL),
        user(result([{"query": "ls", "result": "a.py", "success": True}])),
        agent("A file."),
        indent=indent,
    )
    assert said(path) == [
        ("prompt", "what is here?\n[file: a.py]"),
        ("thought", "I look."),
        ("reply", "Looking."),
        ("tool_call", "run_commands ls"),
        ("tool_result", "ls\na.py"),
        ("reply", "A file."),
    ]
    head = opened(path).head
    assert (head.agent, head.session_id, head.title, head.cwd) == ("cline", "c1", "The cache", "/home/u/proj")
    assert (head.model, head.version, head.prompts, head.replies) == ("m-1", "3", 1, 2)
    assert own_reader("cline").read_folder(path) == "/home/u/proj"
    assert [file.session_id for file in discover_all(environment)] == ["c1"]


@pytest.mark.parametrize(
    ("block", "text", "is_error"),
    [
        (result("plain"), "plain", False),
        (result("no", is_error=True), "no", True),
        (result([{"query": "ls", "result": "", "error": "gone", "success": False}]), "ls\ngone", True),
        (result([{"query": "a", "result": "1", "success": False}, {"result": "2", "success": True}]), "a\n1\n2", False),
        (result('{"content":[{"type":"text","text":"1 hit"}],"isError":false}'), "1 hit", False),
    ],
)
def test_an_answer_of_a_tool_to_cline_is_text_and_an_error_when_all_of_it_failed(
    environment: Environment, block: dict[str, Any], text: str, is_error: bool
) -> None:
    found = list(opened(cline(environment, agent(CALL), user(block))).messages())[1]
    assert (found.kind, found.text, found.is_error) == ("tool_result", text, is_error)
    assert found.tool is not None and found.tool.name == "run_commands"


def test_what_cline_added_to_a_prompt_is_no_speech(environment: Environment) -> None:
    added = "<environment_details>\nfiles\n</environment_details>"
    path = cline(environment, user(f"<task>\nfix it\n</task>\n{added}"), user(added), user(f"{added}{added} and more"))
    assert said(path) == [("prompt", "fix it"), ("prompt", "and more")]


def test_clines_sub_agents_and_its_header_are_read_with_the_session(environment: Environment, tmp_path: Path) -> None:
    path = cline(environment, user("delegate it"), indent=1)
    cline(environment, user("Say done."), agent("done"), name="worker", indent=1)
    conversation = opened(path)
    assert [(one.text, one.is_sidechain) for one in conversation.messages()] == [
        ("delegate it", False),
        ("Say done.", True),
        ("done", True),
    ]
    assert [one.name for one in companion_files(path)] == ["c1.json", "worker.messages.json"]
    copy = retained.stage_copy(conversation.head, tmp_path / "spool", copied_lines).rename(tmp_path / "a.jsonl.zst")
    kept = opened(copy)
    assert list(kept.messages()) == list(conversation.messages())
    told = {"source": Path(), "side_files": (), "content_hash": ""}
    assert replace(kept.head, **told) == replace(conversation.head, **told)


def test_an_object_that_is_written_while_it_is_read_is_read_once_more(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = cline(environment, user("hello"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    with pytest.raises(BrokenFileError, match="only a part of it"):
        own_reader("cline").read(path)
    monkeypatch.setattr(whole_file.time, "sleep", lambda _: path.write_bytes(whole))
    assert isinstance(own_reader("cline").read(path), Conversation)


def test_an_object_that_is_too_long_is_refused(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    path = cline(environment, user("hello" * 100))
    monkeypatch.setattr(whole_file, "MAX_OBJECT_BYTES", 100)
    with pytest.raises(BrokenFileError, match="longer than"):
        read_transcript(path)
    assert jsonl.MAX_OBJECT_BYTES > 100


def test_many_objects_in_one_file_take_no_longer_than_their_length(environment: Environment) -> None:
    path, whole = continued(environment, turn("user", "hello")), b""

    def seconds(count: int) -> float:
        path.write_bytes(whole + b"\n{}" * count)
        began = time.process_time()
        assert said(path) == [("prompt", "hello")]
        return time.process_time() - began

    whole = path.read_bytes()
    seconds(1)
    assert seconds(200_000) < 20 * max(seconds(20_000), 0.02)


def continued(environment: Environment, *history: dict[str, Any], indent: int | None = None, **more: Any) -> Path:
    folder = agent_folder(environment, "continue") / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    whole = {"sessionId": UUID, "title": "The cache", "workspaceDirectory": "/home/u/proj"} | more
    path = folder / f"{UUID}.json"
    path.write_text(json.dumps(whole | {"history": list(history)}, indent=indent))
    (folder / "sessions.json").write_text(json.dumps([{"sessionId": UUID, "dateCreated": str(MS)}]))
    os.utime(path, (MS / 1000 + 60, MS / 1000 + 60))
    return path


def turn(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"message": {"role": role, "content": content}, "contextItems": [{"content": "attached"}]} | more


def calling(status: str, *output: str) -> dict[str, Any]:
    call = {"id": "t1", "type": "function", "function": {"name": "Bash", "arguments": '{"command":"ls"}'}}
    message = {"role": "assistant", "content": "", "toolCalls": [call], "usage": {"model": "m-1"}}
    state = {"toolCallId": "t1", "status": status, "output": [{"content": one} for one in output]}
    return {"message": message, "toolCallStates": [state]}


@pytest.mark.parametrize("indent", [None, 1])
def test_continues_messages_are_read_in_their_order(environment: Environment, indent: int | None) -> None:
    path = continued(
        environment,
        turn("system", "be brief"),
        turn("user", [{"type": "text", "text": "what is here?"}, {"type": "imageUrl", "imageUrl": {"url": "data:"}}]),
        turn("thinking", "I look."),
        calling("done", "a.py"),
        turn("tool", "a.py") | {"message": {"role": "tool", "toolCallId": "t1", "content": "a.py"}},
        turn("assistant", "A file.", reasoning={"text": "One."}),
        turn("assistant", "", conversationSummary="So far."),
        indent=indent,
    )
    assert said(path) == [
        ("prompt", "what is here?\n[image]"),
        ("thought", "I look."),
        ("tool_call", "Bash ls"),
        ("tool_result", "a.py"),
        ("thought", "One."),
        ("reply", "A file."),
        ("compact_summary", "So far."),
    ]
    head = opened(path).head
    assert (head.agent, head.session_id, head.title, head.model) == ("continue", UUID, "The cache", "m-1")
    assert [file.session_id for file in discover_all(environment)] == [UUID]


def test_a_session_of_continue_ends_when_its_file_was_written(environment: Environment) -> None:
    head = opened(continued(environment, turn("user", "hi"))).head
    assert head.started_at == datetime(2026, 3, 6, 10, tzinfo=UTC)
    assert head.ended_at == datetime(2026, 3, 6, 10, 1, tzinfo=UTC)


@pytest.mark.parametrize(("status", "is_error"), [("done", False), ("errored", True), ("canceled", True)])
def test_a_tool_of_continue_that_failed_is_an_error(environment: Environment, status: str, is_error: bool) -> None:
    path = continued(environment, calling(status, "said"))
    assert list(opened(path).messages())[1].is_error == is_error


def test_a_tool_of_continue_that_runs_still_has_no_answer(environment: Environment) -> None:
    assert said(continued(environment, calling("calling"))) == [("tool_call", "Bash ls")]


def test_a_folder_of_an_editor_and_an_untitled_session(environment: Environment) -> None:
    path = continued(
        environment, turn("user", "hi"), title="Untitled Session", workspaceDirectory="file:///home/u/my%20proj"
    )
    head = opened(path).head
    assert (head.cwd, head.title) == ("/home/u/my proj", "")
    assert own_reader("continue").read_folder(path) == "/home/u/my proj"


def test_a_session_of_continue_without_messages_is_skipped(environment: Environment) -> None:
    assert read_transcript(continued(environment)) == SkippedResult("no message in it")
