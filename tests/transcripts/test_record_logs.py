"""What logs of JSON records say is read the same whichever agent wrote them, and what is peculiar to each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from recall_tui.domain import Conversation, Message, SkippedResult
from recall_tui.environment import Environment
from recall_tui.transcripts.registry import companion_files, discover_all, own_reader, read_transcript
from tests.transcripts import log_samples as logs
from tests.transcripts.log_samples import LOGS, PLACES, SESSION, written

Read = Callable[..., Conversation]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Write a log to the place where its agent keeps it and read it."""

    def open_(agent: str, records: list[logs.Record]) -> Conversation:
        found = read_transcript(written(tmp_path / PLACES[agent], records))
        assert isinstance(found, Conversation), found
        assert found.head.agent == agent
        return found

    return open_


def said(found: Conversation, *, is_sidechain: bool = False) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in found.messages() if one.is_sidechain == is_sidechain]


SAID = {
    "qwen": [
        ("prompt", "why does it fail?"),
        ("thought", "Let me see."),
        ("reply", "Looking."),
        ("tool_call", "read_file /a.py"),
        ("tool_result", "x = 1"),
        ("prompt", "and now?"),
        ("compact_summary", "<state_snapshot>It failed."),
    ],
    "droid": [
        ("prompt", "why does it fail?\n\n[image]"),
        ("thought", "hm"),
        ("reply", "Looking."),
        ("tool_call", "Execute make"),
        ("tool_result", "no rule"),
        ("compact_summary", "It failed."),
    ],
    "copilot": [
        ("prompt", "why does it fail?"),
        ("thought", "hm"),
        ("reply", "Looking."),
        ("tool_call", "task look"),
        ("tool_result", "no rule"),
        ("compact_summary", "It failed."),
    ],
    "pi": [
        ("prompt", "why does it fail?"),
        ("thought", "hm"),
        ("reply", "Looking."),
        ("tool_call", "read /a.py"),
        ("tool_result", "no file"),
        ("prompt", "the wrong way"),
        ("reply", "Wrong."),
        ("compact_summary", "It was wrong."),
        ("prompt", "the right way"),
        ("command", "!make"),
        ("tool_result", "done"),
        ("compact_summary", "It failed."),
    ],
    "kimi": [
        ("prompt", "why does it fail?"),
        ("thought", "hm"),
        ("reply", "Looking."),
        ("tool_call", "Bash make"),
        ("tool_result", "no rule"),
        ("prompt", "be quick"),
        ("prompt", "the wrong way"),
        ("reply", "Wrong."),
        ("compact_summary", "It failed."),
    ],
}
TOLD = {
    "qwen": ("The failure", "main", "qwen-x", "0.24.4"),
    "droid": ("Why it fails", "", "droid-x", ""),
    "copilot": ("", "fix", "gpt-x", "1.0.102"),
    "pi": ("The failure", "", "pi-x", ""),
    "kimi": ("", "", "kimi-x", ""),
}


@pytest.mark.parametrize("agent", LOGS)
def test_everything_is_read_once_and_nothing_injected(agent: str, read: Read) -> None:
    found = read(agent, LOGS[agent])
    assert said(found) == SAID[agent]
    head = found.head
    assert (head.session_id, head.cwd, head.fault_count) == (SESSION, logs.CWD, 0)
    assert (head.title, head.branch, head.model, head.version) == TOLD[agent]
    results = [one for one in found.messages() if one.kind == "tool_result" and one.text != "done"]
    assert [one.tool.id for one in results if one.tool] == ["t1"]
    assert [one.is_error for one in results] == [agent != "qwen"]


@pytest.mark.parametrize(("agent", "left"), [("pi", 2), ("kimi", 2), ("qwen", 0), ("droid", 0), ("copilot", 0)])
def test_what_was_gone_back_behind_is_kept_and_marked(agent: str, left: int, read: Read) -> None:
    found = read(agent, LOGS[agent])
    marked = [one.text for one in found.messages() if one.is_off_chain]
    assert marked == ["the wrong way", "Wrong."][:left]
    assert found.head.prompts == sum(kind == "prompt" for kind, _ in SAID[agent]) - bool(left)


def test_a_branch_of_qwen_code_that_was_rewound_is_marked(read: Read) -> None:
    more = [
        logs.qwen(9, "user", {"text": "the right way"}, parent=4),
        logs.qwen(10, "assistant", {"text": "Right."}),
        logs.qwen(11, "system", subtype="custom_title", systemPayload={"customTitle": "Last"}),
    ]
    found = read("qwen", [*logs.QWEN, *more])
    assert [one.text for one in found.messages() if one.is_off_chain] == ["and now?", "<state_snapshot>It failed."]
    assert (found.head.title, found.head.prompts) == ("Last", 2)


