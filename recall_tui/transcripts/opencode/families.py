"""Sessions with those of the sub-agents that they called."""

from __future__ import annotations

from collections.abc import Mapping


def group_families(parents: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """Return the sessions without a parent that is there, each with all that descend from it, oldest first."""
    children: dict[str, list[str]] = {}
    for id, parent in parents.items():
        if isinstance(parent, str) and parent in parents:
            children.setdefault(parent, []).append(id)
    below = {id for found in children.values() for id in found}
    families: dict[str, tuple[str, ...]] = {}
    reached = set[str]()
    # Those that are each other's parents have no first one; each of them that is met first is taken for it.
    for id in (*(one for one in parents if one not in below), *parents):
        if id in reached:
            continue
        reached.add(id)
        found, waiting = list[str](), [id]
        while waiting:
            fresh = [one for one in children.get(waiting.pop(), ()) if one not in reached]
            reached.update(fresh)
            found += fresh
            waiting += fresh
        families[id] = tuple(sorted(found))
    return families
