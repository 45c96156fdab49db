"""`add`: one file is indexed now, and what cannot be is said with the next step."""

from __future__ import annotations

from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.features.health.add_file import MAX_MARKDOWN_BYTES
from recall_tui.workbench import Workbench
from tests.makers import bench_at, session_id_of, transcript

Recall = Any
TALK = [("user", "Where does the pelican nest?"), ("assistant", "In the reeds, by the staging cluster.")]


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    return bench_at(environment, "hierarchical")


def test_a_document_is_indexed_and_said_how_it_is_found(recall: Recall, bench: Workbench) -> None:
    path = bench.layout.base / "user_sam.md"
    path.write_text("# Sam\n\nSam likes okapi pictures. The key is AKIAIOSFODNN7EXAMPLE.\n")
    said = recall("add", path)
    assert said.code == 0 and said.out == "Added: memory/user_sam.md (typed, 1 passage)\n"
    assert "recall-tui search 'Sam kind:typed'" in said.err
    assert "okapi" in recall("search", "--ranked", "--no-sync", "Sam kind:typed").out
    assert "AKIA" not in recall("search", "--ranked", "--no-sync", "Sam kind:typed", "--json").out
    again = recall("add", path, "--json").json
    assert (again["is_new"], again["passages"], again["kind"]) == (False, 1, "typed")


def test_a_transcript_is_indexed_where_its_agent_keeps_it(
    recall: Recall, bench: Workbench, environment: Environment
) -> None:
    path = transcript(environment, 1, TALK)
    said = recall("add", path, "--json").json
    assert said["session_id"] == session_id_of(1) and said["passages"] > 0 and said["is_new"]
    bench.capture(path)
    archive = bench.archive.entries()[0].path
    assert "by its transcript" in recall("add", archive).err


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "text", "code", "step"),
    [
        ("../outside.md", "Words.", 2, "recall-tui import"),
        ("notes/inside.md", "Words.", 2, "none of the documents"),
        ("talk.jsonl", "{}", 2, "recall-tui archive"),
        ("image.png", "png", 2, "neither markdown nor a transcript"),
        ("memory/binary.md", "a\0b", 1, "is not a text file"),
        ("memory/large.md", "x" * (MAX_MARKDOWN_BYTES + 1), 1, "split it"),
        ("memory/gone.md", None, 1, "there is no file"),
        ("memory", None, 2, "one file at a time"),
    ],
)
def test_what_cannot_be_added_is_said_with_the_next_step(
    name: str, text: str | None, code: int, step: str, recall: Recall, bench: Workbench
) -> None:
    path = bench.store.root / name
    if text is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    said = recall("add", path)
    assert (said.code, said.out) == (code, "") and step in said.err


def test_what_was_forgotten_or_is_ignored_stays_out(recall: Recall, bench: Workbench, environment: Environment) -> None:
    topic = bench.layout.topics / "pelican.md"
    topic.write_text("The pelican nests in the reeds.\n")
    assert recall("forget", "pelican.md", "--yes").code == 0
    topic.write_text("The pelican nests in the reeds.\n")
    assert "recall-tui forget --undo" in recall("add", topic).err
    path = transcript(environment, 1, TALK)
    (environment.claude / ".recall-ignore").write_text(f"{path.parent.name}\n")
    said = recall("add", path)
    assert said.code == 2 and ".recall-ignore" in said.err
    (environment.claude / ".recall-ignore").unlink()
    assert recall("add", path).code == 0
    assert recall("forget", session_id_of(1), "--yes").code == 0
    assert "forgotten on" in recall("add", path).err
