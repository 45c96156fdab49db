"""The checklist of a memory: is it working for me, in the order that a person asks.

An item passes only when its text is true. `open` means that nothing is wrong, but something is not set up or not known
yet; `attention` makes the memory degraded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from recall_tui.domain import HealthReport
from recall_tui.errors import RecallError
from recall_tui.text.dates import relative_time

if TYPE_CHECKING:
    from recall_tui.features.capture.kept_sessions import KeptSessions
    from recall_tui.storage.memory_context import Store

ItemName = Literal["kept", "found", "handed over", "budget", "safe", "model"]
ItemState = Literal["pass", "open", "attention"]
_RECENT_CHANGES = 50
"""Changes to search for the newest one by a person."""
_RECENT_STARTS = 3
"""Session starts to search for one that was handed something: after one of them the window may be empty."""


_DOCUMENT_COUNTS = ("dailies", "weeklies", "monthlies", "typed_memories", "wiki_pages", "insights")
"""Counts of documents that a person or a program wrote into the memory."""
_MODEL_KEYS = ("llm.provider", "llm.summary", "llm.synthesis", "llm.dream", "embeddings.provider")
"""Settings that name a model; without any of them nothing of the models is loaded."""
_EMPTY_LEAD = "the memory is empty"
NO_MODEL_NOTE = "no model is configured; everything works offline"


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    """One question of the checklist, answered."""

    name: ItemName
    state: ItemState
    text: str
    fix: str = ""
    """The command that fixes it; empty when there is nothing to fix."""


@dataclass(frozen=True, slots=True)
class HookInstallation:
    """The hooks of a memory in the agents of this machine."""

    agents: tuple[str, ...] = ()
    """Titles of the agents that have them."""
    error: str = ""
    """The reason that one of them does not work; empty when none is known."""
    is_any_found: bool = True
    """Any agent is on this machine."""


def with_checklist(store: Store, report: HealthReport, hooks: HookInstallation) -> HealthReport:
    """Add the checklist to a report's facts, and what needs attention to its reasons."""
    if report.level == "down":
        return report
    items = tuple(build_checklist(store, report, hooks))
    reasons = report.reasons + tuple(
        "; run: ".join(filter(None, (item.text, item.fix)))
        for item in items
        if item.state == "attention" and item.name in ("kept", "handed over", "model")
    )
    is_new = len(reasons) == 1 and reasons[0].startswith(_EMPTY_LEAD)
    facts = {**report.facts, "checks": [asdict(item) for item in items], "is_new": is_new}
    return replace(report, level="degraded" if reasons else report.level, reasons=reasons, facts=facts)


def build_checklist(store: Store, report: HealthReport, hooks: HookInstallation) -> Iterator[ChecklistItem]:
    """Yield the items in the order that a person asks; what cannot be read needs attention and names the reason."""
    yield _try("kept", lambda: check_kept(store, report))
    yield _check_found(report)
    yield _try("handed over", lambda: check_handed_over(store, hooks))
    yield _check_budget(report)
    yield _try("safe", lambda: check_safe(store, report))
    yield _try("model", lambda: check_model(store))


def _try(name: ItemName, check: Callable[[], ChecklistItem]) -> ChecklistItem:
    try:
        return check()
    except RecallError as error:
        return ChecklistItem(name, "attention", error.message)
    except OSError as error:
        return ChecklistItem(name, "attention", str(error))


def check_kept(store: Store, report: HealthReport) -> ChecklistItem:
    """Are my sessions kept?"""
    from recall_tui.features.capture.kept_sessions import count_kept

    counted = count_kept(store)
    fix = "recall-tui archive --all-unarchived"
    archives = _number(report.facts, "archives", "count")
    if not counted.kept and not archives:
        # One with logs, pages or curated lines of its own is at work without any session.
        is_empty = not any(_number(report.facts, "files", name) for name in _DOCUMENT_COUNTS) and not _has_lines(store)
        state: ItemState = "attention" if is_empty or counted.expiring else "open"
        lead = _EMPTY_LEAD if is_empty else ""
        if not counted.total:
            return ChecklistItem("kept", state, ", and ".join(filter(None, (lead, "no agent has a session here yet"))))
        none = f"none of {_sessions(counted.total)} is kept yet{_parts(store, counted)}{_publication(store, counted)}"
        return ChecklistItem("kept", state, ": ".join(filter(None, (lead, none))), fix)
    if not counted.total:
        plural = "s" * (archives != 1)
        if store.layout.design.summaries_are_archives:
            text = (
                f"summar{'ies' if plural else 'y'} of {_sessions(archives)}; no agent here has the conversation{plural}"
            )
            return ChecklistItem("kept", "pass", text)
        return ChecklistItem("kept", "pass", f"{archives:,} archive{plural}; no other session is on this machine")
    share = "all" if counted.kept == counted.total > 1 else f"{counted.kept:,} of"
    how = f"{_parts(store, counted)}{_running(counted)}{_expiry(counted, store.now())}{_publication(store, counted)}"
    text = f"{share} {_sessions(counted.total)} kept{how}"
    if counted.expiring:
        return ChecklistItem("kept", "attention", text, fix)
    return ChecklistItem("kept", "open", text, fix) if counted.missing else ChecklistItem("kept", "pass", text)


