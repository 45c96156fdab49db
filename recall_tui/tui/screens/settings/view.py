"""The settings as their screen shows them: each with its value, where that came from, and what it takes.

Values whose names say that they are secrets never get as far as a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.config import Config, Origin, is_secret, setting_for, written
from recall_tui.setting_schema import SCHEMA, Setting
from recall_tui.storage.config_file import line_of, path_of
from recall_tui.storage.files.atomic import read_text
from recall_tui.text.cut import one_line

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench


@dataclass(frozen=True, slots=True)
class SeenSetting:
    """One setting."""

    setting: Setting
    value: str
    """As a person writes it; empty when it is unset."""
    origin: Origin
    refused: str = ""
    """Why what is written cannot be used; empty when it can."""
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
class SeenSettings:
    """All of them."""

    path: Path
    """The file that holds them, or would."""
    rows: tuple[SeenSetting, ...]
    warnings: tuple[str, ...]
    """What is wrong with the file and the environment."""


def look_at_settings(bench: Workbench, themes: Iterable[str]) -> SeenSettings:
    """Read the settings; of the theme every one that the app has can be chosen."""
    config, path = bench.config, path_of(bench.layout)
    text = read_text(path) if path.is_file() and path.suffix != ".json" else ""
    known = {one.key for one in SCHEMA}
    further = sorted({*config.values, *config.refused} - known)
    settings = [*SCHEMA, *map(setting_for, further)]
    rows = (_row(config, one, text) for one in settings)
    return SeenSettings(path, tuple(_with_themes(row, sorted(themes)) for row in rows), config.warnings)


def _row(config: Config, setting: Setting, text: str) -> SeenSetting:
    key = setting.key
    value = "(hidden)" if is_secret(key) else written(config.get(key))
    return SeenSetting(setting, value, config.origin(key), config.refused.get(key, ""), line_of(text, key))


def _with_themes(row: SeenSetting, themes: Sequence[str]) -> SeenSetting:
    return replace(row, setting=row.setting._replace(choices=tuple(themes))) if row.key == "theme" else row


def doubts(bench: Workbench, key: str) -> tuple[str, ...]:
    """What is to be said when the setting was changed: why there will be no vectors, when it is about them."""
    if not key.startswith("embeddings."):
        return ()
    from recall_tui.llm.embedders.selection import trouble

    why = trouble(bench.store)
    return (one_line(why.words),) if why else ()


def alike(rows: Sequence[SeenSetting], letters: str) -> tuple[SeenSetting, ...]:
    """The rows whose name, meaning, value or origin holds every word of the letters."""
    words = letters.casefold().split()

    def holds(row: SeenSetting) -> bool:
        text = f"{row.key} {row.setting.help} {row.value} {row.origin}".casefold()
        return all(word in text for word in words)

    return tuple(filter(holds, rows))
