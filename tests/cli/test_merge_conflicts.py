"""Conflicts that git left in documents: named by file and line, and never handed over as if both versions held."""

from __future__ import annotations

import json

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.conftest import NOON
from tests.makers import bench_at, write_files

CONFLICT = "<<<<<<< HEAD\n- The walrus port is 8080.\n=======\n- The walrus port is 9090.\n>>>>>>> other\n"
PLACES = {
    "master": "master",
    "memory_file": "memory",
    "wisdom": "wisdom",
    "window": "window",
    "topics": "topic",
    "wiki": "page",
    "days": "2026-02-03",
    "weekly": "2026-W06",
    "monthly": "2026-02",
    "typed": "reference_port",
}


def conflicted(recall: Recall, environment: Environment, layout: str, place: str) -> tuple[str, str]:
    """The root of a new memory with a conflict in such a document, and that document's name."""
    bench = bench_at(environment, layout)
    path = bench.layout.base if place == "typed" else getattr(bench.layout, place)
    if not path.suffix:
        path = path / f"{PLACES[place]}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"# Ports\n\n{CONFLICT}")
    return f"--root={bench.store.root}", path.relative_to(bench.store.root).as_posix()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("layout", ["hierarchical", "project"])
def test_status_and_doctor_name_file_and_line(
    recall: Recall, environment: Environment, layout: str, place: str
) -> None:
    if layout == "project" and place == "typed":
        place = "topics"
    root, name = conflicted(recall, environment, layout, place)
    said = recall(root, "--json", "status")
    assert said.json["health"] == "degraded" and any(f"{name}:3 " in reason for reason in said.json["reasons"])
    assert f"{name}:3 holds a conflict of git" in recall(root, "doctor").out


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_every_layout_names_it(recall: Recall, environment: Environment, layout: str) -> None:
    root, name = conflicted(recall, environment, layout, "memory_file")
    assert f"{name}:3 " in recall(root, "status").out
    assert f"{name}:3 holds a conflict of git" in recall(root, "doctor").out


@pytest.mark.parametrize("place", ["master", "memory_file", "wiki", "topics", "days"])
def test_an_agent_is_told_that_two_versions_stand_there(recall: Recall, environment: Environment, place: str) -> None:
    root, _ = conflicted(recall, environment, "hierarchical", place)
    assert recall(root, "sync").code == 0
    for command in ("recall", "search"):
        said = recall(root, command, "walrus port").out
        assert "8080" in said and "9090" in said and "git could not merge" in said
        assert "<<<<<<<" not in said and ">>>>>>>" not in said and "=======" not in said


def test_a_session_that_starts_is_told_so(recall: Recall, environment: Environment) -> None:
    root, _ = conflicted(recall, environment, "entity", "window")
    event = {"session_id": "fresh-1", "transcript_path": "/x.jsonl", "cwd": str(environment.cwd), "source": "startup"}
    said = recall(root, "hook", stdin=json.dumps(event | {"hook_event_name": "SessionStart"})).out
    assert "walrus" in said and "git could not merge" in said and "<<<<<<<" not in said
    assert "<<<<<<<" not in recall(root, "consume").out


def test_an_example_in_a_fence_and_an_archive_are_none(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "entity")
    root = f"--root={bench.store.root}"
    write_files(bench.layout.topics, {"git.md": f"# Git\n\n```\n{CONFLICT}```\n\n=======\n"})
    assert "conflict" not in recall(root, "doctor").out and "conflict" not in recall(root, "status").out


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
@pytest.mark.parametrize("place", ["memory_file", "topics"])
def test_nothing_is_remembered_in_it_until_it_is_settled(
    recall: Recall, environment: Environment, layout: str, place: str
) -> None:
    root, name = conflicted(recall, environment, layout, place)
    path = bench_at(environment, layout).store.root / name
    before = path.read_bytes()
    words = ["remember", "The seal port is 7070.", *(["--topic", "topic"] if place == "topics" else [])]
    for dry in ([], ["--dry-run"]):
        said = recall(root, *words, *dry)
        assert (
            said.code == 1
            and f"{name}:3 holds a conflict of git" in said.err
            and "remove the three markers" in said.err
        )
        assert path.read_bytes() == before
    path.write_text("# Ports\n\n- The walrus port is 9090.\n")
    assert recall(root, *words).code == 0 and "7070" in path.read_text()


