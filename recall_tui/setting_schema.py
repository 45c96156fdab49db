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
_SPENDING = _refused("says how much is asked of a model, which costs")
_LAYOUT_NAMES = ("entity", "user", "project", "hierarchical", "claude-project")
_CONSOLIDATION_STEPS = ("weekly", "monthly", "wisdom", "wiki", "supersession")

SCHEMA: tuple[Setting, ...] = (
    Setting(
        "layout",
        None,
        "which published layout this memory has",
        _internal("says where the documents of this folder lie"),
        choices=_LAYOUT_NAMES,
    ),
    Setting(
        "ephemeral.max_entries",
        5,
        "sessions in the rolling window",
        _confirmed("drops sessions from the window sooner than usual", only="fewer than 5"),
        "whole",
        1,
        50,
    ),
    Setting(
        "memory.max_lines",
        200,
        "lines of MEMORY.md that an agent loads",
        _internal("measures MEMORY.md, and cuts nothing"),
        "whole",
        20,
        10_000,
    ),
    Setting(
        "memory.max_bytes",
        25_600,
        "bytes of MEMORY.md that an agent loads",
        _internal("measures MEMORY.md, and cuts nothing"),
        "whole",
        1_024,
        1_048_576,
    ),
    Setting(
        "memory.follow_links",
        False,
        "links of this memory that lead out of it are followed; set it for your own links, not for those of others",
        _refused("opens files outside of the memory"),
        "flag",
    ),
    Setting(
        "capture.auto",
        None,
        "hooks write archives by themselves (default: on, off in layout project)",
        _confirmed("writes what is said into a folder that is shared", only="true in layout project"),
        "flag",
    ),
    Setting(
        "capture.days",
        True,
        "a session that ends gets a line in the log of its day",
        _internal("writes a line for each session that is captured, or none"),
        "flag",
    ),
    Setting(
        "inject.tokens",
        1_000,
        "tokens handed to a starting session at most",
        _confirmed("hands more to every session than usual, which costs", only="more than 1,000"),
        "whole",
        0,
        8_000,
    ),
    Setting(
        "inject.notice",
        False,
        "what is new since the last synthesis is shown to you too at a start, and not told to the agent alone",
        _internal("prints one line of ours"),
        "flag",
    ),
    Setting(
        "transcripts.projects",
        None,
        "whose sessions are captured and searched (default: here in a repository or project folder, in layouts project,"
        " hierarchical and claude-project; else all)",
        _confirmed("brings in what was said in other projects", only="all, where here is usual"),
        choices=("all", "here"),
    ),
    Setting(
        "transcripts.aliases",
        (),
        "folders that were moved or renamed, as `old = new`; without `= new` it is this memory's folder now",
        _confirmed("brings in what was said in other folders"),
        "pairs",
    ),
    Setting(
        "transcripts.sources",
        (),
        "further folders of transcripts",
        _confirmed("names folders outside of the memory, which are read"),
        "texts",
    ),
    Setting(
        "keep.days",
        None,
        "days that copies of archived transcripts are kept (default: forever)",
        _confirmed("removes transcripts that are kept outside of the memory, with no way back"),
        "whole",
        1,
        36_500,
    ),
    Setting(
        "backups.days",
        7,
        "daily backups of the memory's files, and four weekly ones before (0: none)",
        _confirmed("removes copies that the memory is restored from", only="fewer than 7"),
        "whole",
        0,
        365,
    ),
    Setting(
        "search.weights",
        (0.5, 0.3, 0.2),
        "weights of embedding, words, parent; they sum to 1",
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
        "periods that route a question",
        _internal("says how much of this memory is looked through for a question"),
        "whole",
        1,
        100,
    ),
    Setting("search.sigma_days", 30.0, "how fast a vague time fades, in days", _ORDERING, "number", 1, 3_650),
    Setting(
        "search.sigma_exact_days", 30.0, "the same for a day or a week; 7 is sharper", _ORDERING, "number", 1, 3_650
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
        "wikis that are shared, as `name = folder`; `name (reader) = folder` is not written to",
        _confirmed(
            "names folders outside of the memory, which are read and written", only="a folder outside of the memory"
        ),
        "texts",
    ),
    Setting(
        "salience.strategy",
        "salience",
        "how days are weighed in a summary",
        _internal("weighs the days of this memory"),
        choices=("salience", "uniform", "recency"),
    ),
    Setting(
        "salience.weights",
        (0.4, 0.3, 0.3),
        "weights of the parts of salience",
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
        "entries of WISDOM.md",
        _internal("limits a change that is shown before it is made"),
        "whole",
        1,
        200,
    ),
    Setting(
        "master.max_lines",
        200,
        "lines of the master; what is oldest stays in the summaries alone",
        _internal("limits a change that is shown before it is made; what is left out stays in the summaries"),
        "whole",
        20,
        10_000,
    ),
    Setting(
        "master.imported",
        False,
        "installed rules import the master into every session",
        _confirmed("has every session load the master, which costs"),
        "flag",
    ),
    Setting(
        "synthesize.after",
        0,
        "new summaries after which a synthesis is proposed; 0: never",
        _confirmed("begins work unasked"),
        "whole",
        0,
        1_000,
    ),
    Setting(
        "review.auto",
        (),
        "kinds of proposals that apply themselves when they are made, as far as they are safe",
        _confirmed("makes changes that nobody looked at"),
        "texts",
        choices=_CONSOLIDATION_STEPS,
    ),
    Setting(
        "dream.enabled",
        False,
        "consolidation may run and log searches",
        _confirmed("begins work unasked, and notes what you search for"),
        "flag",
    ),
    Setting(
        "recall.synthesize_prompts",
        False,
        "the prompt hook may ask a model, for three seconds at most",
        _confirmed("hands prompts to a model unasked"),
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
    Setting(
        "llm.command", "", "the program and its words, for provider `command`; the question is on its stdin", _MODEL
    ),
    Setting("llm.summary", "", "`provider` or `provider/model` for summaries and lessons; `off`: none", _MODEL),
    Setting(
        "llm.session_view",
        "digest",
        "what of a session that model reads: `digest`, its telling lines, at most 7,000 tokens; `condensed`, 1,000",
        _SPENDING,
        choices=("digest", "condensed"),
    ),
    Setting("llm.synthesis", "", "the same for answers and for the master", _MODEL),
    Setting("llm.dream", "", "the same for consolidation", _MODEL),
    Setting("recall.prompt_seconds", 1.5, "what the prompt hook finds later is not shown", _ORDERING, "number", 0.1, 5),
    Setting("llm.timeout_seconds", 120, "after so long a call is given up", _SPENDING, "whole", 1, 3_600),
    Setting("llm.calls_per_day", 100, "calls of a day at most", _SPENDING, "whole", 0, 1_000_000),
    Setting("llm.tokens_per_day", 1_000_000, "tokens of a day at most", _SPENDING, "whole", 0, 1_000_000_000),
    Setting("llm.calls_per_session", 20, "calls about one session at most", _SPENDING, "whole", 0, 1_000_000),
    Setting("llm.concurrency", 2, "calls at one time", _SPENDING, "whole", 1, 16),
    Setting(
        "llm.price_asked",
        None,
        "US dollars for a million tokens of questions, when no provider says",
        _SPENDING,
        "number",
        0,
        10_000,
    ),
    Setting("llm.price_answered", None, "the same for answers", _SPENDING, "number", 0, 10_000),
    Setting(
        "embeddings.provider",
        "",
        "what makes vectors: local, openai (any server that speaks so), or another package's; empty: none",
        _MODEL,
    ),
    Setting(
        "embeddings.path",
        "",
        "for local: a folder with an ONNX model and its tokenizer.json, or `package:NAME`, a package with one",
        _MODEL,
    ),
    Setting(
        "embeddings.model", "", "the model's name at the server; for local without a path: the package with it", _MODEL
    ),
    Setting("embeddings.api_base", "", "the address of the server; empty: OpenAI's", _MODEL),
    Setting(
        "embeddings.dimensions",
        None,
        "the width of vectors, for a server that can make several",
        _SPENDING,
        "whole",
        1,
        16_384,
    ),
    Setting(
        "embeddings.dialogue_only", True, "only what was said has vectors, not all that was written", _SPENDING, "flag"
    ),
    Setting("embeddings.batch", 32, "texts that are made into vectors at one time", _SPENDING, "whole", 1, 256),
    Setting(
        "embeddings.timeout_seconds", 30, "after so long a call to the server is given up", _SPENDING, "whole", 1, 3_600
    ),
    Setting(
        "embeddings.tokens_per_day",
        10_000_000,
        "tokens that the server gets in a day at most",
        _SPENDING,
        "whole",
        0,
        10**12,
    ),
    Setting("theme", "recall-dark", "the app's theme", _internal("chooses colours")),
)
SETTINGS_BY_KEY: Mapping[str, Setting] = {setting.key: setting for setting in SCHEMA}
OPEN_TABLES: Mapping[str, TrustRule] = {
    "llm": _MODEL,
    "embeddings": _MODEL,
    "keys": _confirmed("has keys of the app do something else than you know"),
}
"""Tables in which every additional key is a text setting."""
_PATH_RULE = TrustRule(
    "names a file that is read, written and emptied", "a word everywhere", "outside of the memory, or no page"
)
PATH_RULES: Mapping[str, TrustRule] = {
    "paths.memory": _PATH_RULE,
    "paths.ephemeral": _PATH_RULE,
    "paths.archive": _PATH_RULE,
    "paths.memories": TrustRule(
        "names a folder that is read and written", "a word everywhere", "outside of the memory"
    ),
}
"""The keys with which `.recall-echo.json` of layout user relocates documents."""


def find_rule(key: str) -> TrustRule | None:
    """Return the trust rule of a setting in the schema or an open table; None for an unknown key."""
    one = SETTINGS_BY_KEY.get(key)
    return one.reach if one else OPEN_TABLES.get(key.partition(".")[0])
