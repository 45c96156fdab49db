"""Verbs are stopped at operations on files: what is left is whole, nothing is lost, and the next run completes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.qa.trust.accounting import fingerprint, halves
from tests.qa.trust.crash_run import Tried, tried
from tests.qa.trust.faulty_verbs import VERBS, Verb

POINTS_A_VERB = 4
"""Tried every day; all of them by `make soak`."""
MANY = {"sync": 1_000, "sync, grown": 1_000, "index": 1_000}
"""About how many points a verb has that has more than others."""
FEW = [verb for verb in VERBS if verb.name in ("archive", "undo", "sync, grown")]


def _held(found: list[Tried] | None) -> list[Tried]:
    if found is None:
        pytest.skip("faults are told to a process through /proc, which this system lacks")
    assert not [one for each in found for one in each.wrong]
    return found


@pytest.mark.long
def test_a_few_points_of_each_verb_are_survived() -> None:
    verbs = {verb: MANY.get(verb.name, 400) // POINTS_A_VERB for verb in FEW}
    for verb, every in verbs.items():
        (found,) = _held(tried([verb], every=every, begin=every // 2))
        assert found.tried and found.units


@pytest.mark.soak
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_every_point_is_survived(verb: Verb) -> None:
    (found,) = _held(tried([verb]))
    assert found.tried > found.operations


def test_the_accounting_sees_a_file_that_is_half_of_one_and_half_of_another() -> None:
    before, after = {"a.md": b"old\n", "b.md": b"old\n"}, {"a.md": b"new\n", "b.md": b"new\n", "c.md": b"more\n"}
    assert halves({"a.md": b"old\n", "b.md": b"new\n"}, before, after, lambda _: False) == []
    assert halves({"a.md": b"ol", "b.md": b"new\n"}, before, after, lambda _: False) == ["neither old nor new: a.md"]


def test_two_folders_have_one_fingerprint_when_only_random_names_differ(tmp_path: Path) -> None:
    for name, hexes, said in (
        ("one", "0123456789ab", "x"),
        ("two", "ba9876543210", "x"),
        ("three", "0123456789ab", "y"),
    ):
        folder = tmp_path / name / "memory"
        folder.mkdir(parents=True)
        (folder / f".recall-{hexes}.tmp").write_text(json.dumps([said]))
    one, two, three = (fingerprint(tmp_path / name) for name in ("one", "two", "three"))
    assert one == two != three
