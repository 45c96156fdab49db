"""The command line says for how long each agent keeps its sessions."""

from __future__ import annotations

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.makers import bench_at, transcript


def test_it_is_told_of_agents_and_of_what_is_indexed(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    transcript(environment, 1, [("user", "Why?"), ("assistant", "Because.")])
    (environment.claude / "settings.json").write_text('{"cleanupPeriodDays": 90}', encoding="utf-8")
    row = next(one for one in recall("agents", "--json").json["agents"] if one["name"] == "claude")
    assert row["sessions"] == {"days": 90, "is_default": False, "is_documented": True}
    assert "90 days" in recall("agents").out
    assert recall("sync").code == 0
    assert recall("index", "status", "--json").json["retention"] == [{"agent": "claude", **row["sessions"]}]
    assert "agents keep Claude Code 90 days" in recall("index", "status").out