def _has_lines(store: Store) -> bool:
    """Whether MEMORY.md says anything besides its headings and comments, or there is a topic file."""
    from recall_tui.storage.documents.memory_file import read_memory
    from recall_tui.storage.documents.topic_files import list_topics

    return not {"text", "code"}.isdisjoint(read_memory(store).kinds) or bool(list_topics(store.layout))


def _parts(store: Store, counted: KeptSessions) -> str:
    """What is kept of the sessions where an archive is a summary, and which the person's own memory keeps."""
    text = ""
    if store.layout.design.summaries_are_archives and counted.kept:
        summaries = f"{counted.archived:,} summar{'ies' if counted.archived != 1 else 'y'}"
        text = f": {summaries}, {counted.copied:,} conversation{'s' * (counted.copied != 1)} copied"
    return f"{text} · {counted.elsewhere:,} in your own memory" if counted.elsewhere else text


def _publication(store: Store, counted: KeptSessions) -> str:
    """That a team reads what would be archived; empty where nothing is missing, and where nobody else reads it."""
    from recall_tui.storage.git_exclusion import publishes_sessions

    return " · archiving writes pages for the team" if counted.missing and publishes_sessions(store) else ""


def _running(counted: KeptSessions) -> str:
    return f" · {counted.running} may still be running" if counted.running else ""


def _expiry(counted: KeptSessions, now: datetime) -> str:
    if counted.next_expiry is None:
        return ""
    if counted.next_expiry <= now:
        return f" · {counted.next_agent} may delete the oldest at its next start"
    return f" · {counted.next_agent} deletes the next {relative_time(counted.next_expiry, now)}"


def _check_found(report: HealthReport) -> ChecklistItem:
    """Is it found by search?"""
    index = report.facts.get("index")
    fix = "recall-tui sync"
    if not isinstance(index, Mapping):
        return ChecklistItem("found", "open", "the search index was not checked", fix)
    if index.get("trouble"):
        return ChecklistItem("found", "attention", str(index["trouble"]), fix)
    own: Mapping[str, object] = {"index": index.get("own", index)}
    sources, indexed, passages = (_number(own, "index", name) for name in ("sources", "indexed", "passages"))
    if not sources:
        return ChecklistItem("found", "open", "nothing is indexed yet; the first search does it", fix)
    text = f"{indexed:,} of {sources:,} sources are indexed · {passages:,} passages"
    if progress := str(index.get("progress", "")):
        # The catalogue counts only the sources that a build has reached.
        return ChecklistItem("found", "open", f"{indexed:,} sources are indexed so far · {progress}", fix)
    if _number(report.facts, "index", "failed"):
        return ChecklistItem("found", "attention", text, "recall-tui index status")
    return ChecklistItem("found", "pass" if indexed == sources else "open", text, "" if indexed == sources else fix)


def check_handed_over(store: Store, hooks: HookInstallation) -> ChecklistItem:
    """Is it handed to the next session?"""
    from recall_tui.storage.state.hook_log import parse_timestamp, recent_starts

    if not hooks.agents and not hooks.is_any_found:
        return ChecklistItem("handed over", "open", "no agent was found on this machine", "recall-tui agents")
    if not hooks.agents:
        return ChecklistItem("handed over", "open", "no agent has this memory's hooks", "recall-tui install")
    names = " and ".join(hooks.agents)
    if hooks.error:
        return ChecklistItem("handed over", "attention", hooks.error, "recall-tui install")
    if not store.config.whole("inject.tokens"):
        text = f"the hooks in {names} hand nothing over: inject.tokens is 0"
        return ChecklistItem("handed over", "attention", text, "recall-tui config unset inject.tokens")
    starts = recent_starts(store.state, _RECENT_STARTS)
    if not starts:
        return ChecklistItem("handed over", "open", f"installed in {names}; waiting for its first session")
    last = next((one for one in starts if one.decision.did == "handed"), starts[0])
    at = parse_timestamp(last)
    when = relative_time(at, store.now()) if at is not None else "at an unknown time"
    if starts[0].decision.did == "failed":
        text = f"the hook failed {when}: {starts[0].decision.why}"
        return ChecklistItem("handed over", "attention", text, "recall-tui agents --log")
    if last.decision.did == "silent":
        text = f"the hook ran {when} and handed nothing over: {last.decision.why or 'there was nothing'}"
        return ChecklistItem("handed over", "attention", text, "recall-tui agents --log")
    return ChecklistItem("handed over", "pass", f"the hook in {names} handed it over {when}")