@pytest.mark.parametrize("agent", LOGS)
def test_a_log_in_its_agents_folder_is_found_by_its_session(agent: str, tmp_path: Path) -> None:
    environment = Environment(tmp_path, tmp_path, {})
    path = written(getattr(environment, agent) / PLACES[agent], LOGS[agent])
    assert [(file.agent, file.path, file.session_id) for file in discover_all(environment)] == [(agent, path, SESSION)]
    assert [file.path for file in own_reader(agent).find_session(environment, SESSION)] == [path]
    assert own_reader(agent).find_session(environment, SESSION[:8]) == []


@pytest.mark.parametrize(
    ("agent", "variable", "inner"),
    [
        ("qwen", "QWEN_RUNTIME_DIR", ""),
        ("qwen", "QWEN_HOME", ""),
        ("droid", "FACTORY_HOME_OVERRIDE", ".factory"),
        ("copilot", "COPILOT_HOME", ""),
        ("pi", "PI_CODING_AGENT_SESSION_DIR", ""),
        ("pi", "PI_CODING_AGENT_DIR", "sessions"),
        ("kimi", "KIMI_CODE_HOME", ""),
    ],
)
def test_a_variable_moves_an_agents_folder(agent: str, variable: str, inner: str, tmp_path: Path) -> None:
    path = written(tmp_path / "moved" / inner / PLACES[agent], LOGS[agent])
    environment = Environment(tmp_path, tmp_path, {variable: str(tmp_path / "moved")})
    assert [file.path for file in discover_all(environment)] == [path]


def test_sessions_straight_in_a_folder_of_the_persons_own_are_found(tmp_path: Path) -> None:
    environment = Environment(tmp_path, tmp_path, {"PI_CODING_AGENT_SESSION_DIR": str(tmp_path / "own")})
    path = written(tmp_path / "own" / Path(PLACES["pi"]).name, logs.PI)
    assert [file.path for file in discover_all(environment)] == [path]
    old = written(tmp_path / ".factory" / "sessions" / f"{SESSION}.jsonl", logs.DROID)
    assert [file.path for file in discover_all(environment)] == [path, old]


NEWER: dict[str, tuple[list[logs.Record], str]] = {
    "droid": (
        [logs.droid_start(version=3), *logs.DROID[1:]],
        "3 of its form is not known; the newest that is read is 2",
    ),
    "copilot": ([logs.copilot_start(version=2)], "2 of its form is not known; the newest that is read is 1"),
    "pi": ([logs.pi_start(version=4), *logs.PI[1:]], "4 of its form is not known; the newest that is read is 3"),
    "kimi": (
        [logs.KIMI_START | {"protocol_version": "2.0"}, *logs.KIMI[1:]],
        "2 of its form is not known; the newest that is read is 1",
    ),
    "kimi-cli": (
        [logs.KIMI_START, {"timestamp": 1.5, "message": {"type": "TurnBegin", "payload": {}}}],
        "a log of kimi-cli, an older form that is not read",
    ),
}


@pytest.mark.parametrize("form", NEWER)
def test_an_unknown_form_is_skipped_with_its_reason_and_counted(form: str, tmp_path: Path) -> None:
    records, reason = NEWER[form]
    found = read_transcript(written(tmp_path / "a.jsonl", records))
    assert isinstance(found, SkippedResult) and found.reason.removeprefix("version ") == reason
    assert [fault.reason for fault in found.faults] == [found.reason]


def test_a_first_form_of_pi_without_ids_is_one_line(read: Read) -> None:
    messages = [record for record in logs.PI if record["type"] == "message"]
    bare = [{name: record[name] for name in ("type", "timestamp", "message")} for record in messages]
    start = {name: value for name, value in logs.pi_start(provider="x").items() if name != "version"}
    found = read("pi", [start, *bare])
    assert found.head.prompts == 3
    assert not any(one.is_off_chain for one in found.messages())


def test_what_a_fork_of_pi_repeats_is_the_other_sessions(read: Read) -> None:
    forked = {**logs.pi_start(parentSession="/other.jsonl"), "timestamp": logs.at(7)}
    found = read("pi", [forked, *logs.PI[1:]])
    assert said(found)[0] == ("prompt", "the right way")


