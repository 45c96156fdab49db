"""The schema of settings: allowed values, and the trust that a value from another's memory needs.

A memory may come with a repository. Every setting must declare whether its value in the file applies at once, needs the
user's confirmation on this machine, or needs it even in the agents' home.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

SettingValue = bool | int | float | str | tuple[float, ...] | tuple[str, ...]


class TrustRule(NamedTuple):
    """The condition under which a setting in a memory's file applies, and the reason."""

    does: str
    """The effect of the setting, as the end of a sentence after its name."""
    needs: Literal["nothing", "a word", "a word everywhere"]
    """A word is the user's `config set` or `config trust`; in `~/.claude` itself only "a word everywhere" needs it."""
    only: str = ""
    """The values that need it, in words; empty for every value with an effect."""


class Setting(NamedTuple):
    """A key of the schema."""

    key: str
    """Dotted, such as `ephemeral.max_entries`; the first part is the table in the file."""
    default: SettingValue | None
    """None when unset or dependent on the layout."""
    help: str
    reach: TrustRule
    kind: Literal["flag", "whole", "number", "text", "numbers", "texts", "pairs"] = "text"
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    """The allowed values; of a list, of each of its items."""
    sums_to: float | None = None
    """The required sum of a list of numbers."""
    length: int | None = None
    """The required length of a list of numbers."""


def _internal(does: str) -> TrustRule:
    """Return the rule for a setting whose effect stays within the memory."""
    return TrustRule(does, "nothing")


def _confirmed(does: str, only: str = "") -> TrustRule:
    """Return the rule for a setting that keeps its default until the user confirms it."""
    return TrustRule(does, "a word", only)


def _refused(does: str) -> TrustRule:
    """Return the rule for a setting whose consumer refuses to use it until the user confirms it."""
    return TrustRule(does, "a word everywhere")


_MODEL = _refused("names a program to run or a server to ask")
_ORDERING = _internal("orders the hits of this memory")
_SPENDING = _refused("changes the number or size of model calls, and so their cost")
_LAYOUT_NAMES = ("entity", "user", "project", "hierarchical", "claude-project")
_CONSOLIDATION_STEPS = ("weekly", "monthly", "wisdom", "wiki", "supersession")

