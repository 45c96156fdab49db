"""A model is shown a session's most telling lines, with numbers that lead back to the transcript."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from recall_tui.domain import Conversation, ConversationHead, Message, ToolCall
from recall_tui.features.digest.view import SessionView, number_lines, render_view


def view_of(*messages: Message, limit: int = 5_000) -> SessionView:
    numbered = [replace(one, line=place * 10) for place, one in enumerate(messages, 1)]
    return render_view(Conversation(ConversationHead("s", "claude", Path("s")), lambda: iter(numbered)), limit)


def test_lines_have_numbers_that_lead_to_the_transcript() -> None:
    view = view_of(
        Message("prompt", "Why are orders lost?"),
        Message("reply", "The importer drops orders without an address, because `parse_row` returns None for them."),
    )
    first, second = view.text.strip().split("\n")[:2]
    assert first == "[1] User: Why are orders lost?" and second.startswith("[2] Agent: The importer drops")
    assert view.lines == {1: (10, 10), 2: (20, 20)}


def test_a_short_answer_stands_with_what_was_asked() -> None:
    view = view_of(
        Message("prompt", "Plan the move of the sessions."),
        Message("reply", "There are two ways. Shall I keep sessions in Postgres or move them to Valkey?"),
        Message("prompt", "Valkey"),
    )
    assert "User: (after the agent said: …There are two ways. Shall I keep sessions in Postgres" in view.text
    assert view.text.count("Valkey") == 2


def test_what_results_bear_out_stands_at_the_end() -> None:
    commit = ToolCall("c1", "Bash", "git commit", {"command": "git commit -m 'fix: keep orders without an address'"})
    view = view_of(
        Message("prompt", "Fix it and commit."),
        Message("tool_call", "", tool=ToolCall("e1", "Edit", "importer.py")),
        Message("tool_result", "done", tool=ToolCall("e1", "Edit", "importer.py")),
        Message("tool_call", "", tool=commit),
        Message("tool_result", "[main 1a2b3c4] fix: keep orders without an address", tool=commit),
        Message("reply", "Fixed: orders without an address are kept now, with an empty one."),
    )
    assert "Committed: 1a2b3c4 fix: keep orders without an address" in view.text
    assert "Changed 1 files: importer.py" in view.text


def test_a_long_session_keeps_to_its_budget_and_to_what_tells_most() -> None:
    talk = [Message("prompt", "Look around.")]
    talk += [Message("reply", f"The module number {n} reads its rows in blocks of {n} lines.") for n in range(900)]
    talk += [Message("reply", "We decided to use Valkey instead of Redis, because Redis changed its licence.")]
    view = view_of(*talk, limit=4_000)
    assert len(view.text) < 4_200 and "Valkey instead of Redis" in view.text and "Look around." in view.text


def test_many_long_prompts_leave_room_for_what_was_answered() -> None:
    talk: list[Message] = []
    for n in range(60):
        talk.append(Message("prompt", f"Request {n}: " + "please do this " * 60))
        talk.append(Message("reply", f"Row {n} is kept now, because the key of shard {n} was wrong."))
    view = view_of(*talk, limit=6_000)
    assert len(view.text) < 7_000 and view.text.count("is kept now") > 5


def test_any_text_gets_numbers() -> None:
    assert number_lines("a\nb") == SessionView("[1] a\n[2] b", {})
