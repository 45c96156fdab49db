"""Start the memory's MCP server as an agent does, to see that it runs and how much its tools take."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from recall_tui import __version__
from recall_tui.agents.hook_command import server_argv
from recall_tui.agents.status import AgentStatus
from recall_tui.agents.target import Site
from recall_tui.environment import Environment

SERVER_TIMEOUT_SECONDS = 10
"""Agents wait for 10 to 30 s."""
_CHARS_PER_TOKEN = 4
_VERSION = "2026-07-28"
_CONTEXT = {
    "io.modelcontextprotocol/protocolVersion": _VERSION,
    "io.modelcontextprotocol/clientInfo": {"name": "recall-tui", "version": __version__},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class ServerCheck(NamedTuple):
    """The answer of a server that was started."""

    tokens: int = 0
    """Tokens that its tools take of each session, about."""
    trouble: str = ""
    """The reason why it does not run."""


def with_server_checks(found: Iterable[AgentStatus], site: Site) -> tuple[AgentStatus, ...]:
    """Return the statuses with the server's answer where it is registered; it is started once."""
    check = check_server(server_argv(site), site.environment)
    return tuple(
        one._replace(server_tokens=check.tokens, trouble=one.trouble or check.trouble) if one.has_server else one
        for one in found
    )


def check_server(
    argv: Sequence[str], environment: Environment, patience: float = SERVER_TIMEOUT_SECONDS
) -> ServerCheck:
    """Start the server, ask for its tools and end it."""
    asked = [
        {"jsonrpc": "2.0", "id": number, "method": method, "params": {"_meta": _CONTEXT}}
        for number, method in enumerate(("server/discover", "tools/list"), 1)
    ]
    try:
        done = subprocess.run(
            list(argv),
            input="".join(json.dumps(one) + "\n" for one in asked).encode(),
            capture_output=True,
            timeout=patience,
            cwd=environment.home,
            env=dict(environment.env),
        )
    except subprocess.TimeoutExpired:
        return ServerCheck(trouble=f"the server did not answer within {patience:g} s: {' '.join(argv)}")
    except OSError as error:
        return ServerCheck(trouble=f"the server cannot be started: {error.strerror}: {argv[0]}")
    try:
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        tools = next(one["result"]["tools"] for one in answers if one.get("id") == len(asked))
    except (ValueError, LookupError, TypeError, AttributeError, StopIteration, RecursionError):
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = f" ({said[-1]})" if said else ""
        return ServerCheck(trouble=f"the server answers without its tools{why}: {' '.join(argv)}")
    return ServerCheck(len(json.dumps(tools)) // _CHARS_PER_TOKEN)
