"""Every agent that there is a way to install into, by name.

Ours are imported when they are asked for; those that a person describes and those of other packages come after them.
What is wrong with one of these costs that one alone.
"""

from __future__ import annotations

import importlib
from typing import NamedTuple

from recall_tui.agents.target import ENTRY_POINTS, Target
from recall_tui.environment import Places
from recall_tui.errors import RecallError, UsageError

_HOME = "recall_tui.agents"
_OWN = {
    "claude": f"{_HOME}.targets.claude:Claude",
    "codex": f"{_HOME}.targets.codex:Codex",
    "gemini": f"{_HOME}.targets.gemini:Gemini",
    "cursor": f"{_HOME}.targets.cursor:Cursor",
    "windsurf": f"{_HOME}.targets.windsurf:Windsurf",
    "aider": f"{_HOME}.targets.aider:Aider",
    "agents-md": f"{_HOME}.targets.agents_md:AgentsMd",
}
"""`module:class`, in the order in which agents are shown."""


class Known(NamedTuple):
    """The agents that are known."""

    targets: tuple[Target, ...]
    problems: tuple[RecallError, ...]
    """What is wrong with others."""

    @property
    def names(self) -> str:
        """All of them, for a person."""
        return ", ".join(target.name for target in self.targets)

    def found(self, places: Places) -> tuple[Target, ...]:
        """Those that the person has."""
        return tuple(target for target in self.targets if target.is_found(places))


def known(places: Places) -> Known:
    """All of them; of two that share a name the first."""
    from recall_tui.agents.targets.from_toml import described

    own = tuple(map(_own, _OWN))
    of_person, troubles = described(places, _OWN)
    of_packages, failures = _offered({target.name for target in (*own, *of_person)})
    return Known((*own, *of_person, *of_packages), (*troubles, *failures))


def target_named(name: str, places: Places) -> Target:
    """The target of that name; UsageError when there is none."""
    if name in _OWN:
        return _own(name)
    every = known(places)
    for target in every.targets:
        if target.name == name:
            return target
    hint = next((f"{problem.message}; {problem.hint}" for problem in every.problems), every.names)
    raise UsageError(f"unknown agent: {name}", hint=hint)


def _own(name: str) -> Target:
    module, _, made = _OWN[name].partition(":")
    target: Target = getattr(importlib.import_module(module), made)()
    return target


def _offered(taken: set[str]) -> tuple[list[Target], list[RecallError]]:
    """The targets of other packages, and what is wrong with those that cannot be loaded."""
    from importlib.metadata import entry_points

    found: dict[str, Target] = {}
    problems: list[RecallError] = []
    for point in entry_points(group=ENTRY_POINTS):
        try:
            target: Target = point.load()()
            name = target.name
        except Exception as error:
            hint = f"mend or remove the package that offers {point.value}"
            problems.append(RecallError(f"the agent {point.name} cannot be loaded: {error}", hint))
            continue
        if name not in taken:
            found.setdefault(name, target)
    return list(found.values()), problems
