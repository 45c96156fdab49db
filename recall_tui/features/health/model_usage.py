"""What models were asked and what it came to, beside what may be spent today.

Only the ledger is read; a memory that asked no model has none, and none is made.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple, get_args

from recall_tui.llm.client import Purpose
from recall_tui.llm.embedders.selection import served_embedder
from recall_tui.llm.model import Failure
from recall_tui.llm.selection import configuration_error, model_name
from recall_tui.llm.usage_ledger import EMBEDDING_PURPOSE, LoggedCall, UsageLedger, UsageLimits, UsageTotals

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

_RECENT_CALLS = 100
"""Calls to search for the newest one of a model."""
MODEL_OFFER = (
    "An agent's own model writes better summaries: recall-tui config set llm.provider claude (codex, gemini, ollama),"
    " then recall-tui summarize --all --dry-run for an estimate"
)
"""The way to a model, wherever none is configured."""


class UsageTotal(NamedTuple):
    """What several calls came to."""

    calls: int = 0
    answered: int = 0
    """Calls that had an answer that could be used."""
    tokens: int = 0
    cost: float | None = None
    """US dollars of the calls whose cost is known; None when none is."""

    @property
    def words(self) -> str:
        """As a person reads it, such as `3 calls · 1,204 tokens · $0.0123`."""
        calls = f"{self.calls:,} call{'s' * (self.calls != 1)}"
        return " · ".join(
            (calls, f"{self.tokens:,} tokens", *([format_dollars(self.cost)] if self.cost is not None else ()))
        )


class UsageReport(NamedTuple):
    """What is spent and what may be."""

    models: dict[str, str]
    """By purpose its model's name; purposes without one are not in it."""
    troubles: dict[str, str]
    """By purpose why its model cannot be asked, when one is named in the settings."""
    limits: UsageLimits
    today: UsageTotal
    total: UsageTotal
    limited: UsageTotal
    """What of today counts towards the limits: all but vectors, which have one of their own."""
    rows: tuple[UsageTotals, ...]
    """By day and purpose, the newest day first."""

    @property
    def calls_left(self) -> int:
        """Calls that may still be made today."""
        return max(0, self.limits.calls_per_day - self.limited.calls)

    @property
    def tokens_left(self) -> int:
        """Tokens that may still be spent today."""
        return max(0, self.limits.tokens_per_day - self.limited.tokens)


def usage_report(store: Store, days: int | None = None) -> UsageReport:
    """What was spent, by day and purpose of the last `days` days, or of all; BrokenFileError for a broken ledger."""
    config, today = store.config, store.now().date()
    limits = UsageLimits(*map(config.whole, ("llm.calls_per_day", "llm.tokens_per_day", "llm.calls_per_session")))
    rows = UsageLedger(store.state).spent()
    since = date.min if days is None else today - timedelta(days=days - 1)
    models, troubles = {}, {}
    for purpose in get_args(Purpose):
        if name := model_name(store, purpose):
            models[purpose] = name
        elif why := configuration_error(store, purpose):
            troubles[purpose] = why.words
    if (embedder := served_embedder(store)) is not None:
        if isinstance(embedder, Failure):
            troubles[EMBEDDING_PURPOSE] = embedder.words
        else:
            models[EMBEDDING_PURPOSE] = embedder.name
    shown = tuple(row for row in rows if row.day >= since)
    of_today = [row for row in rows if row.day == today]
    limited = _total_usage(row for row in of_today if row.purpose != EMBEDDING_PURPOSE)
    return UsageReport(models, troubles, limits, _total_usage(of_today), _total_usage(rows), limited, shown)


def find_last_call(store: Store, model: str) -> LoggedCall | None:
    """Return the model's newest call with an outcome; None when it was not called lately."""
    calls = UsageLedger(store.state).calls(_RECENT_CALLS)
    return next((one for one in calls if one.model == model and one.outcome not in ("running", "cancelled")), None)


def format_dollars(cost: float) -> str:
    """A cost as a person reads it, such as `$0.0123`."""
    return f"${cost:,.4f}" if cost < 1 else f"${cost:,.2f}"


def _total_usage(rows: Iterable[UsageTotals]) -> UsageTotal:
    total = UsageTotal()
    for row in rows:
        cost = total.cost if row.cost is None else (total.cost or 0.0) + row.cost
        total = UsageTotal(total.calls + row.calls, total.answered + row.answered, total.tokens + row.tokens, cost)
    return total
