"""The settings of a memory: one schema for the file, the command line and the settings screen.

An invalid value never stops anything: its default applies, with one warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from recall_tui import files
from recall_tui.errors import ConfigError
from recall_tui.files import OtherOwnerError, OutsideRootError
from recall_tui.setting_schema import OPEN_TABLES, SCHEMA, SETTINGS_BY_KEY, Setting, SettingValue

Origin = Literal["default", "file", "environment"]
_KEY_ALIASES = {
    "ctrl+m": "enter",
    "ctrl+j": "enter",
    "ctrl+i": "tab",
    "ctrl+h": "backspace",
    "ctrl+[": "esc",
    "ctrl+left_square_bracket": "esc",
}
"""Maps a key to the key that terminals send in its place."""
_MISSPELLING_RATIO = 0.8
"""From this similarity on, a name in a table with additional keys is a misspelling of a known one."""
_SHARED_WIKI = re.compile(r"\s*([a-z0-9]+(?:-[a-z0-9]+)*)\s*(?:\((member|reader)\))?\s*=\s*(\S.*?)\s*")
_SECRET_KEY = re.compile(r"\..*(?:key|token|secret|password)", re.IGNORECASE)
MAX_NAME_PARTS = 64
"""Maximum parts of a dotted name. tomllib's time grows quadratically with the parts: seconds for 20 kB."""
_PART_CHARS = 80
"""Longer parts are too few to do harm and are not counted."""
_NAME_PART = rf"""(?:"(?:[^"\\\n]|\\.){{0,{_PART_CHARS}}}+"|'[^'\n]{{0,{_PART_CHARS}}}+'|[\w-]{{1,{_PART_CHARS}}}+)"""
_DEEP_NAME = re.compile(rf"(?:{_NAME_PART}[ \t]{{0,{_PART_CHARS}}}+\.[ \t]{{0,{_PART_CHARS}}}+){{{MAX_NAME_PARTS}}}")


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML into nested tables; ValueError names the line and column of an error, or RecursionError."""
    import tomllib

    if deep := _DEEP_NAME.search(text):
        line = text.count("\n", 0, deep.start()) + 1
        raise ValueError(f"A name with more than {MAX_NAME_PARTS} parts (at line {line})")
    return tomllib.loads(text)


class SharedWiki(NamedTuple):
    """A wiki shared with others."""

    name: str
    folder: str
    """As written; a relative path is below the memory's folder."""
    role: Literal["member", "reader"]


class Config(NamedTuple):
    """The effective settings, the origin of each, and the warnings about invalid ones."""

    values: Mapping[str, SettingValue] = MappingProxyType({})
    """Only the values that were set; `get` falls back to the schema."""
    origins: Mapping[str, Origin] = MappingProxyType({})
    warnings: tuple[str, ...] = ()
    path: Path | None = None
    """The settings file, if there is one."""
    refused: Mapping[str, str] = MappingProxyType({})
    """Maps keys of the schema with an invalid value to the reason and the allowed values."""

    def get(self, key: str) -> SettingValue | None:
        """Return the value of `key` or its default; ConfigError for a key outside the schema and its open tables."""
        if key in self.values:
            return self.values[key]
        return get_setting(key).default

    def whole(self, key: str) -> int:
        """Return the value of an integer setting."""
        value = self.get(key)
        assert isinstance(value, int)
        return value

    def text(self, key: str) -> str:
        """Return the value of a text setting; empty when unset."""
        value = self.get(key)
        return "" if value is None else str(value)

    def numbers(self, key: str) -> tuple[float, ...]:
        """Return the value of a setting that is a list of numbers."""
        value = self.get(key)
        assert isinstance(value, tuple)
        return tuple(map(float, value))

    def origin(self, key: str) -> Origin:
        """Return the origin of the value of `key`."""
        return self.origins.get(key, "default")


def get_setting(key: str) -> Setting:
    """Return the schema entry of `key`; ConfigError with the closest known key when there is none.

    A table that takes additional keys takes no misspelling of one that it has.
    """
    if key in SETTINGS_BY_KEY:
        return SETTINGS_BY_KEY[key]
    import difflib

    near = difflib.get_close_matches(key, SETTINGS_BY_KEY, n=1)
    table, _, rest = key.partition(".")
    names = [one.removeprefix(f"{table}.") for one in SETTINGS_BY_KEY if one.startswith(f"{table}.")]
    is_misspelled = bool(difflib.get_close_matches(rest, names, n=1, cutoff=_MISSPELLING_RATIO))
    if table in OPEN_TABLES and rest and "." not in rest and not is_misspelled:
        return Setting(key, None, f"a setting of [{table}]", OPEN_TABLES[table])
    raise ConfigError(f"unknown setting: {key}", hint=f"did you mean {near[0]}?" if near else "see: recall-tui config")


