"""Trigger and context of a checkpoint, noted in the archive as published."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from recall_tui.workbench import Workbench
from tests.makers import bench_at, session_id_of, transcript

Recall = Callable[..., Any]
TURNS = [
    ("user", "fix the crash in the validator"),
    ("assistant", "The validator crashed on an empty body; it is fixed."),
]
MORE = [("user", "and the form?"), ("assistant", "The form is fixed as well.")]


def _head(bench: Workbench, number: int) -> dict[str, object]:
    return dict(split_frontmatter(bench.archive.get(number).path.read_text())[0])


def test_logs_bear_the_published_triggers(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "user")
    file = transcript(environment, 1, TURNS)
    recall("checkpoint", str(file), "--trigger", "precompact")
    assert (_head(bench, 1)["trigger"], _head(bench, 1)["source"]) == ("precompact", "checkpoint")
    transcript(environment, 1, [*TURNS, *MORE])
    recall("archive", str(file))
    assert (_head(bench, 2)["trigger"], _head(bench, 2)["source"]) == ("session-end", "session")


@pytest.mark.parametrize("name", ["user", "entity", "hierarchical"])
def test_a_context_and_another_trigger_are_kept(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    file = transcript(environment, 1, TURNS)
    words = ("--trigger", "manual", "--context", "before the move: key ghp_" + "a1B2" * 9)
    recall(root, "checkpoint", str(file), *words)
    head = _head(bench, 1)
    assert head["trigger"] == "manual"
    assert head["context"] == "before the move: key [redacted:github-token]"
    assert head["session_id"] == session_id_of(1)


def test_the_final_archive_keeps_the_context_of_its_checkpoint(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    file = transcript(environment, 1, TURNS)
    recall("checkpoint", str(file), "--context", "before the move")
    recall("archive", str(file))
    assert (_head(bench, 1)["context"], _head(bench, 1)["source"]) == ("before the move", "session")
    assert recall("doctor").code == 0


def test_it_is_said_when_there_is_nothing_to_note_a_context_in(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    file = str(transcript(environment, 1, TURNS))
    recall("checkpoint", file)
    assert "context are noted nowhere" in recall("checkpoint", file, "--context", "before the move").err
    assert "noted nowhere" not in recall("checkpoint", file).err
