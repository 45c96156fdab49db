"""`sync`, `index` and what they cover, from the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from recall_tui.environment import Environment
from tests.damage import lose
from tests.makers import bench_at, transcript

Recall = Callable[..., Any]
TALKS = [
    [("user", "Why did we pick JWT over sessions?"), ("assistant", "Because the API is stateless.")],
    [("user", "Fix the token refresh race"), ("assistant", "A lock guards the refresh of the JWT now.")],
]
STEPS = ["recall-tui sync", "recall-tui index"]


def filled(environment: Environment, recall: Recall) -> Any:
    """A memory with two transcripts, indexed."""
    bench = bench_at(environment)
    for number, talk in enumerate(TALKS, 1):
        transcript(environment, number, talk)
    bench.layout.memory_file.write_text("# Memory\n\n## Auth\n\n- JWT keys rotate weekly\n")
    assert recall("sync").code == 0
    return bench


def lose_a_passage(bench: Any) -> None:
    """Take one passage of a transcript out of the text index, behind the catalogue's back."""
    hit = bench.search("stateless", passages=True, sync=False).hits[0]
    lose(bench.index, "id", hit.id)


def test_the_index_says_what_it_covers(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    for number, talk in enumerate(TALKS, 1):
        transcript(environment, number, talk)
    assert recall("index", "status").code == 1
    assert recall("sync", "--json").json["added"] >= 3
    assert recall("sync", "--json").json["added"] == 0
    said = recall("index", "status", "--json").json
    assert said["is_whole"] and said["sources"] == said["indexed"] >= 3 and said["failed"] == 0
    before = recall("search", "--ranked", "jwt", "--json").json["hits"]
    assert recall("index").code == 0
    assert [hit["id"] for hit in recall("search", "--ranked", "jwt", "--json").json["hits"]] == [
        hit["id"] for hit in before
    ]


def test_the_coverage_is_one_document_with_stable_keys(recall: Recall, environment: Environment) -> None:
    bench = filled(environment, recall)
    said = recall("index", "status", "--json")
    assert said.code == 0
    assert list(said.json) == [
        "sources", "indexed", "failed", "passages", "stored", "is_whole", "gone", "faulty", "folder", "on_disk",
        "not_indexed", "stale", "is_current", "failures", "faults", "stretches", "stored_stretches", "bytes",
        "refreshed_at", "own", "is_busy", "trouble", "retention",
    ]  # fmt: skip
    assert said.json["on_disk"] == said.json["sources"] and said.json["is_current"]
    assert (said.json["refreshed_at"], said.json["folder"]) == ("2026-03-06T12:00:00Z", str(bench.index.folder))
    assert said.json["bytes"] > 1000 and said.json["stretches"] == said.json["stored_stretches"] > 0


def test_the_coverage_is_readable(recall: Recall, environment: Environment) -> None:
    bench = filled(environment, recall)
    lines = dict(line.split(maxsplit=1) for line in recall("index", "status").out.splitlines())
    assert lines["sources"].endswith("on disk: 4 indexed")
    count = bench.index.coverage(bench.store).passages
    assert lines["passages"] == f"{count} in the catalogue, {count} in the text index"
    assert lines["size"].endswith(str(bench.index.folder)) and "2026-03-06T12:00:00Z" in lines["up"]


@pytest.mark.long
@pytest.mark.parametrize("words", [["sync"], ["index"]])
def test_an_index_that_lost_a_passage_says_so_everywhere_until_it_is_mended(
    words: list[str], recall: Recall, environment: Environment
) -> None:
    bench = filled(environment, recall)
    asked = (["status"], ["index", "status"], ["doctor", "--deep"], ["doctor"], ["dashboard"])
    for question in asked:
        said = recall(*question)
        assert "should hold" not in said.out + said.err
    lose_a_passage(bench)
    for question in asked:
        said = recall(*question)
        assert "should hold" in said.out + said.err, question
        assert "recall-tui sync" in said.out + said.err, question
    assert recall("status", "--json").json["health"] == "degraded"
    assert recall("index", "status").code == recall("doctor", "--deep").code == 1
    kinds = [one["kind"] for one in recall("doctor", "--deep", "--json").json["problems"]]
    assert kinds == ["index", "lost"]
    recall(*words)
    for question in asked:
        said = recall(*question)
        assert "should hold" not in said.out + said.err


@pytest.mark.parametrize("words", [["search", "webhook"], ["sync"]])
def test_a_build_that_was_killed_is_told_of_until_the_next_search_or_sync_finishes_it(
    words: list[str], recall: Recall, environment: Environment
) -> None:
    bench = filled(environment, recall)
    kept = {path: path.read_bytes() for path in bench.index.folder.glob("catalogue.db*")}
    transcript(environment, 3, [("user", "Add the webhook"), ("assistant", "It posts each parcel.")])
    recall("sync")
    # The text index is written first, and the catalogue was not reached.
    for path in bench.index.folder.glob("catalogue.db*"):
        path.unlink()
    for path, data in kept.items():
        path.write_bytes(data)
    for question in (["status"], ["index", "status"], ["doctor"]):
        said = recall(*question)
        told = said.out + said.err
        assert "was interrupted; the next search or sync finishes it" in told and "should hold" not in told, question
    assert recall(*words).code == 0
    said = recall("status")
    assert "interrupted" not in said.out + said.err


def test_a_text_index_that_is_gone_is_missed(recall: Recall, environment: Environment) -> None:
    bench = filled(environment, recall)
    (bench.index.passages_path / "recall-format").unlink()
    assert "holds 0" in recall("status").out
    assert "holds 0" in recall("index", "status").err
    recall("sync")
    assert recall("index", "status").code == recall("doctor", "--deep").code == 0


def test_a_damaged_catalogue_is_a_reason_and_not_the_end(recall: Recall, environment: Environment) -> None:
    bench = filled(environment, recall)
    bench.index.catalogue_path.write_bytes(b"garbage" * 1000)
    said = recall("status")
    assert said.code == 0 and "▲ degraded" in said.out and "catalogue.db" in said.out
    for question in (["index", "status"], ["doctor", "--deep"]):
        said = recall(*question)
        assert said.code == 1 and "recall-tui sync" in said.err
    recall("sync")
    assert recall("doctor", "--deep").code == 0


def test_what_is_on_disk_and_not_indexed_is_told(recall: Recall, environment: Environment) -> None:
    bench = filled(environment, recall)
    new = transcript(environment, 3, TALKS[0])
    bench.layout.memory_file.write_text("# Memory\n\nrewritten\n")
    said = recall("index", "status")
    assert said.code == 1 and "1 not indexed yet, 1 changed since" in said.out
    assert f"new         {new}" in said.out and "changed     memory/MEMORY.md" in said.out
    assert "recall-tui sync" in said.err
    facts = recall("index", "status", "--json").json
    assert (facts["not_indexed"], facts["stale"], facts["is_current"]) == ([str(new)], ["memory/MEMORY.md"], False)
    deep = recall("doctor", "--deep")
    assert deep.code == 1 and f"1 source is not indexed yet: {new}; run: recall-tui sync" in deep.out
    assert not any("index" in reason for reason in recall("status", "--json").json["reasons"])


def test_many_new_sources_are_counted_and_some_named(recall: Recall, environment: Environment) -> None:
    filled(environment, recall)
    for number in range(10, 40):
        transcript(environment, number, TALKS[0])
    said = recall("index", "status")
    assert said.out.count("\nnew  ") == 21 and "and 10 more" in said.out
    assert "30 sources are not indexed yet" in recall("doctor", "--deep").out
    assert len(recall("index", "status", "--json").json["not_indexed"]) == 30


def test_lines_and_files_that_cannot_be_read_are_named_with_the_reason(
    recall: Recall, environment: Environment
) -> None:
    filled(environment, recall)
    broken, folder = transcript(environment, 1, TALKS[0]), transcript(environment, 2, TALKS[1])
    broken.write_text(broken.read_text() + "{broken\n[1]\n")
    folder.unlink()
    folder.mkdir()
    assert recall("sync").code == 1
    said = recall("index", "status")
    assert said.code == 1
    assert f"faulty      {broken}:3: not JSON, and 1 more line" in said.out
    assert f"failed      {folder}: Is a directory" in said.out
    facts = recall("index", "status", "--json").json
    assert facts["failures"] == [{"path": str(folder), "line": 0, "reason": "Is a directory"}]
    assert facts["faults"] == [{"path": str(broken), "line": 3, "reason": "not JSON", "lines": 2}]
    deep = recall("doctor", "--deep")
    assert f"{broken}:3: not JSON\n" in deep.out and f"{broken}:4: not an object\n" in deep.out
    assert f"{folder}: Is a directory" in deep.out
    proven = recall("doctor", "--deep", "--json").json["index"]
    assert [one["line"] for one in proven["faults"]] == [3, 4] and len(proven["failures"]) == 1


def test_a_proof_says_what_it_looked_at(recall: Recall, environment: Environment) -> None:
    filled(environment, recall)
    said = recall("doctor", "--deep")
    assert said.code == 0 and said.out.splitlines()[-1].startswith("no problem found")
    assert "4 sources and 6 batches compared, 4 sources" in said.err
    facts = recall("doctor", "--deep", "--json").json["index"]
    assert (facts["on_disk"], facts["read_again"], facts["lost"]) == (4, 4, [])


def test_a_transcript_that_vanished_is_counted_as_kept(recall: Recall, environment: Environment) -> None:
    filled(environment, recall)
    transcript(environment, 1, TALKS[0]).unlink()
    recall("sync")
    assert "kept        1 that are gone" in recall("index", "status").out
    assert recall("doctor", "--deep").code == 0
