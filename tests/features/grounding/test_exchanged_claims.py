"""A claim falls that gives one thing's place, deed or number in the source to another."""

from __future__ import annotations

import pytest

from recall_tui.features.grounding.verify import is_supported, unsupported_reasons


@pytest.mark.parametrize(
    ("source", "faithful", "false"),
    [
        (
            "`drainQueue` stores its cursor in `ledger.db`, whereas `pruneQueue` keeps a copy in `spool.db`.",
            "The cursor of `drainQueue` is stored in `ledger.db`, whereas a copy of `pruneQueue` is kept in"
            " `spool.db`.",
            "The cursor of `drainQueue` is stored in `spool.db`, whereas a copy of `pruneQueue` is kept in"
            " `ledger.db`.",
        ),
        (
            "The north gate opens at 6 and holds 40 trucks, the south gate opens at 9 and holds 12 trucks.",
            "The north gate holds 40 trucks, the south gate holds 12 trucks.",
            "The north gate holds 12 trucks, the south gate holds 40 trucks.",
        ),
        (
            "Returns the rows from `fetch_page()` that are merged by `join_rows()`.",
            "`join_rows()` merges the rows that `fetch_page()` returns.",
            "`fetch_page()` merges the rows that `join_rows()` returns.",
        ),
        (
            "The tenant's ledger adapter AND the vendor's retry queue have to stay.",
            "The ledger adapter of the tenant and the retry queue of the vendor have to stay.",
            "The tenant's retry queue and the vendor's ledger adapter have to stay.",
        ),
    ],
)
def test_two_things_that_changed_places_are_seen(source: str, faithful: str, false: str) -> None:
    assert unsupported_reasons(faithful, source) == ()
    assert not is_supported(false, source)


def test_the_order_of_a_list_is_free() -> None:
    assert is_supported("Plums and pears are read and sorted.", "Pears and plums are sorted and read.")


@pytest.mark.parametrize(
    ("source", "faithful", "false"),
    [
        (
            "**Empty rows in `trim()`** (rows.py:17-21) - Returns the row as it is below 3 cells. Handles"
            " edge cases, but"
            " `pad()` never meets one.",
            "`trim()` returns a row below 3 cells as it is.",
            "`pad()` returns a row below 3 cells as it is.",
        ),
        (
            "`packer` seals every crate on the line. The label printer is driven by `stamper` over USB.",
            "`stamper` drives the label printer.",
            "`packer` drives the label printer over USB.",
        ),
    ],
)
def test_another_thing_in_the_same_surroundings_is_seen(source: str, faithful: str, false: str) -> None:
    assert unsupported_reasons(faithful, source) == ()
    assert not is_supported(false, source)


@pytest.mark.parametrize(
    ("source", "faithful", "false"),
    [
        (
            "The manual says pumping begins at dawn, but in practice it begins later.",
            "According to the manual pumping begins at dawn, but in practice it begins later.",
            "The manual says pumping begins later, but in practice it begins at dawn.",
        ),
        (
            "There is a gap between the ticket number (which still carries the old prefix) and the folder name"
            " (which gets a fresh suffix).",
            "The ticket number still carries the old prefix, while the folder name gets a fresh suffix.",
            "The ticket number gets a fresh suffix, while the folder name still carries the old prefix.",
        ),
    ],
)
def test_two_clauses_that_were_mixed_are_seen(source: str, faithful: str, false: str) -> None:
    assert unsupported_reasons(faithful, source) == ()
    assert not is_supported(false, source)


