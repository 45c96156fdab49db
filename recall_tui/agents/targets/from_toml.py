"""Agents that a person describes in `targets/*.toml` of the config folder, one a file.

A description that is wrong costs that agent alone, and is told with its file and line.

    name = "zed"
    title = "Zed"
    detect = ["~/.config/zed", "zed"]   # folders or files with a slash, else programs
    form = "block"                      # file, block, or read-list
    imports = "@"                       # when it reads `@path` as the file's text
    limit = 12000                       # characters
    front_matter = "trigger: always_on" # of a file

    [project]                           # or [user], or both
    file = ".rules"
    settings = ".conf.yml"              # with read-list: where `key` lists the files to read
    key = "read"
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from recall_tui import config, files
from recall_tui.agents.detection import is_present
from recall_tui.agents.instructions import InstructionStyle, render_protocol
from recall_tui.agents.pieces.marked_block import MarkedBlock
from recall_tui.agents.pieces.own_file import OwnFile, add_checksum
from recall_tui.agents.target import Piece, Scope, Site
from recall_tui.environment import Environment
from recall_tui.errors import ConfigError
from recall_tui.storage.config_file import find_line
from recall_tui.text.lazy_pattern import lazy_pattern

FORMS = ("file", "block", "read-list")
_NAME_PATTERN = lazy_pattern(r"[a-z0-9][a-z0-9_-]{0,40}")
_TEXT_KEYS = ("name", "title", "form", "imports", "front_matter")
_TARGET_KEYS = {*_TEXT_KEYS, "detect", "limit", "short", "user", "project"}
_SCOPE_KEYS = {"file", "settings", "key"}
_SCOPES: tuple[Scope, ...] = ("project", "user")


class TargetPaths(NamedTuple):
    """Where it goes in one scope: paths from the project's folder, or from the home folder with `~/`."""

    file: str
    settings: str = ""
    key: str = "read"


