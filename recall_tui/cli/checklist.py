"""The checklist of a memory's health, as `status`, `dashboard` and `doctor` print it, and the server in `doctor`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from recall_tui.cli.output import one_line

if TYPE_CHECKING:
    from recall_tui.agents.status import AgentStatus
    from recall_tui.cli.click_ext import CommandContext
    from recall_tui.domain import HealthReport
    from recall_tui.workbench import Workbench

MAX_LISTED_ERRORS = 5
_SIGNS = {"pass": ("●", "green"), "open": ("○", None), "attention": ("▲", "yellow")}
"""By the state of an item: its sign and its colour."""


def print_checklist(run: CommandContext, report: HealthReport) -> None:
    """Print a line for each item: a sign, the question in a word, the answer, and the command that fixes it."""
    items = cast("list[dict[str, str]]", report.facts.get("checks", []))
    for item in items:
        sign, color = _SIGNS[item["state"]]
        fix = f"; run: {item['fix']}" if item["fix"] else ""
        run.out.line(f"{run.out.style(sign, fg=color)} {item['name']:<11} {one_line(item['text'] + fix)}")
    if items:
        run.out.line()


def server_as_json(one: AgentStatus) -> dict[str, object]:
    """Return how an agent stands to the server, as `--json` prints it."""
    return {
        "is_registered": one.has_server,
        "is_running": bool(one.server_tokens) if one.has_server else None,
        "tokens": one.server_tokens or None,
        "last_call": one.last_call,
    }


def servers_as_json(bench: Workbench, found: Iterable[AgentStatus]) -> dict[str, object]:
    """Return the same of all agents that are registered or have called, the other clients, and the errors."""
    from recall_tui.storage.state.server_log import read_errors

    return {
        "servers": [
            {"name": one.target.name, "scope": one.scope, **server_as_json(one)}
            for one in found
            if one.has_server or one.last_call
        ],
        "clients": [one._asdict() for one in bench.agents.other_clients()],
        "server_errors": [one._asdict() for one in read_errors(bench.store)],
    }


def print_servers(run: CommandContext, bench: Workbench, found: Iterable[AgentStatus]) -> None:
    """Print a line for each agent that is registered or has called, each other client and the newest errors."""
    from recall_tui.storage.state.server_log import read_errors
    from recall_tui.text.dates import relative_time

    now = run.now()
    lines = [
        (one.target.title, describe_server(one), one.last_call) for one in found if one.has_server or one.last_call
    ]
    lines += [(one.client, "another client", one.at) for one in bench.agents.other_clients()]
    for title, words, at in lines:
        called = f"last call {relative_time(at, now)}" if at else "no call yet"
        run.out.line(f"  server      {one_line(f'{title}: {words}, {called}')}")
    errors = read_errors(bench.store)
    for error in errors[:MAX_LISTED_ERRORS]:
        who = " of ".join(filter(None, (error.tool, error.client)))
        run.out.line(f"  error       {one_line(f'{relative_time(error.at, now)}, {who}: {error.message}')}")
    if len(errors) > MAX_LISTED_ERRORS:
        run.out.note(f"{len(errors) - MAX_LISTED_ERRORS} more errors of the server: recall-tui doctor --json")
    if lines or errors:
        run.out.line()


def describe_server(one: AgentStatus) -> str:
    """Say whether the server is registered in the agent, whether it starts, and what its tools take."""
    if not one.has_server:
        return "not registered by an installation"
    if not one.server_tokens:
        return "registered, does not start"
    return f"registered, starts, {one.server_tokens:,} tokens"