LONG = "".join(f"- fact number {number} about the parts of the system\n" for number in range(40))


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_nothing_is_moved_out_of_a_memory_until_it_is_settled(
    recall: Recall, environment: Environment, layout: str
) -> None:
    root, name = conflicted(recall, environment, layout, "memory_file")
    path = bench_at(environment, layout).store.root / name
    path.write_text(f"{path.read_text()}\n## Big\n\n{LONG}")
    before = path.read_bytes()
    said = recall(root, "distill", "--apply", "all")
    assert said.code == 1 and f"{name}:3 holds a conflict of git" in said.err and path.read_bytes() == before


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("days", ("log", "The seal moved.")),
        ("wiki", ("wiki", "append", "page", "--source", "memory", "--body", "The seal port is 7070.")),
        ("wisdom", ("wiki", "knowledge-map")),
        ("master", ("synthesize", "--yes")),
    ],
)
def test_no_command_adds_to_a_document_until_it_is_settled(
    recall: Recall, environment: Environment, place: str, words: tuple[str, ...]
) -> None:
    layout = "project" if place == "master" else "hierarchical"
    root, name = conflicted(recall, environment, layout, place)
    bench = bench_at(environment, layout)
    path = bench.store.root / name
    if place == "days":
        path = path.rename(path.with_name(f"{NOON.date()}.md"))
        name = path.relative_to(bench.store.root).as_posix()
    write_files(bench.layout.wiki, {"walrus.md": PAGE.format("walrus", "")})
    if place == "wiki":
        path.write_text(PAGE.format("page", CONFLICT))
    before = path.read_bytes()
    said = recall(root, *words)
    assert said.code == 1 and f"{name}:" in said.err and "holds a conflict of git" in said.err, said
    assert path.read_bytes() == before


PAGE = """---
name: {0}
description: Where it listens.
type: wiki
category: reference
slug: {0}
created: "2026-01-01"
updated: "2026-01-01"
sources:
  - memory/MEMORY.md
---

It listens somewhere.

{1}
"""


@pytest.mark.parametrize("place", ["master", "memory_file", "topics", "days"])
def test_a_reader_is_told_that_two_versions_stand_there(recall: Recall, environment: Environment, place: str) -> None:
    root, name = conflicted(recall, environment, "hierarchical", place)
    for command in ("read", "show"):
        said = recall(root, command, PLACES[place] if command == "read" or place == "days" else name)
        assert "8080" in said.out and "two versions that git could not merge" in said.err, said
        assert "lines 3-7" in recall(root, "--json", command, name).json["note"]
    assert "two versions" not in recall(root, "read", f"{name}:1-2").err


def test_a_summary_with_two_versions_waits_for_its_reader(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    page = "# Ports\n\n## Context\n\nTalked.\n\n## Tracking Points\n\n{}- Decision: the seal port is 7070.\n"
    write_files(bench.layout.base / "conversations", {"one.md": page.format(CONFLICT), "two.md": page.format("")})
    said = recall("synthesize", "--yes")
    assert "one.md" in said.err and "two versions" in said.err
    master = recall("recall").out
    assert "7070" in master and "8080" not in master and "=======" not in master
    write_files(bench.layout.base / "conversations", {"one.md": page.format("- Decision: the walrus port is 8080.\n")})
    recall("synthesize", "--yes")
    assert "8080" in recall("recall").out


def test_a_week_waits_until_its_days_are_settled(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "hierarchical")
    days = {
        f"2026-02-0{day}.md": f"## 2026-02-0{day}\n\n- Decided on walrus {day}, because it is calm.\n"
        for day in (3, 4, 5)
    }
    write_files(bench.layout.base, {**days, "2026-02-04.md": f"## 2026-02-04\n\n{CONFLICT}"})
    said = recall("compact", "weekly", "--yes")
    assert "2026-W06 gets no page: memory/2026-02-04.md holds a conflict of git" in said.out + said.err
    write_files(bench.layout.base, days)
    assert recall("compact", "weekly", "--yes").code == 0 and "walrus 4" in recall("read", "2026-W06").out