@dataclass(frozen=True, slots=True)
class TomlTarget:
    """An agent as a file describes it; it has no hooks of ours."""

    name: str
    title: str
    form: str
    places: Mapping[Scope, TargetPaths]
    detect: tuple[str, ...] = ()
    front_matter: str = ""
    limit: int = 0
    imports: str = ""
    is_short: bool = False

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Those that the file has a place for."""
        return tuple(scope for scope in _SCOPES if scope in self.places)

    @property
    def has_hooks(self) -> bool:
        """Never."""
        return False

    def is_found(self, environment: Environment) -> bool:
        """One of its folders, files or programs is there."""
        paths = [_resolve_path(environment.home, word) for word in self.detect if "/" in word]
        return is_present(environment, paths, [word for word in self.detect if "/" not in word])

    def pieces(self, site: Site) -> tuple[Piece, ...]:
        """A file of ours, a block in a shared one, or a file and the entries that have it read."""
        place = self.places[site.scope]
        folder = site.project if site.scope == "project" else site.environment.home
        path = _resolve_path(folder, place.file)
        head = f"---\n{self.front_matter.strip()}\n---\n\n" if self.front_matter.strip() else ""
        text = render_protocol(site, self._as_form(head), path)
        if self.form == "block":
            return (MarkedBlock(path, "rules", text, self.name, self.limit),)
        rules = OwnFile(path, "rules", head + text)
        if self.form == "file":
            return (rules,)
        from recall_tui.agents.pieces.yaml_list_entry import YamlListEntry

        read = tuple(map(str, (path, site.layout.memory_file, site.layout.window)))
        return (rules, YamlListEntry(_resolve_path(folder, place.settings), "files to read", place.key, read))

    def _as_form(self, head: str) -> InstructionStyle:
        is_list = self.form == "read-list"
        return InstructionStyle(
            imports="" if is_list else self.imports,
            loads_memory=is_list,
            gets_window=is_list,
            is_read=False,
            level=2 if self.form == "block" else 1,
            is_short=self.is_short,
            limit=max(1, self.limit - len(add_checksum(head, ".md"))) if self.limit else 0,
        )


def load_targets(
    environment: Environment, taken: Collection[str] = ()
) -> tuple[tuple[TomlTarget, ...], tuple[ConfigError, ...]]:
    """The agents that the person describes, by file name, and what is wrong with the descriptions of others.

    A name in `taken` is another agent's.
    """
    targets: dict[str, TomlTarget] = {}
    problems: list[ConfigError] = []
    for path in sorted(environment.targets.glob("*.toml")):
        try:
            target = load_target(path, {*taken, *targets})
        except ConfigError as error:
            problems.append(error)
        else:
            targets[target.name] = target
    return tuple(targets.values()), tuple(problems)


def load_target(path: Path, taken: Collection[str] = ()) -> TomlTarget:
    """The agent that the file describes; ConfigError with file, line and what would be right."""
    try:
        text = files.read_file(path, files.MAX_SETTINGS_BYTES).decode("utf-8")
        table = config.parse_toml(text)
    except (OSError, ValueError, RecursionError) as error:
        at = re.search(r" \(at line (\d+)", str(error))
        where = f"{path}, line {at[1]}" if at else str(path)
        raise ConfigError(f"{where}: {str(error).partition(' (at ')[0]}", hint="fix the file") from None
    return _UncheckedTarget(path, text, table).target(taken)


def _resolve_path(folder: Path, words: str) -> Path:
    """A path of the file: in the home folder after `~/`, else from `folder` on."""
    return folder / words.removeprefix("~/")


@dataclass(frozen=True, slots=True)
class _UncheckedTarget:
    """A file that was read, and is not known to be right."""

    path: Path
    text: str
    table: Mapping[str, Any]

    def target(self, taken: Collection[str]) -> TomlTarget:
        """The agent, when everything fits."""
        for key in self.table:
            if key not in _TARGET_KEYS:
                raise self.wrong(key, f"unknown key: {key}", f"one of {', '.join(sorted(_TARGET_KEYS))}")
        texts = {key: self.word(key) for key in _TEXT_KEYS}
        if not _NAME_PATTERN.fullmatch(texts["name"]):
            raise self.wrong("name", "name is missing, or no name", 'small letters, digits and dashes: name = "zed"')
        if texts["name"] in taken:
            raise self.wrong("name", f"there is an agent {texts['name']} already", "another name")
        if texts["form"] not in FORMS:
            raise self.wrong("form", "form is missing, or unknown", f"one of {', '.join(FORMS)}")
        if texts["front_matter"] and texts["form"] == "block":
            raise self.wrong("front_matter", "a block has no front matter", 'form = "file"')
        return TomlTarget(
            name=texts["name"],
            title=texts["title"] or texts["name"],
            form=texts["form"],
            places=self.places(texts["form"]),
            detect=self.words("detect"),
            front_matter=texts["front_matter"],
            limit=self.limit(),
            imports=texts["imports"],
            is_short=self.table.get("short") is True,
        )

    def word(self, key: str, table: Mapping[str, Any] | None = None, scope: str = "") -> str:
        """A text; empty when it is not there."""
        value = (self.table if table is None else table).get(key, "")
        if not isinstance(value, str):
            raise self.wrong(f"{scope}{key}", f"{key} must be text", f'{key} = "…"')
        return value

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        value = self.table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(word, str) and word for word in value):
            raise self.wrong(key, f"{key} is no list of texts", f'{key} = ["~/.zed", "zed"]')
        return tuple(value)

    def limit(self) -> int:
        """Characters at most; 0 for any."""
        value = self.table.get("limit", 0)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise self.wrong("limit", "limit must be a number of characters", "limit = 12000")
        return value

    def places(self, form: str) -> dict[Scope, TargetPaths]:
        """Where it goes, by scope."""
        found: dict[Scope, TargetPaths] = {}
        for scope in _SCOPES:
            table = self.table.get(scope)
            if table is None:
                continue
            if not isinstance(table, dict):
                raise self.wrong(scope, f"{scope} is no table", f'[{scope}] and under it file = "…"')
            for key in table:
                if key not in _SCOPE_KEYS:
                    raise self.wrong(f"{scope}.{key}", f"unknown key: {key}", f"one of {', '.join(_SCOPE_KEYS)}")
            file, settings = self.file("file", table, scope), ""
            if form == "read-list":
                settings = self.file("settings", table, scope)
            found[scope] = TargetPaths(file, settings, self.word("key", table, f"{scope}.") or "read")
        if not found:
            raise self.wrong("", "it says nowhere to go", '[project] and under it file = ".rules"')
        return found

    def file(self, key: str, table: Mapping[str, Any], scope: Scope) -> str:
        """A path inside the project, or inside the home folder."""
        value = self.word(key, table, f"{scope}.")
        start = "~/" if scope == "user" else ""
        inner = Path(value.removeprefix(start))
        if not value or not value.startswith(start) or inner.is_absolute() or ".." in inner.parts:
            where = "the home folder" if scope == "user" else "the project"
            raise self.wrong(f"{scope}.{key}", f"{key} is no path inside {where}", f'{key} = "{start}.zed/rules.md"')
        return value

    def wrong(self, key: str, what: str, hint: str) -> ConfigError:
        """The error, with the line of the key; the first line when it is not there."""
        return ConfigError(f"{self.path}, line {find_line(self.text, key) or 1}: {what}", hint=hint)
