"""Models that are programs: asked on stdin, ended in time, nothing left behind, whatever they do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import msgspec
import pytest

from recall_tui.domain.hook import GUARD_VARIABLE
from recall_tui.environment import Environment
from recall_tui.llm.client import LLMRequest, ModelClient
from recall_tui.llm.failure_text import MAX_REASON_CHARS
from recall_tui.llm.model import Completion, Failure, Model, Usage
from recall_tui.llm.providers.command import WORKING_FOLDER
from recall_tui.llm.selection import select_model
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from tests.processes import CHECKOUT

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}
SLEEPS = "import time; time.sleep(600)"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); import time; time.sleep(600)"


class Words(msgspec.Struct):
    """An answer of one text."""

    text: str


class Bench:
    """A PATH of programs that a test writes, and a memory that asks them."""

    def __init__(self, folder: Path, environment: Environment, now: Callable[[], datetime]) -> None:
        self.folder = folder
        self.programs = folder / "programs"
        self.programs.mkdir()
        (environment.cwd / "agent").mkdir()
        self.layout = make_layout(environment.cwd / "agent", "entity")
        self.environment = environment
        self.now = now

    def write(self, name: str, code: str) -> Path:
        """A program of this name."""
        path = self.programs / name
        path.write_text(f"#!{sys.executable}\nimport json, os, pathlib, subprocess, sys, time\n{code}\n")
        path.chmod(0o755)
        return path

    def store(self, **settings: str) -> Store:
        """The memory, with such programs before those of the machine."""
        path = f"{self.programs}{os.pathsep}{os.environ['PATH']}"
        env = {**self.environment.env, "PATH": path, "OUT": str(self.folder), **settings}
        return Memory(self.layout, Environment(self.environment.home, self.environment.cwd, env), self.now)

    def model(self, provider: str, name: str = "", seconds: int = 60, **settings: str) -> Model:
        """The model behind a provider."""
        settings = {"RECALL_LLM_PROVIDER": provider, "RECALL_LLM_MODEL": name, **settings}
        made = select_model(self.store(RECALL_LLM_TIMEOUT_SECONDS=str(seconds), **settings), "summary")
        assert not isinstance(made, Failure), made
        return made

    def told(self, name: str = "told.json") -> dict[str, object]:
        """What a program wrote down of how it was called."""
        found: dict[str, object] = json.loads((self.folder / name).read_text())
        return found


TELLS = """
told = {"words": sys.argv[1:], "stdin": sys.stdin.read(), "cwd": os.getcwd(), "env": dict(os.environ)}
(pathlib.Path(os.environ["OUT"]) / "told.json").write_text(json.dumps(told))
"""


@pytest.fixture
def bench(tmp_path: Path, environment: Environment, now: Callable[[], datetime]) -> Bench:
    return Bench(tmp_path, environment, now)


def alive(numbers: list[int]) -> list[int]:
    """Those of the processes that still run a program; one whose end nobody has asked for yet does not."""
    return [number for number in numbers if _runs(number)]


def _runs(number: int) -> bool:
    try:
        return bool((Path("/proc") / str(number) / "exe").readlink())
    except OSError:
        return False


def numbers(bench: Bench) -> list[int]:
    """The processes that wrote down their numbers."""
    return [int(path.name.removeprefix("pid-")) for path in bench.folder.glob("pid-*")]


NOTES = "(pathlib.Path(os.environ['OUT']) / f'pid-{os.getpid()}').touch()"


def child(code: str, **options: bool) -> str:
    """Statements that start a child, which writes down its number before it runs the code."""
    whole = f"import os, pathlib\n{NOTES}\n{code}"
    keep = ", ".join(f"{name}={value}" for name, value in options.items())
    return f"subprocess.Popen([sys.executable, '-c', {whole!r}], {keep})"


def wait_for(seen: Callable[[], bool]) -> None:
    while not seen():
        time.sleep(0.01)


ENVELOPE = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "result": '{"text": "hello"}',
    "total_cost_usd": 0.25,
    "usage": {"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 7},
    "modelUsage": {"claude-small": {}},
}


def test_claude_is_asked_without_tools_hooks_and_stored_sessions(bench: Bench) -> None:
    bench.write("claude", f"{TELLS}\nprint(json.dumps({ENVELOPE!r}))")
    said = bench.model("claude", "haiku", CLAUDECODE="1").complete("the question", "be brief", SCHEMA)
    assert said == Completion('{"text": "hello"}', Usage(100, 7, 0.25), "claude-small")
    told = bench.told()
    words = told["words"]
    assert isinstance(words, list) and words[:3] == ["-p", "--output-format", "json"]
    assert "--no-session-persistence" in words and words[words.index("--tools") + 1] == ""
    assert json.loads(words[words.index("--settings") + 1]) == {"disableAllHooks": True}
    assert words[words.index("--model") + 1] == "haiku"
    assert words[words.index("--system-prompt") + 1] == "be brief"
    assert json.loads(words[words.index("--json-schema") + 1]) == SCHEMA
    assert told["stdin"] == "the question"
    env = told["env"]
    assert isinstance(env, dict) and env[GUARD_VARIABLE] == "1" and "CLAUDECODE" not in env


def test_the_working_folder_is_neutral_and_in_the_memorys_state(bench: Bench) -> None:
    bench.write("claude", f"{TELLS}\nprint('hello')")
    bench.model("claude").complete("the question")
    store = bench.store()
    assert bench.told()["cwd"] == str(store.state / WORKING_FOLDER)
    assert (store.state / WORKING_FOLDER).is_relative_to(store.environment.state)


@pytest.mark.parametrize("provider", ["claude", "codex", "copilot", "gemini", "ollama", "llm"])
def test_every_program_is_given_the_question_on_its_stdin_alone(bench: Bench, provider: str) -> None:
    bench.write(provider, f"{TELLS}\nprint('hello')")
    said = bench.model(provider, "small").complete("the question", "be brief", SCHEMA)
    assert isinstance(said, Completion) and said.text == "hello" and said.usage.is_estimated
    told = bench.told()
    assert "the question" in str(told["stdin"]) and "the question" not in str(told["words"])
    assert "be brief" in f"{told['stdin']} {told['words']}" and "small" in str(told["words"])


def test_codex_is_read_by_its_events_and_given_the_form_as_a_file(bench: Bench) -> None:
    events = [
        {"type": "thread.started", "thread_id": "t"},
        {"type": "item.completed", "item": {"type": "reasoning", "text": "hm"}},
        {"type": "item.completed", "item": {"type": "agent_message", "text": "first"}},
        {"type": "item.completed", "item": {"type": "agent_message", "text": '{"text": "x"}'}},
        {"type": "turn.completed", "usage": {"input_tokens": 40, "cached_input_tokens": 9, "output_tokens": 2}},
    ]
    bench.write("codex", f"{TELLS}\nprint('warming up')\nfor one in {events!r}: print(json.dumps(one))")
    said = bench.model("codex").complete("the question", schema=SCHEMA)
    assert said == Completion('{"text": "x"}', Usage(40, 2))
    words = bench.told()["words"]
    assert isinstance(words, list) and "--ephemeral" in words and words[-1] == "-"
    assert json.loads(Path(words[words.index("--output-schema") + 1]).read_text()) == SCHEMA


def test_gemini_is_read_by_its_object_and_finds_its_hooks_off(bench: Bench) -> None:
    tokens = {"prompt": 30, "candidates": 4, "thoughts": 6, "total": 40}
    found = {"session_id": "s", "response": "hello", "stats": {"models": {"flash": {"tokens": tokens}}}}
    bench.write("gemini", f"{TELLS}\nprint('Loaded cached credentials.')\nprint(json.dumps({found!r}, indent=2))")
    assert bench.model("gemini").complete("the question") == Completion("hello", Usage(30, 10), "flash")
    settings = json.loads((Path(str(bench.told()["cwd"])) / ".gemini" / "settings.json").read_text())
    assert settings["hooksConfig"] == {"enabled": False}


def test_any_program_is_asked_by_a_template(bench: Bench) -> None:
    bench.write("mine", f"{TELLS}\nprint('hello')")
    line = "mine --model={model} --most {max_tokens} '{system}' '{other}'"
    model = bench.model("command", "small", RECALL_LLM_COMMAND=line)
    assert model.name == "command/small"
    assert isinstance(model.complete("ask {model}", "be {max_tokens} brief", max_tokens=9), Completion)
    assert bench.told()["words"] == ["--model=small", "--most", "9", "be {max_tokens} brief", "{other}"]
    assert bench.told()["stdin"] == "ask {model}"


def test_words_of_a_template_go_through_no_shell(bench: Bench) -> None:
    bench.write("mine", f"{TELLS}\nprint('hello')")
    bench.model("command", RECALL_LLM_COMMAND="mine '$(touch x)' ';' '|' '~/x'").complete("the question")
    assert bench.told()["words"] == ["$(touch x)", ";", "|", "~/x"]


def test_a_program_of_the_home_folder_is_found(bench: Bench) -> None:
    bench.write("mine", "print('hello')").rename(bench.environment.home / "mine")
    assert isinstance(bench.model("command", RECALL_LLM_COMMAND="~/mine").complete("x"), Completion)


def test_a_program_that_is_not_there_is_a_failure_that_cost_nothing(bench: Bench) -> None:
    said = bench.model("codex").complete("x")
    assert isinstance(said, Failure) and said.reason == "codex cannot be run: No such file or directory"
    assert said.usage == Usage(0, 0) and "install Codex" in said.hint


@pytest.mark.parametrize(
    ("provider", "settings"),
    [("claude", {"system": "a\0b"}), ("command", {"system": "x"})],
)
def test_words_that_no_program_takes_are_no_crash(bench: Bench, provider: str, settings: Mapping[str, str]) -> None:
    bench.write("claude", "print('hello')")
    model = bench.model(provider, "a\0b" if provider == "command" else "", RECALL_LLM_COMMAND="claude {model}")
    said = model.complete("x\0\ud800", **settings)  # type: ignore[arg-type]
    assert isinstance(said, Completion if provider == "claude" else Failure)


@pytest.mark.long
def test_a_slow_program_is_waited_for(bench: Bench) -> None:
    bench.write("claude", "time.sleep(1)\nprint('hello')")
    assert isinstance(bench.model("claude").complete("x"), Completion)


def test_a_failing_program_says_why_on_one_line_without_secrets(bench: Bench) -> None:
    key = "sk-" + "ant-api03-" + "Zx8Qw3" * 12
    code = f"sys.stderr.write('\\x1b[31mbad\\x1b[0m key {key}\\n of mine-own-word\\r\\n')\nsys.exit(3)"
    bench.write("claude", code)
    said = bench.model("claude", MY_TOKEN="mine-own-word").complete("x")
    assert isinstance(said, Failure) and said.reason.startswith("claude ended with 3: bad key [redacted:")
    assert key not in said.reason and "mine-own-word" not in said.reason
    assert said.reason.isprintable() and len(said.reason) <= MAX_REASON_CHARS


def test_a_program_that_says_what_went_wrong_is_quoted_and_what_it_spent_is_known(bench: Bench) -> None:
    failed = {**ENVELOPE, "is_error": True, "result": "Credit balance is too low"}
    bench.write("claude", f"print(json.dumps({failed!r}))\nsys.exit(1)")
    said = bench.model("claude").complete("x")
    assert isinstance(said, Failure)
    assert said.reason == "claude ended with 1: Credit balance is too low" and said.usage == Usage(100, 7, 0.25)


@pytest.mark.parametrize("provider", ["claude", "codex", "gemini"])
@pytest.mark.parametrize("end", [60, 100])
def test_half_of_a_programs_own_form_is_no_answer(bench: Bench, provider: str, end: int) -> None:
    whole = {
        "claude": ENVELOPE,
        "codex": {"type": "item.completed", "item": {"type": "agent_message", "text": "y" * 200}},
        "gemini": {"session_id": "s", "response": "y" * 200},
    }[provider]
    bench.write(provider, f"print(json.dumps({whole!r})[:{end}])")
    said = bench.model(provider).complete("x")
    assert isinstance(said, Failure) and said.reason == f"{provider} gave no answer: its output breaks off"


def test_a_program_that_is_too_old_for_its_switches_is_to_be_updated(bench: Bench) -> None:
    bench.write("claude", "sys.exit(\"error: unknown option '--no-session-persistence'\")")
    said = bench.model("claude").complete("x")
    assert isinstance(said, Failure) and "unknown option" in said.reason and "update the program" in said.hint


def test_a_program_that_says_nothing_gave_no_answer(bench: Bench) -> None:
    bench.write("claude", "sys.stderr.write('no credit')")
    said = bench.model("claude").complete("x")
    assert isinstance(said, Failure) and said.reason == "claude gave no answer: no credit"


def test_chatter_on_stderr_is_passed_over(bench: Bench) -> None:
    bench.write("claude", "for _ in range(20_000): sys.stderr.write('progress ' * 20)\nprint('hello')")
    said = bench.model("claude").complete("x")
    assert isinstance(said, Completion) and said.text == "hello"


def test_a_program_that_never_stops_talking_is_ended(bench: Bench) -> None:
    bench.write("claude", f"{NOTES}\nwhile True: print('y' * 1_000)")
    said = bench.model("claude").complete("x")
    assert said == Failure("claude wrote more than 4 MB and was ended")
    assert numbers(bench) and not alive(numbers(bench))


@pytest.mark.long
def test_a_program_that_never_stops_complaining_is_ended_in_time(bench: Bench) -> None:
    bench.write("claude", f"{NOTES}\nwhile True: sys.stderr.write('y' * 1_000)")
    said = bench.model("claude", seconds=1).complete("x")
    assert isinstance(said, Failure) and said.reason == "claude did not answer within 1 seconds"
    assert not alive(numbers(bench))


def test_a_large_question_goes_to_a_program_that_talks_before_it_listens(bench: Bench) -> None:
    bench.write("claude", "print('y' * 300_000, flush=True)\nprint(len(sys.stdin.read()))")
    said = bench.model("claude").complete("x" * 3_000_000)
    assert isinstance(said, Completion) and said.text.endswith("\n3000000")


@pytest.mark.parametrize("code", ["", "os.close(0)\n", "sys.stdin.read(10)\n"])
def test_a_program_that_does_not_listen_to_the_end_may_answer(bench: Bench, code: str) -> None:
    bench.write("claude", f"{code}print('hello')\nsys.stdout.flush()\nos._exit(0)")
    said = bench.model("claude").complete("x" * 3_000_000)
    assert isinstance(said, Completion) and said.text == "hello"


def test_a_program_that_hangs_is_ended_with_its_children_and_theirs(bench: Bench) -> None:
    grandchild = child(STUBBORN)
    bench.write("claude", f"{NOTES}\n{child(f'import subprocess, sys, time; {grandchild}; {STUBBORN}')}\n{SLEEPS}")
    said: list[object] = []
    stop = threading.Event()

    def ask() -> None:
        said.append(bench.model("claude").complete("x", is_cancelled=stop.is_set))

    asking = threading.Thread(target=ask)
    asking.start()
    wait_for(lambda: len(numbers(bench)) == 3)
    assert len(alive(numbers(bench))) == 3
    stop.set()
    asking.join()
    assert said == [Failure("cancelled")]
    assert not alive(numbers(bench))


@pytest.mark.long
def test_a_call_that_takes_too_long_says_so(bench: Bench) -> None:
    bench.write("claude", f"{NOTES}\n{SLEEPS}")
    said = bench.model("claude", seconds=1).complete("x")
    assert isinstance(said, Failure) and said.reason == "claude did not answer within 1 seconds"
    assert "timeout_seconds" in said.hint and not alive(numbers(bench))


@pytest.mark.parametrize("is_apart", [False, True])
def test_a_child_that_outlives_its_parent_is_ended_and_does_not_hold_up_the_answer(
    bench: Bench, is_apart: bool
) -> None:
    noted = "while not list(pathlib.Path(os.environ['OUT']).glob('pid-*')): time.sleep(0.01)"
    started = child(STUBBORN, start_new_session=is_apart)
    bench.write("claude", f"{started}\n{noted}\nprint('hello')")
    said = bench.model("claude").complete("x")
    assert isinstance(said, Completion) and said.text == "hello"
    assert len(numbers(bench)) == 1 and not alive(numbers(bench))


def test_a_program_that_ends_itself_by_a_signal_is_a_failure(bench: Bench) -> None:
    bench.write("claude", "print('hello', flush=True)\nos.kill(os.getpid(), 11)")
    said = bench.model("claude").complete("x")
    assert isinstance(said, Failure) and said.reason.startswith("claude was ended by SIGSEGV")


def test_nobody_is_asked_when_the_call_is_cancelled_already(bench: Bench) -> None:
    bench.write("claude", NOTES)
    assert bench.model("claude").complete("x", is_cancelled=lambda: True) == Failure("cancelled", usage=Usage(0, 0))
    assert not numbers(bench)


def test_a_model_that_starts_our_hooks_starts_no_further_model(bench: Bench) -> None:
    hook = [sys.executable, "-P", "-m", "recall_tui", "--root", str(bench.layout.root), "hook"]
    event = {"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"}
    code = f"""
{NOTES}
done = subprocess.run({hook!r}, input={json.dumps(event)!r}, capture_output=True, text=True)
print(json.dumps({{"text": f"{{done.returncode}} {{done.stdout!r}}"}}))
"""
    bench.write("claude", code)
    (bench.layout.root / "memory").mkdir()
    (bench.layout.root / "memory" / "EPHEMERAL.md").write_text("We chose JWT.\n")
    store = bench.store(RECALL_LLM_PROVIDER="claude", PYTHONPATH=str(CHECKOUT))
    alone = subprocess.run(hook, input=json.dumps(event), env=store.environment.env, capture_output=True, text=True)
    assert "We chose JWT." in alone.stdout
    calls = ModelClient(store)
    assert calls.answer("summary", LLMRequest("x"), Words) == Words("0 ''")
    assert len(numbers(bench)) == 1 and len(calls.ledger.calls()) == 1


def test_a_failing_program_is_a_row_in_the_ledger_without_its_secrets(bench: Bench) -> None:
    key = "sk-" + "ant-api03-" + "Zx8Qw3" * 12
    bench.write("claude", f"sys.exit('no such key: {key}')")
    store = bench.store(RECALL_LLM_PROVIDER="claude")
    calls = ModelClient(store)
    assert isinstance(calls.answer("summary", LLMRequest("x"), Words), Failure)
    (call,) = calls.ledger.calls()
    assert (call.outcome, call.model) == ("failed", "claude") and "no such key" in call.why
    assert not [path for path in store.state.rglob("*") if path.is_file() and key.encode() in path.read_bytes()]


ASKS = """
from pathlib import Path
import os
from recall_tui.llm.selection import select_model
from recall_tui.environment import Environment
from recall_tui.storage.layout import make_layout
from recall_tui.memory import Memory
environment = Environment(Path.home(), Path.cwd(), dict(os.environ))
select_model(Memory(make_layout(Path.cwd(), "entity"), environment, None), "summary").complete("x")
"""


def test_a_program_is_ended_when_its_caller_is_interrupted(bench: Bench) -> None:
    bench.write("claude", f"{NOTES}\n{child(STUBBORN)}\n{SLEEPS}")
    env = bench.store(RECALL_LLM_PROVIDER="claude", PYTHONPATH=str(CHECKOUT)).environment.env
    line = [sys.executable, "-P", "-c", ASKS]
    caller = subprocess.Popen(line, env=env, cwd=bench.layout.root, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: len(numbers(bench)) == 2 or caller.poll() is not None)
    assert len(alive(numbers(bench))) == 2
    caller.send_signal(signal.SIGINT)
    _, said = caller.communicate()
    assert said.rstrip().endswith("KeyboardInterrupt") and not alive(numbers(bench))
