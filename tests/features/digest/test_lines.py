"""Lines are cut where they can stand alone, and what says nothing is left out."""

from __future__ import annotations

import pytest

from recall_tui.features.digest.lines import MAX_TEXT_CHARS, cut_lines, is_telling


def texts(text: str, *, by_person: bool = False) -> list[str]:
    return [one.text for one in cut_lines(text, by_person=by_person) if not one.is_lead_in]


def test_a_bullet_keeps_its_wrapped_lines_and_its_heading() -> None:
    (line,) = cut_lines("## The fix\n\n- **Retry** three times with a pause,\n  since the broker drops idle links\n")
    assert line.text == "Retry three times with a pause, since the broker drops idle links"
    assert line.heading == "The fix"
    assert line.is_bullet


def test_sentences_of_a_paragraph_stay_together_as_far_as_they_fit() -> None:
    cause = "The cache of prices is filled before the rates are read."
    assert texts(f"{cause} So the first order of a day has the rates of yesterday.") == [
        f"{cause} So the first order of a day has the rates of yesterday."
    ]
    assert texts(f"Let me check. {cause} Now I'll fix it.") == [cause]


def test_a_row_of_a_table_is_a_line_without_its_number() -> None:
    rows = "| # | Issue | Verdict |\n|---|---|---|\n"
    rows += "| 3 | Stale branch after a reset to an old commit | noted, not fixed |\n"
    assert texts(rows) == ["Stale branch after a reset to an old commit — noted, not fixed"]


def test_code_in_fences_is_left_out() -> None:
    assert texts("```\nthe server always restarts the worker pool\n```\n") == []


def test_an_empty_box_is_marked() -> None:
    (line,) = cut_lines("- [ ] Measure the export with ten thousand orders")
    assert line.is_unticked


def test_a_lead_in_loses_its_colon_and_is_marked() -> None:
    lines = list(
        cut_lines("The `basket` command has been removed from the shop:\n\n- its tests went with the command itself\n")
    )
    assert [(one.text, one.is_lead_in) for one in lines] == [
        ("The `basket` command has been removed from the shop", True),
        ("its tests went with the command itself", False),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Let me look at the tests first.",
        "Now I'll fix the import of the module.",
        "You're absolutely right about the cache.",
        "All tests pass.",
        "Now I see the root cause.",
        "Do you want me to commit this change?",
        "Here is what I changed in the module:",
        "Co-Authored-By: Claude <noreply@anthropic.com>",
        "`pytest -q` - all tests pass",
        "`cmd/shop/basket.go`",
        "Before: the list of all of the orders",
    ],
)
def test_what_says_nothing_is_left_out(text: str) -> None:
    assert texts(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "okay, let's have a look at the review feedback",
        "can you explain why the tests of the basket fail now?",
        "commit and push please, then we are done here",
        "do we have more functions like this in the tests?",
    ],
)
def test_what_a_person_says_to_move_on_is_left_out(text: str) -> None:
    assert not is_telling(text, by_person=True)


@pytest.mark.parametrize(
    "text", ["let's remove the basket command completely", "could we just drop the default and list the others"]
)
def test_what_a_person_proposes_is_kept(text: str) -> None:
    assert is_telling(text, by_person=True)


def test_a_huge_text_is_read_at_both_ends() -> None:
    middle = "filler word " * MAX_TEXT_CHARS
    found = texts(f"The broker keeps messages for two days.\n\n{middle}\n\nThe worker reads them in pages of ten.")
    assert found[0] == "The broker keeps messages for two days."
    assert found[-1] == "The worker reads them in pages of ten."


@pytest.mark.parametrize(
    "text", ["1" * 590 + "x", "all tests pass " * 38 + "x", "- " * 290 + "x", "| " * 290, "done " * 110]
)
def test_no_pattern_loses_itself_in_a_hostile_line(text: str) -> None:
    assert len(texts(f"{text}\n" * 20)) <= 20
