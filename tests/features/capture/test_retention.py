"""Each agent's retention is read from its settings, and Claude Code's can be made longer by a change with an undo."""

from __future__ import annotations

import json

import pytest

from recall_tui.agents.retention import plan_retention
from recall_tui.environment import Environment
from recall_tui.errors import BrokenFileError
from recall_tui.features.capture.retention import agent_retention
from recall_tui.transcripts.gemini.retention import gemini_retention
from recall_tui.transcripts.registry import own_readers
from tests.makers import bench_at, transcript

TALK = [("user", "Why?"), ("assistant", "Because.")]


def test_claude_codes_retention_is_its_default_or_its_setting(environment: Environment) -> None:
    bench = bench_at(environment)
    assert list(agent_retention(bench.store)) == []
    transcript(environment, 1, TALK)
    (one,) = agent_retention(bench.store)
    assert (one.title, one.retention.days, one.retention.is_default) == ("Claude Code", 30, True)
    (environment.claude / "settings.json").write_text('{"cleanupPeriodDays": 90}', encoding="utf-8")
    (one,) = agent_retention(bench.store)
    assert (one.retention.days, one.retention.is_default) == (90, False)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("{}", (30, True)),
        ("not json", (30, True)),
        ('{"general": {"sessionRetention": {"maxAge": "4w"}}}', (28, False)),
        ('{"general": {"sessionRetention": {"enabled": false}}}', (None, False)),
        ('{"general": {"sessionRetention": {"maxAge": "soon"}}}', (30, True)),
        ('{"general": []}', (30, True)),
    ],
)
def test_gemini_clis_retention(environment: Environment, settings: str, expected: tuple[int | None, bool]) -> None:
    environment.gemini.mkdir(parents=True)
    (environment.gemini / "settings.json").write_text(settings, encoding="utf-8")
    assert gemini_retention(environment) == expected


def test_a_longer_retention_changes_one_member_and_is_undone_to_the_byte(environment: Environment) -> None:
    bench = bench_at(environment)
    settings = environment.claude / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    before = b'{ "model": "opus",\n  "cleanupPeriodDays": 20, "env": {"A": "1.50"} }\n'
    settings.write_bytes(before)
    bench.apply(plan_retention)
    assert settings.read_bytes() == before.replace(b"20", b"365")
    assert bench.preview(plan_retention).edits == ()
    bench.undo()
    assert settings.read_bytes() == before


def test_settings_are_created_where_there_are_none(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.apply(plan_retention)
    assert json.loads((environment.claude / "settings.json").read_text(encoding="utf-8")) == {"cleanupPeriodDays": 365}


def test_broken_settings_are_left_alone(environment: Environment) -> None:
    bench = bench_at(environment)
    settings = environment.claude / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"model": ', encoding="utf-8")
    with pytest.raises(BrokenFileError):
        bench.apply(plan_retention)
    assert settings.read_text(encoding="utf-8") == '{"model": '


def test_only_what_is_documented_is_said(environment: Environment) -> None:
    told = {one.agent: one.retention(environment).describe() for one in own_readers()}
    assert (told["claude"], told["gemini"], told["codex"]) == ("30 days", "30 days", "for ever")
    assert {told[agent] for agent in told if agent not in ("claude", "gemini", "codex")} == {"not documented"}
