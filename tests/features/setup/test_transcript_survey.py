"""What agents have left is counted by agent, with what is about to be deleted."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.features.setup.transcript_survey import AgentTranscripts, survey_transcripts
from tests.conftest import NOON
from tests.makers import transcript

TALK = [("user", "why do tokens expire?"), ("assistant", "Because a stolen one must not last.")]


def aged(path: Path, days: float) -> None:
    written = (NOON - timedelta(days=days)).timestamp()
    os.utime(path, (written, written))


def test_every_agent_on_the_machine_is_named_even_without_a_session(environment: Environment) -> None:
    assert survey_transcripts(environment, NOON) == ()
    for folder in (environment.claude, environment.copilot, environment.codex):
        folder.mkdir()
    assert [(one.agent, one.sessions, one.oldest) for one in survey_transcripts(environment, NOON)] == [
        ("Claude Code", 0, None),
        ("Codex", 0, None),
        ("Copilot CLI", 0, None),
    ]


def test_sessions_are_counted_with_the_oldest_and_those_that_expire(environment: Environment) -> None:
    for number, days in (1, 40), (2, 23.5), (3, 22.5):
        aged(transcript(environment, number, TALK), days)
    assert survey_transcripts(environment, NOON)[0] == AgentTranscripts("Claude Code", 3, NOON - timedelta(days=40), 2)


def test_a_session_with_two_files_is_one(environment: Environment) -> None:
    path = transcript(environment, 1, TALK)
    other = environment.claude / "projects" / "-home-u-web" / path.name
    other.parent.mkdir()
    other.write_bytes(path.read_bytes())
    aged(path, 29)
    aged(other, 1)
    assert survey_transcripts(environment, NOON)[0] == AgentTranscripts("Claude Code", 1, NOON - timedelta(days=1), 0)


def test_how_long_they_are_kept_is_the_agents_own_setting(environment: Environment) -> None:
    aged(transcript(environment, 1, TALK), 29)
    (environment.claude / "settings.json").write_text(json.dumps({"cleanupPeriodDays": 365}), encoding="utf-8")
    assert survey_transcripts(environment, NOON)[0].expiring == 0


def test_an_agent_that_deletes_nothing_has_nothing_that_expires(environment: Environment) -> None:
    path = environment.codex / "sessions" / "2025" / "01" / "02" / "rollout-2025-01-02T03-04-05-abc.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("{}\n", encoding="utf-8")
    aged(path, 400)
    assert survey_transcripts(environment, NOON)[0] == AgentTranscripts("Codex", 1, NOON - timedelta(days=400), 0)
