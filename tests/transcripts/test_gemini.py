from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from recall_tui.domain import Conversation, SkippedResult
from recall_tui.environment import Environment
from recall_tui.storage.archives import retained
from recall_tui.transcripts.gemini import scan
from recall_tui.transcripts.gemini.reader import GeminiReader
from recall_tui.transcripts.merge import merge
from recall_tui.transcripts.registry import read_transcript
from tests.transcripts.gemini_samples import SESSION, agent, chat, lines, opening, tool, user

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "transcripts" / "gemini"


def opened(path: Path) -> Conversation:
    found = read_transcript(path)
    assert isinstance(found, Conversation), found
    return found


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(message.kind, message.text) for message in conversation.messages()]


@pytest.mark.parametrize("name", ["chat.json", "chat.jsonl"])
def test_a_chat_reads_the_same_as_an_object_and_as_records(name: str) -> None:
    conversation = opened(FIXTURES / name)
    assert said(conversation) == [
        ("prompt", "what does the cache do?"),
        ("thought", "Reading the cache\nI look at its file first."),
        ("reply", "I read it."),
        ("tool_call", "read_file src/cache.py"),
        ("tool_result", "class Cache: ..."),
        ("reply", "It keeps tokens for an hour."),
    ]
    head = conversation.head
    assert (head.agent, head.session_id, head.model) == ("gemini", SESSION, "gemini-x")
    assert (head.title, head.prompts, head.replies) == ("What the cache keeps", 1, 2)
    assert (head.first_uuid, head.last_uuid) == (f"{SESSION}:m1", f"{SESSION}:m3")
    assert head.started_at is not None
    assert (head.started_at.isoformat(), head.fault_count) == ("2026-03-06T09:01:00+00:00", 0)


def test_a_message_of_an_object_knows_its_line() -> None:
    text = (FIXTURES / "chat.json").read_text().splitlines()
    for message in opened(FIXTURES / "chat.json").messages():
        assert f'"{message.uuid.rpartition(":")[2]}"' in text[message.line - 1]


def test_the_last_record_of_a_message_wins(tmp_path: Path) -> None:
    records = [opening(), user("m1", "go"), agent("m2", "Work"), agent("m2", "Working."), agent("m3", "Done.")]
    conversation = opened(chat(tmp_path, lines(*records)))
    assert said(conversation) == [("prompt", "go"), ("reply", "Working."), ("reply", "Done.")]
    assert conversation.head.replies == 2


def test_messages_come_alone_and_in_changes(tmp_path: Path) -> None:
    change = {"$set": {"messages": [user("m1", "go"), agent("m2", "Gone.")], "summary": "Going", "lastUpdated": "x"}}
    conversation = opened(chat(tmp_path, lines(opening(), user("m1", "go"), change, user("m3", "back"))))
    assert said(conversation) == [("prompt", "go"), ("reply", "Gone."), ("prompt", "back")]
    assert conversation.head.title == "Going"


def test_what_was_rewound_is_off_the_chain(tmp_path: Path) -> None:
    records = [opening(), user("m1", "one"), user("m2", "wrong"), agent("m3", "Wrong."), {"$rewindTo": "m2"}]
    conversation = opened(chat(tmp_path, lines(*records, user("m4", "right"), {"$rewindTo": "unknown"})))
    assert [message.text for message in conversation.messages() if message.is_off_chain] == ["wrong", "Wrong."]
    assert (conversation.head.prompts, conversation.head.replies) == (2, 0)


def test_a_message_recorded_again_after_a_rewind_counts_again(tmp_path: Path) -> None:
    path = chat(tmp_path, lines(opening(), user("m1", "one"), {"$rewindTo": "m1"}, user("m1", "one, better")))
    assert [(message.text, message.is_off_chain) for message in opened(path).messages()] == [("one, better", False)]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"text": "look "}, {"text": "here"}, {"inlineData": {"mimeType": "image/png"}}], "look here[image]"),
        ([{"text": "sum up @a.txt"}, {"text": "\n--- Content from referenced files ---\nsecret"}], "sum up @a.txt"),
        ("go on\n<hook_context>remember this</hook_context>", "go on"),
        ("<hook_context>remember this</hook_context>", None),
        ("<session_context>\n- tree</session_context>", None),
        ("System: Please continue.", None),
        ("", None),
        (None, None),
        (7, None),
    ],
)
def test_only_the_persons_words_are_a_prompt(tmp_path: Path, content: Any, text: str | None) -> None:
    conversation = opened(chat(tmp_path, lines(opening(), user("m1", content), agent("m2", "Yes."))))
    assert [words for kind, words in said(conversation) if kind == "prompt"] == ([text] if text else [])


