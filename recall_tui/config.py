"""The settings of a memory: one schema that the file, the command line and the settings screen read.

A bad value never stops anything: it runs on its default, with one warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from recall_tui import files, toml
from recall_tui.errors import ConfigError
from recall_tui.files import StrayedError

Value = bool | int | float | str | tuple[float, ...] | tuple[str, ...]
Origin = Literal["default", "file", "environment"]


class Setting(NamedTuple):
    """One key of the schema."""

    key: str
    """Dotted, such as `ephemeral.max_entries`; the first part is the table in the file."""
    default: Value | None
    """None when it is unset, or follows from the layout."""
    help: str
    kind: Literal["flag", "whole", "number", "text", "numbers", "texts", "pairs"] = "text"
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    """What it may be; of a list, each of its texts."""
    sums_to: float | None = None
    """What the numbers of a list must add up to."""
    length: int | None = None
    """How many numbers a list has."""


_LAYOUTS = ("entity", "user", "project", "hierarchical", "claude-project")
_CONSOLIDATED = ("weekly", "monthly", "wisdom", "wiki", "supersession")

SCHEMA: tuple[Setting, ...] = (
    Setting("layout", None, "which published layout this memory has", choices=_LAYOUTS),
    Setting("ephemeral.max_entries", 5, "sessions in the rolling window", "whole", 1, 50),
    Setting("memory.max_lines", 200, "lines of MEMORY.md that an agent loads", "whole", 20, 10_000),
    Setting("memory.max_bytes", 25_600, "bytes of MEMORY.md that an agent loads", "whole", 1_024, 1_048_576),
    Setting(
        "memory.follow_links",
        False,
        "links of this memory that lead out of it are followed; set it for your own links, not for those of others",
        "flag",
    ),
    Setting("capture.auto", None, "hooks write archives by themselves (default: on, off in layout project)", "flag"),
    Setting("capture.days", True, "a session that ends gets a line in the log of its day", "flag"),
    Setting("inject.tokens", 1_000, "tokens handed to a starting session at most", "whole", 0, 8_000),
    Setting(
        "transcripts.projects",
        None,
        "whose sessions are captured and searched (default: here in a repository or project folder, in layouts project,"
        " hierarchical and claude-project; else all)",
        choices=("all", "here"),
    ),
    Setting(
        "transcripts.aliases",
        (),
        "folders that were moved or renamed, as `old = new`; without `= new` it is this memory's folder now",
        "pairs",
    ),
    Setting("transcripts.sources", (), "further folders of transcripts", "texts"),
    Setting(
        "keep.days", None, "days that copies of archived transcripts are kept (default: forever)", "whole", 1, 36_500
    ),
    Setting(
        "backups.days", 7, "daily backups of the memory's files, and four weekly ones before (0: none)", "whole", 0, 365
    ),
    Setting(
        "search.weights",
        (0.5, 0.3, 0.2),
        "weights of embedding, words, parent; they sum to 1",
        "numbers",
        0,
        1,
        sums_to=1.0,
        length=3,
    ),
    Setting("search.parents", 10, "periods that route a question", "whole", 1, 100),
    Setting("search.sigma_days", 30.0, "how fast a vague time fades, in days", "number", 1, 3_650),
    Setting("wiki.score_boost", 0.9, "weight of wiki pages among hits", "number", 0, 2),
    Setting(
        "wiki.shared",
        (),
        "wikis that are shared, as `name = folder`; `name (reader) = folder` is not written to",
        "texts",
    ),
    Setting(
        "salience.strategy", "salience", "how days are weighed in a summary", choices=("salience", "uniform", "recency")
    ),
    Setting(
        "salience.weights", (0.4, 0.3, 0.3), "weights of the parts of salience", "numbers", 0, 1, sums_to=1.0, length=3
    ),
    Setting("wisdom.max_entries", 20, "entries of WISDOM.md", "whole", 1, 200),
    Setting(
        "master.max_lines", 200, "lines of the master; what is oldest stays in the summaries alone", "whole", 20, 10_000
    ),
    Setting("master.imported", False, "installed rules import the master into every session", "flag"),
    Setting("synthesize.after", 0, "new summaries after which a synthesis is proposed; 0: never", "whole", 0, 1_000),
    Setting(
        "review.auto",
        (),
        "kinds of proposals that apply themselves when they are made, as far as they are safe",
        "texts",
        choices=_CONSOLIDATED,
    ),
    Setting("dream.enabled", False, "consolidation may run and log searches", "flag"),
    Setting("recall.synthesize_prompts", False, "the prompt hook may ask a model, for three seconds at most", "flag"),
    Setting(
        "llm.provider",
        "",
        "the model: claude, codex, copilot, gemini, ollama, llm, command, openai, anthropic; empty: none",
    ),
    Setting("llm.model", "", "the model's name; empty: the provider's default, where it has one"),
    Setting("llm.api_base", "", "the address of the server; empty: the provider's own"),
    Setting("llm.command", "", "the program and its words, for provider `command`; the question is on its stdin"),
    Setting("llm.summary", "", "`provider` or `provider/model` for summaries and lessons; `off`: none"),
    Setting("llm.synthesis", "", "the same for answers and for the master"),
    Setting("llm.dream", "", "the same for consolidation"),
    Setting("llm.timeout_seconds", 120, "after so long a call is given up", "whole", 1, 3_600),
    Setting("llm.calls_per_day", 100, "calls of a day at most", "whole", 0, 1_000_000),
    Setting("llm.tokens_per_day", 1_000_000, "tokens of a day at most", "whole", 0, 1_000_000_000),
    Setting("llm.calls_per_session", 20, "calls about one session at most", "whole", 0, 1_000_000),
    Setting("llm.concurrency", 2, "calls at one time", "whole", 1, 16),
    Setting(
        "llm.price_asked",
        None,
        "US dollars for a million tokens of questions, when no provider says",
        "number",
        0,
        10_000,
    ),
    Setting("llm.price_answered", None, "the same for answers", "number", 0, 10_000),
    Setting(
        "embeddings.provider",
        "",
        "what makes vectors: local, openai (any server that speaks so), or another package's; empty: none",
    ),
    Setting(
        "embeddings.path",
        "",
        "for local: a folder with an ONNX model and its tokenizer.json, or `package:NAME`, a package with one",
    ),
    Setting("embeddings.model", "", "the model's name at the server; for local without a path: the package with it"),
    Setting("embeddings.api_base", "", "the address of the server; empty: OpenAI's"),
    Setting(
        "embeddings.dimensions", None, "the width of vectors, for a server that can make several", "whole", 1, 16_384
    ),
    Setting("embeddings.dialogue_only", True, "only what was said has vectors, not all that was written", "flag"),
    Setting("embeddings.batch", 32, "texts that are made into vectors at one time", "whole", 1, 256),
    Setting("embeddings.timeout_seconds", 30, "after so long a call to the server is given up", "whole", 1, 3_600),
    Setting(
        "embeddings.tokens_per_day", 10_000_000, "tokens that the server gets in a day at most", "whole", 0, 10**12
    ),
    Setting("theme", "recall-dark", "the app's theme"),
)
BY_KEY: Mapping[str, Setting] = {setting.key: setting for setting in SCHEMA}
OPEN_TABLES = ("llm", "embeddings", "keys")
"""Tables in which any further key is a plain text of its own."""
_SAME_KEYS = {
    "ctrl+m": "enter",
    "ctrl+j": "enter",
    "ctrl+i": "tab",
    "ctrl+h": "backspace",
    "ctrl+[": "esc",
    "ctrl+left_square_bracket": "esc",
}
"""Keys that terminals send as another one, and which."""
_SHARED_WIKI = re.compile(r"\s*([a-z0-9]+(?:-[a-z0-9]+)*)\s*(?:\((member|reader)\))?\s*=\s*(\S.*?)\s*")
_SECRET = re.compile(r"\..*(?:key|token|secret|password)", re.IGNORECASE)


class SharedWiki(NamedTuple):
    """A wiki that others use as well."""

    name: str
    folder: str
    """As it is written; a relative one is below the memory's folder."""
    role: Literal["member", "reader"]


