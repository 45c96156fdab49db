"""`ledger`: what models were asked, what it came to, and what may still be spent today.

Nothing is asked and nothing is written; a memory that never asked a model says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.output import one_line

if TYPE_CHECKING:
    from recall_tui.features.health.model_usage import UsageReport, UsageTotal
    from recall_tui.llm.usage_ledger import LoggedCall

MAX_LISTED_CALLS = 100


@command()
@click.option("--days", type=click.IntRange(1, 36_500), default=30, metavar="N", help="number of days (30)")
@click.option("--calls", is_flag=True, help=f"list each call and its outcome, newest first, at most {MAX_LISTED_CALLS}")
def ledger(run: CommandContext, days: int, calls: bool) -> None:
    """Show model calls, tokens and cost by day and purpose, the limits, and what is left today."""
    from recall_tui.features.health.model_usage import usage_report
    from recall_tui.llm.usage_ledger import UsageLedger

    bench = run.open()
    spent = usage_report(bench.store, days)
    made = UsageLedger(bench.store.state).calls(MAX_LISTED_CALLS) if calls else ()
    if run.json:
        document = _report_as_json(spent)
        run.out.document({**document, "calls": [_call_as_json(one) for one in made]} if calls else document)
        return
    _print_head(run, spent)
    if calls:
        rows = [_usage_row(one) for one in made]
        heads = ("at", "purpose", "model", "session", "tokens", "cost", "seconds", "outcome", "why")
        run.out.table(heads, rows, right=(4, 5, 6))
    elif spent.rows:
        lines = [
            (
                one.day,
                one.purpose,
                one.calls,
                one.answered,
                f"{one.tokens:,}",
                _cost_label(one.cost),
                f"{one.ms / 1_000:.1f}",
            )
            for one in spent.rows
        ]
        run.out.table(
            ("day", "purpose", "calls", "answered", "tokens", "cost", "seconds"), lines, right=(2, 3, 4, 5, 6)
        )
    if not spent.total.calls:
        run.out.note("no model was asked yet")


def _print_head(run: CommandContext, spent: UsageReport) -> None:
    from recall_tui.features.health.checklist import NO_MODEL_NOTE
    from recall_tui.features.health.model_usage import MODEL_OFFER

    for purpose, name in spent.models.items():
        run.out.line(f"{purpose:<10} {run.out.style(one_line(name))}")
    for purpose, why in spent.troubles.items():
        run.out.line(f"{purpose:<10} none: {run.out.style(one_line(why))}")
    if not spent.models and not spent.troubles:
        run.out.line(NO_MODEL_NOTE)
        run.out.note(MODEL_OFFER)
    limits = spent.limits
    run.out.line(f"today      {spent.today.words}")
    calls, tokens = (
        f"{spent.calls_left:,} of {limits.calls_per_day:,}",
        f"{spent.tokens_left:,} of {limits.tokens_per_day:,}",
    )
    run.out.line(f"left       {calls} calls · {tokens} tokens · {limits.calls_per_session:,} calls about one session")
    run.out.line(f"total      {spent.total.words}")


def _usage_row(one: LoggedCall) -> tuple[object, ...]:
    what = (f"{one.at:%Y-%m-%d %H:%M}", one.purpose, one.model, one.session_id[:8])
    return (*what, f"{one.usage.tokens:,}", _cost_label(one.usage.cost), f"{one.ms / 1_000:.1f}", one.outcome, one.why)


def _cost_label(cost: float | None) -> str:
    from recall_tui.features.health.model_usage import format_dollars

    return "" if cost is None else format_dollars(cost)


def _report_as_json(spent: UsageReport) -> dict[str, object]:
    days = [
        {
            "day": one.day.isoformat(),
            "purpose": one.purpose,
            "calls": one.calls,
            "answered": one.answered,
            "tokens": one.tokens,
            "cost": one.cost,
            "ms": one.ms,
        }
        for one in spent.rows
    ]
    return {
        "models": spent.models,
        "troubles": spent.troubles,
        "limits": spent.limits._asdict(),
        "left": {"calls": spent.calls_left, "tokens": spent.tokens_left},
        "today": _total_as_json(spent.today),
        "total": _total_as_json(spent.total),
        "days": days,
    }


def _total_as_json(one: UsageTotal) -> dict[str, object]:
    return one._asdict()


def _call_as_json(one: LoggedCall) -> dict[str, object]:
    return {
        "id": one.id,
        "at": one.at,
        "purpose": one.purpose,
        "model": one.model,
        "session_id": one.session_id or None,
        "asked": one.usage.asked,
        "answered": one.usage.answered,
        "is_estimated": one.usage.is_estimated,
        "cost": one.usage.cost,
        "ms": one.ms,
        "outcome": one.outcome,
        "why": one.why or None,
    }
