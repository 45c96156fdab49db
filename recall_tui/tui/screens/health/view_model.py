"""What the health screen shows, part by part: each a few rows of sign, word and reason.

A part that cannot be looked at says so in its own panel; the others are there all the same. Rows hold text as it was
read; only drawing them makes it safe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from recall_tui.domain import Problem, SessionLabel
from recall_tui.text.dates import parse_time, relative_time
from recall_tui.tui.keys.key_labels import key_label
from recall_tui.tui.memory_view_model import EXPECTED_ERRORS, DisplayError
from recall_tui.tui.text import shorten_home

if TYPE_CHECKING:
    from recall_tui.features.capture.expiry import ExpiringTranscript
    from recall_tui.features.health.model_usage import UsageReport
    from recall_tui.index.catalogue import CatalogueTotals
    from recall_tui.index.maintenance.coverage import Coverage
    from recall_tui.index.maintenance.disk_state import DiskState
    from recall_tui.index.maintenance.verify import VerifyResult
    from recall_tui.workbench import Workbench

PartName = Literal["state", "index", "capture", "agents", "injection", "spend", "doctor"]
RowState = Literal["good", "plain", "warn", "bad"]
MAX_ROWS = 200
"""Rows of a kind that are listed; the others are counted."""
_MEGABYTE = 2**20
_SHORT_ID_CHARS = 8
"""Characters of a session's id in a row; its details have all of them."""
_MAX_DAYS = 30
"""Days whose rows are listed."""


MODEL_OFFER = (
    "An agent's own model writes better summaries: name it in Settings (7) as llm.provider; "
    "s in Home then summarizes a session with it"
)
"""The way to a model, wherever none is configured."""


@dataclass(frozen=True, slots=True)
class HealthRow:
    """One row of a panel."""

    state: RowState
    word: str
    """What the sign means, or what the row is about."""
    text: str
    lead: str = ""
    """What stands before the text, in a column of its own."""
    path: Path | None = None
    """The transcript that can be archived."""
    is_fixable: bool = False
    whole: str = ""
    """What is shown when it is opened, where that is more than the row."""
    key: str = ""
    """The key that fixes it, with what it does; it stands behind the text and is never cut."""
    agent: str = ""
    """The agent that can be installed into, as the command line names it."""
    scope: str = ""
    """For the person or for one project."""
    is_installed: bool = False
    """Something of this memory is in the agent."""


@dataclass(frozen=True, slots=True)
class HealthPart:
    """One part, looked at."""

    rows: tuple[HealthRow, ...]
    summary: str = ""
    words: str = ""
    """What is said when there is no row."""


def load_part(look: Callable[[], HealthPart], home: Path) -> HealthPart:
    """What the look gives, with `~` for the home folder, or one row that says why it gives nothing."""
    try:
        found = look()
    except EXPECTED_ERRORS as error:
        trouble = DisplayError.of(error)
        text = f"{trouble.message}; {trouble.hint}" if trouble.hint else trouble.message
        found = HealthPart((HealthRow("warn", "unreadable", text),), "▲ unreadable")
    return replace(found, rows=tuple(replace(row, text=shorten_home(row.text, home)) for row in found.rows))


def capture_rows(bench: Workbench, skipped: Mapping[Path, str], about: Sequence[HealthRow] = ()) -> HealthPart:
    """The sessions whose transcripts will be deleted soon, then the rows `about` all of them.

    `skipped` says which hold nothing to archive, and why.
    """
    from recall_tui.features.capture.expiry import WARNING_DAYS, expiry_report
    from recall_tui.search.session_labels import label_transcripts

    found = expiry_report(bench.store)
    titles = label_transcripts(bench.index, bench.store, [one.file.path for one in found.soon])
    rows = tuple(_expiring_rows(bench, one, titles, skipped) for one in found.soon)
    lost = sum(row.state == "warn" for row in rows)
    last = _last_capture(bench)
    near = f"{len(rows)} expire within {WARNING_DAYS} days" if rows else "none expires soon"
    summary = " · ".join((last, near, *([f"▲ {lost} not archived"] if lost else ())))
    if not found.transcripts and not about:
        return HealthPart(
            (),
            last,
            "No agent is known to delete sessions here.\nSessions that one will soon delete appear here.",
        )
    return HealthPart((*rows, *about), summary)


