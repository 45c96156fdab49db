"""Setting and unsetting what the memory's settings file says.

A value that the schema refuses never reaches the file.
"""

from __future__ import annotations

import re

from recall_tui.config import check_value, env_name, get_setting
from recall_tui.domain import Create, Plan, Replace
from recall_tui.errors import ConfigError
from recall_tui.setting_schema import SettingValue
from recall_tui.storage.config_file import config_path, contains, with_value, without_value
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.memory_context import Store

_KEY_ALIASES = {"provider": "llm.provider", "model": "llm.model", "api_base": "llm.api_base"}
"""Keys as recall-echo's `config set` knows them."""
_PROVIDER_KEYS = ("llm.model", "llm.api_base")
"""What means nothing to another provider; recall-echo blanks them when it changes."""
_MODEL_KEYS = ("llm.provider", "llm.summary", "llm.synthesis", "llm.dream")
"""What names a provider, or `provider/model`."""
_SECRET_KEY = re.compile(r"^keys\.|key|token|secret|password", re.I)


def set_value(store: Store, key: str, raw: object) -> Plan:
    """The change that sets `key`; ConfigError when there is no such setting or the value is not allowed."""
    key = _KEY_ALIASES.get(key, key)
    value = check_value(get_setting(key), raw)
    _check_provider(key, value)
    path = config_path(store.layout)
    text = read_text(path)
    changed = with_value(text, key, value, path)
    notes = _setting_notes(store, key)
    if key == "llm.provider" and store.config.text(key) != value:
        for other in _PROVIDER_KEYS:
            if contains(changed, other, path):
                changed = without_value(changed, other, path)
                notes = (*notes, f"{other} belonged to the old provider and is unset")
    shown = "…" if _SECRET_KEY.search(key) else _render_value(value)
    return _build_plan(store, text, changed, f"Set {key} = {shown}", f"{key} is {shown} already", notes)


def _check_provider(key: str, value: SettingValue) -> None:
    """Raise ConfigError for a provider that neither this program nor an installed package has."""
    if key not in _MODEL_KEYS and key != "embeddings.provider":
        return
    from recall_tui.installed_plugins import installed_plugins
    from recall_tui.llm import selection
    from recall_tui.llm.embedders import selection as embedders
    from recall_tui.text.nearest import suggestion

    group = selection.ENTRY_POINTS
    off: tuple[str, ...] = selection.OFF_VALUES
    known: tuple[str, ...] = selection.PROVIDERS
    name = selection.provider_name(str(value))
    if key == "embeddings.provider":
        group, off = embedders.ENTRY_POINTS, embedders.OFF_VALUES
        known = (embedders.LOCAL, embedders.SERVER)
        name = str(value).strip().lower()
    names = (*known, *(point.name.lower() for point in installed_plugins(group)))
    if name not in (*off, *names):
        raise ConfigError(f"{key} = {value}: there is no provider {name!r}", hint=suggestion(name, names))


def unset(store: Store, key: str) -> Plan:
    """The change that takes `key` out of the file, unknown keys too; ConfigError when nobody knows it."""
    key = _KEY_ALIASES.get(key, key)
    path = config_path(store.layout)
    text = read_text(path)
    if not contains(text, key, path):
        get_setting(key)
        return Plan(
            f"{key} is not set",
            notes=_setting_notes(store, key),
            facts={"file": store.relative(path), "changed": False},
        )
    return _build_plan(
        store, text, without_value(text, key, path), f"Unset {key}", f"{key} is not set", _setting_notes(store, key)
    )


def _build_plan(store: Store, text: str, changed: str, title: str, already: str, notes: tuple[str, ...]) -> Plan:
    path = config_path(store.layout)
    facts = {"file": store.relative(path), "changed": changed != text}
    if changed == text:
        return Plan(already, notes=notes, facts=facts)
    edit = Replace(path, content_digest(text), changed) if path.is_file() else Create(path, changed)
    return Plan(title, (edit,), notes, facts)


def _setting_notes(store: Store, key: str) -> tuple[str, ...]:
    if store.config.origin(key) == "environment":
        return (f"{env_name(key)} is set in the environment and overrides the file",)
    if key == "layout":
        return ("documents stay where they are; only where they are looked for changes",)
    return ()


def _render_value(value: SettingValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) if all(isinstance(part, str) for part in value) else "/".join(map(str, value))
    return str(value)
