"""What the manifests of a project speak against in a line: dependencies, their versions, and the database's driver.

Only what is cheap to look up is checked, and only where the manifests name something that decides it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

_DRIVERS: Mapping[str, frozenset[str]] = {
    name: frozenset(drivers.split())
    for name, drivers in {
        "postgres": "pg postgres psycopg psycopg2 psycopg2-binary asyncpg pg-promise pgx pq tokio-postgres",
        "mysql": "mysql mysql2 pymysql mysqlclient aiomysql mysql-connector-python",
        "sqlite": "sqlite3 better-sqlite3 aiosqlite sqlite rusqlite go-sqlite3",
        "mongodb": "mongodb mongoose pymongo motor mongo-driver",
        "mssql": "mssql tedious pyodbc",
    }.items()
}
"""Packages that speak to a database, by its name."""
_DATABASE = re.compile(
    r"\b(?P<name>postgres(?:ql)?|mysql|mariadb|sqlite|mongo(?:db)?|mssql|sql server)\b", re.IGNORECASE
)
_ALIASES = {"postgresql": "postgres", "mariadb": "mysql", "mongo": "mongodb", "sql server": "mssql"}
_DROPPED = re.compile(
    r"\b(?:removed|dropped|uninstalled|got rid of|no longer (?:uses?|depends? on|needs?))"
    r" (?:the )?(?:dependency |package |library )?(?:on )?`?(?P<name>[A-Za-z@][\w@/-]*)`?",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"\b(?:use[sd]?|using|cho(?:o)?se|chosen|adopt(?:ed)?|picked|settled on|built on|based on"
    r"|(?:go(?:ing)?|went|stay(?:ed)?) with"
    r"|(?:switch|mov|migrat)\w* (?:from \S+ )?to) (?:the )?(?:package |library )?`?(?P<name>[A-Za-z@][\w@/.-]*\w)`?",
    re.IGNORECASE,
)
"""A thing that a line says is used."""
_NOT_OF_NOW = re.compile(
    r"\b(?:will|plan\w*|later|next|would|could|should|until|was|were|used to|before|once|not|never|no longer|without"
    r"|considered|instead of [\w`-]+ \d|from v?\d|to be)\b",
    re.IGNORECASE,
)
"""Words of a line that speaks of another time, or of what is not so."""
_DECLARED = re.compile(r"(?P<sign>[\^~=<>!]*)\s*v?(?P<number>\d+(?:\.\d+)*)")


class Change(NamedTuple):
    """What gave way to what in a line; the first may be empty."""

    old: str
    new: str


def manifest_conflicts(
    text: str,
    change: Change | None,
    dependencies: Collection[str],
    versions: Mapping[str, str],
    gone: Collection[str] = (),
) -> Iterator[str]:
    """Yield what the manifests say against the line, such as `dependency fastify is not there, express is`.

    `gone` are dependencies that the manifests named before.
    """
    for found in _CHOSEN.finditer(text):
        if (name := found["name"].lower()) in gone and not _NOT_OF_NOW.search(text[: found.start()]):
            yield f"dependency {name} is not there"
    if not dependencies:
        return
    if change and change.old and not _DATABASE.fullmatch(change.new):
        old, new = change.old.lower(), change.new.lower()
        if old in dependencies and new not in dependencies:
            yield f"dependency {new} is not there, {old} is"
    for found in _DROPPED.finditer(text):
        if (name := found["name"].lower()) in dependencies:
            yield f"dependency {name} is still there"
    yield from _driver_conflicts(text, change, dependencies)
    if not _NOT_OF_NOW.search(text):
        yield from _version_conflicts(text, versions)


def _driver_conflicts(text: str, change: Change | None, dependencies: Collection[str]) -> Iterator[str]:
    """The database that a line names, where the only drivers are of another."""
    if change is None and _NOT_OF_NOW.search(text):
        return
    there = {name for name, drivers in _DRIVERS.items() if not drivers.isdisjoint(dependencies)}
    named = {_database(found["name"]) for found in _DATABASE.finditer(change.new if change and change.old else text)}
    if there and named and not (there & named):
        drivers = sorted(one for name in there for one in _DRIVERS[name] if one in dependencies)
        yield f"the database driver is {', '.join(drivers[:2])}"


def _database(name: str) -> str:
    return _ALIASES.get(name.lower(), name.lower())


def _version_conflicts(text: str, versions: Mapping[str, str]) -> Iterator[str]:
    for name, declared in versions.items():
        said = re.search(
            rf"(?<![\w@/-]){re.escape(name)}`?(?: version)? `?v?(\d+(?:\.\d+)*)(?![\w-])", text, re.IGNORECASE
        )
        if said and _differs(said[1], declared):
            yield f"{name} is {declared}"


def _differs(said: str, declared: str) -> bool:
    """Tell whether a version cannot be the declared one, as far as both are told."""
    found = _DECLARED.match(declared)
    if found is None:
        return False
    one, other = _numbers(said), _numbers(found["number"])
    size = min(len(one), len(other))
    if found["sign"].startswith(">"):
        return one[:size] < other[:size]
    if found["sign"].startswith(("<", "!")):
        return False
    if found["sign"] == "^":
        size = min(size, 1)
    return one[:size] != other[:size]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if len(part) < 9)
