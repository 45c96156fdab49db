"""What doctor has to say of the search index: each gap in words, with what closes it.

A source is named once for each thing that is wrong with it, and no list is longer than a person reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recall_tui.domain import Problem

if TYPE_CHECKING:
    from recall_tui.index.maintenance.coverage import Coverage
    from recall_tui.index.maintenance.verify import VerifyResult
    from recall_tui.index.source_record import SourceRecord
    from recall_tui.index.vectors.coverage import VectorCoverage
    from recall_tui.index.vectors.verify import VectorVerification

MAX_LISTED_SOURCES = 20
"""Sources that are named of each kind of problem; the others are counted."""
_MAX_SENTENCE_SOURCES = 3
"""Sources that are named where one sentence speaks of all."""
_SYNC_HINT, _REBUILD_HINT = "run: recall-tui sync", "run: recall-tui index"


def coverage_problems(covered: Coverage) -> list[Problem]:
    """What the counts alone give away."""
    if not covered.trouble:
        return []
    return [Problem("index", covered.trouble if covered.is_interrupted else f"{covered.trouble}; {_SYNC_HINT}")]


def gap_problems(proof: VerifyResult) -> list[Problem]:
    """Everything that is not covered, what was lost first."""
    covered = proof.coverage
    found = coverage_problems(covered)
    # A sync only looks closer when the counts of the whole memory differ.
    step = _SYNC_HINT if covered.trouble else _REBUILD_HINT
    found += _name_sources("lost", [(gap.path, gap.reason) for gap in proof.lost], step)
    if proof.strays:
        found.append(
            Problem("stray", f"{_label_count(proof.strays, 'passage')} of the index belong to no source; {step}")
        )
    found += _name_sources("altered", [(gap.path, gap.reason) for gap in proof.altered], _REBUILD_HINT)
    found += _list_sources("new", proof.on_disk.new, "not indexed yet")
    found += _list_sources("stale", proof.on_disk.stale, "indexed as it was before", "indexed as they were before")
    found += _name_sources("failed", [describe_failure(one) for one in proof.failures])
    return [
        *found,
        *_name_sources("faulty", [(_locate(path, fault.line), fault.reason) for path, fault in proof.faults]),
    ]


def vector_problems(covered: VectorCoverage) -> list[Problem]:
    """Why nothing is found by vectors."""
    return [Problem("vectors", f"{covered.trouble}; {_SYNC_HINT}")] if covered.trouble else []


def vector_gap_problems(proof: VectorVerification) -> list[Problem]:
    """What is wrong with the rows, and what waits for some."""
    found = vector_problems(proof.coverage)
    if not found and proof.coverage.missing:
        waiting = proof.coverage.missing
        found.append(
            Problem(
                "vectors", f"{_label_count(waiting, 'passage')} wait{'s' * (waiting == 1)} for vectors; {_SYNC_HINT}"
            )
        )
    found += _name_sources(
        "vectors", [(path, "its vectors are of other words") for path in proof.altered], _REBUILD_HINT
    )
    if proof.strange:
        rows = _label_count(proof.texts, "row")
        made = f"{proof.strange} of {rows} would be rebuilt differently by {proof.coverage.embedder}"
        found.append(Problem("vectors", f"{made}; {_REBUILD_HINT}"))
    return [*found, *([Problem("vectors", proof.trouble)] if proof.trouble else [])]


def describe_failure(one: SourceRecord) -> tuple[str, str]:
    """Where and why a source could not be read."""
    return _locate(one.path, one.failed_line), one.failed


def describe_read_error(one: SourceRecord) -> tuple[str, str]:
    """Where the first line is that could not be read, why, and how many more there are."""
    more = f", and {_label_count(one.faults - 1, 'more line')}" if one.faults > 1 else ""
    return _locate(one.path, one.fault_line), f"{one.fault}{more}"


def _locate(path: str, line: int) -> str:
    return f"{path}:{line}" if line else path


def _name_sources(kind: str, found: Sequence[tuple[str, str]], step: str = "") -> list[Problem]:
    problems = [
        Problem(kind, f"{where}: {reason}{step and f'; {step}'}") for where, reason in found[:MAX_LISTED_SOURCES]
    ]
    more = len(found) - MAX_LISTED_SOURCES
    return [*problems, Problem(kind, f"and {more} more")] if more > 0 else problems


def _list_sources(kind: str, paths: Sequence[str], one: str, many: str = "") -> list[Problem]:
    if not paths:
        return []
    more = f" and {len(paths) - _MAX_SENTENCE_SOURCES} more" if len(paths) > _MAX_SENTENCE_SOURCES else ""
    what = f"1 source is {one}" if len(paths) == 1 else f"{len(paths)} sources are {many or one}"
    return [Problem(kind, f"{what}: {', '.join(paths[:_MAX_SENTENCE_SOURCES])}{more}; {_SYNC_HINT}")]


def _label_count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