class Config(NamedTuple):
    """The settings in force, where each came from, and what was wrong with the rest."""

    values: Mapping[str, Value] = MappingProxyType({})
    """Only what was set; `get` falls back to the schema."""
    origins: Mapping[str, Origin] = MappingProxyType({})
    warnings: tuple[str, ...] = ()
    path: Path | None = None
    """The file it was read from, when there is one."""
    refused: Mapping[str, str] = MappingProxyType({})
    """Keys of the schema whose value cannot be used, with the reason and what would be right."""

    def get(self, key: str) -> Value | None:
        """The value of `key`, its default when unset; a key outside the schema and its open tables is an error."""
        if key in self.values:
            return self.values[key]
        return setting_for(key).default

    def whole(self, key: str) -> int:
        """The value of a setting that is a whole number."""
        value = self.get(key)
        assert isinstance(value, int)
        return value

    def text(self, key: str) -> str:
        """The value of a setting that is a text; empty when unset."""
        value = self.get(key)
        return "" if value is None else str(value)

    def numbers(self, key: str) -> tuple[float, ...]:
        """The value of a setting that is a list of numbers."""
        value = self.get(key)
        assert isinstance(value, tuple)
        return tuple(map(float, value))

    def origin(self, key: str) -> Origin:
        """Where the value of `key` came from."""
        return self.origins.get(key, "default")


def setting_for(key: str) -> Setting:
    """The schema's entry for `key`; ConfigError with the nearest known key when there is none."""
    if key in BY_KEY:
        return BY_KEY[key]
    table, _, rest = key.partition(".")
    if table in OPEN_TABLES and rest and "." not in rest:
        return Setting(key, None, f"a setting of [{table}]")
    import difflib

    near = difflib.get_close_matches(key, BY_KEY, n=1)
    raise ConfigError(f"unknown setting: {key}", hint=f"did you mean {near[0]}?" if near else "see: recall-tui config")


def env_name(key: str) -> str:
    """The environment variable of a setting: `ephemeral.max_entries` → `RECALL_EPHEMERAL_MAX_ENTRIES`."""
    return "RECALL_" + key.replace(".", "_").upper()


