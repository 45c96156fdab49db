"""Lines of a page by topic."""

from __future__ import annotations

from recall_tui.features.grounding.topics import group_by_topic

LINES = (
    "`press dry --slow` now waits for the fan",
    "The kiln keeps its heat for an hour, because the lid was left open",
    "`KilnDoor` locks itself at 90 degrees",
    "Raised the timeout of `press load` to 40 s",
    "`glaze.mix` reads the recipe once",
)


def test_lines_with_a_name_in_common_stand_together() -> None:
    assert group_by_topic(LINES) == [("", [4]), ("press", [0, 3]), ("kiln", [1, 2])]


def test_a_word_of_prose_is_no_topic() -> None:
    said = [f"The oven waits for the {part}" for part in ("fan", "door", "tray", "lamp", "timer")]
    assert group_by_topic(said) == [("", [0, 1, 2, 3, 4])]


def test_a_few_lines_are_not_parted() -> None:
    assert group_by_topic(LINES[:4]) == [("", [0, 1, 2, 3])]
