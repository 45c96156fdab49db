from __future__ import annotations

import json
import tempfile
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from recall_tui.domain import Conversation, Message, SkippedResult
from recall_tui.environment import Environment
from recall_tui.storage.archives import retained
from recall_tui.transcripts.codex.reader import CodexReader
from recall_tui.transcripts.merge import merge
from recall_tui.transcripts.registry import read_transcript
from tests.transcripts.codex_samples import SESSION, START, Rollout, id_at

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "transcripts" / "codex"


def opened(path: Path) -> Conversation:
    found = read_transcript(path)
    assert isinstance(found, Conversation), found
    return found


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(message.kind, message.text) for message in conversation.messages()]


def test_the_head_tells_what_the_rollout_tells(tmp_path: Path) -> None:
    log = Rollout().meta().turn("t1").user("add a test").agent("Added.").agent("And ran it.").user("thanks")
    head = opened(log.write(tmp_path)).head
    assert (head.agent, head.session_id, head.cwd, head.branch) == ("codex", SESSION, "/home/u/api", "main")
    assert (head.model, head.version, head.title) == ("gpt-x", "0.150.0", "")
    assert (head.started_at, head.ended_at) == (START + timedelta(seconds=2), START + timedelta(seconds=5))
    assert (head.prompts, head.replies, head.message_count) == (2, 2, 4)
    assert (head.first_uuid, head.last_uuid) == (f"{SESSION}:3", f"{SESSION}:6")
    assert (head.fault_count, head.side_files) == (0, ())


def test_events_repeat_what_items_say(tmp_path: Path) -> None:
    log = Rollout().meta().user("add a test").event("user_message", message="add a test")
    log.event("agent_reasoning", text="hm").item("reasoning", summary=[{"type": "summary_text", "text": "hm"}])
    log.agent("Added.").event("agent_message", message="Added.")
    log.event("item_completed", item={"type": "AgentMessage", "content": [{"type": "Text", "text": "Added."}]})
    assert said(opened(log.write(tmp_path))) == [("prompt", "add a test"), ("thought", "hm"), ("reply", "Added.")]


def test_what_no_item_says_is_taken_from_the_events(tmp_path: Path) -> None:
    log = Rollout().meta().event("user_message", message="add a test")
    log.event("item_completed", item={"type": "UserMessage", "content": [{"type": "text", "text": "add a test"}]})
    log.item("reasoning", summary=[], encrypted_content="…").event("agent_reasoning_raw_content", text="hm")
    log.event("item_completed", item={"type": "AgentMessage", "content": [{"type": "Text", "text": "Added."}]})
    conversation = opened(log.write(tmp_path))
    assert said(conversation) == [("prompt", "add a test"), ("thought", "hm"), ("reply", "Added.")]
    assert conversation.head.message_count == 2


@pytest.mark.parametrize(
    "text",
    [
        "# AGENTS.md instructions for /home/u/api\n\n<INSTRUCTIONS>Be brief.</INSTRUCTIONS>",
        "<environment_context>\n  <cwd>/home/u/api</cwd>\n</environment_context>",
        "<INSTRUCTIONS>Be brief.</INSTRUCTIONS>",
        "<user_instructions>Be brief.</user_instructions>",
        "<skill>\n<name>x</name></skill>",
        "<turn_aborted>\nThe user interrupted.</turn_aborted>",
        '<subagent_notification>{"agent_id": "a"}</subagent_notification>',
        "  ",
    ],
)
def test_what_the_program_says_in_the_persons_name_is_no_prompt(tmp_path: Path, text: str) -> None:
    log = Rollout().meta().user(text).user(text, "add a test")
    assert said(opened(log.write(tmp_path))) == [("prompt", "add a test")]


def test_an_editors_context_is_cut_from_the_prompt(tmp_path: Path) -> None:
    log = Rollout().meta().user("# Context from my IDE setup:\n\n- a.py\n\n## My request for Codex:\nexplain a.py\n")
    assert said(opened(log.write(tmp_path))) == [("prompt", "explain a.py")]


def test_instructions_of_developers_are_nobodys_speech(tmp_path: Path) -> None:
    log = Rollout().meta().item("message", role="developer", content=[{"type": "input_text", "text": "Be brief."}])
    assert read_transcript(log.write(tmp_path)) == SkippedResult("no message in it")


PATCH = "*** Begin Patch\n*** Update File: a/b.py\n@@\n-x\n+y\n*** End Patch"


def wrapped(name: str, arguments: str) -> dict[str, Any]:
    return {"type": "function_call", "name": name, "arguments": arguments}