def env_name(key: str) -> str:
    """Return the environment variable of a setting: `ephemeral.max_entries` → `RECALL_EPHEMERAL_MAX_ENTRIES`."""
    return "RECALL_" + key.replace(".", "_").upper()


def render_value(value: object) -> str:
    """Render the value as a user writes it, lists with commas; empty when unset."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)


def allowed_values(setting: Setting) -> str:
    """Describe the allowed values; empty when any text is allowed."""
    if setting.choices:
        return ", ".join(setting.choices)
    if setting.low is not None and setting.high is not None:
        form = "g" if setting.high < 1e6 else ",.0f"
        return f"{setting.low:{form}} to {setting.high:{form}}"
    return {"flag": "true, false", "pairs": "`old = new`, …"}.get(setting.kind, "")


def is_secret(key: str) -> bool:
    """Return whether the key's name marks its value as secret; values of the schema are never secret."""
    return key not in SETTINGS_BY_KEY and not key.startswith("keys.") and _SECRET_KEY.search(key) is not None


def check_value(setting: Setting, raw: object) -> SettingValue:
    """Convert `raw` to the setting's type; ConfigError states the allowed values."""
    value = _convert_value(setting, raw)
    if setting.key.startswith("keys."):
        _check_keys(setting.key, str(value))
    if setting.key == "wiki.shared" and isinstance(value, tuple):
        shared_wikis(value)
    numbers = value if isinstance(value, tuple) else (value,)
    for number in numbers:
        if setting.kind not in ("whole", "number", "numbers") or not isinstance(number, int | float):
            continue
        if (setting.low is not None and number < setting.low) or (setting.high is not None and number > setting.high):
            raise ConfigError(f"{setting.key} = {raw} is out of range", hint=f"{setting.low:g} to {setting.high:g}")
    if setting.choices and not {*(value if isinstance(value, tuple) else (value,))} <= {*setting.choices}:
        raise ConfigError(f"{setting.key} = {raw} is not one of its values", hint=", ".join(setting.choices))
    if isinstance(value, tuple) and setting.length is not None and len(value) != setting.length:
        raise ConfigError(f"{setting.key} needs {setting.length} numbers", hint=f"such as {setting.default}")
    if setting.sums_to is not None and isinstance(value, tuple):
        total = sum(float(number) for number in value)
        if abs(total - setting.sums_to) > 1e-6:
            raise ConfigError(f"{setting.key} sums to {total:g}", hint=f"it must sum to {setting.sums_to:g}")
    return value


def shared_wikis(texts: Iterable[object]) -> tuple[SharedWiki, ...]:
    """Parse the shared wikis of `wiki.shared`; ConfigError for an invalid one."""
    found: dict[str, SharedWiki] = {}
    for text in map(str, texts):
        match = _SHARED_WIKI.fullmatch(text)
        if match is None:
            raise ConfigError(
                f"wiki.shared = {text}: not understood", hint="`name = folder` or `name (reader) = folder`"
            )
        name, role, folder = match[1], match[2] or "member", match[3]
        if name in ("private", "wiki"):
            raise ConfigError(f"wiki.shared = {text}: {name} is the memory's own wiki", hint="another name")
        if name in found:
            raise ConfigError(f"wiki.shared: {name} is named twice", hint="one folder for each name")
        found[name] = SharedWiki(name, folder, "reader" if role == "reader" else "member")
    return tuple(found.values())


def _check_keys(name: str, keys: str) -> None:
    for key in keys.split(","):
        if same := _KEY_ALIASES.get(key.strip().lower()):
            raise ConfigError(
                f"{name} = {key.strip()}: a terminal cannot tell it from {same}", hint="another key, such as f2"
            )


