"""The checklist of a memory's health, as `status`, `dashboard` and `doctor` print it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from recall_tui.cli.output import one_line

if TYPE_CHECKING:
    from recall_tui.cli.click_ext import CommandContext
    from recall_tui.domain import HealthReport

_SIGNS = {"pass": ("●", "green"), "open": ("○", None), "attention": ("▲", "yellow")}
"""By the state of an item: its sign and its colour."""


def print_checklist(run: CommandContext, report: HealthReport) -> None:
    """Print a line for each item: a sign, the question in a word, the answer, and the command that fixes it."""
    items = cast("list[dict[str, str]]", report.facts.get("checks", []))
    for item in items:
        sign, color = _SIGNS[item["state"]]
        fix = f"; run: {item['fix']}" if item["fix"] else ""
        run.out.line(f"{run.out.style(sign, fg=color)} {item['name']:<11} {one_line(item['text'] + fix)}")
    if items:
        run.out.line()
