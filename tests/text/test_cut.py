"""Cuts by characters, lines made one, and text made safe for a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.cut import one_line, shorten, split_text, strip_controls

ANY = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("aİß漢\u0301\u200d\ufe0f👩🇩🇪🏽\udc80\x1b\x9b\n")))
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"


@given(ANY, st.integers(-2, 40))
def test_a_cut_keeps_the_limit_and_a_beginning_of_the_text(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= max(limit, 0) or short == text
    if short != text and limit > 1:
        assert short.endswith("…")
        assert text.startswith(short[:-1]) or _without_backticks(text).startswith(_without_backticks(short[:-1]))


def _without_backticks(text: str) -> str:
    """The text as it is where the mark of a span of code that was cut, and the space at it, are left out."""
    return "".join(text.replace("`", "").split())


@given(
    st.lists(st.sampled_from(["a", "漢", "e\u0301", FAMILY, "\U0001f44d\U0001f3fd", "❤\ufe0f"]), max_size=12),
    st.integers(2, 40),
)
def test_a_cut_leaves_whole_characters_only(characters: list[str], limit: int) -> None:
    short = shorten("".join(characters), limit)
    if short != "".join(characters):
        assert short[:-1] in {"".join(characters[:count]) for count in range(len(characters))}


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("short", 5, "short"),
        ("a longer line", 9, "a longer…"),
        ("a longer line", 3, "a…"),
        ("cafe\u0301s are", 5, "caf…"),
        ("x" + FAMILY + "y", 4, "x…"),
        ("ab\U0001f44d\U0001f3fdcd", 4, "ab…"),
        ("a\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", 3, "a…"),
        ("a\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", 4, "a\U0001f1e9\U0001f1ea…"),
        ("ab\udce4\udcf6cd", 4, "ab…"),
        ("text", 0, ""),
        ("text", -5, ""),
    ],
)
def test_cuts_fall_between_what_is_seen_as_one(text: str, limit: int, short: str) -> None:
    assert shorten(text, limit) == short


def test_a_hostile_stack_of_accents_is_cut_all_the_same() -> None:
    assert len(shorten("a" + "\u0301" * 10_000, 100)) == 100


def test_another_mark_counts_into_the_limit() -> None:
    assert shorten("a longer line", 10, " (cut)") == "a lo (cut)"


@given(st.text(alphabet="ab \n"), st.integers(1, 20))
def test_pieces_are_the_text_and_keep_the_limit(text: str, limit: int) -> None:
    found = list(split_text(text, limit))
    assert "".join(found) == text and max(map(len, found)) <= limit
    assert all(len(piece) > limit // 2 for piece in found[:-1])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [""]),
        ("a few words", ["a few ", "words"]),
        ("ones\nand two", ["ones\n", "and two"]),
        ("without a place", ["without ", "a place"]),
        ("inseparable", ["insepara", "ble"]),
    ],
)
def test_a_text_is_parted_after_a_line_else_after_a_word(text: str, found: list[str]) -> None:
    assert list(split_text(text, 8)) == found


@given(ANY)
def test_one_line_is_one_line(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1 and "  " not in line and line == line.strip()


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("red \x1b[31mtext\x1b[0m", "red text"),
        ("\x1b]0;title\x07shown", "shown"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b31mshown", "shown"),
        ("\x1bPq#0\x1b\\shown", "shown"),
        ("\x1b]never ended", "never ended"),
        ("over\rwritten\r\n\tkept", "overwritten\n\tkept"),
        ("bell\x07 back\x08", "bell back"),
        ("abc\u202edcba\u202c \u2066x\u2069", "abcdcba x"),
        ("byte \udce4", "byte \ufffd"),
        ("héllo 漢字 👩\u200d💻", "héllo 漢字 👩\u200d💻"),
    ],
)
def test_what_steers_a_terminal_is_taken_out(text: str, safe: str) -> None:
    assert strip_controls(text) == safe


@given(ANY)
def test_safe_text_holds_no_control_characters_and_stays_as_it_is(text: str) -> None:
    safe = strip_controls(text)
    assert not any(unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t" for char in safe)
    assert strip_controls(safe) == safe
    safe.encode("utf-8")


def test_a_cut_inside_code_leaves_no_lone_backtick() -> None:
    assert shorten("Fix `handlePreviewOfPages` in the editor", 14) == "Fix handlePr…"
    assert shorten("Fix `handle` in the editor of pages", 20) == "Fix `handle` in the…"
    assert shorten("Fix ` handle` in the editor", 10) == "Fix han…"