def _convert_value(setting: Setting, raw: object) -> SettingValue:
    wrong = ConfigError(f"{setting.key} = {raw!r} is not {_KIND_LABELS[setting.kind]}")
    text = raw.strip() if isinstance(raw, str) else raw
    match setting.kind:
        case "flag":
            if isinstance(text, bool):
                return text
            if isinstance(text, str) and text.lower() in _FLAG_VALUES:
                return _FLAG_VALUES[text.lower()]
            raise wrong
        case "whole" | "number":
            if isinstance(text, bool) or not isinstance(text, int | float | str):
                raise wrong
            try:
                return (
                    int(text)
                    if setting.kind == "whole" and not isinstance(text, float)
                    else _convert_number(setting, text)
                )
            except ValueError:
                raise wrong from None
        case "texts" | "pairs":
            parts = text.split(",") if isinstance(text, str) else text
            if not isinstance(parts, list | tuple):
                raise wrong
            words = tuple(str(part).strip() for part in parts if str(part).strip())
            if setting.kind == "pairs" and any(part.startswith("=") or part.endswith("=") for part in words):
                raise wrong
            return words
        case "numbers":
            parts = text.replace("/", ",").split(",") if isinstance(text, str) else text
            if not isinstance(parts, list | tuple):
                raise wrong
            try:
                return tuple(float(part) for part in parts)
            except (TypeError, ValueError):
                raise wrong from None
        case _:
            if isinstance(text, dict | list):
                raise wrong
            return str(text)


def _convert_number(setting: Setting, raw: float | str) -> float:
    value = float(raw)
    if setting.kind == "whole":
        if not value.is_integer():
            raise ValueError(raw)
        return int(value)
    return value


_KIND_LABELS = {
    "flag": "true or false",
    "whole": "a whole number",
    "number": "a number",
    "text": "a text",
    "numbers": "a list of numbers",
    "texts": "a list of texts",
    "pairs": "a list of `old = new`",
}
_FLAG_VALUES = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def load_config(path: Path | None, env: Mapping[str, str]) -> Config:
    """Read the settings file at `path` (TOML, or JSON by its suffix), overridden by the environment.

    Every error becomes a warning that names the file, the line when known, and the default used instead.
    """
    taken = _ConfigBuilder()
    if path is not None and path.is_file():
        try:
            table = read_table(path)
        except ConfigError as error:
            taken.warnings.append(f"{error.message}; running on defaults")
        except (OtherOwnerError, OutsideRootError) as error:
            taken.warnings.append(f"{path}: it {error.strerror}; running on defaults")
        else:
            for key, raw in _flatten(table):
                taken.take(key, raw, "file", str(path))
    for setting in SCHEMA:
        if (raw := env.get(env_name(setting.key))) is not None:
            taken.take(setting.key, raw, "environment", env_name(setting.key))
    return Config(taken.values, taken.origins, tuple(taken.warnings), path, taken.refused)


def read_table(path: Path) -> dict[str, object]:
    """Read the file as nested tables; ConfigError names the file and the line."""
    data = files.read_file(path, files.MAX_SETTINGS_BYTES)
    try:
        if path.suffix == ".json":
            import json

            table = json.loads(data)
            if not isinstance(table, dict):
                raise ConfigError(f"{path}: not an object", hint="it must start with {")
            return table
        return parse_toml(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: {error}", hint="fix the file; nothing in it was changed") from None


def _flatten(table: Mapping[str, object]) -> list[tuple[str, object]]:
    rows: list[tuple[str, object]] = []
    for name, value in table.items():
        if isinstance(value, dict):
            rows.extend((f"{name}.{key}", inner) for key, inner in value.items())
        else:
            rows.append((name, value))
    return rows


class _ConfigBuilder:
    """Collects the settings of the file and the environment."""

    def __init__(self) -> None:
        self.values: dict[str, SettingValue] = {}
        self.origins: dict[str, Origin] = {}
        self.warnings: list[str] = []
        self.refused: dict[str, str] = {}

    def take(self, key: str, raw: object, origin: Origin, where: str) -> None:
        """Add a value, or the reason that it is invalid."""
        try:
            setting = get_setting(key)
        except ConfigError:
            if key.partition(".")[0] not in _FOREIGN_TABLES:
                self.warnings.append(f"{where}: unknown setting {key} is ignored")
            return
        try:
            self.values[key] = check_value(setting, raw)
            self.origins[key] = origin
        except ConfigError as error:
            reason = f"{error.message} ({error.hint})" if error.hint else error.message
            self.refused[key] = reason
            self.warnings.append(f"{where}: {reason}; running on {_default_label(setting.default)}")


def _default_label(default: SettingValue | None) -> str:
    return "its default" if default is None else repr(default)


_FOREIGN_TABLES = ("pipeline", "graph", "paths")
"""Tables of other tools that use the same file name."""
