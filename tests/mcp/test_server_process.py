"""The server as agents start it: a process that answers lines, and ends with its client."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.mcp.messages import MODERN_VERSION
from tests.processes import Machine

_PREFIX = "io.modelcontextprotocol/"
_FORMS = {"elicitation": {"form": {}}}
_END_SECONDS = 8.0


class Client:
    """A client that speaks in lines."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._last = 0

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found = json.loads(self.process.stdout.readline())
        assert found["jsonrpc"] == "2.0"
        return dict(found)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._last += 1
        self.send({"id": self._last, "method": method, "params": params})
        answer = self.receive()
        assert answer["id"] == self._last
        return answer

    def begin(self, capabilities: dict[str, Any] | None = None) -> None:
        self.ask("initialize", protocolVersion="2025-11-25", capabilities=capabilities or {})
        self.send({"method": "notifications/initialized"})

    def call(self, name: str, **arguments: Any) -> str:
        result = self.ask("tools/call", name=name, arguments=arguments)["result"]
        (content,) = result["content"]
        return str(content["text"])

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(_END_SECONDS)


@pytest.fixture
def machine(environment: Environment, tmp_path: Path) -> Machine:
    made = Machine(environment, tmp_path / "agent")
    assert made.run("init", "--layout", "entity", "--yes").code == 0
    memory = made.root / "memory" / "MEMORY.md"
    memory.write_text(memory.read_text() + "\n## Notes\n\n- The ledger service uses Valkey as its cache.\n")
    return made


@pytest.fixture
def start(machine: Machine) -> Iterator[Callable[[], Client]]:
    started: list[subprocess.Popen[bytes]] = []

    def begin() -> Client:
        started.append(machine.start("mcp"))
        return Client(started[-1])

    yield begin
    for process in started:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def test_the_tools_answer_from_the_memory(start: Callable[[], Client]) -> None:
    client = start()
    client.begin()
    found = client.call("search", query="which cache does the ledger use")
    assert "Valkey" in found and "recalled-memory" in found
    assert "Valkey" in client.call("recall", question="which cache does the ledger service use?")
    assert "Valkey" in client.call("read", ref="MEMORY")
    assert "nothing by these words" in client.call("search", query="xylophone")
    assert client.ask("tools/call", name="read", arguments={"ref": "no-such-page"})["result"]["isError"] is True
    assert client.end() == 0


def test_a_ref_of_search_can_be_read(start: Callable[[], Client]) -> None:
    client = start()
    client.begin()
    reference = client.call("search", query="Valkey").rsplit('read(ref="', 1)[1].split('"')[0]
    assert "Valkey" in client.call("read", ref=reference)


def test_a_long_page_is_read_in_parts(start: Callable[[], Client], machine: Machine) -> None:
    page = machine.root / "memory" / "long.md"
    page.write_text("# Long\n\n" + "\n".join(f"- line {number} of the page" for number in range(400)) + "\n")
    client = start()
    client.begin()
    text, seen = client.call("read", ref="long.md", tokens=500), set[str]()
    for _ in range(100):
        seen.update(line for line in text.splitlines() if " of the page" in line)
        if "after=" not in text:
            break
        text = client.call("read", ref="long.md", tokens=500, after=text.rsplit('after="', 1)[1].split('"')[0])
    assert len(seen) == 400


def test_garbage_is_answered_and_the_next_line_served(start: Callable[[], Client]) -> None:
    client = start()
    assert client.process.stdin is not None
    client.process.stdin.write(b"garbage\n\xff\x00\n" + b"x" * (5 << 20) + b"\n")
    client.process.stdin.flush()
    assert [client.receive()["error"]["code"] for _ in range(3)] == [-32700] * 3
    client.begin()
    assert client.end() == 0


def test_a_line_that_a_model_proposes_waits_for_the_person(start: Callable[[], Client], machine: Machine) -> None:
    client = start()
    client.begin()
    before = (machine.root / "memory" / "MEMORY.md").read_text()
    assert "Waits for the user's review" in client.call("remember", text="We deploy on Fridays.")
    assert (machine.root / "memory" / "MEMORY.md").read_text() == before
    assert client.call("remember", text="The ledger service uses Valkey as its cache.").startswith("Already there")
    assert client.end() == 0
    assert "We deploy on Fridays." in machine.run("review", "--json").out.decode()


