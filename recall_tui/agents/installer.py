"""Install a memory's rules and hooks into agents, take them out again, and report how each agent stands.

Each agent is one change, so that `undo` takes it back; nothing is imported before it is asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.memory import Memory, bound

if TYPE_CHECKING:
    from recall_tui.agents.status import AgentStatus
    from recall_tui.agents.target import Parts, Scope, Site, Target
    from recall_tui.domain import JournalEntry, Plan
    from recall_tui.storage.state.server_log import ServerCall


class AgentPlan(NamedTuple):
    """What installing would change for one agent."""

    target: Target
    plan: Plan


class AgentInstaller:
    """The verbs of a memory that put it into agents."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    @property
    def program(self) -> tuple[str, ...]:
        """The words that start this program from anywhere, as hooks do."""
        from recall_tui.agents.hook_command import program_argv

        here = self._memory.environment.cwd
        return program_argv(here / sys.argv[0], here / sys.executable)

    def site(self, scope: Scope | None = None, target: Target | None = None) -> Site:
        """Where the memory is installed: for the person or in its project, whichever fits it unless `scope` says.

        An agent that has not that scope has its own.
        """
        from recall_tui.agents.default_site import default_scope, default_site

        if scope is None and target is not None and default_scope(self._memory) not in target.scopes:
            scope = target.scopes[0]
        return default_site(self._memory, self.program, scope)

    def install_plan(
        self,
        agent: str | Target,
        scope: Scope | None = None,
        *,
        over: Collection[Path] = frozenset(),
        parts: Parts = "all",
    ) -> Plan:
        """What installing would change; `facts["changed"]` names files that a person changed, and that are left.

        Those in `over` are replaced all the same. UsageError for an agent that nobody knows.
        """
        from recall_tui.agents.install import plan_install

        target = self._target(agent)
        return plan_install(self._memory, target, self.site(scope, target), frozenset(over), parts)

    def offers(self) -> tuple[AgentPlan, ...]:
        """Plan the installation into each agent that is on the machine and lacks something.

        A project's memory is offered to the agents that can have it in that project alone. An agent whose files cannot
        be read is left out; `doctor` names it.
        """
        from recall_tui.agents.default_site import default_scope
        from recall_tui.agents.registry import load_registry
        from recall_tui.errors import RecallError

        environment = self._memory.environment
        found: list[AgentPlan] = []
        is_of_project = default_scope(self._memory) == "project"
        for target in load_registry(environment).targets:
            if not target.is_found(environment) or (is_of_project and "project" not in target.scopes):
                continue
            try:
                plan = self.install_plan(target)
            except RecallError:
                continue
            if plan.edits:
                found.append(AgentPlan(target, plan))
        return tuple(found)

    def install(
        self,
        agent: str | Target,
        scope: Scope | None = None,
        *,
        over: Collection[Path] = frozenset(),
        parts: Parts = "all",
        seen: Plan | None = None,
    ) -> JournalEntry | None:
        """Put rules, hooks, a skill and the server into an agent; None when it has them already.

        With `seen`, a plan that a person looked at, a different plan is a ConflictError and nothing is written.
        """
        from recall_tui.agents.install import plan_install

        target = self._target(agent)
        verb = bound(plan_install, target, self.site(scope, target), frozenset(over), parts)
        return self._memory.commit(verb, expected=seen)

    def uninstall_plan(self, agent: str | Target, scope: Scope | None = None, *, parts: Parts = "all") -> Plan:
        """What uninstalling would change."""
        from recall_tui.agents.install import plan_uninstall

        target = self._target(agent)
        return plan_uninstall(self._memory, target, self.site(scope, target), parts)

    def uninstall(
        self, agent: str | Target, scope: Scope | None = None, *, parts: Parts = "all", seen: Plan | None = None
    ) -> JournalEntry | None:
        """Take exactly ours out of an agent; None when there is nothing of it."""
        from recall_tui.agents.install import plan_uninstall

        target = self._target(agent)
        return self._memory.commit(bound(plan_uninstall, target, self.site(scope, target), parts), expected=seen)

    def statuses(self, *, runs_hooks: bool = True, found_only: bool = False) -> tuple[AgentStatus, ...]:
        """Return how every agent, or every one that is on this machine, stands in each scope that there is here.

        Hooks and the server are started to see whether they run, unless `runs_hooks` is False.
        """
        from recall_tui.agents.registry import load_registry
        from recall_tui.agents.status import agent_status
        from recall_tui.errors import UsageError

        found: list[AgentStatus] = []
        every = load_registry(self._memory.environment)
        for target in every.found(self._memory.environment) if found_only else every.targets:
            for scope in target.scopes:
                try:
                    site = self.site(scope)
                except UsageError:
                    # Where one stands there is no project.
                    continue
                found.append(agent_status(target, site, runs_hooks=runs_hooks))
        if not (runs_hooks and any(one.has_server for one in found)):
            return tuple(found)
        from recall_tui.agents.server_check import with_server_checks

        return with_server_checks(found, self.site("user"))

    def touched(self, paths: Iterable[Path]) -> tuple[str, ...]:
        """Return the titles of the agents that have one of these files among those that an installation changes."""
        from recall_tui.agents.registry import load_registry
        from recall_tui.errors import UsageError

        changed, found = frozenset(paths), dict[str, None]()
        for target in load_registry(self._memory.environment).targets:
            for scope in target.scopes:
                try:
                    site = self.site(scope)
                except UsageError:
                    # Where one stands there is no project.
                    continue
                if any(piece.path in changed for piece in target.pieces(site)):
                    found[target.title] = None
        return tuple(found)

    def with_last_calls(self, found: Iterable[AgentStatus]) -> tuple[AgentStatus, ...]:
        """Return the statuses with the last call that each agent made of the MCP server."""
        from recall_tui.agents.status import with_last_calls
        from recall_tui.storage.state.server_log import read_calls

        return with_last_calls(found, read_calls(self._memory))

    def other_clients(self) -> tuple[ServerCall, ...]:
        """Return the last call of each client of the MCP server that belongs to no agent, newest first."""
        from recall_tui.agents.registry import load_registry
        from recall_tui.agents.target import client_names
        from recall_tui.storage.state.server_log import read_calls

        targets = load_registry(self._memory.environment).targets
        known = {name for target in targets for name in client_names(target)}
        return tuple(one for one in read_calls(self._memory) if one.client not in known)

    def _target(self, agent: str | Target) -> Target:
        if not isinstance(agent, str):
            return agent
        from recall_tui.agents.registry import get_target

        return get_target(agent, self._memory.environment)
