"""Lines of a report that a session's entry in a log gives."""

from __future__ import annotations

import pytest

from recall_tui.features.grounding.session_report import entry_report
from recall_tui.storage.documents.day_logs import session_entries


def report(*rows: str) -> list[str]:
    """The lines that a session gives; the first row is its title and outcome."""
    source = "(conversation-001, 5a3bb1c8)"
    log = "\n".join(f"{'  -' if at else '- 10:00'} {row} {source}" for at, row in enumerate(rows))
    return [one.text for one in entry_report(session_entries(log)[0])]


def test_a_title_that_says_what_was_fixed_stands_with_what_was_wrong() -> None:
    said = report(
        "Fix the double booking of kilns — Both fixed.",
        "Outcome: Bookings of `KilnDesk` were never compared with those of the night shift (tests pass)",
    )
    assert said == [
        "Fix the double booking of kilns: Bookings of `KilnDesk` were never compared with those of the night shift"
    ]


def test_a_cause_without_its_fix_is_left_out() -> None:
    assert report("Look at the kilns — It is clear now.", "Lesson: `KilnDesk` silently drops the last booking") == []


def test_words_that_announce_a_cause_are_no_part_of_it() -> None:
    said = report(
        "Look at the kilns — Done.",
        "Lesson: The fix works. The issue was that `KilnDesk` doesn't read the night shift, so kilns were booked twice",
        "Decision: Changed `KilnDesk` to read the bookings of both shifts before it gives a kiln away",
    )
    assert said == [
        "`KilnDesk` doesn't read the night shift, so kilns were booked twice. Changed `KilnDesk` to read the bookings"
        " of both shifts before it gives a kiln away"
    ]


def test_a_change_that_names_nothing_stands_with_the_title_that_does() -> None:
    said = report(
        "Moved the bookings to `kiln.db` — Everything is in place.",
        "Decision: Removed the limit of ten bookings for each potter, since nobody ever reached that many",
    )
    assert said == [
        "Moved the bookings to `kiln.db`: Removed the limit of ten bookings for each potter,"
        " since nobody ever reached that many"
    ]


@pytest.mark.parametrize(
    "row",
    [
        "Decision: When a potter books, it now checks if the kiln is free",
        "Decision: Added a second list for late bookings",
        "Decision: `KilnDesk`: Now always gives a new number to late bookings",
        "Decision: How about a list of `late` bookings instead of the mail",
        "Lesson: The `retry` approach breaks `kiln book --all` (it never ends)",
        "Lesson: Root cause: `KilnDesk` reads the file twice",
        "Decision: Chose to tell about this because it is important",
        "Decision: Should I commit the new list now? → Yes, commit it",
        "Decision: Should READMEs be files or inline strings? → Inline strings",
        "Decision: The output (`--late`) now has `fired_at` and `rack`",
        "Decision: Added a quiet fallback for `RackKind`",
    ],
)
def test_half_a_thing_is_left_out(row: str) -> None:
    assert report("Kilns — All is well.", row) == []


@pytest.mark.parametrize(
    "row",
    [
        "Decision: Should a kiln commit its log on each firing, or once a night? → Once a night",
        'Decision: The warning of the list changed from "Please wait" to "You can book kiln 4 now"',
        "Decision: Added a trace of firings, switched on by the `KILN_TRACE` env var",
        "Decision: `KilnDesk.book()` no longer fails at night - it always writes to the list",
        "Decision: Added `fired_at` to both states (they stay the same, since one file holds them)",
    ],
)
def test_what_people_meet_and_why_is_told(row: str) -> None:
    assert report("Kilns — All is well.", row) == [row.partition(": ")[2]]


def test_a_title_that_announces_several_things_does_not_stand_with_one_of_them() -> None:
    said = report(
        "Fixed two issues in `KilnDesk.book()` — Both fixed.",
        "Outcome: Bookings of potters were never compared with those of the night shift (tests pass)",
    )
    assert said == []


def test_a_fix_that_says_what_was_wrong_stands_with_the_change() -> None:
    said = report(
        "Look at the racks — Done.",
        "Decision: Fixed a bug where racks had two numbers when a firing went on past midnight",
        "Decision: `RackList` now exclusively takes numbers from `rack_number()`, which prevents two numbers when"
        " firings go on past midnight",
    )
    assert len(said) == 1 and "two numbers when a firing" in said[0] and "`rack_number()`" in said[0]


