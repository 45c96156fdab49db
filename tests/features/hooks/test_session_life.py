"""The life of a session as its agent drives it: each hook in a process of its own, with what that agent sends."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import make_layout
from recall_tui.storage.state import hook_log, live_sessions
from recall_tui.storage.trust import confirm
from recall_tui.workbench import Workbench
from tests.hooks import called, process_env, said, settled
from tests.makers import bench_at, records, session_id_of, transcript, write_transcript
from tests.processes import Machine

pytestmark = pytest.mark.long

FIRST = [
    ("user", "why do the tokens expire?"),
    ("assistant", "Because a stolen one must not last. We chose 15 minutes."),
]
SECOND = [("user", "now put the refresh tokens into Redis"), ("assistant", "They live in Redis now.")]
THEN = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=3)


@pytest.fixture
def machine(environment: Environment) -> Machine:
    """A memory in layout entity that was just made."""
    root = environment.cwd / "agent"
    bench_at(environment, "entity", root)
    return Machine(environment, root)


def opened(machine: Machine) -> Workbench:
    return Workbench.open(machine.root, environment=machine.environment)


def aged(path: Path, hours: float) -> Path:
    """The transcript as if it was last written so long ago."""
    moment = time.time() - hours * 3_600
    os.utime(path, (moment, moment))
    return path


def dead_agent(machine: Machine, session: str) -> None:
    """Have the session's agent be a process that is gone, as after a crash."""
    state = opened(machine).store.state
    mark = live_sessions.find_session(state, session)
    assert mark is not None
    live_sessions.save(state, mark._replace(pid=2**22 - 7))


def test_a_session_of_claude_code_lives_crashes_and_is_caught_up_with(machine: Machine) -> None:
    environment, one, two = machine.environment, session_id_of(1), session_id_of(2)
    path = transcript(environment, 1, FIRST, start=THEN)
    start = called(
        machine, said("SessionStart", one, path, cwd=str(environment.cwd), source="startup", model="claude-x")
    )
    assert start.is_sound() and one in start.context and "recalled-memory" not in start.context
    prompt = called(machine, said("UserPromptSubmit", one, path, prompt="yes"))
    assert prompt.is_sound() and not prompt.out
    assert called(machine, said("Stop", one, path, stop_hook_active=False)).out == b""

    compact = called(machine, said("PreCompact", one, path, trigger="auto", custom_instructions=""))
    assert compact.is_sound() and not compact.out
    (row,) = opened(machine).rows
    assert (row.session_id, opened(machine).archive.entries()[0].source) == (one, "checkpoint")
    assert not opened(machine).window.entries, "a checkpoint is no finished session"
    words = "1. **Primary request**: why tokens expire\n2. They last 15 minutes."
    assert called(machine, said("PostCompact", one, path, trigger="auto", compact_summary=words)).is_sound()
    text = opened(machine).archive.entries()[0].path.read_text(encoding="utf-8")
    assert "Primary request: why tokens expire They last 15 minutes." in text and "why do the tokens expire?" in text

    write_transcript(path, records(one, [*FIRST, *SECOND], start=THEN))
    called(machine, said("Stop", one, path, stop_hook_active=False))
    dead_agent(machine, one)
    aged(path, 1)

    path2 = transcript(environment, 2, SECOND, start=THEN + timedelta(hours=1))
    called(machine, said("SessionStart", two, path2, source="startup"))
    assert not settled(machine)
    (entry,) = opened(machine).archive.entries()
    assert (entry.session_id, entry.source, entry.messages) == (one, "session", 4)
    assert [one.session_id for one in opened(machine).window.entries] == [entry.session_id]

    assert called(machine, said("SessionEnd", two, path2, reason="prompt_input_exit")).is_sound()
    assert not settled(machine)
    assert [one.session_id for one in opened(machine).window.entries] == [one, two]
    assert live_sessions.list_all(opened(machine).store.state) == ()
    window = machine.run("consume").out.decode()
    assert one in window and two in window
    assert machine.run("search", "--ranked", "--json", "--no-sync", "refresh tokens Redis").json["hits"]
    third = called(machine, said("SessionStart", session_id_of(3), source="startup"))
    assert third.is_sound() and one in third.context and two in third.context


