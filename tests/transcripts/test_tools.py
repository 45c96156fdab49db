from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from recall_tui.transcripts.claude.records import ContentBlock
from recall_tui.transcripts.tool_calls import MAX_TARGET_CHARS, parse_tool_use, result_text


def raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(json.dumps(value).encode())


@pytest.mark.parametrize(
    ("name", "arguments", "target", "is_file"),
    [
        ("Read", {"file_path": "/a/b.py", "limit": 3}, "/a/b.py", True),
        ("NotebookEdit", {"new_source": "x", "notebook_path": "/a/n.ipynb"}, "/a/n.ipynb", True),
        ("Bash", {"command": "git\n  status", "description": "Look"}, "git status", False),
        ("Grep", {"pattern": "TODO", "path": "src"}, "TODO in src", False),
        ("Glob", {"pattern": "*.py"}, "*.py", False),
        ("LS", {"path": "/a"}, "/a", False),
        ("WebFetch", {"url": "https://example.com", "prompt": "read"}, "https://example.com", False),
        ("Task", {"prompt": "find it", "description": "Search the code"}, "Search the code", False),
        ("TodoWrite", {"todos": [{"content": "a"}, {"content": "b"}]}, "2 todos", False),
        ("mcp__x", {"limit": 3, "team": "core"}, "core", False),
        ("Empty", {}, "", False),
    ],
)
def test_a_call_names_what_it_acted_on(name: str, arguments: dict[str, Any], target: str, is_file: bool) -> None:
    call = parse_tool_use(ContentBlock(type="tool_use", id="t", name=name, input=raw(arguments)))
    assert (call.id, call.name, call.target, call.is_file) == ("t", name, target, is_file)
    assert call.input == arguments


def test_a_target_is_one_line_of_bounded_length() -> None:
    call = parse_tool_use(ContentBlock(type="tool_use", name="Bash", input=raw({"command": "echo x\n" * 1000})))
    assert len(call.target) == MAX_TARGET_CHARS
    assert "\n" not in call.target


def test_arguments_that_are_no_object_are_none() -> None:
    assert parse_tool_use(ContentBlock(type="tool_use", name="Odd", input=raw([1]))).input == {}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("plain", "plain"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "image", "source": {}}, "words"], "[image]\nwords"),
        ([{"type": "document", "title": "Plan"}], "[document: Plan]"),
        ([{"type": "tool_reference", "tool_name": "Grep"}], "[tool: Grep]"),
        ({"type": "text", "text": "one"}, "one"),
        ({"other": 1}, '{"other": 1}'),
        ([5], "5"),
    ],
)
def test_a_result_is_text_whatever_its_shape(content: Any, text: str) -> None:
    assert result_text(ContentBlock(type="tool_result", content=raw(content))) == text


@pytest.mark.parametrize(
    "arguments",
    [
        {"env": {"API_TOKEN": "Sommer-2024x"}, "server": "shop"},
        {"servers": [{"env": {"DB_PASSWORD": "Sommer-2024x"}}]},
        {"variables": [{"name": "DB_PASSWORD", "value": "Sommer-2024x"}]},
        {"password": "Sommer-2024x"},
        {"body": json.dumps({"env": {"API_TOKEN": "Sommer-2024x"}}), "headers": {"X-Key": "1"}},
    ],
)
def test_a_secret_that_only_the_name_of_an_argument_tells_is_masked(arguments: dict[str, Any]) -> None:
    call = parse_tool_use(ContentBlock(type="tool_use", name="mcp__x", input=raw(arguments)))
    assert "2024x" not in json.dumps(call.input)
    assert "2024x" not in call.target
