"""Setting and unsetting what the memory's settings file says.

A value that the schema refuses never reaches the file.
"""

from __future__ import annotations

import re

from recall_tui.config import check, env_name, setting_for
from recall_tui.domain import Create, Plan, Replace
from recall_tui.setting_schema import Value
from recall_tui.storage.config_file import has, path_of, with_value, without
from recall_tui.storage.files.atomic import digest, read_text
from recall_tui.storage.memory_context import Store

_SHORT = {"provider": "llm.provider", "model": "llm.model", "api_base": "llm.api_base"}
"""Keys as recall-echo's `config set` knows them."""
_OF_THE_PROVIDER = ("llm.model", "llm.api_base")
"""What means nothing to another provider; recall-echo blanks them when it changes."""
_SECRET = re.compile(r"^keys\.|key|token|secret|password", re.I)


def set_value(store: Store, key: str, raw: object) -> Plan:
    """The change that sets `key`; ConfigError when there is no such setting or the value is not allowed."""
    key = _SHORT.get(key, key)
    value = check(setting_for(key), raw)
    path = path_of(store.layout)
    text = read_text(path)
    changed = with_value(text, key, value, path)
    notes = _notes(store, key)
    if key == "llm.provider" and store.config.text(key) != value:
        for other in _OF_THE_PROVIDER:
            if has(changed, other, path):
                changed = without(changed, other, path)
                notes = (*notes, f"{other} belonged to the old provider and is unset")
    shown = "…" if _SECRET.search(key) else _written(value)
    return _plan(store, text, changed, f"Set {key} = {shown}", f"{key} is {shown} already", notes)


def unset(store: Store, key: str) -> Plan:
    """The change that takes `key` out of the file, unknown keys too; ConfigError when nobody knows it."""
    key = _SHORT.get(key, key)
    path = path_of(store.layout)
    text = read_text(path)
    if not has(text, key, path):
        setting_for(key)
        return Plan(
            f"{key} is not set", notes=_notes(store, key), facts={"file": store.relative(path), "changed": False}
        )
    return _plan(store, text, without(text, key, path), f"Unset {key}", f"{key} is not set", _notes(store, key))


def _plan(store: Store, text: str, changed: str, title: str, already: str, notes: tuple[str, ...]) -> Plan:
    path = path_of(store.layout)
    facts = {"file": store.relative(path), "changed": changed != text}
    if changed == text:
        return Plan(already, notes=notes, facts=facts)
    edit = Replace(path, digest(text), changed) if path.is_file() else Create(path, changed)
    return Plan(title, (edit,), notes, facts)


def _notes(store: Store, key: str) -> tuple[str, ...]:
    if store.config.origin(key) == "environment":
        return (f"{env_name(key)} is set in the environment and wins over the file",)
    if key == "layout":
        return ("documents stay where they are; only where they are looked for changes",)
    return ()


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) if all(isinstance(part, str) for part in value) else "/".join(map(str, value))
    return str(value)
