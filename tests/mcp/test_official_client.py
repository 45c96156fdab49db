"""The official client of the protocol drives the server, in both eras."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import TextContent, TextResourceContents

from recall_tui.environment import Environment
from tests.makers import bench_at, transcript

pytestmark = pytest.mark.long
TALK = [("user", "Which cache did we pick for the shop?"), ("assistant", "We decided to use Valkey, not Redis.")]
TOOLS = ["search", "read", "recall", "remember"]


def server_of(environment: Environment) -> StdioServerParameters:
    """The server of a memory with one session, as `install` registers it."""
    transcript(environment, 1, TALK)
    bench = bench_at(environment)
    bench.sync()
    env = {"HOME": str(environment.home), "RECALL_STATE": str(environment.state), "PATH": "/usr/bin:/bin"}
    argv = ["-P", "-m", "recall_tui", "--root", str(bench.layout.root), "mcp"]
    return StdioServerParameters(command=sys.executable, args=argv, env=env, cwd=str(environment.cwd))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_it_calls_every_tool_and_reads_every_list(environment: Environment, mode: Any) -> None:
    async with Client(server_of(environment), mode=mode) as client:
        assert client.server_info.name == "recall"
        assert (client.protocol_version == "2026-07-28") == (mode == "auto")
        assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS

        async def said(name: str, **arguments: Any) -> str:
            answer = await client.call_tool(name, arguments)
            (content,) = answer.content
            assert isinstance(content, TextContent) and not answer.is_error, content
            return content.text

        assert "Valkey" in await said("search", q="valkey not redis")
        assert "Valkey" in await said("recall", question="which cache did we pick?")
        assert "MEMORY" in await said("read", ref="MEMORY")
        await said("remember", text="We deploy on Fridays only.")
        uris = [str(one.uri) for one in (await client.list_resources()).resources]
        assert uris
        for uri in uris:
            (content,) = (await client.read_resource(uri)).contents
            assert isinstance(content, TextResourceContents)
        prompts = [one.name for one in (await client.list_prompts()).prompts]
        assert prompts
        wrong = await client.call_tool("read", {"ref": "nosuch"})
        assert wrong.is_error
    assert "Fridays" not in "".join(path.read_text() for path in Path(environment.cwd).rglob("MEMORY.md"))