SCHEMA: tuple[Setting, ...] = (
    Setting(
        "layout",
        None,
        "the layout of this memory's files",
        _internal("locates the documents of this folder"),
        choices=_LAYOUT_NAMES,
    ),
    Setting(
        "ephemeral.max_entries",
        5,
        "recent sessions to keep for the next one",
        _confirmed("drops recent sessions sooner than usual", only="fewer than 5"),
        "whole",
        1,
        50,
    ),
    Setting(
        "memory.max_lines",
        200,
        "budget of MEMORY.md: lines that an agent loads",
        _internal("measures MEMORY.md, and changes nothing"),
        "whole",
        20,
        10_000,
    ),
    Setting(
        "memory.max_bytes",
        25_600,
        "budget of MEMORY.md: bytes that an agent loads",
        _internal("measures MEMORY.md, and changes nothing"),
        "whole",
        1_024,
        1_048_576,
    ),
    Setting(
        "memory.follow_links",
        False,
        "follow links that point outside the memory; only for links of your own",
        _refused("opens files outside the memory"),
        "flag",
    ),
    Setting(
        "capture.auto",
        None,
        "hooks archive sessions automatically (default: on; off in layout project)",
        _confirmed("writes conversations into a shared folder", only="true in layout project"),
        "flag",
    ),
    Setting(
        "capture.days",
        True,
        "add a line to the day's log when a session ends",
        _internal("writes a line for each captured session, or none"),
        "flag",
    ),
    Setting(
        "inject.tokens",
        1_000,
        "token budget of the text given to a new session",
        _confirmed("gives more text than usual to every session, which costs tokens", only="more than 1,000"),
        "whole",
        0,
        8_000,
    ),
    Setting(
        "inject.notice",
        False,
        "at a start, show you too how many summaries are new since the last synthesis",
        _internal("prints one line"),
        "flag",
    ),
    Setting(
        "transcripts.projects",
        None,
        "projects whose sessions are captured and searched (default: here in a repository or project folder and in"
        " layouts project, hierarchical and claude-project; else all)",
        _confirmed("includes conversations of other projects", only="all, where here is usual"),
        choices=("all", "here"),
    ),
    Setting(
        "transcripts.aliases",
        (),
        "moved or renamed folders, as `old = new`; without `= new`: this memory's folder",
        _confirmed("includes conversations of other folders"),
        "pairs",
    ),
    Setting(
        "transcripts.sources",
        (),
        "additional folders of transcripts",
        _confirmed("names folders outside the memory, which are read"),
        "texts",
    ),
    Setting(
        "keep.days",
        None,
        "days until copies of archived transcripts are deleted (default: never)",
        _confirmed("deletes retained transcripts for good"),
        "whole",
        1,
        36_500,
    ),
    Setting(
        "backups.days",
        7,
        "daily backups to keep, besides four weekly ones (0: none)",
        _confirmed("deletes backups", only="fewer than 7"),
        "whole",
        0,
        365,
    ),
    Setting(
        "search.weights",
        (0.5, 0.3, 0.2),
        "weights of vectors, words and parent pages; their sum is 1",
        _internal("orders the hits of this memory"),
        "numbers",
        0,
        1,
        sums_to=1.0,
        length=3,
    ),
    Setting(
        "search.parents",
        10,
        "weeks and months that a query may search through",
        _internal("limits the part of this memory that a query searches"),
        "whole",
        1,
        100,
    ),
    Setting("search.sigma_days", 30.0, "decay of a vague time, in days", _ORDERING, "number", 1, 3_650),
    Setting(
        "search.sigma_exact_days", 30.0, "decay of a day or week, in days; 7 is sharper", _ORDERING, "number", 1, 3_650
    ),
    Setting(
        "wiki.score_boost",
        0.9,
        "weight of wiki pages among hits",
        _internal("orders the hits of this memory"),
        "number",
        0,
        2,
    ),
    Setting(
        "wiki.shared",
        (),
        "shared wikis, as `name = folder`; `name (reader) = folder` is read-only",
        _confirmed("names folders outside the memory, which are read and written", only="a folder outside the memory"),
        "texts",
    ),
    Setting(
        "salience.strategy",
        "salience",
        "weighting of days in a summary",
        _internal("weighs the days of this memory"),
        choices=("salience", "uniform", "recency"),
    ),
    Setting(
        "salience.weights",
        (0.4, 0.3, 0.3),
        "weights of the components of salience",
        _internal("weighs the days of this memory"),
        "numbers",
        0,
        1,
        sums_to=1.0,
        length=3,
    ),
    Setting(
        "wisdom.max_entries",
        20,
        "maximum entries of WISDOM.md",
        _internal("limits a change that is previewed"),
        "whole",
        1,
        200,
    ),
    Setting(
        "master.max_lines",
        200,
        "maximum lines of the master; the oldest stay only in the summaries",
        _internal("limits a change that is previewed; omitted lines stay in the summaries"),
        "whole",
        40,
        10_000,
    ),
    Setting(
        "master.imported",
        False,
        "installed rules import the master into every session",
        _confirmed("loads the master into every session, which costs tokens"),
        "flag",
    ),
    Setting(
        "synthesize.after",
        0,
        "number of new summaries that triggers a proposed synthesis; 0: never",
        _confirmed("starts work unasked"),
        "whole",
        0,
        1_000,
    ),
    Setting(
        "review.auto",
        (),
        "kinds of proposals to apply automatically, if they are safe",
        _confirmed("makes changes without review"),
        "texts",
        choices=_CONSOLIDATION_STEPS,
    ),
    Setting(
        "dream.enabled", False, "log searches, so that dreams can use them", _confirmed("logs your searches"), "flag"
    ),
    Setting(
        "recall.synthesize_prompts",
        False,
        "allow the prompt hook to ask a model, for at most three seconds",
        _confirmed("sends prompts to a model unasked"),
        "flag",
    ),
    Setting(
        "llm.provider",
        "",
        "the model: claude, codex, copilot, gemini, ollama, llm, command, openai, anthropic; empty: none",
        _MODEL,
    ),
    Setting("llm.model", "", "the model's name; empty: the provider's default, where it has one", _MODEL),
    Setting("llm.api_base", "", "the address of the server; empty: the provider's own", _MODEL),
    Setting("llm.command", "", "the command line for provider `command`; it gets the prompt on stdin", _MODEL),
    Setting("llm.summary", "", "`provider` or `provider/model` for summaries and lessons; `off`: none", _MODEL),
    Setting(
        "llm.session_view",
        "digest",
        "part of a session that the model reads: `digest`, its key lines, at most 7,000 tokens; `condensed`, 1,000",
        _SPENDING,
        choices=("digest", "condensed"),
    ),
    Setting("llm.synthesis", "", "`provider` or `provider/model` for answers and the master; `off`: none", _MODEL),
    Setting("llm.dream", "", "`provider` or `provider/model` for compact, dream and wiki; `off`: none", _MODEL),
    Setting(
        "recall.prompt_seconds",
        1.5,
        "time limit of the prompt hook, in seconds; later results are dropped",
        _ORDERING,
        "number",
        0.1,
        5,
    ),
    Setting("llm.timeout_seconds", 120, "seconds before a call is cancelled", _SPENDING, "whole", 1, 3_600),
    Setting("llm.calls_per_day", 100, "maximum calls per day", _SPENDING, "whole", 0, 1_000_000),
    Setting("llm.tokens_per_day", 1_000_000, "maximum tokens per day", _SPENDING, "whole", 0, 1_000_000_000),
    Setting("llm.calls_per_session", 20, "maximum calls about one session", _SPENDING, "whole", 0, 1_000_000),
    Setting("llm.concurrency", 2, "maximum parallel calls", _SPENDING, "whole", 1, 16),
    Setting(
        "llm.price_asked",
        None,
        "US dollars per million input tokens, if the provider reports no price",
        _SPENDING,
        "number",
        0,
        10_000,
    ),
    Setting("llm.price_answered", None, "US dollars per million output tokens", _SPENDING, "number", 0, 10_000),
    Setting(
        "embeddings.provider",
        "",
        "source of vectors: local, openai (any compatible server), or a package's; empty: none",
        _MODEL,
    ),
    Setting(
        "embeddings.path", "", "for local: a folder with an ONNX model and tokenizer.json, or `package:NAME`", _MODEL
    ),
    Setting("embeddings.model", "", "the model's name at the server; for local without a path: its package", _MODEL),
    Setting("embeddings.api_base", "", "the address of the server; empty: OpenAI's", _MODEL),
    Setting(
        "embeddings.dimensions",
        None,
        "dimensions of the vectors, if the server offers several",
        _SPENDING,
        "whole",
        1,
        16_384,
    ),
    Setting(
        "embeddings.dialogue_only", True, "make vectors only of the dialogue, not of every document", _SPENDING, "flag"
    ),
    Setting("embeddings.batch", 32, "texts per call", _SPENDING, "whole", 1, 256),
    Setting(
        "embeddings.timeout_seconds",
        30,
        "seconds before a call to the server is cancelled",
        _SPENDING,
        "whole",
        1,
        3_600,
    ),
    Setting(
        "embeddings.tokens_per_day",
        10_000_000,
        "maximum tokens sent to the server per day",
        _SPENDING,
        "whole",
        0,
        10**12,
    ),
    Setting("theme", "recall-dark", "the app's theme", _internal("chooses colors")),
)
SETTINGS_BY_KEY: Mapping[str, Setting] = {setting.key: setting for setting in SCHEMA}
OPEN_TABLES: Mapping[str, TrustRule] = {
    "llm": _MODEL,
    "embeddings": _MODEL,
    "keys": _confirmed("changes the meaning of keys in the app"),
}
"""Tables in which every additional key is a text setting."""
_PATH_RULE = TrustRule(
    "names a file that is read, written and emptied", "a word everywhere", "outside the memory, or not a page"
)
PATH_RULES: Mapping[str, TrustRule] = {
    "paths.memory": _PATH_RULE,
    "paths.ephemeral": _PATH_RULE,
    "paths.archive": _PATH_RULE,
    "paths.memories": TrustRule("names a folder that is read and written", "a word everywhere", "outside the memory"),
}
"""The keys with which `.recall-echo.json` of layout user relocates documents."""


def find_rule(key: str) -> TrustRule | None:
    """Return the trust rule of a setting in the schema or an open table; None for an unknown key."""
    one = SETTINGS_BY_KEY.get(key)
    return one.reach if one else OPEN_TABLES.get(key.partition(".")[0])
