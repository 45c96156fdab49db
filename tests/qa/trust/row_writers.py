"""The row of writers: other programs write into a memory's files in place, beside every verb that writes.

`WRITERS_ROUNDS` makes it smaller.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.qa.trust.other_writers import Outcome, attacked
from tests.qa.trust.table import Row

ROUNDS = 2_000
SEED = "writers"


def row() -> Row:
    """Let them write, and count."""
    with tempfile.TemporaryDirectory() as folder:
        outcome = attacked(Path(folder), int(os.environ.get("WRITERS_ROUNDS", ROUNDS)), SEED)
    print(*outcome.in_journal, "", *outcome.lost, *outcome.troubles, *outcome.left, sep="\n")
    print(*(f"{count} × {reason}" for reason, count in outcome.reasons.most_common()), sep="\n")
    return judged(outcome)


def judged(outcome: Outcome) -> Row:
    """What the figures say."""
    return Row(
        promise="Other programs may write into the memory's files at any time: no acknowledged line is lost",
        tried="shell redirection with pauses, an editor and an agent's tool that write in place, `sed -i` and a sync"
        " client, each at a random moment of a verb that changes the same file, in every layout, with one state folder"
        " and with two",
        figures={
            "rounds": outcome.rounds,
            "with two state folders": outcome.two_states,
            "verbs in processes of their own": outcome.processes,
            "kinds of verbs": len(outcome.verbs),
            "writers": ", ".join(f"{name} {count}" for name, count in sorted(outcome.writers.items())),
            "lines of other programs": outcome.theirs,
            "lines of ours": outcome.ours,
            "lines kept in a .saved file": outcome.beside,
            "taken out knowingly, in the journal": len(outcome.in_journal),
            "verbs that refused, and said so": outcome.refused.total(),
            "lines lost": len(outcome.lost),
            "troubles": len(outcome.troubles),
            "files left beside others": len(outcome.left),
        },
        holds=not (outcome.lost or outcome.troubles or outcome.left) and outcome.theirs > outcome.rounds // 2,
    )