def _answered(client: Client, answer: dict[str, Any]) -> str:
    """Answer the form that the next call shows, and return what the call says."""
    client.send(
        {"id": 99, "method": "tools/call", "params": {"name": "remember", "arguments": {"text": "We use Nix."}}}
    )
    form = client.receive()
    assert form["method"] == "elicitation/create"
    assert "We use Nix." in form["params"]["message"]
    client.send({"id": form["id"], "result": answer})
    result = client.receive()
    assert result["id"] == 99
    return str(result["result"]["content"][0]["text"])


def test_a_person_who_agrees_has_it_remembered_and_can_undo_it(start: Callable[[], Client], machine: Machine) -> None:
    client = start()
    client.begin(_FORMS)
    assert _answered(client, {"action": "accept", "content": {"keep": True}}).startswith("Remembered in")
    memory = machine.root / "memory" / "MEMORY.md"
    assert "- We use Nix." in memory.read_text()
    assert machine.run("undo").code == 0
    assert "We use Nix." not in memory.read_text()


@pytest.mark.parametrize("answer", [{"action": "cancel"}, {"action": "decline"}, {"action": "accept"}, {}])
def test_without_a_choice_of_a_person_it_waits(
    start: Callable[[], Client], machine: Machine, answer: dict[str, Any]
) -> None:
    client = start()
    client.begin(_FORMS)
    assert "Waits for the user's review" in _answered(client, answer)
    assert "We use Nix." not in (machine.root / "memory" / "MEMORY.md").read_text()


def test_a_form_of_the_newer_era_decides_only_about_what_it_showed(start: Callable[[], Client]) -> None:
    client = start()
    meta = {f"{_PREFIX}protocolVersion": MODERN_VERSION, f"{_PREFIX}clientCapabilities": _FORMS}

    def call(text: str, **more: Any) -> dict[str, Any]:
        return dict(client.ask("tools/call", name="remember", arguments={"text": text}, _meta=meta, **more)["result"])

    asked = call("We use Nix.")
    assert asked["resultType"] == "input_required"
    assert "We use Nix." in asked["inputRequests"]["keep"]["params"]["message"]
    agreed = {"keep": {"action": "accept", "content": {"keep": True}}}
    other = call("We never use Nix.", inputResponses=agreed, requestState=asked["requestState"])
    assert other["resultType"] == "input_required"
    kept = call("We use Nix.", inputResponses=agreed, requestState=asked["requestState"])
    assert kept["content"][0]["text"].startswith("Remembered in")


def test_resources_and_prompts(start: Callable[[], Client]) -> None:
    client = start()
    client.begin()
    assert "Valkey" in client.ask("resources/read", uri="recall://memory")["result"]["contents"][0]["text"]
    assert client.ask("resources/read", uri="recall://no-such-page")["error"]["code"] == -32002
    messages = client.ask("prompts/get", name="recall", arguments={"topic": "the cache of the ledger"})["result"]
    assert "Valkey" in json.dumps(messages)
    assert client.ask("prompts/get", name="recall", arguments={})["error"]["code"] == -32602


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it(start: Callable[[], Client], number: signal.Signals) -> None:
    client = start()
    client.begin()
    client.process.send_signal(number)
    assert client.process.wait(_END_SECONDS) == 0


def test_a_broken_pipe_ends_it(start: Callable[[], Client]) -> None:
    client = start()
    client.begin()
    assert client.process.stdout is not None
    client.process.stdout.close()
    client.send({"id": 5, "method": "ping"})
    assert client.process.wait(_END_SECONDS) == 0


def test_it_ends_when_its_parent_is_gone_though_a_wrapper_holds_the_pipe(machine: Machine) -> None:
    reader, writer = os.pipe()
    words = ["--root", str(machine.root), "mcp"]
    parent = (
        "import os, subprocess, sys, time\n"
        "line = [sys.executable, '-P', '-c', 'from recall_tui.cli.main import main; main()', *sys.argv[1:]]\n"
        f"child = subprocess.Popen(line, stdin={reader}, stdout=subprocess.DEVNULL, pass_fds=[{writer}])\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", parent, *words],
        env=machine.env,
        cwd=machine.environment.cwd,
        stdout=subprocess.PIPE,
        pass_fds=[reader, writer],
    )
    assert process.stdout is not None
    child = int(process.stdout.readline())
    time.sleep(1.0)
    process.kill()
    process.communicate()
    until = time.monotonic() + 20
    while _is_running(child) and time.monotonic() < until:
        time.sleep(0.1)
    os.close(reader)
    os.close(writer)
    assert not _is_running(child)


def _is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
