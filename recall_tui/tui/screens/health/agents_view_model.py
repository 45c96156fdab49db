"""What the health screen shows of agents, of what installing into them would change, and of what they are handed.

Looking changes nothing, and a plan is made as it was shown or not at all. What the next session would be given is told
by the function that tells the hook; only the session's id is not known yet.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from recall_tui.memory import bound
from recall_tui.text.dates import relative_time
from recall_tui.tui.keys.key_labels import key_label
from recall_tui.tui.screens.health.view_model import HealthPart, HealthRow, RowState

if TYPE_CHECKING:
    from recall_tui.agents.status import AgentStatus, Condition, PieceStatus
    from recall_tui.agents.target import Scope, Site, Target
    from recall_tui.domain import JournalEntry, Plan
    from recall_tui.errors import RecallError
    from recall_tui.features.context.session_context import ContextItem, SessionContext
    from recall_tui.storage.state.server_log import ServerCall
    from recall_tui.workbench import Workbench

ActionKind = Literal["install", "uninstall"]
_CONDITION_LABELS: dict[Condition, tuple[RowState, str, str]] = {
    "not installed": ("plain", "found", "{} previews the installation"),
    "installed": ("good", "installed", ""),
    "out of date": ("warn", "out of date", "{} brings it up to date"),
    "of an earlier tool": ("warn", "earlier tool", "{} previews the replacement"),
    "for another memory": ("plain", "other memory", "{} previews taking its place"),
    "changed by others": ("warn", "changed", "{} previews the replacement"),
    "broken": ("bad", "broken", ""),
}
"""By the words of a condition: the sign, the word that fits into the column, and what to do with which key."""
_STATE_ORDER: tuple[RowState, ...] = ("bad", "warn", "good", "plain")
_SCOPE_LABELS = {"user": "for you", "project": "in this project"}
_MAX_NAMES_CHARS = 52
_SAMPLE_SESSION_ID = "00000000-0000-0000-0000-000000000000"
"""As long as the id that the session will have."""
_INJECTION_OFF = "Nothing is handed over while inject.tokens is 0. Change it in Settings (7)."


@dataclass(frozen=True, slots=True)
class AgentAction:
    """What shall be done to which agent."""

    way: ActionKind
    agent: str
    scope: str
    over: frozenset[Path] = frozenset()
    """Files that a person changed and that may be replaced."""


@dataclass(frozen=True, slots=True)
class AgentActionPreview:
    """A wish with the plan that carries it out."""

    wish: AgentAction
    plan: Plan
    title: str
    """The agent, as its maker writes it."""
    diff: str
    """Of the agent's files."""
    about: tuple[str, ...]
    """Which sessions an installation reaches, and in which files."""
    notes: tuple[str, ...]
    """What a person should know beside it, such as where a copy of a file is kept."""
    changed: frozenset[Path]
    """Files that a person changed and that the plan leaves."""


def agent_rows(bench: Workbench) -> HealthPart:
    """How each agent stands, what is wrong first; those that are not there in one row."""
    from recall_tui.agents.registry import load_registry

    every = load_registry(bench.store.environment)
    found = bench.agents.with_last_calls(bench.agents.statuses())
    shown = [one for one in found if one.words != "not installed" or (one.is_found and _is_default_scope(bench, one))]
    named = {one.target.name for one in shown}
    missing = dict.fromkeys(one.target.title for one in found if one.target.name not in named)
    key = key_label(bench, "install", "i")
    now = bench.store.now()
    clients = (_client_row(one, now) for one in bench.agents.other_clients())
    # The cursor begins where the memory belongs.
    shown.sort(key=lambda one: not _is_default_scope(bench, one))
    of_agents = [_row(one, key if one.other is None or _is_default_scope(bench, one) else "", now) for one in shown]
    of_all = (*of_agents, *map(_broken_reason, every.problems), *clients)
    rows = sorted(of_all, key=lambda row: _STATE_ORDER.index(row.state))
    for place, names in enumerate(_name_lines(list(missing))):
        rows.append(HealthRow("plain", "" if place else "not found", names))
    wrong = sum(row.state in ("warn", "bad") for row in rows)
    installed = sum(row.is_installed for row in rows)
    summary = f"{installed or 'none'} installed" + (f" · ▲ {wrong} with problems" if wrong else "")
    return HealthPart(tuple(rows), summary, "No supported agent was found.")


