"""What each agent says is understood, whatever is missing from it, and each is answered as it wants."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.agents.hook_protocol import MAX_ANSWER_CHARS, parse_event, render_answer
from recall_tui.domain.hook import HookAnswer, HookEvent

NOTHING: dict[str, str] = {}


def said(**told: object) -> bytes:
    return json.dumps(told).encode()


@pytest.mark.parametrize(
    ("event", "name", "agent"),
    [
        ("SessionStart", "start", "claude"), ("UserPromptSubmit", "prompt", "claude"),
        ("PreCompact", "compact", "claude"), ("PostCompact", "compacted", "claude"), ("Stop", "stop", "claude"),
        ("SessionEnd", "end", "claude"), ("BeforeAgent", "prompt", "gemini"), ("AfterAgent", "stop", "gemini"),
        ("PreCompress", "compact", "gemini"),
    ],
)  # fmt: skip
def test_events_have_one_name_whoever_sends_them(event: str, name: str, agent: str) -> None:
    found = parse_event(said(hook_event_name=event), NOTHING)
    assert found is not None and (found.name, found.agent) == (name, agent)
    assert found == HookEvent(found.name, agent)


def test_what_claude_code_says_is_all_there() -> None:
    told = said(
        hook_event_name="SessionStart", session_id="abc", transcript_path="/t/abc.jsonl", cwd="/w", source="resume"
    )
    expected = HookEvent("start", "claude", "abc", Path("/t/abc.jsonl"), Path("/w"), source="resume")
    assert parse_event(told, NOTHING) == expected
    ended = parse_event(said(hook_event_name="SessionEnd", reason="clear"), NOTHING)
    compacted = parse_event(said(hook_event_name="PostCompact", trigger="auto", compact_summary="so far"), NOTHING)
    assert ended is not None and ended.reason == "clear"
    assert compacted is not None and (compacted.reason, compacted.summary) == ("auto", "so far")


@pytest.mark.parametrize(
    ("told", "agent"),
    [
        ({"transcript_path": "/h/.codex/sessions/2026/03/06/rollout-x.jsonl"}, "codex"),
        ({"transcript_path": None, "turn_id": "1"}, "codex"),
        ({"transcript_path": "/h/.gemini/tmp/x/chats/session-1.json"}, "gemini"),
        ({"transcript_path": "/h/.claude/projects/x/abc.jsonl"}, "claude"),
    ],
)
def test_an_agent_is_known_by_what_only_it_says(told: dict[str, object], agent: str) -> None:
    found = parse_event(said(hook_event_name="SessionStart", **told), NOTHING)
    assert found is not None and found.agent == agent
    named = parse_event(said(hook_event_name="SessionStart", **told), NOTHING, agent="windsurf")
    assert named is not None and named.agent == "windsurf"


def test_the_command_line_names_the_event_where_the_json_does_not() -> None:
    found = parse_event(said(session_id="a"), NOTHING, event="end")
    other = parse_event(said(session_id="a", hook_event_name="Stop"), NOTHING, event="end")
    assert found is not None and other is not None and (found.name, other.name) == ("end", "stop")
    assert parse_event(said(session_id="a"), NOTHING) is None
    assert parse_event(said(session_id="a", hook_event_name="PreToolUse"), NOTHING, event="end") is None


def test_sub_agents_and_sessions_that_programs_start_are_told_from_a_persons() -> None:
    own = parse_event(said(hook_event_name="Stop", agent_type="reviewer"), {"CLAUDE_CODE_ENTRYPOINT": "cli"})
    sub = parse_event(said(hook_event_name="Stop", agent_id="a1"), NOTHING)
    headless = parse_event(said(hook_event_name="Stop"), {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"})
    assert own is not None and not own.is_child and not own.is_subagent
    assert sub is not None and sub.is_child and sub.is_subagent
    assert headless is not None and headless.is_child and not headless.is_subagent


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)))
def test_a_field_of_the_wrong_type_counts_as_not_said(value: object) -> None:
    fields = ("session_id", "transcript_path", "cwd", "prompt", "source", "reason", "compact_summary", "agent_id")
    found = parse_event(said(hook_event_name="Stop", **dict.fromkeys(fields, value)), NOTHING)
    assert found is not None
    if not isinstance(value, str):
        assert found == HookEvent("stop", "claude")


@given(st.binary(max_size=200))
def test_whatever_comes_in_is_an_event_or_none(data: bytes) -> None:
    found = parse_event(data, NOTHING)
    assert found is None or found.name


@pytest.mark.parametrize("path", ["relative/x.jsonl", "", "/a\0b"])
def test_a_path_that_leads_nowhere_for_certain_counts_as_not_said(path: str) -> None:
    found = parse_event(said(hook_event_name="Stop", transcript_path=path), NOTHING)
    assert found is not None and found.transcript is None


@pytest.mark.parametrize(
    ("agent", "event", "name"),
    [
        ("claude", "start", "SessionStart"), ("claude", "prompt", "UserPromptSubmit"),
        ("codex", "prompt", "UserPromptSubmit"), ("gemini", "prompt", "BeforeAgent"),
        ("other", "start", "SessionStart"),
    ],
)  # fmt: skip
def test_an_answer_names_its_event_as_the_agent_does(agent: str, event: str, name: str) -> None:
    text = render_answer(HookAnswer("read this — äöü\n", "told"), HookEvent(event, agent))  # type: ignore[arg-type]
    assert text.isascii() and text.count("\n") == 1 and text.endswith("\n")
    output = {"hookEventName": name, "additionalContext": "read this — äöü\n"}
    assert json.loads(text) == {"hookSpecificOutput": output, "systemMessage": "told"}


@pytest.mark.parametrize("event", ["compact", "compacted", "stop", "end"])
def test_what_no_model_would_read_is_not_said(event: str) -> None:
    assert render_answer(HookAnswer("context"), HookEvent(event)) == ""  # type: ignore[arg-type]
    assert render_answer(HookAnswer(), HookEvent("start")) == ""


def test_an_answer_is_never_longer_than_the_agent_takes() -> None:
    told = json.loads(render_answer(HookAnswer("x" * 50_000, "y" * 50_000), HookEvent("start")))
    assert len(told["hookSpecificOutput"]["additionalContext"]) == len(told["systemMessage"]) == MAX_ANSWER_CHARS
