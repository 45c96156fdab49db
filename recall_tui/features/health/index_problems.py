"""What doctor has to say of the search index: each gap in words, with what closes it.

A source is named once for each thing that is wrong with it, and no list is longer than a person reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recall_tui.domain import Problem

if TYPE_CHECKING:
    from recall_tui.index.maintenance.coverage import Coverage
    from recall_tui.index.maintenance.verify import Proof
    from recall_tui.index.source_record import Known
    from recall_tui.index.vectors.coverage import VectorCoverage
    from recall_tui.index.vectors.verify import VectorProof

MOST = 20
"""Sources that are named of each kind of problem; the others are counted."""
_SOME = 3
"""Sources that are named where one sentence speaks of all."""
_SYNC, _ANEW = "run: recall-tui sync", "run: recall-tui index"


def of_coverage(covered: Coverage) -> list[Problem]:
    """What the counts alone give away."""
    return [Problem("index", f"{covered.trouble}; {_SYNC}")] if covered.trouble else []


def of_proof(proof: Proof) -> list[Problem]:
    """Everything that is not covered, what was lost first."""
    covered = proof.coverage
    found = of_coverage(covered)
    # A sync only looks closer when the counts of the whole memory differ.
    step = _SYNC if covered.trouble else _ANEW
    found += _named("lost", [(gap.path, gap.reason) for gap in proof.lost], step)
    if proof.strays:
        found.append(Problem("stray", f"{_count(proof.strays, 'passage')} of the index belong to no source; {step}"))
    found += _named("altered", [(gap.path, gap.reason) for gap in proof.altered], _ANEW)
    found += _listed("new", proof.on_disk.new, "not indexed yet")
    found += _listed("stale", proof.on_disk.stale, "indexed as it was before", "indexed as they were before")
    found += _named("failed", [failure_of(one) for one in proof.failures])
    return [*found, *_named("faulty", [(_at(path, fault.line), fault.reason) for path, fault in proof.faults])]


def of_vectors(covered: VectorCoverage) -> list[Problem]:
    """Why nothing is found by vectors."""
    return [Problem("vectors", f"{covered.trouble}; {_SYNC}")] if covered.trouble else []


def of_vector_proof(proof: VectorProof) -> list[Problem]:
    """What is wrong with the rows, and what waits for some."""
    found = of_vectors(proof.coverage)
    if not found and proof.coverage.missing:
        waiting = proof.coverage.missing
        found.append(
            Problem("vectors", f"{_count(waiting, 'passage')} wait{'s' * (waiting == 1)} for vectors; {_SYNC}")
        )
    found += _named("vectors", [(path, "its vectors are of other words") for path in proof.altered], _ANEW)
    if proof.strange:
        made = f"{proof.strange} of {_count(proof.texts, 'row')} would be made otherwise by {proof.coverage.embedder}"
        found.append(Problem("vectors", f"{made}; {_ANEW}"))
    return [*found, *([Problem("vectors", proof.trouble)] if proof.trouble else [])]


def failure_of(one: Known) -> tuple[str, str]:
    """Where and why a source could not be read."""
    return _at(one.path, one.failed_line), one.failed


def fault_of(one: Known) -> tuple[str, str]:
    """Where the first line is that could not be read, why, and how many more there are."""
    more = f", and {_count(one.faults - 1, 'more line')}" if one.faults > 1 else ""
    return _at(one.path, one.fault_line), f"{one.fault}{more}"


def _at(path: str, line: int) -> str:
    return f"{path}:{line}" if line else path


def _named(kind: str, found: Sequence[tuple[str, str]], step: str = "") -> list[Problem]:
    problems = [Problem(kind, f"{where}: {reason}{step and f'; {step}'}") for where, reason in found[:MOST]]
    more = len(found) - MOST
    return [*problems, Problem(kind, f"and {more} more")] if more > 0 else problems


def _listed(kind: str, paths: Sequence[str], one: str, many: str = "") -> list[Problem]:
    if not paths:
        return []
    more = f" and {len(paths) - _SOME} more" if len(paths) > _SOME else ""
    what = f"1 source is {one}" if len(paths) == 1 else f"{len(paths)} sources are {many or one}"
    return [Problem(kind, f"{what}: {', '.join(paths[:_SOME])}{more}; {_SYNC}")]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
