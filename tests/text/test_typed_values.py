"""Values of sentences, each with its sort."""

from __future__ import annotations

import pytest

from recall_tui.text.typed_values import asked_sorts, typed_values


@pytest.mark.parametrize(
    ("sentence", "values"),
    [
        ("Choir is at 18:30 on Tuesdays", [("time", "18:30"), ("weekday", "tuesday")]),
        ("The fair is on 4 May, not on 21st of June", [("date", "4 may"), ("date", "21 jun")]),
        ("June 21 at 7pm", [("date", "21 jun"), ("time", "7pm")]),
        ("It takes six keys and 2.5 hours", [("key", "6"), ("hour", "2.5")]),
        ("bake at 235 °C", [("°c", "235")]),
        ("Mixed 1:4:4", [("ratio", "1:4:4")]),
        ("The threshold is 3.5", [("number", "3.5")]),
        ("gate 4 and BH07, python 3.12", []),
    ],
)
def test_a_value_has_a_sort(sentence: str, values: list[tuple[str, str]]) -> None:
    assert [(one.sort, one.value) for one in typed_values(sentence)] == values


def test_a_question_asks_for_some_sorts() -> None:
    who, when, what = (asked_sorts(text) for text in ("who rings the bell", "when is choir", "what is the limit"))
    assert who == frozenset() and when is not None and "time" in when and what is None
