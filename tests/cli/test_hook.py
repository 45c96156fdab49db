"""Hooks never fail their host: whatever they are told, wherever they run, they end with 0 and say all or nothing."""

from __future__ import annotations

import json
import os
import pty
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from recall_tui.domain.hook import GUARD_VARIABLE
from recall_tui.environment import Environment
from recall_tui.storage.files.lock import acquire
from recall_tui.storage.state import hook_log, live_sessions
from recall_tui.workbench import Workbench
from tests.cli.conftest import Recall
from tests.hooks import SCRIPT, Answered, called, process_env, said, settled
from tests.makers import bench_at, session_id_of, transcript
from tests.processes import CHECKOUT, Machine

TALK = [("user", "why do the tokens expire?"), ("assistant", "Because a stolen one must not last.")]
EVENTS = ("SessionStart", "UserPromptSubmit", "PreCompact", "PostCompact", "Stop", "SessionEnd", "BeforeAgent")


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    """A machine whose processes find the package that is tested."""
    home, cwd = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    cwd.mkdir()
    env = {"RECALL_STATE": str(tmp_path / "state"), "HOME": str(home), "PYTHONPATH": str(CHECKOUT)}
    return Environment(home=home, cwd=cwd, env=env)


@pytest.fixture
def machine(environment: Environment) -> Iterator[Machine]:
    """A memory with a window; nothing of it runs on when the test is over."""
    root = environment.cwd / "agent"
    bench = bench_at(environment, "entity", root)
    bench.capture(transcript(environment, 900, TALK))
    machine = Machine(environment, root)
    yield machine
    assert not settled(machine)


def test_a_session_is_marked_with_the_process_of_its_agent(machine: Machine, environment: Environment) -> None:
    assert called(machine, said("Stop", session_id_of(3), transcript(environment, 3, TALK))).is_sound()
    mark = live_sessions.find_session(environment.of_memory(machine.root), session_id_of(3))
    assert mark is not None and mark.pid == os.getpid()


def broken(rng: random.Random, path: Path) -> bytes:
    """What no agent should say."""
    told = said(rng.choice(EVENTS), session_id_of(1), path, source="startup", prompt="x")
    choices: list[Callable[[], bytes]] = [
        lambda: b"",
        lambda: b"   \n",
        lambda: b"not JSON",
        lambda: b"\xff\xfe\x00",
        lambda: b"[" * 100_000,
        lambda: b"[]",
        lambda: b"null",
        lambda: b'"SessionStart"',
        lambda: json.dumps(told).encode()[: rng.randrange(1, 60)],
        lambda: json.dumps({"hook_event_name": rng.choice(EVENTS)}).encode(),
        lambda: json.dumps({"hook_event_name": rng.choice(["PreToolUse", "", 5, None, "start\0"])}).encode(),
        lambda: json.dumps({name: rng.choice([1, None, [], {}, True, "\0", "a" * 9_000]) for name in told}).encode(),
        lambda: json.dumps(
            {**told, "transcript_path": rng.choice(["/", "relative", "/no/such", "/dev/null", 7])}
        ).encode(),
        lambda: json.dumps({**told, "session_id": rng.choice(["../../x", "\ud800", "", "a" * 5_000, [1]])}).encode(),
        lambda: json.dumps({**told, "cwd": rng.choice(["/no/such/folder", "\0", 3])}).encode(),
        lambda: b"{" + b" " * 1_000_000 + b'"hook_event_name": "Stop"}',
    ]
    return rng.choice(choices)()


def whole(rng: random.Random, path: Path) -> bytes:
    """What an agent says."""
    event = rng.choice(EVENTS)
    return json.dumps(said(event, path.stem, path, source="startup", reason="other", prompt="go on")).encode()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_mixed_calls_half_of_them_broken_answer_whole_or_not_at_all(
    recall: Recall, machine: Machine, seed: int
) -> None:
    rng = random.Random(seed)
    paths = [transcript(machine.environment, number, TALK) for number in range(5)]
    for turn in range(240):
        data = (whole if turn % 2 else broken)(rng, rng.choice(paths))
        answer = recall("--root", machine.root, "hook", stdin=data)
        assert (answer.code, answer.err) == (0, ""), data[:200]
        if answer.out:
            assert answer.out.endswith("\n") and set(answer.json) <= {"hookSpecificOutput", "systemMessage"}
    bench = Workbench.open(machine.root, environment=machine.environment)
    assert [one for one in bench.check() if not one.is_note] == []
    logged = hook_log.read_decisions(bench.store, 1_000)
    assert len(logged) >= 200 and all(line.decision.did for line in logged)


