"""A conversation for a model: short, with its beginning and its end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recall_tui.domain import Message, ToolCall
from recall_tui.text.condense import condense


def test_each_message_is_a_line_and_answers_of_tools_are_left_out() -> None:
    call = ToolCall("t", "Edit", "/a/b.py")
    messages = [
        Message("prompt", "mend\nit"),
        Message("thought", "hm"),
        Message("tool_call", "", tool=call),
        Message("tool_result", "done", tool=call),
        Message("reply", "x" * 400),
        Message("reply", "aside", is_sidechain=True),
        Message("prompt", "rewound", is_off_chain=True),
    ]
    assert condense(messages) == f"User: mend it\n[Tool: Edit → /a/b.py]\nAssistant: {'x' * 299}…"


def test_of_a_long_one_the_middle_is_left_out_and_the_end_is_there() -> None:
    messages = [Message("prompt", f"message {number} " + "word " * 40) for number in range(500)]
    text = condense(messages)
    assert text.startswith("User: message 0 ") and "User: message 499 " in text and len(text) <= 4_000
    assert " left out …]" in text


@given(st.lists(st.text(max_size=500), max_size=60), st.integers(200, 4_000))
def test_it_never_holds_more_than_the_limit(texts: list[str], limit: int) -> None:
    assert len(condense((Message("reply", text) for text in texts), limit)) <= limit


def test_secrets_are_marked_before_anything_is_cut() -> None:
    key = "sk-ant-api03-" + "a1B2" * 22 + "xAA"
    assert "sk-ant" not in condense([Message("prompt", "w" * 280 + " " + key)])
