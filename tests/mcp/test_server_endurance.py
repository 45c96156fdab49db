"""The server outlives whatever it is sent, ends with its client at any moment, and does not grow."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from tests.processes import Machine

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at processes in /proc")
SEEDS = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}},
    },
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}},
    {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "read", "arguments": {"ref": "no-such"}}},
    {"jsonrpc": "2.0", "id": 4, "method": "resources/read", "params": {"uri": "recall://no-such"}},
    {"jsonrpc": "2.0", "id": 5, "method": "prompts/get", "params": {"name": "none", "arguments": {}}},
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}},
    {"jsonrpc": "2.0", "id": 6, "method": "ping"},
    {
        "jsonrpc": "2.0",
        "id": 7,
        "method": "server/discover",
        "params": {
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            }
        },
    },
)
PIECES = (b"{", b"}", b'"', b"\x00", b"\xff\xfe", b"null", b"[]", b"-1", b"1e999", b"\\ud800", b'"id":{},', b"9" * 5000)
FIXED = (
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b'{"jsonrpc":"2.0","jsonrpc":"1.0","id":1,"id":2,"method":"ping"}',
    b"x" * (5 << 20),
    b"\xff\x00\xfe",
    b'{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
)


def fuzzed(number: int) -> Iterator[bytes]:
    """Lines that a broken client may send."""
    chance = random.Random(0)
    seeds = [json.dumps(one).encode() for one in SEEDS]
    for count in range(number):
        if count % 5_000 == 7:
            yield FIXED[(count // 5_000) % len(FIXED)]
            continue
        line = bytearray(chance.choice(seeds))
        for _ in range(chance.randint(0, 3)):
            at = chance.randrange(len(line) + 1)
            if chance.random() < 0.5:
                del line[at : at + chance.randint(1, 9)]
            else:
                line[at:at] = chance.choice(PIECES)
        yield bytes(line).replace(b"\n", b" ")
    yield from FIXED


@pytest.fixture
def machine(environment: Environment, tmp_path: Path) -> Machine:
    made = Machine(environment, tmp_path / "agent")
    assert made.run("init", "--layout", "entity", "--yes").code == 0
    return made


def survives(machine: Machine, number: int) -> int:
    """Send so many lines; every answer is a message, and the last request is answered. Return how many answers came."""
    process = machine.start("mcp")
    assert process.stdin is not None and process.stdout is not None
    stdin = process.stdin

    def send() -> None:
        for line in fuzzed(number):
            stdin.write(line + b"\n")
        stdin.write(b'{"jsonrpc":"2.0","id":"the end","method":"ping"}\n')
        stdin.close()

    sender = threading.Thread(target=send)
    sender.start()
    answers = [json.loads(line) for line in process.stdout]
    sender.join()
    assert process.wait(60) == 0
    assert all(one["jsonrpc"] == "2.0" and ("result" in one) != ("error" in one) for one in answers)
    assert answers[-1] == {"jsonrpc": "2.0", "id": "the end", "result": {}}
    return len(answers)


def test_no_line_ends_it_or_makes_it_print_what_is_no_message(machine: Machine) -> None:
    assert survives(machine, 2_000) > 1_000


@pytest.mark.soak
def test_two_hundred_thousand_lines_do_not_either(machine: Machine) -> None:
    answers = survives(machine, 200_000)
    print(f"{answers:,} answers to 200,000 lines, each a message")
    assert answers > 100_000


@pytest.mark.long
def test_it_ends_with_its_client_at_any_moment(machine: Machine) -> None:
    requests = b"".join(json.dumps(one).encode() + b"\n" for one in SEEDS) * 20
    for moment in range(20):
        process = machine.start("mcp")
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(requests)
        process.stdin.flush()
        for _ in range(moment * 4):
            process.stdout.readline()
        process.stdout.close()
        process.stdin.close()
        assert process.wait(10) == 0, f"after {moment * 4} answers"
    print("20 clients gone at 20 moments, no server left")


def killed_with_their_parent(machine: Machine, number: int) -> None:
    """Start so many servers below one process, kill that, and see that none is left, although the pipes stay open."""
    reader, writer = os.pipe()
    code = (
        "import subprocess, sys, time\n"
        "line = [sys.executable, '-P', '-c', 'from recall_tui.cli.main import main; main()', *sys.argv[1:]]\n"
        f"every = [subprocess.Popen(line, stdin={reader}, stdout=subprocess.DEVNULL, pass_fds=[{writer}])"
        f" for _ in range({number})]\n"
        "print(*[one.pid for one in every], flush=True)\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-P", "-c", code, "--root", str(machine.root), "mcp"],
        env=machine.env,
        cwd=machine.environment.cwd,
        stdout=subprocess.PIPE,
        pass_fds=[reader, writer],
    )
    assert parent.stdout is not None
    children = [int(word) for word in parent.stdout.readline().split()]
    assert len(children) == number
    time.sleep(1 + number / 5)
    parent.send_signal(signal.SIGKILL)
    parent.communicate()
    until = time.monotonic() + 20 + number / 2
    while (left := [one for one in children if is_running(one)]) and time.monotonic() < until:
        time.sleep(0.1)
    os.close(reader)
    os.close(writer)
    print(f"{number} servers killed with their parent, {len(left)} left")
    assert left == []


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.long
def test_servers_end_when_their_parent_is_killed(machine: Machine) -> None:
    killed_with_their_parent(machine, 4)


@pytest.mark.soak
def test_fifty_servers_do_too(machine: Machine) -> None:
    killed_with_their_parent(machine, 50)


def growth_of(machine: Machine, number: int) -> tuple[int, int, int]:
    """Call tools so often; return the resident KB after the first call, after a tenth of them, and after all."""
    process = machine.start("mcp")
    assert process.stdin is not None and process.stdout is not None
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search", {"query": "memory"}),
        ("read", {"ref": "MEMORY"}),
        ("recall", {"question": "what is known?"}),
    ]
    sizes = []
    for count in range(number):
        name, arguments = calls[count % len(calls)]
        params = {"name": name, "arguments": arguments}
        line = json.dumps({"jsonrpc": "2.0", "id": count, "method": "tools/call", "params": params})
        process.stdin.write(line.encode() + b"\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        assert answer["id"] == count and not answer["result"].get("isError")
        if count in (0, number // 10, number - 1):
            pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
            sizes.append(pages * os.sysconf("SC_PAGE_SIZE") // 1024)
    process.stdin.close()
    assert process.wait(10) == 0
    return sizes[0], sizes[1], sizes[2]


@pytest.mark.soak
def test_ten_thousand_calls_take_no_more_memory(machine: Machine) -> None:
    first, early, late = growth_of(machine, 10_000)
    print(f"{first:,} KB after the first call, {early:,} KB after 1,000 calls, {late:,} KB after 10,000")
    assert late < early * 1.15 + 4_096