@pytest.mark.long
def test_processes_that_are_told_nonsense_end_well(machine: Machine) -> None:
    rng = random.Random(7)
    path = transcript(machine.environment, 1, TALK)
    for turn in range(44):
        answer = called(machine, (whole if turn % 2 else broken)(rng, path))
        assert answer.is_sound(), answer


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        ("--no-such-option",), ("start", "and", "more"), ("--agent",), ("--root",), ("--layout", "nonsense"),
        ("no-such-event",), ("--json", "--quiet"), ("-x", "--", "--"), ("--agent", "nobody"),
    ],
)  # fmt: skip
def test_no_command_line_is_an_error(machine: Machine, words: tuple[str, ...]) -> None:
    assert called(machine, said("SessionStart", "abc", source="startup"), *words).is_sound()


def file_at(path: Path) -> Path:
    """A file where a folder is wanted: nobody, not even root, can make anything in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("in the way", encoding="utf-8")
    return path


@pytest.mark.long
@pytest.mark.parametrize("event", EVENTS)
def test_a_state_folder_that_cannot_be_made_is_no_error(machine: Machine, tmp_path: Path, event: str) -> None:
    path = transcript(machine.environment, 1, TALK)
    env = process_env(machine, RECALL_STATE=str(file_at(tmp_path / "file") / "state"))
    assert called(machine, said(event, path.stem, path, source="startup", prompt="x"), env=env).is_sound()


def test_the_home_of_nobody_is_no_error(machine: Machine) -> None:
    told = said("SessionStart", "abc", source="startup")
    for variable in ("RECALL_STATE", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        assert called(machine, told, env=process_env(machine, **{variable: "~nobody-such/x"})).is_sound()
    assert called(machine, told, root=Path("~nobody-such/x")).is_sound()
    assert "there is no user nobody-such" in (machine.environment.state / hook_log.LOG_FILE).read_text()


@pytest.mark.long
@pytest.mark.parametrize("event", EVENTS)
def test_a_memory_that_is_gone_or_no_folder_is_no_error(machine: Machine, tmp_path: Path, event: str) -> None:
    told = said(event, "abc", source="startup", prompt="x")
    for root in (tmp_path / "gone", file_at(tmp_path / "file"), tmp_path / "file" / "inside"):
        assert called(machine, told, root=root).is_sound()
    assert not (tmp_path / "gone").exists()


@pytest.mark.long
@pytest.mark.parametrize("name", ["memory/EPHEMERAL.md", "memory/ARCHIVE.md", "memory/conversations"])
def test_a_folder_or_file_that_is_no_such_thing_is_no_error(machine: Machine, name: str) -> None:
    target = machine.root / name
    if target.is_dir():
        target.rename(target.with_name("aside"))
        file_at(target)
    else:
        target.unlink(missing_ok=True)
        target.mkdir()
    path = transcript(machine.environment, 1, TALK)
    for event in EVENTS:
        assert called(machine, said(event, path.stem, path, source="startup", prompt="x")).is_sound()


@pytest.mark.long
@pytest.mark.parametrize("text", ["layout = \n", "[inject]\ntokens = 'many'\n", "\x00", 'layout = "entity"\n[x]\ny=1'])
def test_a_broken_config_runs_on_defaults(machine: Machine, text: str) -> None:
    (machine.root / "memory" / ".recall-echo.toml").write_text(text, encoding="utf-8")
    answer = called(machine, said("SessionStart", "abc", source="startup"))
    assert answer.is_sound() and "abc" in answer.context


@pytest.mark.long
def test_a_memory_that_somebody_holds_leaves_the_session_for_later(machine: Machine) -> None:
    path = transcript(machine.environment, 1, TALK)
    bench = Workbench.open(machine.root, environment=machine.environment)
    with acquire(bench.store.state / "catch-up.lock", "test", 5), acquire(bench.store.state / "lock", "test", 5):
        for event in EVENTS:
            answer = called(machine, said(event, path.stem, path, source="startup", prompt="x", reason="other"))
            assert answer.is_sound()
        assert hook_log.read_decisions(bench.store, 2)[1].decision.did == "spooled"
        assert len(bench.rows) == 1
    called(machine, said("SessionStart", "abc", source="startup"))
    assert not settled(machine)
    assert {row.session_id for row in bench.rows} == {path.stem, session_id_of(900)}


@pytest.mark.long
def test_without_home_folder_or_path_it_still_answers(machine: Machine) -> None:
    env = {"PYTHONPATH": str(CHECKOUT), "RECALL_STATE": machine.environment.env["RECALL_STATE"]}
    assert called(machine, said("SessionStart", "abc", source="startup"), env=env).context


def process(machine: Machine, *words: str, **options: object) -> subprocess.Popen[bytes]:
    line = [sys.executable, "-P", "-c", SCRIPT, "hook", "--root", str(machine.root), *words]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.Popen(line, env=process_env(machine), cwd=machine.environment.cwd, **pipes)  # type: ignore[call-overload]


def test_a_terminal_says_nothing(machine: Machine) -> None:
    ours, theirs = pty.openpty()
    try:
        running = process(machine, stdin=theirs)
        out, err = running.communicate(timeout=60)
    finally:
        os.close(ours)
        os.close(theirs)
    assert Answered(running.returncode, out, err) == Answered(0, b"", b"")


@pytest.mark.long
def test_an_agent_that_says_nothing_is_not_waited_for_without_end(machine: Machine) -> None:
    running = process(machine)
    assert (running.wait(timeout=60), running.stdout.read(), running.stderr.read()) == (0, b"", b"")  # type: ignore[union-attr]
    running.stdin.close()  # type: ignore[union-attr]


@pytest.mark.long
def test_an_agent_that_does_not_close_its_end_is_answered(machine: Machine) -> None:
    running = process(machine)
    assert running.stdin and running.stdout
    running.stdin.write(json.dumps(said("SessionStart", "abc", source="startup")).encode())
    running.stdin.flush()
    assert running.wait(timeout=60) == 0 and b"abc" in running.stdout.read()
    running.stdin.close()


@pytest.mark.long
def test_closed_streams_are_no_error_and_the_window_is_kept(environment: Environment) -> None:
    bench = bench_at(environment, "user")
    bench.capture(transcript(environment, 1, TALK))
    window = bench.layout.window.read_text(encoding="utf-8")
    machine = Machine(environment, environment.claude)
    told = json.dumps(said("SessionStart", "abc", source="startup")).encode()
    line = ["sh", "-c", 'exec "$@" ', "sh", sys.executable, "-P", "-c", SCRIPT, "hook", "--root", str(machine.root)]
    for closed in ("1>&-", "0<&- 1>&- 2>&-", ">/dev/null", "2>&-"):
        assert bench.layout.window.read_text(encoding="utf-8") == window
        line[2] = f'exec "$@" {closed}'
        done = subprocess.run(line, env=process_env(machine), input=told, capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")
    assert b"stolen one" in done.stdout and bench.layout.window.read_text(encoding="utf-8") == ""
    assert not settled(machine)


@pytest.mark.long
def test_a_reader_that_has_gone_is_no_error_and_the_window_is_kept(environment: Environment) -> None:
    bench = bench_at(environment, "user")
    bench.capture(transcript(environment, 1, TALK))
    window = bench.layout.window.read_text(encoding="utf-8")
    machine = Machine(environment, environment.claude)
    running = process(machine)
    assert running.stdin and running.stdout and running.stderr
    running.stdout.close()
    running.stdin.write(json.dumps(said("SessionStart", "abc", source="startup")).encode())
    running.stdin.close()
    assert running.wait(timeout=60) == 0 and running.stderr.read() == b""
    assert bench.layout.window.read_text(encoding="utf-8") == window
    assert hook_log.read_decisions(bench.store, 1)[0].decision.did == "failed"
    assert not settled(machine)


@contextmanager
def waiting(machine: Machine) -> Iterator[subprocess.Popen[bytes]]:
    """A hook that runs and waits for what it is told."""
    running = process(machine)
    status = Path(f"/proc/{running.pid}/status")
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM)
    mask = sum(1 << (number - 1) for number in numbers)
    until = time.monotonic() + 30
    while time.monotonic() < until:
        facts = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        if int(facts.get("SigCgt", "0"), 16) & mask == mask and facts.get("State", "").startswith("S"):
            break
        time.sleep(0.01)
    yield running
    for stream in (running.stdin, running.stdout, running.stderr):
        assert stream
        stream.close()


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_well(machine: Machine, number: signal.Signals) -> None:
    with waiting(machine) as running:
        running.send_signal(number)
        assert running.wait(timeout=60) == 0
        assert running.stdout and running.stderr
        assert (running.stdout.read(), running.stderr.read()) == (b"", b"")
    store = Workbench.open(machine.root, environment=machine.environment).store
    assert number.name in hook_log.read_decisions(store, 1)[0].decision.why


@pytest.mark.long
def test_a_process_that_we_started_answers_nothing_and_leaves_no_trace(machine: Machine) -> None:
    store = Workbench.open(machine.root, environment=machine.environment).store
    before = hook_log.read_decisions(store, 10)
    for event in EVENTS:
        answer = called(
            machine, said(event, "abc", source="startup"), env=process_env(machine, **{GUARD_VARIABLE: "1"})
        )
        assert answer == Answered(0, b"", b"")
    assert hook_log.read_decisions(store, 10) == before


def test_asking_about_it_is_answered_to_a_person(recall: Recall) -> None:
    assert "Usage: recall-tui hook" in recall("hook", "--help").out


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="counts processes, which only Linux shows")
def test_an_agent_that_calls_the_hook_again_cannot_multiply_it(machine: Machine, tmp_path: Path) -> None:
    """A `claude` that calls the start hook whenever it is called itself, as a session of the real one does."""
    folder, count = tmp_path / "bin", tmp_path / "count"
    folder.mkdir()
    count.write_text("", encoding="utf-8")
    told = json.dumps(said("SessionStart", "inner", source="startup"))
    hook = f"'{sys.executable}' -P -c '{SCRIPT}' hook --root '{machine.root}'"
    agent = folder / "claude"
    agent.write_text(
        f"#!/bin/sh\necho x >> '{count}'\nprintf '%s' '{told}' | {hook} >/dev/null 2>&1\n", encoding="utf-8"
    )
    agent.chmod(0o755)
    env = process_env(machine, PATH=f"{folder}:{os.environ['PATH']}")
    path = transcript(machine.environment, 1, TALK)
    for event in EVENTS:
        assert called(machine, said(event, path.stem, path, source="startup", prompt="x"), env=env).is_sound()
        child = subprocess.run(["claude"], env={**env, GUARD_VARIABLE: "1"}, timeout=60)
        assert child.returncode == 0
    assert not settled(machine)
    assert count.read_text(encoding="utf-8").count("x") == len(EVENTS), "only those that were called here"


STUCK = """
import os, sys
def hear(event, given):
    is_there = event == "open" and "hook" in sys.argv and str(given[0]).endswith(os.environ["STUCK_AT"])
    if is_there and os.environ.pop("STUCK", ""):
        {does}
