from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import zstandard

from recall_tui.domain import Conversation, Message, SkippedResult
from recall_tui.transcripts.claude.reader import ClaudeReader
from recall_tui.transcripts.registry import read_transcript
from tests.transcripts.conftest import Opened
from tests.transcripts.writing import SESSION, START, Log, call, result, text, uuid_of


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(message.kind, message.text) for message in conversation.messages()]


def only(conversation: Conversation, kind: str) -> list[Message]:
    return [message for message in conversation.messages() if message.kind == kind]


def small_talk() -> Log:
    log = Log()
    log.user("how do tokens expire?")
    log.agent(text("After an hour."))
    return log


# The head


def test_the_head_tells_what_the_records_tell(opened: Opened) -> None:
    log = Log()
    log.user("fix the login", gitBranch="main")
    log.agent(text("Done."), gitBranch="fix/login", cwd="/home/u/api/sub", version="2.1.4")
    log.record("assistant", message={"model": "<synthetic>", "content": [text("API Error")]}, isApiErrorMessage=True)
    log.plain(type="pr-link", prNumber=7, prUrl="https://example.com/pr/7", prRepository="u/api")
    log.plain(type="pr-link", prNumber=8, prRepository="u/api")
    log.plain(type="pr-link", prNumber=7, prUrl="https://example.com/pr/7", prRepository="u/api")
    conversation = opened(log)
    head = conversation.head
    assert (head.session_id, head.agent, head.source.name) == (SESSION, "claude", f"{SESSION}.jsonl")
    assert (head.cwd, head.branch, head.model, head.version) == ("/home/u/api", "main", "claude-x", "2.1.0")
    assert (head.started_at, head.ended_at) == (START, START + timedelta(minutes=2))
    assert (head.prompts, head.replies, head.message_count) == (1, 2, 3)
    assert head.pull_requests == ("https://example.com/pr/7", "u/api#8")
    assert (head.first_uuid, head.last_uuid) == (uuid_of(1), uuid_of(3))
    assert (head.fault_count, head.faults, head.side_files) == (0, (), ())
    assert [message.is_error for message in conversation.messages()] == [False, False, True]


@pytest.mark.parametrize(
    ("records", "title"),
    [
        ([{"type": "summary", "summary": "Old"}, {"type": "summary", "summary": "New"}], "New"),
        ([{"type": "ai-title", "aiTitle": "By AI"}, {"type": "summary", "summary": "Summary"}], "By AI"),
        ([{"type": "custom-title", "customTitle": "Mine"}, {"type": "ai-title", "aiTitle": "By AI"}], "Mine"),
        ([{"type": "custom-title", "customTitle": "A"}, {"type": "custom-title", "customTitle": "B"}], "B"),
        ([{"type": "agent-name", "agentName": "Builder"}, {"type": "summary", "summary": "S"}], "Builder"),
        ([{"type": "ai-title", "aiTitle": " two\nlines "}], "two lines"),
        ([], ""),
    ],
)
def test_the_best_title_wins_and_of_a_kind_the_last(opened: Opened, records: list[dict[str, str]], title: str) -> None:
    log = small_talk()
    for record in records:
        log.plain(**record)
    assert opened(log).head.title == title


def test_a_summary_of_another_conversation_yields_to_one_of_this(opened: Opened) -> None:
    log = small_talk()
    log.plain(type="summary", summary="This one", leafUuid=log.last)
    log.plain(type="summary", summary="Another one", leafUuid=uuid_of(999))
    assert opened(log).head.title == "This one"


def test_titles_of_other_sessions_count_for_nothing(opened: Opened) -> None:
    log = small_talk()
    log.plain(type="summary", summary="Another one", leafUuid=uuid_of(999))
    log.plain(type="custom-title", customTitle="Another name", sessionId="another-session")
    assert opened(log).head.title == ""
    log.plain(type="ai-title", aiTitle="By AI", sessionId=SESSION)
    assert opened(log).head.title == "By AI"


def test_the_session_is_the_one_of_the_files_name_when_a_record_bears_it(opened: Opened) -> None:
    log = Log(session="an-older-session")
    log.user("one")
    log.agent(text("two"))
    log.session = SESSION
    log.user("three")
    assert opened(log).head.session_id == SESSION


