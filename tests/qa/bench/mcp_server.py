"""Measure when an MCP server is ready and how long its searches take: `python mcp_server.py TOOL KEY COMMAND...`.

TOOL is called with five questions four times over, each as the argument KEY; COMMAND is any server on stdin and stdout.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

QUESTIONS = (
    *("why did we pick jwt", "token refresh race", "flaky webhook tests"),
    *("postgres migration lock", "redis rate limit"),
)
CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


def measure(tool: str, key: str, command: list[str]) -> str:
    """Start the server once, and tell what it took."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdin is not None and process.stdout is not None
    stdin, stdout = process.stdin, process.stdout

    def ask(number: int, method: str, params: dict[str, Any]) -> tuple[dict[str, Any], float]:
        asked = time.perf_counter()
        stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n")
        stdin.flush()
        answer: dict[str, Any] = next(one for line in stdout if (one := json.loads(line)).get("id") == number)
        return answer["result"], (time.perf_counter() - asked) * 1_000

    ask(0, "initialize", CLIENT)
    stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    tools = ask(1, "tools/list", {})[0]["tools"]
    ready = (time.perf_counter() - start) * 1_000
    calls = [
        ask(2 + at, "tools/call", {"name": tool, "arguments": {key: one}})[1] for at, one in enumerate(QUESTIONS * 4)
    ]
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    megabytes = int(status.partition("VmRSS:")[2].split()[0]) // 1_024
    stdin.close()
    process.wait(10)
    characters = len(json.dumps(tools, separators=(",", ":")))
    return (
        f"ready after {ready:.0f} ms, {len(tools)} tools of {characters:,} characters, first call {calls[0]:.0f} ms, "
        f"then p50 {statistics.median(calls[1:]):.0f} ms, at most {max(calls[1:]):.0f} ms, {megabytes} MB"
    )


if __name__ == "__main__":
    for _ in range(3):
        print(measure(sys.argv[1], sys.argv[2], sys.argv[3:]))
