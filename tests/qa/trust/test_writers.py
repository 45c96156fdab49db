"""What other programs write into a memory's files, beside every verb that writes, is lost in no round."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.qa.trust.other_writers import ROUNDS_EACH, Attack, Outcome, attacked
from tests.qa.trust.row_writers import judged


@pytest.mark.long
def test_no_line_is_lost_in_a_hundred_rounds(tmp_path: Path) -> None:
    outcome = attacked(tmp_path, 2 * ROUNDS_EACH, "here")
    assert judged(outcome).holds, (outcome.lost, outcome.troubles, outcome.left)
    assert outcome.two_states and outcome.processes


@pytest.mark.long
def test_a_line_that_is_nowhere_is_seen(tmp_path: Path) -> None:
    outcome = Outcome()
    attack = Attack(tmp_path, "entity", "small", outcome)
    attack.words["neverwritten"] = "nobody"
    attack.run(2)
    assert [one.partition(":")[0] for one in outcome.lost] == ["neverwritten"]
    assert not judged(outcome).holds
