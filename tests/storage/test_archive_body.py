"""A conversation is written so that it reads back, whatever its texts hold, and every older form is read."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.domain import Conversation, Message, MessageKind, ToolCall
from recall_tui.storage.archives.body import MAX_RESULT_CHARS, parse_body, write_body
from recall_tui.transcripts.registry import read_transcript
from tests.storage.speaker_turns import SpeakerTurn, parse_turns

AT = datetime(2026, 3, 6, 10, 30, tzinfo=UTC)
LINES = [
    "words", "", "---", "### User", "### Assistant", "## Tags", "#### Plan", "# Conversation 002", "> **Bash** `x`",
    "<details><summary>Result</summary>", "<details><summary>Sub-agent</summary>", "</details>", "*(rewound)*", "**",
    "*2026-03-06 10:30 UTC*", "```", "```python", "~~~~", "\t```", "---\x0c", "    code", "trailing  ",
    "**Tool: Read**", "**Result**", "\\---", "> > quote", "- `a`", "İß🦀",
]  # fmt: skip
TEXT = st.lists(st.sampled_from(LINES) | st.text(max_size=8), min_size=1, max_size=6).map("\n".join)
KINDS: list[MessageKind] = [
    "prompt",
    "reply",
    "thought",
    "tool_call",
    "tool_result",
    "plan",
    "compact_summary",
    "command",
]
NAMES = st.sampled_from(["Bash", "mcp__a__b", "a**b", "x\\", "*", "Sub-agent", "`"])
MESSAGES = st.lists(
    st.builds(
        lambda kind, text, is_side, is_off, is_error, name: Message(
            kind,
            text,
            at=AT,
            tool=ToolCall("1", name, text[:50]) if kind == "tool_call" else None,
            is_error=is_error and kind == "tool_result",
            is_sidechain=is_side,
            is_off_chain=is_off,
        ),
        st.sampled_from(KINDS),
        TEXT,
        st.booleans(),
        st.booleans(),
        st.booleans(),
        NAMES,
    ),
    max_size=6,
)


def written(*messages: Message) -> str:
    out = io.StringIO()
    write_body(messages, out)
    return f"# Conversation 001\n\n{out.getvalue()}"


def shape(messages: Iterator[Message] | list[Message]) -> list[tuple[str, bool, bool, str]]:
    """Who said what, joined where one speaker goes on; white space and closed fences are no matter."""
    found: list[tuple[str, bool, bool, str]] = []
    for message in messages:
        kind = "prompt" if message.kind == "command" else message.kind
        is_call = message.tool is not None and kind == "tool_call"
        text = f"{message.tool.name} {message.tool.target}" if message.tool and is_call else message.text
        if not message.text.strip() and kind != "tool_call":
            continue
        is_off = message.is_off_chain and kind in ("prompt", "reply", "plan")
        if found and found[-1][:3] == (kind, message.is_sidechain, is_off) and kind in ("prompt", "reply"):
            text = f"{found.pop()[3]} {text}"
        found.append((kind, message.is_sidechain, is_off, " ".join(text.replace("`", "").replace("~", "").split())))
    return found


@pytest.mark.long
@given(MESSAGES)
def test_what_is_written_is_read_back(messages: list[Message]) -> None:
    text = written(*messages) + "## Tags\n\n**Files**: a\n"
    assert shape(parse_body(text)) == shape(messages)


@given(TEXT)
def test_no_text_passes_for_another_turn(text: str) -> None:
    body = written(Message("prompt", f"hello\n{text}"), Message("reply", f"x {text}\nend"), Message("prompt", "last"))
    assert [turn.role for turn in parse_turns(body)] == ["user", "assistant", "user"]
    assert parse_turns(body)[2].text == "last"


def test_real_conversations_read_back(test_data: Path) -> None:
    for path in sorted((test_data / "transcripts").rglob("*.jsonl")):
        conversation = read_transcript(path)
        if isinstance(conversation, Conversation):
            messages = [one for one in conversation.messages() if one.kind not in ("tool_call", "tool_result")]
            assert shape(parse_body(written(*messages))) == shape(messages), path


def test_headings_come_only_when_the_speaker_changes() -> None:
    text = written(
        Message("prompt", "Fix it", AT),
        Message("tool_call", "", tool=ToolCall("1", "Edit", "src/a`b.py")),
        Message("tool_result", "done"),
        Message("reply", "Fixed."),
        Message("reply", "And tested."),
        Message("prompt", "Thanks"),
    )
    assert text == (
        "# Conversation 001\n\n"
        "---\n\n### User\n\n*2026-03-06 10:30 UTC*\n\nFix it\n\n"
        "---\n\n### Assistant\n\n> **Edit** ``src/a`b.py``\n\n"
        "<details><summary>Result</summary>\n\n```\ndone\n```\n\n</details>\n\n"
        "Fixed.\n\nAnd tested.\n\n"
        "---\n\n### User\n\nThanks\n\n"
    )


def test_a_sub_agent_speaks_in_a_fold_of_its_own() -> None:
    text = written(
        Message("reply", "I send someone."),
        Message("prompt", "Look at ### User", is_sidechain=True),
        Message("reply", "I looked.\n\n### User\n\nForged", is_sidechain=True),
        Message("reply", "They looked."),
    )
    assert text.count("\n### User") == 0
    assert text.count("### Assistant") == 1
    assert parse_turns(text) == [SpeakerTurn("assistant", "I send someone.\n\nThey looked.", 7)]
    side = [message for message in parse_body(text) if message.is_sidechain]
    assert [message.text for message in side] == ["Look at ### User", "I looked.\n\n### User\n\nForged"]


def test_a_rewound_turn_says_so() -> None:
    text = written(Message("reply", "old", AT, is_off_chain=True), Message("reply", "new", AT))
    assert "*2026-03-06 10:30 UTC (rewound)*" in text
    assert [(message.text, message.is_off_chain) for message in parse_body(text)] == [("old", True), ("new", False)]


def test_a_long_result_is_cut_and_says_how_long_it_was() -> None:
    text = written(Message("tool_result", "é" * 12_345, is_error=True))
    assert "é" * MAX_RESULT_CHARS in text
    assert "é" * (MAX_RESULT_CHARS + 1) not in text
    assert "*cut: 2,000 of 12,345 characters*" in text
    (result,) = parse_body(text)
    assert (result.is_error, result.text) == (True, "é" * MAX_RESULT_CHARS)


def test_a_result_holding_fences_stays_in_its_fence() -> None:
    inner = "````md\n```\n</details>\n```\n````"
    assert [message.text for message in parse_body(written(Message("tool_result", inner)))] == [inner]


def test_every_text_is_cleaned_before_it_is_cut() -> None:
    out = io.StringIO()
    secret = "SECRET" * 100
    messages = [
        Message("tool_result", "x" * (MAX_RESULT_CHARS - 3) + secret),
        Message("thought", secret),
        Message("tool_call", "", tool=ToolCall("1", "Bash", f"echo {secret}")),
        Message("prompt", secret, is_sidechain=True),
    ]
    write_body(messages, out, clean=lambda text: text.replace("SECRET", ""))
    assert "SEC" not in out.getvalue()


def test_turns_know_their_line() -> None:
    text = written(Message("prompt", "one"), Message("reply", "two\nthree"))
    lines = text.split("\n")
    assert [lines[turn.line - 1] for turn in parse_turns(text)] == ["one", "two"]


FIRST = """---
log: 1
date: "2026-03-05T10:00:00Z"
---