def _last_capture(bench: Workbench) -> str:
    from recall_tui.features.capture.expiry import last_capture_time

    now = bench.store.now()
    if captured := last_capture_time(bench.store):
        return f"last capture {relative_time(captured, now)}"
    newest = bench.archive.newest() if bench.layout.archives else None
    return f"newest archive {relative_time(newest.date, now)}" if newest and newest.date else "nothing captured yet"


def _expiring_rows(
    bench: Workbench, one: ExpiringTranscript, titles: Mapping[str, SessionLabel], skipped: Mapping[Path, str]
) -> HealthRow:
    from recall_tui.features.capture.project_extent import home_relative
    from recall_tui.text.session_line import label_archive
    from recall_tui.transcripts.edge_lines import session_folder

    path = one.file.path
    now = bench.store.now()
    lead = (
        f"expires {relative_time(one.expires_at, now)}"
        if one.expires_at > now
        else f"expired {relative_time(one.expires_at, now)}"
    )
    if one.archive is not None:
        text = f"{label_archive(one.archive).title} · {one.archive.name}"
        return HealthRow("good", "archived", text, lead, whole=f"{lead} · {text}\n\n{path}")
    label = titles.get(str(path))
    folder = home_relative(bench.store, session_folder(path) or path.parent)
    text = " · ".join(filter(None, (label.title, label.project))) if label else folder
    whole = f"{lead} · {text} · {one.file.session_id}"
    text += f" · {one.file.session_id[:_SHORT_ID_CHARS]}"
    if one.is_held:
        place = "a copy, without an archive" if one.copy is not None else "in your own memory"
        words = f"{place} · {text}"
        return HealthRow("good", "kept", words, lead, path, whole=whole)
    if reason := skipped.get(path):
        return HealthRow("plain", "skipped", f"{reason} · {text}", lead, whole=f"{reason} · {whole}")
    return HealthRow("warn", "not archived", text, lead, path, whole=whole)


def index_rows(bench: Workbench) -> HealthPart:
    """What can be found, and what cannot, with the reason."""
    from recall_tui.features.health.index_problems import describe_failure, describe_read_error
    from recall_tui.index.maintenance.disk_state import read_disk_state

    covered = bench.index.coverage(bench.store)
    key = key_label(bench, "refresh", "r")
    if covered.damage:
        return HealthPart((HealthRow("bad", "damaged", f"{covered.damage}; {key} rebuilds it"),), "▲ damaged")
    found = read_disk_state(bench.index, bench.store)
    failed = [
        HealthRow("warn", "failed", ": ".join(describe_failure(one))) for one in bench.index.failures(bench.store)
    ]
    faulty = [
        HealthRow("warn", "faulty", ": ".join(describe_read_error(one))) for one in bench.index.faulty(bench.store)
    ]
    own = bench.index.own_totals(bench.store)
    counts = tuple(_counts(bench, covered, own))
    age = relative_time(parse_time(covered.refreshed_at), bench.store.now()) if covered.refreshed_at else "never"
    return HealthPart(
        (
            _progress(bench, key) or _verdict(covered, own, found, key),
            *counts,
            *_limit_rows(failed),
            *_limit_rows(faulty),
        ),
        f"up to date {age}",
    )


def _progress(bench: Workbench, key: str) -> HealthRow | None:
    """How far a long build is; None when the index was whole."""
    progress = bench.index.build_progress()
    if progress is None:
        return None
    return HealthRow("plain", "building", f"{progress.label(bench.store.now())}; {key} continues")


