"""Rules and hooks in agents: `install`, `uninstall`, `agents`.

Each agent is one change, so that `undo` takes it back; one that cannot be done is said, and the others still are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from recall_tui.cli.checklist import server_as_json
from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.install_flow import (
    InstallOptions,
    InstallResult,
    install_with_prompt,
    print_result,
    uninstall_with_prompt,
)
from recall_tui.cli.output import one_line
from recall_tui.errors import NotFoundError, RecallError, UsageError
from recall_tui.text.dates import relative_time

if TYPE_CHECKING:
    from recall_tui.agents.status import AgentStatus
    from recall_tui.agents.target import Parts, Scope, Target
    from recall_tui.transcripts.reader import Retention
    from recall_tui.workbench import Workbench

scope_option = click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    help="for you or for one project (default: what fits the memory)",
)

parts_option = click.option(
    "--mcp/--no-mcp", default=None, help="only the MCP server, or everything but the server (default: both)"
)
_PARTS: dict[bool | None, Parts] = {None: "all", True: "server", False: "rest"}


@command()
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@scope_option
@click.option("--dry-run", is_flag=True, help="preview the change without making it")
@click.option("--yes", is_flag=True, help="skip the confirmation; files that you edited are still left alone")
@parts_option
def install(
    run: CommandContext, agents: tuple[str, ...], scope: Scope | None, dry_run: bool, yes: bool, mcp: bool | None
) -> int | None:
    """Add rules, hooks, a skill and the MCP server to agents, so that capture and recall are automatic.

    Without AGENT: every agent found. Other content of the same files stays, a second installation changes nothing, and
    undo or uninstall removes it.
    """
    bench = run.open()
    where = scope if agents else bench.agents.site(scope).scope
    how = InstallOptions(dry_run, yes, _PARTS[mcp])
    return _for_each_target(
        run, _select_targets(run, agents, where), lambda one: install_with_prompt(run, bench, one, where, how)
    )


@command()
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@scope_option
@click.option("--dry-run", is_flag=True, help="preview the change without making it")
@click.option("--yes", is_flag=True, help="skip the confirmation")
@parts_option
def uninstall(
    run: CommandContext, agents: tuple[str, ...], scope: Scope | None, dry_run: bool, yes: bool, mcp: bool | None
) -> int | None:
    """Remove from agents exactly what install added.

    Without AGENT: every agent. A file that was not edited since is restored byte for byte; from an edited one only our
    part is removed.
    """
    bench = run.open()
    where = scope if agents else bench.agents.site(scope).scope
    how = InstallOptions(dry_run, yes, _PARTS[mcp])
    chosen = _select_targets(run, agents, where, found_only=False)
    return _for_each_target(
        run, chosen, lambda one: uninstall_with_prompt(run, bench, one, where, how), is_told=bool(agents)
    )


@command("agents")
@click.option("--log", "is_log", is_flag=True, help="show the hooks' decisions and their reasons, newest first")
@click.option(
    "--limit", type=click.IntRange(min=1), default=20, metavar="N", help="with --log: number of decisions (20)"
)
def agents_(run: CommandContext, is_log: bool, limit: int) -> int | None:
    """Show each agent, what is installed in it, and whether its hooks run.

    Exit 1 when an installed part does not work.
    """
    from recall_tui.agents.registry import load_registry

    bench = run.open()
    if is_log:
        _print_log(run, bench, limit)
        return None
    every = load_registry(run.environment)
    found = bench.agents.with_last_calls(bench.agents.statuses())
    if run.json:
        run.out.document(
            {
                "agents": [_status_as_json(one, _retention(run, one)) for one in found],
                "clients": [one._asdict() for one in bench.agents.other_clients()],
                "problems": [one.message for one in every.problems],
            }
        )
    else:
        _print_statuses(run, found, [one.name for one in every.targets if not one.is_found(run.environment)])
        for one in bench.agents.other_clients():
            run.out.note(f"another client of the server: {one.client}, last call {relative_time(one.at, run.now())}")
        _warn_problems(run, every.problems)
    return 1 if any(one.trouble for one in found) else None


def _print_log(run: CommandContext, bench: Workbench, limit: int) -> None:
    """What the hooks decided."""
    from recall_tui.storage.state.hook_log import parse_timestamp, read_decisions

    found = read_decisions(bench.store, limit)
    if run.json:
        rows = [
            {
                **dict(one.decision.facts),
                "at": one.at,
                "event": one.event,
                "agent": one.agent,
                "session_id": one.session_id,
                "did": one.decision.did,
                "why": one.decision.why,
                "ms": one.ms,
            }
            for one in found
        ]
        run.out.document({"decisions": rows})
        return
    if not found:
        run.out.note("no hook of this memory was called yet")
        return
    cells = []
    for one in found:
        at = parse_timestamp(one)
        when = f"{at.astimezone():%Y-%m-%d %H:%M:%S}" if at else one.at
        cells.append((when, one.event, one.agent, one.decision.did, one.decision.why, f"{one.ms:.0f}"))
    run.out.table(("when", "event", "agent", "did", "why", "ms"), cells, right=(5,))


def _select_targets(
    run: CommandContext, names: Sequence[str], where: Scope | None, *, found_only: bool = True
) -> tuple[Target, ...]:
    """The agents that were named, else those that are found and can be installed into there."""
    from recall_tui.agents.registry import get_target, load_registry

    if names:
        return tuple(get_target(name, run.environment) for name in dict.fromkeys(names))
    every = load_registry(run.environment)
    _warn_problems(run, every.problems)
    candidates = every.found(run.environment) if found_only else every.targets
    chosen = tuple(one for one in candidates if where in one.scopes)
    if not chosen:
        raise NotFoundError("no agent is found on this machine", hint=f"name one: {every.names}")
    return chosen


def _warn_problems(run: CommandContext, problems: Sequence[RecallError]) -> None:
    for problem in problems:
        run.out.warn(one_line(f"{problem.message}; {problem.hint}"))


def _for_each_target(
    run: CommandContext, chosen: Sequence[Target], change: Callable[[Target], InstallResult], *, is_told: bool = True
) -> int | None:
    """Do it to each; the exit code is that of the first that failed. `is_told` says so of what needed nothing, too."""
    codes: list[int] = []
    rows: list[dict[str, object]] = []
    is_any = False
    for target in chosen:
        try:
            outcome = change(target)
        except (UsageError, BrokenPipeError):
            raise
        except (RecallError, OSError) as error:
            message, hint = _error_message(error)
            codes.append(getattr(error, "exit_code", 1))
            is_any = True
            rows.append({"agent": target.name, "trouble": message})
            run.out.error(f"{target.title}: {message}", hint)
            continue
        codes.append(outcome.code)
        is_any = is_any or bool(outcome.plan.edits or outcome.plan.notes)
        rows.append({**outcome.as_json(run), "trouble": None})
        if not run.json and (is_told or outcome.plan.edits):
            print_result(run, outcome)
    if run.json:
        run.out.document({"agents": rows})
    elif not is_told and not is_any:
        run.out.note("nothing of it is installed")
    return next((code for code in codes if code), None)


def _error_message(error: RecallError | OSError) -> tuple[str, str]:
    if isinstance(error, RecallError):
        return error.message, error.hint
    return f"{error.strerror}: {error.filename}", ""


def _print_statuses(run: CommandContext, found: Sequence[AgentStatus], missing: Sequence[str]) -> None:
    rows = []
    for one in found:
        is_shown = one.is_found or one.words != "not installed"
        if is_shown:
            hooks = "yes" if one.target.has_hooks else ""
            server = f"{one.server_tokens:,} tokens" if one.server_tokens else "yes" if one.has_server else ""
            kept = _retention(run, one)
            sessions = kept.describe() if kept else ""
            called = relative_time(one.last_call, run.now()) if one.last_call else ""
            where = _installed_location(one)
            rows.append((one.target.name, one.scope, one.words, hooks, server, called, sessions, where))
    heads = ("agent", "scope", "state", "hooks", "server", "last call", "keeps sessions", "where")
    run.out.table(heads, rows)
    if missing:
        run.out.note(f"not found: {', '.join(missing)}")
    for one in found:
        for words in one.predecessors:
            again = f"recall-tui install {one.target.name} --scope {one.scope}"
            run.out.note(one_line(f"{one.target.title} has {words}; replace it: {again}"))
        if one.trouble:
            run.out.error(one_line(f"{one.target.title}: {one.trouble}"))
        elif one.words in ("out of date", "changed by others"):
            run.out.note(f"bring it up to date with: recall-tui install {one.target.name} --scope {one.scope}")


def _retention(run: CommandContext, one: AgentStatus) -> Retention | None:
    """For how long the agent keeps its sessions; None when they are not read."""
    from recall_tui.transcripts.registry import find_reader

    reader = find_reader(one.target.name)
    return reader.retention(run.environment) if reader else None


def _installed_location(one: AgentStatus) -> str:
    """The folder that all its files are in, or the one file, and for which memory when that is another."""
    import os

    from recall_tui.agents.target import SERVER_PIECE

    if one.other is not None:
        return str(one.other)
    # The server may be registered beside the agent's own folder.
    paths = [str(piece.path) for piece in one.pieces if piece.what != SERVER_PIECE or len(one.pieces) == 1]
    return os.path.commonpath(paths) if paths else ""


def _status_as_json(one: AgentStatus, kept: Retention | None) -> dict[str, object]:
    pieces = [
        {"what": piece.what, "path": piece.path, "state": piece.state.value if piece.state else "broken"}
        for piece in one.pieces
    ]
    return {
        "name": one.target.name,
        "title": one.target.title,
        "scope": one.scope,
        "is_found": one.is_found,
        "has_hooks": one.target.has_hooks,
        "server": server_as_json(one),
        "state": one.words,
        "sessions": kept._asdict() if kept else None,
        "pieces": pieces,
        "memory": one.other,
        "predecessors": one.predecessors,
        "trouble": one.trouble or None,
    }
