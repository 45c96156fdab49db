"""The row of secrets: how many were planted, how many passed, what was taken for one and is none.

Of the shared transcripts the lines are counted when RECALL_TEST_DATA names them.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from pathlib import Path

from recall_tui.text.redact import findings
from tests.trust import clean, secret_life
from tests.trust.leaks import everything
from tests.trust.planted import is_passed, plants
from tests.trust.table import Row

LEAST_RECALL = 0.99
MOST_FALSE = 0.001
"""Of the lines of real transcripts."""


def row() -> Row:
    """Plant, lead through a life, look everywhere, and count."""
    corpus = plants()
    kinds, missed = Counter(one.kind for one in corpus), Counter(one.kind for one in corpus if is_passed(one))
    for kind, number in kinds.items():
        print(f"{kind:28} {number - missed[kind]}/{number}")
    with tempfile.TemporaryDirectory() as folder:
        life = secret_life.begun(Path(folder), corpus)
        secret_life.hooked(life, corpus)
        secret_life.lived(life, corpus)
        leaks = everything(corpus, life)
    recall = 1 - missed.total() / len(corpus)
    looked_like = clean.lines()
    mistaken = sum(bool(findings(line)) for line in looked_like)
    lines, false = _real()
    figures: dict[str, int | float | str] = {
        "secrets": len(corpus),
        "kinds": len(kinds),
        "recall": round(recall, 4),
        "places looked at": leaks.looked,
        "found there": len(leaks.found),
        "lines that only look like secrets": len(looked_like),
        "of them mistaken": mistaken,
        "lines of real transcripts": lines,
        "of them marked": false,
    }
    holds = recall >= LEAST_RECALL and not leaks.found and not mistaken and false <= lines * MOST_FALSE
    return Row(
        "no secret is stored or handed on",
        "secrets planted in sessions of two agents, led through hooks, capture, search, curation and export",
        figures,
        holds,
    )


def _real() -> tuple[int, int]:
    """The lines of the shared transcripts, and how many secrets were seen in them."""
    folder = os.environ.get("RECALL_TEST_DATA")
    lines = found = 0
    for text in clean.said_in(Path(folder) / "transcripts") if folder else ():
        lines += text.count("\n") + 1
        found += len(findings(text))
    return lines, found
