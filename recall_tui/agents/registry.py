"""Every agent that there is a way to install into, by name.

Ours are imported when they are asked for; those that a person describes and those of other packages come after them.
What is wrong with one of these costs that one alone.
"""

from __future__ import annotations

import importlib
from typing import NamedTuple

from recall_tui.agents.target import ENTRY_POINTS, Target
from recall_tui.environment import Environment
from recall_tui.errors import RecallError, UsageError

_PACKAGE = "recall_tui.agents"
_BUILT_IN = {
    "claude": f"{_PACKAGE}.targets.claude:ClaudeTarget",
    "codex": f"{_PACKAGE}.targets.codex:CodexTarget",
    "gemini": f"{_PACKAGE}.targets.gemini:GeminiTarget",
    "cursor": f"{_PACKAGE}.targets.cursor:CursorTarget",
    "windsurf": f"{_PACKAGE}.targets.windsurf:WindsurfTarget",
    "aider": f"{_PACKAGE}.targets.aider:AiderTarget",
    "agents-md": f"{_PACKAGE}.targets.agents_md:AgentsMdTarget",
}
"""`module:class`, in the order in which agents are shown."""


class TargetRegistry(NamedTuple):
    """The agents that are known."""

    targets: tuple[Target, ...]
    problems: tuple[RecallError, ...]
    """What is wrong with others."""

    @property
    def names(self) -> str:
        """All of them, for a person."""
        return ", ".join(target.name for target in self.targets)

    def found(self, environment: Environment) -> tuple[Target, ...]:
        """Those that the person has."""
        return tuple(target for target in self.targets if target.is_found(environment))


def load_registry(environment: Environment) -> TargetRegistry:
    """All of them; of two that share a name the first, but what a person describes stands for the server alone."""
    from recall_tui.agents.targets.from_toml import load_targets

    of_person, troubles = load_targets(environment, _BUILT_IN)
    described = {target.name for target in of_person}
    with_server = (one for one in _load_server_agents() if one.name not in described)
    own = (*map(_load_built_in, _BUILT_IN), *with_server)
    of_packages, failures = _load_plugins({target.name for target in (*own, *of_person)})
    return TargetRegistry((*own, *of_person, *of_packages), (*troubles, *failures))


def get_target(name: str, environment: Environment) -> Target:
    """The target of that name; UsageError when there is none."""
    if name in _BUILT_IN:
        return _load_built_in(name)
    every = load_registry(environment)
    for target in every.targets:
        if target.name == name:
            return target
    hint = next((f"{problem.message}; {problem.hint}" for problem in every.problems), every.names)
    raise UsageError(f"unknown agent: {name}", hint=hint)


def _load_server_agents() -> tuple[Target, ...]:
    from recall_tui.agents.targets.server_agents import SERVER_AGENTS

    return SERVER_AGENTS


def _load_built_in(name: str) -> Target:
    module, _, made = _BUILT_IN[name].partition(":")
    target: Target = getattr(importlib.import_module(module), made)()
    return target


def _load_plugins(taken: set[str]) -> tuple[list[Target], list[RecallError]]:
    """The targets of other packages, and what is wrong with those that cannot be loaded."""
    from recall_tui.installed_plugins import installed_plugins

    found: dict[str, Target] = {}
    problems: list[RecallError] = []
    for point in installed_plugins(ENTRY_POINTS):
        try:
            target: Target = point.load()()
            name = target.name
        except Exception as error:
            hint = f"fix or remove the package that offers {point.value}"
            problems.append(RecallError(f"the agent {point.name} cannot be loaded: {error}", hint))
            continue
        if name not in taken:
            found.setdefault(name, target)
    return list(found.values()), problems