def test_else_it_is_the_one_that_most_messages_bear(tmp_path: Path) -> None:
    log = Log(session="aaaa")
    log.user("one")
    log.session = "bbbb"
    log.agent(text("two"))
    log.user("three")
    found = read_transcript(log.write(tmp_path / "kept-copy.jsonl"))
    assert isinstance(found, Conversation)
    assert found.head.session_id == "bbbb"


def test_without_any_session_the_files_name_stands(tmp_path: Path) -> None:
    path = tmp_path / "nameless.jsonl.zst"
    record = {"type": "user", "message": {"content": "hello"}}
    path.write_bytes(zstandard.ZstdCompressor().compress(json.dumps(record).encode() + b"\n"))
    found = read_transcript(path)
    assert isinstance(found, Conversation)
    assert found.head.session_id == "nameless"
    assert said(found) == [("prompt", "hello")]


def test_times_without_zone_are_utc_and_bad_ones_are_none(opened: Opened) -> None:
    log = Log()
    log.user("one", timestamp="2026-03-06T10:00:00")
    log.user("two", timestamp="yesterday")
    log.user("three", timestamp="2026-03-06T11:00:00+02:00")
    log.user("four", timestamp="0001-01-01T00:00:00+14:00")
    conversation = opened(log)
    assert conversation.head.started_at == datetime(2026, 3, 6, 9, 0, tzinfo=UTC)
    assert conversation.head.ended_at == datetime(2026, 3, 6, 10, 0, tzinfo=UTC)
    assert [message.at is None for message in conversation.messages()] == [False, True, False, True]


def test_the_hash_changes_with_the_lines_and_not_with_a_missing_last_newline(opened: Opened) -> None:
    one, other = small_talk(), small_talk()
    head = opened(one).head
    assert len(head.content_hash) == 16
    path = head.source
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    again = read_transcript(path)
    assert isinstance(again, Conversation)
    assert again.head.content_hash == head.content_hash
    other.user("more")
    assert opened(other).head.content_hash != head.content_hash


# What is said


def test_a_prompt_is_a_string_or_an_array_and_one_a_record(opened: Opened) -> None:
    log = Log()
    log.user("plain")
    log.user([text("one"), "two", {"type": "image", "source": {}}, {"type": "document", "title": "Spec"}])
    log.user([{"type": "image", "source": {"data": "…"}}])
    log.user(None)
    log.user([])
    log.user([{"type": "document"}])
    conversation = opened(log)
    prompts = [(kind, words.split("\n\n")) for kind, words in said(conversation)]
    assert prompts == [
        ("prompt", ["plain"]),
        ("prompt", ["one", "two", "[image]", "[document: Spec]"]),
        ("prompt", ["[image]"]),
        ("prompt", ["[document]"]),
    ]
    assert conversation.head.prompts == 4


def test_only_speech_is_a_prompt(opened: Opened) -> None:
    log = Log()
    log.user("<local-command-stdout>Bye</local-command-stdout>")
    log.user([text("<ide_opened_file>a.py</ide_opened_file>"), text("explain a.py")])
    log.user("[Request interrupted by user]")
    log.user("<command-name>/review</command-name><command-args>12</command-args>")
    conversation = opened(log)
    assert said(conversation) == [("prompt", "explain a.py"), ("command", "/review 12")]
    assert conversation.head.prompts == 1


def test_the_blocks_of_the_agent_are_messages_of_their_kinds(opened: Opened) -> None:
    log = Log()
    log.user("go")
    log.agent(
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "redacted_thinking", "data": "…"},
        {"type": "thinking", "thinking": ""},
        text("On it."),
        text("  "),
        "loose words",
        call("t1", "Edit", file_path="/a.py"),
        call("t2", "ExitPlanMode", plan="# Plan\n1. do it"),
    )
    log.record("assistant", message={"content": "a plain string"})
    conversation = opened(log)
    assert said(conversation)[1:] == [
        ("thought", "hm"),
        ("reply", "On it."),
        ("reply", "loose words"),
        ("tool_call", "Edit /a.py"),
        ("tool_call", "ExitPlanMode # Plan 1. do it"),
        ("plan", "# Plan\n1. do it"),
        ("reply", "a plain string"),
    ]
    edit = only(conversation, "tool_call")[0].tool
    assert edit is not None
    assert (edit.target, edit.is_file) == ("/a.py", True)