def test_what_was_shown_is_what_was_typed(tmp_path: Path) -> None:
    path = chat(tmp_path, lines(opening(), user("m1", "expanded at length", displayContent="@a.txt sum up")))
    assert said(opened(path)) == [("prompt", "@a.txt sum up")]


def test_a_snapshot_of_compressed_history_stands_in_for_it(tmp_path: Path) -> None:
    path = chat(tmp_path, lines(opening(), user("m1", "<state_snapshot>They built it.</state_snapshot>")))
    assert said(opened(path)) == [("compact_summary", "<state_snapshot>They built it.</state_snapshot>")]


@pytest.mark.parametrize(
    ("use", "text", "is_error"),
    [
        (tool({"output": "ok"}), "ok", False),
        (tool({"error": "no such file"}, status="error"), "no such file", True),
        (tool({}) | {"resultDisplay": "shown"}, "shown", False),
        (tool(None), "", False),
        (tool({"output": [{"text": "a"}, {"text": "b"}]}), "a\nb", False),
    ],
)
def test_a_result_is_text_and_knows_its_call(tmp_path: Path, use: dict[str, Any], text: str, is_error: bool) -> None:
    call, answer = opened(chat(tmp_path, lines(opening(), agent("m1", toolCalls=[use])))).messages()
    assert (answer.kind, answer.text, answer.is_error) == ("tool_result", text, is_error)
    assert answer.tool == call.tool


def test_a_call_without_answer_is_a_call(tmp_path: Path) -> None:
    use = {"id": "t1", "name": "write_file", "args": {"file_path": "a.py"}}
    (call,) = opened(chat(tmp_path, lines(opening(), agent("m1", toolCalls=[use, 5])))).messages()
    assert call.tool is not None
    assert (call.text, call.tool.is_file) == ("write_file a.py", True)


def test_what_the_program_shows_is_nobodys_speech(tmp_path: Path) -> None:
    shown = [user(f"m{number}", "Update!") | {"type": type} for number, type in enumerate(["info", "error", "warning"])]
    assert read_transcript(chat(tmp_path, lines(opening(), *shown))) == SkippedResult("no message in it")


def test_the_folder_worked_in_is_noted_beside_the_chats(environment: Environment) -> None:
    project = environment.gemini / "tmp" / "api"
    path = chat(project / "chats", lines(opening(), user("m1", "go")))
    assert opened(path).head.cwd == ""
    (project / ".project_root").write_text("/home/u/api\n")
    assert opened(path).head.cwd == "/home/u/api"


def family(folder: Path) -> Path:
    """A session and a chat of its sub-agent in the folder that bears its id."""
    child = lines(opening("child-1", kind="subagent"), user("m1", "Look."), agent("m2", "Seen."))
    chat(folder / SESSION, child, "child-1.jsonl")
    return chat(folder, lines(opening(kind="main"), user("m1", "look into it"), agent("m2", "Done.")))


def test_a_sub_agent_is_read_with_its_session_and_not_alone(tmp_path: Path) -> None:
    conversation = opened(family(tmp_path))
    assert [m.text for m in conversation.messages() if m.is_sidechain] == ["Look.", "Seen."]
    assert (conversation.head.prompts, conversation.head.replies) == (1, 1)
    assert read_transcript(conversation.head.side_files[0]) == SkippedResult(
        f"a sub-agent's transcript of session {SESSION}"
    )


def test_a_retained_copy_reads_like_the_session_it_is_of(tmp_path: Path) -> None:
    conversation = opened(family(tmp_path / "live"))
    copy = retained.stage_copy(conversation.head, tmp_path / "spool").rename(tmp_path / f"{SESSION}.jsonl.zst")
    again = opened(copy)

    def essence(one: Conversation) -> list[tuple[str, str, bool]]:
        return [(m.uuid, m.text, m.is_sidechain) for m in one.messages()]

    assert essence(again) == essence(conversation)
    assert again.head.content_hash == conversation.head.content_hash
    assert merge([conversation, again]).head.message_count == conversation.head.message_count


