"""The checklist says what is true, and a memory is healthy only when it works."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.domain.hook import HookDecision
from recall_tui.environment import Environment
from recall_tui.features.health.checklist import ChecklistItem, HookInstallation, check_handed_over
from recall_tui.llm.model import Usage
from recall_tui.llm.usage_ledger import CallRequest, UsageLedger, UsageLimits
from recall_tui.storage.state.hook_log import HookLogEntry, append_entry
from recall_tui.storage.trust import confirm
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at, transcript, write_files

TALK = [("user", "Why do tokens expire?"), ("assistant", "Because a stolen one must not last.")]
HOOKS = HookInstallation(("Claude Code",))


def written(environment: Environment, number: int, days: float) -> Path:
    """A transcript that was last written to so many days ago."""
    start = NOON - timedelta(days=days)
    path = transcript(environment, number, TALK, start=start)
    os.utime(path, (start.timestamp(), start.timestamp()))
    return path


def item(bench: Workbench, name: str) -> dict[str, str]:
    checks = bench.health().facts["checks"]
    assert isinstance(checks, list)
    return next(one for one in checks if one["name"] == name)


def started(bench: Workbench, did: str, why: str = "") -> None:
    line = HookLogEntry((NOON - timedelta(hours=2)).isoformat(), "start", "claude", "s", 5.0, HookDecision(did, why))
    append_entry(bench.store.state, line)


def test_an_empty_memory_is_not_healthy(environment: Environment) -> None:
    bench = bench_at(environment)
    report = bench.health()
    assert report.level == "degraded" and any("the memory is empty" in reason for reason in report.reasons)
    assert report.is_new, "and nothing is wrong with it"
    assert item(bench, "kept")["fix"] == ""
    written(environment, 1, 5)
    assert bench.health().is_new
    assert item(bench, "kept")["text"] == "the memory is empty: none of 1 session is kept yet"
    assert item(bench, "kept")["fix"] == "recall-tui archive --all-unarchived"


def test_a_new_memory_with_a_fault_is_not_merely_new(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.layout.config.write_text("[inject]\ntokens = -5\n", encoding="utf-8")
    report = bench_at(environment).health()
    assert report.level == "degraded" and len(report.reasons) == 2 and not report.is_new


def test_a_memory_of_logs_alone_is_not_empty(environment: Environment) -> None:
    bench = bench_at(environment)
    write_files(bench.store.root, {"memory/days/2026-03-01.md": "## 2026-03-01\n\nThe crane was painted.\n"})
    assert bench.health().level == "healthy"
    assert item(bench, "kept")["text"] == "no agent has a session here yet"
    written(environment, 1, 5)
    assert item(bench, "kept")["text"] == "none of 1 session is kept yet"
    written(environment, 2, 28)
    assert item(bench, "kept")["state"] == "attention" and bench.health().level == "degraded"


def test_the_checklist_asks_in_the_order_that_a_person_does(environment: Environment) -> None:
    checks = bench_at(environment).health().facts["checks"]
    assert isinstance(checks, list)
    assert [one["name"] for one in checks] == ["kept", "found", "handed over", "budget", "safe", "model"]


def test_kept_sessions_are_counted_and_the_next_to_expire_is_named(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(written(environment, 1, 5))
    written(environment, 2, 10)
    found = item(bench, "kept")
    assert found["state"] == "open" and found["text"] == "1 of 2 sessions kept · Claude Code deletes the next in 2w"
    assert bench.health().level == "healthy"
    late = written(environment, 3, 28)
    found = item(bench, "kept")
    assert found["state"] == "attention" and found["text"].startswith("1 of 3 sessions kept")
    assert bench.health().level == "degraded"
    for path in (late, written(environment, 2, 10)):
        bench.capture(path)
    assert item(bench, "kept")["text"] == "all 3 sessions kept" and item(bench, "kept")["state"] == "pass"


def test_a_session_that_may_be_running_is_not_missing(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(written(environment, 1, 5))
    written(environment, 2, 0)
    assert item(bench, "kept")["text"] == "1 of 2 sessions kept · 1 may still be running"
    assert item(bench, "kept")["state"] == "pass"


def test_a_copied_session_of_long_ago_is_not_running(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(written(environment, 1, 5))
    copied = written(environment, 2, 60)
    os.utime(copied, (NOON.timestamp(), NOON.timestamp()))
    found = item(bench, "kept")
    assert "running" not in found["text"] and found["text"].startswith("1 of 2 sessions kept")
    assert found["fix"] == "recall-tui archive --all-unarchived"


@pytest.mark.parametrize(
    ("did", "state"), [(("handed",), "pass"), (("silent",), "attention"), (("handed", "silent"), "pass"), ((), "open")]
)
def test_handed_over_passes_only_when_a_hook_was_seen_doing_it(
    environment: Environment, did: tuple[str, ...], state: str
) -> None:
    bench = bench_at(environment)
    for one in did:
        started(bench, one, "the window is empty")
    found = check_handed_over(bench.store, HOOKS)
    assert found.state == state
    assert found.state != "pass" or found.text == "the hook in Claude Code handed it over 2h ago"


def test_hooks_that_hand_nothing_over_need_attention(environment: Environment) -> None:
    bench = bench_at(environment)
    started(bench, "handed")
    started(bench, "failed", "no space left on device")
    assert "no space left on device" in check_handed_over(bench.store, HOOKS).text
    error = check_handed_over(bench.store, HookInstallation(("Codex",), "Codex: the hook ends with 1"))
    assert error == ChecklistItem("handed over", "attention", "Codex: the hook ends with 1", "recall-tui install")
    bench.layout.config.write_text("[inject]\ntokens = 0\n", encoding="utf-8")
    assert "inject.tokens is 0" in check_handed_over(bench_at(environment).store, HOOKS).text
    assert check_handed_over(bench.store, HookInstallation()).state == "open"


def test_a_model_is_reachable_when_its_last_call_was_answered(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(written(environment, 1, 5))
    assert item(bench, "model")["state"] == "open"
    bench.layout.config.write_text('[llm]\nprovider = "command"\ncommand = "true"\n', encoding="utf-8")
    bench = bench_at(environment)
    assert confirm(bench.store)
    assert item(bench, "model") == {
        "name": "model",
        "state": "open",
        "text": "command/true: set up, not tried yet",
        "fix": "",
    }
    ledger, limits = UsageLedger(bench.store.state), UsageLimits(100, 100_000, 100)
    for outcome, state in (("answered", "pass"), ("failed", "attention")):
        row = ledger.begin(CallRequest(NOON, "summary", "command/true", "", Usage(1, 1)), limits)
        assert isinstance(row, int)
        ledger.end(row, Usage(1, 1), 5, outcome, "there is no such model")  # type: ignore[arg-type]
        assert item(bench, "model")["state"] == state
    assert "there is no such model" in item(bench, "model")["text"] and bench.health().level == "degraded"


def test_a_model_program_that_is_not_installed_needs_attention(environment: Environment) -> None:
    environment = environment._replace(env={**environment.env, "PATH": str(environment.home)})
    bench = bench_at(environment)
    bench.layout.config.write_text('[llm]\nprovider = "command"\ncommand = "no-such-program-here"\n', encoding="utf-8")
    bench = bench_at(environment)
    assert confirm(bench.store)
    assert item(bench, "model")["text"] == "no-such-program-here is not installed"
    assert item(bench, "model")["state"] == "attention"


def test_a_session_with_a_summary_is_kept_where_summaries_take_the_place_of_archives(environment: Environment) -> None:
    bench = bench_at(environment, "project")
    path = written(environment, 1, 5)
    bench.capture(path)
    assert item(bench, "kept")["text"] == "1 of 1 session kept: 1 summary, 0 conversations copied"
    assert list(bench.unarchived(of_all=True)) == []
    transcript(environment, 1, [*TALK, ("user", "And when?"), ("assistant", "After an hour.")], start=NOON)
    assert list(bench.unarchived(of_all=True)) == [path]


def test_a_clone_with_summaries_of_others_is_not_empty(environment: Environment) -> None:
    bench = bench_at(environment, "project")
    path = written(environment, 1, 5)
    bench.capture(path)
    path.unlink()
    bench.layout.rows.unlink()
    assert [row.session_id for row in bench.rows] == [path.stem] and bench.archive.heads(bench.rows)
    assert item(bench, "kept")["text"] == "summary of 1 session; no agent here has the conversation"


def test_the_newest_page_of_a_clone_is_the_one_of_the_latest_day(environment: Environment) -> None:
    bench = bench_at(environment, "project")
    for number, day in ((1, "2026-02-09"), (2, "2026-02-07")):
        note = f'<!-- recall: {{"session_id": "{number}", "date": "{day}T10:00:00Z", "hash": "0"}} -->'
        page = f"# Okapi {number}\n\n## Context\n\nOkapi.\n\n{note}\n"
        write_files(bench.store.root, {f"_memory/conversations/{number}.md": page})
    archives = bench.health().facts["archives"]
    assert isinstance(archives, dict) and str(archives["newest_at"]).startswith("2026-02-09")