def preview_action(bench: Workbench, wish: AgentAction) -> AgentActionPreview:
    """What the wish would change."""
    from recall_tui.storage.journal.plan_diff import plan_as_diff

    target, plan = _target(bench, wish), bench.preview(_verb(wish), *_arguments(bench, wish))
    shown = tuple(edit for edit in plan.edits if not edit.path.is_relative_to(bench.store.state))
    copies = tuple(f"backup of the current file: {edit.path}" for edit in plan.edits if edit not in shown)
    changed = frozenset(map(Path, cast("list[str]", plan.facts.get("changed", []))))
    diff = plan_as_diff(replace(plan, edits=shown), bench.store.root, bench.store.environment.home)
    about = tuple(cast("list[str]", plan.facts.get("about", [])))
    return AgentActionPreview(wish, plan, target.title, diff, about, (*plan.notes, *copies), changed)


def apply_action(bench: Workbench, wished: AgentActionPreview) -> JournalEntry | None:
    """Change what was shown."""
    return bench.store.commit(bound(_verb(wished.wish), *_arguments(bench, wished.wish)), expected=wished.plan)


def _site(bench: Workbench, scope: Scope) -> Site:
    from recall_tui.agents.default_site import default_site
    from recall_tui.agents.hook_command import program_argv

    cwd = bench.store.environment.cwd
    return default_site(bench.store, program_argv(cwd / sys.argv[0], cwd / sys.executable), scope)


def _is_default_scope(bench: Workbench, one: AgentStatus) -> bool:
    from recall_tui.agents.default_site import default_scope

    usual = default_scope(bench.store)
    return one.scope == (usual if usual in one.target.scopes else one.target.scopes[0])


def _client_row(one: ServerCall, now: datetime) -> HealthRow:
    """A client of the server that is none of the agents that can be installed into."""
    return HealthRow("plain", "client", f"asked the server; last call {relative_time(one.at, now)}", one.client)


def _row(one: AgentStatus, key: str, now: datetime) -> HealthRow:
    """An agent's row; without a key it says nothing of what the key does."""
    state, word, hint = _CONDITION_LABELS[one.words]
    told = [hint.format(key)] if hint and key else []
    hint = "; ".join([*([f"it has the memory in {one.other}"] if one.other else []), *told])
    if one.trouble and word != "broken":
        state, word = "bad", "not running"
    commands = sum(piece.what.startswith("/") for piece in one.pieces)
    names = [
        f"{commands} commands" if piece.what.startswith("/") and commands > 1 else piece.what for piece in one.pieces
    ]
    pieces = ", ".join(dict.fromkeys(names))
    text = " · ".join(filter(None, (_SCOPE_LABELS[one.scope], one.trouble or hint or pieces)))
    lines = [
        f"{one.target.title}, {_SCOPE_LABELS[one.scope]}: {one.words}{f', {one.other}' if one.other else ''}",
        *([one.trouble] if one.trouble else []),
        *([f"the tools of its server take about {_tokens(one.server_tokens)}"] if one.server_tokens else []),
        *([f"last call of a tool: {relative_time(one.last_call, now)}"] if one.last_call else []),
        "",
    ]
    lines += [
        f"{piece.what}: {piece.state.value if piece.state else piece.trouble}\n  {piece.path}" for piece in one.pieces
    ]
    return HealthRow(
        state,
        word,
        text,
        one.target.title,
        whole="\n".join(lines),
        agent=one.target.name,
        scope=one.scope,
        is_installed=one.other is None and any(map(_is_ours, one.pieces)),
    )


def _name_lines(names: Sequence[str]) -> Iterator[str]:
    """Yield the names, as many on a line as a panel of a narrow terminal has room for."""
    line = ""
    for name in names:
        if line and len(line) + len(name) > _MAX_NAMES_CHARS:
            yield f"{line},"
            line = ""
        line = f"{line}, {name}" if line else name
    if line:
        yield line


def _is_ours(piece: PieceStatus) -> bool:
    return piece.state is not None and piece.state.value in ("current", "outdated")


def _broken_reason(problem: RecallError) -> HealthRow:
    return HealthRow("warn", "unreadable", "; ".join(filter(None, (problem.message, problem.hint))))