def test_a_retained_object_reads_like_the_object(tmp_path: Path) -> None:
    path = tmp_path / "0123.jsonl.zst"
    path.write_bytes(zstandard.ZstdCompressor().compress((FIXTURES / "chat.json").read_bytes()))
    assert list(opened(path).messages()) == list(opened(FIXTURES / "chat.json").messages())


def test_an_object_on_one_long_line_is_read_whole(tmp_path: Path) -> None:
    whole = opening(messages=[user("m1", "x" * 400_000), agent("m2", "Long.")])
    assert opened(chat(tmp_path, json.dumps(whole).encode(), "session-1.json")).head.message_count == 2


def test_an_object_too_large_to_be_held_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "MAX_OBJECT_BYTES", 2**20)
    whole = json.dumps(opening(messages=[user("m1", "x" * 2**20)]), indent=2)
    found = read_transcript(chat(tmp_path, whole.encode(), "session-1.json"))
    assert found == SkippedResult("it cannot be read: a single object longer than 1 MB")


def test_an_object_that_is_cut_is_skipped(tmp_path: Path) -> None:
    content = (FIXTURES / "chat.json").read_bytes()
    found = read_transcript(chat(tmp_path, content[: len(content) // 2], "session-1.json"))
    assert found == SkippedResult("it cannot be read: not JSON")


def test_bad_lines_are_faults_and_cost_no_other(tmp_path: Path) -> None:
    content = lines(opening(), user("m1", "one")) + b"garbage\n[]\n" + lines(user("m2", "two \ud83d")) + b'{"id": "m3'
    head = opened(chat(tmp_path, content)).head
    assert head.prompts == 2
    assert [fault.line for fault in head.faults] == [3, 4, 6]


def test_a_grown_chat_keeps_the_names_of_its_records(tmp_path: Path) -> None:
    records = [opening(), user("m1", "one"), agent("m2", "Two.")]
    conversation = opened(chat(tmp_path, lines(*records)))
    before = list(conversation.messages())
    again = opened(chat(tmp_path, lines(*records, user("m3", "three"))))
    assert list(conversation.messages()) == before
    assert [message.uuid for message in again.messages()][:2] == [message.uuid for message in before]


WORDS = st.text(max_size=10) | st.sampled_from(["user", "gemini", "m1", "m2", SESSION])
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
MESSAGES = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "gemini"]) | JSON, "id": st.sampled_from(["m1", "m2"]) | JSON},
    optional=dict.fromkeys(["content", "thoughts", "toolCalls", "displayContent", "timestamp", "model"], JSON)
    | {"toolCalls": st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(["name", "args", "result"], JSON)))},
)
RECORDS = (
    MESSAGES
    | st.fixed_dictionaries({"$set": st.fixed_dictionaries({"messages": st.lists(MESSAGES | JSON, max_size=3) | JSON})})
    | st.fixed_dictionaries({"$rewindTo": st.sampled_from(["m1", "m2"]) | JSON})
    | st.fixed_dictionaries({"sessionId": WORDS | JSON, "messages": st.lists(MESSAGES, max_size=2) | JSON})
    | JSON
)


@pytest.mark.long
@settings(max_examples=150)
@given(st.lists(RECORDS, max_size=6))
def test_no_record_whatever_its_shape_stops_the_reading(records: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = GeminiReader().read(chat(Path(folder), lines(*records)))
        if isinstance(found, SkippedResult):
            assert found.reason
            return
        messages = list(found.messages())
        json.dumps([message.text for message in messages], ensure_ascii=False).encode("utf-8")
        main = [message for message in messages if not message.is_sidechain and not message.is_off_chain]
        assert found.head.prompts == sum(message.kind == "prompt" for message in main)


@pytest.mark.parametrize("session", ["x" * 300, "../elsewhere", "a\0b", ".."])
def test_a_session_id_that_no_folder_can_bear_has_no_sub_agents(tmp_path: Path, session: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    chat(elsewhere, lines(opening("other"), user("1", "not its own")), "session-other.jsonl")
    path = chat(tmp_path / "chats", lines(opening(session), user("1", "why?")))
    found = opened(path)
    assert [text for _, text in said(found)] == ["why?"]
    assert found.head.side_files == ()