def test_an_ended_session_is_there_once_however_it_ends(machine: Machine) -> None:
    path, one = transcript(machine.environment, 1, FIRST, start=THEN), session_id_of(1)
    for reason in ("clear", "resume", "prompt_input_exit", "other"):
        assert called(machine, said("SessionEnd", one, path, reason=reason)).is_sound()
    assert not settled(machine)
    assert len(opened(machine).archive.entries()) == len(opened(machine).rows) == 1
    assert len(opened(machine).window.entries) == 1


def test_codex_has_no_end_and_is_captured_when_its_process_is_gone(machine: Machine) -> None:
    environment, one = machine.environment, "0199a213-81a0-7800-8aa0-000000000001"
    path = environment.codex / "sessions" / "2026" / "03" / "06" / f"rollout-2026-03-06T10-00-00-{one}.jsonl"
    said_at = THEN.isoformat().replace("+00:00", "Z")
    lines = [
        {"type": "session_meta", "payload": {"id": one, "cwd": "/home/u/api", "originator": "codex_cli_rs"}},
        {"type": "response_item", "payload": _codex("user", "input_text", "why do the tokens expire?")},
        {"type": "response_item", "payload": _codex("assistant", "output_text", "Because a stolen one must not last.")},
    ]
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps({"timestamp": said_at, **line}) + "\n" for line in lines), encoding="utf-8")
    common = {"model": "gpt-5", "permission_mode": "default", "cwd": "/home/u/api"}
    start = called(machine, said("SessionStart", one, path, source="startup", **common))
    assert start.json["hookSpecificOutput"]["hookEventName"] == "SessionStart" and one in start.context
    assert set(start.json) == {"hookSpecificOutput"}
    assert called(machine, said("UserPromptSubmit", one, path, prompt="ok", turn_id="1", **common)).is_sound()
    assert called(machine, said("Stop", one, path, turn_id="1", stop_hook_active=False, **common)).is_sound()
    dead_agent(machine, one)
    aged(path, 1)
    called(machine, said("SessionStart", "another", None, source="startup", **common))
    assert not settled(machine)
    (entry,) = opened(machine).archive.entries()
    assert (entry.agent, entry.session_id, entry.messages) == ("codex", one, 2)


