"""Lines of a master that a later session undoes, or that are of their time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from recall_tui.environment import Environment
from recall_tui.features.grounding import session_texts
from recall_tui.features.grounding.session_texts import SessionTexts, removal_rows
from recall_tui.workbench import Workbench
from tests.makers import Turn, bench_at, transcript
from tests.summaries import synthesised

FIRST = datetime(2026, 1, 5, 9, tzinfo=UTC)


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    return bench_at(environment, "entity")


def hold(bench: Workbench, environment: Environment, days: int, *replies: str) -> None:
    """Archive a session that was held so many days after the first."""
    talk: list[Turn] = [turn for reply in replies for turn in (("user", "Go on with the kilns"), ("assistant", reply))]
    path = transcript(environment, days + 1, talk, start=FIRST + timedelta(days=days))
    bench.capture(path)


def master_of(bench: Workbench) -> str:
    synthesised(bench)
    return bench.layout.master.read_text()


def test_a_detail_of_the_code_ages_and_what_people_use_does_not(bench: Workbench, environment: Environment) -> None:
    hold(
        bench,
        environment,
        0,
        "- `KilnDesk.load()` no longer fails at night, because it always reads `rack_list` of both shifts.\n"
        "- The `kiln book` command now refuses bookings at night instead of losing them.\n",
    )
    young = master_of(bench)
    assert "KilnDesk.load()" in young and "kiln book" in young
    hold(bench, environment, 30, "- The `kiln list` command now shows both shifts instead of one.\n")
    old = master_of(bench)
    assert "KilnDesk.load()" not in old
    assert "kiln book" in old and "kiln list" in old


def test_what_a_session_removed_on_the_way_holds_no_more(bench: Workbench, environment: Environment) -> None:
    said = "- `KilnDesk.load()` now takes racks from `rackIndex` instead of the mail, so that none is booked twice.\n"
    hold(bench, environment, 0, said)
    assert "rackIndex" in master_of(bench)
    hold(bench, environment, 2, "I removed the `rackIndex` field on the way.", "- The `kiln list` command is done.\n")
    assert "none is booked twice" not in master_of(bench)


def test_an_option_that_no_later_session_meets_is_lost_sight_of(
    bench: Workbench, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_texts, "_MIN_LATER_SESSIONS", 1)
    hold(bench, environment, 0, "- `kiln list` got `--late`, and `kiln book` got `--now`.")
    hold(bench, environment, 1, "- `kiln book --now` is quick.")
    name = min(path.stem for place in bench.layout.archives for path in place.folder.glob("*.md"))
    texts = SessionTexts(bench.store)
    assert texts.lost_sight_of("`kiln list --late` shows bookings of the night", name)
    assert not texts.lost_sight_of("`kiln book --now` books at once", name)
    assert not texts.lost_sight_of("Removed `--late` from `kiln list`", name)
    assert not texts.lost_sight_of("`kiln list --late`", "conversation-999")


def test_only_what_was_said_counts_as_removed() -> None:
    text = "head: removed `headline`\n\n# Conversation 001\n\nI removed `rackIndex`.\n\n```\nremoved `printed`\n```\n"
    assert removal_rows(text) == ("I removed `rackIndex`.",)
    assert removal_rows("# Conversation 001\n\nNothing went.") == ()
