"""Rule 2 of the design: whatever sets of records share a session id, all that was said in them is in the memory."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recall_tui.environment import Environment
from recall_tui.features.capture.archive import Source
from recall_tui.storage.archives import retained
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, tree, write_transcript

SESSION = session_id_of(7)
FOLDERS = ("-home-u-api", "-home-u-worktree", "-mnt-other")


@dataclass(frozen=True)
class Said:
    """A record in the making."""

    number: int | None
    """Its uuid; None for a record without one."""
    is_prompt: bool
    word: int
    """What is said in it, and nowhere else."""
    minute: int | None
    parent: int | None
    is_aside: bool = False


@dataclass(frozen=True)
class Step:
    """A transcript as it comes to be in a folder, and is archived."""

    folder: str
    records: tuple[Said, ...]
    source: Source


records = st.builds(
    Said,
    number=st.one_of(st.none(), st.integers(0, 9)),
    is_prompt=st.booleans(),
    word=st.integers(0, 30),
    minute=st.one_of(st.none(), st.integers(0, 40)),
    parent=st.one_of(st.none(), st.integers(0, 9)),
    is_aside=st.sampled_from([False, False, False, True]),
)
opening = st.builds(Said, st.integers(0, 9), st.just(True), st.integers(0, 30), st.integers(0, 40), st.none())
transcripts = st.tuples(opening, st.lists(records, max_size=7)).map(lambda pair: (pair[0], *pair[1]))
steps = st.builds(Step, st.sampled_from(FOLDERS), transcripts, st.sampled_from(["session", "checkpoint"]))
grown = st.tuples(steps, st.lists(records, max_size=4)).map(
    lambda pair: [pair[0], Step(pair[0].folder, (*pair[0].records, *pair[1]), "session")]
)
lives = st.one_of(
    st.lists(steps, min_size=2, max_size=4),
    st.tuples(grown, grown).map(lambda pair: [pair[0][0], pair[1][0], pair[0][1], pair[1][1]]),
)


def words_of(one: Said) -> str:
    text = f"word{one.word}word"
    # A few say the same thing in the same words, as people do.
    return "yes, go on" if one.word % 10 == 9 else f"Why {text}?\n\nIt says {text}." if one.word % 3 else text


def row(one: Said) -> dict[str, Any]:
    role = "user" if one.is_prompt else "assistant"
    made: dict[str, Any] = {
        "parentUuid": None if one.parent is None else f"record-{one.parent}",
        "isSidechain": one.is_aside,
        "sessionId": SESSION,
        "cwd": "/home/u/api",
        "type": role,
        "message": {"role": role, "content": words_of(one)},
    }
    if not one.is_prompt:
        made["message"]["content"] = [{"type": "text", "text": words_of(one)}]
    if one.number is not None:
        made["uuid"] = f"record-{one.number}"
    if one.minute is not None:
        made["timestamp"] = (NOON + timedelta(minutes=one.minute)).isoformat()
    return made


@contextmanager
def memory(name: str) -> Iterator[Workbench]:
    with tempfile.TemporaryDirectory() as folder:
        home, cwd = Path(folder, "home"), Path(folder, "work")
        home.mkdir()
        cwd.mkdir()
        yield bench_at(Environment(home, cwd, {"RECALL_STATE": f"{folder}/state", "HOME": str(home)}), name)


def held(bench: Workbench) -> str:
    """Everything that the memory keeps of conversations."""
    if bench.layout.name == "claude-project":
        return "".join(
            line for copy in retained.list_all(bench.store.environment.kept) for line in retained.read_lines(copy)
        )
    return "".join(entry.path.read_text(encoding="utf-8") for entry in bench.archive.entries())


def check(name: str, life: list[Step]) -> None:
    with memory(name) as bench:
        said: set[str] = set()
        for step in life:
            path = bench.store.environment.claude / "projects" / step.folder / f"{SESSION}.jsonl"
            write_transcript(path, [row(one) for one in step.records])
            assert bench.capture(path, source=step.source).status in ("archived", "updated", "unchanged")
            said |= {f"word{one.word}word" for one in step.records if one.word % 10 != 9}
            if name != "project":
                text = held(bench)
                assert not [word for word in said if word not in text], json.dumps([row(one) for one in step.records])
            before = tree(bench.store.root)
            assert bench.capture(path, source=step.source).status == "unchanged"
            assert tree(bench.store.root) == before
        before = tree(bench.store.root)
        for folder in {step.folder for step in life}:
            bench.capture(
                bench.store.environment.claude / "projects" / folder / f"{SESSION}.jsonl", source="checkpoint"
            )
        assert tree(bench.store.root) == before
        numbers = [row.number for row in bench.rows]
        assert numbers == list(range(1, len(numbers) + 1))
        if bench.layout.archives:
            assert [entry.number for entry in bench.archive.entries()] == numbers
        if name != "user":
            assert len(numbers) == 1
        assert len(bench.window.entries) <= 1


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(life=lives)
def test_nothing_that_was_said_is_lost_and_archiving_again_changes_nothing(name: str, life: list[Step]) -> None:
    check(name, life)


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_two_records_in_the_same_words_are_told_apart_in_whatever_order_they_are_read(name: str) -> None:
    first, later, other = Said(0, True, 0, 0, None), Said(0, True, 0, 1, None), Said(1, True, 0, 0, None)
    api, worktree = FOLDERS[0], FOLDERS[1]
    said = ((api, first), (api, later), (worktree, first), (api, other))
    check(name, [Step(folder, (one,), "session") for folder, one in said])


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_equally_long_transcripts_that_differ_in_what_was_left_behind_say_the_same_in_whatever_order_they_are_read(
    name: str,
) -> None:
    first, reply = Said(0, True, 0, 0, None), Said(None, False, 0, None, None)
    other, again = Said(1, True, 0, 0, None), Said(0, True, 0, None, None)
    api, worktree, other_mount = FOLDERS
    life = [(api, first), (api, other, reply), (other_mount, first)]
    life.append((worktree, other, reply, Said(None, False, 0, None, None, is_aside=True), again))
    check(name, [Step(folder, tuple(said), "session") for folder, *said in life])


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(life=lives)
def test_nothing_is_lost_of_many_more_sets_of_records(name: str, life: list[Step]) -> None:
    check(name, life)