def _codex(role: str, kind: str, text: str) -> dict[str, object]:
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def test_gemini_cli_is_answered_in_its_own_words(machine: Machine) -> None:
    environment, one = machine.environment, "5a4f7c0e-0000-4000-8000-000000000001"
    path = environment.gemini / "tmp" / "abc" / "chats" / "session-2026-03-06T10-00-5a4f7c0e.json"
    at = THEN.isoformat().replace("+00:00", "Z")
    chat = {
        "sessionId": one,
        "projectHash": "abc",
        "startTime": at,
        "lastUpdated": at,
        "messages": [
            {"id": "1", "timestamp": at, "type": "user", "content": "why do the tokens expire?"},
            {"id": "2", "timestamp": at, "type": "gemini", "content": "Because a stolen one must not last."},
        ],
    }
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(chat), encoding="utf-8")
    common = {"cwd": "/home/u/api", "timestamp": at}
    start = called(machine, said("SessionStart", one, path, source="startup", **common))
    assert start.json["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert called(machine, said("BeforeAgent", one, path, prompt="yes", **common)).out == b""
    assert called(machine, said("AfterAgent", one, path, prompt="yes", prompt_response="…", **common)).out == b""
    assert called(machine, said("PreCompress", one, path, trigger="auto", **common)).out == b""
    assert opened(machine).archive.entries()[0].source == "checkpoint"
    assert called(machine, said("SessionEnd", one, path, reason="exit", **common)).out == b""
    assert not settled(machine)
    (entry,) = opened(machine).archive.entries()
    assert (entry.agent, entry.session_id, entry.source) == ("gemini", one, "session")
    assert [one.session_id for one in opened(machine).window.entries] == [entry.session_id]


def test_in_layout_user_the_summary_is_handed_once_and_never_to_a_program(environment: Environment) -> None:
    bench = bench_at(environment, "user")
    machine = Machine(environment, environment.claude)
    path = transcript(environment, 1, FIRST, start=THEN)
    assert called(machine, said("SessionEnd", session_id_of(1), path, reason="other")).is_sound()
    assert not settled(machine)
    window = bench.layout.window.read_text(encoding="utf-8")
    assert "stolen one" in window
    headless = process_env(machine, CLAUDE_CODE_ENTRYPOINT="sdk-cli")
    told = said("SessionStart", session_id_of(2), source="startup")
    assert "stolen one" in called(machine, told, env=headless).context
    assert called(machine, {**told, "agent_id": "a1", "agent_type": "Explore"}).out == b""
    assert bench.layout.window.read_text(encoding="utf-8") == window
    assert "stolen one" in called(machine, told).context
    assert bench.layout.window.read_text(encoding="utf-8") == ""
    assert not settled(machine)


@pytest.mark.parametrize(("originator", "is_read"), [("codex_exec", False), ("codex_cli_rs", True)])
def test_a_session_that_a_program_began_in_codex_leaves_the_window_as_it_is(
    environment: Environment, originator: str, is_read: bool
) -> None:
    bench = bench_at(environment, "user")
    machine = Machine(environment, environment.claude)
    bench.layout.window.write_text("What the last session did.\n", encoding="utf-8")
    head = {"type": "session_meta", "payload": {"id": session_id_of(1), "originator": originator}}
    path = write_transcript(
        environment.codex / "sessions" / f"rollout-2026-03-06T10-00-00-{session_id_of(1)}.jsonl", [head]
    )
    told = said("SessionStart", session_id_of(1), path, source="startup")
    assert "What the last session did" in called(machine, told, "--agent", "codex").context
    assert bool(bench.layout.window.read_text(encoding="utf-8")) != is_read
    asked = said("UserPromptSubmit", session_id_of(1), path, prompt="why do the access tokens expire so early?")
    assert called(machine, asked, "--agent", "codex").out == b""
    (prompt, _) = hook_log.read_decisions(bench.store, 2)
    assert ("a program asks" in prompt.decision.why) != is_read
    assert not settled(machine)


def test_what_a_program_asked_is_captured_unless_it_is_our_own(environment: Environment) -> None:
    bench = bench_at(environment, "entity", environment.cwd / "agent")
    machine = Machine(environment, bench.store.root)
    program = process_env(machine, CLAUDE_CODE_ENTRYPOINT="sdk-cli")
    own = transcript(environment, 2, FIRST, cwd=str(environment.state / "agent-1" / "model"))
    for path in (transcript(environment, 1, FIRST), own):
        told = said("SessionEnd", path.stem, path, reason="other")
        assert called(machine, told, env=program).is_sound()
    assert not settled(machine)
    assert [row.session_id for row in bench.rows] == [session_id_of(1)]
    hits = bench.search("stolen one must not last").hits
    assert {hit.session_id for hit in hits if hit.kind != "daily"} == {session_id_of(1)}


def test_hooks_write_nothing_into_a_project_unless_its_settings_say_so(environment: Environment) -> None:
    bench = bench_at(environment, "project")
    machine = Machine(environment, environment.cwd)
    before = {path: path.read_bytes() for path in bench.layout.base.rglob("*") if path.is_file()}
    path = transcript(environment, 1, FIRST, start=THEN, cwd=str(environment.cwd))
    for event in ("SessionStart", "PreCompact", "PostCompact", "Stop", "SessionEnd"):
        assert called(machine, said(event, session_id_of(1), path, source="startup", compact_summary="x")).is_sound()
    assert not settled(machine)
    assert {path: path.read_bytes() for path in bench.layout.base.rglob("*") if path.is_file()} == before
    assert bench.search("stolen", sync=False).hits, "it is found all the same"
    config = bench.layout.config
    config.write_text(config.read_text(encoding="utf-8") + "[capture]\nauto = true\n", encoding="utf-8")
    called(machine, said("SessionEnd", session_id_of(1), path, reason="other"))
    assert not settled(machine), "who shares the folder does not say so for everybody"
    assert confirm(bench.store)
    called(machine, said("SessionEnd", session_id_of(1), path, reason="other"))
    assert not settled(machine)
    assert (make_layout(environment.cwd, "project").base / "conversations" / f"{session_id_of(1)}.md").is_file()