def test_a_result_knows_the_call_it_answers(opened: Opened) -> None:
    log = Log()
    log.user("go")
    log.agent(call("t1", "Bash", command="make"), call("t2", "Read", file_path="/a"))
    log.user([result("t2", [text("one"), {"type": "image"}]), result("t1", "boom", is_error=True)])
    log.user([result("unknown", "lost")])
    results = only(opened(log), "tool_result")
    assert [(one.text, one.is_error, one.tool.name if one.tool else "") for one in results] == [
        ("one\n[image]", False, "Read"),
        ("boom", True, "Bash"),
        ("lost", False, ""),
    ]


def test_words_beside_a_result_are_a_prompt(opened: Opened) -> None:
    log = Log()
    log.user("go")
    log.agent(call("t1", "Bash", command="make"))
    log.user([result("t1", "ok"), text("and make sure it is tested")])
    assert said(opened(log))[-2:] == [("tool_result", "ok"), ("prompt", "and make sure it is tested")]


def test_one_message_over_several_records_is_one_reply(opened: Opened) -> None:
    log = Log()
    log.user("go")
    log.agent(call("t1", "Bash", command="make"), id="m1")
    log.agent(text("first half"), id="m1")
    log.agent(text("second half"), id="m1")
    log.agent(call("t2", "Bash", command="ls"), id="m2")
    log.agent(text("no id"), id=None)
    log.agent(text("no id either"), id=None)
    conversation = opened(log)
    assert conversation.head.replies == 3
    assert len(only(conversation, "reply")) == 4
    assert [message.message_id for message in only(conversation, "reply")] == ["m1", "m1", "", ""]


def test_meta_text_is_skipped_and_its_results_are_kept(opened: Opened) -> None:
    log = Log()
    log.user("go")
    log.agent(call("t1", "Skill", skill="review"))
    log.user([result("t1", "loaded"), text("Base directory for this skill: …")], isMeta=True)
    conversation = opened(log)
    assert said(conversation)[-1] == ("tool_result", "loaded")
    assert conversation.head.prompts == 1


def test_other_types_of_records_say_nothing(opened: Opened) -> None:
    log = small_talk()
    log.record("system", subtype="turn_duration", durationMs=3)
    log.record("progress", data={"type": "hook_progress"})
    log.record("attachment", attachment={"type": "hook_additional_context", "content": ["injected"]})
    log.plain(type="queue-operation", operation="enqueue", content="later")
    log.plain(type="last-prompt", lastPrompt="how do tokens expire?")
    log.plain(type="from-the-future", message={"content": "?"})
    conversation = opened(log)
    assert len(said(conversation)) == 2
    assert conversation.head.fault_count == 0


def test_a_repeated_record_counts_once_unless_it_says_something_else(opened: Opened) -> None:
    log = small_talk()
    log.lines.extend(list(log.lines))
    log.user("and refresh tokens?", own=uuid_of(77))
    log.user("another text under the same uuid", own=uuid_of(77))
    conversation = opened(log)
    assert [words for _, words in said(conversation)] == [
        "how do tokens expire?",
        "After an hour.",
        "and refresh tokens?",
        "another text under the same uuid",
    ]
    assert (conversation.head.prompts, conversation.head.replies) == (3, 1)


def test_a_record_without_content_leaves_its_uuid_to_a_whole_one(opened: Opened) -> None:
    log = small_talk()
    log.record("user", own=uuid_of(50), message="broken")
    log.user("whole", own=uuid_of(50))
    conversation = opened(log)
    assert said(conversation)[-1] == ("prompt", "whole")
    assert [(fault.line, fault.reason) for fault in conversation.head.faults] == [(3, "wrong type of message")]


# Prompts typed while the agent works


def queued(log: Log, prompt: object, **more: object) -> None:
    log.record("attachment", attachment={"type": "queued_command", "prompt": prompt, **more})