@pytest.mark.parametrize(
    ("source", "faithful", "false"),
    [
        (
            "We discuss large moves (new engines, new schemas) together before building. Small fixes don't"
            " need discussion.",
            "Large moves are discussed together before building.",
            "Large moves are not discussed together before building, whereas small fixes don't need it.",
        ),
        (
            "Having it in stop is redundant, since submit runs before stop anyway. Nothing else is not covered.",
            "Having it in stop is redundant.",
            "Having it in stop is not redundant.",
        ),
        (
            "Dropping a shelf no longer drops its crates; crates are kept for 30 days.",
            "When a shelf is dropped, its crates are no longer dropped.",
            "When a shelf is dropped, its crates are dropped as well.",
        ),
        (
            "Skip creating a branch when there are no new files.",
            "A branch should not be created when there are no new files.",
            "A branch is created although there are no new files, and it was merged.",
        ),
        (
            "A reset keeps the seeds sorted to prevent the cache from leaking.",
            "The seeds are kept sorted so that the cache does not leak.",
            "The seeds are not kept sorted.",
        ),
        (
            "`Alpha` checks `leaseRow` before writing; `Beta` doesn't. That would drop rows.",
            "Unlike `Alpha`, `Beta` does not check `leaseRow`.",
            "Unlike `Alpha`, `Beta` does check `leaseRow` before writing.",
        ),
        (
            "This is blocking the login flow.\n- Ada waits to test",
            "The login flow is blocked by this.",
            "The login flow is not blocked.",
        ),
        (
            "`mail` was added to `Person` but not to `Contact`.",
            "`mail` was not added to `Contact`.",
            "`mail` was not added to `Person` or checked.",
        ),
        (
            "The walker doesn't read global list files by default - it only reads `.list` files in the root.",
            "By default the walker reads only the `.list` files in the root and not the global list.",
            "By default the walker reads global list files.",
        ),
        (
            "The second run fails: the `north/rows` table doesn't exist after condensation.",
            "After condensation there is no `north/rows` table.",
            "Before condensation there is no `north/rows` table.",
        ),
        (
            "Markers are missing for the first page of a book.",
            "The first page of a book lacks markers.",
            "Markers are missing for the last page of a book.",
        ),
        (
            "Disk errors: log it but don't fail the hook.",
            "The hook does not fail on disk errors.",
            "Disk errors fail the hook.",
        ),
    ],
)
def test_a_deed_is_denied_where_its_source_denies_it(source: str, faithful: str, false: str) -> None:
    assert unsupported_reasons(faithful, source) == ()
    assert not is_supported(false, source)


@pytest.mark.parametrize(
    ("source", "faithful", "false"),
    [
        (
            "The rename only prevents torn reads.",
            "Only torn reads are prevented.",
            "The rename also prevents torn reads.",
        ),
        (
            "The probe is only used once in the whole suite.",
            "In the whole suite the probe is used only once.",
            "The probe is used throughout the suite.",
        ),
        ("The two writers share one lock.", "Both writers share one lock.", "Both readers share one lock."),
        (
            "Rows with < 40% ink are blank.",
            "Rows with less than 40% ink are blank.",
            "Rows with more than 40% ink are blank.",
        ),
    ],
)
def test_a_share_is_not_widened(source: str, faithful: str, false: str) -> None:
    assert unsupported_reasons(faithful, source) == ()
    assert not is_supported(false, source)


@pytest.mark.parametrize(
    ("source", "faithful", "false"),
    [
        (
            "Returning `null` when the probe fails hides real faults and wastes a call. Should return the fault.",
            "The fault should be returned.",
            "The fault of a failed probe is now returned.",
        ),
        ("The panel is now hidden.", "The panel is hidden now.", "The panel will be hidden."),
        (
            "The plan is plain - change the parser to use `rawMap` like we already do for rows.",
            "The plan is to change the parser to use `rawMap`.",
            "The parser already uses `rawMap`.",
        ),
        ("Short rows are considered noise.", "Short rows count as noise.", "Long rows count as noise."),
    ],
)
def test_what_is_planned_and_what_is_done_stay_apart(source: str, faithful: str, false: str) -> None:
    assert unsupported_reasons(faithful, source) == ()
    assert not is_supported(false, source)


@pytest.mark.parametrize(
    ("source", "faithful", "false"),
    [
        (
            "**`Core` faults** - Signature changed. Faults travel up through `Inner` → `Outer`, which now"
            " return a code.",
            "Faults travel from `Inner` up to `Outer`.",
            "Faults travel from `Outer` via `Inner` down to `Core`.",
        ),
        (
            "Removed the local `Stamp` constant, now uses `build.Stamp`.",
            "Now `build.Stamp` is used.",
            "It now uses a local `Stamp` constant instead of `build.Stamp`.",
        ),
        (
            "Edits made after the freeze but before the audit were lost.",
            "Edits made between the freeze and the audit were lost.",
            "Edits made between the audit and the release were lost.",
        ),
        (
            "The `short` flag breaks `--node a` (it doesn't take the next word as the value).",
            "`short` breaks `--node a` because it does not take the next word as the value.",
            "`--node a` breaks `short`.",
        ),
    ],
)
def test_ways_and_reasons_keep_their_ends(source: str, faithful: str, false: str) -> None:
    assert unsupported_reasons(faithful, source) == ()
    assert not is_supported(false, source)
