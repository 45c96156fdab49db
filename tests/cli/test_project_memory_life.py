"""How a project's memory is used from day to day: in a session, by a sub-agent, at its start, and all of it in turn."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.llm import usage_ledger
from recall_tui.llm.usage_ledger import LoggedCall
from recall_tui.workbench import Workbench
from tests.cli.conftest import Recall
from tests.hooks import called, said
from tests.makers import bench_at, session_id_of, transcript, tree
from tests.processes import Machine, ended

TALK = [("user", "Pick a queue for the mailer"), ("assistant", "We decided to use Redis streams, not RabbitMQ.")]
PAGE = "# Mailer queue\n\n## Context\n\nA queue was picked.\n\n## Tracking Points\n\n- Decision: Redis streams\n"
FREE = PAGE + "- Mood: relieved\n\n## Open ends\n\nNone.\n"
ONE, TWO = session_id_of(1), session_id_of(2)


def summaries(environment: Environment) -> Path:
    return environment.cwd / "_memory" / "conversations"


@pytest.mark.long
def test_in_a_session_the_agent_writes_and_saves_under_the_id_that_it_was_told(
    recall: Recall, environment: Environment
) -> None:
    root = bench_at(environment, "project").store.root
    transcript(environment, 1, TALK, cwd=str(environment.cwd))
    start = called(Machine(environment, root), said("SessionStart", ONE, cwd=str(environment.cwd), source="startup"))
    told = start.context.partition("The id of this session is ")[2][:36]
    assert recall("summarize", told, "--text", "-", "--yes", stdin=FREE).code == 0
    assert (summaries(environment) / f"{ONE}.md").read_text().startswith(FREE), (
        "any label and any further section stays"
    )


def test_a_sub_agent_reads_a_session_from_disk_and_its_page_is_saved_like_any(
    recall: Recall, environment: Environment
) -> None:
    bench_at(environment, "project")
    transcript(environment, 1, [*TALK, *(("user", f"And point {n}?") for n in range(400))], cwd=str(environment.cwd))
    whole = recall("show", ONE).out
    assert "Redis streams" in whole and "And point 399?" in whole
    assert "Redis streams" in recall("show", f"{ONE}:1-40").out
    assert recall("summarize", ONE, "--text", "-", "--yes", stdin=PAGE).code == 0
    assert (summaries(environment) / f"{ONE}.md").read_text().startswith(PAGE)


def test_the_end_of_a_session_writes_no_summary_by_itself(environment: Environment) -> None:
    root = bench_at(environment, "project").store.root
    path = transcript(environment, 1, TALK, cwd=str(environment.cwd))
    before = tree(environment.cwd)
    for event in ("Stop", "PreCompact", "SessionEnd"):
        assert called(
            Machine(environment, root), said(event, ONE, path, cwd=str(environment.cwd), reason="other")
        ).is_sound()
    assert tree(environment.cwd) == before


@pytest.mark.long
def test_the_full_cycle_from_the_first_start_to_the_nudge_to_synthesise(
    recall: Recall, environment: Environment
) -> None:
    machine = Machine(environment, bench_at(environment, "project").store.root)
    assert "/summarize" in recall("recall").err
    transcript(environment, 1, TALK, cwd=str(environment.cwd))
    recall("summarize", ONE, "--text", "-", "--yes", stdin=PAGE)
    assert "Redis streams" in recall("recall").out, "the first summary is there to be recalled at once"
    assert "new" not in recall("recall").err
    start = called(machine, said("SessionStart", TWO, cwd=str(environment.cwd), source="startup"))
    assert TWO in start.context and "new conversation" not in start.context
    transcript(environment, 2, TALK, cwd=str(environment.cwd))
    recall("summarize", TWO, "--text", "-", "--yes", stdin=PAGE)
    later = (environment.cwd / "_memory" / "master.md").stat().st_mtime + 5
    os.utime(summaries(environment) / f"{TWO}.md", (later, later))
    start = called(machine, said("SessionStart", session_id_of(3), cwd=str(environment.cwd), source="clear"))
    assert "1 new conversation summary since the last synthesis" in start.context
    assert "/synthesize" in start.context and "systemMessage" not in start.json


@pytest.mark.long
@pytest.mark.parametrize("words", [("archive", "--session", ONE), ("summarize", ONE, "--yes")], ids=["archive", "page"])
def test_ctrl_c_while_a_model_thinks_takes_the_words_of_the_session(
    environment: Environment, words: tuple[str, ...]
) -> None:
    bench = bench_at(environment, "project")
    transcript(environment, 1, TALK, cwd=str(environment.cwd))
    environment.env.update(RECALL_LLM_PROVIDER="command", RECALL_LLM_COMMAND="sleep 100")  # type: ignore[attr-defined]
    process = Machine(environment, bench.store.root).start(*words)
    while not any(row.outcome == "running" for row in calls_of(bench)):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    done = ended(process)
    assert done.code == 0 and "quoted from the conversation: cancelled" in done.err
    assert "We decided to use Redis streams" in (summaries(environment) / f"{ONE}.md").read_text()
    assert [row.outcome for row in calls_of(bench)] == ["cancelled"]


def calls_of(bench: Workbench) -> list[LoggedCall]:
    """The rows of the ledger as far as it is there."""
    return (
        list(usage_ledger.UsageLedger(bench.store.state).calls())
        if (bench.store.state / usage_ledger.LEDGER_FILE).exists()
        else []
    )
