"""Our hooks go into an agent's settings and out again, and nobody else's are touched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from recall_tui.agents import hook_command
from recall_tui.agents.pieces.hook_settings import Hook, HookSettings
from recall_tui.agents.target import State
from recall_tui.errors import BrokenFileError
from tests.agents.settings_samples import RECALL_ECHO, ZOO, documents

FILE = Path("/home/u/.claude/settings.json")
COMMAND = "'/opt/my tools/bin/recall-tui' hook --root '/home/u/my memory'"
PIECE = HookSettings(
    FILE,
    COMMAND,
    (
        Hook("SessionStart", {"timeout": 10, "statusMessage": "Remembering"}, "startup|resume"),
        Hook("Stop", {"timeout": 5}),
        Hook("SessionEnd", {"timeout": 30}),
    ),
)
FOREIGN = {"type": "command", "command": "notify-send done"}


def hooks_in(text: str) -> dict[str, list[dict[str, Any]]]:
    """The hooks of a settings file."""
    hooks: dict[str, list[dict[str, Any]]] = json.loads(text.removeprefix("\ufeff"))["hooks"]
    return hooks


def commands(text: str, event: str) -> list[str]:
    """Every command of an event, in order."""
    return [one["command"] for group in hooks_in(text).get(event, []) for one in group["hooks"]]


@pytest.mark.parametrize("name", ZOO)
def test_hooks_go_in_once_and_out_without_a_trace(name: str) -> None:
    text = ZOO[name]
    assert PIECE.state(text) is State.ABSENT
    longer = PIECE.installed(text)
    assert PIECE.state(longer) is State.CURRENT
    assert PIECE.installed(longer) == longer
    for event in ("SessionStart", "Stop", "SessionEnd"):
        assert commands(longer, event).count(COMMAND) == 1
    assert PIECE.removed(longer) == text


@pytest.mark.long
@given(documents())
def test_any_settings_come_back_byte_for_byte(text: str) -> None:
    longer = PIECE.installed(text)
    assert PIECE.state(longer) is State.CURRENT and PIECE.installed(longer) == longer
    assert PIECE.removed(longer) == text


def test_a_new_file_holds_the_hooks_alone_and_goes_with_them() -> None:
    text = PIECE.installed(None)
    assert hooks_in(text)["SessionStart"] == [
        {
            "matcher": "startup|resume",
            "hooks": [{"type": "command", "command": COMMAND, "timeout": 10, "statusMessage": "Remembering"}],
        }
    ]
    assert hooks_in(text)["Stop"] == [{"hooks": [{"type": "command", "command": COMMAND, "timeout": 5}]}]
    assert PIECE.removed(text) is None
    assert PIECE.commands(text) == (COMMAND,)


@pytest.mark.parametrize(
    "older",
    [
        "recall-tui hook --root /home/u/other",
        "/old/bin/recall-tui hook --root='/home/u/my memory'",
        "/usr/bin/python3.12 -P -m recall_tui hook --root /home/u/m",
        "'C:\\Program Files\\recall-tui.exe' hook --root x",
    ],
)
def test_a_hook_of_a_moved_program_or_another_memory_is_replaced_in_its_place(older: str) -> None:
    group = {"hooks": [{"type": "command", "command": older, "timeout": 1}]}
    text = json.dumps({"hooks": {"Stop": [group, {"hooks": [FOREIGN]}], "PreToolUse": [group]}}, indent=2)
    assert PIECE.state(text) is State.OUTDATED
    mended = PIECE.installed(text)
    assert PIECE.state(mended) is State.CURRENT
    assert commands(mended, "Stop") == [COMMAND, FOREIGN["command"]]
    assert older not in json.loads(f"[{json.dumps(mended)}]")[0] and "PreToolUse" not in hooks_in(mended)


def test_ours_is_taken_out_of_a_group_that_is_shared() -> None:
    group = {"matcher": "x", "hooks": [FOREIGN, {"type": "command", "command": COMMAND, "timeout": 5}, FOREIGN]}
    text = json.dumps({"hooks": {"Stop": [group]}}, indent=2)
    installed = PIECE.installed(text)
    assert commands(installed, "Stop") == [FOREIGN["command"], COMMAND, FOREIGN["command"]]
    left = PIECE.removed(installed)
    assert left is not None
    assert json.loads(left) == {"hooks": {"Stop": [{"matcher": "x", "hooks": [FOREIGN, FOREIGN]}]}}


def test_a_hook_that_is_there_twice_is_left_once() -> None:
    text = PIECE.installed(None)
    value = json.loads(text)
    value["hooks"]["Stop"] *= 3
    text = json.dumps(value, indent=2)
    assert PIECE.state(text) is State.OUTDATED
    assert commands(PIECE.installed(text), "Stop") == [COMMAND]


def test_what_a_person_changed_in_a_hook_is_out_of_date() -> None:
    value = json.loads(PIECE.installed(None))
    value["hooks"]["Stop"][0]["hooks"][0]["timeout"] = 600
    assert PIECE.state(json.dumps(value)) is State.OUTDATED
    del value["hooks"]["Stop"]
    assert PIECE.state(json.dumps(value)) is State.OUTDATED


@pytest.mark.parametrize("old", RECALL_ECHO)
def test_hooks_of_every_generation_of_recall_echo_are_replaced(old: str) -> None:
    old_group = {"hooks": [{"type": "command", "command": old}]}
    events = {"PreCompact": [old_group], "SessionEnd": [{"hooks": [FOREIGN]}, old_group], "PreToolUse": [old_group]}
    text = json.dumps({"a": 1, "hooks": events, "z": 1}, indent=2)
    assert PIECE.state(text) is State.PREDECESSOR
    mended = PIECE.installed(text)
    assert "recall-echo" not in mended.lower()
    assert list(json.loads(mended)) == ["a", "hooks", "z"]
    assert commands(mended, "SessionEnd") == [FOREIGN["command"], COMMAND]
    assert PIECE.installed(mended) == mended
    left = PIECE.removed(mended)
    assert left is not None
    assert json.loads(left) == {"a": 1, "hooks": {"SessionEnd": [{"hooks": [FOREIGN]}]}, "z": 1}


@pytest.mark.parametrize(
    "other",
    [
        "my-recall-echo archive-session",
        "recall-echo status",
        "recall-echo archive-session && git commit -am memory",
        "echo RECALL",
        "recall-tui status --root /x",
        "recall-tui sync # hook --root",
        "grep hook --root recall-tui",
        "/usr/bin/hook --root /x",
        "recall-tui archive-session",
        "echo 'an unclosed quote",
    ],
)
def test_what_only_looks_like_ours_stays(other: str) -> None:
    text = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": other}]}]}}, indent=2)
    longer = PIECE.installed(text)
    assert commands(longer, "Stop") == [other, COMMAND]
    assert PIECE.removed(longer) == text


def test_a_hook_in_exec_form_is_known() -> None:
    handler = {"type": "command", "command": "/x/recall-tui", "args": ["hook", "--root", "/m"]}
    text = json.dumps({"hooks": {"Stop": [{"hooks": [handler]}]}})
    assert PIECE.state(text) is State.OUTDATED
    assert commands(PIECE.installed(text), "Stop") == [COMMAND]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[]", 1),
        ('{\n  "hooks": []\n}', 2),
        ('{\n  "hooks": {\n    "Stop": {}\n  }\n}', 3),
        ('{"hooks": {"Stop": [\n"x"]}}', 2),
        ('{"hooks": {"Stop": [\n{"hooks":\n{}}]}}', 3),
        ('{\n  "hooks": {} // mine\n}', 2),
        ('{\n  "hooks": {},\n  "hooks": {}\n}', 3),
    ],
)
def test_a_file_of_another_shape_is_refused_by_file_and_line(text: str, line: int) -> None:
    for refusing in (PIECE.state, PIECE.installed, PIECE.removed):
        with pytest.raises(BrokenFileError, match=f"line {line}: "):
            refusing(text)


def test_events_of_others_may_have_any_shape() -> None:
    text = '{"hooks": {"disabled": ["a"], "enabled": true, "Other": [1, {"hooks": 2}, {"hooks": [3, {"command": 4}]}]}}'
    longer = PIECE.installed(text)
    assert PIECE.state(longer) is State.CURRENT
    assert PIECE.removed(longer) == text


def test_the_program_is_named_so_that_it_is_found_from_anywhere(tmp_path: Path) -> None:
    script, python = tmp_path / "recall-tui", Path("/usr/bin/python3")
    script.write_text("#!/bin/sh\n")
    assert hook_command.program_argv(script, python) == (str(script),)
    for called in ("no/recall-tui", "recall_tui/__main__.py", "pytest"):
        assert hook_command.program_argv(tmp_path / called, python) == (str(python), "-P", "-m", "recall_tui")
