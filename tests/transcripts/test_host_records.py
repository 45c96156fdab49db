"""Whatever a host calls a message becomes a record that can be read, or is left out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.domain import Conversation
from recall_tui.transcripts.host_records import to_records
from recall_tui.transcripts.registry import read_transcript


def heard(tmp_path: Path, *messages: object) -> list[tuple[str, str]]:
    """Kind and text of what is read from the records."""
    path = tmp_path / "session.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in to_records(messages, "s", {})))
    found = read_transcript(path)
    return [(message.kind, message.text) for message in found.messages()] if isinstance(found, Conversation) else []


@dataclass(frozen=True, slots=True)
class Slotted:
    """A message of a host that has classes."""

    role: str
    content: object
    timestamp: object = None


class Plain:
    """One that has not even fields of its own."""

    def __init__(self, **fields: object) -> None:
        vars(self).update(fields)


def test_speakers_go_by_many_names(tmp_path: Path) -> None:
    messages = [
        {"role": "system", "content": "You are helpful."},
        {"role": "human", "content": "one"},
        {"type": "ai", "text": "two"},
        Slotted("user", [{"type": "text", "text": "three"}]),
        Plain(role="Model", content=[Plain(type="text", text="four")]),
        {"role": "narrator", "content": "five"},
    ]
    spoken = [("prompt", "one"), ("reply", "two"), ("prompt", "three"), ("reply", "four")]
    assert heard(tmp_path, *messages) == spoken


def test_tools_are_known_in_both_ways_of_writing_them(tmp_path: Path) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "read", "arguments": '{"path": "/a/b.py"}'}}
    torn = {"id": "d", "function": {"name": "run", "arguments": "{torn"}}
    messages = [
        {"role": "user", "content": "look"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [{"text": "a.py"}]}]},
        {"role": "assistant", "content": None, "tool_calls": [call, torn]},
        {"role": "tool", "tool_call_id": "c", "content": "print()"},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "So that is it."}, "Seen."]},
    ]
    assert heard(tmp_path, *messages) == [
        ("prompt", "look"),
        ("tool_call", "Bash ls"),
        ("tool_result", "a.py"),
        ("tool_call", "read /a/b.py"),
        ("tool_call", "run {torn"),
        ("tool_result", "print()"),
        ("thought", "So that is it."),
        ("reply", "Seen."),
    ]


def test_what_is_no_text_is_named(tmp_path: Path) -> None:
    blocks = [{"type": "image"}, {"type": "image_url", "image_url": {}}, {"type": "input_audio"}, b"\x00", 7, None, ""]
    assert heard(tmp_path, {"role": "user", "content": blocks}) == [
        ("prompt", "[image]\n\n[image]\n\n[audio]\n\n[bytes]\n\n[int]")
    ]


def test_secrets_are_marked_wherever_they_stand() -> None:
    key = "sk-ant-api03-" + "a1B2" * 22 + "xAA"
    rows = to_records(
        [
            {"role": "user", "content": f"the key is {key}"},
            {"role": "assistant", "content": [{"type": "tool_use", "name": "x", "input": {"deep": [{"er": key}]}}]},
            {"role": "tool", "content": {"said": key}},
        ],
        "s",
        {"cwd": "/home/u"},
    )
    assert len(rows) == 3 and key not in json.dumps(rows)


def test_times_are_taken_in_many_forms_and_the_ends_from_what_was_told() -> None:
    noon = datetime(2026, 3, 6, 12, tzinfo=UTC)
    given = [noon, noon.replace(tzinfo=None), noon.isoformat(), noon.timestamp(), float("inf"), None]
    rows = to_records([Slotted("user", "x", at) for at in given], "s", {"started_at": "no", "ended_at": "2026-03-06"})
    assert [row["timestamp"] for row in rows] == [noon.isoformat()] * 4 + ["", "2026-03-06"]


def test_the_same_words_twice_are_two_records_and_the_same_ones_at_each_run() -> None:
    messages = [{"role": "user", "content": "continue"}] * 3
    first, again = to_records(messages, "s", {}), to_records(messages, "s", {})
    assert first == again and len({row["uuid"] for row in first}) == 3
    assert [row["parentUuid"] for row in first] == [None, first[0]["uuid"], first[1]["uuid"]]
    assert to_records(messages, "other", {})[0]["uuid"] != first[0]["uuid"]


def test_a_value_that_holds_itself_is_cut_off(tmp_path: Path) -> None:
    ring: dict[str, Any] = {}
    ring["ring"] = ring
    block = {"type": "tool_use", "name": "x", "input": ring}
    assert heard(tmp_path, {"role": "user", "content": "go"}, {"role": "assistant", "content": [block]}) != []


_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_names = st.sampled_from(["role", "type", "content", "text", "timestamp", "tool_calls", "tool_call_id"])
_messages = st.dictionaries(_names, _anything | st.sampled_from(["user", "assistant", "tool"]), max_size=5)


@given(st.lists(_messages | _anything, max_size=4))
def test_nothing_that_is_handed_in_breaks_it(messages: list[object]) -> None:
    for row in to_records(messages, "s", {}):
        assert json.loads(json.dumps(row))["message"]["content"]


@pytest.mark.parametrize("text", ["\ud800", "a\ud83d", "\x00"])
def test_broken_characters_are_read_back(tmp_path: Path, text: str) -> None:
    assert heard(tmp_path, {"role": "user", "content": f"what is {text} this"})[0][1].startswith("what is")
