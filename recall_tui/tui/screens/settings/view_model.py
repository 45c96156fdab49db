"""The settings as their screen shows them: each with its value, where that came from, and what it takes.

Values whose names say that they are secrets never get as far as a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.config import Config, Origin, get_setting, is_secret, render_value
from recall_tui.setting_schema import SCHEMA, Setting
from recall_tui.storage.config_file import config_path, find_line
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.unconfirmed_settings import describe_unconfirmed
from recall_tui.text.cut import one_line

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench


@dataclass(frozen=True, slots=True)
class SettingView:
    """One setting."""

    setting: Setting
    value: str
    """As a person writes it; empty when it is unset."""
    origin: Origin
    refused: str = ""
    """Why what is written cannot be used; empty when it can."""
    is_unconfirmed: bool = False
    """What is written is valid, and only waits for the user's confirmation; `refused` says so."""
    line: int = 0
    """The line of the file that sets it; 0 when none does, or none is found."""

    @property
    def key(self) -> str:
        """Its name."""
        return self.setting.key

    @property
    def is_hidden(self) -> bool:
        """It is a secret, and what is shown of it is not its value."""
        return is_secret(self.key)

    @property
    def is_switch(self) -> bool:
        """It is on or off."""
        return self.setting.kind == "flag"


@dataclass(frozen=True, slots=True)
class SettingsView:
    """All of them."""

    path: Path
    """The file that holds them, or would."""
    rows: tuple[SettingView, ...]
    warnings: tuple[str, ...]
    """What is wrong with the file and the environment."""
    unconfirmed: tuple[str, ...] = ()
    """What only waits for the user's confirmation."""


def load_settings(bench: Workbench, themes: Iterable[str]) -> SettingsView:
    """Read the settings; of the theme every one that the app has can be chosen."""
    config, path = bench.config, config_path(bench.layout)
    text = read_text(path) if path.is_file() and path.suffix != ".json" else ""
    known = {one.key for one in SCHEMA}
    further = sorted({*config.values, *config.refused} - known)
    settings = [*SCHEMA, *map(get_setting, further)]
    waiting = describe_unconfirmed(bench.store)
    rows = (_row(config, one, text, waiting.get(one.key, "")) for one in settings)
    told = {f"{config.path}: {config.refused[key]}" for key in waiting if key in config.refused}
    return SettingsView(
        path,
        tuple(_with_themes(row, sorted(themes)) for row in rows),
        tuple(one for one in config.warnings if one not in told),
        tuple(f"{path}: {words}" for words in waiting.values()),
    )


def _row(config: Config, setting: Setting, text: str, waiting: str) -> SettingView:
    key = setting.key
    value = "(hidden)" if is_secret(key) else render_value(config.get(key))
    refused = waiting or config.refused.get(key, "")
    return SettingView(setting, value, config.origin(key), refused, bool(waiting), find_line(text, key))


def _with_themes(row: SettingView, themes: Sequence[str]) -> SettingView:
    return replace(row, setting=row.setting._replace(choices=tuple(themes))) if row.key == "theme" else row


def change_warning(bench: Workbench, key: str) -> tuple[str, ...]:
    """What is to be said when the setting was changed: why there will be no vectors, when it is about them."""
    if not key.startswith("embeddings."):
        return ()
    from recall_tui.llm.embedders.selection import configuration_error

    why = configuration_error(bench.store)
    return (one_line(why.words),) if why else ()


_OTHER_WORDS = {
    "theme": "color colour look dark light",
    "inject.tokens": "limit context",
    "inject.notice": "message greeting",
    "capture.auto": "keep record save automatic",
    "capture.days": "date daily log",
    "transcripts.projects": "folder private repository",
    "ephemeral.max_entries": "window recent",
    "memory.max_lines": "limit size",
    "memory.max_bytes": "limit size",
    "review.auto": "accept approve",
    "keep.days": "expire retention remove",
    "backups.days": "restore",
    "llm.provider": "ai agent",
    "llm.price_asked": "cost",
    "llm.price_answered": "cost",
    "llm.tokens_per_day": "budget cost limit",
    "llm.calls_per_day": "budget limit",
}
"""Words by which a person looks for a setting, besides those that it has."""


def filter_settings(rows: Sequence[SettingView], letters: str) -> tuple[SettingView, ...]:
    """The rows whose name, meaning, value, origin or other words contain every word of the letters."""
    words = letters.casefold().split()

    def holds(row: SettingView) -> bool:
        text = f"{row.key} {row.setting.help} {row.value} {row.origin} {_OTHER_WORDS.get(row.key, '')}".casefold()
        return all(word in text for word in words)

    return tuple(filter(holds, rows))