def aside(agent: str, folder: Path) -> list[Path]:
    """Write the log of a sub-agent to where its agent keeps it."""
    talk: dict[str, tuple[str, list[logs.Record]]] = {
        "qwen": (
            f"projects/-home-u-api/subagents/{SESSION}/agent-x.jsonl",
            [
                logs.qwen(50, "user", {"text": "look"}, isSidechain=True),
                logs.qwen(51, "assistant", {"text": "I looked."}, isSidechain=True),
            ],
        ),
        "droid": (
            f"sessions/-home-u-api/{logs.uuid(77)}.jsonl",
            [
                logs.droid_start(logs.uuid(77), callingSessionId=SESSION),
                logs.droid(50, "user", "look"),
                logs.droid(51, "assistant", [{"type": "text", "text": "I looked."}]),
            ],
        ),
        "kimi": (
            f"sessions/wd_api_000000000000/{SESSION}/agents/agent-0/wire.jsonl",
            [
                {**logs.KIMI_START, "protocol_version": "1.4"},
                logs.kimi(
                    50,
                    "context.append_message",
                    message={"content": "look", "origin": {"kind": "system_trigger", "name": "subagent"}},
                ),
                logs.kimi_event(51, "content.part", part={"type": "text", "text": "I looked."}),
            ],
        ),
    }
    return [written(folder / talk[agent][0], talk[agent][1])] if agent in talk else []


@pytest.mark.parametrize("agent", ["qwen", "droid", "kimi", "copilot"])
def test_a_sub_agent_is_read_with_its_session_and_not_by_itself(agent: str, read: Read, tmp_path: Path) -> None:
    files = aside(agent, tmp_path)
    found = read(agent, LOGS[agent])
    assert said(found, is_sidechain=True) == [("prompt", "look"), ("reply", "I looked.")]
    assert list(found.head.side_files) == files
    assert found.head.prompts == sum(kind == "prompt" for kind, _ in SAID[agent]) - (agent == "kimi")
    if agent == "droid":
        assert read_transcript(files[0]) == SkippedResult(f"a sub-agent's transcript of session {SESSION}")
    elif files:
        assert set(files) <= set(companion_files(found.head.source))
        assert own_reader(agent).is_named(files[0]) is False


@pytest.mark.parametrize("agent", ["qwen", "droid", "kimi", "copilot"])
def test_a_retained_copy_with_its_sub_agents_says_the_same(agent: str, read: Read, tmp_path: Path) -> None:
    files = aside(agent, tmp_path)
    found = read(agent, LOGS[agent])
    whole = b"".join(path.read_bytes() for path in (found.head.source, *files))
    copy = tmp_path / "kept" / SESSION / "0011223344556677.jsonl.zst"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(zstandard.compress(whole))
    kept = read_transcript(copy)
    assert isinstance(kept, Conversation)
    assert kept.head.session_id == SESSION
    assert list(map(identity, kept.messages())) == list(map(identity, found.messages()))


def identity(message: Message) -> tuple[str, str, str, bool, bool]:
    return message.uuid, message.kind, message.text, message.is_sidechain, message.is_off_chain


@pytest.mark.parametrize("agent", LOGS)
def test_a_record_that_is_there_twice_is_read_once(agent: str, read: Read) -> None:
    once = LOGS[agent]
    repeated = [record for record in once if record.get("type") not in ("session_start", "metadata", "session")]
    assert len(said(read(agent, [*once, *repeated[-1:]]))) == len(said(read(agent, once)))


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("name: why: it fails", "why: it fails"),
        ('name: "why \\"it\\" fails"', 'why "it" fails'),
        ("name: 'it''s broken'", "it's broken"),
        ("name: |-\n  why does\n  it fail?\nuser_named: false", "why does it fail?"),
        ('name: "half', '"half'),
        ("id: x", ""),
        ("name: ", ""),
    ],
)
def test_the_title_of_copilots_session_is_in_a_file_of_its_own(
    name: str, title: str, read: Read, tmp_path: Path
) -> None:
    (tmp_path / PLACES["copilot"]).parent.mkdir(parents=True)
    (tmp_path / PLACES["copilot"]).with_name("workspace.yaml").write_text(f"id: {SESSION}\n{name}\n")
    assert read("copilot", logs.COPILOT).head.title == title


def test_title_and_folder_of_kimis_session_are_in_its_state(read: Read, tmp_path: Path) -> None:
    state = tmp_path / "sessions" / "wd_api_000000000000" / SESSION / "state.json"
    state.parent.mkdir(parents=True)
    state.write_text('{"title": "The\\nfailure", "cwd": "/home/u/other"}')
    found = read("kimi", logs.KIMI)
    assert (found.head.title, found.head.cwd) == ("The failure", logs.CWD)
    assert own_reader("kimi").read_folder(found.head.source) == "/home/u/other"
    state.write_text("[" * 100_000)
    assert read("kimi", logs.KIMI).head.title == ""


def test_kimi_takes_nothing_back_from_before_it_was_cleared(read: Read) -> None:
    more = [logs.kimi_message(11, "one"), logs.kimi(12, "context.clear"), logs.kimi(13, "context.undo", count=1)]
    found = read("kimi", [*logs.KIMI, *more])
    assert [one.text for one in found.messages() if one.is_off_chain] == ["the wrong way", "Wrong."]