@pytest.mark.parametrize(
    ("item", "text", "is_file"),
    [
        ({"type": "function_call", "name": "exec_command", "arguments": '{"cmd": "make"}'}, "exec_command make", False),
        (wrapped("shell", '{"command": ["bash", "-lc", "ls -l"]}'), "shell ls -l", False),
        (wrapped("shell", '{"command": ["ls", "-l"]}'), "shell ls -l", False),
        ({"type": "local_shell_call", "action": {"type": "exec", "command": ["ls"]}}, "local_shell ls", False),
        ({"type": "web_search_call", "action": {"type": "search", "query": "jwt"}}, "web_search jwt", False),
        ({"type": "custom_tool_call", "name": "apply_patch", "input": PATCH}, "apply_patch a/b.py", True),
        (wrapped("apply_patch", json.dumps({"input": PATCH})), "apply_patch a/b.py", True),
        ({"type": "function_call", "name": "read", "parameters": '{"file_path": "/a.py"}'}, "read /a.py", True),
        (wrapped("odd", "not json"), "odd not json", False),
        ({"type": "function_call", "name": "none"}, "none", False),
    ],
)
def test_a_call_names_what_it_acted_on(tmp_path: Path, item: dict[str, Any], text: str, is_file: bool) -> None:
    log = Rollout().meta().line("response_item", call_id="c1", **item)
    (call,) = opened(log.write(tmp_path)).messages()
    assert (call.kind, call.text) == ("tool_call", text)
    assert call.tool is not None
    assert (call.tool.id, call.tool.is_file) == ("c1", is_file)


@pytest.mark.parametrize(
    ("output", "text", "is_error"),
    [
        ("plain", "plain", False),
        ('{"output": "done\\n", "metadata": {"exit_code": 0}}', "done\n", False),
        ('{"output": "no such file", "metadata": {"exit_code": 2}}', "no such file", True),
        ({"content": "denied", "success": False}, "denied", True),
        ([{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "…"}], "a\n[image]", False),
        ('{"files": 3}', '{"files": 3}', False),
        ("{broken", "{broken", False),
        (None, "", False),
    ],
)
def test_a_result_is_text_and_knows_its_call(tmp_path: Path, output: Any, text: str, is_error: bool) -> None:
    log = Rollout().meta().item("function_call", name="exec_command", arguments="{}", call_id="c1")
    log.item("function_call_output", call_id="c1", output=output)
    call, answer = opened(log.write(tmp_path)).messages()
    assert (answer.kind, answer.text, answer.is_error) == ("tool_result", text, is_error)
    assert answer.tool == call.tool


def test_compaction_stands_in_for_what_was_compacted(tmp_path: Path) -> None:
    log = Rollout().meta().user("one").agent("two")
    log.line("compacted", message="They said one and two.", replacement_history=[{"type": "message", "role": "user"}])
    log.item("compaction", encrypted_content="…").user("three")
    found = said(opened(log.write(tmp_path)))
    assert found == [
        ("prompt", "one"), ("reply", "two"), ("compact_summary", "They said one and two."), ("prompt", "three"),
    ]  # fmt: skip


def test_turns_that_were_rolled_back_are_off_the_chain(tmp_path: Path) -> None:
    log = Rollout().meta().user("one").agent("first").user("wrong").agent("wrong answer")
    log.event("thread_rolled_back", num_turns=1).user("right").event("thread_rolled_back", num_turns=9)
    conversation = opened(log.write(tmp_path))
    assert [m.text for m in conversation.messages() if m.is_off_chain] == ["wrong", "wrong answer"]
    assert (conversation.head.prompts, conversation.head.replies) == (2, 1)


def test_older_rollouts_have_no_envelope() -> None:
    conversation = opened(FIXTURES / "bare.jsonl")
    assert said(conversation) == [
        ("prompt", "rename the flag"),
        ("thought", "Two places."),
        ("tool_call", "shell sed -i s/old/new/ cli.py"),
        ("tool_result", "ok"),
        ("reply", "Renamed."),
    ]
    head = conversation.head
    assert (head.session_id, head.branch) == ("ba5e0000-0000-4000-8000-000000000001", "main")
    assert head.started_at == head.ended_at == datetime(2025, 5, 7, 17, 24, 21, tzinfo=UTC)


# Forks


FORKED = START + timedelta(hours=2)
FORK = id_at(FORKED)


def fork(turn_of_parent: str, turn_of_fork: str) -> Rollout:
    """A fork as Codex writes it: the parent's lines first, with the times of their copying."""
    log = Rollout(FORK, FORKED).meta(forked_from_id=SESSION).meta(SESSION)
    log.turn(turn_of_parent).user("asked in the parent").agent("Answered there.")
    return log.turn(turn_of_fork).user("asked in the fork").agent("Answered here.") if turn_of_fork else log


