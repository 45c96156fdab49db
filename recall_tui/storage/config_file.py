"""Edit the settings file in place: single values change; comments, order and unknown keys stay.

A file that cannot be read is never overwritten.
"""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui.config import Config, is_secret, parse_toml, read_table
from recall_tui.domain import Create, Edit, Plan, Replace
from recall_tui.errors import ConfigError
from recall_tui.setting_schema import SettingValue
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.layout import CONFIG_NAME, JSON_CONFIG_NAME, Layout
from recall_tui.storage.markdown.outline import line_ending, split_lines
from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.line_ends import ended_like
from recall_tui.text.redaction_marks import MARK_PREFIX

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

Table = MutableMapping[str, Any]
_TABLE = lazy_pattern(r"\s*\[([^\[\]]+)\]\s*(?:#|$)")
_NAME = lazy_pattern(r"([^#=\[]++)=")


def config_path(layout: Layout) -> Path:
    """Return the file of the memory's settings: the TOML file, or the older JSON one if there is no TOML file."""
    other = layout.root / JSON_CONFIG_NAME
    is_other = layout.design.reads_json_settings and not layout.config.is_file() and other.is_file()
    return other if is_other else layout.config


def layout_edit(store: Store) -> Edit | None:
    """Return the edit that records the memory's layout; None when the settings have it or cannot be read.

    Fast enough for a hook: it loads no library.
    """
    path = config_path(store.layout)
    if not path.is_file():
        return Create(path, with_layout("", store.layout.name, path))
    try:
        if "layout" in read_table(path):
            return None
    except ConfigError:
        return None
    text = read_text(path)
    return Replace(path, content_digest(text), with_layout(text, store.layout.name, path))


def add_layout_edit(store: Store, plan: Plan) -> Plan:
    """Return the plan, extended by the edit that records the layout if this is the memory's first change."""
    own = {store.layout.config, store.root / JSON_CONFIG_NAME}
    paths = {edit.path for edit in plan.edits}
    is_of_memory = not all(path.is_relative_to(store.environment.state) for path in paths)
    layout = layout_edit(store) if is_of_memory and not own & paths else None
    if layout is None:
        return plan
    return replace(plan, edits=(*plan.edits, layout))


def with_value(text: str, key: str, value: SettingValue, path: Path = Path(CONFIG_NAME)) -> str:
    """Return `text` with `key` set; its table is created when missing.

    The path's extension decides between TOML and JSON. Raises ConfigError, naming file and line, when `text` is
    invalid.
    """
    plain = list(value) if isinstance(value, tuple) else value

    def change(table: Table) -> None:
        holder, name = _find_table(table, key, path, is_made=True)
        holder[name] = plain

    return _edit(text, path, change)


def without_value(text: str, key: str, path: Path = Path(CONFIG_NAME)) -> str:
    """Return `text` without `key`, unchanged when it has no such key; the table stays, with its comments.

    Raises ConfigError when `key` is a whole table, or when `text` cannot be read.
    """

    def change(table: Table) -> None:
        holder, name = _find_table(table, key, path, is_made=False)
        if isinstance(holder.get(name), MutableMapping):
            raise ConfigError(
                f"{key} is a table of settings", hint=f"name one of them, such as {key}.{_first_key(holder[name])}"
            )
        holder.pop(name, None)

    return _edit(text, path, change)


def redact_values(text: str, config: Config) -> tuple[str, int]:
    """Replace each value with a secret key by `[redacted:setting]`; return the text and the number of replacements."""
    count = 0
    for key, value in config.values.items():
        if is_secret(key) and config.origin(key) == "file" and isinstance(value, str) and value in text:
            if not value or MARK_PREFIX in value:
                continue
            text, count = text.replace(value, f"{MARK_PREFIX}setting]"), count + 1
    return text, count


def contains(text: str, key: str, path: Path = Path(CONFIG_NAME)) -> bool:
    """Return whether the file sets `key`, even one unknown to us."""
    holder, name = _find_table(_parse(text, path), key, path, is_made=False)
    return name in holder


def has_only_layout(text: str, path: Path) -> bool:
    """Return whether the file sets at most the layout."""
    try:
        return set(_without_empty(_parse(text, path))) <= {"layout"}
    except ConfigError:
        return False


def find_line(text: str, key: str) -> int:
    """Return the line of a TOML text, from 1, that sets `key`; 0 when there is none in plain syntax."""
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if header := _TABLE.match(line):
            table = re.sub(r"[\s\"']", "", header[1]) + "."
        elif (name := _NAME.match(line)) and table + re.sub(r"[\s\"']", "", name[1]) == key:
            return number
    return 0


def with_layout(text: str, name: str, path: Path = Path(CONFIG_NAME)) -> str:
    """Return `text` with `layout` set before everything except its opening comments.

    For the first write to a memory, where tomlkit would take too long.
    """
    if path.suffix == ".json":
        return with_value(text, "layout", name, path)
    lines = split_lines(text)
    newline = line_ending(text)
    at = next((n for n, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), len(lines))
    comment = at
    while comment and lines[comment - 1].strip():
        comment -= 1
    at = comment if comment else at
    before, after = "".join(lines[:at]), "".join(lines[at:])
    if before and not before.endswith("\n"):
        before += newline
    gap = newline if after and not after.startswith(("\n", "\r\n")) and after.lstrip().startswith(("[", "#")) else ""
    return f'{before}layout = "{name}"{newline}{gap}{after}'


def _edit(text: str, path: Path, change: Callable[[Table], None]) -> str:
    """Apply the change to `text`; ConfigError when the rewritten file would not have exactly that effect."""
    expected = _parse(text, path)
    change(expected)
    if path.suffix == ".json":
        return _render_json_like(text, expected)
    import tomlkit

    document = tomlkit.parse(text)
    change(document)
    result = document.as_string()
    result = ended_like(result, text)
    if _without_empty(_parse(result, path)) != _without_empty(expected):
        raise ConfigError(f"{path} is written in a way that cannot be edited here", hint="edit it by hand")
    return result


def _parse(text: str, path: Path) -> Table:
    """Parse the file into plain nested tables."""
    try:
        if path.suffix == ".json":
            import json

            table = json.loads(text or "{}")
            if not isinstance(table, dict):
                raise ConfigError(f"{path}: not an object", hint="it must start with {")
            return table
        return parse_toml(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: {error}", hint="fix the file; nothing in it was changed") from None


def _find_table(table: Table, key: str, path: Path, *, is_made: bool) -> tuple[Table, str]:
    """Return the table that holds `key`, and its name there."""
    first, _, rest = key.partition(".")
    if not rest or key in table:
        return table, key
    if first not in table:
        if not is_made:
            return {}, rest
        table[first] = {}
    inner = table[first]
    if not isinstance(inner, MutableMapping):
        raise ConfigError(f"{path}: {first} is a value, not a table", hint=f"make it a table: [{first}]")
    return inner, rest


def _without_empty(table: Table) -> Table:
    """Return the table without empty tables, which may or may not be written."""
    return {name: value for name, value in table.items() if value != {}}


def _first_key(table: Table) -> str:
    return next(iter(table), "key")


def _render_json_like(text: str, table: Table) -> str:
    """Render `table` as JSON with the indentation, line endings and final newline of `text`."""
    import json

    indent = re.search(r"\n([ \t]+)\S", text)
    width = indent[1] if indent else (None if text.strip() else "  ")
    newline = line_ending(text)
    out = json.dumps(table, indent=width, ensure_ascii=text.isascii()).replace("\n", newline)
    return out + (newline if not text or text.endswith("\n") else "")
