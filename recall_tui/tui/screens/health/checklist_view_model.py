"""The health screen's checklist: each answer with the key that fixes it; then retention, and sessions by project."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from recall_tui.domain import HealthReport
from recall_tui.storage.git_exclusion import publishes_sessions
from recall_tui.tui.keys.key_labels import key_label
from recall_tui.tui.screens.health.view_model import HealthPart, HealthRow, RowState

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

_STATES: dict[str, RowState] = {"pass": "good", "open": "plain", "attention": "warn"}
_LEVEL_SIGNS = {"healthy": "●", "degraded": "▲", "down": "■"}
_KEYS: dict[str, Callable[[Workbench], str]] = {
    "kept": lambda bench: (
        f"{key_label(bench, 'archive_all', 'A')} archives them{' for the team' * publishes_sessions(bench.store)}"
    ),
    "found": lambda bench: f"{key_label(bench, 'refresh', 'r')} indexes them",
    "handed over": lambda bench: f"{key_label(bench, 'install', 'i')} in Agents installs",
    "budget": lambda bench: f"{key_label(bench, 'distill', '2')} opens Distill",
    "safe": lambda bench: f"{key_label(bench, 'fix', 'f')} fixes it",
    "model": lambda bench: f"{key_label(bench, 'settings', '7')} opens Settings",
}
"""By the name of an item: the key that fixes it."""
_MAX_PROJECTS = 12


def checklist_rows(bench: Workbench, report: HealthReport) -> HealthPart:
    """The checklist, then every other reason, and the notes."""
    items = report.facts.get("checks")
    checks = [one for one in items if isinstance(one, Mapping)] if isinstance(items, list) else []
    rows = [_check_row(bench, item) for item in checks]
    if report.is_new:
        # Nothing is wrong with a memory that was just made.
        rows = [replace(row, state="plain") if row.state == "warn" else row for row in rows]
    texts = tuple(str(item["text"]) for item in checks if item["state"] == "attention")
    state: RowState = "bad" if report.level == "down" else "warn"
    rows += [
        HealthRow(state, "also" if checks else report.level, reason)
        for reason in report.reasons
        if not any(text in reason for text in texts)
    ]
    notes = report.facts.get("notes")
    rows += [HealthRow("plain", "note", str(note)) for note in notes] if isinstance(notes, list) else []
    return HealthPart(tuple(rows), "○ new" if report.is_new else f"{_LEVEL_SIGNS[report.level]} {report.level}")


def _check_row(bench: Workbench, item: Mapping[str, str]) -> HealthRow:
    key = _KEYS[item["name"]](bench) if item["fix"] else ""
    whole = f"{item['text']}\n\n{item['fix']}" if item["fix"] else ""
    return HealthRow(
        _STATES[item["state"]], item["name"], item["text"], whole=whole, is_fixable=bool(item["fix"]), key=key
    )


def session_rows(bench: Workbench) -> tuple[HealthRow, ...]:
    """The retention of each agent, then the sessions by project."""
    return (*_retention_rows(bench), *_project_rows(bench))


def _retention_rows(bench: Workbench) -> Iterator[HealthRow]:
    """The time for which each agent keeps its own transcripts, and the key that makes Claude Code's longer."""
    from recall_tui.agents.retention import LONG_RETENTION_DAYS
    from recall_tui.features.capture.retention import agent_retention

    for one in agent_retention(bench.store):
        is_short = one.agent == "claude" and (one.retention.days or LONG_RETENTION_DAYS) < LONG_RETENTION_DAYS
        key = f" · {key_label(bench, 'keep_longer', 'f')} sets {LONG_RETENTION_DAYS} days" if is_short else ""
        yield HealthRow("plain", "retention", f"{one.describe(bench.store.now())}{key}", one.title)


def _project_rows(bench: Workbench) -> Iterator[HealthRow]:
    """Whose sessions of this machine this memory takes, and how many each project has, those with most first."""
    from recall_tui.features.capture.kept_sessions import count_by_project
    from recall_tui.index.project_scope import captures_all_projects

    projects = count_by_project(bench.store)
    if not projects:
        return
    whose = "every session is taken" if captures_all_projects(bench.store) else "only this one's are taken"
    count = f"{len(projects):,} project{'s' * (len(projects) != 1)}"
    whole = "\n".join(f"{number:>7,}  {folder}" for folder, number in projects)
    yield HealthRow("plain", "projects", whose, count, whole=f"{whole}\n\n{whose}")
    for folder, number in projects[:_MAX_PROJECTS]:
        yield HealthRow("plain", "", folder, f"{number:,} session{'s' * (number != 1)}")
    if rest := projects[_MAX_PROJECTS:]:
        more = sum(number for _, number in rest)
        yield HealthRow("plain", "", f"in {len(rest):,} more", f"{more:,} session{'s' * (more != 1)}")