def _target(bench: Workbench, wish: AgentAction) -> Target:
    from recall_tui.agents.registry import get_target

    return get_target(wish.agent, bench.store.environment)


def _verb(wish: AgentAction) -> Callable[..., Plan]:
    from recall_tui.agents.install import plan_install, plan_uninstall

    return plan_install if wish.way == "install" else plan_uninstall


def _arguments(bench: Workbench, wish: AgentAction) -> tuple[object, ...]:
    site = _site(bench, cast("Scope", wish.scope))
    return (_target(bench, wish), site, *([wish.over] if wish.way == "install" else []))


def context_rows(bench: Workbench) -> HealthPart:
    """What a session that starts now is given."""
    from recall_tui.agents.problems import agents_with_hooks
    from recall_tui.features.context.session_context import StartingSession, build_context
    from recall_tui.storage.state.hook_log import find_failed_capture

    limit = bench.config.whole("inject.tokens")
    if not limit:
        return HealthPart((), "○ nothing is handed over", _INJECTION_OFF)
    failed = find_failed_capture(bench.store.state)
    hands = tuple(agents_with_hooks(bench.agents.statuses(runs_hooks=False)))
    lacking = dict.fromkeys(one.target.title for one in hands if any(piece.hands_memory for piece in one.pieces))
    reading = dict.fromkeys(one.target.title for one in hands if one.target.title not in lacking and _has_rules(one))
    asked = StartingSession(_SAMPLE_SESSION_ID, "", failed.decision.why if failed else "", wants_memory=bool(lacking))
    found = build_context(bench.store, asked)
    left_out = sum(not item.is_given for item in found.items)
    summary = f"about {found.tokens:,} of {limit:,} tokens"
    parts = (
        summary,
        f"○ {left_out} left out" if left_out else "",
        "" if hands else "▲ no hook installed",
    )
    return HealthPart(
        (
            _total_row(found),
            *(_context_row(item, " and ".join(lacking)) for item in found.items),
            *_frame_rows(found),
            *_rules_rows(bench, tuple(reading)),
        ),
        " · ".join(filter(None, parts)),
    )


def _total_row(found: SessionContext) -> HealthRow:
    """What the agent reads, in one row."""
    given = sum(item.is_given for item in found.items)
    if not given:
        return HealthRow("plain", "nothing", "there is nothing to hand over yet")
    words = f"{given} item{'s' * (given != 1)}; enter shows the text that the agent reads"
    return HealthRow("good", "whole", words, whole=found.text)


def _frame_rows(found: SessionContext) -> Iterator[HealthRow]:
    """What the items do not account for, so that the rows add up to the whole."""
    rest = found.tokens - sum(item.tokens for item in found.items)
    if any(item.is_given for item in found.items) and rest > 0:
        words = "headings, and the words that mark it as quoted memory"
        yield HealthRow("plain", "frame", words, _tokens(rest), whole=found.text)


def _has_rules(one: AgentStatus) -> bool:
    return any(piece.what == "rules" and _is_ours(piece) for piece in one.pieces)


def _rules_rows(bench: Workbench, agents: Sequence[str]) -> Iterator[HealthRow]:
    """What agents read by themselves, besides what the hook hands over."""
    from recall_tui.storage.documents.memory_file import read_memory

    if agents:
        memory = read_memory(bench.store)
        lines = memory.budget(bench.config).lines
        count = f"{lines:,} line{'s' * (lines != 1)}"
        words = f"MEMORY.md: read by {' and '.join(agents)} at each start"
        yield HealthRow("good", "by rules", words, count, whole=f"{words}\n\n{memory.text}")


def _context_row(item: ContextItem, lacking: str) -> HealthRow:
    """An item; `lacking` are the agents that MEMORY.md is handed to."""
    text = f"{item.what}{f' for {lacking}' if item.kind == 'memory' else ''}: {item.why}"
    whole = f"{text}\n\n{item.text}"
    if not item.is_given:
        return HealthRow("plain", "left out", text, whole=whole)
    state: RowState = "warn" if item.is_cut or item.kind in ("trouble", "news") else "good"
    return HealthRow(state, "in part" if item.is_cut else "given", text, _tokens(item.tokens), whole=whole)


def _tokens(count: int) -> str:
    return f"{count:,} token{'s' * (count != 1)}"
