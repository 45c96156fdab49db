"""Statements that a later entry overtakes."""

from __future__ import annotations

import pytest

from recall_tui.features.grounding.superseded import Overtaken


@pytest.mark.parametrize(
    ("said", "later"),
    [
        ("`OvenQueue` keeps ten orders", "Removed `OvenQueue` field"),
        ("Orders are stored in `kiln/orders`", "Migrated from kiln/orders to kiln/jobs"),
        (
            "Fix the cold start (KILN_WARM → IDLE): `KilnDesk` lost the state",
            'Backward compatibility: `read_state` normalizes `"kiln_warm"` → `KilnIdle` so existing files work',
        ),
        ("Changed the rack numbers of a kiln from 0 to 1", "Changed the rack numbers of a kiln from 1 to 0"),
        ("Raised the drying time of the press from 20m to 45m", "Lowered the drying time of the press from 45m to 30m"),
    ],
)
def test_what_a_later_entry_takes_back_holds_no_more(said: str, later: str) -> None:
    logs = {"days/1.md": f"- {said}", "days/2.md": f"- {later}"}
    assert not Overtaken(logs).holds(said, "days/1.md", 1)
    assert Overtaken(logs).holds(later, "days/2.md", 1)


LOG = "- 09:00 Kilns — Done. (conversation-001, 5a3bb1c8)\n  - Decision: `KilnDesk.rackIndex` keeps ten racks"


@pytest.mark.parametrize(
    ("row", "holds"),
    [
        ("The `rackIndex` field was already removed", False),
        ("Removed the unused `rackIndex` field from `KilnDesk`", False),
        ("Removed the unused `rackIndex` field from `Potter`", True),
        ("Removed `rack`", True),
    ],
)
def test_what_a_later_session_says_outside_of_its_digest_counts(row: str, holds: bool) -> None:
    logs = {"days/1.md": LOG, "days/2.md": "- 09:00 Racks — Done. (conversation-002, 6b3bb1c8)"}
    told = {"conversation-002": (row,)}
    overtaken = Overtaken(logs, lambda archive: told.get(archive, ()))
    assert overtaken.holds("`KilnDesk.rackIndex` keeps ten racks", "days/1.md", 2) is holds


@pytest.mark.parametrize(
    "later",
    [
        "Removed the checks of `OvenQueue`",
        "Raised the drying time of the kiln from 45m to 60m",
        "`OvenQueue` was moved to the cellar",
    ],
)
def test_what_is_about_something_else_overtakes_nothing(later: str) -> None:
    said = "`OvenQueue` keeps ten orders; the glaze of the press went from 20m to 45m"
    assert Overtaken({"days/1.md": f"- {said}", "days/2.md": f"- {later}"}).holds(said, "days/1.md", 1)


def test_an_entry_does_not_overtake_itself() -> None:
    logs = {"days/1.md": "- 09:00 Rename the queue\n  - Decision: Renamed `OvenQueue` to `KilnQueue`"}
    assert Overtaken(logs).holds("`OvenQueue` holds ten", "days/1.md", 1)
