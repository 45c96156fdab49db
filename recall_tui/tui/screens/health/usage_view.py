"""What the health screen shows of models: which answers for what, what was spent today and in all, and what is left.

Nothing is asked; without a model it says that nothing is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall_tui.tui.screens.health.view import Looked, StateRow

if TYPE_CHECKING:
    from recall_tui.features.health.model_usage import Spending
    from recall_tui.workbench import Workbench

_DAYS = 30
"""Days whose rows are listed."""


def of_spending(bench: Workbench) -> Looked:
    """Models, what they took, and the limits."""
    from recall_tui.features.health.model_usage import WITHOUT, spending

    found = spending(bench.store, _DAYS)
    if not found.models and not found.troubles and not found.total.calls:
        return Looked(
            (), "○ no model", f"{WITHOUT[0].upper()}{WITHOUT[1:]}.\nrecall-tui config set llm.provider names one."
        )
    rows = [StateRow("good", purpose, name, "model") for purpose, name in found.models.items()]
    rows += [StateRow("warn", purpose, why, "none") for purpose, why in found.troubles.items()]
    if not rows:
        rows = [StateRow("plain", "offline", WITHOUT)]
    return Looked((_limit(found), *rows, *_days(found)), f"today {found.today.words} · total {found.total.words}")


def _limit(found: Spending) -> StateRow:
    limits = found.limits
    tokens = f"{found.tokens_left:,} of {limits.tokens_per_day:,} tokens"
    left = f"{found.calls_left:,} of {limits.calls_per_day:,} calls · {tokens}"
    if not found.calls_left or not found.tokens_left:
        return StateRow("warn", "used up", f"{left} are left today; the next call is refused")
    return StateRow("plain", "left today", f"{left} · {limits.calls_per_session:,} calls about one session")


def _days(found: Spending) -> list[StateRow]:
    from recall_tui.features.health.model_usage import Sum

    return [
        StateRow("plain", row.purpose, Sum(row.calls, row.answered, row.tokens, row.cost).words, row.day.isoformat())
        for row in found.rows
    ]
