"""What applies itself: only kinds that the settings name, only what is safe, and only once."""

from __future__ import annotations

import pytest

from recall_tui import config
from recall_tui.environment import Environment
from recall_tui.errors import ConfigError
from recall_tui.features.curation import review
from recall_tui.memory import bound
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import DocumentChange, Proposal
from recall_tui.workbench import Workbench
from tests.makers import bench_at

WEEK = Proposal(
    "weekly", "2026-W09", "Write week 2026-W09", "over", (DocumentChange("memory/w.md", "# W\n"),), is_safe=True
)
MONTH = Proposal("monthly", "2026-02", "Write 2026-02", "over", (DocumentChange("memory/m.md", "# M\n"),), is_safe=True)
EDITED = Proposal("weekly", "2026-W08", "Rewrite week 2026-W08", "changed", (DocumentChange("memory/e.md", "# E\n"),))
STUB = Proposal(
    "wiki", "ada", "Begin Ada", "three days", (DocumentChange("memory/wiki/ada.md", "# Ada\n"),), is_safe=True
)
ALL = (WEEK, MONTH, EDITED, STUB)


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    """A memory whose weeks apply themselves."""
    return bench_at(
        environment.__class__(environment.home, environment.cwd, {**environment.env, "RECALL_REVIEW_AUTO": "weekly"})
    )


def put(bench: Workbench) -> list[str]:
    return [one.id for each in ALL if (one := proposals.save(bench.store, each)) is not None]


def test_nothing_applies_itself_unless_the_settings_say_so(environment: Environment) -> None:
    bench = bench_at(environment)
    assert bench.preview(review.accept_automatic, put(bench)).edits == ()


def test_what_is_safe_and_of_a_named_kind_applies_itself_and_the_rest_waits(bench: Workbench) -> None:
    entry = bench.store.commit(bound(review.accept_automatic, put(bench)), by="schedule")
    assert entry is not None and entry.by == "schedule" and entry.title == "Applied by itself: Write week 2026-W09"
    assert (bench.store.root / "memory/w.md").read_text() == "# W\n"
    assert {one.subject for one in proposals.list_open(bench.store)} == {"2026-02", "2026-W08", "ada"}
    assert [(one.subject, one.is_by_itself) for one in review.closed_proposals(bench.store)] == [("2026-W09", True)]


def test_what_applied_itself_is_taken_back_by_its_number_and_does_not_apply_itself_again(bench: Workbench) -> None:
    ids = put(bench)
    entry = bench.store.commit(bound(review.accept_automatic, ids), by="schedule")
    assert entry is not None and bench.undo(entry.id) is not None
    assert not (bench.store.root / "memory/w.md").exists()
    assert bench.store.commit(bound(review.accept_automatic, ids), by="schedule") is None
    assert bench.apply(review.accept, [ids[0]]) is not None
    assert [one.is_by_itself for one in review.closed_proposals(bench.store)] == [False]


def test_only_what_was_just_proposed_applies_itself(bench: Workbench) -> None:
    ids = put(bench)
    assert bench.store.commit(bound(review.accept_automatic, ids[1:]), by="schedule") is None


def test_only_kinds_that_consolidation_makes_can_be_named() -> None:
    setting = config.get_setting("review.auto")
    assert config.check_value(setting, "weekly, wiki") == ("weekly", "wiki")
    assert config.check_value(setting, "") == ()
    with pytest.raises(ConfigError):
        config.check_value(setting, "weekly, everything")
