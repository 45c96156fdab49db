"""The retrieval measure: what it counts, and that the program's own answers reach it."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from tests.qa.bench import retrieval
from tests.qa.bench.retrieval import Question, judged, ranking, scores

TOPICS = ("token refresh race", "sqlite migration", "snapshot flake", "garden watering", "invoice rounding")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data set with a memory of five sessions, one question about each, and one about nothing."""
    folder = tmp_path / "data"
    archives = folder / "agent" / "memory" / "conversations"
    archives.mkdir(parents=True)
    rows = []
    for number, topic in enumerate(TOPICS, 1):
        head = f'---\nlog: {number}\ndate: "2026-03-0{number}T10:00:00Z"\nsession_id: "session-{number}"\n---\n\n'
        text = f"# Conversation\n\n---\n\n### User\n\nLet us look at the {topic}.\n"
        (archives / f"conversation-{number:03d}.md").write_text(head + text, encoding="utf-8")
        rows.append({"query": f"What about the {topic}?", "gold": [f"session-{number}"], "category": "known"})
    document = "agent/memory/conversations/conversation-002.md"
    rows.append({"query": "migration of sqlite", "gold": [document], "category": "document"})
    rows.append({"query": "xylophone quartz", "gold": ["session-9"], "category": "unknown"})
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "queries.jsonl").write_text(lines, encoding="utf-8")
    return folder


@pytest.mark.long
def test_questions_are_answered_by_the_program_and_judged_by_category(data: Path) -> None:
    result = retrieval.measure(data)
    assert result["searched"]["sources"] == 5
    assert {name: row["questions"] for name, row in result["scores"].items()} == {
        "document": 1, "known": 5, "unknown": 1, "all": 7,
    }  # fmt: skip
    for category in ("known", "document"):
        assert result["scores"][category]["hit@1"] == result["scores"][category]["nDCG@10"] == 1.0
    assert result["scores"]["unknown"]["unanswered"] == 1.0
    assert result["scores"]["all"]["hit@1"] == pytest.approx(6 / 7)
    assert "| all | 7 | 0.857 |" in retrieval.report(result)


@pytest.mark.long
def test_a_person_gets_a_table_and_a_program_one_document(data: Path) -> None:
    script = [sys.executable, str(Path(retrieval.__file__)), str(data), "--every", "3", "--typos", "7", "--json"]
    done = subprocess.run(script, capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    assert result["scores"]["all"]["questions"] == 3
    assert "--typos 7" in result["made"]


@pytest.mark.long
def test_the_memory_that_is_measured_stays_as_it_is(data: Path) -> None:
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    retrieval.measure(data, every=3)
    assert {path: path.read_bytes() for path in data.rglob("*") if path.is_file()} == before


@pytest.mark.long
def test_the_transcripts_of_a_home_are_what_is_measured(tmp_path: Path) -> None:
    home = tmp_path / "data" / "home"
    home.mkdir(parents=True)
    (tmp_path / "work").mkdir()
    place = retrieval.place_of(home.parent, tmp_path / "work")
    assert place.home == home
    assert json.loads(place.run("status", "--json").out)["layout"] == "entity"


def test_a_folder_without_home_and_memory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="neither home/ nor a memory"):
        retrieval.place_of(tmp_path, tmp_path)


def test_a_session_counts_once_however_many_documents_tell_of_it(tmp_path: Path) -> None:
    hits = [
        {"document": "memory/a.md", "session_id": "s1"},
        {"document": "memory/b.md", "session_id": "s1"},
        {"document": "memory/c.md", "session_id": ""},
    ]
    places = ranking({"hits": hits}, tmp_path / "agent", tmp_path)
    assert [sorted(names)[0] for names in places] == [
        str(tmp_path / "agent/memory/a.md"),
        str(tmp_path / "agent/memory/c.md"),
    ]
    assert "s1" in places[0]
    assert {"memory/c.md", "agent/memory/c.md"} <= places[1]


def test_the_columns_say_what_they_are_called() -> None:
    places = [{name} for name in ("x", "a", "y", "z", "w", "b")]
    row = scores(places, frozenset(("a", "b", "c")))
    assert (row["hit@1"], row["hit@5"], row["hit@10"]) == (0.0, 1.0, 1.0)
    assert row["recall@10"] == pytest.approx(2 / 3)
    assert row["MRR"] == 0.5
    gained = 1 / math.log2(3) + 1 / math.log2(7)
    assert row["nDCG@10"] == pytest.approx(gained / (1 + 1 / math.log2(3) + 1 / math.log2(4)))


def test_no_answer_is_worth_nothing_and_counted() -> None:
    row = scores([], frozenset(("a",)))
    assert row == dict.fromkeys(row, 0.0) | {"unanswered": 1.0}


def test_what_lies_beyond_the_tenth_place_is_seen_by_the_mean_reciprocal_rank_alone() -> None:
    row = scores([{str(place)} for place in range(20)], frozenset(("14",)))
    assert row == dict.fromkeys(row, 0.0) | {"MRR": 1 / 15}


def test_the_mean_over_all_weighs_every_question_the_same() -> None:
    asked = [Question("q", frozenset(("a",)), category) for category in ("one", "one", "two")]
    means = judged(asked, [[{"a"}], [{"a"}], []])
    assert [means[name]["hit@1"] for name in ("one", "two", "all")] == [1.0, 0.0, pytest.approx(2 / 3)]