def _check_budget(report: HealthReport) -> ChecklistItem:
    """Is MEMORY.md within its budget?"""
    lines, most = _number(report.facts, "memory", "lines"), _number(report.facts, "memory", "max_lines")
    percent = _number(report.facts, "memory", "percent")
    text = f"MEMORY.md has {lines:,} of {most:,} lines, {percent} %"
    memory = report.facts.get("memory")
    is_full = isinstance(memory, Mapping) and memory.get("level") == "full"
    if percent > 100 or is_full:
        return ChecklistItem("budget", "attention", text, "recall-tui distill")
    return ChecklistItem("budget", "pass", text)


def check_safe(store: Store, report: HealthReport) -> ChecklistItem:
    """Is it safe: is there a backup, and was the index compared with its sources?"""
    from recall_tui.storage.journal.commits import Journal, was_interrupted
    from recall_tui.storage.state.backup_ring import GRACE_PERIOD, BackupRing

    journal = Journal(store.state, store.now, base=store.layout.base)
    if was_interrupted(journal):
        return ChecklistItem("safe", "attention", "a change was interrupted", "recall-tui doctor --fix")
    if not store.config.whole("backups.days"):
        return ChecklistItem("safe", "open", "daily backups are off", "recall-tui config unset backups.days")
    days = BackupRing(store.state).days()
    if not days:
        return ChecklistItem("safe", "open", "no backup yet; the first one is made within a day", "")
    newest = f"newest backup {days[0].isoformat()}"
    changed = next((one.at.date() for one in journal.entries(_RECENT_CHANGES) if one.by == "person"), None)
    if changed is not None and changed - days[0] > GRACE_PERIOD:
        text = f"{newest}, and the memory was changed since"
        return ChecklistItem("safe", "attention", text, "recall-tui doctor --fix")
    index = report.facts.get("index")
    if isinstance(index, Mapping) and not index.get("is_whole"):
        return ChecklistItem("safe", "open", f"{newest} · the index has gaps", "recall-tui doctor --deep")
    checked = " · the index's counts agree" if isinstance(index, Mapping) and index.get("sources") else ""
    return ChecklistItem("safe", "pass", f"{newest}{checked}")


def check_model(store: Store) -> ChecklistItem:
    """Is the model reachable, if there is one? Its last call tells; nothing is sent."""
    if not any(store.config.text(key).strip() for key in _MODEL_KEYS):
        return ChecklistItem("model", "open", NO_MODEL_NOTE)
    from recall_tui.features.health.model_usage import find_last_call, usage_report
    from recall_tui.llm.selection import missing_program

    used = usage_report(store, 1)
    if used.troubles:
        purpose, why = next(iter(used.troubles.items()))
        return ChecklistItem("model", "attention", f"{purpose}: {why}")
    if not used.models:
        return ChecklistItem("model", "open", NO_MODEL_NOTE)
    for purpose in used.models:
        if program := missing_program(store, purpose):
            return ChecklistItem("model", "attention", f"{program} is not installed", "recall-tui config")
    ended = {name: find_last_call(store, name) for name in sorted(set(used.models.values()))}
    for name, call in ended.items():
        if call is not None and call.outcome == "failed":
            text = f"{name} failed {relative_time(call.at, store.now())}: {call.why}"
            return ChecklistItem("model", "attention", text, "recall-tui config")
    waiting = [name for name, call in ended.items() if call is None]
    if waiting:
        return ChecklistItem("model", "open", f"{' and '.join(waiting)}: set up, not tried yet")
    oldest = min(call.at for call in ended.values() if call is not None)
    return ChecklistItem("model", "pass", f"{' and '.join(ended)} answered {relative_time(oldest, store.now())}")


def _sessions(count: int) -> str:
    return f"{count:,} session{'s' * (count != 1)}"


def _number(facts: Mapping[str, object], table: str, key: str) -> int:
    found = facts.get(table)
    value = found.get(key) if isinstance(found, Mapping) else None
    return value if isinstance(value, int) else 0
