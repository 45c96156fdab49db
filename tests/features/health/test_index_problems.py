"""What doctor says of the index: few words for much, and always the next step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recall_tui.domain import ReadError
from recall_tui.features.health.index_problems import (
    MAX_LISTED_SOURCES,
    coverage_problems,
    describe_read_error,
    gap_problems,
)
from recall_tui.index.maintenance.coverage import Coverage
from recall_tui.index.maintenance.disk_state import DiskState
from recall_tui.index.maintenance.verify import CoverageGap, VerifyResult
from recall_tui.index.source_record import SourceRecord

SOUND = VerifyResult(Coverage(4, 4, 0, 9, 9), DiskState(), 4, 4, 100, (), (), (), (), 0)
LOST = tuple(
    CoverageGap(f"/t/{number}.jsonl", "1 of its 4 passages are missing") for number in range(MAX_LISTED_SOURCES + 5)
)


def test_of_a_sound_index_there_is_nothing_to_say() -> None:
    assert gap_problems(SOUND) == [] and coverage_problems(SOUND.coverage) == []


@pytest.mark.parametrize(("stored", "step"), [(8, "recall-tui sync"), (9, "recall-tui index")])
def test_a_loss_that_the_counts_show_is_mended_by_a_sync(stored: int, step: str) -> None:
    proof = replace(SOUND, coverage=replace(SOUND.coverage, stored=stored), lost=LOST[:1], strays=2)
    *_, lost, stray = gap_problems(proof)
    assert lost.message == f"/t/0.jsonl: 1 of its 4 passages are missing; run: {step}"
    assert stray.message == f"2 passages of the index belong to no source; run: {step}"
    assert [one.kind for one in gap_problems(proof)] == [*(["index"] if stored == 8 else []), "lost", "stray"]


def test_no_list_is_longer_than_a_person_reads() -> None:
    found = gap_problems(replace(SOUND, lost=LOST))
    assert len(found) == MAX_LISTED_SOURCES + 1 and found[-1].message == "and 5 more"


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "1 source is not indexed yet: /t/0.jsonl; run: recall-tui sync"),
        (3, "3 sources are not indexed yet: /t/0.jsonl, /t/1.jsonl, /t/2.jsonl; run: recall-tui sync"),
        (5, "5 sources are not indexed yet: /t/0.jsonl, /t/1.jsonl, /t/2.jsonl and 2 more; run: recall-tui sync"),
    ],
)
def test_new_sources_are_one_sentence(count: int, said: str) -> None:
    proof = replace(SOUND, on_disk=DiskState(count, new=[f"/t/{number}.jsonl" for number in range(count)]))
    assert [(one.kind, one.message) for one in gap_problems(proof)] == [("new", said)]


def test_a_damaged_index_says_why_and_what_to_do() -> None:
    (problem,) = coverage_problems(Coverage(damage="catalogue.db: file is not a database"))
    assert problem.message == "catalogue.db: file is not a database; run: recall-tui sync"


@pytest.mark.parametrize(
    ("faults", "said"), [(1, "not JSON"), (2, "not JSON, and 1 more line"), (4, "not JSON, and 3 more lines")]
)
def test_the_first_of_several_lines_speaks_for_all(faults: int, said: str) -> None:
    known = SourceRecord("k", "/t/0.jsonl", "transcript", 1, 1, "", faults=faults, fault="not JSON", fault_line=7)
    assert describe_read_error(known) == ("/t/0.jsonl:7", said)


def test_a_fault_of_a_whole_file_has_no_line() -> None:
    (problem,) = gap_problems(replace(SOUND, faults=(("/t/0.jsonl", ReadError(0, "no transcript")),)))
    assert problem.message == "/t/0.jsonl: no transcript"