def test_a_fork_begins_with_its_own_first_turn(tmp_path: Path) -> None:
    conversation = opened(fork(id_at(START), id_at(FORKED + timedelta(seconds=9))).write(tmp_path))
    assert [text for _, text in said(conversation)] == ["asked in the fork", "Answered here."]
    assert (conversation.head.session_id, conversation.head.fault_count) == (FORK, 0)
    assert conversation.head.first_uuid == f"{FORK}:7"


def test_a_fork_in_which_nothing_was_said_is_skipped(tmp_path: Path) -> None:
    assert isinstance(read_transcript(fork(id_at(START), "").write(tmp_path)), SkippedResult)


def test_a_turn_with_another_kind_of_id_follows_those_that_are_older(tmp_path: Path) -> None:
    conversation = opened(fork(id_at(START), str(uuid.UUID(int=4 << 76))).write(tmp_path))
    assert [text for _, text in said(conversation)] == ["asked in the fork", "Answered here."]


def test_the_time_a_turn_was_begun_tells_where_its_id_does_not(tmp_path: Path) -> None:
    log = Rollout(FORK, FORKED).meta(forked_from_id=SESSION).meta(SESSION)
    log.event("task_started", turn_id="a", started_at=int(START.timestamp())).user("asked in the parent")
    log.event("task_started", turn_id="b", started_at=int(FORKED.timestamp())).user("asked in the fork")
    assert said(opened(log.write(tmp_path))) == [("prompt", "asked in the fork")]


def test_lines_that_kept_their_old_times_are_the_parents(tmp_path: Path) -> None:
    log = Rollout(FORK, FORKED).meta(forked_from_id=SESSION)
    log.start = START
    log.user("asked in the parent")
    log.start = FORKED
    log.user("asked in the fork")
    assert said(opened(log.write(tmp_path))) == [("prompt", "asked in the fork")]


def test_a_fork_that_cannot_be_told_from_its_parent_is_kept_whole_and_says_so(tmp_path: Path) -> None:
    head = opened(fork("a", "b").write(tmp_path)).head
    assert head.prompts == 2
    assert "a fork of session" in head.faults[0].reason


def test_a_resumed_session_that_opens_again_is_no_fork(tmp_path: Path) -> None:
    log = Rollout().meta().user("one").meta().user("two")
    assert opened(log.write(tmp_path)).head.prompts == 2


# Sub-agents, titles, copies


CHILD = id_at(START + timedelta(minutes=1), 2)


def child_meta(parent: str = SESSION) -> dict[str, Any]:
    return {"source": {"subagent": {"thread_spawn": {"parent_thread_id": parent}}}, "thread_source": "subagent"}


def family(folder: Path) -> Path:
    """A session with a sub-agent, and a stranger's sub-agent that a tool printed."""
    stranger = id_at(START, 3)
    log = Rollout().meta().user("look into it").item("function_call", name="spawn_agent", arguments="{}", call_id="c1")
    log.item("function_call_output", call_id="c1", output=json.dumps({"agent_id": CHILD}))
    log.item("function_call_output", call_id="c2", output=json.dumps({"agent_id": stranger})).agent("Done.")
    Rollout(CHILD).meta(**child_meta()).user("Look.").agent("Seen.").write(folder)
    Rollout(stranger).meta(**child_meta("another")).user("Spy.").write(folder)
    return log.write(folder)


def test_a_sub_agent_is_read_with_its_session_and_not_alone(tmp_path: Path) -> None:
    conversation = opened(family(tmp_path))
    assert [m.text for m in conversation.messages() if m.is_sidechain] == ["Look.", "Seen."]
    assert [path.name for path in conversation.head.side_files] == [f"rollout-2026-03-06T09-00-00-{CHILD}.jsonl"]
    assert (conversation.head.prompts, conversation.head.replies) == (1, 1)
    assert read_transcript(conversation.head.side_files[0]) == SkippedResult(
        f"a sub-agent's transcript of session {SESSION}"
    )


def test_a_sub_agent_begun_on_a_later_day_is_found_in_its_own_folder(environment: Environment) -> None:
    days = environment.codex / "sessions" / "2026" / "03"
    later = id_at(START + timedelta(days=2), 2)
    log = Rollout().meta().user("go").event("collab_agent_spawn_end", new_thread_id=later)
    Rollout(later).meta(**child_meta()).user("Look.").write(days / "08")
    assert len(opened(log.write(days / "06")).head.side_files) == 1


