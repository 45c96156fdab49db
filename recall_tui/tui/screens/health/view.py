"""What the health screen shows, part by part: each a few rows of sign, word and reason.

A part that cannot be looked at says so in its own panel; the others are there all the same. Rows hold text as it was
read; only drawing them makes it safe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from recall_tui.domain import HealthReport, Problem
from recall_tui.text.dates import ago, parse_time
from recall_tui.tui.keys.key_labels import key_word
from recall_tui.tui.memory_view import EXPECTED, Trouble
from recall_tui.tui.text import at_home

if TYPE_CHECKING:
    from recall_tui.features.capture.expiry import Expiring
    from recall_tui.features.health.model_usage import Spending
    from recall_tui.index.maintenance.coverage import Coverage
    from recall_tui.index.maintenance.disk_state import OnDisk
    from recall_tui.index.maintenance.verify import Proof
    from recall_tui.workbench import Workbench

Part = Literal["state", "index", "capture", "agents", "injection", "spend", "doctor"]
State = Literal["good", "plain", "warn", "bad"]
MOST = 200
"""Rows of a kind that are listed; the others are counted."""
_MB = 2**20
_DAYS = 30
"""Days whose rows are listed."""


@dataclass(frozen=True, slots=True)
class StateRow:
    """One row of a panel."""

    state: State
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
    agent: str = ""
    """The agent that can be installed into, as the command line names it."""
    scope: str = ""
    """For the person or for one project."""
    is_installed: bool = False
    """Something of this memory is in the agent."""


@dataclass(frozen=True, slots=True)
class Looked:
    """One part, looked at."""

    rows: tuple[StateRow, ...]
    summary: str = ""
    words: str = ""
    """What is said when there is no row."""


def looked(look: Callable[[], Looked], home: Path) -> Looked:
    """What the look gives, with `~` for the home folder, or one row that says why it gives nothing."""
    try:
        found = look()
    except EXPECTED as error:
        trouble = Trouble.of(error)
        text = f"{trouble.message}; {trouble.hint}" if trouble.hint else trouble.message
        found = Looked((StateRow("warn", "unreadable", text),), "▲ unreadable")
    return replace(found, rows=tuple(replace(row, text=at_home(row.text, home)) for row in found.rows))


def of_report(report: HealthReport) -> Looked:
    """The level with its reasons, then what is kept."""
    states: dict[str, State] = {"healthy": "good", "degraded": "warn", "down": "bad"}
    state = states[report.level]
    because, *others = report.reasons or ("nothing is wrong",)
    first = StateRow(state, report.level, because)
    reasons = tuple(StateRow(state, "and", reason) for reason in others)
    notes = report.facts.get("notes")
    told = [StateRow("plain", "note", str(note)) for note in notes] if isinstance(notes, list) else []
    return Looked((first, *reasons, *_holdings(report.facts), *told))


def _holdings(facts: Mapping[str, object]) -> Iterator[StateRow]:
    memory, window, archives = (_table(facts, name) for name in ("memory", "window", "archives"))
    if memory and window and archives:
        lines = f"MEMORY.md {memory['lines']} of {memory['max_lines']} lines, {memory['percent']} %"
        kept = f"window {window['entries']} of {window['max']} · {archives['count']} archives"
        yield StateRow("plain", "holds", f"{lines} · {kept} · {facts.get('topics', 0)} topics")


def _table(facts: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = facts.get(name)
    return found if isinstance(found, Mapping) else {}


def of_capture(bench: Workbench, skipped: Mapping[Path, str]) -> Looked:
    """The sessions whose transcripts will be deleted soon; `skipped` says which hold nothing to archive, and why."""
    from recall_tui.features.capture.expiry import SOON_DAYS, expiry

    found = expiry(bench.store)
    titles = _titles(bench)
    rows = tuple(_expiring(bench, one, titles, skipped) for one in found.soon)
    lost = sum(row.state == "warn" for row in rows)
    last = _last(bench)
    near = f"{len(rows)} expire within {SOON_DAYS} days" if rows else f"none of {found.transcripts} expires soon"
    summary = " · ".join((last, near, *([f"▲ {lost} not archived"] if lost else ())))
    if not found.transcripts:
        return Looked(
            (),
            last,
            "No transcript of Claude Code was found.\nOnce it has run, those it will delete soon are listed here.",
        )
    words = f"No session expires within {SOON_DAYS} days. Claude Code keeps a transcript {found.keeps_days} days."
    return Looked(rows, summary, words)


def _last(bench: Workbench) -> str:
    from recall_tui.features.capture.expiry import last_capture

    now = bench.store.now()
    if captured := last_capture(bench.store):
        return f"last capture {ago(captured, now)}"
    newest = bench.archive.newest() if bench.layout.archives else None
    return f"newest archive {ago(newest.date, now)}" if newest and newest.date else "nothing captured yet"


def _expiring(bench: Workbench, one: Expiring, titles: Mapping[str, str], skipped: Mapping[Path, str]) -> StateRow:
    path = one.file.path
    now = bench.store.now()
    lead = f"expires {ago(one.expires_at, now)}" if one.expires_at > now else f"expired {ago(one.expires_at, now)}"
    text = f"{titles.get(str(path)) or path.parent.name} · {one.file.session_id}"
    if one.archive is not None:
        return StateRow("good", "archived", f"{one.archive.name} · {text}", lead)
    if one.copy is not None:
        return StateRow("good", "kept", f"a copy, without an archive · {text}", lead, path)
    if reason := skipped.get(path):
        return StateRow("plain", "skipped", f"{reason} · {text}", lead)
    return StateRow("warn", "not archived", text, lead, path)


def _titles(bench: Workbench) -> Mapping[str, str]:
    """The titles of sessions by the path of their transcript, as far as they are indexed."""
    from recall_tui.errors import RecallError
    from recall_tui.index.text.passage import TRANSCRIPTS

    try:
        with bench.index.facts() as facts:
            return {one.path: one.title for one in facts.known(TRANSCRIPTS).values()} if facts else {}
    except RecallError:
        return {}


def of_index(bench: Workbench) -> Looked:
    """What can be found, and what cannot, with the reason."""
    from recall_tui.features.health.index_problems import failure_of, fault_of
    from recall_tui.index.maintenance.disk_state import on_disk

    covered = bench.index.coverage(bench.store)
    key = key_word(bench, "refresh", "r")
    if covered.damage:
        return Looked((StateRow("bad", "damaged", f"{covered.damage}; {key} makes it anew"),), "▲ damaged")
    found = on_disk(bench.index, bench.store)
    failed = [StateRow("warn", "failed", ": ".join(failure_of(one))) for one in bench.index.failures(bench.store)]
    faulty = [StateRow("warn", "faulty", ": ".join(fault_of(one))) for one in bench.index.faulty(bench.store)]
    counts = tuple(_counts(bench, covered, found))
    age = ago(parse_time(covered.refreshed_at), bench.store.now()) if covered.refreshed_at else "never"
    return Looked((_verdict(covered, found, key), *counts, *_some(failed), *_some(faulty)), f"up to date {age}")


def _verdict(covered: Coverage, found: OnDisk, key: str) -> StateRow:
    """How the index is; `key` brings it up to date."""
    if covered.trouble:
        return StateRow("warn", "gap", f"{covered.trouble}; {key} mends it")
    if covered.is_busy:
        return StateRow("plain", "busy", f"another process is indexing; {key} looks again")
    if not covered.sources:
        return StateRow("plain", "empty", f"nothing is indexed yet; {key} does so")
    if not found.is_current:
        return StateRow(
            "warn", "behind", f"{len(found.new)} new · {len(found.stale)} changed since; {key} brings it up to date"
        )
    if covered.failed:
        return StateRow("warn", "in part", f"{covered.failed} sources could not be read; each {key} tries them again")
    return StateRow("good", "whole", f"all of {found.count} sources on disk can be found")


def _counts(bench: Workbench, covered: Coverage, found: OnDisk) -> Iterator[StateRow]:
    percent = covered.indexed * 100 // max(covered.sources, 1)
    gone = f" · {covered.gone} kept that are gone from the disk" if covered.gone else ""
    yield StateRow("plain", "sources", f"{covered.indexed} of {covered.sources} indexed, {percent} %{gone}")
    size = f"{covered.bytes / _MB:.1f} MB" if covered.bytes >= _MB else "under 1 MB"
    yield StateRow("plain", "passages", f"{covered.passages:,} · {size} in {bench.index.folder}")


def _some(rows: list[StateRow]) -> list[StateRow]:
    more = len(rows) - MOST
    return [*rows[:MOST], StateRow("warn", "more", f"and {more:,} more")] if more > 0 else rows


def of_problems(bench: Workbench, proof: Proof | None) -> Looked:
    """What does not fit together, and whether it can be mended by itself."""
    problems = bench.check(proof)
    rows = tuple(map(_problem, problems))
    fixable = sum(row.is_fixable for row in rows)
    proven = f"index proven: {proof.read_again} of {proof.on_disk.count} sources read again" if proof else ""
    found = (
        f"▲ {len(rows)} found · f mends {fixable}"
        if fixable
        else f"▲ {len(rows)} found"
        if rows
        else "● nothing is wrong"
    )
    return Looked(
        rows, " · ".join(filter(None, (proven, found))), "Files, numbers, rows, window and index fit together."
    )


def _problem(one: Problem) -> StateRow:
    return StateRow(
        "warn", one.kind, f"{one.message}{' (f mends it)' if one.is_fixable else ''}", is_fixable=one.is_fixable
    )


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
