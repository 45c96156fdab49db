"""Folders that the user declared to be one project, such as two clones of a repository; kept in the user's state.

A repository's own claim about its origin is only a reason to ask, because anybody can write it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.environment import Environment
from recall_tui.storage.files.atomic import content_digest, read_bytes, read_json

if TYPE_CHECKING:
    from recall_tui.domain import Edit, Plan

JOINS_FILE = "joined.json"
_MAX_FOLDERS = 1_000


class ProjectJoins(NamedTuple):
    """The user's decisions on folders, each folder by the key of its project."""

    groups: tuple[tuple[str, ...], ...] = ()
    """Folders that are one project."""
    apart: tuple[tuple[str, ...], ...] = ()
    """Pairs that are separate projects, so that the user is not asked again."""

    def with_key(self, key: str) -> frozenset[str]:
        """Return the project's key and the keys of all projects joined with it."""
        return frozenset(one for group in self.groups if key in group for one in group) | {key}

    def is_decided(self, one: str, other: str) -> bool:
        """Return whether the user has decided on these two."""
        return other in self.with_key(one) or any({one, other} == set(pair) for pair in self.apart)


def read_joins(environment: Environment) -> ProjectJoins:
    """Read the decisions; empty when the file is missing or invalid."""
    held = read_json(joins_path(environment))
    return ProjectJoins(_as_lists(held, "one"), _as_lists(held, "apart")) if isinstance(held, dict) else ProjectJoins()


def joins_path(environment: Environment) -> Path:
    return environment.state / JOINS_FILE


def plan_join(environment: Environment, one: str, other: str) -> Plan:
    """Plan to join two projects in every memory."""
    from recall_tui.domain import Plan

    held = read_joins(environment)
    whole = tuple(sorted(held.with_key(one) | held.with_key(other)))
    if other in held.with_key(one):
        return Plan(f"{one} and {other} are one project already")
    groups = (*(group for group in held.groups if not set(group) & set(whole)), whole)
    apart = tuple(pair for pair in held.apart if not set(pair) <= set(whole))
    return Plan(f"Joined {other} with {one}", _edits(environment, ProjectJoins(groups, apart)))


def plan_part(environment: Environment, one: str, other: str) -> Plan:
    """Plan to make `other` a project of its own again, and not to ask whether it belongs to `one`."""
    from recall_tui.domain import Plan

    held = read_joins(environment)
    if other not in held.with_key(one) and held.is_decided(one, other):
        return Plan(f"{one} and {other} are two projects already")
    groups = (tuple(key for key in group if key != other) if one in group else group for group in held.groups)
    apart = (*held.apart, tuple(sorted((one, other))))
    return Plan(
        f"{other} is a project of its own",
        _edits(environment, ProjectJoins(tuple(group for group in groups if len(group) > 1), apart)),
    )


def _edits(environment: Environment, joins: ProjectJoins) -> tuple[Edit, ...]:
    from recall_tui.domain import Create, Replace

    path = joins_path(environment)
    text = json.dumps({"one": joins.groups[-_MAX_FOLDERS:], "apart": joins.apart[-_MAX_FOLDERS:]}, indent=1) + "\n"
    data = read_bytes(path)
    return (Create(path, text) if data is None else Replace(path, content_digest(data), text),)


def _as_lists(held: dict[str, object], key: str) -> tuple[tuple[str, ...], ...]:
    found = held.get(key)
    lists: Iterable[object] = found if isinstance(found, list) else ()
    return tuple(tuple(map(str, one)) for one in lists if isinstance(one, list) and len(one) > 1)