def test_a_retained_copy_reads_like_the_session_it_is_of(tmp_path: Path) -> None:
    conversation = opened(family(tmp_path / "live"))
    copy = retained.stage_copy(conversation.head, tmp_path / "spool").rename(tmp_path / f"{SESSION}.jsonl.zst")
    again = opened(copy)

    def essence(one: Conversation) -> list[tuple[str, str, bool]]:
        return [(m.uuid, m.text, m.is_sidechain) for m in one.messages()]

    assert essence(again) == essence(conversation)
    assert again.head.content_hash == conversation.head.content_hash
    assert merge([conversation, again]).head.message_count == conversation.head.message_count


def test_titles_come_from_codexs_own_index(environment: Environment) -> None:
    path = (
        Rollout()
        .meta()
        .user("one")
        .event("thread_name_updated", thread_name="By event")
        .write(environment.codex / "sessions" / "2026" / "03" / "06")
    )
    assert opened(path).head.title == "By event"
    names = [
        {"id": SESSION, "thread_name": "Old"},
        {"id": "other", "thread_name": "X"},
        {"id": SESSION, "thread_name": "New\n name"},
    ]
    (environment.codex / "session_index.jsonl").write_text("".join(json.dumps(n) + "\n" for n in names) + "broken\n")
    assert opened(path).head.title == "New name"


def test_a_compressed_rollout_reads_like_the_plain_one(tmp_path: Path) -> None:
    log = Rollout().meta().user("one").agent("two")
    plain = log.write(tmp_path / "a")
    packed = tmp_path / f"{plain.name}.zst"
    packed.write_bytes(zstandard.ZstdCompressor().compress(log.content))
    assert list(opened(packed).messages()) == list(opened(plain).messages())
    assert opened(packed).head.session_id == SESSION


def test_bad_lines_are_faults_and_cost_no_other(tmp_path: Path) -> None:
    log = Rollout().meta().user("one")
    log.lines += ["garbage", "[]", '{"type": "response_item", "payload": 5}']
    log.user("two \ud83d")
    path = log.write(tmp_path)
    with path.open("ab") as file:
        file.write(b'{"timestamp": "2026-03-06T09:00')
    head = opened(path).head
    assert head.prompts == 2
    assert [(fault.line, fault.reason) for fault in head.faults] == [
        (3, "not JSON"), (4, "not an object"), (7, "cut last line"),
    ]  # fmt: skip


def test_a_grown_rollout_keeps_the_names_of_its_records(tmp_path: Path) -> None:
    log = Rollout().meta().user("one").agent("two")
    conversation = opened(log.write(tmp_path))
    before = list(conversation.messages())
    log.user("three").write(tmp_path)
    assert list(conversation.messages()) == before
    assert list(opened(conversation.head.source).messages())[:2] == before


WORDS = st.text(max_size=10) | st.sampled_from(["message", "user", "assistant", "reasoning", "session_meta", SESSION])
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
PAYLOADS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["message", "reasoning", "function_call", "function_call_output", "task_started"])
        | JSON,
        "role": st.sampled_from(["user", "assistant"]) | JSON,
        "id": st.sampled_from([SESSION, FORK]) | JSON,
        "num_turns": JSON,
        **dict.fromkeys(["content", "summary", "arguments", "output", "item", "git", "source", "forked_from_id"], JSON),
        **dict.fromkeys(["turn_id", "started_at", "cwd", "call_id", "name", "message", "parent_thread_id"], JSON),
    },
)
TYPES = st.sampled_from(["session_meta", "response_item", "event_msg", "turn_context", "compacted"]) | JSON
LINES = (
    st.fixed_dictionaries({"type": TYPES, "payload": PAYLOADS | JSON}, optional={"timestamp": JSON}) | PAYLOADS | JSON
)


def check_reading(conversation: Conversation | SkippedResult) -> None:
    if isinstance(conversation, SkippedResult):
        assert conversation.reason
        return
    messages: list[Message] = list(conversation.messages())
    json.dumps([message.text for message in messages], ensure_ascii=False).encode("utf-8")
    main = [message for message in messages if not message.is_sidechain and not message.is_off_chain]
    assert conversation.head.prompts == sum(message.kind == "prompt" for message in main)
    assert all(message.uuid for message in messages)


@pytest.mark.long
@settings(max_examples=150)
@given(st.lists(LINES, max_size=6))
def test_no_line_whatever_its_shape_stops_the_reading(lines: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rollout-1.jsonl")
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        check_reading(CodexReader().read(path))
        check_reading(read_transcript(path))