def _verdict(covered: Coverage, own: CatalogueTotals, found: DiskState, key: str) -> HealthRow:
    """How the index is; `key` brings it up to date."""
    if covered.is_interrupted:
        return HealthRow("warn", "unfinished", f"the last build was interrupted; {key} finishes it")
    if covered.trouble:
        return HealthRow("warn", "gap", f"{covered.trouble}; {key} fixes it")
    if covered.is_busy:
        return HealthRow("plain", "busy", f"another process is indexing; {key} checks again")
    if not covered.sources:
        return HealthRow("plain", "empty", f"nothing is indexed yet; {key} builds the index")
    if not found.is_current:
        return HealthRow(
            "warn", "behind", f"{len(found.new)} new · {len(found.stale)} changed since; {key} brings it up to date"
        )
    if covered.failed:
        return HealthRow("warn", "in part", f"{covered.failed} sources could not be read; {key} tries again")
    return HealthRow("good", "whole", f"all of {own.sources - own.gone:,} sources on disk are searchable")


def _counts(bench: Workbench, covered: Coverage, own: CatalogueTotals) -> Iterator[HealthRow]:
    percent = own.indexed * 100 // max(own.sources, 1)
    gone = f" · {own.gone} kept although deleted from disk" if own.gone else ""
    yield HealthRow("plain", "sources", f"{own.indexed:,} of {own.sources:,} indexed, {percent} %{gone}")
    size = f"{covered.bytes / _MEGABYTE:.1f} MB" if covered.bytes >= _MEGABYTE else "under 1 MB"
    yield HealthRow("plain", "passages", f"{own.passages:,} · {size} in {bench.index.folder}")


def _limit_rows(rows: list[HealthRow]) -> list[HealthRow]:
    more = len(rows) - MAX_ROWS
    return [*rows[:MAX_ROWS], HealthRow("warn", "more", f"and {more:,} more")] if more > 0 else rows


def problem_rows(bench: Workbench, proof: VerifyResult | None) -> HealthPart:
    """What does not fit together, and whether it can be mended by itself."""
    problems = bench.check(proof)
    rows = tuple(map(_problem_row, problems))
    fixable = sum(row.is_fixable for row in rows)
    proven = f"index verified: {proof.read_again} of {proof.on_disk.count} sources compared" if proof else ""
    found = (
        f"▲ {len(rows)} found · f fixes {fixable}"
        if fixable
        else f"▲ {len(rows)} found"
        if rows
        else "● no problem found"
    )
    return HealthPart(
        rows, " · ".join(filter(None, (proven, found))), "Files, numbers, index rows and search index are consistent."
    )


def _problem_row(one: Problem) -> HealthRow:
    return HealthRow(
        "warn", one.kind, f"{one.message}{' (f fixes it)' if one.is_fixable else ''}", is_fixable=one.is_fixable
    )


def usage_rows(bench: Workbench) -> HealthPart:
    """Models, what they took, and the limits."""
    from recall_tui.features.health.checklist import NO_MODEL_NOTE
    from recall_tui.features.health.model_usage import usage_report

    found = usage_report(bench.store, _MAX_DAYS)
    if not found.models and not found.troubles and not found.total.calls:
        return HealthPart(
            (),
            "○ no model",
            f"{NO_MODEL_NOTE[0].upper()}{NO_MODEL_NOTE[1:]}.\n{MODEL_OFFER}.",
        )
    rows = [HealthRow("good", purpose, name, "model") for purpose, name in found.models.items()]
    rows += [HealthRow("warn", purpose, why, "none") for purpose, why in found.troubles.items()]
    if not rows:
        rows = [HealthRow("plain", "offline", NO_MODEL_NOTE)]
    return HealthPart((_limit(found), *rows, *_days(found)), f"today {found.today.words} · total {found.total.words}")


def _limit(found: UsageReport) -> HealthRow:
    limits = found.limits
    tokens = f"{found.tokens_left:,} of {limits.tokens_per_day:,} tokens"
    left = f"{found.calls_left:,} of {limits.calls_per_day:,} calls · {tokens}"
    if not found.calls_left or not found.tokens_left:
        return HealthRow("warn", "used up", f"{left} left today; further calls are refused")
    return HealthRow("plain", "left today", f"{left} · {limits.calls_per_session:,} calls per session")


def _days(found: UsageReport) -> list[HealthRow]:
    from recall_tui.features.health.model_usage import UsageTotal

    return [
        HealthRow(
            "plain", row.purpose, UsageTotal(row.calls, row.answered, row.tokens, row.cost).words, row.day.isoformat()
        )
        for row in found.rows
    ]