def test_what_was_so_until_a_session_fixed_it_is_not_told_without_its_fix() -> None:
    row = "Lesson: Bookings of the night shift were being written to the old `kiln_log`, because nobody had moved it"
    assert report("Look at the kilns — Done.", row) == []
    assert report("Look at the kilns — Done.", "Outcome: The kilns are booked (tests pass)", row) == []
    fix = "Decision: Bookings of the night shift are written to `kiln_book` instead of the old `kiln_log` now"
    (told,) = report("Look at the kilns — Done.", row, fix)
    assert "kiln_log" in told and "kiln_book" in told


def test_always_is_taken_back_by_a_condition_of_the_same_session() -> None:
    row = "Decision: `kiln fire` now always overwrites the log of a kiln with the log of the shed"
    assert report("Look at the kilns — Done.", row) == [row[10:]]
    later = "Decision: Added `promptOverwrite` before `kiln fire` overwrites the log of a kiln"
    assert row[10:] not in report("Look at the kilns — Done.", row, later)


def test_a_change_of_how_the_project_works_is_told() -> None:
    row = "Decision: Changes the booking model from one kiln for many firings to one for each, replaced at midnight"
    assert report("Kilns — All is well.", row) == [row[10:]]


def test_where_a_fix_is_stands_in_front_of_it() -> None:
    said = report("Kilns — Ok.", "Outcome: The fix is in `kiln/desk.py` — added `kiln.lock` to the list of `KilnDesk`")
    assert said == ["`kiln/desk.py` — added `kiln.lock` to the list of `KilnDesk`"]


def test_a_title_alone_needs_a_name() -> None:
    assert report("Rename the racks — The racks are renamed (tests pass)", "Outcome: All done") == []
    assert report("Replace `RackList` of the kiln shed by `Racks` — `RackList` is replaced now (tests pass)") != []
    assert report("Rename `RackList` of the kiln shed to `Racks` — `RackList` is renamed now (tests pass)") == []


def test_an_order_whose_end_only_a_function_tells_is_no_news() -> None:
    said = report(
        'Add a "--late" option to "kiln book" for bookings at night — The option has been added.',
        "Decision: `new_book_command()` — Added `--late` flag.",
    )
    assert said == []


def test_a_choice_of_values_stands_with_the_setting_that_has_them() -> None:
    said = report(
        'Use true/false and not on/off for the lamp-at-night — Changed from `"off"` to `"false"` for consistency.',
        "Outcome: `night_lamp: true` or not set → on (default)",
    )
    assert said == ["Use true/false and not on/off for the lamp-at-night: `night_lamp: true` or not set → on (default)"]


def test_a_check_stands_with_what_is_done_in_each_case() -> None:
    said = report(
        "Orphaned kiln (no file) → Automatically clears the shelf and goes on — When a night shift starts and finds a"
        " shelf of another shift, it now checks if the kiln of that shelf has a file.",
        "Decision: If the file exists → return an error of the kiln",
    )
    assert said == [
        "When a night shift starts and finds a shelf of another shift, it now checks if the kiln of that shelf has a"
        " file. Orphaned kiln (no file) → Automatically clears the shelf and goes on. If the file exists → return an"
        " error of the kiln"
    ]


def test_a_default_stands_with_the_value_that_it_was_given() -> None:
    default = "The default `DoorTimeout` is 0, which means wait forever. `close_door()` blocks until a door answers."
    said = report("Why does the kiln hang? — With its door: 135ms (100ms is the door timeout).", f"Lesson: {default}")
    assert said == [f"{default} With its door: 135ms (100ms is the door timeout)."]


def test_a_value_that_grew_later_stands_with_what_a_test_says_of_it() -> None:
    said = report(
        'Name of the command — Now `kiln list` will send `"kiln list"` instead of just `"list"`.',
        'Outcome: Added `TestWhole` that verifies `whole()` returns the command with flags (e.g., `"kiln list --all"`)',
        'Decision: the name only has the last word. if "kiln list" is sending "list" it should send "kiln list"',
    )
    assert said and said[0].endswith('`whole()` returns the command with flags (e.g., `"kiln list --all"`)')


def test_a_choice_of_a_title_stands_though_it_was_for_consistency() -> None:
    said = report('Use true/false and not on/off for skip-glaze — Changed from `"off"` to `"false"` for consistency.')
    assert said == ['Use true/false and not on/off for skip-glaze: Changed from `"off"` to `"false"` for consistency.']


def test_names_that_were_added_to_a_list_are_no_news() -> None:
    row = "Outcome: The fix is in `kiln/desk.py` — added `kiln.lock`, `kiln.json`, and `KILN.md` to the list of `Desk`"
    assert report("Kilns — Ok.", row) == []
