"""What is written of a session, wherever it is, is its one digest, line by line as it was said."""

from __future__ import annotations

from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.features.capture import lessons
from recall_tui.features.digest.digest import read_digest
from recall_tui.storage.documents import day_logs
from recall_tui.transcripts.registry import read_transcript
from tests.conftest import NOON
from tests.makers import bench_at, transcript

DECISION = (
    "We decided to round prices once, in `PriceList.round_up` (the cart and the invoice each had a rounding of their"
    " own, and a bundle of three showed a cent of difference on every second order of the night), because the tax"
    " office compares both sums, and because the shop prints the cart's sum on the parcel (see the letter of March)."
)
CAUSE = (
    "The root cause was that `BundleLine.price` was rounded before the discount, which the invoice gives afterwards."
)
TALK = [
    ("user", "Make cart and invoice agree on the price of bundles"),
    ("Edit", "/home/u/api/src/prices.py"),
    ("assistant", f"- {CAUSE}\n- {DECISION}\n"),
    ("user", "good, write it down"),
    ("Edit", "/home/u/api/README.md"),
    ("assistant", "The rounding of prices is now described in `README.md`, with the letter that asks for it."),
]


def test_archive_window_day_and_lessons_are_one_digest(environment: Environment) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    conversation = read_transcript(path)
    made = read_digest(conversation)  # type: ignore[arg-type]
    assert [one.text for one in made.items] == [CAUSE, DECISION]
    text = Path(bench.capture(path).archive).read_text()
    assert f"\n- {DECISION}\n" in text.partition("## Tags")[2]
    assert CAUSE in text.partition("### User")[0]
    assert f"{made.title} → " in text.partition("### User")[0]
    assert f"{made.title} → " in bench.layout.window.read_text()
    bench.apply(lessons.plan_lessons, lessons.extract_lessons(bench.store, path))
    day = day_logs.log_path(bench.layout, NOON.date()).read_text()
    assert made.title in day
    assert f"\n- {CAUSE}\n- {DECISION}\n" in day