def written(value: object) -> str:
    """The value as a person writes it, lists with commas; empty when unset."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)


def allowed(setting: Setting) -> str:
    """What the setting takes, in words; empty when it takes any text."""
    if setting.choices:
        return ", ".join(setting.choices)
    if setting.low is not None and setting.high is not None:
        form = "g" if setting.high < 1e6 else ",.0f"
        return f"{setting.low:{form}} to {setting.high:{form}}"
    return {"flag": "true, false", "pairs": "`old = new`, …"}.get(setting.kind, "")


def is_secret(key: str) -> bool:
    """Whether the key's name says that its value is not to be shown; those of the schema are all shown."""
    return key not in BY_KEY and not key.startswith("keys.") and _SECRET.search(key) is not None


def check(setting: Setting, raw: object) -> Value:
    """Return `raw` as the setting's type; ConfigError says what is allowed."""
    value = _typed(setting, raw)
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
    """The shared wikis that the texts of `wiki.shared` name; ConfigError for one that cannot be."""
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
        if same := _SAME_KEYS.get(key.strip().lower()):
            raise ConfigError(
                f"{name} = {key.strip()}: a terminal cannot tell it from {same}", hint="another key, such as f2"
            )


def _typed(setting: Setting, raw: object) -> Value:
    wrong = ConfigError(f"{setting.key} = {raw!r} is not {_KINDS[setting.kind]}")
    text = raw.strip() if isinstance(raw, str) else raw
    match setting.kind:
        case "flag":
            if isinstance(text, bool):
                return text
            if isinstance(text, str) and text.lower() in _FLAGS:
                return _FLAGS[text.lower()]
            raise wrong
        case "whole" | "number":
            if isinstance(text, bool) or not isinstance(text, int | float | str):
                raise wrong
            try:
                return int(text) if setting.kind == "whole" and not isinstance(text, float) else _number(setting, text)
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


def _number(setting: Setting, raw: float | str) -> float:
    value = float(raw)
    if setting.kind == "whole":
        if not value.is_integer():
            raise ValueError(raw)
        return int(value)
    return value


_KINDS = {
    "flag": "true or false",
    "whole": "a whole number",
    "number": "a number",
    "text": "a text",
    "numbers": "a list of numbers",
    "texts": "a list of texts",
    "pairs": "a list of `old = new`",
}
_FLAGS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def load(path: Path | None, env: Mapping[str, str]) -> Config:
    """Read the settings of the file at `path` (TOML, or JSON by its ending) and of the environment over it.

    What is wrong becomes a warning that names the file, the line when known, and the default used instead.
    """
    taken = _Taken()
    if path is not None and path.is_file():
        try:
            table = read_table(path)
        except ConfigError as error:
            taken.warnings.append(f"{error.message}; running on defaults")
        except StrayedError as error:
            taken.warnings.append(f"{path}: it {error.strerror}; running on defaults")
        else:
            for key, raw in _flatten(table):
                taken.take(key, raw, "file", str(path))
    for setting in SCHEMA:
        if (raw := env.get(env_name(setting.key))) is not None:
            taken.take(setting.key, raw, "environment", env_name(setting.key))
    return Config(taken.values, taken.origins, tuple(taken.warnings), path, taken.refused)


def read_table(path: Path) -> dict[str, object]:
    """The file's content as nested tables; ConfigError names the file and the line."""
    data = files.read(path, files.MAX_SETTINGS_BYTES)
    try:
        if path.suffix == ".json":
            import json

            table = json.loads(data)
            if not isinstance(table, dict):
                raise ConfigError(f"{path}: not an object", hint="it must start with {")
            return table
        return toml.parsed(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: {error}", hint="mend the file; nothing in it was changed") from None


def _flatten(table: Mapping[str, object]) -> list[tuple[str, object]]:
    rows: list[tuple[str, object]] = []
    for name, value in table.items():
        if isinstance(value, dict):
            rows.extend((f"{name}.{key}", inner) for key, inner in value.items())
        else:
            rows.append((name, value))
    return rows


class _Taken:
    """What was taken so far from the file and the environment."""

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}
        self.origins: dict[str, Origin] = {}
        self.warnings: list[str] = []
        self.refused: dict[str, str] = {}

    def take(self, key: str, raw: object, origin: Origin, where: str) -> None:
        """Take a value, or the reason why it is none."""
        try:
            setting = setting_for(key)
        except ConfigError:
            if key.partition(".")[0] not in _FOREIGN_TABLES:
                self.warnings.append(f"{where}: unknown setting {key} is ignored")
            return
        try:
            self.values[key] = check(setting, raw)
            self.origins[key] = origin
        except ConfigError as error:
            reason = f"{error.message} ({error.hint})" if error.hint else error.message
            self.refused[key] = reason
            self.warnings.append(f"{where}: {reason}; running on {_said(setting.default)}")


def _said(default: Value | None) -> str:
    return "its default" if default is None else repr(default)


_FOREIGN_TABLES = ("pipeline", "graph", "paths")
"""Tables that other tools of the same file's name write; they are theirs."""