# Conversation 001

---

### User

Fix the parser

---

### Assistant

I read it.

---

### Assistant

**Tool: Read**
`/repo/parser.py`

---

### User

**Result (error)**

```
no such file
### User
```

---

### Assistant

Done.

## Tags

**Files**: /repo/parser.py
"""
SECOND = """# Conversation 002

---

### User

Fix the parser

---

### Assistant

I read it.

> **Read** ``/repo/parser.py``

<details><summary>Error</summary>

```
no such file
```

</details>

Done.

## Tags

**Files**: /repo/parser.py
"""


@pytest.mark.parametrize("text", [FIRST, SECOND, FIRST.replace("\n", "\r\n")])
def test_older_bodies_are_read(text: str) -> None:
    found = [(message.kind, message.tool.target if message.tool else message.text) for message in parse_body(text)]
    assert found == [
        ("prompt", "Fix the parser"),
        ("reply", "I read it."),
        ("tool_call", "/repo/parser.py"),
        ("tool_result", "no such file\n### User" if "Tool: " in text else "no such file"),
        ("reply", "Done."),
    ]
    assert [turn.role for turn in parse_turns(text)] == ["user", "assistant"]


def test_a_fence_that_an_older_version_left_open_swallows_no_turn() -> None:
    text = "### User\n\n```python\nx = 1\n\n---\n\n### Assistant\n\nok\n"
    assert [turn.role for turn in parse_turns(text)] == ["user", "assistant"]


def test_a_log_of_the_oldest_generation_has_no_turns() -> None:
    assert parse_turns("# Archive Log 003\n\n## Summary\n\n> **Note**\n\nWords.\n\n---\n\nMore.\n") == []


def test_sub_agents_in_sub_agents_without_end_are_text_from_some_depth_on() -> None:
    depth = 400
    opened = [f"{'> ' * level}<details><summary>Sub-agent</summary>" for level in range(depth)]
    closed = [f"{'> ' * level}</details>" for level in reversed(range(depth))]
    said = f"{'> ' * depth}#### Task\n{'> ' * depth}\n{'> ' * depth}deep"
    text = "\n".join(("# Conversation 001", "", "---", "", "### User", "", "hello", *opened, said, *closed))
    found = list(parse_body(text))
    assert found[0].text == "hello"
    assert not any(message.text == "deep" for message in found)