sys.addaudithook(hear)
"""
STUCK_AT = {
    "code that holds the interpreter": "import re; re.match(r'(a|a)*$', 'a' * 64 + 'b')",
    "a read that nobody answers": "os.read(os.pipe()[0], 1)",
    "a read that is begun again and again": "[0 for _ in iter(lambda: os.read(os.open('/dev/zero', 0), 1), b'')]",
    "a signal that it cannot catch": "os.kill(os.getpid(), 9)",
    "a crash": "os.kill(os.getpid(), 11)",
    "an abort": "os.abort()",
    "memory without end": "held = [bytearray(1 << 30) for _ in range(1 << 10)]",
}
"""What a library may be at when a hook's time is over."""


@pytest.mark.long
@pytest.mark.parametrize(
    "does",
    [
        pytest.param(
            does, id=name, marks=() if name in ("code that holds the interpreter", "a crash") else pytest.mark.long
        )
        for name, does in STUCK_AT.items()
    ],
)
def test_whatever_it_is_at_it_ends_with_0_and_nothing_half_said(machine: Machine, tmp_path: Path, does: str) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(STUCK.format(does=does))
    paths = f"{tmp_path / 'site'}{os.pathsep}{CHECKOUT}"
    env = process_env(machine, PYTHONPATH=paths, STUCK_AT=".recall-echo.toml", STUCK="1")
    line = [sys.executable, "-c", SCRIPT, "hook", "--root", str(machine.root), "stop"]
    told = json.dumps(said("Stop", "abc")).encode()
    running = subprocess.Popen(line, env=env, cwd=machine.environment.cwd, stdin=-1, stdout=-1, stderr=-1)
    out, err = running.communicate(told, timeout=120)
    assert Answered(running.returncode, out, err) == Answered(0, b"", b"")
    assert not settled(machine)
    # Without it there is an answer: it is what was done that kept it from being given.
    start = json.dumps(said("SessionStart", "abc", source="startup")).encode()
    assert called(machine, start, env={**env, "STUCK_AT": "nothing"}).context


@pytest.mark.long
def test_memory_without_end_is_an_error_like_any_other(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(STUCK.format(does=STUCK_AT["memory without end"]))
    env = process_env(machine, PYTHONPATH=f"{tmp_path}{os.pathsep}{CHECKOUT}", STUCK_AT=".jsonl", STUCK="1")
    path = transcript(machine.environment, 1, TALK)
    assert called(machine, said("SessionEnd", path.stem, path), env=env) == Answered(0, b"", b"")
    store = Workbench.open(machine.root, environment=machine.environment).store
    assert "MemoryError" in hook_log.read_decisions(store, 1)[0].decision.why