def test_a_queued_prompt_is_a_prompt(opened: Opened) -> None:
    log = small_talk()
    queued(log, "use tabs")
    queued(log, [text("and spaces"), {"type": "image"}])
    queued(log, "<task-notification>done</task-notification>", commandMode="task-notification")
    conversation = opened(log)
    assert said(conversation)[2:] == [("prompt", "use tabs"), ("prompt", "and spaces\n\n[image]")]
    assert conversation.head.prompts == 3
    assert conversation.head.ended_at == START + timedelta(minutes=3)


def test_a_queued_prompt_that_comes_as_a_record_of_its_own_counts_once(opened: Opened) -> None:
    log = small_talk()
    queued(log, "use tabs")
    log.user("use tabs")
    conversation = opened(log)
    assert [message.line for message in only(conversation, "prompt")] == [1, 4]
    assert conversation.head.prompts == 2


def test_the_same_words_after_an_answer_are_a_new_prompt(opened: Opened) -> None:
    log = small_talk()
    queued(log, "continue")
    log.agent(text("I do."))
    log.user("continue")
    assert opened(log).head.prompts == 3


# Compaction


def compacted() -> Log:
    log = small_talk()
    last = log.last
    log.record("system", subtype="compact_boundary", parent=None, logicalParentUuid=last)
    log.user("This session is being continued from a previous conversation. Tokens expire.", isCompactSummary=True)
    log.user("go on")
    log.agent(text("Going on."))
    return log


def test_the_stand_in_for_compacted_history_is_no_prompt(opened: Opened) -> None:
    conversation = opened(compacted())
    assert [kind for kind, _ in said(conversation)] == ["prompt", "reply", "compact_summary", "prompt", "reply"]
    assert (conversation.head.prompts, conversation.head.replies) == (2, 2)


def test_what_was_said_before_a_compaction_is_on_the_chain(opened: Opened) -> None:
    assert not any(message.is_off_chain for message in opened(compacted()).messages())


# Sub-agents


def side_log(first: int, session: str = SESSION) -> Log:
    log = Log(session=session, first=first)
    log.user("find the tests", isSidechain=True, agentId="a1")
    log.agent(text("Found."), isSidechain=True, agentId="a1")
    return log


def test_a_sidechain_in_the_file_is_marked_and_not_counted(opened: Opened) -> None:
    log = small_talk()
    log.user("find the tests", isSidechain=True, parent=None, timestamp="2026-03-07T00:00:00Z")
    log.agent(text("Found."), isSidechain=True)
    conversation = opened(log)
    assert (conversation.head.prompts, conversation.head.replies) == (1, 1)
    assert [message.is_sidechain for message in conversation.messages()] == [False, False, True, True]
    assert conversation.head.ended_at == START + timedelta(minutes=1)


