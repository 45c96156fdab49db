"""The hook of a prompt, as an agent calls it: an error that is named, and what was rejected after it was said."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript

FIX = "The ParseTimeoutError came from the invoice reader; we raised its limit to 40 seconds in reader.py."


def asked(recall: Recall, environment: Environment, name: str, prompt: str, reply: str) -> str:
    """What an agent in the project is told to a prompt, after a session with that reply."""
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    talk = [("user", "The nightly import of invoices stops, look why"), ("assistant", reply)]
    start = NOON - timedelta(days=3)
    recall(root, "archive", str(transcript(environment, 1, talk, start=start, cwd=cwd)))
    transcript(environment, 2, [("user", "Paint the gangway"), ("assistant", "Painted.")], start=start, cwd=cwd)
    recall(root, "sync")
    told = {"hook_event_name": "UserPromptSubmit", "session_id": session_id_of(9), "prompt": prompt, "cwd": cwd}
    said = recall("hook", root, stdin=json.dumps(told))
    assert said.code == 0 and not said.err
    return str(said.json["hookSpecificOutput"]["additionalContext"]) if said.out.strip() else ""


@pytest.mark.parametrize("name", LAYOUT_NAMES)
@pytest.mark.parametrize("prompt", ["what did we do about ParseTimeoutError?", "why did we get a ParseTimeoutError?"])
def test_an_error_that_is_named_is_answered(recall: Recall, environment: Environment, name: str, prompt: str) -> None:
    assert "raised its limit to 40 seconds" in asked(recall, environment, name, prompt, FIX)


@pytest.mark.parametrize("name", LAYOUT_NAMES)
@pytest.mark.parametrize("label", ["Verdict: rejected", "Status: superseded", "**Status:** deprecated"])
def test_what_a_line_of_it_rejects_is_not_handed_over(
    recall: Recall, environment: Environment, name: str, label: str
) -> None:
    prompt = "what did we do about ParseTimeoutError in the invoice reader?"
    for reply in (f"{label}\n\n{FIX}", f"{FIX}\n\n{label}. It hid the cause."):
        assert asked(recall, environment, name, prompt, reply) == ""


def test_a_question_asked_before_comes_with_its_answer_in_whatever_words(
    recall: Recall, environment: Environment
) -> None:
    bench = bench_at(environment)
    root, start = f"--root={bench.store.root}", NOON - timedelta(days=3)
    question = "Why does createTestApp fail with ECONNREFUSED in the widget-service?"
    talk = [
        ("user", question),
        ("assistant", "Let me look."),
        ("assistant", "A stale DNS cache was the reason; the setup flushes it now."),
        ("user", "Now paint the crane"),
        ("assistant", "The crane is blue."),
    ]
    recall(root, "archive", str(transcript(environment, 1, talk, start=start)))
    transcript(environment, 2, [("user", "Paint the gangway"), ("assistant", "Painted.")], start=start)
    recall(root, "sync")
    prompt = "createTestApp fails with ECONNREFUSED again, what was it?"
    told = {"hook_event_name": "UserPromptSubmit", "session_id": session_id_of(9), "prompt": prompt}
    shown = recall("hook", root, stdin=json.dumps(told)).json["hookSpecificOutput"]["additionalContext"]
    assert "the setup flushes it now" in shown and "crane" not in shown


def test_the_title_of_a_summary_comes_with_what_stands_below_it(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    root, cwd, start = f"--root={bench.store.root}", str(bench.store.root), NOON - timedelta(days=3)
    talk = [
        ("user", "why does the pelican importer drop rows?"),
        ("assistant", "The reader trims trailing commas now."),
    ]
    path = transcript(environment, 1, talk, start=start, cwd=cwd)
    assert recall(root, "summarize", session_id_of(1), "--yes").code == 0
    path.unlink()
    recall(root, "sync")
    prompt = "why did the pelican importer drop rows again?"
    told = {"hook_event_name": "UserPromptSubmit", "session_id": session_id_of(9), "prompt": prompt, "cwd": cwd}
    shown = recall("hook", root, stdin=json.dumps(told)).json["hookSpecificOutput"]["additionalContext"]
    assert "trims trailing commas" in shown
