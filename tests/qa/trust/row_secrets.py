"""The row of secrets: how many were planted, how many passed, what was taken for one and is none.

Of the shared transcripts the lines are counted when RECALL_TEST_DATA names them.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.text.secrets.redact import find_secrets
from tests.qa.trust import clean, later_life, secret_life
from tests.qa.trust.leaks import everything
from tests.qa.trust.planted import is_passed, plants
from tests.qa.trust.table import Row
from tests.traces import in_index

AT_ONCE = 2
"""Lives that are lived at the same time."""
LEAST_RECALL = 0.99
MOST_FALSE = 0.001
"""Of the lines of real transcripts."""


def row() -> Row:
    """Plant, lead through a life, look everywhere, and count."""
    corpus = plants()
    kinds, missed = Counter(one.kind for one in corpus), Counter(one.kind for one in corpus if is_passed(one))
    for kind, number in kinds.items():
        print(f"{kind:28} {number - missed[kind]}/{number}")
    other_layouts = [layout for layout in LAYOUT_NAMES if layout != "entity"]
    with ProcessPoolExecutor(AT_ONCE) as pool:
        one_life, lives, captures = pool.submit(_life), pool.map(_later, LAYOUT_NAMES), pool.map(_other, other_layouts)
        later = dict(zip(LAYOUT_NAMES, lives, strict=True))
        others = [one_life.result(), *captures]
    found_later = [f"{layout}: {one}" for layout, (left, _) in later.items() for one in left]
    found = [one for found_there, _ in others for one in found_there]
    for one in (*found, *found_later):
        print(one)
    recall = 1 - missed.total() / len(corpus)
    looked_like = clean.lines()
    mistaken = sum(bool(find_secrets(line)) for line in looked_like)
    lines, false = _real()
    figures: dict[str, int | float | str] = {
        "secrets": len(corpus),
        "kinds": len(kinds),
        "recall": round(recall, 4),
        "layouts": len(LAYOUT_NAMES),
        "places looked at": sum(looked for _, looked in others),
        "found there": len(found),
        "words of sessions forgotten later": len(LAYOUT_NAMES) * len({*_words()}),
        "places that held them": sum(before for _, before in later.values()),
        "places that still have them": len(found_later),
        "lines that only look like secrets": len(looked_like),
        "of them mistaken": mistaken,
        "lines of real transcripts": lines,
        "of them marked": false,
    }
    holds = recall >= LEAST_RECALL and not found and not found_later and not mistaken and false <= lines * MOST_FALSE
    return Row(
        "No secret is stored or passed on",
        "secrets planted in sessions of three agents, led through hooks, capture, search, curation and export; sessions"
        " with derived pages, forgotten later",
        figures,
        holds,
    )


def _life() -> tuple[list[str], int]:
    """What was found of the plants after a whole life, and in how many places it was looked for."""
    corpus = plants()
    with tempfile.TemporaryDirectory() as folder:
        life = secret_life.begun(Path(folder), corpus)
        secret_life.hooked(life, corpus)
        secret_life.lived(life, corpus)
        leaks = everything(corpus, life)
    return leaks.found, leaks.looked


def _other(layout: str) -> tuple[list[str], int]:
    """The same for a memory of another layout."""
    corpus = plants()
    with tempfile.TemporaryDirectory() as folder:
        leaks = everything(corpus, secret_life.captured(Path(folder), corpus, layout))
    return leaks.found, leaks.looked


def _later(layout: str) -> tuple[list[str], int]:
    """What is left of sessions that were forgotten, and in how many places they were before."""
    gone, stays = later_life.plants(later_life.GONE), later_life.plants(later_life.STAYS)
    with tempfile.TemporaryDirectory() as folder:
        life = later_life.lived(Path(folder), gone, stays, layout)
        before = len(everything(gone, life, is_with_exports=False).found)
        later_life.forgotten(life)
        left = everything(gone, life, is_with_exports=False).found + in_index(life.bench, *_words())
        kept = everything(stays, life).found
    assert before and kept, "there is something to forget, and something that stays"
    return left, before


def _words() -> list[str]:
    return [needle for plant in later_life.plants(later_life.GONE) for needle in plant.needles]


def _real() -> tuple[int, int]:
    """The lines of the shared transcripts, and how many secrets were seen in them."""
    folder = os.environ.get("RECALL_TEST_DATA")
    lines = found = 0
    for text in clean.said_in(Path(folder) / "transcripts") if folder else ():
        lines += text.count("\n") + 1
        found += len(find_secrets(text))
    return lines, found
