"""Every agent that there is a way to install into, by name.

Ours are imported when they are asked for; those of other packages and of the person's own files come after them.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from recall_tui.agents.target import ENTRY_POINTS, Target
from recall_tui.errors import RecallError, UsageError
from recall_tui.paths import Places

_HOME = "recall_tui.agents"
_OWN = {
    "claude": f"{_HOME}.claude:Claude",
}
"""`module:class`, in the order in which agents are shown."""


def targets(places: Places) -> tuple[Target, ...]:
    """All of them; of two that share a name the first."""
    found: dict[str, Target] = {}
    for target in (*map(_own, _OWN), *_offered()):
        found.setdefault(target.name, target)
    return tuple(found.values())


def target_named(name: str, places: Places) -> Target:
    """The target of that name; UsageError when there is none."""
    if name in _OWN:
        return _own(name)
    every = targets(places)
    for target in every:
        if target.name == name:
            return target
    raise UsageError(f"unknown agent: {name}", hint=", ".join(target.name for target in every))


def found_targets(places: Places) -> tuple[Target, ...]:
    """Those of agents that the person has."""
    return tuple(target for target in targets(places) if target.is_found(places))


def _own(name: str) -> Target:
    module, _, made = _OWN[name].partition(":")
    target: Target = getattr(importlib.import_module(module), made)()
    return target


def _offered() -> Iterator[Target]:
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINTS):
        try:
            target: Target = point.load()()
        except Exception as error:
            hint = f"mend or remove the package that offers {point.value}"
            raise RecallError(f"the agent {point.name} cannot be loaded: {error}", hint) from error
        yield target
