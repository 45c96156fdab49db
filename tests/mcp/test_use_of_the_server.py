"""Who called the server last, and what went wrong in it, is kept where a person finds it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.mcp.messages import MODERN_VERSION
from tests.processes import Machine

PREFIX = "io.modelcontextprotocol/"


@pytest.fixture
def machine(environment: Environment, tmp_path: Path) -> Machine:
    """A machine with Zed and a memory."""
    (environment.home / ".config" / "zed").mkdir(parents=True)
    made = Machine(environment, tmp_path / "agent")
    assert made.run("init", "--layout", "entity", "--yes").code == 0
    return made


def served(machine: Machine, *requests: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers to the requests by one process."""
    process = machine.start("mcp")
    lines = [json.dumps({"jsonrpc": "2.0", "id": number, **one}) for number, one in enumerate(requests)]
    out, err = process.communicate("".join(f"{line}\n" for line in lines).encode(), timeout=60)
    assert process.returncode == 0 and err == b""
    return [json.loads(line) for line in out.splitlines()]


def initialize(name: str) -> dict[str, Any]:
    info = {"name": name, "version": "1"}
    return {
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info},
    }


def call(tool: str, meta: dict[str, Any] | None = None, **arguments: Any) -> dict[str, Any]:
    more = {"_meta": meta} if meta else {}
    return {"method": "tools/call", "params": {"name": tool, "arguments": arguments, **more}}


def doctor(machine: Machine) -> dict[str, Any]:
    return dict(json.loads(machine.run("doctor", "--json").out))


def test_the_last_call_stands_at_the_agent_that_made_it(machine: Machine) -> None:
    assert machine.run("install", "zed", "--scope", "user", "--yes").code == 0
    served(machine, initialize("Zed"), {"method": "tools/list", "params": {}})
    assert all(one["last_call"] is None for one in doctor(machine)["servers"]), "asking for the tools is no call"
    assert b"Zed: registered, starts" in machine.run("doctor").out and b"no call yet" in machine.run("doctor").out
    served(machine, initialize("Zed"), call("search", query="cache"))
    found = doctor(machine)
    (zed,) = (one for one in found["servers"] if one["name"] == "zed")
    assert zed["is_registered"] and zed["is_running"] and zed["tokens"] > 500 and zed["last_call"]
    assert found["clients"] == [] and found["server_errors"] == []
    assert b"last call just now" in machine.run("doctor").out and b"just now" in machine.run("agents").out
    rows = [one for one in json.loads(machine.run("agents", "--json").out)["agents"] if one["name"] == "zed"]
    assert [bool(one["server"]["last_call"]) for one in rows] == [one["scope"] == "user" for one in rows]


def test_a_client_of_the_newer_era_names_itself_in_each_request(machine: Machine) -> None:
    meta = {
        f"{PREFIX}protocolVersion": MODERN_VERSION,
        f"{PREFIX}clientCapabilities": {},
        f"{PREFIX}clientInfo": {"name": "Zed", "version": "1"},
    }
    served(machine, initialize("somebody else"), call("search", meta, query="cache"))
    found = doctor(machine)
    assert [one["name"] for one in found["servers"]] == ["zed"] and found["clients"] == []


@pytest.mark.parametrize("name", ["zed", "Zed 2", "claude-code-2", "\x1b[31m[/x] evil"])
def test_a_name_that_no_agent_has_is_listed_by_itself(machine: Machine, name: str) -> None:
    served(machine, initialize(name), call("search", query="cache"))
    found = doctor(machine)
    assert found["servers"] == [] and [one["client"] for one in found["clients"]] == [name.removeprefix("\x1b[31m")]
    said = machine.run("agents")
    assert "another client of the server" in said.err and "\x1b" not in said.err
    assert b"\x1b" not in machine.run("doctor").out


@pytest.mark.parametrize("info", [None, "Zed", {"name": 3}, {"name": ""}, {}])
def test_a_client_without_a_name_is_served(machine: Machine, info: object) -> None:
    request = initialize("")
    request["params"]["clientInfo"] = info
    assert "result" in served(machine, request, call("search", query="cache"))[1]
    assert doctor(machine)["clients"] == []


def test_an_error_in_a_tool_is_answered_kept_and_shown(machine: Machine) -> None:
    memory = machine.root / "memory" / "MEMORY.md"
    words = memory.read_text()
    memory.unlink()
    memory.mkdir()
    initialized, failed, read = served(
        machine, initialize("Zed"), call("remember", text="We use Nix."), call("read", ref="ARCHIVE.md")
    )
    assert initialized["result"] and "result" in read
    (content,) = failed["result"]["content"]
    assert failed["result"]["isError"] is True and len(content["text"]) < 120 and "doctor" in content["text"]
    memory.rmdir()
    memory.write_text(words)
    (error,) = doctor(machine)["server_errors"]
    assert (error["client"], error["tool"]) == ("Zed", "remember") and "IsADirectoryError" in error["message"]
    said = machine.run("doctor").out
    assert b"remember of Zed: IsADirectoryError" in said


def test_what_a_model_asked_wrongly_is_no_error_of_the_server(machine: Machine) -> None:
    served(machine, initialize("Zed"), call("read", ref="no-such-page"), call("remember", text="x" * 700), call("no"))
    assert doctor(machine)["server_errors"] == []


def test_a_log_that_cannot_be_written_fails_no_call(machine: Machine) -> None:
    served(machine, initialize("Zed"), call("search", query="cache"))
    (log,) = machine.environment.state.rglob("server-calls.jsonl")
    log.unlink()
    log.mkdir()
    assert "result" in served(machine, initialize("Zed"), call("search", query="cache"))[1]


def test_errors_are_gone_when_anything_is_forgotten(machine: Machine) -> None:
    topic = machine.root / "memory" / "topic.md"
    topic.write_text("# Topic\n\nA line.\n")
    test_an_error_in_a_tool_is_answered_kept_and_shown(machine)
    assert machine.run("forget", "memory/topic.md", "--yes").code == 0
    assert doctor(machine)["server_errors"] == []