def test_the_files_of_sub_agents_are_read_after_the_main_one(opened: Opened, tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "p"
    side_log(100).write(folder / SESSION / "subagents" / "agent-b.jsonl")
    side_log(200).write(folder / SESSION / "subagents" / "workflows" / "run" / "agent-c.jsonl")
    side_log(300).write(folder / "agent-a.jsonl")
    side_log(400, session="of-another-session").write(folder / "agent-z.jsonl")
    (folder / SESSION / "subagents" / "agent-b.meta.json").write_text("{}")
    conversation = opened(small_talk())
    head = conversation.head
    assert [file.name for file in head.side_files] == ["agent-b.jsonl", "agent-c.jsonl", "agent-a.jsonl"]
    assert [message.is_sidechain for message in conversation.messages()] == [False] * 2 + [True] * 6
    assert (head.prompts, head.replies) == (1, 1)


def test_a_grown_sub_agents_file_changes_the_hash(opened: Opened, tmp_path: Path) -> None:
    side = side_log(100)
    path = tmp_path / "projects" / "p" / SESSION / "subagents" / "agent-b.jsonl"
    side.write(path)
    before = opened(small_talk()).head.content_hash
    side.agent(text("More."), isSidechain=True)
    side.write(path)
    assert opened(small_talk()).head.content_hash != before


def test_records_that_a_sub_agents_file_repeats_are_dropped(opened: Opened, tmp_path: Path) -> None:
    side = Log()
    side.user("how do tokens expire?", isSidechain=True)
    side.agent(text("After an hour."), isSidechain=True)
    side.agent(text("New."), isSidechain=True)
    side.write(tmp_path / "projects" / "p" / SESSION / "subagents" / "agent-b.jsonl")
    assert [message.text for message in opened(small_talk()).messages()][2:] == ["New."]


def test_faults_of_a_sub_agents_file_name_it(opened: Opened, tmp_path: Path) -> None:
    side = side_log(100)
    side.raw("not json")
    side.write(tmp_path / "projects" / "p" / SESSION / "subagents" / "agent-b.jsonl")
    assert [fault.reason for fault in opened(small_talk()).head.faults] == ["agent-b.jsonl: not JSON"]


def test_a_sub_agents_file_that_vanished_is_passed_over(opened: Opened, tmp_path: Path) -> None:
    path = side_log(100).write(tmp_path / "projects" / "p" / SESSION / "subagents" / "agent-b.jsonl")
    conversation = opened(small_talk())
    path.unlink()
    assert len(said(conversation)) == 2


def test_a_sub_agents_file_by_itself_is_skipped(tmp_path: Path) -> None:
    found = read_transcript(side_log(1).write(tmp_path / "agent-a.jsonl"))
    assert found == SkippedResult(f"a sub-agent's transcript of session {SESSION}")


# What is not whole


def test_bad_lines_are_counted_and_stop_nothing(opened: Opened) -> None:
    log = Log()
    log.user("one")
    log.raw("not json")
    log.raw("")
    log.raw("[1, 2]")
    log.agent(text("two"))
    log.raw('{"type": "user", "mess')
    conversation = opened(log)
    assert [words for _, words in said(conversation)] == ["one", "two"]
    assert [(fault.line, fault.reason) for fault in conversation.head.faults] == [
        (2, "not JSON"),
        (4, "not an object"),
        (6, "not JSON"),
    ]


def test_the_first_twenty_faults_are_kept_and_all_are_counted(opened: Opened) -> None:
    log = small_talk()
    for _ in range(50):
        log.raw("{")
    head = opened(log).head
    assert (head.fault_count, len(head.faults), head.faults[0].line) == (50, 20, 3)


def test_a_cut_last_line_is_a_fault_until_it_is_whole(opened: Opened) -> None:
    log = small_talk()
    path = opened(log).head.source
    log.user("the next prompt")
    whole = (log.lines[-1] + "\n").encode()
    with path.open("ab") as file:
        file.write(whole[:40])
    cut = read_transcript(path)
    assert isinstance(cut, Conversation)
    assert [(fault.line, fault.reason) for fault in cut.head.faults] == [(3, "cut last line")]
    with path.open("ab") as file:
        file.write(whole[40:])
    grown = read_transcript(path)
    assert isinstance(grown, Conversation)
    assert (grown.head.prompts, grown.head.fault_count) == (2, 0)
    assert len(said(cut)) == 2, "a conversation ends where it ended when its head was made"


def test_messages_can_be_asked_for_again_and_again(opened: Opened) -> None:
    conversation = opened(small_talk())
    assert list(conversation.messages()) == list(conversation.messages())


def test_lone_surrogates_come_out_as_text_that_can_be_written(opened: Opened) -> None:
    log = Log()
    log.user("half a face \ud83d here")
    log.agent(call("t\udc00", "Bash", command="echo \ud83d"))
    for message in opened(log).messages():
        message.text.encode("utf-8")
    assert said(opened(log))[0] == ("prompt", "half a face \ufffd here")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"\n\n", "the file is empty"),
        (b'{"type":"summary","summary":"S","leafUuid":"u"}\n', "no message in it"),
        (b'{"type":"user","uuid":"u","message":{"content":null}}\n', "no message in it"),
        (b"just some words\n", "not a transcript that can be recognised"),
        (b'{"any": "json"}\n', "not a transcript that can be recognised"),
    ],
)
def test_a_file_without_messages_is_skipped_with_its_reason(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    assert read_transcript(path) == SkippedResult(reason)


def test_a_file_of_nothing_but_faults_is_skipped_by_the_reader_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"no\nno\n")
    assert ClaudeReader().read(path) == SkippedResult("no line of it can be read")
